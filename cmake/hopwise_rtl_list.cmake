# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# hopwise_rtl_list(VARIABLE LIST [KIND...]): the names of the lines of a list like tests/repo/lint_rtl.list, MODULE.N as
# tests/repo/rtl_list.sh counts them, the lists in the folder of its name included; those of the kinds first, more and rejected
# that are given.
function(hopwise_rtl_list variable list)
  string(REGEX REPLACE "[.]list$" "" folder ${list})
  file(GLOB further CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.list)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${list} ${further}
               ${PROJECT_SOURCE_DIR}/tests/repo/rtl_list.sh)
  execute_process(COMMAND bash -c ". tests/repo/rtl_list.sh && configurations ${list}" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE lines RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${list} has no modules")
  endif()
  string(JOIN "|" kinds ${ARGN})
  string(REGEX MATCHALL "[a-z0-9_]+[.][0-9]+[|](${kinds})[|]" names "${lines}")
  list(TRANSFORM names REPLACE "[|].*" "")
  set(${variable} ${names} PARENT_SCOPE)
endfunction()
