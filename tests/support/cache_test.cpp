// SPDX-License-Identifier: Apache-2.0
// Entries of a cache are loaded as code: what was cut short or changed must be seen.
#include "support/cache.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "traffic/random.hpp"

namespace hopwise {
namespace {

namespace fs = std::filesystem;

/// An entry of a cache in a directory of its own.
class Entry : public testing::Test {
 protected:
  Entry()
      : home_(fs::path(testing::TempDir()) / ("hopwise_cache_" + std::to_string(getpid()))),
        file_(home_ / "entry" / "model.so") {
    traffic::Random random(1, 1);
    for (int i = 0; i < 5000; ++i) content_ += static_cast<char>(random.below(256));
    write_text(home_ / "work" / "model.so", content_);
    keep(home_ / "work", home_ / "entry", "model.so");
    sum_ = read_text(sum_file());
  }
  ~Entry() override { fs::remove_all(home_); }
  fs::path sum_file() const { return home_ / "entry" / "model.sum"; }

  fs::path home_, file_;
  std::string content_, sum_;
};

/// One byte changed, a part left out, or the end missing; never the same.
std::string damaged(std::string text, traffic::Random& random) {
  const auto at = static_cast<std::size_t>(random.below(text.size()));
  switch (random.below(3)) {
    case 0: text[at] = static_cast<char>(text[at] ^ (1 << random.below(8))); return text;
    case 1: return text.erase(at, 1 + random.below(100));
    default: return text.substr(0, at);
  }
}

TEST_F(Entry, IsIntactAsItWasKept) { EXPECT_TRUE(is_intact(file_)); }

TEST_F(Entry, IsNotIntactAfterAnyOfAThousandDamages) {
  traffic::Random random(2, 2);
  for (int i = 0; i < 1000; ++i) {
    const bool of_sum = i % 4 == 0;
    const std::string bad = damaged(of_sum ? sum_ : content_, random);
    write_text(of_sum ? sum_file() : file_, bad);
    ASSERT_FALSE(is_intact(file_)) << i;
    write_text(of_sum ? sum_file() : file_, of_sum ? sum_ : content_);
  }
  EXPECT_TRUE(is_intact(file_));
}

TEST_F(Entry, IsNotIntactUnderAnotherNameOrWithoutItsSum) {
  fs::rename(home_ / "entry", home_ / "other");
  EXPECT_FALSE(is_intact(home_ / "other" / "model.so"));
  fs::rename(home_ / "other", home_ / "entry");
  EXPECT_TRUE(is_intact(file_));
  fs::remove(sum_file());
  EXPECT_FALSE(is_intact(file_));
}

}  // namespace
}  // namespace hopwise
