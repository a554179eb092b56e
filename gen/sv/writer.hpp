// SPDX-License-Identifier: Apache-2.0
// Writes SystemVerilog text: literals, instances, ports, file frames. Knows the language, not
// networks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hopwise::sv {

/// `8'h1f`; `width` bits of `value`, width 1 to 64.
std::string literal(unsigned width, std::uint64_t value);

/// A flat vector of `values`, element 0 in the low bits, `bits_each` bits each: `32'h00200020`. The
/// subset has no array parameters, so tables travel this way.
std::string flat_literal(unsigned bits_each, const std::vector<std::uint64_t>& values);

/// A flat vector of single bits, bit 0 first.
std::string bit_literal(const std::vector<bool>& bits);

using Bindings = std::vector<std::pair<std::string, std::string>>;

/// An instance with named parameters and connections, one per line, names aligned; indented by two
/// spaces.
std::string instance(std::string_view module, std::string_view name, const Bindings& parameters,
                     const Bindings& connections);

/// `for (genvar variable = begin; variable < end; ...)` around `body`, a text indented as an
/// instance is; indented alike.
std::string generate_for(char variable, std::size_t begin, std::size_t end, std::string_view label,
                         std::string_view body);

/// A port of a module header: direction "input" or "output", width expression or empty for one bit.
struct Port {
  std::string direction;
  std::string range;  ///< "[7:0]" or empty
  std::string name;
  std::string comment;  ///< starts a new commented group when not empty
};

/// `module name (ports);` with the ports aligned.
std::string module_header(std::string_view name, const std::vector<Port>& ports);

/// "[width-1:0]" or empty for 1.
std::string range(std::size_t width);

/// "[width-1:0]", "[0:0]" for 1: a vector whose elements are selected by index.
std::string vector_range(std::size_t width);

/// SPDX line, `default_nettype none`, the comment (each line gets //), the body, `default_nettype
/// wire`.
std::string file(std::string_view comment, std::string_view body);

}  // namespace hopwise::sv
