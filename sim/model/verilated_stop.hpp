// SPDX-License-Identifier: Apache-2.0
// Part of every verilated model: what its assertions do.
#pragma once

#include <stdexcept>
#include <string>

// Verilator's stop and fatal of $fatal and failed assertions: an exception that the engine reports,
// not the end of the process.
void vl_finish(const char*, int, const char*) {}
void vl_stop(const char* file, int line, const char*) {
  throw std::runtime_error(std::string("assertion of the RTL failed at ") + file + ":" +
                           std::to_string(line));
}
void vl_fatal(const char* file, int line, const char*, const char* message) {
  throw std::runtime_error(std::string("assertion of the RTL failed at ") + file + ":" +
                           std::to_string(line) + ": " + message);
}
