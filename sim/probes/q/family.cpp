// SPDX-License-Identifier: Apache-2.0
// Files of learned Q-tables (their layout is in docs/reference/command.md), and what else the
// family brings to a run.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "probes/probes.hpp"
#include "probes/q/shape.hpp"

namespace hopwise::probes::q {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kFormat = "hopwise q-tables";
constexpr unsigned kVersion = 1;

Shape shape_for(const Network& network) {
  const spec::NetworkSpec& spec = network.spec.network;
  const auto format = topology::make_packet_format(
      spec.topology, spec.packet, network.family.header(spec.topology, spec.routing));
  // it was checked when the network was proved
  return shape_of(spec, network.topology, format.value());
}

/// What a file must agree on with the network.
std::vector<std::pair<const char*, std::size_t>> numbers(const Network& network,
                                                         const Shape& shape) {
  return {{"routers", network.topology.num_routers()},
          {"rows", shape.rows},
          {"columns", shape.columns},
          {"value_bits", shape.value_bits},
          {"fraction_bits", shape.fraction_bits}};
}

class LearnedTables final : public Learned {
 public:
  explicit LearnedTables(Tables tables) : tables_(std::move(tables)) {}
  void start(const Network&, probes::Options& options) const override {
    options.q.start = &tables_;
  }
  void collect(probes::Options& options) override { options.q.learned = &tables_; }
  bool empty() const override { return tables_.empty(); }
  std::string text(const Network& network) const override {
    std::string text = fmt::format(
        "{{\n \"format\": \"{}\",\n \"version\": {},\n \"network_hash\": \"{}\",\n \"routing\": "
        "{},\n",
        kFormat, kVersion, network.spec.network_hash, Json(network.label).dump());
    for (const auto& [name, value] : numbers(network, shape_for(network)))
      text += fmt::format(" \"{}\": {},\n", name, value);
    text += " \"tables\": [\n";
    for (std::size_t r = 0; r < tables_.size(); ++r) {
      text +=
          fmt::format("  [{}]{}\n", fmt::join(tables_[r], ","), r + 1 < tables_.size() ? "," : "");
    }
    return text + " ]\n}\n";
  }

 private:
  Tables tables_;
};

/// Errors: app.bad-tables where it is no such file or holds what no value can be; app.other-tables
/// where routers, rows, columns or bits are another network's.
Result<std::shared_ptr<const Learned>> parse(const Network& network, std::string_view text,
                                             const std::string& file) {
  const auto refuse = [&](const char* code, const char* what, std::string found,
                          std::string allowed, std::string hint = "") {
    return Diagnostics{
        {code, {file, 0, 0}, what, std::move(found), std::move(allowed), std::move(hint)}};
  };
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || json.value("format", Json()) != kFormat ||
      !json.contains("tables")) {
    return refuse("app.bad-tables", "format",
                  json.is_discarded() ? "no JSON"
                  : json.is_object()  ? json.value("format", Json("none")).dump()
                                      : "no object",
                  fmt::format("\"{}\"", kFormat), "--save-tables writes such files");
  }
  if (json.value("version", Json()) != kVersion) {
    return refuse("app.bad-tables", "version", json.value("version", Json("none")).dump(),
                  fmt::format("{}", kVersion));
  }
  const Shape shape = shape_for(network);
  Diagnostics others;
  for (const auto& [name, value] : numbers(network, shape)) {
    const Json found = json.value(name, Json("none"));
    if (found == value) continue;
    for (auto& d : refuse("app.other-tables", name, found.dump(), fmt::format("{}", value),
                          "the tables are another network's"))
      others.push_back(d);
  }
  if (!others.empty()) return others;
  const Json& all = json["tables"];
  const std::size_t routers = network.topology.num_routers(), values = shape.rows * shape.columns;
  if (!all.is_array() || all.size() != routers) {
    return refuse("app.bad-tables", "tables",
                  all.is_array() ? fmt::format("{} arrays", all.size()) : "no array",
                  fmt::format("{} arrays, one per router", routers));
  }
  Tables tables;
  for (std::size_t r = 0; r < routers; ++r) {
    const std::string place = fmt::format("tables[{}]", r);
    if (!all[r].is_array() || all[r].size() != values) {
      return refuse("app.bad-tables", place.c_str(),
                    all[r].is_array() ? fmt::format("{} numbers", all[r].size()) : "no array",
                    fmt::format("{} numbers", values));
    }
    const auto bad = std::find_if(all[r].begin(), all[r].end(), [&](const Json& v) {
      return !v.is_number_unsigned() || v.get<std::uint64_t>() > shape.infinity();
    });
    if (bad != all[r].end()) {
      return refuse("app.bad-tables", fmt::format("{}[{}]", place, bad - all[r].begin()).c_str(),
                    bad->dump(), fmt::format("an integer from 0 to {}", shape.infinity()));
    }
    tables.push_back(all[r].get<std::vector<std::uint32_t>>());
  }
  return std::shared_ptr<const Learned>(std::make_shared<LearnedTables>(std::move(tables)));
}

CounterLayout layout(const spec::RoutingSpec&) {
  return {.section = "learning",
          .totals = {{"decisions", "decisions"},
                     {"nonminimal", "nonminimal", "decisions"},
                     {"explored", "explored", "decisions"},
                     {"best_value", "best", "decisions"},
                     {"minimal_value", "minimal", "decisions"},
                     {"updates", "updates"},
                     {"dropped", "dropped"},
                     {"saturated", "saturated"}},
          .series = {kPathQueue,
                     {"decisions", "decisions"},
                     {"updates", "updates"},
                     {"dropped", "dropped"},
                     {"saturated", "saturated"},
                     {"nonminimal", "nonminimal", "decisions"},
                     {"explored", "explored", "decisions"},
                     {"best_value", "best", "decisions"},
                     {"minimal_value", "minimal", "decisions"}}};
}

std::vector<engine::MakeProbe> probes_for(const probes::Options& options) {
  const bool check = options.check;
  if (!check && !asks(options.q)) return {};
  return {
      [check, q = options.q](const engine::Scene& scene) { return make_probe(scene, check, q); }};
}

}  // namespace

constinit const FamilyProbes kProbes{
    .family = "q", .layout = layout, .probes = probes_for, .parse = parse, .blank = [] {
      return std::shared_ptr<Learned>(std::make_shared<LearnedTables>(Tables{}));
    }};

}  // namespace hopwise::probes::q
