// SPDX-License-Identifier: Apache-2.0
#include "config/canonical.hpp"

#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/keys.hpp"
#include "config/validate.hpp"

namespace hopwise::config {

namespace {

template <class Enum>
std::string_view name_of(std::span<const std::string_view> names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

/// The depth of each VC class: all VCs of a class have the same.
std::vector<unsigned> depth_per_class(const spec::NetworkSpec& spec) {
  std::vector<unsigned> depths;
  std::size_t vc = 0;
  for (const unsigned count : spec.routing.vcs_per_class) {
    depths.push_back(spec.router.vc_depth_flits.at(vc));
    vc += count;
  }
  return depths;
}

/// The keys of learned routing that the routing knows.
std::string q_yaml(const spec::RoutingSpec& routing) {
  const spec::QSpec& q = routing.q;
  const bool everywhere = routing.algorithm == spec::Algorithm::kQRouting;
  std::string out = fmt::format("  q_alpha: {}\n", q.alpha);
  out += fmt::format("  q_beta: {}\n", q.beta);
  out += fmt::format("  q_epsilon: {}\n", q.epsilon);
  if (everywhere) {
    out += fmt::format("  q_max_hops: {}\n", q.max_hops);
  } else {
    out += fmt::format("  q_threshold_source: {}\n", q.threshold_source);
    out += fmt::format("  q_threshold_intermediate: {}\n", q.threshold_intermediate);
  }
  out += fmt::format("  q_value_bits: {}\n", q.value_bits);
  out += fmt::format("  q_fraction_bits: {}\n", q.fraction_bits);
  out += fmt::format("  q_table_cycles: {}\n", q.table_cycles);
  out += fmt::format("  q_initial: {}\n", name_of(kQInitials, q.initial));
  out += fmt::format("  q_feedback: {}\n", name_of(kQFeedbacks, q.feedback));
  if (!everywhere) out += fmt::format("  q_local_detours: {}\n", q.local_detours);
  out += fmt::format("  q_queues: {}\n", q.queues);
  if (!everywhere) out += fmt::format("  q_progressive: {}\n", q.progressive);
  return out;
}

std::string dqn_yaml(const spec::DqnSpec& d) {
  std::string out = fmt::format("  dqn_hidden: [{}]\n", fmt::join(d.hidden, ", "));
  out += fmt::format("  dqn_macs: {}\n", d.macs);
  out += fmt::format("  dqn_zero_time: {}\n", d.zero_time);
  out += fmt::format("  dqn_observation: {}\n", name_of(kDqnObservations, d.observation));
  out += fmt::format("  dqn_mask: {}\n", name_of(kDqnMasks, d.mask));
  out += fmt::format("  dqn_pending: {}\n", d.pending);
  out += fmt::format("  dqn_max_hops: {}\n", d.max_hops);
  out += fmt::format("  dqn_ack_ratio: {}\n", d.ack_ratio);
  out += fmt::format("  dqn_epsilon: {}\n", d.epsilon);
  out += fmt::format("  dqn_patient: {}\n", d.patient);
  return out;
}

}  // namespace

std::string canonical_yaml(const spec::NetworkSpec& spec) {
  const spec::Rational rate = spec.link.cycles_per_flit;
  std::string out = fmt::format("name: \"{}\"\n", spec.name);
  out += "topology:\n";
  out += fmt::format("  kind: {}\n", name_of(kTopologyKinds, spec.topology.kind));
  if (spec.topology.kind == spec::TopologyKind::kDragonfly) {
    const spec::DragonflySpec& d = spec.topology.dragonfly;
    out += fmt::format("  routers_per_group: {}\n", d.routers_per_group);
    out += fmt::format("  global_ports: {}\n", d.global_ports);
    out += fmt::format("  groups: {}\n", d.groups);
    out += fmt::format("  links_per_group_pair: {}\n", d.links_per_group_pair);
    out += fmt::format("  group_rows: {}\n", d.group_rows);
    out += fmt::format("  arrangement: {}\n", name_of(kArrangements, d.arrangement));
  } else {
    out += fmt::format("  dims: [{}]\n", fmt::join(spec.topology.dims, ", "));
  }
  out += fmt::format("  terminals_per_router: {}\n", spec.topology.terminals_per_router);
  out += "link:\n";
  out += fmt::format("  latency_cycles: [{}]\n", fmt::join(spec.link.latency_cycles, ", "));
  out += fmt::format("  terminal_latency_cycles: {}\n", spec.link.terminal_latency_cycles);
  if (spec.link.idle_wait) out += "  idle_wait: true\n";
  out += fmt::format("  cycles_per_flit: {}\n", rate.den == 1
                                                    ? fmt::format("{}", rate.num)
                                                    : fmt::format("{}/{}", rate.num, rate.den));
  out += "packet:\n";
  out += fmt::format("  format: {}\n", name_of(kPacketFormats, spec.packet.format));
  out += fmt::format("  flit_bits: {}\n", spec.packet.flit_bits);
  out += fmt::format("  max_flits: {}\n", spec.packet.max_flits);
  out += "router:\n";
  out += fmt::format("  switching: {}\n", name_of(kSwitchings, spec.router.switching));
  out += fmt::format("  vcs: {}\n", spec.router.vcs);
  out += fmt::format("  vc_depth_flits: [{}]\n", fmt::join(depth_per_class(spec), ", "));
  out += fmt::format("  output_queue_flits: {}\n", spec.router.output_queue_flits);
  out += "  allocator:\n";
  out += fmt::format("    kind: {}\n", name_of(kAllocators, spec.router.allocator));
  out += fmt::format("    iterations: {}\n", spec.router.allocator_iterations);
  if (spec.router.arbiter != spec::ArbiterKind::kRoundRobin)
    out += fmt::format("    arbiter: {}\n", name_of(kArbiters, spec.router.arbiter));
  out += fmt::format("    granularity: {}\n", name_of(kGranularities, spec.router.granularity));
  out += fmt::format("  pipeline_cycles: {}\n", spec.router.pipeline_cycles);
  out += fmt::format("  counters: {}\n", spec.router.counters);
  out += "routing:\n";
  out += fmt::format("  algorithm: {}\n", name_of(kAlgorithms, spec.routing.algorithm));
  out += fmt::format("  dateline: {}\n", name_of(kDatelines, spec.routing.dateline));
  out += fmt::format("  vcs_per_class: [{}]\n", fmt::join(spec.routing.vcs_per_class, ", "));
  out += fmt::format("  dor_bias_flits: {}\n", spec.routing.dor_bias_flits);
  if (spec.routing.route_cycles > 0)
    out += fmt::format("  route_cycles: {}\n", spec.routing.route_cycles);
  if (is_adaptive(spec.routing.algorithm)) {
    const spec::AdaptiveSpec& a = spec.routing.adaptive;
    out += fmt::format("  minimal_candidates: {}\n", a.minimal_candidates);
    out += fmt::format("  nonminimal_candidates: {}\n", a.nonminimal_candidates);
    out += fmt::format("  bias_flits: {}\n", a.bias_flits);
    out += fmt::format("  queue_metric: {}\n", name_of(kQueueMetrics, a.queue_metric));
    out += fmt::format("  hop_metric: {}\n", name_of(kHopMetrics, a.hop_metric));
    out += fmt::format("  reconsider: {}\n", a.reconsider);
    if (spec::counts_contention(spec.routing.algorithm)) {
      out += fmt::format("  contention_window_link_cycles: {}\n", a.contention_window_link_cycles);
      out += fmt::format("  contention_threshold: {}\n", a.contention_threshold);
      out +=
          fmt::format("  contention_count: {}\n", name_of(kContentionCounts, a.contention_count));
    }
    if (a.learning_rate > 0) out += fmt::format("  learning_rate: {}\n", a.learning_rate);
  }
  if (spec::learns_q(spec.routing.algorithm)) out += q_yaml(spec.routing);
  if (spec.routing.algorithm == spec::Algorithm::kDqn) out += dqn_yaml(spec.routing.dqn);
  return out;
}

std::string hash_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return fmt::format("{:016x}", hash);
}

}  // namespace hopwise::config
