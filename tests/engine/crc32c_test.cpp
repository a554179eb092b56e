// SPDX-License-Identifier: Apache-2.0
#include "engine/crc32c.hpp"

#include <gtest/gtest.h>

namespace hopwise::engine {
namespace {

TEST(Crc32c, IsTheSameWithAndWithoutTheInstruction) {
  const std::uint64_t words[] = {0x0123456789abcdefULL, 0, ~0ULL, 42};
  std::uint32_t table = 0;
  for (const std::uint64_t word : words) table = detail::crc32c_table(table, word);
  EXPECT_EQ(crc32c(0, words, 4), table);
}

TEST(Crc32c, IsCastagnoli) {
  // RFC 3720, B.4: 32 bytes of zeroes, with the customary inversions.
  const std::uint64_t zeroes[4] = {};
  EXPECT_EQ(~crc32c(0xffffffffu, zeroes, 4), 0x8a9136aau);
}

}  // namespace
}  // namespace hopwise::engine
