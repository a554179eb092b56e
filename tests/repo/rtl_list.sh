# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by what goes through lists of modules like lint_rtl.list.

# lists LIST: the list, and those of the folder of its name: lint_rtl.list, lint_rtl/*.list.
lists() { printf '%s\n' "$1"; find "${1%.list}" -name '*.list' 2> /dev/null | sort; }

# configurations LIST ENTRY...: one line for each line of these lists, or for these entries alone: "MODULE.N|kind|files|parameters",
# N counting the lines of a module from 1; kind is first, more (a `+` line) or rejected (a `!` line). Status 1 if there is none.
configurations() {
  local files
  mapfile -t files < <(lists "$1")
  shift
  awk -v wanted=" $* " '
    /^$|^#/ { next }
    /^[+!]/ { kind = /^!/ ? "rejected" : "more"; parameters = substr($0, 3) }
    /^[^+!]/ { split($0, part, / *\| */); top = part[1]; files = part[2]; parameters = part[3]; n = 0; kind = "first" }
    { name = top "." ++n }
    wanted ~ /^ *$/ || index(wanted, " " name " ") { print name "|" kind "|" files "|" parameters; found++ }
    END { exit !found }' "${files[@]}"
}
