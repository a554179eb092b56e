# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by checks that take long: one that passed is not run again while all that it reads is the same.
#
#   passed_before NAME TEXT TOOLS FILE... && exit 0   TEXT: its line of a list; TOOLS: the programs it calls, in one word
#   ...
#   keep_stamp                                        when it has passed
#
# The stamp is the hash of the text, the files, the script itself, and place, size and date of the tools. It is in the directory
# HOPWISE_STAMPS, which ctest sets to one of the build tree; without that, or with HOPWISE_NO_STAMPS, every check runs.
stamp_script=$(readlink -f "$0")
stamp_library=$(readlink -f "${BASH_SOURCE[0]}")
stamp=""

stamp_inputs() {
  local tool
  printf '%s\n' "$stamp_text"
  for tool in $stamp_tools; do stat -L -c '%n %s %Y' "$(command -v "$tool")" || return 1; done
  sha256sum -- "${stamp_files[@]}"
}
stamp_hash() { (set -o pipefail; stamp_inputs 2> /dev/null | sha256sum); }

passed_before() {
  local name=$1
  stamp_text=$2 stamp_tools=$3 stamp=""
  shift 3
  stamp_files=("$stamp_script" "$stamp_library" "$@")
  [ -n "${HOPWISE_STAMPS:-}" ] && [ -z "${HOPWISE_NO_STAMPS:-}" ] || return 1
  stamp_found=$(stamp_hash) || return 1
  stamp=$HOPWISE_STAMPS/$name
  if [ "$(cat "$stamp" 2> /dev/null)" = "$stamp_found" ]; then
    printf '%s passed before with the same inputs\n' "$name"
    return 0
  fi
  rm -f "$stamp"
  return 1
}

# Nothing is kept of a check whose inputs have changed meanwhile.
keep_stamp() {
  local fresh
  [ -n "$stamp" ] && [ "$(stamp_hash)" = "$stamp_found" ] || return 0
  mkdir -p "$HOPWISE_STAMPS"
  fresh=$(mktemp "$stamp.XXXXXX")
  printf '%s\n' "$stamp_found" > "$fresh"
  mv -f "$fresh" "$stamp"
}
