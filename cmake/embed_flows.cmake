# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT: the flows under FLOW_DIR as C++ raw strings.
file(GLOB files RELATIVE ${FLOW_DIR} ${FLOW_DIR}/*.ys ${FLOW_DIR}/*.tcl ${FLOW_DIR}/*.constr)
list(SORT files)
set(text "// Generated from synth/ by cmake/embed_flows.cmake.\n#include \"synth/target.hpp\"\n\nnamespace hopwise::synth {\n\nconst std::map<std::string, std::string>& flows() {\n  static const std::map<std::string, std::string> files = {\n")
foreach(name ${files})
  file(READ ${FLOW_DIR}/${name} content)
  string(APPEND text "{\"${name}\", R\"HOPWISE(${content})HOPWISE\"},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n\n}  // namespace hopwise::synth\n")
file(WRITE ${OUTPUT} "${text}")
