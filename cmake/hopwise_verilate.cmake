# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
find_package(verilator REQUIRED HINTS /usr/share/verilator $ENV{VERILATOR_ROOT})

# Verilator's runtime, once for all models: it is most of what each of them would compile.
if(NOT TARGET hopwise_verilator_runtime)
  add_library(hopwise_verilator_runtime STATIC ${VERILATOR_ROOT}/include/verilated.cpp
                                               ${VERILATOR_ROOT}/include/verilated_threads.cpp)
  target_include_directories(hopwise_verilator_runtime SYSTEM PUBLIC ${VERILATOR_ROOT}/include
                                                                     ${VERILATOR_ROOT}/include/vltstd)
  target_compile_definitions(hopwise_verilator_runtime PRIVATE VM_COVERAGE=0 VM_SC=0 VM_TRACE=0 VM_TRACE_FST=0 VM_TRACE_VCD=0)
  target_compile_options(hopwise_verilator_runtime PRIVATE -w)
  find_package(Threads REQUIRED)
  target_link_libraries(hopwise_verilator_runtime PUBLIC Threads::Threads)
endif()

# hopwise_verilate(TARGET TOP module SOURCES file... PARAMS Name=value...): a static library with the C++ model of one
# parameterised module. Class V<TARGET> in header "V<TARGET>.h". Files are relative to the source tree; rtl/common is
# on the include path. Lint warnings are errors, assertions are on (DEFINES HW_ASSERT_OFF turns them off).
function(hopwise_verilate target)
  cmake_parse_arguments(ARG "" "TOP" "SOURCES;PARAMS;DEFINES" ${ARGN})
  set(sources ${ARG_SOURCES})
  set(parameters ${ARG_PARAMS})
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
  # For hopwise_netlist.
  set_target_properties(${target} PROPERTIES HOPWISE_TOP ${ARG_TOP} HOPWISE_SOURCES "${sources}" HOPWISE_PARAMS "${parameters}")
  # Generated code and runtime do not build under the project's warnings; VM_* must reach whoever includes the header.
  target_compile_options(${target} PRIVATE -w -O1 -g0)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/include/verilated")
  set_target_properties(${target} PROPERTIES SOURCES "${sources}" UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  target_link_libraries(${target} PUBLIC hopwise_verilator_runtime)
  get_target_property(definitions ${target} COMPILE_DEFINITIONS)
  list(FILTER definitions INCLUDE REGEX "^(VM_|VL_|VERILATOR)")
  target_compile_definitions(${target} INTERFACE ${definitions})
  get_target_property(includes ${target} INCLUDE_DIRECTORIES)
  target_include_directories(${target} SYSTEM INTERFACE ${includes})
endfunction()

# hopwise_fault(VARIABLE FILE FROM TO): VARIABLE becomes the name, as hopwise_verilate takes it, of a copy of FILE in which
# FROM is replaced by TO: a seeded fault. FROM must be there.
function(hopwise_fault variable file from to)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
  file(READ ${PROJECT_SOURCE_DIR}/${file} text)
  string(FIND "${text}" "${from}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${file} has no place for the fault ${variable}: ${from}")
  endif()
  string(REPLACE "${from}" "${to}" text "${text}")
  get_filename_component(name ${file} NAME)
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/${variable}/${name})
  file(CONFIGURE OUTPUT ${copy} CONTENT "${text}" @ONLY)
  file(RELATIVE_PATH copy ${PROJECT_SOURCE_DIR} ${copy})
  set(${variable} ${copy} PARENT_SCOPE)
endfunction()
