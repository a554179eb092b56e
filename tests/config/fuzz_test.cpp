// SPDX-License-Identifier: Apache-2.0
// Damaged files: load answers with a Spec or with diagnostics, never with an exception or a crash.
#include <random>

#include <gtest/gtest.h>

#include "config/load.hpp"
#include "files.hpp"

namespace hopwise::config {
namespace {

TEST(Load, DamagedExamplesEndInASpecOrInDiagnostics) {
  std::mt19937 random(20240229);
  const std::string alphabet = " \n:-[]{},#&*!|>'\"%@0123456789./abcdefxyz_=~\t?<";
  unsigned refused = 0;
  for (const auto& file : files_in(source_dir() / "examples", ".yaml")) {
    const std::string text = read_file(file);
    for (int round = 0; round < 100; ++round) {
      std::string damaged = text;
      for (int i = 0; i < 4; ++i) {
        const std::size_t at = random() % damaged.size();
        const char c = alphabet[random() % alphabet.size()];
        switch (random() % 3) {
          case 0: damaged[at] = c; break;
          case 1: damaged.insert(at, 1, c); break;
          default: damaged.erase(at, 1 + random() % 3); break;
        }
      }
      const auto result = load_builtin(damaged, "damaged", {});
      if (result.ok()) continue;
      ++refused;
      ASSERT_FALSE(result.errors().empty());
      for (const auto& error : result.errors()) {
        EXPECT_FALSE(error.found.empty());
        EXPECT_FALSE(error.allowed.empty());
      }
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST(Load, DamagedOverridesEndInASpecOrInDiagnostics) {
  for (const char* text :
       {"", "=", "=1", ".=1", "a..b=1", "a=[", "topology=", "topology=1", "topology={a: ", "a=*x",
        "topology.dims.x=3", "router=[1]", "experiment.routings={}", "experiment.routings=[{}]",
        "traffic.packet_flits={}", "traffic.packet_flits.min=1", "=\n", "a=b: c: d", "\t=1"}) {
    const std::vector<std::string> overrides{text};
    EXPECT_FALSE(load_builtin("topology: {kind: torus, dims: [4]}", "f", overrides).ok()) << text;
  }
}

}  // namespace
}  // namespace hopwise::config
