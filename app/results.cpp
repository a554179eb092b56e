// SPDX-License-Identifier: Apache-2.0
#include "app/results.hpp"

#include "app/agents.hpp"
#include "config/keys.hpp"

#include <algorithm>
#include <cmath>

namespace hopwise::app {

using Json = nlohmann::ordered_json;

namespace {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json latency_json(const engine::LatencySummary& s) {
  return {{"mean", number(s.mean)}, {"ci95", number(s.ci95)}, {"stdev", s.stdev}, {"p50", s.p50},
          {"p95", s.p95},           {"p99", s.p99},           {"p999", s.p999},   {"max", s.max}};
}

Json scaled(const engine::LatencySummary& s, double by) {
  return {{"mean", number(s.mean * by)},
          {"ci95", number(s.ci95 * by)},
          {"p50", static_cast<double>(s.p50) * by},
          {"p95", static_cast<double>(s.p95) * by},
          {"p99", static_cast<double>(s.p99) * by},
          {"p999", static_cast<double>(s.p999) * by},
          {"max", static_cast<double>(s.max) * by}};
}

std::size_t terminals_of(const spec::NetworkSpec& network, const engine::RunResult& r) {
  return network.topology.terminals_per_router * std::max<std::size_t>(1, r.routers.size());
}

double ratio(std::uint64_t part, std::uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(part) / static_cast<double>(of);
}

/// What routers with a table counted in one or more windows.
Json learning_json(const measure::Window& w) {
  const measure::Learning& l = w.learning;
  return {{"decisions", w.decisions},
          {"nonminimal", ratio(w.nonminimal, w.decisions)},
          {"explored", ratio(l.explored, w.decisions)},
          {"best_value", ratio(l.best_value, w.decisions)},
          {"minimal_value", ratio(l.minimal_value, w.decisions)},
          {"updates", l.updates},
          {"dropped", l.dropped},
          {"saturated", l.saturated}};
}

Json proposals_json(const measure::Window& w) {
  const measure::Proposals& p = w.proposals;
  const auto share = [&](std::uint64_t n) {
    return w.decisions == 0 ? 0.0 : static_cast<double>(n) / static_cast<double>(w.decisions);
  };
  return {{"proposals", w.decisions},
          {"accepted_share", share(p.accepted)},
          {"nonminimal_share", share(w.nonminimal)},
          {"explored_share", share(p.explored)},
          {"engine_wait_cycles_mean", share(p.wait_cycles)},
          {"turned", p.turned},
          {"forced", p.forced},
          {"rewards", p.rewards},
          {"untracked", p.untracked},
          {"acknowledges_dropped", p.dropped},
          {"acknowledges_stale", p.stale},
          {"entries_expired", p.expired}};
}

Json learning_row(const measure::TimeSeries::Row& row) {
  Json json = {{"decisions", row.decisions},
               {"updates", row.updates},
               {"dropped", row.dropped},
               {"saturated", row.saturated}};
  if (row.decisions != 0) {
    json.update({{"nonminimal", row.nonminimal},
                 {"explored", row.explored},
                 {"best_value", row.best_value},
                 {"minimal_value", row.minimal_value}});
  }
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

}  // namespace

Json network_json(const spec::Spec& spec, const topology::Topology& topology,
                  const routing::Family& family, const std::string& yaml) {
  Json root;
  root["hopwise"] = HOPWISE_VERSION;
  const auto& n = spec.network;
  root["network"] = {{"name", n.name},
                     {"kind", config::kTopologyKinds[static_cast<std::size_t>(n.topology.kind)]},
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
                     {"route_cycles", family.route_cycles(n.routing)},
                     {"arbiter", config::kArbiters[static_cast<std::size_t>(n.router.arbiter)]}};
  if (n.topology.kind == spec::TopologyKind::kDragonfly) {
    const auto& d = n.topology.dragonfly;
    root["network"]["dragonfly"] = {
        {"routers_per_group", d.routers_per_group},
        {"groups", d.groups},
        {"global_ports", d.global_ports},
        {"links_per_group_pair", d.links_per_group_pair},
        {"group_rows", d.group_rows},
        {"arrangement", config::kArrangements[static_cast<std::size_t>(d.arrangement)]}};
  }
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
    channels.push_back({{"src", index(c.src)},
                        {"dst", index(c.dst)},
                        {"dim", c.dim},
                        {"plus", c.plus},
                        {"wraparound", c.wraparound},
                        {"global", c.kind == topology::ChannelKind::kGlobal}});
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
                {"algorithm", network.relation().name()},
                {"result", "proved"},
                {"method", network.certificate().method},
                {"hop_bound", network.certificate().hop_bound},
                {"dependencies", network.certificate().dependencies},
                {"channels", network.topology().channels().size()},
                {"vcs", network.spec().network.router.vcs},
                {"vc_classes", classes},
                {"in_order", network.relation().in_order()},
                {"rtl_hash", simulated.rtl_hash}};
  if (simulated.agents) proof["agents_hash"] = agents_hash(*simulated.agents);
  return proof;
}

Json point_json(const std::string& routing, const std::string& pattern, const engine::RunResult& r,
                const spec::Spec& spec) {
  const spec::NetworkSpec& network = spec.network;
  const double flit_time = network.link.cycles_per_flit.value();
  Json p;
  p["routing"] = routing;
  p["pattern"] = pattern;
  p["offered_load"] = r.offered_load;
  p["accepted_load"] = number(r.accepted_load);
  p["accepted_flits_per_core_cycle"] = number(r.accepted_flits_per_cycle);
  p["saturated"] = r.saturated;
  if (spec.traffic.source_queue_packets != 0)
    p["source_queue_packets"] = spec.traffic.source_queue_packets;
  p["latency_cycles"] = latency_json(r.latency);
  p["network_latency_cycles"] = latency_json(r.network_latency);
  if (flit_time != 1) {
    p["latency_link_cycles"] = scaled(r.latency, 1 / flit_time);
    p["network_latency_link_cycles"] = scaled(r.network_latency, 1 / flit_time);
  }
  p["hops_mean"] = r.hops_mean;
  // Heads of learned routings do not tell; see `learning` and `proposals` for the share of
  // decisions.
  const bool proposes = network.routing.settings.has("dqn_macs");
  if (!network.routing.settings.has("q_alpha") && !proposes)
    p["nonminimal_share"] = r.nonminimal_share;
  p["cycles"] = r.cycles;
  p["warmup_cycles"] = r.warmup_cycles;
  p["measured_cycles"] = r.measured_cycles;
  p["stopped"] = r.stopped;
  p["packets"] = {{"injected", r.injected},
                  {"delivered", r.delivered},
                  {"in_flight", r.in_flight},
                  {"lost", r.lost}};
  p["drain_cycles"] = r.drain_cycles;
  p["failures"] = r.failures;
  p["seed"] = r.seed;
  if (r.checked_decisions + r.checked_updates + r.checked_rewards != 0) {
    p["learning_check"] = {{"decisions", r.checked_decisions},
                           {"updates", r.checked_updates},
                           {"rewards", r.checked_rewards}};
    if (network.routing.settings.has("q_alpha"))
      p["learning_check"]["feedbacks"] = r.checked_feedbacks;
  }
  p["fairness"] = {{"min", r.fairness_min},
                   {"max", r.fairness_max},
                   {"mean", r.fairness_mean},
                   {"jain", r.fairness_jain}};
  Json& bins = p["histogram"] = Json::array();
  for (const auto& bin : r.histogram.bins()) bins.push_back({bin.upper, bin.count});
  const bool table = network.routing.settings.has("q_alpha");
  if (table)
    p["learning"] = {{"measured", learning_json(r.measured)},
                     {"whole_run", learning_json(r.whole)}};
  if (proposes)
    p["proposals"] = {{"measured", proposals_json(r.measured)},
                      {"whole_run", proposals_json(r.whole)}};
  if (!r.settling.empty()) {
    const double load_of = flit_time / static_cast<double>(terminals_of(network, r));
    p["settling"] = settling_json(r.settling, spec.simulation.core_clock_ghz, load_of);
  }
  Json& series = p["time_series"] = Json::array();
  const auto terminals = static_cast<double>(terminals_of(network, r));
  for (const auto& row : r.series) {
    series.push_back({{"cycle", row.cycle},
                      {"accepted", row.accepted * flit_time / terminals},
                      {"latency", row.mean_latency},
                      {"in_flight", row.in_flight}});
    if (row.watched_packets != 0) series.back()["path_queue"] = row.path_queue;
    if (table) series.back().update(learning_row(row));
    if (proposes && row.decisions != 0) series.back()["nonminimal"] = row.nonminimal;
    if (row.decisions == 0 || table || proposes) continue;
    series.back().update({{"nonminimal", row.nonminimal},
                          {"minimal_queue", row.minimal_queue},
                          {"minimal_estimate", row.minimal_estimate},
                          {"contention", row.contention}});
    if (network.routing.settings.has("learning_rate")) series.back()["bias"] = row.bias;
  }
  if (!r.contention_map.empty())
    p["contention_map"] = {{"window_cycles", r.map_window}, {"rows", r.contention_map}};
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
  return {
      {"routing", routing},
      {"pattern", pattern},
      {"offered_load", r.offered_load},
      {"cycles", r.total_cycles},
      {"network_cycles_per_cpu_s", number(cycles / r.cpu_seconds)},
      {"router_cycles_per_cpu_s", number(cycles * static_cast<double>(routers) / r.cpu_seconds)},
      {"wall_s", r.wall_seconds},
      {"cpu_s", r.cpu_seconds}};
}

}  // namespace hopwise::app
