// SPDX-License-Identifier: Apache-2.0
// Networks whose routers are netlists deliver the same flits in the same cycles as networks of the
// RTL.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>

#include "../engine/fixture.hpp"
#include "app/bundles.hpp"
#include "emit/bundle.hpp"

namespace hopwise::engine {
namespace {

namespace fs = std::filesystem;

const char* const kNetwork = R"(
topology: {kind: torus, dims: [2, 2]}
packet: {flit_bits: 64, max_flits: 4}
router: {vc_depth_flits: 8}
traffic: {packet_flits: {min: 1, max: 4}}
)";
constexpr double kLoad = 0.6;
constexpr std::uint64_t kCycles = 3000;

RunResult delivered(const Setup& setup, const app::Simulated& network) {
  RunOptions run = short_run(network, kLoad, kCycles);
  run.record_deliveries = true;
  auto result = simulate(setup, run);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : format(result.errors()));
  expect_accounted(result.value());
  return std::move(result).value();
}

/// The node's files with the router's module replaced by what Yosys makes of it.
emit::Files with_netlist(emit::Files files, const std::string& router, const fs::path& home) {
  EXPECT_TRUE(app::write_bundle(home, files).empty());
  std::string packages, modules;
  for (const auto& [path, text] : files) {
    if (path.ends_with(".sv")) (path.ends_with("_pkg.sv") ? packages : modules) += " " + path;
  }
  const std::string script = HOPWISE_SOURCE_DIR "/tests/netlist/netlist.sh '" + home.string() +
                             "' " + router + " " + router + " .";
  EXPECT_EQ(std::system((script + packages + modules).c_str()), 0);
  std::ifstream in(home / (router + ".v"));
  std::ostringstream text;
  text << in.rdbuf();
  files.at("rtl/" + router + ".sv") = text.str();
  return files;
}

/// The run of the network with another router model, made of these files.
RunResult delivered_by(emit::Files files, const app::Simulated& network) {
  std::string top;
  const auto shape = emit::router_shape(*network.proven);
  const model::BuildOptions build{.cache = HOPWISE_MODEL_CACHE,
                                  .assertions = true,
                                  .trace = false,
                                  .machine = "",
                                  .jobs = 2,
                                  .quick = true};
  files.merge(emit::emit_model(shape, app::meta_layout(), top));
  auto loaded = model::load_model(files, top, *network.setup->models.front(), build,
                                  [](const std::string&) {});
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : format(loaded.errors()));
  Setup setup = *network.setup;
  setup.models = {loaded.value().model};
  return delivered(setup, network);
}

class RouterNetlist : public testing::Test {
 protected:
  /// Compares a network of the RTL with one of netlists, whose router's text is altered first.
  void run(const std::string& routing, const std::function<void(std::string&)>& alter) {
    const app::Simulated network = compiled(kNetwork, {"routing.algorithm=" + routing});
    rtl = delivered(*network.setup, network);
    ASSERT_GT(rtl.deliveries.size(), kCycles);
    std::string top;
    emit::Files files = emit::emit_node(*network.proven, emit::router_shape(*network.proven), top);
    const std::string router = network.proven->spec().network.name + "_router";
    alter(files.at("rtl/" + router + ".sv"));
    const fs::path home =
        fs::path(HOPWISE_SCRATCH) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(home);
    netlist = delivered_by(with_netlist(files, router, home), network);
  }
  void expect_equal() const {
    EXPECT_EQ(rtl.latency.mean, netlist.latency.mean);
    EXPECT_EQ(rtl.accepted_load, netlist.accepted_load);
    EXPECT_EQ(rtl.total_cycles, netlist.total_cycles);
    ASSERT_EQ(rtl.deliveries.size(), netlist.deliveries.size());
    EXPECT_TRUE(rtl.deliveries == netlist.deliveries);
    std::cout << rtl.deliveries.size() << " flits equal\n";
  }

  RunResult rtl, netlist;
};

TEST_F(RouterNetlist, OfDimensionOrderDeliversEveryFlitInTheCycleOfTheRtl) {
  run("dor", [](std::string&) {});
  expect_equal();
}

TEST_F(RouterNetlist, OfStarChannelDeliversEveryFlitInTheCycleOfTheRtl) {
  run("star_channel", [](std::string&) {});
  expect_equal();
}

TEST_F(RouterNetlist, OfQRoutingDeliversEveryFlitInTheCycleOfTheRtl) {
  run("q_routing", [](std::string&) {});
  expect_equal();
}

/// The order of the allocator's two rounds is all that is changed: the least that traffic can show.
TEST_F(RouterNetlist, WithOneOtherLineDeliversOtherwise) {
  run("dor", [](std::string& text) {
    const std::regex line(R"(\.OutputFirst( *)\(1'b0\))");
    ASSERT_TRUE(std::regex_search(text, line));
    text = std::regex_replace(text, line, ".OutputFirst$1(1'b1)");
  });
  EXPECT_FALSE(rtl.deliveries == netlist.deliveries);
}

}  // namespace
}  // namespace hopwise::engine
