#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_reference.sh ROOT: what a user meets is in docs/reference: every RTL module, every family of routings (with a page of its own),
# every diagnostic code, every command and its long options; and every page is in docs/index.md.
. "$(dirname "$0")/lib.sh"
text=$(cat docs/reference/*.md)
mentioned() { looked=$((looked + 1)); grep -qF -- "$1" <<< "$text" || breach "docs/reference does not mention $1"; }

for module in $(find rtl -name '*.sv' -exec basename {} .sv \; | sort); do mentioned "\`$module\`"; done
for family in $(find gen/routing -mindepth 1 -maxdepth 1 -type d -exec basename {} \; 2> /dev/null | sort); do
  looked=$((looked + 1))
  [ -e "docs/reference/routing-$family.md" ] || breach "no page docs/reference/routing-$family.md"
done
# "model.so", "report.html" and the like are files, not codes.
for code in $(grep -rhoE --include='*.cpp' --include='*.hpp' \
                   '"(config|app|cache|model|traffic|report|certificate)\.[a-z]+(-[a-z]+)*"' gen sim app synth/src 2> /dev/null | tr -d '"' | sort -u |
              grep -vE '\.(so|html|json|csv|yaml|cpp)$'); do
  mentioned "\`$code\`"
done
if [ -e app/main.cpp ]; then
  for command in $(grep -hozE 'add_subcommand\([[:space:]]*"[a-z]+"' app/*.cpp | tr '\0' '\n' | grep -oE '"[a-z]+"' | tr -d '"'); do
    looked=$((looked + 1))
    grep -qE -- "\`hopwise (agent |campaign )?$command" <<< "$text" || breach "docs/reference does not mention \`hopwise $command"
  done
  for option in $(grep -hoE -- '"(-[a-z],)?--[a-z-]+"' app/*.cpp | grep -oE -- '--[a-z-]+'); do mentioned "\`$option"; done
fi
while read -r page; do
  looked=$((looked + 1))
  grep -qF "(${page#docs/})" docs/index.md || breach "docs/index.md does not list $page"
done < <(find docs -name '*.md' ! -path docs/index.md | sort)

# A link to a file of the tree leads to one.
while IFS=: read -r page link; do
  looked=$((looked + 1))
  [ -e "$(dirname "$page")/${link%%#*}" ] || breach "$page: the link to $link leads nowhere"
done < <(grep -oHE '\]\([^)#:[:space:]][^):[:space:]]*\)' README.md CONTRIBUTING.md CHANGELOG.md docs/*.md docs/*/*.md 2>/dev/null |
         sed -E 's/\]\((.*)\)$/\1/' || true)
done_with "names, pages and links"
