// SPDX-License-Identifier: Apache-2.0
// Faults in the RTL of a routing are found, and said in full.
#include "fixture.hpp"

namespace hopwise::verify {
namespace {

const char* const kTorus = R"(
topology: {kind: torus, dims: [3, 3]}
packet: {flit_bits: 64, max_flits: 1}
router: {vcs: 3, vc_depth_flits: 8}
)";

Outcome with_fault(const std::string& routing, const std::string& module, const std::string& line,
                   const std::string& replacement, std::vector<std::string> overrides = {}) {
  return verify::with_fault(kTorus, routing, module, line, replacement, std::move(overrides));
}

TEST(Verify, FindsTheOtherDatelineClass) {
  const Outcome outcome =
      with_fault("dor", "hw_dimension_order", "rsp_vcs_o = EscapeVcs1;", "rsp_vcs_o = EscapeVcs0;");
  expect_said(outcome, "the relation has no such move\n  asked: router (");
  expect_said(outcome, "\n  the RTL offers:\n    port ");
  expect_said(outcome, "\n  the relation allows:\n    port ");
}

TEST(Verify, FindsTheWrongTerminal) {
  expect_said(with_fault("dor", "hw_dimension_order", "if (!found) begin", "if (1'b1) begin"),
              "the packet leaves the network at another terminal");
}

TEST(Verify, FindsAMissingEscape) {
  expect_said(with_fault("star_channel", "hw_route_compute_star_channel",
                         "= !Torus || wraps ? EscapeVcs0 : EscapeVcs1;", "= '0;"),
              "the answer offers no escape");
}

TEST(Verify, FindsAnswersInAnotherMessageClass) {
  for (const std::string routing : {"dor", "star_channel"}) {
    expect_said(with_fault(routing, "hw_message_classes", "vc[c*Own+:Own] != '0 ?", "c == 0 ?",
                           {"router.message_classes=[request, reply]"}),
                "the relation has no such move");
  }
}

TEST(Verify, FindsAnswersThatNeverCome) {
  expect_said(
      with_fault("dor", "_unit", "assign valid_o = rsp_valid[port_i]", "assign valid_o = 1'b0"),
      "it takes the question and does not answer");
}

}  // namespace
}  // namespace hopwise::verify
