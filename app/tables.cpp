// SPDX-License-Identifier: Apache-2.0
#include "app/tables.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files.hpp"
#include "learn/q_shape.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kFormat = "hopwise q-tables";
constexpr unsigned kVersion = 1;

learn::QShape shape_of(const deadlock::ProvenNetwork& network) {
  const spec::NetworkSpec& spec = network.spec().network;
  const auto format = topology::make_packet_format(
      spec.topology, spec.packet, network.family().header(spec.topology, spec.routing));
  // it was checked when the network was proved
  return learn::q_shape(spec, network.topology(), format.value());
}

/// What a file must agree on with the network.
std::vector<std::pair<const char*, std::size_t>> numbers(const deadlock::ProvenNetwork& network,
                                                         const learn::QShape& shape) {
  return {{"routers", network.topology().num_routers()},
          {"rows", shape.rows},
          {"columns", shape.columns},
          {"value_bits", shape.value_bits},
          {"fraction_bits", shape.fraction_bits}};
}

}  // namespace

std::string format_tables(const deadlock::ProvenNetwork& network, const std::string& routing,
                          const probes::q::Tables& tables) {
  std::string text = fmt::format(
      "{{\n \"format\": \"{}\",\n \"version\": {},\n \"network_hash\": \"{}\",\n \"routing\": "
      "{},\n",
      kFormat, kVersion, network.spec().network_hash, Json(routing).dump());
  for (const auto& [name, value] : numbers(network, shape_of(network)))
    text += fmt::format(" \"{}\": {},\n", name, value);
  text += " \"tables\": [\n";
  for (std::size_t r = 0; r < tables.size(); ++r) {
    text += fmt::format("  [{}]{}\n", fmt::join(tables[r], ","), r + 1 < tables.size() ? "," : "");
  }
  return text + " ]\n}\n";
}

Result<probes::q::Tables> read_tables(const deadlock::ProvenNetwork& network,
                                      const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return text.errors();
  const auto refuse = [&](const char* code, const char* what, std::string found,
                          std::string allowed, std::string hint = "") {
    return Diagnostics{
        {code, {file.string(), 0, 0}, what, std::move(found), std::move(allowed), std::move(hint)}};
  };
  const Json json = Json::parse(text.value(), nullptr, false);
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
  const learn::QShape shape = shape_of(network);
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
  const std::size_t routers = network.topology().num_routers(), values = shape.rows * shape.columns;
  if (!all.is_array() || all.size() != routers) {
    return refuse("app.bad-tables", "tables",
                  all.is_array() ? fmt::format("{} arrays", all.size()) : "no array",
                  fmt::format("{} arrays, one per router", routers));
  }
  probes::q::Tables tables;
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
  return tables;
}

}  // namespace hopwise::app
