// SPDX-License-Identifier: Apache-2.0
// Certificates as text, and the checker's refusal of those that do not hold.
#include <algorithm>

#include <gtest/gtest.h>

#include "altered_relation.hpp"

namespace hopwise::test {
namespace {

using deadlock::Certificate;
using deadlock::ProvenNetwork;

Certificate certificate_of(const SmallNetwork& n) {
  const auto outcome = prove(n);
  return std::get<ProvenNetwork>(outcome).certificate();
}

void expect_equal(const Certificate& a, const Certificate& b) {
  EXPECT_EQ(a.network_hash, b.network_hash);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.hop_bound, b.hop_bound);
  EXPECT_EQ(a.dependencies, b.dependencies);
}

TEST(CertificateJson, ComesBackAsItWas) {
  for (Routing routing : kRoutings) {
    const Certificate c = certificate_of(SmallNetwork(small_spec(Grid::kTorus, {4, 3}, routing)));
    const auto back = deadlock::parse_certificate(to_json(c), "proof.json");
    ASSERT_TRUE(back.ok());
    expect_equal(back.value(), c);
    EXPECT_EQ(to_json(back.value()), to_json(c));
  }
}

TEST(CertificateJson, IsTheSameTextEveryTime) {
  const spec::Spec spec = small_spec(Grid::kTorus, {4, 3}, Routing::kStarChannel);
  EXPECT_EQ(to_json(certificate_of(SmallNetwork(spec))),
            to_json(certificate_of(SmallNetwork(spec))));
}

TEST(CertificateJson, ATruncatedTextIsRefusedWithItsPlace) {
  const std::string text =
      to_json(certificate_of(SmallNetwork(small_spec(Grid::kMesh, {3}, Routing::kDorClassic))));
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {  // the last character is the newline
    const auto result = deadlock::parse_certificate(text.substr(0, size), "proof.json");
    ASSERT_FALSE(result.ok()) << size;
    EXPECT_EQ(result.errors()[0].code, "certificate.malformed");
    EXPECT_EQ(result.errors()[0].where.file, "proof.json");
    EXPECT_EQ(result.errors()[0].where.line, 1u);
  }
}

TEST(CertificateJson, EveryWrongMemberIsReportedAtOnce) {
  const auto result = deadlock::parse_certificate(
      R"({"certificate_version": 2, "network_hash": 7, "hop_bound": -1, "dependencies": 1.5,
          "number": [0, null, 4294967295], "extra": true})",
      "proof.json");
  ASSERT_FALSE(result.ok());
  std::vector<std::string> keys;
  for (const Diagnostic& d : result.errors()) keys.push_back(d.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"extra", "certificate_version", "network_hash",
                                            "method", "hop_bound", "dependencies", "number[2]"}));
}

TEST(CertificateJson, AnotherJsonValueIsRefused) {
  for (const char* text : {"[]", "7", "null", "{}", "[1, 2"}) {
    EXPECT_FALSE(deadlock::parse_certificate(text, "proof.json").ok()) << text;
  }
}

/// A network and its certificate, to be damaged.
class TamperedCertificate : public testing::TestWithParam<Routing> {
 protected:
  static spec::Spec spec() {
    spec::Spec s = small_spec(Grid::kTorus, {4, 4}, GetParam());
    s.network.router.output_queue_flits = 8;
    return s;
  }
  SmallNetwork network{spec()};
  Certificate good = certificate_of(network);
};

TEST_P(TamperedCertificate, TheUndamagedOnePasses) { EXPECT_EQ(check(good, network), ""); }

/// A number may be changed to another that is as good a proof; to the number of something it waits
/// for, it may not.
TEST_P(TamperedCertificate, ANumberNotBelowThoseItWaitsForIsRefused) {
  const std::uint32_t highest = [&] {
    std::uint32_t max = 0;
    for (std::uint32_t n : good.number) max = n == Certificate::kNotEscape ? max : std::max(max, n);
    return max;
  }();
  unsigned refused = 0;
  for (std::size_t i = 0; i < good.number.size(); ++i) {
    if (good.number[i] == Certificate::kNotEscape || good.number[i] + 1 >= highest) continue;
    Certificate bad = good;
    bad.number[i] = highest;
    const std::string reason = check(bad, network);
    if (reason.empty()) continue;  // nothing is requested from there: packets in it only eject
    EXPECT_NE(reason.find("requests number"), std::string::npos) << reason;
    ++refused;
  }
  EXPECT_GT(refused, 20u);
}

TEST_P(TamperedCertificate, AnEscapeChannelWithoutNumberIsRefused) {
  for (std::size_t i = 0; i < good.number.size(); ++i) {
    Certificate bad = good;
    bad.number[i] = good.number[i] == Certificate::kNotEscape ? 3 : Certificate::kNotEscape;
    EXPECT_NE(check(bad, network), "") << i;
  }
}

TEST_P(TamperedCertificate, OneNumberTooFewOrTooManyIsRefused) {
  Certificate bad = good;
  bad.number.pop_back();
  EXPECT_NE(check(bad, network), "");
  bad = good;
  bad.number.push_back(1);
  EXPECT_NE(check(bad, network), "");
  bad.number.clear();
  EXPECT_NE(check(bad, network), "");
}

TEST_P(TamperedCertificate, AnyOtherMemberChangedIsRefused) {
  const auto refused = [&](auto change) {
    Certificate bad = good;
    change(bad);
    return !check(bad, network).empty();
  };
  EXPECT_TRUE(refused([](Certificate& c) { c.network_hash.pop_back(); }));
  EXPECT_TRUE(refused([](Certificate& c) { c.network_hash[3] = 'X'; }));
  EXPECT_TRUE(refused([](Certificate& c) { c.network_hash.clear(); }));
  EXPECT_TRUE(refused([](Certificate& c) { c.method = "Duato (with indirect)"; }));
  EXPECT_TRUE(refused([](Certificate& c) { c.hop_bound -= 1; }));
  EXPECT_TRUE(refused([](Certificate& c) { c.hop_bound = 0xffffffff; }));
  EXPECT_TRUE(refused([](Certificate& c) { c.dependencies += 1; }));
}

INSTANTIATE_TEST_SUITE_P(Routings, TamperedCertificate, testing::ValuesIn(kRoutings),
                         [](const auto& routing) {
                           std::string text = name(routing.param);
                           std::replace(text.begin(), text.end(), ' ', '_');
                           return text;
                         });

TEST(Checker, RefusesACertificateOfTheSameSizeForAnotherRouting) {
  const SmallNetwork classic(small_spec(Grid::kTorus, {5, 5}, Routing::kDorClassic));
  const SmallNetwork balanced(small_spec(Grid::kTorus, {5, 5}, Routing::kDorBalanced));
  EXPECT_NE(check(certificate_of(classic), balanced), "");
  EXPECT_NE(check(certificate_of(balanced), classic), "");
}

TEST(Checker, RefusesNumbersThatIgnoreTheOutputQueues) {
  spec::Spec spec = small_spec(Grid::kTorus, {5, 5}, Routing::kDorClassic);
  const Certificate without = certificate_of(SmallNetwork(spec));
  spec.network.router.output_queue_flits = 8;
  const SmallNetwork with(spec);
  Certificate claim = certificate_of(with);
  claim.number = without.number;
  EXPECT_NE(check(claim, with), "");
}

TEST(Checker, RefusesAWormholeNetworkNumberedForCutThrough) {
  Certificate claim = certificate_of(with_step_aside(spec::Switching::kVirtualCutThrough));
  claim.method = "Duato (with indirect)";
  const SmallNetwork wormhole = with_step_aside(spec::Switching::kWormhole);
  EXPECT_NE(check(claim, wormhole).find("requests number"), std::string::npos);
}

TEST(Checker, RefusesAWalkWithoutEnd) {
  spec::Spec spec = small_spec(Grid::kMesh, {4}, Routing::kStarChannel);
  const Certificate good = certificate_of(SmallNetwork(spec));
  const SmallNetwork bouncing = altered(spec, [](const routing::Query& q, routing::Moves& moves) {
    if (q.at == RouterId{1} && q.dst == TerminalId{3}) moves.push({PortId{1}, 2, false, 0});
  });
  EXPECT_NE(check(good, bouncing).find("hops"), std::string::npos);
  Certificate generous = good;
  generous.hop_bound = 1'000;
  EXPECT_NE(check(generous, bouncing).find("hops"), std::string::npos);
}

}  // namespace
}  // namespace hopwise::test
