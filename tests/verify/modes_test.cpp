// SPDX-License-Identifier: Apache-2.0
// Packets of every mode make the moves that their mode promises; faults in the RTL are found.
#include "fixture.hpp"

namespace hopwise::verify {
namespace {

const char* const kTorus = R"(
topology: {kind: torus, dims: [3, 3]}
packet: {flit_bits: 64, max_flits: 1}
router: {vcs: 4, vc_depth_flits: 8}
routing: {modes: true, vcs_per_class: [2, 1, 1]}
)";

/// Two links between groups, two VCs on the first step.
const char* const kDragonfly = R"(
topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 4, global_ports: 1, groups: 3,
           links_per_group_pair: 2}
packet: {flit_bits: 128, max_flits: 1}
router: {vc_depth_flits: 8}
routing: {modes: true, vcs_per_class: [2, 1, 1, 1, 1]}
)";

Outcome dragonfly(const std::string& module, const std::string& line,
                  const std::string& replacement) {
  return with_fault(kDragonfly, "par", module, line, replacement);
}

constexpr const char* kOrdered = "assign ordered_o = rsp_mode == hw_mode_pkg::InOrder;";

TEST(VerifyModes, WhatTheRtlOffersIsWhatModesPromise) {
  for (const Outcome& outcome : {dragonfly("hw_ugal_modes", kOrdered, kOrdered),
                                 with_fault(kTorus, "star_channel", "hw_route_compute_star_channel",
                                            "ordered", "ordered")}) {
    EXPECT_EQ(outcome.fault, "");
    EXPECT_TRUE(outcome.exhaustive);
    EXPECT_LT(outcome.never_offered * 100, outcome.moves);  // of those that are drawn
  }
}

TEST(VerifyModes, FindsSeveralVcsOfPacketsInOrder) {
  expect_said(dragonfly("hw_ugal_modes", kOrdered, "assign ordered_o = 1'b0;"),
              "packets of mode in_order make no such move");
  expect_said(with_fault(kTorus, "star_channel", "hw_route_compute_star_channel",
                         "if (ordered) rsp_vcs_o", "if (1'b0) rsp_vcs_o"),
              "packets of mode in_order make no such move");
}

TEST(VerifyModes, FindsAdaptiveMovesOfPacketsInOrder) {
  expect_said(with_fault(kTorus, "star_channel", "hw_route_compute_star_channel",
                         "cfg_i[0] || ordered ?", "cfg_i[0] ?"),
              "packets of mode in_order make no such move");
  expect_said(dragonfly("hw_ugal_modes", "hw_mode_pkg::MinHash, hw_mode_pkg::InOrder: begin",
                        "hw_mode_pkg::MinHash: begin"),
              "mode in_order");
}

TEST(VerifyModes, FindsMinimalMovesOfPacketsThatGoAround) {
  expect_said(dragonfly("hw_ugal_modes", "mode_o = hw_ugal_pkg::AlwaysNonminimal;",
                        "mode_o = hw_ugal_pkg::AlwaysMinimal;"),
              "packets of mode nmin_hash make no such move");
}

TEST(VerifyModes, FindsPathsThatAreDrawn) {
  expect_said(dragonfly("hw_ugal_modes", "req_mode == hw_mode_pkg::MinHash ||", ""),
              "packets with the same head take different paths");
}

TEST(VerifyModes, FindsFlowLabelsInPathsOfPacketsInOrder) {
  expect_said(
      dragonfly("hw_ugal_modes", "if (req_mode == hw_mode_pkg::InOrder) from", "if (1'b0) from"),
      "packets with the same head take different paths");
}

}  // namespace
}  // namespace hopwise::verify
