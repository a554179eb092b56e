# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced from the root of the tree: the labels of slow tests, and what WHICH tests are to be built and run; WHICH is quick (those
# without a label), full or a label.
mapfile -t labels < <(grep -E '^[a-z]' tests/labels.txt)

is_label() { [[ " ${labels[*]} " == *" $1 "* ]]; }

test_targets() {  # WHICH: targets of the build, one per line
  echo all
  case $1 in
    quick) ;;
    full) printf 'tests_%s\n' "${labels[@]}" ;;
    *) echo "tests_$1" ;;
  esac
}

test_selection() {  # WHICH: arguments of ctest, one per line
  case $1 in
    quick) printf '%s\n' -LE "^($(IFS='|'; echo "${labels[*]}"))\$" ;;
    full) ;;
    *) printf '%s\n' -L "^$1\$" ;;
  esac
}
