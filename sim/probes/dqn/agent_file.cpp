// SPDX-License-Identifier: Apache-2.0
#include "probes/dqn/agent_file.hpp"
#include "routing/dqn/dqn.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hopwise::probes::dqn {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kFormat = "hopwise dqn-agent";
constexpr unsigned kVersion = 1;
constexpr std::array<const char*, 3> kSharings = {"router", "row", "all"};
constexpr std::array<const char*, 2> kObservations = {"offsets", "coordinates"};

/// What is wrong with a file, thrown while it is read and caught by parse_agents.
struct Refusal {
  std::string key, found, allowed;
};

std::string brief(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

const Json& member(const Json& json, const std::string& path, const char* name) {
  if (!json.is_object() || !json.contains(name)) throw Refusal{path + name, "nothing", "a value"};
  return json[name];
}

/// The list must have `count` of what is named.
void check_size(const Json& list, const std::string& path, std::size_t count, const char* what) {
  if (list.is_array() && list.size() == count) return;
  throw Refusal{path, list.is_array() ? fmt::format("{} {}", list.size(), what) : brief(list),
                fmt::format("{} {}", count, what)};
}

/// Integers of a list, each in [least, most].
template <class T>
std::vector<T> integers(const Json& json, const std::string& path, std::size_t count,
                        std::int64_t least, std::int64_t most) {
  check_size(json, path, count, "numbers");
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    if (!json[i].is_number_integer() || json[i].get<std::int64_t>() < least ||
        json[i].get<std::int64_t>() > most) {
      throw Refusal{fmt::format("{}[{}]", path, i), brief(json[i]),
                    fmt::format("an integer from {} to {}", least, most)};
    }
    values.push_back(static_cast<T>(json[i].get<std::int64_t>()));
  }
  return values;
}

std::vector<float> reals(const Json& json, const std::string& path, std::size_t count) {
  check_size(json, path, count, "numbers");
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    const float value = json[i].is_number() ? json[i].get<float>() : NAN;
    if (!std::isfinite(value))
      throw Refusal{fmt::format("{}[{}]", path, i), brief(json[i]), "a finite number"};
    values.push_back(value);
  }
  return values;
}

template <std::size_t N>
std::size_t choice(const Json& json, const char* path, const std::array<const char*, N>& names) {
  for (std::size_t i = 0; i < N; ++i) {
    if (json == names[i]) return i;
  }
  throw Refusal{path, brief(json), fmt::format("{}", fmt::join(names, ", "))};
}

std::vector<unsigned> sizes(const Json& json, const char* path, unsigned fewest, unsigned most,
                            unsigned least, unsigned largest) {
  if (!json.is_array() || json.size() < fewest || json.size() > most) {
    throw Refusal{path, brief(json), fmt::format("{} to {} sizes", fewest, most)};
  }
  return integers<unsigned>(json, path, json.size(), least, largest);
}

Agent read_agent(const Json& json, const std::string& path, const std::vector<unsigned>& layers) {
  Agent agent;
  agent.network.layers = agent.quantised.weights.layers = layers;
  const Json& real = member(json, path, "layers");
  const Json& integer = member(json, path, "quantised");
  for (const Json* list : {&real, &integer}) {
    if (list->is_array() && list->size() + 1 == layers.size()) continue;
    throw Refusal{path + (list == &real ? "layers" : "quantised"), brief(*list),
                  fmt::format("{} layers", layers.size() - 1)};
  }
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    const std::size_t outputs = layers[l + 1], weights = layers[l] * outputs;
    std::string at = fmt::format("{}layers[{}].", path, l);
    agent.network.layer.push_back({reals(member(real[l], at, "weights"), at + "weights", weights),
                                   reals(member(real[l], at, "bias"), at + "bias", outputs)});
    at = fmt::format("{}quantised[{}].", path, l);
    learn::IntegerLayer layer;
    layer.w = integers<std::int8_t>(member(integer[l], at, "weights"), at + "weights", weights,
                                    -128, 127);
    layer.bias = integers<std::int32_t>(member(integer[l], at, "bias"), at + "bias", outputs,
                                        -learn::kMostSum - 1, learn::kMostSum);
    layer.shift = integers<unsigned>(Json::array({member(integer[l], at, "shift")}), at + "shift",
                                     1, 0, learn::kMostShift)
                      .front();
    agent.quantised.weights.parameters.push_back(std::move(layer));
  }
  const Json& scale = member(json, path, "value_scale");
  if (!scale.is_number() || !(scale.get<double>() > 0))
    throw Refusal{path + "value_scale", brief(scale), "a number above 0"};
  agent.quantised.value_scale = scale.get<double>();
  if (!learn::fits(agent.quantised.weights)) {
    throw Refusal{path + "quantised", "sums that leave 24 bits", "sums within 24 bits signed"};
  }
  return agent;
}

Agents read(const Json& json) {
  if (!json.is_object())
    throw Refusal{"format", json.is_discarded() ? "no JSON" : "no object",
                  fmt::format("\"{}\"", kFormat)};
  if (member(json, "", "format") != kFormat)
    throw Refusal{"format", brief(json["format"]), fmt::format("\"{}\"", kFormat)};
  if (member(json, "", "version") != kVersion)
    throw Refusal{"version", brief(json["version"]), fmt::format("{}", kVersion)};
  Agents all;
  all.dims = sizes(member(json, "", "dims"), "dims", 1, 4, 2, 64);
  all.layers = sizes(member(json, "", "layers"), "layers", 2, 5, 1, 255);
  all.sharing = static_cast<routing::dqn::AgentSharing>(
      choice(member(json, "", "sharing"), "sharing", kSharings));
  all.coordinates = choice(member(json, "", "observation"), "observation", kObservations) == 1;
  const Json& decisions = member(json, "", "decisions");
  if (!decisions.is_number_unsigned()) throw Refusal{"decisions", brief(decisions), "a number"};
  all.decisions = decisions.get<std::uint64_t>();
  std::uint32_t routers = 1;
  for (const unsigned k : all.dims) routers *= k;
  const std::size_t count = agent_of(all.sharing, all.dims, routers - 1) + 1;
  const Json& agents = member(json, "", "agents");
  check_size(agents, "agents", count, "agents");
  for (std::size_t a = 0; a < count; ++a)
    all.agents.push_back(read_agent(agents[a], fmt::format("agents[{}].", a), all.layers));
  return all;
}

}  // namespace

std::string format_agents(const Agents& all) {
  std::string text =
      fmt::format("{{\n \"format\": \"{}\",\n \"version\": {},\n", kFormat, kVersion);
  text += fmt::format(" \"dims\": [{}],\n \"layers\": [{}],\n", fmt::join(all.dims, ","),
                      fmt::join(all.layers, ","));
  text += fmt::format(
      " \"sharing\": \"{}\",\n \"observation\": \"{}\",\n \"decisions\": {},\n \"agents\": [",
      kSharings[static_cast<std::size_t>(all.sharing)], kObservations[all.coordinates ? 1 : 0],
      all.decisions);
  for (std::size_t a = 0; a < all.agents.size(); ++a) {
    const Agent& agent = all.agents[a];
    text += fmt::format("{}\n  {{\n   \"layers\": [", a == 0 ? "" : ",");
    for (std::size_t l = 0; l < agent.network.layer.size(); ++l) {
      text += fmt::format("{}\n    {{\"weights\": [{}],\n     \"bias\": [{}]}}", l == 0 ? "" : ",",
                          fmt::join(agent.network.layer[l].w, ","),
                          fmt::join(agent.network.layer[l].bias, ","));
    }
    text += "\n   ],\n   \"quantised\": [";
    for (std::size_t l = 0; l < agent.quantised.weights.parameters.size(); ++l) {
      const learn::IntegerLayer& layer = agent.quantised.weights.parameters[l];
      text += fmt::format(
          "{}\n    {{\"weights\": [{}],\n     \"bias\": [{}],\n     \"shift\": {}}}",
          l == 0 ? "" : ",", fmt::join(std::vector<int>(layer.w.begin(), layer.w.end()), ","),
          fmt::join(layer.bias, ","), layer.shift);
    }
    text += fmt::format("\n   ],\n   \"value_scale\": {}\n  }}", agent.quantised.value_scale);
  }
  return text + "\n ]\n}\n";
}

Result<Agents> parse_agents(std::string_view text, const std::string& file) {
  try {
    return read(Json::parse(text, nullptr, false));
  } catch (const Refusal& r) {
    return Diagnostic{"agent.bad-file", {file, 0, 0}, r.key,
                      r.found,          r.allowed,    "`hopwise agent` writes such files"};
  }
}

Diagnostics check_agents(const Agents& agents, const Shape& shape, const std::string& file) {
  Diagnostics errors;
  const auto differ = [&](const char* key, std::string found, std::string allowed) {
    errors.push_back({"agent.other-network",
                      {file, 0, 0},
                      key,
                      std::move(found),
                      std::move(allowed),
                      "the agents are another network's"});
  };
  const auto list = [](const std::vector<unsigned>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
  };
  if (agents.layers != shape.layers) differ("layers", list(agents.layers), list(shape.layers));
  if (agents.coordinates != shape.coordinates) {
    differ("observation", kObservations[agents.coordinates ? 1 : 0],
           kObservations[shape.coordinates ? 1 : 0]);
  }
  if (agents.sharing != routing::dqn::AgentSharing::kAll && agents.dims != shape.dims) {
    differ("dims", list(agents.dims), list(shape.dims));
  }
  return errors;
}

}  // namespace hopwise::probes::dqn
