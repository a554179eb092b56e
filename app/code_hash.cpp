// SPDX-License-Identifier: Apache-2.0
#include "app/code_hash.hpp"

#include <fmt/format.h>

#include "support/hash.hpp"

namespace hopwise::app {

namespace {

const char* const kSources =
#include "sources_hash.inc"
    ;

std::string& extensions() {
  static std::string hashes;
  return hashes;
}

}  // namespace

std::string code_hash() {
  if (extensions().empty()) return kSources;
  return fmt::format("{:016x}", fnv1a(extensions(), fnv1a(kSources)));
}

void add_to_code_hash(std::uint64_t extension) {
  extensions() += fmt::format("{:016x}", extension);
}

}  // namespace hopwise::app
