#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The cache: what is damaged in it is made again and never loaded, and one that cannot be used ends in status 2. Verilator and g++ are
# stand-ins: the library that they make loads and is of no version, which is status 1.
. "$(dirname "$0")/lib.sh"
tools=$scratch/bin log=$scratch/log
mkdir bin && : > log
printf 'extern "C" const unsigned hopwise_router_model[64] = {0};' | g++ -shared -fPIC -xc++ - -o made.so
cat > bin/verilator <<'V'
#!/bin/bash
case $1 in --version) echo Verilator 0; exit ;; --getenv) echo nowhere; exit ;; esac
while [ "$1" != --Mdir ]; do shift; done
mkdir -p "$2" && touch "$2/model.cpp"
V
cat > bin/g++ <<V
#!/bin/bash
[ "\$1" != --version ] || { echo g++ 0; exit; }
echo "\$*" >> "$log"
while [ "\$1" != -o ]; do shift; done
cp "$scratch/made.so" "\$2"
V
chmod +x bin/*

# load STATUS OPTION...: simulates with the stand-ins.
load() { expect "$1" env PATH="$tools:$PATH" "$hopwise" simulate "$net" -o out --quiet --routing dor --pattern uniform --load 0.1 "${@:2}"; }
# made PATTERN N: g++ was called for it so many times.
made() { [ "$(grep -c -- "$1" log)" -eq "$2" ] || fail "$1 was made $(grep -c -- "$1" log) times, not $2" log; }
refused() { expect_said "cache.directory.*$1"; expect_nothing_at out/results.json; }

load 1 --cache c
expect_said 'model.load.*another version'
made '-shared' 1; made 'verilator\.o' 2  # compiled, linked
[ "$(stat -c %a c)" = 700 ] || fail "the cache is open to others"
model=$(echo c/*/model.so) runtime=$(echo c/*/verilator.o)
load 1 --cache c; made '-shared' 1

# Every kind of damage to a model: it is made again, and is then as before.
n=1 linked='-shared -o [^ ]*/c/'
remade() {  # what was done to it
  load 1 --cache c
  expect_said 'another version'
  n=$((n + 1)); made "$linked" $n
  cmp -s made.so "$model" || fail "$1: the model was not made again"
  load 1 --cache c; made "$linked" $n
}
truncate -s 100 "$model"; remade "truncated"
: > "$model"; remade "empty"
printf x | dd of="$model" bs=1 seek=4000 conv=notrunc status=none; remade "one byte"
echo 'no library' > "$model"; remade "foreign"
rm "${model%.so}.sum"; remade "without a sum"
echo 'x' > "${model%.so}.sum"; remade "another sum"
rm "$model"; mkdir "$model"; remade "a directory"
rm "$model"; mkfifo "$model"; remade "a pipe"
rm -r "${model%/*}"; echo file > "${model%/*}"; remade "a file for its directory"
load 1 --cache c --set packet.flit_bits=128; n=$((n + 1)); made "$linked" $n
other=$(ls -d c/*_model-* | grep -vF "${model%/*}")
rm -r "${model%/*}"; cp -r "$other" "${model%/*}"; remade "the whole entry of another model"
[ -z "$(ls -d c/*.[0-9]* 2> /dev/null)" ] || fail "the cache holds what is no entry"

# The object that models share is not linked when it is damaged.
made 'verilator\.o.*runtime\.cpp' 1
truncate -s 10 "$runtime"; rm "$model"; remade "a model whose shared object is damaged"
made 'verilator\.o.*runtime\.cpp' 2
cmp -s made.so "$runtime" || fail "the shared object was not made again"

# Caches that cannot be used.
echo mine > file
load 2 --cache file; refused 'a file'
load 2 --cache file/c; refused 'Not a directory'
load 2 --cache /proc/hopwise; refused 'No such file'
[ "$(cat file)" = mine ] || fail "a file was changed"
mkdir closed && chmod 500 closed
if [ ! -w closed ]; then  # root writes anywhere
  load 2 --cache closed; refused 'Permission denied'
  load 2 --cache closed/c; refused 'Permission denied'
fi
for command in verify 'bench --cycles 100'; do
  # shellcheck disable=SC2086
  expect 2 env PATH="$tools:$PATH" "$hopwise" $command "$net" --cache file
  expect_said 'cache.directory.*a file'
done
expect 2 "$hopwise" synth "$net" --routing dor --target generic -o out --cache file --quiet
refused 'a file'

# The default: XDG_CACHE_HOME and HOME where they are absolute, else among temporary files; private to the user.
at() { load "$1" "${@:3}"; [ "$(stat -c %a "$2")" = 700 ] || fail "$2 is open to others"; }
unset XDG_CACHE_HOME
export HOME=$scratch/home TMPDIR=$scratch/tmp
mkdir tmp
XDG_CACHE_HOME=$scratch/xdg at 1 xdg/hopwise
expect_nothing_at home
XDG_CACHE_HOME=relative at 1 home/.cache/hopwise
expect_nothing_at relative
HOME='' at 1 "tmp/hopwise-$(id -u)"
rm -r tmp/hopwise-*
(unset HOME; at 1 "tmp/hopwise-$(id -u)")
HOME=$scratch/file load 2; refused 'Not a directory'
HOME=/proc/nobody load 2; refused 'No such file'

# Where others can write, or that others own, no library is loaded from.
chmod 777 home/.cache/hopwise
load 2; refused 'others can write'
load 1 --cache home/.cache/hopwise  # who names it knows it
if [ "$(id -u)" -eq 0 ]; then
  chmod 700 home/.cache/hopwise && chown 4711 home/.cache/hopwise
  load 2; refused 'user 4711'
  load 2 --cache home/.cache/hopwise; refused 'user 4711'
  chown -R 4711 "${model%/*}"; remade "another user's model"
fi

# Extensions are kept in the same way.
updown=$source/examples/extensions/updown
with() { expect "$1" env PATH="$tools:$PATH" "$hopwise" "$2" --with "$updown" "$updown/fat_tree.yaml" "${@:3}"; }
: > log
with 2 verify --cache e; expect_said 'extension.load.*HOPWISE_EXTENSION'; made '-shared' 1
with 2 verify --cache e; made '-shared' 1
truncate -s 100 e/extension-*/extension.so
with 2 verify --cache e; expect_said 'extension.load.*HOPWISE_EXTENSION'; made '-shared' 2
with 2 verify --cache file; expect_said 'cache.directory.*a file'
with 2 verify --cache file/c; expect_said 'cache.directory.*Not a directory'
HOME=$scratch/file with 2 check; expect_said 'cache.directory'
