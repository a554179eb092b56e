# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
include(GoogleTest)

# The last two are false in std::string at -O3 with GCC 12.
set(HOPWISE_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Werror
                     $<$<CONFIG:Release>:-Wno-maybe-uninitialized> $<$<CONFIG:Release>:-Wno-restrict>)

# Tests are compiled in two thirds of the time.
set(HOPWISE_TEST_OPTIONS ${HOPWISE_WARNINGS} $<$<CONFIG:RelWithDebInfo>:-O1> $<$<CONFIG:RelWithDebInfo>:-g1>)

option(HOPWISE_UNITY "Compile eight files at a time: a third of the work from nothing. Off: each file by itself" ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)

# hopwise_library(NAME [COLD] SOURCES file... APART file... DEPENDS folder... USES target...): the library of the folder it is
# called in. APART are those of the sources that use one name for what each of them registers, and are compiled one by one.
# COLD ones do nothing that lasts; they are compiled in two thirds of the time.
# DEPENDS are the arrows to other folders of the house, USES are external libraries. #includes name folder and file, from
# the folder above on, or from ROOT.
function(hopwise_library name)
  cmake_parse_arguments(ARG "COLD" "ROOT" "SOURCES;APART;DEPENDS;USES" ${ARGN})
  add_library(hopwise_${name} STATIC ${ARG_SOURCES})
  set_target_properties(hopwise_${name} PROPERTIES UNITY_BUILD ${HOPWISE_UNITY})
  if(ARG_APART)
    set_source_files_properties(${ARG_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  if(NOT ARG_ROOT)
    get_filename_component(ARG_ROOT ${CMAKE_CURRENT_SOURCE_DIR} DIRECTORY)
  endif()
  target_include_directories(hopwise_${name} PUBLIC ${ARG_ROOT})
  target_compile_options(hopwise_${name} PRIVATE ${HOPWISE_WARNINGS} $<$<AND:$<BOOL:${ARG_COLD}>,$<CONFIG:RelWithDebInfo>>:-O1>)
  list(TRANSFORM ARG_DEPENDS PREPEND hopwise_)
  target_link_libraries(hopwise_${name} PUBLIC ${ARG_DEPENDS} ${ARG_USES})
endfunction()

# hopwise_test(NAME [SOURCES file...] DEPENDS folder... [LABEL label... [FILTER filter...]]): a GoogleTest program, one ctest
# entry per TEST. Without SOURCES it is made of all *_test.cpp of the folder. With a label (tests/labels.txt) its tests are slow ones; with filters of GoogleTest, those of the first filter
# have the first label, and so on, and the others are quick.
function(hopwise_test name)
  cmake_parse_arguments(ARG "" "" "LABEL;FILTER;SOURCES;DEPENDS;USES" ${ARGN})
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  endif()
  add_executable(test_${name} ${ARG_SOURCES})
  set_target_properties(test_${name} PROPERTIES UNITY_BUILD ${HOPWISE_UNITY})
  target_compile_options(test_${name} PRIVATE ${HOPWISE_TEST_OPTIONS})
  target_compile_definitions(test_${name} PRIVATE HOPWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  list(TRANSFORM ARG_DEPENDS PREPEND hopwise_)
  target_link_libraries(test_${name} PRIVATE ${ARG_DEPENDS} ${ARG_USES} GTest::gtest GTest::gtest_main)
  if(ARG_FILTER)
    list(JOIN ARG_FILTER ":" slow)
    gtest_discover_tests(test_${name} TEST_FILTER "-${slow}" DISCOVERY_TIMEOUT 60)
    foreach(label filter IN ZIP_LISTS ARG_LABEL ARG_FILTER)
      hopwise_label(${label})
      gtest_discover_tests(test_${name} TEST_FILTER "${filter}" PROPERTIES LABELS ${label} DISCOVERY_TIMEOUT 60)
    endforeach()
  elseif(ARG_LABEL)
    gtest_discover_tests(test_${name} PROPERTIES LABELS ${ARG_LABEL} DISCOVERY_TIMEOUT 60)
    hopwise_label_program(${ARG_LABEL} test_${name})
  else()
    gtest_discover_tests(test_${name} DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
