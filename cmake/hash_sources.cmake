# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT: a hash of the files of LIST, one path a line, and of their places under DIR, as a C++ string.
file(STRINGS ${LIST} files)
set(all "")
foreach(name ${files})
  file(SHA256 ${DIR}/${name} hash)
  string(APPEND all "${name} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUTPUT} "\"${hash}\"\n")
