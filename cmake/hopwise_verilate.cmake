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

file(GLOB hopwise_rtl_common CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/common/*.sv ${PROJECT_SOURCE_DIR}/rtl/common/*.svh)

# hopwise_model(TARGET CLASS name DIRECTORY out DEPENDS file... COMMAND... ARGUMENTS verilator's...): a static library with
# the C++ model that Verilator writes to DIRECTORY as CLASS, after COMMAND. It is built for the programs that link it. Names of
# the files are not known before: one includes all, none of an earlier run. C++14 reads Verilator's header in half the time.
function(hopwise_model target)
  cmake_parse_arguments(ARG "" "CLASS;DIRECTORY" "DEPENDS;COMMAND;ARGUMENTS" ${ARGN})
  set(out ${ARG_DIRECTORY})
  set(before)
  if(ARG_COMMAND)
    set(before COMMAND ${ARG_COMMAND})
  endif()
  add_custom_command(OUTPUT ${out}/model.cpp BYPRODUCTS ${out}/${ARG_CLASS}.h
    COMMAND sh -c "rm -f ${ARG_CLASS}*"
    ${before}
    COMMAND ${VERILATOR_BIN} --cc --compiler gcc --prefix ${ARG_CLASS} --Mdir ${out} ${ARG_ARGUMENTS}
    COMMAND sh -c "ls | grep '^${ARG_CLASS}.*cpp$' | sed 's/.*/#include \"&\"/' > model.cpp"
    DEPENDS ${ARG_DEPENDS} ${hopwise_rtl_common} ${VERILATOR_BIN} WORKING_DIRECTORY ${out} VERBATIM
    COMMENT "Verilating ${target}")
  file(MAKE_DIRECTORY ${out})
  add_library(${target} STATIC EXCLUDE_FROM_ALL ${out}/model.cpp)
  # Generated code does not build under the project's warnings; VM_* must reach whoever includes the header.
  set_target_properties(${target} PROPERTIES CXX_STANDARD 14)
  target_compile_options(${target} PRIVATE -w -O1 -g0)
  target_compile_definitions(${target} PUBLIC VM_COVERAGE=0 VM_SC=0 VM_TRACE=0 VM_TRACE_FST=0 VM_TRACE_VCD=0)
  target_include_directories(${target} SYSTEM PUBLIC ${out})
  target_link_libraries(${target} PUBLIC hopwise_verilator_runtime)
endfunction()

# hopwise_verilate(TARGET TOP module SOURCES file... PARAMS Name=value...): a static library with the C++ model of one
# parameterised module. Class V<TARGET> in header "V<TARGET>.h". Files are relative to the source tree; rtl/common is
# on the include path. Lint warnings are errors, assertions are on (DEFINES HW_ASSERT_OFF turns them off).
function(hopwise_verilate target)
  cmake_parse_arguments(ARG "" "TOP" "SOURCES;PARAMS;DEFINES" ${ARGN})
  list(TRANSFORM ARG_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  list(TRANSFORM ARG_PARAMS PREPEND -G OUTPUT_VARIABLE parameters)
  list(TRANSFORM ARG_DEFINES PREPEND +define+)
  hopwise_model(${target} CLASS V${target} DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.dir DEPENDS ${files}
    ARGUMENTS -Wall --top-module ${ARG_TOP} -I${PROJECT_SOURCE_DIR}/rtl/common ${parameters} ${ARG_DEFINES} ${files})
  # For hopwise_netlist.
  set_target_properties(${target} PROPERTIES HOPWISE_TOP ${ARG_TOP} HOPWISE_SOURCES "${ARG_SOURCES}" HOPWISE_PARAMS "${ARG_PARAMS}")
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
