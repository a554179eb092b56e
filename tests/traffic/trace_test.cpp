// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace hopwise::traffic {
namespace {

constexpr TraceLimits kLimits{4, 1, 16};

/// The only diagnostic of a text, as the user sees it.
std::string error_of(std::string_view text, TraceLimits limits = kLimits) {
  const auto trace = parse_trace(text, "t.trace", limits);
  if (trace.ok()) return "no error";
  EXPECT_EQ(trace.errors().size(), 1u);
  return format(trace.errors()[0]);
}

bool says(const std::string& message, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    if (message.find(part) == std::string::npos) {
      ADD_FAILURE() << "'" << part << "' is not in: " << message;
      return false;
    }
  }
  return true;
}

TEST(Trace, WhatIsWrittenIsReadBackPerTerminal) {
  Random random(1, 1);
  std::vector<GeneratedPacket> packets;
  std::uint64_t cycle = 0;
  for (int i = 0; i < 1000; ++i) {
    cycle += random.below(3);
    const auto src = static_cast<std::uint32_t>(random.below(4));
    const auto dst = static_cast<std::uint32_t>((src + 1 + random.below(3)) % 4);
    packets.push_back({cycle, TerminalId{src}, TerminalId{dst},
                       static_cast<std::uint32_t>(1 + random.below(16))});
  }
  const auto trace = parse_trace(format_trace(packets), "t.trace", kLimits);
  ASSERT_TRUE(trace.ok()) << format(trace.errors());
  EXPECT_EQ(trace.value().last_cycle(), cycle);

  std::vector<Source> sources = trace.value().sources();
  ASSERT_EQ(sources.size(), 4u);
  for (const GeneratedPacket& expected : packets) {
    Source& s = sources[index(expected.src)];
    ASSERT_EQ(s.next_cycle(), expected.cycle);
    ASSERT_EQ(s.pop(), expected);
  }
  for (const Source& s : sources) EXPECT_EQ(s.next_cycle(), kNoPacket);
}

TEST(Trace, CommentsBlanksEmptyLinesAndCarriageReturnsAreSkipped) {
  const auto trace =
      parse_trace("# head\n\n  0\t0 1 2 # first\r\n\r\n7 3 2 16", "t.trace", kLimits);
  ASSERT_TRUE(trace.ok()) << format(trace.errors());
  EXPECT_EQ(trace.value().of(TerminalId{0}).size(), 1u);
  EXPECT_EQ(trace.value().of(TerminalId{3}).size(), 1u);
  EXPECT_EQ(trace.value().of(TerminalId{3})[0],
            (GeneratedPacket{7, TerminalId{3}, TerminalId{2}, 16}));
  EXPECT_TRUE(trace.value().of(TerminalId{1}).empty());
}

TEST(Trace, HowARecordingWasMeasuredIsReadBack) {
  const Recording recording{
      .from = 500, .to = 1500, .window = 20, .offered_load = 0.1 + 0.2, .active_terminals = 3.5};
  const std::vector<GeneratedPacket> packets = {{3, TerminalId{0}, TerminalId{1}, 2}};
  const std::string text = format_trace(packets, recording);
  const auto trace = parse_trace(text, "t.trace", kLimits);
  ASSERT_TRUE(trace.ok()) << format(trace.errors());
  EXPECT_EQ(trace.value().recording(), recording);
  EXPECT_EQ(parse_trace("3 0 1 2\n", "t.trace", kLimits).value().recording(), std::nullopt);
  for (const char* bad :
       {"#:", "#: measured 500 1500", "#: measured 500 1500 window 20 offered 1 terminals 9",
        "#: measured 0 1500 window 20 offered 1 terminals 2",
        "#: measured 500 500 window 20 offered 1 terminals 2",
        "#: measured 500 900 window 0 offered 1 terminals 2",
        "#: measured 500 900 window 20 offered nan terminals 2",
        "#: measured 500 900 window 20 offered -1 terminals 2",
        "#: measured 5e2 900 window 20 offered 1 terminals 2",
        "#: counted 500 900 window 20 offered 1 terminals 2"}) {
    says(error_of(bad), {"t.trace:1:1", "traffic.trace-recording", "#: measured FROM TO"});
  }
  says(error_of(text + text), {"t.trace:5:1", "traffic.trace-recording", "second line"});
}

TEST(Trace, OfferedLoadCountsUntilAllCouldHaveBeenSent) {
  const auto trace = parse_trace("0 0 1 4\n6 2 1 2\n", "t.trace", kLimits);
  EXPECT_EQ(trace.value().active_terminals(), 2u);
  EXPECT_DOUBLE_EQ(trace.value().offered_flits_per_cycle({1, 1}), 6 / 8.0);
  EXPECT_DOUBLE_EQ(trace.value().offered_flits_per_cycle({5, 1}), 6 / 20.0);
  EXPECT_EQ(parse_trace("", "t", kLimits).value().offered_flits_per_cycle({1, 1}), 0);
}

TEST(Trace, AnEmptyTraceGeneratesNothing) {
  const auto trace = parse_trace("", "t.trace", kLimits);
  ASSERT_TRUE(trace.ok());
  for (const Source& s : trace.value().sources()) EXPECT_EQ(s.next_cycle(), kNoPacket);
}

TEST(Trace, TooFewAndTooManyFieldsPointAtTheLineAndTheExtraField) {
  says(error_of("0 0 1 1\n5 0 1\n"), {"t.trace:2:1", "traffic.trace-field-count", "3 fields",
                                      "4 fields: cycle source destination flits"});
  says(error_of("0 0 1 1 9\n"), {"t.trace:1:9", "traffic.trace-field-count", "5 fields"});
}

TEST(Trace, WhatIsNotANumberIsQuoted) {
  says(error_of("0 zero 1 1"), {"t.trace:1:3", "traffic.trace-number", "source 'zero'"});
  says(error_of("0 0 1 1.5"), {"t.trace:1:7", "traffic.trace-number", "flits '1.5'"});
  says(error_of("-1 0 1 1"), {"t.trace:1:1", "traffic.trace-number", "cycle '-1'"});
  says(error_of("99999999999999999999999 0 1 1"), {"t.trace:1:1", "traffic.trace-number"});
}

TEST(Trace, CyclesThatDecreaseAreRefusedAndEqualOnesAreNot) {
  says(error_of("5 0 1 1\n5 1 0 1\n4 0 1 1\n6 0 1 1\n"),
       {"t.trace:3:1", "traffic.trace-cycle-order", "cycle 4", "5 or later"});
  says(error_of("10000000001 0 1 1"),
       {"t.trace:1:1", "traffic.trace-cycle-order", "at most 10000000000"});
}

TEST(Trace, TerminalsOutOfRangeAreRefusedAtTheirColumn) {
  says(error_of("0 4 1 1"),
       {"t.trace:1:3", "traffic.trace-terminal", "source 4", "terminals 0 to 3"});
  says(error_of("0 0  9 1"),
       {"t.trace:1:6", "traffic.trace-terminal", "destination 9", "terminals 0 to 3"});
}

TEST(Trace, ATerminalThatSendsToItselfIsRefused) {
  says(error_of("0 2 2 1"), {"t.trace:1:5", "traffic.trace-self", "destination 2"});
}

TEST(Trace, PacketLengthsOutOfRangeAreRefused) {
  says(error_of("0 0 1 0"), {"t.trace:1:7", "traffic.trace-flits", "0 flits", "1 to 16 flits"});
  says(error_of("0 0 1 17"), {"t.trace:1:7", "traffic.trace-flits", "17 flits", "1 to 16 flits"});
  says(error_of("0 0 1 1", {4, 2, 16}), {"traffic.trace-flits", "2 to 16 flits"});
}

TEST(Trace, AllMistakesAreReportedUpToTwentyLines) {
  EXPECT_EQ(parse_trace("9 7 7 0\nx 0 1 1\n8 0 1 1\n", "t", kLimits).errors().size(), 6u);
  std::string text;
  for (int i = 0; i < 100; ++i) text += "0 0 1 99\n";
  const auto trace = parse_trace(text, "t", kLimits);
  ASSERT_EQ(trace.errors().size(), 21u);
  EXPECT_EQ(trace.errors().back().code, "traffic.trace-more-errors");
  const auto twenty = parse_trace(text.substr(0, 20 * 9), "t", kLimits);
  EXPECT_EQ(twenty.errors().size(), 20u);
}

TEST(Trace, FilesAreReadAndUnreadableOnesReported) {
  const std::string path = ::testing::TempDir() + "hopwise_trace_" + std::to_string(::getpid());
  std::ofstream(path) << "3 0 1 2\n";
  const auto trace = read_trace(path, kLimits);
  std::remove(path.c_str());
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace.value().last_cycle(), 3u);
  for (const auto& [bad, why] :
       {std::pair<std::string, std::string>{"/nonexistent/trace", "No such file or directory"},
        {"/tmp", "Is a directory"}}) {
    const auto none = read_trace(bad, kLimits);
    ASSERT_FALSE(none.ok()) << bad;
    EXPECT_EQ(none.errors()[0].code, "traffic.trace-unreadable");
    EXPECT_EQ(none.errors()[0].where.file, bad);
    EXPECT_EQ(none.errors()[0].found, why);
  }
}

}  // namespace
}  // namespace hopwise::traffic
