#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_labels.sh ROOT HOPWISE BUILD: the labels of ctest in the build tree are those of tests/labels.txt, no more and no fewer, and
# so are the rows of the table in docs/testing.md.
. "$(dirname "$0")/lib.sh"
labels=$(grep -oE '^[a-z]+' tests/labels.txt | sort || true)
looked=$(grep -c . <<< "$labels" || true)
compare() {  # where, labels that are there
  while read -r side label; do
    if [ "$side" = '<' ]; then breach "$1 lacks the label $label"; else breach "$1 has a label that tests/labels.txt lacks: $label"; fi
  done < <(diff <(echo "$labels") <(echo "$2") | grep '^[<>] [a-z]' || true)
}
compare docs/testing.md "$(sed -nE 's/^\| `([a-z][a-z0-9-]*)` \|.*/\1/p' docs/testing.md | sort)"
compare 'ctest' "$(ctest --test-dir "$3" --print-labels | sed -nE 's/^  ([^ ]+)$/\1/p' | sort)"
[ -z "$(uniq -d <<< "$labels")" ] || breach "tests/labels.txt has a label twice"
done_with "labels"
