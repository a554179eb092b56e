// SPDX-License-Identifier: Apache-2.0
#include "synth/src/liberty.hpp"

#include <cstdlib>
#include <optional>
#include <string_view>

namespace hopwise::synth {

namespace {

/// A group `type (argument) { body }` that begins at or after `from`.
struct Group {
  std::size_t begin = 0, end = 0;  ///< of the whole text of the group
  std::string_view argument, body;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::optional<Group> next_group(std::string_view text, std::string_view type,
                                std::size_t from = 0) {
  for (std::size_t at = from; (at = text.find(type, at)) != std::string_view::npos; ++at) {
    if (at > 0 && is_word(text[at - 1])) continue;
    std::size_t open = text.find_first_not_of(" \t", at + type.size());
    if (open == std::string_view::npos || text[open] != '(') continue;
    const std::size_t close = text.find(')', open);
    const std::size_t brace = text.find_first_not_of(" \t\r\n", close + 1);
    if (close == std::string_view::npos || brace == std::string_view::npos || text[brace] != '{')
      continue;
    std::size_t end = brace, depth = 0;
    do {
      if (text[end] == '{') ++depth;
      if (text[end] == '}') --depth;
    } while (++end < text.size() && depth > 0);
    return Group{at, end, text.substr(open + 1, close - open - 1),
                 text.substr(brace + 1, end - brace - 2)};
  }
  return std::nullopt;
}

/// The number of an attribute `name : number ;`; 0 where it is missing.
double number(std::string_view body, std::string_view name) {
  for (std::size_t at = 0; (at = body.find(name, at)) != std::string_view::npos; ++at) {
    if (at > 0 && is_word(body[at - 1])) continue;
    const std::size_t colon = body.find_first_not_of(" \t", at + name.size());
    if (colon == std::string_view::npos || body[colon] != ':') continue;
    return std::strtod(std::string(body.substr(colon + 1, 32)).c_str(), nullptr);
  }
  return 0;
}

/// The `timing()` groups of a pin of a cell.
std::string timing(std::string_view cell, std::string_view pin) {
  std::string groups;
  for (auto p = next_group(cell, "pin"); p; p = next_group(cell, "pin", p->end)) {
    if (p->argument != pin) continue;
    for (auto t = next_group(p->body, "timing"); t; t = next_group(p->body, "timing", t->end)) {
      groups += std::string(p->body.substr(t->begin, t->end - t->begin)) + "\n";
    }
  }
  return groups;
}

}  // namespace

Result<Liberty> read_liberty(const std::string& text, const std::string& file,
                             const std::string& flip_flop) {
  Liberty liberty;
  liberty.flip_flop = flip_flop;
  for (auto cell = next_group(text, "cell"); cell; cell = next_group(text, "cell", cell->end)) {
    const std::string name(cell->argument);
    if (liberty.cells.empty()) liberty.header = text.substr(0, cell->begin);
    liberty.cells[name] = {number(cell->body, "area"), next_group(cell->body, "ff").has_value()};
    if (name != flip_flop) continue;
    liberty.input_timing = timing(cell->body, "D");
    liberty.output_timing = timing(cell->body, "Q");
    for (auto p = next_group(cell->body, "pin"); p; p = next_group(cell->body, "pin", p->end)) {
      if (p->argument == "D") liberty.input_pf = number(p->body, "capacitance");
    }
  }
  if (liberty.input_timing.empty() || liberty.output_timing.empty()) {
    return Diagnostic{"synth.liberty",
                      {file, 0, 0},
                      "",
                      "no timed cell " + flip_flop,
                      "a liberty file with a flip-flop of that name",
                      ""};
  }
  return liberty;
}

}  // namespace hopwise::synth
