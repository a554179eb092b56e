# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT: the files under RTL_DIR as C++ raw strings.
file(GLOB_RECURSE files RELATIVE ${RTL_DIR} ${RTL_DIR}/*.sv ${RTL_DIR}/*.svh)
list(SORT files)
set(text "// Generated from rtl/ by cmake/embed_rtl.cmake.\n#include \"emit/bundle.hpp\"\n\nnamespace hopwise::emit {\n\nconst std::map<std::string, std::string>& rtl_library() {\n  static const std::map<std::string, std::string> files = {\n")
foreach(name ${files})
  file(READ ${RTL_DIR}/${name} content)
  string(APPEND text "{\"${name}\", R\"HOPWISE(${content})HOPWISE\"},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n\n}  // namespace hopwise::emit\n")
file(WRITE ${OUTPUT} "${text}")
