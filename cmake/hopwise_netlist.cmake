# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
include(${PROJECT_SOURCE_DIR}/cmake/hopwise_verilate.cmake)

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
  # Verilator 5.006 gets trees of single-bit operators wrong.
  hopwise_model(${target} CLASS ${cls} DIRECTORY ${out} DEPENDS ${files} ${script}
    COMMAND ${script} ${PROJECT_SOURCE_DIR} ${top} ${ARG_MODEL} ${out} ${sources} -- ${parameters}
    ARGUMENTS -fno-const-bit-op-tree --top-module ${ARG_MODEL} ${out}/${ARG_MODEL}.v)
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
  set_target_properties(${program} PROPERTIES UNITY_BUILD ${HOPWISE_UNITY})
  target_compile_options(${program} PRIVATE ${HOPWISE_TEST_OPTIONS})
  target_link_libraries(${program} PRIVATE ${libraries})
  if(includes)
    target_include_directories(${program} PRIVATE ${includes})
  endif()
endfunction()

# hopwise_netlist_test(TEST SOURCES file... MODELS model... FILTER filter [LABEL label]): tests of hopwise_test(TEST), those of GoogleTest's
# filter, once more with the netlists of the models; as `netlist.` and their names in ctest. The filter leaves out what needs
# assertions of the RTL, which synthesis drops, and models that are not listed.
function(hopwise_netlist_test test)
  cmake_parse_arguments(ARG "" "FILTER;LABEL" "SOURCES;MODELS" ${ARGN})
  set(properties)
  if(ARG_LABEL)
    set(properties PROPERTIES LABELS ${ARG_LABEL})
  endif()
  set(pairs)
  foreach(model ${ARG_MODELS})
    hopwise_netlist(netlist_${model} MODEL ${model})
    list(APPEND pairs netlist_${model} ${model})
  endforeach()
  hopwise_netlist_program(test_${test}_netlist OF ${test} SOURCES ${ARG_SOURCES} MODELS ${pairs})
  gtest_discover_tests(test_${test}_netlist TEST_PREFIX netlist. TEST_FILTER "${ARG_FILTER}" DISCOVERY_TIMEOUT 60
                       ${properties})
  if(ARG_LABEL)
    hopwise_label_program(${ARG_LABEL} test_${test}_netlist)
  endif()
endfunction()
