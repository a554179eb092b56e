// SPDX-License-Identifier: Apache-2.0
#include "sv/writer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace hopwise::sv {

namespace {

std::string bindings(const Bindings& list, std::string_view indent) {
  std::size_t longest = 0;
  for (const auto& [name, value] : list) longest = std::max(longest, name.size());
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    text += fmt::format("{}.{:<{}} ({}){}\n", indent, list[i].first, longest, list[i].second,
                        i + 1 < list.size() ? "," : "");
  }
  return text;
}

}  // namespace

std::string literal(unsigned width, std::uint64_t value) {
  return fmt::format("{}'h{:x}", width, value);
}

std::string bit_literal(const std::vector<bool>& bits) {
  std::string digits;
  for (std::size_t low = 0; low < bits.size(); low += 4) {
    unsigned digit = 0;
    for (std::size_t i = low; i < std::min(low + 4, bits.size()); ++i)
      digit |= unsigned{bits[i]} << (i - low);
    digits += "0123456789abcdef"[digit];
  }
  std::reverse(digits.begin(), digits.end());
  return fmt::format("{}'h{}", bits.size(), digits);
}

std::string flat_literal(unsigned bits_each, const std::vector<std::uint64_t>& values) {
  std::vector<bool> bits;
  for (const std::uint64_t value : values) {
    for (unsigned i = 0; i < bits_each; ++i) bits.push_back(((value >> i) & 1) != 0);
  }
  return bit_literal(bits);
}

std::string instance(std::string_view module, std::string_view name, const Bindings& parameters,
                     const Bindings& connections) {
  std::string text = fmt::format("  {}", module);
  if (!parameters.empty()) text += fmt::format(" #(\n{}  )", bindings(parameters, "    "));
  return text + fmt::format(" {} (\n{}  );\n", name, bindings(connections, "    "));
}

std::string generate_for(char variable, std::size_t begin, std::size_t end, std::string_view label,
                         std::string_view body) {
  std::string text = fmt::format("  for (genvar {0} = {1}; {0} < {2}; {0} = {0} + 1) begin : {3}\n",
                                 variable, begin, end, label);
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t stop = std::min(body.find('\n', at), body.size());
    text += fmt::format("  {}\n", body.substr(at, stop - at));
    at = stop + 1;
  }
  return text + "  end\n";
}

std::string vector_range(std::size_t width) { return fmt::format("[{}:0]", width - 1); }

std::string range(std::size_t width) { return width == 1 ? "" : fmt::format("[{}:0]", width - 1); }

std::string module_header(std::string_view name, const std::vector<Port>& ports) {
  std::size_t longest = 0;
  for (const auto& port : ports) longest = std::max(longest, port.range.size());
  std::string text = fmt::format("module {} (\n", name);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Port& p = ports[i];
    if (!p.comment.empty()) text += fmt::format("  // {}\n", p.comment);
    text += fmt::format("  {} {:<{}} {}{}\n",
                        p.direction == "input" ? "input  wire logic" : "output wire logic", p.range,
                        longest, p.name, i + 1 < ports.size() ? "," : "");
  }
  return text + ");\n";
}

std::string file(std::string_view comment, std::string_view body) {
  std::string text = "// SPDX-License-Identifier: Apache-2.0\n`default_nettype none\n\n";
  for (std::size_t at = 0; at < comment.size();) {
    const std::size_t end = std::min(comment.find('\n', at), comment.size());
    const std::string_view line = comment.substr(at, end - at);
    text += line.empty() ? "//\n" : fmt::format("// {}\n", line);
    at = end + 1;
  }
  return text + std::string(body) + "\n`default_nettype wire\n";
}

}  // namespace hopwise::sv
