# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
find_package(verilator REQUIRED HINTS /usr/share/verilator $ENV{VERILATOR_ROOT})

# hopwise_verilate(TARGET TOP module SOURCES file... PARAMS Name=value...): a static library with the C++ model of one
# parameterised module. Class V<TARGET> in header "V<TARGET>.h". Files are relative to the source tree; rtl/common is
# on the include path. Lint warnings are errors, assertions are on (DEFINES HW_ASSERT_OFF turns them off).
function(hopwise_verilate target)
  cmake_parse_arguments(ARG "" "TOP" "SOURCES;PARAMS;DEFINES" ${ARGN})
  list(TRANSFORM ARG_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/)
  list(TRANSFORM ARG_PARAMS PREPEND -G)
  list(TRANSFORM ARG_DEFINES PREPEND +define+)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp.in "// The model's own files are added by verilate().\n")
  configure_file(${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp COPYONLY)
  add_library(${target} STATIC ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  verilate(${target}
    SOURCES ${ARG_SOURCES}
    TOP_MODULE ${ARG_TOP}
    PREFIX V${target}
    DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.dir
    VERILATOR_ARGS -Wall -I${PROJECT_SOURCE_DIR}/rtl/common ${ARG_PARAMS} ${ARG_DEFINES})
  # Generated code and runtime do not build under the project's warnings; VM_* must reach whoever includes the header.
  target_compile_options(${target} PRIVATE -w)
  get_target_property(definitions ${target} COMPILE_DEFINITIONS)
  list(FILTER definitions INCLUDE REGEX "^(VM_|VL_|VERILATOR)")
  target_compile_definitions(${target} INTERFACE ${definitions})
  get_target_property(includes ${target} INCLUDE_DIRECTORIES)
  target_include_directories(${target} SYSTEM INTERFACE ${includes})
endfunction()
