// SPDX-License-Identifier: Apache-2.0
#include "emit/channel.hpp"

#include <gtest/gtest.h>

#include "emit/bundle.hpp"

namespace hopwise::emit {
namespace {

std::string text(const std::vector<Wire>& wires) {
  std::string all;
  for (const Wire& w : wires)
    all += (w.forward ? ">" : "<") + w.name + " " + std::to_string(w.width) +
           (w.feedback ? " f\n" : "\n");
  return all;
}

const std::string& header() { return rtl_library().at("common/hw_channel.svh"); }

TEST(Channel, IsWhatTheLibrarysHeaderDescribes) {
  EXPECT_EQ(text(parse_channel(header(), 3, 64, 20)),
            ">valid 1\n>vc 3\n>head 1\n>tail 1\n>data 64\n<credit_valid 1\n<credit_vc 3\n"
            "<feedback 20 f\n");
  EXPECT_EQ(text(parse_channel(header(), 1, 128, 0)),
            ">valid 1\n>vc 1\n>head 1\n>tail 1\n>data 128\n<credit_valid 1\n<credit_vc 1\n");
}

TEST(Channel, FollowsAWireThatTheHeaderGains) {
  std::string more = header();
  const std::string at = "  REVERSE [(N)-1:0]           NAME``_credit_valid_``R, \\\n";
  ASSERT_NE(more.find(at), std::string::npos);
  more.insert(more.find(at), "  FORWARD [(N)-1:0]           NAME``_marked_``F, \\\n");
  const std::vector<Wire> wires = parse_channel(more, 2, 32, 0);
  ASSERT_EQ(wires.size(), 8u);
  EXPECT_EQ(wires[5].name, "marked");
  EXPECT_EQ(wires[5].pin("out", End::kSender), "out_marked_o");
  EXPECT_EQ(wires[5].pin("in", End::kReceiver), "in_marked_i");
  EXPECT_EQ(wires[6].pin("in", End::kReceiver), "in_credit_valid_o");
}

TEST(ChannelDeathTest, AWireOfUnknownWidthIsNotPassedOver) {
  EXPECT_DEATH(
      static_cast<void>(parse_channel("  FORWARD [(N)*Age-1:0] NAME``_age_``F, \\\n", 1, 32, 0)),
      "not a wire: .*Age");
}

}  // namespace
}  // namespace hopwise::emit
