// SPDX-License-Identifier: Apache-2.0
// Faults in the RTL of a routing are found, and said in full.
#include "verify/verify.hpp"
#include "traffic/pattern.hpp"

#include <gtest/gtest.h>

#include "config/load.hpp"
#include "traffic/pattern.hpp"

namespace hopwise::verify {
namespace {

const char* const kTorus = R"(
topology: {kind: torus, dims: [3, 3]}
packet: {flit_bits: 64, max_flits: 1}
router: {vcs: 3, vc_depth_flits: 8}
)";

/// Verifies the torus with this routing, whose module's `line` is replaced first.
Outcome with_fault(const std::string& routing, const std::string& module, const std::string& line,
                   const std::string& replacement, std::vector<std::string> overrides = {}) {
  overrides.push_back("routing.algorithm=" + routing);
  auto spec = config::load(kTorus, "test.yaml", overrides,
                           config::builtin_catalogue(traffic::builtin_patterns()));
  EXPECT_TRUE(spec.ok()) << (spec.ok() ? "" : format(spec.errors()));
  const auto& network = spec.value().network;
  const config::Catalogue catalogue = config::builtin_catalogue(traffic::builtin_patterns());
  const auto topology =
      std::make_shared<const topology::Topology>(catalogue.kinds, network.topology, network.link);
  const routing::Family& family = routing::family_of(catalogue.families, network.routing);
  const auto proved =
      deadlock::prove(spec.value(), topology,
                      routing::make_relation(catalogue.families, network, *topology), family);
  Options options;
  options.alter = [&](emit::Files& files) {
    for (auto& [path, text] : files) {
      if (!path.ends_with(module + ".sv")) continue;
      const std::size_t at = text.find(line);
      ASSERT_NE(at, std::string::npos);
      text.replace(at, line.size(), replacement);
    }
  };
  auto outcome =
      verify_units(std::get<deadlock::ProvenNetwork>(proved),
                   {.cache = HOPWISE_MODEL_CACHE, .machine = "", .quick = true}, options);
  EXPECT_TRUE(outcome.ok()) << (outcome.ok() ? "" : format(outcome.errors()));
  return outcome.value();
}

void expect_said(const Outcome& outcome, const std::string& what) {
  EXPECT_NE(outcome.fault.find(what), std::string::npos) << outcome.fault;
  EXPECT_FALSE(outcome.exhaustive);
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
