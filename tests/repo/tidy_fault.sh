#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tidy_fault.sh ROOT: scripts/tidy.sh passes a file without faults, and fails where a file or its header has one.
set -euo pipefail
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{gen,scripts,tests,build}
cp "$1/scripts/tidy.sh" "$tree/scripts/"; cp "$1/tests/stamps.sh" "$tree/tests/"; cp "$1/.clang-tidy" "$tree/"
printf 'struct Base { virtual void f(); };\n' > "$tree/gen/base.hpp"
printf '#include "base.hpp"\nstruct Good : Base { void f() override; };\n' > "$tree/gen/good.cpp"
printf '#include "base.hpp"\nstruct Bad : Base { void f(); };\n' > "$tree/gen/bad.cpp"
printf '#include "bad.hpp"\n' > "$tree/gen/of_header.cpp"
printf 'struct Number { Number(int value); };\n' > "$tree/gen/bad.hpp"
for file in good bad of_header; do
  printf '{"directory": "%s", "command": "c++ -std=c++20 -c gen/%s.cpp", "file": "gen/%s.cpp"}\n' "$tree" $file $file
done | paste -sd , | sed 's/.*/[&]/' > "$tree/build/compile_commands.json"
failures=0
said=$("$tree/scripts/tidy.sh" gen/good.cpp 2>&1) || { echo "FAIL a file without faults: $said"; failures=1; }
caught() {  # file, check
  if said=$("$tree/scripts/tidy.sh" "gen/$1.cpp" 2>&1) || ! grep -q "error:.*$2" <<< "$said"; then
    echo "FAIL $1.cpp: no $2: $said"
    failures=1
  fi
}
caught bad modernize-use-override
caught of_header google-explicit-constructor
[ $failures -eq 0 ] && echo '2 seeded faults caught'
exit $failures
