// SPDX-License-Identifier: Apache-2.0
#include "spec/request.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace hopwise::spec {

std::string path_of(std::string_view section, std::string_view key) {
  if (key.find('.') != std::string_view::npos) return std::string(key);
  return fmt::format("{}.{}", section, key);
}

const KeyPlace& Request::place(std::string_view key) const {
  const std::string whole = path_of(section_, key);
  const auto at = keys_.find(whole);
  if (at != keys_.end()) return at->second;
  std::fprintf(stderr, "hopwise::spec::Request: no key '%s'\n", whole.c_str());
  std::abort();
}

void Request::refuse_at(std::string_view at, std::string code, std::string_view key,
                        std::string found, std::string allowed, std::string hint) {
  errors_.push_back({std::move(code), place(at).where, path_of(section_, key), std::move(found),
                     std::move(allowed), std::move(hint)});
}

}  // namespace hopwise::spec
