# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
include(${PROJECT_SOURCE_DIR}/cmake/hopwise_verilate.cmake)
file(GLOB hopwise_rtl_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/common/*.svh)

# hopwise_netlist(TARGET MODEL name [FAULT from to]): a static library with the C++ model of what Yosys makes of the module
# of hopwise_verilate(name): the same parameters, the same class and the same header. FAULT replaces one of its sources.
function(hopwise_netlist target)
  cmake_parse_arguments(ARG "" "MODEL" "FAULT" ${ARGN})
  get_target_property(top ${ARG_MODEL} HOPWISE_TOP)
  get_target_property(sources ${ARG_MODEL} HOPWISE_SOURCES)
  get_target_property(parameters ${ARG_MODEL} HOPWISE_PARAMS)
  if(ARG_FAULT)
    list(GET ARG_FAULT 0 from)
    list(GET ARG_FAULT 1 to)
    list(TRANSFORM sources REPLACE "^${from}$" "${to}")
  endif()
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  set(out ${PROJECT_BINARY_DIR}/tests/netlist/${target}.dir)
  set(script ${PROJECT_SOURCE_DIR}/tests/netlist/netlist.sh)
  set(cls V${ARG_MODEL})
  # Verilator 5.006 gets trees of single-bit operators wrong. Its names of files are not known before: one includes all.
  add_custom_command(OUTPUT ${out}/model.cpp BYPRODUCTS ${out}/${cls}.h
    COMMAND ${script} ${PROJECT_SOURCE_DIR} ${top} ${ARG_MODEL} ${out} ${sources} -- ${parameters}
    COMMAND ${VERILATOR_BIN} --cc -fno-const-bit-op-tree --prefix ${cls} --top-module ${ARG_MODEL} --Mdir ${out} ${out}/${ARG_MODEL}.v
    COMMAND sh -c "ls | grep '^${cls}.*cpp$' | sed 's/.*/#include \"&\"/' > model.cpp"
    DEPENDS ${files} ${hopwise_rtl_headers} ${script} WORKING_DIRECTORY ${out} VERBATIM)
  file(MAKE_DIRECTORY ${out})
  add_library(${target} STATIC ${out}/model.cpp)
  target_compile_options(${target} PRIVATE -w -O1 -g0)
  target_compile_definitions(${target} PUBLIC VM_COVERAGE=0 VM_SC=0 VM_TRACE=0 VM_TRACE_FST=0 VM_TRACE_VCD=0)
  target_include_directories(${target} SYSTEM PUBLIC ${out})
  target_link_libraries(${target} PUBLIC hopwise_verilator_runtime)
endfunction()

# hopwise_netlist_program(PROGRAM OF test SOURCES file... MODELS netlist model...): the program of hopwise_test(test), of
# some of its sources, in which `netlist` takes the place of `model`.
function(hopwise_netlist_program program)
  cmake_parse_arguments(ARG "" "OF" "SOURCES;MODELS" ${ARGN})
  get_target_property(folder test_${ARG_OF} SOURCE_DIR)
  get_target_property(libraries test_${ARG_OF} LINK_LIBRARIES)
  get_target_property(includes test_${ARG_OF} INCLUDE_DIRECTORIES)
  while(ARG_MODELS)
    list(POP_FRONT ARG_MODELS netlist model)
    list(TRANSFORM libraries REPLACE "^${model}$" "${netlist}")
  endwhile()
  list(TRANSFORM ARG_SOURCES PREPEND ${folder}/)
  add_executable(${program} ${ARG_SOURCES})
  target_compile_options(${program} PRIVATE ${HOPWISE_WARNINGS})
  target_link_libraries(${program} PRIVATE ${libraries})
  if(includes)
    target_include_directories(${program} PRIVATE ${includes})
  endif()
endfunction()

# hopwise_netlist_test(TEST SOURCES file... MODELS model... FILTER filter): tests of hopwise_test(TEST), those of GoogleTest's
# filter, once more with the netlists of the models; as `netlist.` and their names in ctest. The filter leaves out what needs
# assertions of the RTL, which synthesis drops, and models that are not listed.
function(hopwise_netlist_test test)
  cmake_parse_arguments(ARG "" "FILTER" "SOURCES;MODELS" ${ARGN})
  set(pairs)
  foreach(model ${ARG_MODELS})
    hopwise_netlist(netlist_${model} MODEL ${model})
    list(APPEND pairs netlist_${model} ${model})
  endforeach()
  hopwise_netlist_program(test_${test}_netlist OF ${test} SOURCES ${ARG_SOURCES} MODELS ${pairs})
  gtest_discover_tests(test_${test}_netlist TEST_PREFIX netlist. TEST_FILTER "${ARG_FILTER}" DISCOVERY_TIMEOUT 60)
endfunction()
