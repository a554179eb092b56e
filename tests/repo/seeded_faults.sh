#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# seeded_faults.sh RULES_DIR HOPWISE: each rule passes a small tree that keeps it, and fails on each breach planted there.
set -euo pipefail
rules=$1 hopwise=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
spdx='// SPDX-License-Identifier: Apache-2.0'

fresh() {  # a tree that keeps all rules
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/{gen/{config,routing/dor,topology},app,sim/{measure,engine},rtl/{common,router,routing/dor},docs/reference,scripts,examples,tests,build}
  cp "$rules/../../.clang-format" "$tree/"
  printf '%s\n#include "support/ids.hpp"\nauto a = "config.bad-name";\n' "$spdx" > "$tree/gen/config/read.cpp"
  printf '# SPDX-License-Identifier: Apache-2.0\nhopwise_library(config SOURCES read.cpp\n  DEPENDS support)\n' > "$tree/gen/config/CMakeLists.txt"
  printf '%s\n#include "spec/spec.hpp"\n#include "topology/topology.hpp"\n' "$spdx" > "$tree/gen/routing/dor/dor.cpp"
  printf 'bool on_torus = true;\n' >> "$tree/gen/routing/dor/dor.cpp"
  printf '%s\nKinds kinds{&kTorus, &kFatTree};\n' "$spdx" > "$tree/gen/topology/kinds.cpp"
  printf '%s\nadd_subcommand("check", "");\nadd_option("-o,--output", x);\nauto b = "torus_4";  // a torus\n' "$spdx" > "$tree/app/main.cpp"
  printf '%s\nmodule hw_fifo; endmodule\n' "$spdx" > "$tree/rtl/common/hw_fifo.sv"
  printf '%s\nmodule hw_router; hw_fifo u_fifo(); endmodule\n' "$spdx" > "$tree/rtl/router/hw_router.sv"
  printf '%s\nmodule hw_route_compute_dor; endmodule\n' "$spdx" > "$tree/rtl/routing/dor/hw_route_compute_dor.sv"
  # shellcheck disable=SC2016
  printf '`hw_fifo` `hw_router` `hw_route_compute_dor` `config.bad-name` `hopwise check` `--output`\n' > "$tree/docs/reference/a.md"
  printf '[a](a.md)\n' > "$tree/docs/reference/routing-dor.md"
  # shellcheck disable=SC2016
  printf '| `g++` | compiles |\n' > "$tree/docs/dependencies.md"
  printf '[a](reference/a.md) [dor](reference/routing-dor.md) [packages](dependencies.md) [house](architecture.md) [tests](testing.md)\n' > "$tree/docs/index.md"
  printf 'add_test(a true)\nset_tests_properties(a PROPERTIES LABELS slow)\n' > "$tree/build/CTestTestfile.cmake"
  printf '# labels\nslow\n' > "$tree/tests/labels.txt"
  # shellcheck disable=SC2016
  printf '| label | |\n| `slow` | a |\n' > "$tree/docs/testing.md"
  printf '```\ngen/  a\n  config/\n  routing/\n  topology/\nrtl/\n  common/\n  router/\n  routing/\n```\n' > "$tree/docs/architecture.md"
  printf "# SPDX-License-Identifier: Apache-2.0\nPACKAGES='\ng++ | g++ | compiles\n'\n" > "$tree/scripts/setup.sh"
  printf '# SPDX-License-Identifier: Apache-2.0\n# A ring.\ntopology: {kind: torus, dims: [4]}\n' |
    tee "$tree/examples/torus_4.yaml" > "$tree/examples/ring.yaml"
}

failures=0 faults=0
rule() { "$rules/check_$1.sh" "$tree" "$hopwise" "$tree/build"; }
# caught RULE PATTERN: the fault that now is in the tree is reported by a line with the pattern.
caught() {
  local said
  faults=$((faults + 1))
  if said=$(rule "$1" 2>&1) || ! grep -q "^FAIL.*$2" <<< "$said"; then
    printf 'FAIL %s does not report: %s\n%s\n' "$1" "$2" "$said"
    failures=1
  fi
  fresh
}

fresh
for each in arrows format files rtl constants names reference dependencies examples house labels; do
  rule $each > /dev/null || { echo "FAIL $each rejects a tree that keeps the rules:"; rule $each || true; failures=1; }
done

printf '#include "deadlock/prove.hpp"\n' >> "$tree/gen/config/read.cpp"; caught arrows 'config may not use deadlock/prove.hpp'
printf '#include "config/load.hpp"\n' >> "$tree/gen/routing/dor/dor.cpp"; caught arrows 'routing may not use config/load.hpp'
printf '#include "app/files.hpp"\n' >> "$tree/gen/routing/dor/dor.cpp"; caught arrows 'routing may not use app/files.hpp'
printf '#include "synth/src/target.hpp"\n' >> "$tree/gen/routing/dor/dor.cpp"; caught arrows 'routing may not use src/target.hpp'
printf '#include "engine/network.hpp"\n' > "$tree/sim/measure/x.cpp"; caught arrows 'measure may not use engine'
mkdir "$tree/gen/helpers"; printf '#include "config/load.hpp"\n' > "$tree/gen/helpers/x.cpp"; caught arrows 'no folder gen/helpers'
sed -i 's/DEPENDS support/DEPENDS support emit/' "$tree/gen/config/CMakeLists.txt"; caught arrows 'config may not link emit'
printf 'hw_router u();\n' >> "$tree/rtl/common/hw_fifo.sv"; caught arrows 'common may not use router'
rm -rf "$tree"/{gen,sim,rtl,app}; caught arrows 'nothing to look at'

printf 'int  x;\n' >> "$tree/gen/config/read.cpp"; caught format 'read.cpp: not as'
find "$tree" -name '*.cpp' -delete; caught format 'nothing to look at'

sed -i 1d "$tree/gen/config/read.cpp"; caught files 'read.cpp: no SPDX line'
sed -i 1d "$tree/gen/config/CMakeLists.txt"; caught files 'CMakeLists.txt: no SPDX line'
printf '// %d\n' $(seq 450) >> "$tree/gen/config/read.cpp"; caught files 'read.cpp: 45[0-9] lines, 450 allowed'
printf '// %d\n' $(seq 300) >> "$tree/rtl/common/hw_fifo.sv"; caught files 'hw_fifo.sv: 302 lines, 300 allowed'
printf '/* verilator %s WIDTH */\n' 'lint''_off' >> "$tree/rtl/common/hw_fifo.sv"; caught files 'hw_fifo.sv:3'
printf 'later: %s\n' 'TO''DO' >> "$tree/docs/index.md"; caught files 'index.md:2'
printf 'see /%s/somebody/x\n' home >> "$tree/docs/index.md"; caught files 'index.md:2.*one machine'
find "$tree" -type f -delete; caught files 'nothing to look at'

printf '  if (a[b[1]]) x[(c) + 1] <= y;\n' >> "$tree/rtl/common/hw_fifo.sv"; caught rtl 'hw_fifo.sv:3: register x does'
printf '    {a_q, b} <= y;\n' >> "$tree/rtl/common/hw_fifo.sv"; caught rtl 'hw_fifo.sv:3: register b does'
printf '  X0: a.b_q <= y;\n' >> "$tree/rtl/common/hw_fifo.sv"; caught rtl 'hw_fifo.sv:3: register a does'
printf '  if (a) b_q <= c; else d <= e <= f;\n' >> "$tree/rtl/common/hw_fifo.sv"; caught rtl 'hw_fifo.sv:3: register d does'
printf '  input logic clk_i,\n' >> "$tree/rtl/router/hw_router.sv"; caught rtl 'hw_router.sv:3: a port that'
printf 'function f(input logic a,\n  input logic b);\n  output reg c_o,\n' >> "$tree/rtl/router/hw_router.sv"; caught rtl 'hw_router.sv:5: a port that'
printf "  assign x = ~N'(0);\n" >> "$tree/rtl/router/hw_router.sv"; caught rtl 'hw_router.sv:3: ~ before a cast'
printf "  .data_i(x ? '0 : y),\n" >> "$tree/rtl/router/hw_router.sv"; caught rtl "hw_router.sv:3: '0 or '1 in a choice"
printf '// Guarantees: nothing is lost.\n' >> "$tree/rtl/router/hw_router.sv"; caught rtl 'hw_router.sv: it guarantees something'
find "$tree/rtl" -type f -delete; caught rtl 'nothing to look at'

printf "localparam logic [3:0] X = '1;\n" >> "$tree/rtl/common/hw_fifo.sv"; caught constants 'hw_fifo.sv:3'
printf "module x #(\n  parameter bit [7:0] X =\n      Y ? '1 : '0,\n" >> "$tree/rtl/common/hw_fifo.sv"; caught constants 'hw_fifo.sv:5'
printf "hw_x #(.Width(3), .Set('1)) u();\n" >> "$tree/rtl/router/hw_router.sv"; caught constants 'hw_router.sv:3'
find "$tree/rtl" -type f -delete; caught constants 'nothing to look at'

printf 'if (routing.algorithm == "dor") return;\n' >> "$tree/gen/config/read.cpp"; caught names 'read.cpp.*"dor"'
mkdir "$tree/gen/routing/star_channel"; printf '%s\nconstexpr Variant kV{"star_channel", ""};\n' "$spdx" > "$tree/gen/routing/star_channel/x.cpp"
printf 'bool uses_star_channel = false;\n' >> "$tree/sim/engine.cpp"; caught names 'engine.cpp.*uses_star_channel'
rm -rf "$tree/gen/routing"; caught names 'nothing to look at'
printf 'if (topology.kind == "torus") return;\n' >> "$tree/gen/config/read.cpp"; caught names 'read.cpp.*"torus"'
printf 'bool is_fat_tree = false; auto x = torus_8x8();\n' >> "$tree/app/main.cpp"; caught names 'main.cpp.*is_fat_tree'
printf '%s\nFatTree tree;  // of the kind\n' "$spdx" > "$tree/gen/routing/common.cpp"; caught names 'common.cpp.*FatTree'
printf 'const torus = 1;\n' > "$tree/sim/draw.mjs"; caught names 'draw.mjs.*torus'
rm "$tree/gen/topology/kinds.cpp"; caught names 'nothing to look at'

printf '%s\nmodule hw_new; endmodule\n' "$spdx" > "$tree/rtl/common/hw_new.sv"; caught reference 'mention `hw_new`'
rm "$tree/docs/reference/routing-dor.md"; caught reference 'no page docs/reference/routing-dor.md'
printf 'auto b = "config.new-code";\n' >> "$tree/gen/config/read.cpp"; caught reference 'mention `config.new-code`'
printf 'add_subcommand("draw", "");\n' >> "$tree/app/main.cpp"; caught reference 'mention `hopwise draw'
printf 'add_subcommand(\n    "sketch", "");\n' >> "$tree/app/main.cpp"; caught reference 'mention `hopwise sketch'
printf 'add_flag("--fast", x);\n' >> "$tree/app/main.cpp"; caught reference 'mention `--fast'
printf 'new\n' > "$tree/docs/new.md"; caught reference 'does not list docs/new.md'
printf '[b](../b.md)\n' >> "$tree/docs/reference/a.md"; caught reference 'link to ../b.md leads nowhere'

printf 'zsh | zsh | a shell\n' > "$tree/more"; sed -i "/^g++/r $tree/more" "$tree/scripts/setup.sh"; caught dependencies '> zsh a shell'
# shellcheck disable=SC2016
printf '| `zsh` | a shell |\n' >> "$tree/docs/dependencies.md"; caught dependencies '< zsh a shell'
sed -i 's/| compiles/| compiles well/' "$tree/scripts/setup.sh"; caught dependencies 'g++ compiles well'

sed -i 's/torus/tours/' "$tree/examples/ring.yaml"; caught examples 'ring.yaml does not pass'
sed -i 2d "$tree/examples/ring.yaml"; caught examples 'ring.yaml: no comment'
rm "$tree"/examples/*.yaml; caught examples 'nothing to look at'

sed -i '/config/d' "$tree/docs/architecture.md"; caught house 'does not list gen/config/'
mkdir "$tree/sim/draw"; printf '\n' > "$tree/sim/draw/x.cpp"; caught house 'does not list sim/draw/'
sed -i 's/common/shared/' "$tree/docs/architecture.md"; caught house 'lists rtl/shared/, which is not there'
rm "$tree/docs/architecture.md"; caught house 'nothing to look at'

sed -i 's/slow/fast/' "$tree/build/CTestTestfile.cmake"; caught labels 'ctest has a label that tests/labels.txt lacks: fast'
printf 'slower\n' >> "$tree/tests/labels.txt"; caught labels 'ctest lacks the label slower'
printf 'slower\n' >> "$tree/tests/labels.txt"; caught labels 'docs/testing.md lacks the label slower'
sed -i 's/slow/fast/' "$tree/docs/testing.md"; caught labels 'docs/testing.md has a label that tests/labels.txt lacks: fast'
printf 'slow\n' >> "$tree/tests/labels.txt"; caught labels 'a label twice'
sed -i 's/slow/# slow/' "$tree/tests/labels.txt"; caught labels 'nothing to look at'

[ $failures -eq 0 ] && echo "$faults seeded faults caught"
exit $failures
