// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "emit/bundle.hpp"

namespace hopwise::emit {
namespace {

TEST(Seal, HoldsUntilAnyByteOfTheManifestChanges) {
  const std::string manifest =
      sealed("{\n  \"top\": \"net_top\",\n  \"files\": {\n    \"a\": \"0\"\n  }\n}");
  EXPECT_TRUE(is_sealed(manifest)) << manifest;
  for (std::size_t at = 0; at < manifest.size(); ++at) {
    std::string other = manifest;
    other[at] = other[at] == 'x' ? 'y' : 'x';
    EXPECT_FALSE(is_sealed(other)) << other;
    EXPECT_FALSE(is_sealed(manifest.substr(0, at))) << at;
  }
  EXPECT_FALSE(is_sealed(manifest + "\n"));
}

TEST(Seal, IsNotInATextWithoutOne) {
  for (const char* text : {"", "{}", "\n}", "{\n  \"hash\": \"0\"\n}\n", "[]"})
    EXPECT_FALSE(is_sealed(text)) << text;
}

}  // namespace
}  // namespace hopwise::emit
