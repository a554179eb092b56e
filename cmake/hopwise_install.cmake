# SPDX-License-Identifier: Apache-2.0
# `cmake --install BUILD --prefix P`, and `cpack -G DEB` in BUILD. The RTL, the report's template, the headers of router models
# and the synthesis flows are inside the command; the rest it finds from its own place (app/places.cpp), so P can be moved.
include_guard(GLOBAL)
include(GNUInstallDirs)

install(TARGETS hopwise)
# Debug information names the tree.
install(CODE "execute_process(COMMAND ${CMAKE_STRIP} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/hopwise\")")

# Loaded when --mpi asks for it. Not in the Debian package, which would depend on Open MPI.
if(TARGET hopwise_mpi)
  install(TARGETS hopwise_mpi LIBRARY DESTINATION lib/hopwise COMPONENT mpi)
endif()
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};${PROJECT_NAME};Unspecified;/")

# share/hopwise is where app/places.cpp looks.
install(DIRECTORY campaigns examples schema DESTINATION share/hopwise)

# What is written against the interface of a routing, a topology or a traffic pattern: -I include/hopwise, #include as in the tree.
foreach(folder gen/support gen/spec gen/topology gen/routing sim/traffic)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hopwise FILES_MATCHING PATTERN *.hpp)
endforeach()
install(FILES app/include/hopwise/extension.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hopwise)
install(FILES sim/model/host_pins.hpp sim/model/router_bank.hpp sim/model/verilated_bank.hpp sim/model/verilated_stop.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hopwise/model)

install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The pages link to the examples.
install(CODE "file(CREATE_LINK ../../hopwise/examples \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/examples\" SYMBOLIC)")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hopwise)
set(CPACK_PACKAGE_VENDOR Hopwise)
set(CPACK_PACKAGE_CONTACT "Hopwise developers <hopwise@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "generator of routers and networks-on-chip, proved and measured on their RTL")
set(CPACK_PACKAGE_DESCRIPTION "From a description of a torus, mesh or dragonfly Hopwise proves the network free of deadlock,
writes its routers in SystemVerilog, simulates that very RTL under traffic, and
reports latency, throughput, area and timing of every routing side by side.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# A router model is compiled when a network is simulated.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "verilator, g++, zlib1g-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "yosys, opensta")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "qflow-tech-osu018, qflow-tech-osu035, make")
include(CPack)
