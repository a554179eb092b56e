// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/names.hpp"
#include "config/validate.hpp"
#include "topology/packet_format.hpp"

namespace hopwise::config {

namespace {

constexpr unsigned kDefaultDepth = 16;
constexpr unsigned kMaxLatency = 10000;           // core cycles, whatever unit the file writes
constexpr unsigned kMaxContentionWindow = 65535;  // core cycles: 16 bits of a configuration word

class Validator {
 public:
  Validator(const NetworkConfig& config, Diagnostics& errors) : c_(config), errors_(errors) {}

  spec::NetworkSpec run() {
    spec_.topology = validate_topology(c_, errors_);
    name();
    link();
    routing();
    packet();
    router();
    buffers();
    return std::move(spec_);
  }

 private:
  void refuse(const char* code, const SourceLocation& where, std::string key, std::string found,
              std::string allowed, std::string hint) {
    errors_.push_back(
        {code, where, std::move(key), std::move(found), std::move(allowed), std::move(hint)});
  }

  bool dragonfly() const { return spec_.topology.kind == spec::TopologyKind::kDragonfly; }

  /// The default name: kind and sizes.
  std::string default_name() const {
    const auto& t = spec_.topology;
    if (!dragonfly()) {
      return fmt::format("{}_{}", kTopologyKinds[static_cast<std::size_t>(t.kind)],
                         fmt::join(t.dims, "x"));
    }
    return fmt::format("dragonfly_{}_{}_{}_{}", t.terminals_per_router,
                       t.dragonfly.routers_per_group, t.dragonfly.global_ports, t.dragonfly.groups);
  }

  void name() {
    if (c_.name.bad()) return;
    if (!c_.name.written()) {
      spec_.name = default_name();
      return;
    }
    spec_.name = c_.name.value;
    const char* allowed = "letters, digits and underscores, at most 40, not starting with a digit";
    if (!is_identifier(spec_.name)) {
      refuse("config.bad-name", c_.name.where, "name", "'" + spec_.name + "'", allowed, "");
    } else if (is_systemverilog_keyword(spec_.name)) {
      refuse("config.bad-name", c_.name.where, "name",
             "the SystemVerilog keyword '" + spec_.name + "'", allowed,
             "the emitted modules carry this name");
    } else if (spec_.name.starts_with("hw_")) {
      refuse("config.bad-name", c_.name.where, "name", "'" + spec_.name + "'",
             "a name that does not start with hw_", "library modules start with hw_");
    }
  }

  void link() {
    spec_.link.terminal_latency_cycles = to_unsigned(c_.terminal_latency);
    spec_.link.cycles_per_flit = c_.cycles_per_flit.value;
    spec_.link.idle_wait = c_.idle_wait.value;
    link_latency();
  }

  /// One of three keys says how long the links are, each in its own unit; the rest of Hopwise knows
  /// core cycles only.
  void link_latency() {
    if (spec_.topology.dims.empty() || c_.cycles_per_flit.bad() || c_.core_clock_ghz.bad()) return;
    const Field<UIntList>& core = c_.link_latency;
    const Field<UIntList>& link = c_.link_latency_link_cycles;
    const Field<Reals>& ns = c_.link_latency_ns;
    if (core.bad() || link.bad() || ns.bad()) return;
    if (core.written() + link.written() + ns.written() > 1) {
      refuse("config.two-units", ns.written() ? ns.where : link.where,
             ns.written() ? "link.latency_ns" : "link.latency_link_cycles",
             "link latencies in two units",
             "one of latency_cycles, latency_link_cycles and latency_ns", "");
      return;
    }
    const auto up = [](double cycles) { return static_cast<unsigned>(std::ceil(cycles - 1e-9)); };
    std::vector<unsigned> cycles{1};
    bool scalar = true;
    SourceLocation where = core.where;
    std::string key = "link.latency_cycles";
    if (core.written()) {
      cycles = to_unsigned(core.value.values);
      scalar = core.value.scalar;
    } else if (link.written()) {
      cycles.clear();
      for (const auto v : link.value.values)
        cycles.push_back(up(static_cast<double>(v) * c_.cycles_per_flit.value.value()));
      scalar = link.value.scalar;
      where = link.where;
      key = "link.latency_link_cycles";
    } else if (ns.written()) {
      cycles.clear();
      for (const double v : ns.value)
        cycles.push_back(std::max(1u, up(v * c_.core_clock_ghz.value)));
      scalar = cycles.size() == 1;
      where = ns.where;
      key = "link.latency_ns";
    }
    for (const unsigned c : cycles) {
      if (c <= kMaxLatency) continue;
      refuse("config.out-of-range", where, key, fmt::format("{} core cycles", c),
             fmt::format("up to {} core cycles", kMaxLatency), "");
      return;
    }
    // a dragonfly's two are local and global
    const std::size_t entries = spec_.topology.dims.size();
    spec_.link.latency_cycles = cycles;
    if (scalar) {
      spec_.link.latency_cycles.assign(entries, cycles.at(0));
    } else if (cycles.size() != entries) {
      refuse("config.wrong-length", where, key, count_entries(cycles.size()),
             count_entries(entries) + (dragonfly() ? ", [local, global]" : ", one per dimension"),
             dragonfly() ? "one number alone stands for both"
                         : "one number alone stands for all dimensions");
    }
  }

  void packet() {
    spec_.packet.format = to_enum<spec::PacketFormatKind>(kPacketFormats, c_.format);
    spec_.packet.flit_bits = to_unsigned(c_.flit_bits);
    spec_.packet.max_flits = to_unsigned(c_.max_flits);
    if (spec_.topology.dims.empty() || c_.terminals_per_router.bad() || c_.format.bad() ||
        c_.flit_bits.bad() || c_.max_flits.bad() || c_.algorithm.bad() || c_.q_max_hops.bad() ||
        c_.dqn_max_hops.bad() || c_.dqn_pending.bad()) {
      return;
    }
    const auto format = topology::make_packet_format(
        spec_.topology, spec_.packet, topology::header_state(spec_.topology, spec_.routing));
    if (format.ok()) return;
    for (Diagnostic error : format.errors()) {
      // A limit met by a default is the format's doing, so the error stands where the format does.
      error.where = c_.format.where;
      if (error.key == "packet.flit_bits" && c_.flit_bits.written())
        error.where = c_.flit_bits.where;
      if (error.key == "packet.max_flits" && c_.max_flits.written())
        error.where = c_.max_flits.where;
      if (error.key == "topology.dims") error.where = c_.dims.where;
      errors_.push_back(std::move(error));
    }
  }

  std::string_view algorithm_name() const {
    return kAlgorithms[static_cast<std::size_t>(spec_.routing.algorithm)];
  }
  bool classes_known() const { return !c_.kind.bad() && !c_.algorithm.bad(); }

  void routing() {
    spec_.routing.algorithm = c_.algorithm.written()
                                  ? to_enum<spec::Algorithm>(kAlgorithms, c_.algorithm)
                              : dragonfly() ? spec::Algorithm::kMin
                                            : spec::Algorithm::kDor;
    spec_.routing.dateline = to_enum<spec::Dateline>(kDatelines, c_.dateline);
    if (!c_.kind.bad() && !c_.dateline.bad() && spec_.topology.kind == spec::TopologyKind::kMesh &&
        spec_.routing.dateline == spec::Dateline::kBalanced) {
      refuse("config.dateline-on-mesh", c_.dateline.where, "routing.dateline", "balanced",
             "classic on a mesh", "a mesh has no wraparound link, and so no dateline");
    }
    adaptive();
    if (dragonfly() && !spec::learns_q(spec_.routing.algorithm))
      spec_.routing.route_cycles = to_unsigned(c_.route_cycles);
    if (!classes_known() || !algorithm_fits()) return;
    spec_.routing.q = validate_q(c_, spec_, errors_);
    spec_.routing.dqn = validate_dqn(c_, spec_, errors_);
    class_names_ = vc_class_names(spec_.topology, spec_.routing);
    if (c_.vcs_per_class.bad() || c_.vcs.bad()) return;
    if (c_.vcs_per_class.written()) {
      written_classes();
    } else {
      derived_classes();
    }
  }

  /// The names of the routings that a topology has.
  static std::string routings_of(spec::TopologyKind kind) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < kAlgorithms.size(); ++i) {
      if (is_routing_of(static_cast<spec::Algorithm>(i), kind)) names.push_back(kAlgorithms[i]);
    }
    return join_names(names);
  }

  /// The topology has the routing.
  bool algorithm_fits() {
    const spec::Algorithm algorithm = spec_.routing.algorithm;
    if (!is_routing_of(algorithm, spec_.topology.kind)) {
      refuse("config.routing-topology", c_.algorithm.where, "routing.algorithm",
             fmt::format("{} on a {}", c_.algorithm.value, c_.kind.value),
             fmt::format("{} on a {}", routings_of(spec_.topology.kind), c_.kind.value), "");
      return false;
    }
    constexpr unsigned kLeastGroups = 3;
    if (dragonfly() && algorithm != spec::Algorithm::kMin && !spec_.topology.dims.empty() &&
        spec_.topology.dragonfly.groups < kLeastGroups) {
      refuse("config.too-few-groups", c_.algorithm.where, "routing.algorithm",
             fmt::format("{} with {} groups", c_.algorithm.value, spec_.topology.dragonfly.groups),
             "min, or groups: 3 and more", "a non-minimal path leads through a third group");
      return false;
    }
    if (dragonfly() && contention() && spec_.topology.dragonfly.group_rows > 1) {
      refuse("config.routing-topology", c_.algorithm.where, "routing.algorithm",
             fmt::format("ugal_le with group_rows: {}", spec_.topology.dragonfly.group_rows),
             "group_rows: 1 with ugal_le; ugal_ln takes any",
             "contention counters see the routers of a group over the local links that join all of "
             "them");
      return false;
    }
    return true;
  }

  void adaptive() {
    spec::AdaptiveSpec& a = spec_.routing.adaptive;
    a.minimal_candidates = to_unsigned(c_.minimal_candidates);
    a.nonminimal_candidates = to_unsigned(c_.nonminimal_candidates);
    a.bias_flits = static_cast<int>(c_.bias_flits.value);
    if (!c_.bias_flits.bad() && a.bias_flits != c_.bias_flits.value) {
      refuse("config.wrong-type", c_.bias_flits.where, "routing.bias_flits",
             fmt::format("{}", c_.bias_flits.value), "an integer from -32768 to 32767", "");
    }
    a.queue_metric = to_enum<spec::QueueMetric>(kQueueMetrics, c_.queue_metric);
    a.hop_metric = to_enum<spec::HopMetric>(kHopMetrics, c_.hop_metric);
    a.reconsider = c_.reconsider.written() ? c_.reconsider.value
                                           : spec_.routing.algorithm == spec::Algorithm::kPar;
    a.contention_window_link_cycles = to_unsigned(c_.contention_window);
    a.contention_threshold = to_unsigned(c_.contention_threshold);
    a.contention_count = to_enum<spec::ContentionCount>(kContentionCounts, c_.contention_count);
    const spec::Algorithm algorithm = spec_.routing.algorithm;
    if (spec::learns_bias(algorithm)) {
      a.learning_rate = c_.learning_rate.written()           ? c_.learning_rate.value
                        : algorithm == spec::Algorithm::kDgb ? 0.1
                                                             : 0.001;
    }
    if (c_.reconsider.written() && a.reconsider && !c_.algorithm.bad() &&
        !is_adaptive(spec_.routing.algorithm)) {
      refuse("config.no-choice", c_.reconsider.where, "routing.reconsider",
             fmt::format("true with {}", c_.algorithm.value), "an adaptive routing: ugal_*, par",
             "a routing without a choice has nothing to reconsider");
    }
    if (c_.reconsider.written() && a.reconsider && !c_.algorithm.bad() && contention()) {
      refuse("config.no-choice", c_.reconsider.where, "routing.reconsider", "true with ugal_le",
             "false with ugal_le",
             "a router counts the flows of its own terminals, so routers on the way have no count "
             "to decide with");
    }
    contention_window();
  }

  bool contention() const { return spec::counts_contention(spec_.routing.algorithm); }

  void contention_window() {
    if (!contention() || c_.algorithm.bad() || c_.contention_window.bad() ||
        c_.cycles_per_flit.bad())
      return;
    const double link_cycle = c_.cycles_per_flit.value.value();
    const double cycles = spec_.routing.adaptive.contention_window_link_cycles * link_cycle;
    if (cycles <= kMaxContentionWindow) return;
    refuse("config.out-of-range", c_.contention_window.where,
           "routing.contention_window_link_cycles",
           fmt::format("{} = {:.0f} core cycles", c_.contention_window.value, std::ceil(cycles)),
           fmt::format("up to {}: {} core cycles", std::floor(kMaxContentionWindow / link_cycle),
                       kMaxContentionWindow),
           "");
  }

  std::string classes_text() const { return fmt::format("{}", fmt::join(class_names_, ", ")); }

  void written_classes() {
    const auto& written = c_.vcs_per_class.value.values;
    spec_.routing.vcs_per_class = to_unsigned(written);
    const std::uint64_t sum = std::accumulate(written.begin(), written.end(), std::uint64_t{0});
    if (written.size() != class_names_.size()) {
      refuse("config.wrong-length", c_.vcs_per_class.where, "routing.vcs_per_class",
             count_entries(written.size()),
             fmt::format("{}, for {}", count_entries(class_names_.size()), classes_text()), "");
    }
    if (c_.vcs.written() && sum != c_.vcs.value) {
      refuse("config.vcs-sum", c_.vcs_per_class.where, "routing.vcs_per_class",
             fmt::format("a sum of {}", sum),
             fmt::format("a sum of {}, which router.vcs asks for", c_.vcs.value),
             "without router.vcs the sum counts");
    } else if (sum > kMaxVcs) {
      refuse("config.out-of-range", c_.vcs_per_class.where, "routing.vcs_per_class",
             fmt::format("a sum of {}", sum), fmt::format("a sum of up to {}", kMaxVcs), "");
    }
    spec_.router.vcs = static_cast<unsigned>(sum);
  }

  void derived_classes() {
    const auto classes = static_cast<unsigned>(class_names_.size());
    const unsigned vcs = c_.vcs.written() ? to_unsigned(c_.vcs) : classes;
    spec_.router.vcs = vcs;
    if (vcs < classes) {
      refuse("config.too-few-vcs", c_.vcs.where, "router.vcs", fmt::format("{}", vcs),
             fmt::format("{} or more: {} on a {} needs {}", classes, algorithm_name(),
                         c_.kind.value, classes_text()),
             "");
      return;
    }
    auto& per_class = spec_.routing.vcs_per_class;
    if (class_names_.back() == "adaptive") {
      per_class.assign(classes, 1);
      per_class.back() = vcs - (classes - 1);
    } else {
      for (unsigned i = 0; i < classes; ++i)
        per_class.push_back(vcs / classes + (i < vcs % classes ? 1 : 0));
    }
  }

  void router() {
    spec::RouterSpec& r = spec_.router;
    r.switching = to_enum<spec::Switching>(kSwitchings, c_.switching);
    r.output_queue_flits = to_unsigned(c_.output_queue);
    r.allocator = to_enum<spec::AllocatorKind>(kAllocators, c_.allocator_kind);
    r.allocator_iterations = to_unsigned(c_.allocator_iterations);
    r.arbiter = to_enum<spec::ArbiterKind>(kArbiters, c_.arbiter);
    r.granularity = to_enum<spec::Granularity>(kGranularities, c_.granularity);
    r.pipeline_cycles = to_unsigned(c_.pipeline_cycles);
    r.counters = c_.counters.value;
    if (r.switching == spec::Switching::kWormhole && !c_.pipeline_cycles.bad() &&
        r.pipeline_cycles > 3) {
      refuse("config.pipeline-wormhole", c_.pipeline_cycles.where, "router.pipeline_cycles",
             std::to_string(r.pipeline_cycles), "2 or 3 with router.switching: wormhole",
             "a request from a register does not see the last credit taken");
    }
    if (spec_.link.idle_wait && !c_.output_queue.bad() && r.output_queue_flits <= 1) {
      refuse("config.output-queue-too-shallow", c_.idle_wait.where, "link.idle_wait",
             "true without output queues", "false, or router.output_queue_flits of 2 and more",
             "a flit waits for its link in an output queue");
    }
  }

  /// Under virtual cut-through and store-and-forward, whatever a packet enters holds all of it.
  void room_for_packets() {
    const unsigned longest = spec_.packet.max_flits;
    if (c_.switching.bad() || c_.max_flits.bad() ||
        spec_.router.switching == spec::Switching::kWormhole)
      return;
    if (!c_.output_queue.bad() && c_.output_queue.value > 1 && c_.output_queue.value < longest) {
      refuse("config.output-queue-too-shallow", c_.output_queue.where, "router.output_queue_flits",
             fmt::format("{}", c_.output_queue.value),
             fmt::format("0, 1, or {} and more: the longest packet under {}", longest,
                         c_.switching.value),
             "a packet enters the output queue only where all of it fits");
    }
    if (!c_.vc_depth.written()) return;
    const UIntList& depths = c_.vc_depth.value;
    for (std::size_t i = 0; i < depths.values.size(); ++i) {
      if (depths.values[i] >= longest) continue;
      refuse("config.vc-too-shallow", c_.vc_depth.items[i],
             depths.scalar ? "router.vc_depth_flits" : fmt::format("router.vc_depth_flits[{}]", i),
             fmt::format("{}", depths.values[i]),
             fmt::format("{} or more: the longest packet under {}", longest, c_.switching.value),
             "a packet advances only where the downstream VC has room for all of it");
    }
  }

  void buffers() {
    room_for_packets();
    if (c_.vc_depth.bad() || class_names_.empty()) return;
    std::vector<unsigned> depths;
    if (!c_.vc_depth.written()) {
      const bool wormhole = spec_.router.switching == spec::Switching::kWormhole;
      const unsigned two_packets = 2 * spec_.packet.max_flits;
      depths.assign(class_names_.size(),
                    wormhole ? kDefaultDepth : std::max(kDefaultDepth, two_packets));
    } else if (c_.vc_depth.value.scalar) {
      depths.assign(class_names_.size(), static_cast<unsigned>(c_.vc_depth.value.values.at(0)));
    } else {
      depths = to_unsigned(c_.vc_depth.value.values);
      if (depths.size() != class_names_.size()) {
        refuse("config.wrong-length", c_.vc_depth.where, "router.vc_depth_flits",
               count_entries(depths.size()),
               fmt::format("{}, for {}", count_entries(class_names_.size()), classes_text()),
               "one number alone stands for all classes");
      }
    }
    const auto& per_class = spec_.routing.vcs_per_class;
    for (std::size_t i = 0; i < per_class.size() && i < depths.size(); ++i) {
      spec_.router.vc_depth_flits.insert(spec_.router.vc_depth_flits.end(), per_class[i],
                                         depths[i]);
    }
    spec_.routing.dor_bias_flits = c_.dor_bias.written()
                                       ? to_unsigned(c_.dor_bias)
                                       : *std::max_element(depths.begin(), depths.end()) / 2;
  }

  const NetworkConfig& c_;
  Diagnostics& errors_;
  spec::NetworkSpec spec_;
  std::vector<std::string> class_names_;
};

}  // namespace

bool is_routing_of(spec::Algorithm algorithm, spec::TopologyKind kind) {
  switch (algorithm) {
    case spec::Algorithm::kDor:
    case spec::Algorithm::kStarChannel:
    case spec::Algorithm::kValiant: return kind != spec::TopologyKind::kDragonfly;
    case spec::Algorithm::kQRouting: return kind != spec::TopologyKind::kMesh;
    case spec::Algorithm::kDqn: return kind == spec::TopologyKind::kTorus;
    default: return kind == spec::TopologyKind::kDragonfly;
  }
}

bool is_adaptive(spec::Algorithm algorithm) {
  switch (algorithm) {
    case spec::Algorithm::kUgalLg:
    case spec::Algorithm::kUgalLn:
    case spec::Algorithm::kUgalGlobal:
    case spec::Algorithm::kPar:
    case spec::Algorithm::kUgalLe:
    case spec::Algorithm::kDgb:
    case spec::Algorithm::kEdgb: return true;
    default: return false;
  }
}

std::vector<std::string> vc_class_names(const spec::TopologySpec& topology,
                                        const spec::RoutingSpec& routing) {
  if (topology.kind == spec::TopologyKind::kDragonfly && spec::learns_q(routing.algorithm)) {
    constexpr unsigned kMinimalHops = 3, kQAdaptiveHops = 5;
    const unsigned hops = routing.algorithm == spec::Algorithm::kQRouting
                              ? routing.q.max_hops + kMinimalHops
                              : kQAdaptiveHops;
    std::vector<std::string> names;
    for (unsigned i = 0; i < hops; ++i) names.push_back(fmt::format("hop{}", i));
    return names;
  }
  if (topology.kind == spec::TopologyKind::kDragonfly) {
    // Source group, destination group; a group between them; a second way within that group; a
    // second way within the source group.
    unsigned steps = 4;
    if (routing.algorithm == spec::Algorithm::kMin) steps = 2;
    if (routing.algorithm == spec::Algorithm::kValg ||
        routing.algorithm == spec::Algorithm::kUgalLg)
      steps = 3;
    if (routing.adaptive.reconsider) ++steps;
    std::vector<std::string> names;
    for (unsigned i = 0; i < steps; ++i) names.push_back(fmt::format("step{}", i));
    return names;
  }
  std::vector<std::string> names{"escape0"};
  if (topology.kind == spec::TopologyKind::kTorus) names.emplace_back("escape1");
  if (routing.algorithm == spec::Algorithm::kStarChannel ||
      routing.algorithm == spec::Algorithm::kDqn || spec::learns_q(routing.algorithm))
    names.emplace_back("adaptive");
  if (routing.algorithm == spec::Algorithm::kValiant) {
    names.emplace_back("second0");
    if (topology.kind == spec::TopologyKind::kTorus) names.emplace_back("second1");
  }
  return names;
}

spec::NetworkSpec validate_network(const NetworkConfig& config, Diagnostics& errors) {
  return Validator(config, errors).run();
}

}  // namespace hopwise::config
