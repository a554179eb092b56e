# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts of this folder as `. common.sh HOPWISE SCRATCH`: an empty scratch directory, and what all use.
set -u
hopwise=$(realpath "$1")
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1

bad=0
fail() {  # sentence, tool's output
  bad=1
  printf 'FAIL %s\n%s\n' "$1" "${2:-}"
}
finish() { [ $bad -eq 0 ] && echo "good: $1"; exit $bad; }

# generate NAME KEY=VALUE...: the bundle of a network, in ./NAME. A torus of 2x2 routers unless the keys say else; a
# dragonfly of three groups of two routers where the name starts with dragonfly.
generate() {
  local name=$1 set=() s topology='kind: torus, dims: [2, 2]'
  shift
  [[ $name == dragonfly* ]] && topology='kind: dragonfly, routers_per_group: 2, global_ports: 1, groups: 3'
  printf 'name: %s\ntopology: {%s}\n' "$name" "$topology" > "$name.yaml"
  for s in "$@"; do set+=(--set "$s"); done
  "$hopwise" generate "$name.yaml" -o "$name" "${set[@]}" > "$name.log" 2>&1 || fail "generate $name $*" "$(cat "$name.log")"
}

# Configurations that differ in everything that shapes the hardware: name, then keys.
configurations() {
  cat <<'C'
smallest
ring2         topology.dims=[2] packet.flit_bits=32
ring3         topology.dims=[3] packet.flit_bits=40 routing.algorithm=star_channel
ring5         topology.dims=[5] packet.flit_bits=256 packet.max_flits=4 routing.dateline=balanced
line4         topology.kind=mesh topology.dims=[4] packet.flit_bits=40 packet.max_flits=3
four_dims     topology.dims=[2,2,2,2] packet.flit_bits=64 routing.algorithm=star_channel
odd           topology.dims=[3,5,2] packet.flit_bits=128 packet.max_flits=2
mesh          topology.kind=mesh topology.dims=[3,2] routing.algorithm=star_channel packet.max_flits=4
saf           topology.dims=[3,2] router.switching=saf packet.max_flits=4 packet.flit_bits=64 router.allocator.kind=separable_output_first
wormhole      topology.dims=[3,2] router.switching=wormhole packet.max_flits=8 packet.flit_bits=64 router.vc_depth_flits=4
worm_star     topology.dims=[3,2] router.switching=wormhole routing.algorithm=star_channel packet.max_flits=8 router.vc_depth_flits=[4,4,8] router.vcs=3
queues        topology.dims=[3,2] router.output_queue_flits=8 packet.max_flits=4 router.pipeline_cycles=3 link.cycles_per_flit=5/2
queues_star   topology.dims=[3,2] router.output_queue_flits=8 packet.max_flits=4 routing.algorithm=star_channel router.allocator.iterations=2
slots         topology.dims=[2,2] topology.terminals_per_router=3 packet.flit_bits=64 router.vcs=4 router.allocator.granularity=flit packet.max_flits=2
slow          topology.dims=[2,2] link.cycles_per_flit=5/2 link.latency_cycles=[3,7] router.vcs=5 routing.dateline=balanced
least_recent  topology.dims=[2,3] router.allocator.arbiter=least_recent router.pipeline_cycles=4
output_first  topology.dims=[2,3] router.allocator.kind=separable_output_first router.allocator.iterations=2 router.counters=false
apenet        topology.dims=[2,3] packet.format=apenet packet.max_flits=20 routing.algorithm=star_channel
dragonfly_min    routing.algorithm=min packet.flit_bits=40
dragonfly_valg   routing.algorithm=valg packet.flit_bits=64 packet.max_flits=3 topology.terminals_per_router=2
dragonfly_links  routing.algorithm=min packet.flit_bits=64 topology.global_ports=2 topology.groups=2 topology.arrangement=palmtree
dragonfly_rows   routing.algorithm=par packet.flit_bits=64 topology.routers_per_group=4 topology.group_rows=2 topology.arrangement=circulant routing.route_cycles=3
dragonfly_queues routing.algorithm=ugal_ln packet.flit_bits=64 packet.max_flits=4 router.output_queue_flits=8 link.cycles_per_flit=5/2 router.pipeline_cycles=3 routing.queue_metric=in_flight_corrected routing.minimal_candidates=2 routing.nonminimal_candidates=3
dragonfly_le     routing.algorithm=ugal_le packet.flit_bits=64 packet.max_flits=2 routing.route_cycles=4
dragonfly_q      routing.algorithm=q_adaptive packet.max_flits=3 topology.terminals_per_router=2 topology.routers_per_group=3 topology.groups=4
dragonfly_q_par  routing.algorithm=q_par router.output_queue_flits=8 packet.max_flits=2 link.cycles_per_flit=5/2 routing.q_table_cycles=2
dragonfly_q_hops routing.algorithm=q_routing routing.q_feedback=admissible topology.arrangement=palmtree
torus_q       topology.dims=[3,2] routing.algorithm=q_routing routing.q_initial=optimistic packet.max_flits=4
apenet_dor    topology.dims=[4] packet.format=apenet packet.max_flits=258 router.output_queue_flits=258 topology.terminals_per_router=2
C
}
