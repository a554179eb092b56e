// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/validate.hpp"
#include "topology/packet_format.hpp"

namespace hopwise::config {

namespace {

class RunValidator : SectionValidator {
 public:
  RunValidator(const KeyTable& table, const NetworkConfig& config, spec::Spec& spec,
               Diagnostics& errors)
      : SectionValidator(table, config, errors), s_(spec) {}

  void run() {
    traffic();
    lengths();
    simulation();
    fault();
    messages();
    resets();
    experiment();
    traffic_switch();
    check_patterns();
  }

 private:
  std::string canonical_pattern(const std::string& word) const {
    return spec::to_string(spec::parse_pattern(table_.patterns(), word).value());
  }
  const spec::PatternDeclaration& pattern_of(const std::string& word) const {
    return spec::pattern_of(table_.patterns(), word);
  }

  /// The first that sends nothing.
  std::string idle_pattern() const {
    for (const spec::PatternDeclaration* pattern : table_.patterns()) {
      if (pattern->idle) return std::string(pattern->name);
    }
    return std::string(table_.patterns().front()->name);
  }

  void traffic() {
    spec::TrafficSpec& t = s_.traffic;
    t.load = c_.load.value;
    t.injection = to_enum<spec::Injection>(kInjections, c_.injection);
    t.on_off_mean_burst_packets = c_.mean_burst.value;
    t.mode = mode(c_.traffic_mode, "traffic.mode", s_.network, c_.traffic_mode.value);
    t.source_queue_packets = c_.source_queue.value;
    t.reply_queue_packets = c_.reply_queue.value;
    t.replies = s_.network.terminal.replies;
    t.flit_bits = s_.network.packet.flit_bits;
    for (const spec::PatternDeclaration* pattern : table_.patterns()) {
      for (const spec::Key& key : pattern->keys) {
        const auto& field = c_.settings.find(key.path)->second;
        if (field.has_value() || (field.bad() && !key.default_yaml.empty()))
          t.settings.set(key.path, field.value);
      }
    }
    t.pattern = table_.patterns().front()->name;
    if (c_.pattern.bad()) return;
    t.pattern = canonical_pattern(c_.pattern.value);
    if (s_.job.any() && !c_.pattern.written()) t.pattern = idle_pattern();
    check_pattern(t.pattern, c_.pattern.where, "traffic.pattern");
  }

  /// The switch of pattern and load in mid-run. Its cycle leaves here in core cycles.
  void traffic_switch() {
    spec::TrafficSpec& t = s_.traffic;
    const bool pattern = c_.switch_pattern.written(), load = c_.switch_load.written();
    if (pattern) {
      t.switch_pattern = canonical_pattern(c_.switch_pattern.value);
      if (pattern_of(t.switch_pattern).replays.empty())
        check_pattern(t.switch_pattern, c_.switch_pattern.where, "traffic.switch_pattern");
    }
    if (load) t.switch_load = c_.switch_load.value;
    if (c_.switch_at.bad() || c_.switch_pattern.bad() || c_.switch_load.bad()) return;
    const std::uint64_t at = c_.switch_at.value;
    if (at == 0 && (pattern || load)) {
      refuse("config.traffic-switch", pattern ? c_.switch_pattern.where : c_.switch_load.where,
             pattern ? "traffic.switch_pattern" : "traffic.switch_load",
             "a switch without its time", "traffic.switch_at_link_cycles above 0", "");
    }
    if (at != 0 && !pattern && !load) {
      refuse("config.traffic-switch", c_.switch_at.where, "traffic.switch_at_link_cycles",
             "a switch of nothing", "traffic.switch_pattern, traffic.switch_load or both", "");
    }
    const auto& patterns = s_.experiment.patterns;
    const auto fixed =
        std::find_if(patterns.begin(), patterns.end(),
                     [this](const std::string& name) { return pattern_of(name).sets_load(); });
    const bool to_fixed = !t.switch_pattern.empty() && pattern_of(t.switch_pattern).sets_load();
    if (to_fixed || (at != 0 && fixed != patterns.end())) {
      const spec::PatternDeclaration& from = pattern_of(to_fixed ? t.switch_pattern : *fixed);
      const bool trace = !from.replays.empty();
      refuse("config.traffic-switch", pattern ? c_.switch_pattern.where : c_.switch_at.where,
             pattern ? "traffic.switch_pattern" : "traffic.switch_at_link_cycles",
             fmt::format("a switch from or to {}", trace       ? "a trace"
                                                   : from.idle ? "silence"
                                                               : "a closed loop"),
             "patterns that are drawn", trace ? "a trace can hold both parts" : "");
    }
    const spec::Rational link = s_.network.link.cycles_per_flit;
    t.switch_cycle = (at * link.num + link.den - 1) / link.den;
  }

  std::uint64_t terminals() const {
    const spec::TopologySpec& topology = s_.network.topology;
    return topology.dims.empty() || c_.terminals_per_router.bad() ? 0 : topology.terminals;
  }

  void check_patterns() {
    const auto& all = s_.experiment.patterns;
    const bool replays = std::any_of(all.begin(), all.end(), [this](const std::string& name) {
      return pattern_of(name).sets_load();
    });
    if (s_.traffic.reply_queue_packets != 0 && !c_.replies.bad() &&
        (c_.replies.value.empty() || replays || s_.job.any())) {
      refuse("config.reply-queue", c_.reply_queue.where, "traffic.reply_queue_packets",
             s_.job.any() ? "replies beside a job"
             : replays    ? "replies to a trace or a closed loop"
                          : "replies to no message class",
             s_.job.any() ? "0 with a job"
             : replays    ? "0 with such a pattern"
                          : "0, or terminal.replies",
             "");
    }
    const spec::KeyPlaces places = places_of(table_, c_);
    const auto& names = s_.experiment.patterns;
    for (const spec::PatternDeclaration* pattern : table_.patterns()) {
      if (pattern->check == nullptr) continue;
      const auto is_it = [&](const std::string& name) { return &pattern_of(name) == pattern; };
      const bool named =
          is_it(s_.traffic.pattern) || std::any_of(names.begin(), names.end(), is_it);
      pattern->check({named, terminals(), s_.traffic, places, errors_});
    }
  }

  void check_pattern(const std::string& pattern, const SourceLocation& where,
                     const std::string& key) {
    const auto name = spec::parse_pattern(table_.patterns(), pattern).value();
    if (terminals() != 0) {
      if (const auto error = spec::misfit(name, s_.network.topology))
        refuse("config.pattern-topology", where, key, error->found, error->allowed, error->hint);
    }
    const spec::PatternDeclaration& kind = *name.pattern;
    const bool job = s_.job.any(), asked = c_.job_program.written() || c_.job_program.bad();
    if (kind.idle && !asked) {
      refuse("config.no-job", where, key, fmt::format("{} without a job", pattern),
             "a pattern that sends, or a job", "");
    }
    if (job && kind.sets_load() && !kind.idle) {
      refuse("config.job-with", where, key, fmt::format("{} with a job", pattern),
             "patterns that are drawn, or " + idle_pattern(), "it ends by itself, as the job does");
    }
    if (job && !kind.sets_load() && terminals() != 0 && s_.job.ranks == terminals() &&
        !c_.job_ranks.bad()) {
      refuse("config.job-with", where, key,
             fmt::format("{} beside a job with a rank at every terminal", pattern),
             idle_pattern() + ", or fewer job.ranks", "nobody is left to send it");
    }
    const std::string_view file = kind.replays;
    if (file.empty()) return;
    const auto& path = c_.settings.find(file)->second;
    if (path.bad() || (path.has_value() && path.value != spec::Setting(std::string()))) return;
    refuse("config.no-trace", where, key, fmt::format("{} without a trace file", pattern),
           fmt::format("{} with {}: PATH", pattern, file), "");
  }

  void lengths() {
    const bool apenet = s_.network.packet.format == spec::PacketFormatKind::kApenet;
    const unsigned longest = s_.network.packet.max_flits;
    spec::PacketLength& length = s_.traffic.length;
    length =
        c_.packet_flits.written() ? c_.packet_flits.value : spec::PacketLength{longest, longest};
    if (!c_.packet_flits.written() || c_.max_flits.bad() || c_.format.bad()) return;
    const unsigned shortest = topology::overhead_flits(s_.network.packet);
    if (length.min_flits <= length.max_flits && length.min_flits >= shortest &&
        length.max_flits <= longest)
      return;
    refuse("config.packet-length", c_.packet_flits.where, "traffic.packet_flits",
           length.min_flits == length.max_flits
               ? fmt::format("{}", length.min_flits)
               : fmt::format("{} to {}", length.min_flits, length.max_flits),
           fmt::format("min <= max, from {} to packet.max_flits, {}", shortest, longest),
           apenet ? "a packet of format apenet has a header and a footer" : "");
  }

  void simulation() {
    spec::SimulationSpec& m = s_.simulation;
    m.seed = c_.seed.value;
    m.cycles = c_.cycles.value;
    m.warmup_cycles = c_.warmup_cycles.value;
    m.max_cycles = c_.max_cycles.value;
    m.ci_relative = c_.confidence.value;
    m.path_queues = c_.path_queues.value;
    m.settling_cycles = c_.settling_cycles.value;
    m.engine = to_enum<spec::Engine>(kEngines, c_.engine);
    m.lanes = static_cast<unsigned>(c_.lanes.value);
    if (!c_.lanes.bad() && m.lanes != 0 && (m.lanes < 64 || !std::has_single_bit(m.lanes))) {
      refuse("config.not-a-power-of-two", c_.lanes.where, "simulation.lanes",
             fmt::format("{}", m.lanes), "0, 64, 128, 256 or 512", "");
    }
    m.memory_latency_cycles = to_unsigned(c_.memory_latency);
    m.memory_stalls = c_.memory_stalls.value;
    m.core_clock_ghz = c_.core_clock_ghz.written() ? c_.core_clock_ghz.value : 0;
    if (c_.cycles.bad() || c_.warmup_cycles.bad() || c_.max_cycles.bad()) return;
    if (m.cycles == 0 && m.warmup_cycles >= m.max_cycles) {
      refuse("config.nothing-measured",
             c_.warmup_cycles.written() ? c_.warmup_cycles.where : c_.max_cycles.where,
             "simulation.warmup_cycles", fmt::format("{}", m.warmup_cycles),
             fmt::format("less than simulation.max_cycles, {}", m.max_cycles),
             "max_cycles counts the warm-up and the measurement");
    }
  }

  void fault() {
    spec::FaultSpec& f = s_.fault;
    f.bad_packets = c_.bad_packets.value;
    f.header_flips = c_.header_flips.value;
    for (const std::string& kind : c_.bad_kinds.value)
      f.kinds.push_back(static_cast<spec::FaultSpec::Kind>(name_index(kFaultKinds, kind)));
    using Kind = spec::FaultSpec::Kind;
    f.at_interface = c_.bad_enter.value == kFaultEnters[1];
    const bool streams = s_.network.terminal.cut_through || f.at_interface;
    if (f.kinds.empty()) {
      f.kinds = {Kind::kDestination, Kind::kLength, Kind::kClass};
      if (streams) f.kinds.push_back(Kind::kStream);
    } else if (!streams && !c_.bad_enter.bad() &&
               std::ranges::find(f.kinds, Kind::kStream) != f.kinds.end()) {
      refuse(
          "config.fault-stream", c_.bad_kinds.where, "fault.kinds", "stream",
          fmt::format("{}, {} or {}; or terminal.injection: cut_through, or fault.enter: interface",
                      kFaultKinds[0], kFaultKinds[1], kFaultKinds[2]),
          "without a poison bit nobody can tell that a packet is cut short");
    }
    const auto needs_checks = [&](const char* key, const Field<double>& field) {
      if (!field.bad() && !c_.checks.bad() && field.value > 0 && !s_.network.router.checks) {
        refuse("config.fault-without-checks", field.where, key, fmt::format("{}", field.value),
               "0, or router.checks: true", "a router without checks holds a bad packet for ever");
      }
    };
    needs_checks("fault.bad_packets", c_.bad_packets);
    needs_checks("fault.header_flips", c_.header_flips);
    if (f.header_flips > 0 && errors_.empty()) behind_header();
    if (f.header_flips > 0 && s_.network.congestion.enabled) {
      refuse("config.congestion", c_.header_flips.where, "fault.header_flips",
             fmt::format("{} with congestion.enabled", f.header_flips), "0",
             "a packet may become a notification, or one may become a packet");
    }
  }

  /// A bit that routers only carry tells that a head was hit.
  void behind_header() {
    const spec::NetworkSpec& n = s_.network;
    const auto format = topology::make_packet_format(
        n.topology, n.packet,
        routing::family_of(table_.families(), n.routing).header(n.topology, n.routing));
    if (!format.ok() || format.value().header_bits < n.packet.flit_bits) return;
    const unsigned bits = format.value().header_bits;
    refuse("config.fault-header", c_.header_flips.where, "fault.header_flips",
           fmt::format("{} with a header of {} bits", s_.fault.header_flips, bits),
           fmt::format("0, or packet.flit_bits above {}", bits),
           "a bit of the head flit that is no header tells where it arrives that it was hit");
  }

  void resets() {
    spec::FaultSpec& f = s_.fault;
    f.reset_rate = c_.reset_rate.value;
    const std::size_t before = errors_.size();
    const auto& dims = s_.network.topology.dims;  // none where it is bad
    std::uint64_t routers = dims.empty() ? std::numeric_limits<std::uint32_t>::max() : 1;
    for (const unsigned d : dims) routers *= d;
    for (std::size_t i = 0; i < c_.resets.value.size(); ++i) {
      const std::string& text = c_.resets.value[i];
      spec::FaultSpec::Reset reset;
      const char* const end = text.data() + text.size();
      const auto router = std::from_chars(text.data(), end, reset.router);
      const bool at = router.ec == std::errc{} && router.ptr != end && *router.ptr == '@';
      const auto cycle = at ? std::from_chars(router.ptr + 1, end, reset.cycle) : router;
      if (!at || cycle.ec != std::errc{} || cycle.ptr != end || reset.router >= routers) {
        refuse("config.fault-reset", c_.resets.items[i], fmt::format("fault.resets[{}]", i),
               "'" + text + "'",
               fmt::format("ROUTER@CYCLE, with a router from 0 to {}", routers - 1), "");
        continue;
      }
      f.resets.push_back(reset);
    }
    if (!f.resets_any() || errors_.size() != before) return;
    const auto no = [&](std::string found, const char* allowed, const char* why) {
      const bool list = !f.resets.empty();
      refuse("config.fault-reset", list ? c_.resets.where : c_.reset_rate.where,
             list ? "fault.resets" : "fault.reset_rate", std::move(found), allowed, why);
    };
    if (c_.partial_reset.bad()) return;
    if (!s_.network.router.partial_reset)
      no("resets without router.partial_reset", "none, or router.partial_reset: true",
         "no router can be reset alone");
    else if (f.bad_packets > 0 || f.header_flips > 0)
      no("resets with fault.bad_packets or fault.header_flips", "one kind of faults",
         "what each of them loses is told apart by what is injected");
    else if (s_.traffic.reply_queue_packets > 0)
      no("resets with traffic.reply_queue_packets", "traffic without replies",
         "a terminal would wait for requests that are lost");
  }

  /// What message interfaces do not go with.
  void messages() {
    if (!s_.network.terminal.messages) return;
    const auto no = [this](const SourceLocation& where, const char* key, std::string found,
                           const char* allowed, const char* hint) {
      refuse("config.messages-with", where, key, std::move(found) + " with message interfaces",
             allowed, hint);
    };
    for (const auto& [key, field] : {std::pair("fault.bad_packets", &c_.bad_packets),
                                     std::pair("fault.header_flips", &c_.header_flips)}) {
      if (!field->bad() && field->value > 0)
        no(field->where, key, fmt::format("{}", field->value), "0",
           "a message would wait for ever for the response to a packet that is gone");
    }
    const spec::PatternDeclaration& pattern = pattern_of(s_.traffic.pattern);
    if (pattern.closed_loop)
      no(c_.pattern.where, "traffic.pattern", "'" + s_.traffic.pattern + "'",
         "a pattern that does not wait for packets, or a job",
         "messages end in windows that ranks of a job open");
  }

  void experiment() {
    spec::ExperimentSpec& e = s_.experiment;
    e.find_saturation = c_.find_saturation.value && !s_.job.any();
    if (c_.loads.written()) {
      e.loads = c_.loads.value;
      std::sort(e.loads.begin(), e.loads.end());
      e.loads.erase(std::unique(e.loads.begin(), e.loads.end()), e.loads.end());
    } else {
      e.loads = {s_.traffic.load};
    }
    if (c_.patterns.written()) {
      for (std::size_t i = 0; i < c_.patterns.value.size(); ++i) {
        const std::string pattern = canonical_pattern(c_.patterns.value[i]);
        check_pattern(pattern, c_.patterns.items[i], fmt::format("experiment.patterns[{}]", i));
        // Twice the same run would only cost time.
        if (std::find(e.patterns.begin(), e.patterns.end(), pattern) == e.patterns.end())
          e.patterns.push_back(pattern);
      }
    } else {
      e.patterns = {s_.traffic.pattern};
    }
    e.algorithm_written = c_.algorithm.written();
    if (!c_.routings.written()) {
      e.routings = {{s_.network.routing.algorithm, {}}};
      return;
    }
    for (const RoutingEntry& entry : c_.routings.value) {
      spec::RoutingVariant variant{entry.label, {}};
      for (const auto& change : entry.overrides)
        variant.overrides.push_back(change.path + "=" + to_flow(change.value));
      // A routing is laid over the network as written, never over another routing of the list.
      variant.overrides.emplace_back("experiment.routings=null");
      e.routings.push_back(std::move(variant));
    }
  }

  spec::Spec& s_;
};

}  // namespace

void validate_run(const KeyTable& table, const NetworkConfig& config, spec::Spec& spec,
                  Diagnostics& errors) {
  RunValidator(table, config, spec, errors).run();
}

}  // namespace hopwise::config
