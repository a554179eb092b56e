#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `--with DIR`: routings and topologies from outside the tree, and what does not fit.
. "$(dirname "$0")/lib.sh"
updown=$source/examples/extensions/updown
with() { "$hopwise" "$1" --with "$updown" "${@:2}"; }

expect 0 with check "$updown/fat_tree.yaml"
expect_said 'updown: free of deadlock .Dally-Seitz., connected, at most 2 hops; 12 routers, 64 channels'
expect 0 with schema
expect_said '"spines"'
expect_said '"fat_tree"'

# A bundle of two shapes of routers, without a warning, whose certificate holds.
expect 0 with generate "$updown/fat_tree.yaml" -o bundle --set topology.leaves=3 --set topology.spines=2
[ -s bundle/rtl/extension/updown_route.sv ] && [ -s bundle/rtl/fat_tree_3_2_spine_router.sv ] || fail "files of the bundle"
expect 0 make -C bundle lint
# Of five routers three have terminals, two each; others are no destinations.
grep -q "FieldSizes *(32'h00020003)" bundle/rtl/fat_tree_3_2_leaf_tile.sv || fail "the sizes of the header's fields" bundle/rtl/fat_tree_3_2_leaf_tile.sv
expect 0 with check bundle
expect 2 "$hopwise" check bundle

# A router with one link: its lanes are picked like any others.
expect 0 with generate "$updown/fat_tree.yaml" -o one --set topology.leaves=2 --set topology.spines=1
expect 0 make -C one lint

# A run: every packet is delivered, between leaves alone.
expect 0 with simulate "$updown/fat_tree.yaml" -o out --cache "$cache" --quiet --set topology.leaves=3 --set topology.spines=2 \
  --set simulation.cycles=600 --set simulation.warmup_cycles=200 --pattern uniform --load 0.4
json out/results.json 'r.points.length === 1 && r.points[0].packets.lost === 0 && r.points[0].packets.delivered > 100'
json out/results.json 'r.network.terminals === 6 && r.network.routers === 5 && r.network.layout.routers[4] === "spine1"'
json out/results.json 'r.extensions.length === 1 && r.extensions[0].endsWith("updown")'

# Keys are checked like any other.
expect 2 with check "$updown/fat_tree.yaml" --set topology.spines=0
expect_said 'config.out-of-range.*topology.spines'
expect 2 with check "$updown/fat_tree.yaml" --set traffic.pattern=tornado --set experiment.patterns=[tornado]
expect_said 'tornado reckons with coordinates'
expect 2 with check "$updown/fat_tree.yaml" --set routing.algorithm=dor
expect_said 'updown on a fat_tree'

# A relation that closes a cycle is refused with the cycle: packets that turn up again at a leaf.
faulty() { rm -rf "$1"; cp -r "$updown" "$1"; }
faulty cyclic
sed -i 's/out.push({PortId{to}, classes_\[0\].mask(), true, 0});/for (std::uint16_t l = 0; l < leaves_; ++l) out.push({PortId{l}, classes_[0].mask(), true, 0});/' cyclic/updown.cpp
expect 1 "$hopwise" check --with cyclic cyclic/fat_tree.yaml
expect_said 'may repeat these moves for ever'
for command in "generate -o unproved" "simulate -o unproved" "run -o failed" "synth --target ice40 -o failed" "bench"; do
  # shellcheck disable=SC2086
  expect 1 "$hopwise" $command --with cyclic cyclic/fat_tree.yaml
  expect_said 'may repeat these moves for ever'
done
expect_nothing_at unproved

# Packets of classes for which its header has no place.
faulty classes
sed -i 's/bool in_order() const override { return false; }/&\n  unsigned num_packet_classes() const override { return 3; }/' classes/updown.cpp
expect 1 "$hopwise" check --with classes classes/fat_tree.yaml
expect_said 'found packets of 3 classes'

# Parameters of a shape of router stand in its own unit.
faulty shapes
sed -i 's/  u.parameters = {{"NumLeaves", std::uint64_t{fat_tree::leaves(c.spec.topology)}},/  u.parameters = {{"NumLeaves", std::uint64_t{c.shape == 0 ? 77u : 78u}},/' shapes/updown.cpp
expect 0 "$hopwise" generate --with shapes shapes/fat_tree.yaml -o by_shape
grep -q 'NumLeaves(77)' by_shape/rtl/*_leaf_routing.sv || fail "the leaf's unit"
grep -q 'NumLeaves(78)' by_shape/rtl/*_spine_routing.sv || fail "the spine's unit"
expect 0 make -C by_shape lint

# What does not fit, and why.
expect 2 "$hopwise" check --with nowhere "$net"
expect_said 'extension.directory'
faulty broken && echo 'int x = ;' >> broken/updown.cpp
expect 2 "$hopwise" check --with broken "$net"
expect_said 'extension.compiler'
faulty other && sed -i 's/HOPWISE_EXTENSION(.*/extern "C" const unsigned hopwise_extension_version = 0; extern "C" void hopwise_extension() {}/' other/updown.cpp
expect 2 "$hopwise" check --with other "$net"
expect_said 'extension.version'
faulty taken && sed -i 's/Variant{"updown"/Variant{"dor"/' taken/updown.cpp
expect 2 "$hopwise" check --with taken "$net"
expect_said 'extension.name.*'
faulty odd && touch odd/notes.txt
expect 2 "$hopwise" check --with odd "$net"
expect_said 'extension.file'
faulty oneway && sed -i '/join(leaves + s, l, l, s);/d' oneway/fat_tree.cpp
expect 2 "$hopwise" check --with oneway oneway/fat_tree.yaml
expect_said 'topology.graph'
