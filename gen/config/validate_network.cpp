// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/names.hpp"
#include "config/room.hpp"
#include "config/validate.hpp"
#include "topology/packet_format.hpp"

namespace hopwise::config {

namespace {

constexpr unsigned kDefaultDepth = 16;

class Validator : SectionValidator {
 public:
  Validator(const KeyTable& table, const NetworkConfig& config, Diagnostics& errors)
      : SectionValidator(table, config, errors), places_(places_of(table, config)) {}

  spec::NetworkSpec run() {
    spec_.topology = validate_topology(table_, c_, places_, errors_);
    name();
    validate_link(table_, c_, spec_, errors_);
    validate_router(table_, c_, spec_, errors_);
    packet_size();
    validate_messages(table_, c_, spec_, errors_);
    class_priority();
    validate_congestion(table_, c_, spec_, errors_);
    routing();
    packet();
    buffers();
    if (errors_.empty()) graph();
    return std::move(spec_);
  }

 private:
  /// Precondition: the file names one.
  const topology::Kind& kind() const { return topology::kind_of(table_.kinds(), spec_.topology); }

  void name() {
    if (c_.name.bad()) return;
    if (!c_.name.written()) {
      // kind and sizes
      if (!spec_.topology.dims.empty()) spec_.name = kind().network_name(spec_.topology);
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

  /// What a kind builds from good keys has no faults, unless the kind has one.
  void graph() {
    Diagnostics faults =
        topology::graph_faults(kind().build(spec_.topology), std::string("topology.kind"));
    for (Diagnostic& fault : faults) {
      fault.where = c_.kind.where;
      errors_.push_back(std::move(fault));
    }
  }

  void packet_size() {
    spec_.packet.format = to_enum<spec::PacketFormatKind>(kPacketFormats, c_.format);
    spec_.packet.flit_bits = to_unsigned(c_.flit_bits);
    spec_.packet.max_flits = to_unsigned(c_.max_flits);
    spec_.packet.header_parity = c_.header_parity.value;
    spec_.packet.hop_limit = to_unsigned(c_.hop_limit);
    spec_.packet.tkeep = c_.tkeep.value;
    const unsigned bits = spec_.packet.flit_bits;
    whole_bytes_ = bits % 8 == 0 || spec_.packet.format == spec::PacketFormatKind::kApenet;
    if (whole_bytes_ || c_.flit_bits.bad()) return;
    refuse("config.flit-bytes", c_.flit_bits.where, "packet.flit_bits", fmt::format("{}", bits),
           fmt::format("a multiple of 8: {} or {}", bits / 8 * 8, bits / 8 * 8 + 8),
           "a flit is a beat of the terminals' AXI4-Stream, and TDATA has whole bytes");
  }

  void packet() {
    if (spec_.topology.dims.empty() || c_.terminals_per_router.bad() || c_.format.bad() ||
        c_.flit_bits.bad() || c_.max_flits.bad() || !whole_bytes_ || !routing_known_) {
      return;
    }
    const auto format = topology::make_packet_format(
        spec_.topology, spec_.packet, family_->header(spec_.topology, spec_.routing));
    if (format.ok()) {
      packet_ids(format.value().packet_id.width);
      return;
    }
    for (Diagnostic error : format.errors()) {
      // A limit met by a default is the format's doing, so the error stands where the format does.
      error.where = c_.format.where;
      if (error.key == "packet.flit_bits" && c_.flit_bits.written())
        error.where = c_.flit_bits.where;
      if (error.key == "packet.max_flits" && c_.max_flits.written())
        error.where = c_.max_flits.where;
      if (error.key == "router.header_parity") error.where = c_.header_parity.where;
      if (error.key == "router.hop_limit") error.where = c_.hop_limit.where;
      if (error.key == "terminal.windows")
        error.where = (c_.windows.written() ? c_.windows : c_.outstanding).where;
      if (error.key == "terminal.tkeep") error.where = c_.tkeep.where;
      if (error.key == "topology.dims") error.where = places_.at(error.key).where;
      errors_.push_back(std::move(error));
    }
  }

  /// A terminal's requests under way have packet ids of their own.
  void packet_ids(unsigned bits) {
    const unsigned outstanding = spec_.terminal.outstanding, ids = 1u << bits;
    if (!spec_.terminal.messages || outstanding <= ids || c_.outstanding.bad()) return;
    const bool apenet = spec_.packet.format == spec::PacketFormatKind::kApenet;
    refuse("config.packet-ids",
           c_.outstanding.written() ? c_.outstanding.where : c_.terminal_interface.where,
           "terminal.outstanding", fmt::format("{}", outstanding),
           fmt::format("up to {}, the packet ids of {} bits", ids, bits),
           apenet ? "the header of packet.format apenet has 9 bits for them"
                  : "what other fields leave of the head flit, packet.flit_bits, is theirs");
  }

  void routing() {
    if (c_.kind.bad() || c_.algorithm.bad()) return;
    spec_.routing.algorithm =
        c_.algorithm.written()
            ? c_.algorithm.value
            : std::string(routing::default_variant(table_.families(), spec_.topology));
    family_ = routing::find_family(table_.families(), spec_.routing.algorithm);
    if (!algorithm_fits()) return;
    if (spec_.router.partial_reset && family_->needs_neighbours) {
      refuse("config.partial-reset", c_.partial_reset.where, "router.partial_reset",
             "true with routing.algorithm: " + spec_.routing.algorithm, "false",
             "its routers count on answers of their neighbours");
    }
    foreign_demands();
    if (!settings()) return;
    mode_selector();
    classes_ = family_->vc_classes(spec_.topology, spec_.routing);
    if (c_.vcs_per_class.bad() || c_.vcs.bad()) return;
    if (c_.vcs_per_class.written()) {
      written_classes();
    } else {
      derived_classes();
    }
    multiply_vcs(c_.message_classes.where);
  }

  /// What the selector of message interfaces chooses between are modes of the routing.
  void mode_selector() {
    if (!errors_.empty() || !spec_.terminal.messages || !spec_.terminal.mode_selector) return;
    const std::span<const spec::Mode> modes = family_->modes(spec_.routing);
    if (std::ranges::find(modes, spec::Mode::kAdaptive3) != modes.end()) return;
    refuse("config.mode-selector", c_.mode_selector.where, "terminal.mode_selector",
           fmt::format("true with {}, whose packets have no modes", spec_.routing.algorithm),
           "false, or a routing with routing.modes: true",
           "the selector chooses between modes of the routing");
  }

  /// The names of the routings that the topology has.
  std::string routings_there() const {
    std::vector<std::string_view> names;
    for (const routing::Family* family : table_.families()) {
      for (const routing::Variant& variant : family->variants) {
        if (family->fits(spec_.topology, variant.name)) names.push_back(variant.name);
      }
    }
    return join_names(names);
  }

  bool algorithm_fits() {
    if (family_ != nullptr && family_->fits(spec_.topology, spec_.routing.algorithm)) return true;
    refuse("config.routing-topology", c_.algorithm.where, "routing.algorithm",
           fmt::format("{} on a {}", c_.algorithm.value, c_.kind.value),
           fmt::format("{} on a {}", routings_there(), c_.kind.value), "");
    return false;
  }

  /// Numbers of another routing do no harm: a comparison sets them once for all. Asking for
  /// decisions that the routing has not is a misunderstanding.
  void foreign_demands() {
    // Keys that families share are asked for once, and not at all where this one has them.
    std::set<std::string_view> seen;
    for (const spec::Key& key : family_->keys) seen.insert(key.path);
    for (const routing::Family* family : table_.families()) {
      if (family == family_) continue;
      for (const spec::Key& key : family->keys) {
        const std::string path = routing::path_of(key.path);
        const spec::KeyPlace& place = places_.at(path);
        if (!seen.insert(key.path).second || key.demand.empty() || !place.written ||
            spec::to_yaml(c_.settings.at(path).value) != key.demand)
          continue;
        refuse("config.foreign-key", place.where, path,
               fmt::format("{} with {}", key.demand, spec_.routing.algorithm),
               "routing.algorithm: " + std::string(key.owners),
               fmt::format("{} has no such decision to take", spec_.routing.algorithm));
      }
    }
  }

  /// What the user wrote for the family's keys, with the defaults; the family does the rest. False
  /// where a bad one has no default: the family cannot say which classes it has.
  bool settings() {
    routing_known_ = true;
    bool whole = true;
    for (const spec::Key& key : family_->keys) {
      const auto& field = c_.settings.at(routing::path_of(key.path));
      if (field.bad()) routing_known_ = false;
      whole = whole && (!field.bad() || !key.default_yaml.empty());
      if (field.has_value() || (field.bad() && !key.default_yaml.empty()))
        spec_.routing.settings.set(key.path, field.value);
    }
    routing::Request request(places_, spec_, errors_);
    family_->complete(request);
    return whole;
  }

  std::string classes_text() const {
    std::vector<std::string_view> names;
    for (const routing::VcClass& c : classes_) names.push_back(c.name);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void written_classes() {
    const auto& written = c_.vcs_per_class.value.values;
    spec_.routing.vcs_per_class = to_unsigned(written);
    const std::uint64_t sum = std::accumulate(written.begin(), written.end(), std::uint64_t{0});
    if (written.size() != classes_.size()) {
      refuse("config.wrong-length", c_.vcs_per_class.where, "routing.vcs_per_class",
             count_entries(written.size()),
             fmt::format("{}, for {}", count_entries(classes_.size()), classes_text()), "");
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
    const auto classes = static_cast<unsigned>(classes_.size());
    const unsigned vcs = c_.vcs.written() ? to_unsigned(c_.vcs) : classes;
    spec_.router.vcs = vcs;
    if (vcs < classes) {
      refuse("config.too-few-vcs", c_.vcs.where, "router.vcs", fmt::format("{}", vcs),
             fmt::format("{} or more: {} on a {} needs {}", classes, spec_.routing.algorithm,
                         c_.kind.value, classes_text()),
             "");
      return;
    }
    auto& per_class = spec_.routing.vcs_per_class;
    if (!classes_.back().escape) {
      per_class.assign(classes, 1);
      per_class.back() = vcs - (classes - 1);
    } else {
      for (unsigned i = 0; i < classes; ++i)
        per_class.push_back(vcs / classes + (i < vcs % classes ? 1 : 0));
    }
  }

  /// Every class once: what is left out would have no place in the order.
  void class_priority() {
    spec::RouterSpec& r = spec_.router;
    r.class_priority_packets = to_unsigned(c_.class_priority_packets);
    if (!c_.class_priority.written() || c_.message_classes.bad()) return;
    const std::vector<std::string>& names = r.message_classes;
    for (const std::string& name : c_.class_priority.value) {
      const auto place = static_cast<unsigned>(std::ranges::find(names, name) - names.begin());
      if (place < names.size() && std::ranges::count(r.class_priority, place) == 0)
        r.class_priority.push_back(place);
    }
    if (names.size() == 1 || r.class_priority.size() != names.size() ||
        c_.class_priority.value.size() != names.size())
      refuse("config.class-priority", c_.class_priority.where, "router.class_priority",
             fmt::format("[{}]", fmt::join(c_.class_priority.value, ", ")),
             names.size() > 1
                 ? fmt::format("each of {}, once", fmt::join(names, ", "))
                 : std::string("several router.message_classes, or a file without this key"),
             "the first one goes first");
    else if (r.allocator != spec::AllocatorKind::kSeparableInputFirst)
      refuse("config.class-priority", c_.class_priority.where, "router.class_priority",
             "an order with router.allocator.kind: separable_output_first",
             "separable_input_first, or a file without this key",
             "an output may offer for ever what is not due at the input: VCs would starve");
  }

  /// Each message class has the VCs that the routing asks for.
  void multiply_vcs(const SourceLocation& where) {
    const unsigned vcs = spec_.router.vcs, classes = spec_.router.num_message_classes();
    if (classes > 1 && vcs <= kMaxVcs && vcs * classes > kMaxVcs) {
      refuse("config.out-of-range", where, "router.message_classes",
             fmt::format("{} message classes of {} VCs", classes, vcs),
             fmt::format("up to {} VCs in all", kMaxVcs), "");
    }
    spec_.router.vcs *= classes;
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
    if (c_.vc_depth.bad() || classes_.empty()) return;
    std::vector<unsigned> depths;
    if (!c_.vc_depth.written()) {
      const bool wormhole = spec_.router.switching == spec::Switching::kWormhole;
      const unsigned two_packets = 2 * spec_.packet.max_flits;
      depths.assign(classes_.size(),
                    wormhole ? kDefaultDepth : std::max(kDefaultDepth, two_packets));
    } else if (c_.vc_depth.value.scalar) {
      depths.assign(classes_.size(), static_cast<unsigned>(c_.vc_depth.value.values.at(0)));
    } else {
      depths = to_unsigned(c_.vc_depth.value.values);
      if (depths.size() != classes_.size()) {
        refuse("config.wrong-length", c_.vc_depth.where, "router.vc_depth_flits",
               count_entries(depths.size()),
               fmt::format("{}, for {}", count_entries(classes_.size()), classes_text()),
               "one number alone stands for all classes");
      }
    }
    const auto& per_class = spec_.routing.vcs_per_class;
    auto& all = spec_.router.vc_depth_flits;
    for (unsigned m = 0; m < spec_.router.num_message_classes(); ++m) {
      for (std::size_t i = 0; i < per_class.size() && i < depths.size(); ++i)
        all.insert(all.end(), per_class[i], depths[i]);
    }
    room();
  }

  void room() {
    if (!errors_.empty()) return;
    spec_.router.room = default_room(spec_);
    if (c_.room.written() && spec_.packet.max_flits > 1)
      spec_.router.room = to_enum<spec::Room>(kRooms, c_.room);
    spec_.router.reservations =
        c_.reservations.written() ? c_.reservations.value : default_reservations(spec_);
  }

  spec::KeyPlaces places_;
  spec::NetworkSpec spec_;
  const routing::Family* family_ = nullptr;
  bool whole_bytes_ = true;     ///< of a flit
  bool routing_known_ = false;  ///< and no key of its family is bad
  std::vector<routing::VcClass> classes_;
};

}  // namespace

spec::NetworkSpec validate_network(const KeyTable& table, const NetworkConfig& config,
                                   Diagnostics& errors) {
  return Validator(table, config, errors).run();
}

}  // namespace hopwise::config
