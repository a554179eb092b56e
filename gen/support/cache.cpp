// SPDX-License-Identifier: Apache-2.0
#include "support/cache.hpp"

#include <fstream>
#include <sstream>

namespace hopwise {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::uint64_t fingerprint(std::uint64_t h, const std::string& text) {
  return fnv1a_step(fnv1a(text, h), text.size());
}

std::string last_lines(const std::string& text, std::size_t most) {
  std::size_t at = text.size();
  for (std::size_t lines = 0; at > 0 && lines <= most; --at) lines += text[at - 1] == '\n';
  return text.substr(at == 0 ? 0 : at + 1);
}

}  // namespace hopwise
