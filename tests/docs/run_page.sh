#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run_page.sh PAGE HOPWISE SOURCE_DIR CACHE_DIR: the commands of a page, as a reader would run them one after the other, in a
# directory of their own. A fenced block is marked by the line above it: `<!-- file: NAME -->` saves it,
# `<!-- run -->` runs its lines, `<!-- run: N -->` expects status N. Simulations measure 300 cycles, unless the page says
# how many, and search no saturation.
set -euo pipefail
page=$1 hopwise=$2 source=$3 cache=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cp -r "$source/examples" examples
mkdir build
cat > build/hopwise <<END
#!/bin/bash
case \$1 in
  simulate|run|compare)
    [[ " \$* " == *" --cycles "* ]] || set -- "\$@" --cycles 300
    set -- "\$@" --set simulation.warmup_cycles=200 --set experiment.find_saturation=false --cache "$cache" --quiet ;;
  campaign) [ "\$2" != run ] || set -- "\$@" --cache "$cache" --quiet ;;
  synth|verify) set -- "\$@" --cache "$cache" --quiet ;;
esac
exec "$hopwise" "\$@"
END
chmod +x build/hopwise

# Every marked block becomes a file: blocks/NN.run.STATUS or blocks/NN.file.NAME.
mkdir blocks
awk '
  /^<!-- (run(: [0-9]+)?|file: [A-Za-z0-9_.\/]+) -->$/ {
    what = $2; sub(/:$/, "", what); rest = NF > 3 ? $3 : 0; marked = NR; next
  }
  /^```/ && open { open = 0; close(name); next }
  /^```(sh|yaml|cpp|systemverilog)$/ && marked == NR - 1 && marked { open = 1; gsub("/", "%", rest); name = sprintf("blocks/%03d.%s.%s", ++n, what, rest); printf "" > name; next }
  open { print > name }
' "$page"

ran=0
for block in blocks/*; do
  [ -e "$block" ] || continue
  name=${block#*.}
  case $name in
    file.*) to=${name#file.} to=${to//%//}; mkdir -p "$(dirname "$to")"; cp "$block" "$to" ;;
    run.*)
      ran=$((ran + 1)) status=0
      bash -euo pipefail "$block" > said 2>&1 || status=$?
      if [ "$status" -ne "${name#run.}" ]; then
        printf 'FAIL status %s instead of %s:\n' "$status" "${name#run.}"
        cat "$block" said
        exit 1
      fi ;;
  esac
done
[ "$ran" -gt 0 ] || { echo "FAIL no block of $page is marked to be run"; exit 1; }
echo "$ran blocks of $(basename "$page") run"
