# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# For the property ENVIRONMENT of checks that use tests/stamps.sh.
set(HOPWISE_STAMPS "HOPWISE_STAMPS=${PROJECT_BINARY_DIR}/tests/stamps")

# The labels of slow tests (tests/labels.txt). What has none is in every run of ./test. Target tests_LABEL builds what the tests
# of a label need and the default target leaves out.
set(labels_file ${PROJECT_SOURCE_DIR}/tests/labels.txt)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${labels_file})
file(STRINGS ${labels_file} HOPWISE_LABELS REGEX "^[a-z]")
list(TRANSFORM HOPWISE_LABELS REPLACE " .*" "")
foreach(label ${HOPWISE_LABELS})
  add_custom_target(tests_${label})
endforeach()

# hopwise_label(LABEL TEST...): these tests of the folder are slow ones of the label.
function(hopwise_label label)
  if(NOT label IN_LIST HOPWISE_LABELS)
    message(FATAL_ERROR "tests/labels.txt has no label ${label}")
  endif()
  if(ARGN)
    set_tests_properties(${ARGN} PROPERTIES LABELS ${label})
  endif()
endfunction()

# hopwise_label_program(LABEL TARGET): all tests of a GoogleTest program are; only the label's target builds it.
function(hopwise_label_program label target)
  hopwise_label(${label})
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(tests_${label} ${target})
  # A program that is not built stands for its tests, under the same label.
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${target}_label.cmake)
  file(CONFIGURE OUTPUT ${include} @ONLY CONTENT
       "if(NOT EXISTS [==[@CMAKE_CURRENT_BINARY_DIR@/@target@[1]_tests.cmake]==])\n  set_tests_properties(@target@_NOT_BUILT PROPERTIES LABELS @label@)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()
