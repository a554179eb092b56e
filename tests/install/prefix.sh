#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# prefix.sh SOURCE BUILD CMAKE CPACK: Hopwise is installed into a clean prefix and as a Debian package. Both are moved away and
# run in an empty directory, with an environment of their own: nothing that they are or write names the tree.
set -euo pipefail
source=$1 build=$2 cmake=$3 cpack=$4
stage=$build/tests/install/stage
away=$(mktemp -d)
trap 'rm -rf "$away" "$stage"' EXIT
rm -rf "$stage"
mkdir -p "$stage" "$away/empty" "$away/home"
cd "$away/empty"
fail() {
  printf 'FAIL %s\n' "$1"
  [ $# -lt 2 ] || cat "$2"
  exit 1
}
# Runs a command that knows of nothing but the system's programs.
alone() { env -i PATH=/usr/bin:/bin HOME="$away/home" LC_ALL=C.UTF-8 "$@"; }
expect() { alone "$@" > "$away/said" 2>&1 || fail "status $?: $*" "$away/said"; }

# Prints the files that hold a path of the tree.
tree_paths() { grep -rlaFe "$source" -e "$build" -- "$@" || true; }
has_no_tree_path() {
  local found
  found=$(tree_paths "$@")
  [ -z "$found" ] || fail "a path of the tree in: $found"
}

# 1. A prefix, moved to another place.
"$cmake" --install "$build" --prefix "$stage/prefix" > "$away/said" 2>&1 || fail "cmake --install" "$away/said"
mv "$stage/prefix" "$away/prefix"
prefix=$away/prefix
for file in bin/hopwise share/hopwise/examples/torus_8x8.yaml share/hopwise/schema/hopwise.schema.json share/doc/hopwise/README.md \
            share/doc/hopwise/copyright share/doc/hopwise/docs/guide.md share/doc/hopwise/examples/torus_8x8.yaml \
            include/hopwise/routing/relation.hpp include/hopwise/model/verilated_bank.hpp; do
  [ -s "$prefix/$file" ] || fail "not installed: $file"
done
has_no_tree_path "$prefix"

# Seeded faults: a command, and a page, that name the tree.
mkdir "$away/fault"
{ cat "$prefix/bin/hopwise"; printf '%s/rtl' "$source"; } > "$away/fault/hopwise"
printf 'see %s/report_template.html\n' "$build" > "$away/fault/page.html"
[ "$(tree_paths "$away/fault" | wc -l)" -eq 2 ] || fail "a path of the tree is not seen"
cp "$prefix/bin/hopwise" "$away/fault/hopwise" && rm "$away/fault/page.html"
[ -z "$(tree_paths "$away/fault")" ] || fail "a path of the tree is seen where there is none"

# 2. The example of the README: proved, emitted, compiled and simulated, on fewer dimensions and with one routing.
hopwise=$prefix/bin/hopwise
awk '/^<!-- file: ring.yaml -->$/ { marked = 1; next }
     marked && /^```yaml$/ { open = 1; next }
     open && /^```$/ { exit }
     open' "$prefix/share/doc/hopwise/README.md" > ring.yaml
[ -s ring.yaml ] || fail "the README has no ring.yaml"
expect "$hopwise" check ring.yaml
expect "$hopwise" run ring.yaml -o out --set topology.dims=[4] --routing dor --load 0.2 --cycles 300 --quiet \
  --set simulation.warmup_cycles=100 --set experiment.find_saturation=false
grep -q 'id="hopwise-results"' out/report.html || fail "the report holds no results"
for file in results.json points.csv bundles/dor/manifest.json; do [ -s "out/$file" ] || fail "no $file"; done
expect "$hopwise" check out/bundles/dor

# The flows of synthesis, on the smallest router.
printf 'topology: {kind: mesh, dims: [3]}\npacket: {flit_bits: 32}\nrouter: {vcs: 1, vc_depth_flits: 8}\n' > small.yaml
expect "$hopwise" synth small.yaml --target generic -o cost --quiet
has_no_tree_path out cost "$away/home"

# The examples: beside the command, and nowhere if it stands alone.
expect "$hopwise" --help
grep -qF "$prefix/share/hopwise/examples/torus_8x8.yaml" "$away/said" || fail "the examples are not found" "$away/said"
expect "$hopwise" check "$prefix/share/hopwise/examples/torus_8x8.yaml"
mkdir "$away/lonely" && cp "$hopwise" "$away/lonely/"
! alone "$away/lonely/hopwise" bench > "$away/said" 2>&1 || fail "bench without examples" "$away/said"
grep -q 'app.no-examples' "$away/said" || fail "bench does not say that there are no examples" "$away/said"

# An extension, compiled against the installed headers.
updown=$prefix/share/hopwise/examples/extensions/updown
expect "$hopwise" check --with "$updown" "$updown/fat_tree.yaml"
expect "$hopwise" run --with "$updown" "$updown/fat_tree.yaml" -o tree --set topology.leaves=3 --set topology.spines=2 --load 0.2 \
  --cycles 300 --pattern uniform --quiet --set simulation.warmup_cycles=100 --set experiment.find_saturation=false
grep -q 'id="hopwise-results"' tree/report.html || fail "the report of the extension holds no results"

# The installed headers are complete.
(cd "$prefix/include/hopwise" && find . -name '*.hpp' ! -path './model/*' ! -name extension.hpp | sort | sed 's|^\./\(.*\)|#include "\1"|') > all.cpp
echo '#include "model/router_bank.hpp"' >> all.cpp
expect g++ -std=c++20 -fsyntax-only -I "$prefix/include/hopwise" all.cpp

# 3. The Debian package, unpacked.
(cd "$stage" && "$cpack" -G DEB --config "$build/CPackConfig.cmake" -B "$stage/package") > "$away/said" 2>&1 ||
  fail "cpack -G DEB" "$away/said"
deb=$(ls "$stage"/package/hopwise_*.deb) || fail "no package" "$away/said"
depends=$(dpkg-deb -f "$deb" Depends)
for package in verilator g++ zlib1g-dev libyaml-cpp libfmt libonnx libc6; do
  [[ $depends == *"$package"* ]] || fail "the package does not depend on $package: $depends"
done
[[ $(dpkg-deb -f "$deb" Recommends) == *yosys*opensta* ]] || fail "the package does not recommend yosys and opensta"
dpkg-deb -x "$deb" "$away/deb"
has_no_tree_path "$away/deb"
expect "$away/deb/usr/bin/hopwise" check "$away/deb/usr/share/hopwise/examples/exanest_4x4.yaml"
expect "$away/deb/usr/bin/hopwise" generate ring.yaml -o bundle --routing star_channel
echo "prefix and package work away from the tree"
