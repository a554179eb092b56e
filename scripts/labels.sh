# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced from the root of the tree: the labels of slow tests, and what WHICH tests are to be built and run; WHICH is quick (those
# without a label), full or a label, of which PART K/N is every N-th test from the K-th on.
mapfile -t labels < <(grep -oE '^[a-z]+' tests/labels.txt)
mapfile -t turns < <(awk '/^[a-z]/ { n = $2 ? $2 : 1; for (k = 1; k <= n; ++k) print $1, k "/" n }' tests/labels.txt)  # LABEL PART

is_label() { [[ " ${labels[*]} " == *" $1 "* ]]; }

test_targets() {  # WHICH: targets of the build, one per line
  echo all
  case $1 in
    quick) ;;
    full) printf 'tests_%s\n' "${labels[@]}" ;;
    *) echo "tests_$1" ;;
  esac
}

is_part() { [[ $1 =~ ^([1-9][0-9]?)/([1-9][0-9]?)$ ]] && ((BASH_REMATCH[1] <= BASH_REMATCH[2])); }

test_selection() {  # WHICH [PART]: arguments of ctest, one per line
  set -- "$1" "${2:-1/1}"
  case $1 in
    quick) printf '%s\n' -LE "^($(IFS='|'; echo "${labels[*]}"))\$" ;;
    full) ;;
    *) printf '%s\n' -L "^$1\$" -I "${2%/*},,${2#*/}" ;;
  esac
}
