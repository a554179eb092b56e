# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# hopwise_embed(VARIABLE FUNCTION name NAMESPACE namespace HEADER header DIR folder PATTERNS pattern... [RECURSE] [DEPENDS
# file...]): VARIABLE becomes a source file with the function NAMESPACE::name() that HEADER declares: a map from the names of
# the files of DIR that match to their texts. So the command needs none of them at run time. DEPENDS are those that exist when
# CMake runs, unless given.
function(hopwise_embed variable)
  cmake_parse_arguments(ARG "RECURSE" "FUNCTION;NAMESPACE;HEADER;DIR" "PATTERNS;DEPENDS" ${ARGN})
  set(glob GLOB)
  if(ARG_RECURSE)
    set(glob GLOB_RECURSE)
  endif()
  if(NOT ARG_DEPENDS)
    list(TRANSFORM ARG_PATTERNS PREPEND ${ARG_DIR}/ OUTPUT_VARIABLE globs)
    file(${glob} ARG_DEPENDS CONFIGURE_DEPENDS ${globs})
  endif()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${ARG_FUNCTION}.cpp)
  list(JOIN ARG_PATTERNS "," patterns)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DDIR=${ARG_DIR} -DGLOB=${glob} -DPATTERNS=${patterns} -DHEADER=${ARG_HEADER}
            -DNAMESPACE=${ARG_NAMESPACE} -DFUNCTION=${ARG_FUNCTION} -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${ARG_DEPENDS} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding ${ARG_FUNCTION}" VERBATIM)
  set(${variable} ${output} PARENT_SCOPE)
endfunction()
