// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/keys.hpp"
#include "config/names.hpp"
#include "config/validate.hpp"
#include "topology/packet_format.hpp"

namespace hopwise::config {

namespace {

constexpr std::uint64_t kMaxRouters = 65536;
constexpr unsigned kDefaultDepth = 16;

template <class Enum>
Enum to_enum(std::span<const std::string_view> names, const Field<std::string>& field) {
  return static_cast<Enum>(name_index(names, field.value));
}

unsigned to_unsigned(const Field<std::uint64_t>& field) { return static_cast<unsigned>(field.value); }

std::vector<unsigned> to_unsigned(const std::vector<std::uint64_t>& values) {
  return {values.begin(), values.end()};
}

class Validator {
 public:
  Validator(const NetworkConfig& config, Diagnostics& errors) : c_(config), errors_(errors) {}

  NetworkSpec run() {
    topology();
    name();
    link();
    packet();
    routing();
    router();
    buffers();
    return std::move(spec_);
  }

 private:
  void refuse(const char* code, const SourceLocation& where, std::string key, std::string found, std::string allowed,
              std::string hint) {
    errors_.push_back({code, where, std::move(key), std::move(found), std::move(allowed), std::move(hint)});
  }

  void topology() {
    spec_.topology.kind = to_enum<TopologyKind>(kTopologyKinds, c_.kind);
    spec_.topology.terminals_per_router = to_unsigned(c_.terminals_per_router);
    if (c_.dims.bad()) return;
    spec_.topology.dims = to_unsigned(c_.dims.value.values);
    std::uint64_t routers = 1;
    for (const unsigned size : spec_.topology.dims) routers *= size;
    if (routers > kMaxRouters) {
      refuse("config.too-many-routers", c_.dims.where, "topology.dims",
             fmt::format("{} = {} routers", fmt::join(spec_.topology.dims, " x "), routers),
             fmt::format("up to {} routers", kMaxRouters), "");
    }
  }

  void name() {
    if (c_.name.bad()) return;
    if (!c_.name.written()) {
      spec_.name = fmt::format("{}_{}", kTopologyKinds[static_cast<std::size_t>(spec_.topology.kind)],
                               fmt::join(spec_.topology.dims, "x"));
      return;
    }
    spec_.name = c_.name.value;
    const char* allowed = "letters, digits and underscores, at most 40, not starting with a digit";
    if (!is_identifier(spec_.name)) {
      refuse("config.bad-name", c_.name.where, "name", "'" + spec_.name + "'", allowed, "");
    } else if (is_systemverilog_keyword(spec_.name)) {
      refuse("config.bad-name", c_.name.where, "name", "the SystemVerilog keyword '" + spec_.name + "'", allowed,
             "the emitted modules carry this name");
    } else if (spec_.name.starts_with("hw_")) {
      refuse("config.bad-name", c_.name.where, "name", "'" + spec_.name + "'", "a name that does not start with hw_",
             "library modules start with hw_");
    }
  }

  void link() {
    spec_.link.terminal_latency_cycles = to_unsigned(c_.terminal_latency);
    spec_.link.cycles_per_flit = c_.cycles_per_flit.value;
    if (c_.link_latency.bad() || c_.dims.bad()) return;
    const UIntList& latency = c_.link_latency.value;
    const std::size_t dims = spec_.topology.dims.size();
    spec_.link.latency_cycles = to_unsigned(latency.values);
    if (latency.scalar) {
      spec_.link.latency_cycles.assign(dims, spec_.link.latency_cycles.at(0));
    } else if (latency.values.size() != dims) {
      refuse("config.wrong-length", c_.link_latency.where, "link.latency_cycles",
             count_entries(latency.values.size()), count_entries(dims) + ", one per dimension",
             "one number alone stands for all dimensions");
    }
  }

  void packet() {
    spec_.packet.format = to_enum<PacketFormatKind>(kPacketFormats, c_.format);
    spec_.packet.flit_bits = to_unsigned(c_.flit_bits);
    spec_.packet.max_flits = to_unsigned(c_.max_flits);
    if (c_.dims.bad() || c_.terminals_per_router.bad() || c_.format.bad() || c_.flit_bits.bad() || c_.max_flits.bad()) {
      return;
    }
    const auto format = topology::make_packet_format(spec_.topology, spec_.packet, 1);
    if (format.ok()) return;
    for (Diagnostic error : format.errors()) {
      // A limit met by a default is the format's doing, so the error stands where the format does.
      error.where = c_.format.where;
      if (error.key == "packet.flit_bits" && c_.flit_bits.written()) error.where = c_.flit_bits.where;
      if (error.key == "packet.max_flits" && c_.max_flits.written()) error.where = c_.max_flits.where;
      if (error.key == "topology.dims") error.where = c_.dims.where;
      errors_.push_back(std::move(error));
    }
  }

  bool classes_known() const { return !c_.kind.bad() && !c_.algorithm.bad(); }

  void routing() {
    spec_.routing.algorithm = to_enum<Algorithm>(kAlgorithms, c_.algorithm);
    spec_.routing.dateline = to_enum<Dateline>(kDatelines, c_.dateline);
    if (!c_.kind.bad() && !c_.dateline.bad() && spec_.topology.kind == TopologyKind::kMesh &&
        spec_.routing.dateline == Dateline::kBalanced) {
      refuse("config.dateline-on-mesh", c_.dateline.where, "routing.dateline", "balanced", "classic on a mesh",
             "a mesh has no wraparound link, and so no dateline");
    }
    if (!classes_known()) return;
    class_names_ = vc_class_names(spec_.topology.kind, spec_.routing.algorithm);
    if (c_.vcs_per_class.bad() || c_.vcs.bad()) return;
    if (c_.vcs_per_class.written()) {
      written_classes();
    } else {
      derived_classes();
    }
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
      refuse("config.vcs-sum", c_.vcs_per_class.where, "routing.vcs_per_class", fmt::format("a sum of {}", sum),
             fmt::format("a sum of {}, which router.vcs asks for", c_.vcs.value), "without router.vcs the sum counts");
    } else if (sum > kMaxVcs) {
      refuse("config.out-of-range", c_.vcs_per_class.where, "routing.vcs_per_class", fmt::format("a sum of {}", sum),
             fmt::format("a sum of up to {}", kMaxVcs), "");
    }
    spec_.router.vcs = static_cast<unsigned>(sum);
  }

  void derived_classes() {
    const auto classes = static_cast<unsigned>(class_names_.size());
    const unsigned vcs = c_.vcs.written() ? to_unsigned(c_.vcs) : classes;
    spec_.router.vcs = vcs;
    if (vcs < classes) {
      refuse("config.too-few-vcs", c_.vcs.where, "router.vcs", fmt::format("{}", vcs),
             fmt::format("{} or more: {} on a {} needs {}", classes, c_.algorithm.value, c_.kind.value, classes_text()),
             "");
      return;
    }
    auto& per_class = spec_.routing.vcs_per_class;
    if (spec_.routing.algorithm == Algorithm::kStarChannel) {
      per_class.assign(classes, 1);
      per_class.back() = vcs - (classes - 1);
    } else {
      for (unsigned i = 0; i < classes; ++i) per_class.push_back(vcs / classes + (i < vcs % classes ? 1 : 0));
    }
  }

  void router() {
    RouterSpec& r = spec_.router;
    r.switching = to_enum<Switching>(kSwitchings, c_.switching);
    r.output_queue_flits = to_unsigned(c_.output_queue);
    r.allocator = to_enum<AllocatorKind>(kAllocators, c_.allocator_kind);
    r.allocator_iterations = to_unsigned(c_.allocator_iterations);
    r.granularity = to_enum<Granularity>(kGranularities, c_.granularity);
    r.pipeline_cycles = to_unsigned(c_.pipeline_cycles);
    r.counters = c_.counters.value;
  }

  /// Under virtual cut-through and store-and-forward, whatever a packet enters holds all of it.
  void room_for_packets() {
    const unsigned longest = spec_.packet.max_flits;
    if (c_.switching.bad() || c_.max_flits.bad() || spec_.router.switching == Switching::kWormhole) return;
    if (!c_.output_queue.bad() && c_.output_queue.value > 1 && c_.output_queue.value < longest) {
      refuse("config.output-queue-too-shallow", c_.output_queue.where, "router.output_queue_flits",
             fmt::format("{}", c_.output_queue.value),
             fmt::format("0, 1, or {} and more: the longest packet under {}", longest, c_.switching.value),
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
    if (c_.vc_depth.bad() || !classes_known()) return;
    std::vector<unsigned> depths;
    if (!c_.vc_depth.written()) {
      const bool wormhole = spec_.router.switching == Switching::kWormhole;
      const unsigned two_packets = 2 * spec_.packet.max_flits;
      depths.assign(class_names_.size(), wormhole ? kDefaultDepth : std::max(kDefaultDepth, two_packets));
    } else if (c_.vc_depth.value.scalar) {
      depths.assign(class_names_.size(), static_cast<unsigned>(c_.vc_depth.value.values.at(0)));
    } else {
      depths = to_unsigned(c_.vc_depth.value.values);
      if (depths.size() != class_names_.size()) {
        refuse("config.wrong-length", c_.vc_depth.where, "router.vc_depth_flits", count_entries(depths.size()),
               fmt::format("{}, for {}", count_entries(class_names_.size()), classes_text()),
               "one number alone stands for all classes");
      }
    }
    const auto& per_class = spec_.routing.vcs_per_class;
    for (std::size_t i = 0; i < per_class.size() && i < depths.size(); ++i) {
      spec_.router.vc_depth_flits.insert(spec_.router.vc_depth_flits.end(), per_class[i], depths[i]);
    }
    spec_.routing.dor_bias_flits = c_.dor_bias.written() ? to_unsigned(c_.dor_bias)
                                                         : *std::max_element(depths.begin(), depths.end()) / 2;
  }

  const NetworkConfig& c_;
  Diagnostics& errors_;
  NetworkSpec spec_;
  std::vector<std::string> class_names_;
};

}  // namespace

std::vector<std::string> vc_class_names(TopologyKind kind, Algorithm algorithm) {
  std::vector<std::string> names{"escape0"};
  if (kind == TopologyKind::kTorus) names.emplace_back("escape1");
  if (algorithm == Algorithm::kStarChannel) names.emplace_back("adaptive");
  return names;
}

NetworkSpec validate_network(const NetworkConfig& config, Diagnostics& errors) {
  return Validator(config, errors).run();
}

}  // namespace hopwise::config
