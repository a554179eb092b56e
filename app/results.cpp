// SPDX-License-Identifier: Apache-2.0
#include "app/results.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/code_hash.hpp"
#include "app/files.hpp"
#include "app/job_results.hpp"
#include "app/learned.hpp"
#include "config/keys.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;

namespace {

Json scaled(const engine::LatencySummary& s, double by) {
  Json json = {{"mean", number_json(s.mean * by)},       {"ci95", number_json(s.ci95 * by)},
               {"p50", static_cast<double>(s.p50) * by}, {"p95", static_cast<double>(s.p95) * by},
               {"p99", static_cast<double>(s.p99) * by}, {"p999", static_cast<double>(s.p999) * by},
               {"max", static_cast<double>(s.max) * by}};
  if (s.packets == 0) forget(json);
  return json;
}

Json field_json(const probes::Field& field, const measure::Counts& counts) {
  if (field.over.empty()) return counts[field.counter];
  return counts.mean(field.counter, field.over);
}

/// What routers counted in one or more windows.
Json totals_json(const probes::CounterLayout& layout, const measure::Counts& counts) {
  Json json;
  for (const probes::Field& field : layout.totals) json[field.key] = field_json(field, counts);
  return json;
}

/// `load_of`: the fraction of capacity that one flit per core cycle of the whole network is.
Json settling_json(const std::vector<measure::SettlingTimes>& all, double core_clock_ghz,
                   double load_of) {
  Json list = Json::array();
  for (const auto& s : all) {
    const auto one = [&](const measure::Settling& quantity, double unit) {
      Json json = {{"final", quantity.final_mean * unit}, {"cycles", nullptr}};
      if (quantity.cycles) json["cycles"] = *quantity.cycles;
      if (quantity.cycles && core_clock_ghz > 0)
        json["us"] = static_cast<double>(*quantity.cycles) / core_clock_ghz / 1000;
      return json;
    };
    list.push_back({{"from", s.from},
                    {"to", s.to},
                    {"window_cycles", s.window_cycles},
                    {"latency", one(s.latency, 1)},
                    {"accepted", one(s.accepted, load_of)}});
  }
  return list;
}

/// What the report needs to draw the network and to name its parts, whatever its kind.
Json layout_json(const topology::Topology& topology) {
  const topology::Layout& layout = topology.layout();
  Json json = {{"drawing", layout.drawing}, {"link_classes", topology.link_classes()}};
  Json& names = json["routers"] = Json::array();
  for (std::uint32_t r = 0; r < topology.num_routers(); ++r)
    names.push_back(topology.name(RouterId{r}));
  if (!layout.places.empty()) json["places"] = layout.places;
  if (!layout.caption.empty()) json["caption"] = layout.caption;
  return json;
}

}  // namespace

Json fairness_json(const measure::Fairness& f) {
  return {{"min", f.min}, {"max", f.max}, {"mean", f.mean}, {"jain", f.jain}};
}

Json network_json(const spec::Spec& spec, const topology::Topology& topology,
                  const config::Catalogue& catalogue, const std::string& yaml) {
  Json root;
  root["hopwise"] = HOPWISE_VERSION;
  root["code_hash"] = code_hash();
  const auto& n = spec.network;
  root["network"] = {
      {"name", n.name},
      {"kind", n.topology.kind},
      {"dims", n.topology.dims},
      {"terminals_per_router", n.topology.terminals_per_router},
      {"routers", topology.num_routers()},
      {"terminals", topology.num_terminals()},
      {"ports", topology.num_ports()},
      {"hash", spec.network_hash},
      {"flit_bits", n.packet.flit_bits},
      {"max_flits", n.packet.max_flits},
      {"cycles_per_flit", n.link.cycles_per_flit.value()},
      {"link_latency_cycles", n.link.latency_cycles},
      {"terminal_latency_cycles", n.link.terminal_latency_cycles},
      {"pipeline_cycles", n.router.pipeline_cycles},
      {"route_cycles", routing::family_of(catalogue.families, n.routing).route_cycles(n.routing)},
      {"arbiter", config::kArbiters[static_cast<std::size_t>(n.router.arbiter)]}};
  Json& keys = root["network"]["topology"] = Json::object();
  for (const spec::Key& key : topology::kind_of(catalogue.kinds, n.topology).keys) {
    if (!n.topology.settings.has(key.path)) continue;
    std::visit([&](const auto& value) { keys[std::string(key.path)] = value; },
               n.topology.settings.at(key.path));
  }
  root["network"]["layout"] = layout_json(topology);
  if (spec.traffic.switch_cycle != 0) {
    root["traffic_switch_cycle"] = spec.traffic.switch_cycle;
    if (!spec.traffic.switch_pattern.empty())
      root["traffic_switch_pattern"] = spec.traffic.switch_pattern;
    if (spec.traffic.switch_load > 0) root["traffic_switch_load"] = spec.traffic.switch_load;
  }
  if (spec.simulation.core_clock_ghz > 0) root["core_clock_ghz"] = spec.simulation.core_clock_ghz;
  root["config_yaml"] = yaml;
  Json& channels = root["channels"] = Json::array();
  for (const auto& c : topology.channels()) {
    Json channel = {{"src", index(c.src)}, {"dst", index(c.dst)}, {"class", c.link_class}};
    if (topology.is_grid()) {
      channel["plus"] = c.plus;
      channel["wraparound"] = c.wraparound;
    }
    channels.push_back(std::move(channel));
  }
  return root;
}

Json proof_json(const Simulated& simulated) {
  const deadlock::ProvenNetwork& network = *simulated.proven;
  Json classes = Json::array();
  for (const auto& c : network.relation().vc_classes()) {
    classes.push_back(
        {{"name", c.name}, {"escape", c.escape}, {"first", c.first}, {"count", c.count}});
  }
  Json proof = {{"routing", simulated.label},
                {"algorithm", network.spec().network.routing.algorithm},
                {"result", "proved"},
                {"method", network.certificate().method},
                {"hop_bound", network.certificate().hop_bound},
                {"dependencies", network.certificate().dependencies},
                {"channels", network.topology().channels().size()},
                {"vcs", network.spec().network.router.vcs},
                {"vc_classes", classes},
                {"in_order", network.relation().in_order()},
                {"rtl_hash", simulated.rtl_hash}};
  if (simulated.learned) {
    const std::string text = simulated.learned->text(probed(network, simulated.label));
    proof["agents_hash"] = text_hash(text);
  }
  return proof;
}

Json point_json(const std::string& routing, const std::string& pattern, const engine::RunResult& r,
                const deadlock::ProvenNetwork& proven) {
  const spec::Spec& spec = proven.spec();
  const spec::NetworkSpec& network = spec.network;
  const double flit_time = network.link.cycles_per_flit.value();
  Json p;
  p["routing"] = routing;
  p["pattern"] = pattern;
  p["offered_load"] = r.offered_load;
  p["accepted_load"] = number_json(r.accepted_load);
  p["accepted_flits_per_core_cycle"] = number_json(r.accepted_flits_per_cycle);
  p["saturated"] = r.saturated;
  if (spec.traffic.source_queue_packets != 0)
    p["source_queue_packets"] = spec.traffic.source_queue_packets;
  p["latency_cycles"] = latency_json(r.latency);
  p["network_latency_cycles"] = latency_json(r.network_latency);
  if (flit_time != 1) {
    p["latency_link_cycles"] = scaled(r.latency, 1 / flit_time);
    p["network_latency_link_cycles"] = scaled(r.network_latency, 1 / flit_time);
  }
  p["hops_mean"] = r.network_latency.packets == 0 ? Json(nullptr) : Json(r.hops_mean);
  const probes::CounterLayout layout = probes::probes_of(proven.family()).layout(network.routing);
  if (layout.section.empty()) p["nonminimal_share"] = r.nonminimal_share;
  p["cycles"] = r.cycles;
  p["warmup_cycles"] = r.warmup_cycles;
  p["measured_cycles"] = r.measured_cycles;
  p["last_delivery_cycle"] = r.last_delivery_cycle;
  if (r.completed) p["completion_cycles"] = r.jobs.empty() ? r.cycles : r.jobs.front().end_cycle;
  if (!r.jobs.empty()) p["jobs"] = jobs_json(r.jobs, spec.job.clock_ghz, r.messages);
  p["stopped"] = r.stopped;
  p["packets"] = {{"injected", r.injected},
                  {"delivered", r.delivered},
                  {"in_flight", r.in_flight},
                  {"lost", r.lost}};
  for (std::size_t c = 0; r.by_class.size() > 1 && c < r.by_class.size(); ++c) {
    const engine::ClassPackets& packets = r.by_class[c];
    Json& of_class = p["packets"]["by_class"][network.router.message_classes[c]];
    of_class = {{"injected", packets.injected}, {"delivered", packets.delivered}};
    if (packets.delivered > 0)
      of_class["network_latency_cycles"] =
          static_cast<double>(packets.latency_sum) / static_cast<double>(packets.delivered);
  }
  if (r.messages) {
    Json messages = {{"sent", r.messages->sent},
                     {"completed", r.messages->completed},
                     {"bytes", r.messages->bytes_written}};
    messages.update(interfaces_json(r.messages->interfaces));
    p["messages"] = std::move(messages);
  }
  if (network.congestion.enabled)
    p["congestion"] = {{"marked", r.congestion.marked},
                       {"notified", r.congestion.sent},
                       {"heard", r.congestion.heard}};
  if (r.hot_and_others)
    p["accepted_load_by_destination"] = {{"hot", r.hot_and_others->first},
                                         {"others", r.hot_and_others->second}};
  if (network.router.checks) {
    const std::size_t causes =
        network.packet.poison ? engine::kDropCauses : engine::kRouterDropCauses;
    for (std::size_t cause = 0; cause < causes; ++cause)
      p["packets"]["dropped"][std::string(engine::kDropNames[cause])] = r.dropped[cause];
    if (spec.fault.header_flips > 0) p["packets"]["damaged"] = r.damaged;
  }
  if (network.router.watchdog_cycles > 0) p["stuck_vcs"] = r.stuck_vcs;
  p["drain_cycles"] = r.drain_cycles;
  p["failures"] = r.failures;
  p["seed"] = r.seed;
  const auto any = [](const auto& checked) { return checked.second != 0; };
  if (std::any_of(r.checked.begin(), r.checked.end(), any)) {
    for (const auto& [what, number] : r.checked) p["learning_check"][what] = number;
  }
  p["fairness"] = fairness_json(r.fairness);
  Json& bins = p["histogram"] = Json::array();
  for (const auto& bin : r.histogram.bins()) bins.push_back({bin.upper, bin.count});
  if (!layout.section.empty()) {
    p[layout.section] = {{"measured", totals_json(layout, r.measured.counts)},
                         {"whole_run", totals_json(layout, r.whole.counts)}};
  }
  const double load_of = flit_time / r.active_terminals;
  if (!r.settling.empty()) {
    p["settling"] = settling_json(r.settling, spec.simulation.core_clock_ghz, load_of);
  }
  Json& series = p["time_series"] = Json::array();
  for (const auto& row : r.series) {
    series.push_back({{"cycle", row.cycle},
                      {"offered", row.offered * load_of},
                      {"accepted", row.accepted * load_of},
                      {"latency", row.mean_latency > 0 ? Json(row.mean_latency) : Json(nullptr)},
                      {"in_flight", row.in_flight}});
    for (const probes::Field& field : layout.series) {
      if (field.over.empty() || row.counts[field.over] != 0)
        series.back()[field.key] = field_json(field, row.counts);
    }
  }
  if (!r.map.empty()) p["contention_map"] = {{"window_cycles", r.map_window}, {"rows", r.map}};
  p["link_utilisation"] = r.link_utilisation;
  Json& routers = p["routers"] = Json::array();
  for (std::size_t i = 0; i < r.routers.size(); ++i) {
    const auto& c = r.routers[i];
    routers.push_back(
        {{"router", i},
         {"flits_in", c.flits_in},
         {"flits_out", c.flits_out},
         {"packets_out", c.packets_out},
         {"stalled_port_cycles", c.stalled_cycles},
         {"decisions", c.decisions},
         {"nonminimal_decisions", c.nonminimal},
         {"mean_buffered_flits",
          c.elapsed == 0 ? 0.0
                         : static_cast<double>(c.occupancy_sum) / static_cast<double>(c.elapsed)}});
  }
  return p;
}

Json speed_json(const std::string& routing, const std::string& pattern, const engine::RunResult& r,
                std::size_t routers) {
  const double cycles = static_cast<double>(r.total_cycles);
  Json speed = {{"routing", routing},
                {"pattern", pattern},
                {"offered_load", r.offered_load},
                {"cycles", r.total_cycles},
                {"engine", r.lanes > 1 ? "lanes" : "verilator"},
                {"lanes", r.lanes},
                {"eval_share", number_json(std::min(1.0, r.eval_seconds / r.cpu_seconds))},
                {"network_cycles_per_cpu_s", number_json(cycles / r.cpu_seconds)},
                {"router_cycles_per_cpu_s",
                 number_json(cycles * static_cast<double>(routers) / r.cpu_seconds)},
                {"wall_s", r.wall_seconds},
                {"cpu_s", r.cpu_seconds}};
  if (r.ranks.size() < 2) return speed;
  for (const engine::RankCosts& rank : r.ranks) {
    speed["ranks"].push_back({{"cpu_s", rank.cpu},
                              {"eval_s", rank.eval},
                              {"exchange_s", rank.exchange},
                              {"wait_s", rank.wait},
                              {"messages", rank.messages},
                              {"bytes", rank.bytes}});
  }
  return speed;
}

Json run_speed_json(const Json& points) {
  double cpu = 0, router_cycles = 0;
  for (const Json& p : points) {
    if (!p["router_cycles_per_cpu_s"].is_number()) continue;
    cpu += p["cpu_s"].get<double>();
    router_cycles += p["router_cycles_per_cpu_s"].get<double>() * p["cpu_s"].get<double>();
  }
  return {{"points", points.size()},
          {"cpu_s", cpu},
          {"router_cycles", std::llround(router_cycles)},
          {"router_cycles_per_cpu_s", number_json(router_cycles / cpu)}};
}

}  // namespace hopwise::app
