// SPDX-License-Identifier: Apache-2.0
// The keys of the routings that learn a table of delivery times (docs/reference/routing-q.md).
#include <algorithm>

#include <fmt/format.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/validate.hpp"

namespace hopwise::config {

namespace {

constexpr unsigned kMostHops = 62;           // packet classes of 6 bits
constexpr unsigned kMostDragonflyHops = 12;  // a VC for each, and for the 3 hops of a minimal path
constexpr unsigned kDragonflyHops = 2;
constexpr unsigned kLeastIntegerBits = 8;

class QValidator {
 public:
  QValidator(const NetworkConfig& config, const spec::NetworkSpec& network, Diagnostics& errors)
      : c_(config),
        topology_(network.topology),
        algorithm_(network.routing.algorithm),
        errors_(errors) {}

  spec::QSpec run() {
    decision_keys();
    if (!spec::learns_q(algorithm_)) return q_;
    q_.alpha = c_.q_alpha.value;
    q_.beta = c_.q_beta.value;
    q_.epsilon = c_.q_epsilon.value;
    q_.threshold_source = c_.q_threshold_source.value;
    q_.threshold_intermediate = c_.q_threshold_intermediate.value;
    q_.value_bits = to_unsigned(c_.q_value_bits);
    q_.fraction_bits = to_unsigned(c_.q_fraction_bits);
    q_.table_cycles = to_unsigned(c_.q_table_cycles);
    q_.initial = to_enum<spec::QInitial>(kQInitials, c_.q_initial);
    q_.feedback = to_enum<spec::QFeedback>(kQFeedbacks, c_.q_feedback);
    const bool par = algorithm_ == spec::Algorithm::kQPar;
    q_.local_detours = c_.q_local_detours.written() ? c_.q_local_detours.value : !par;
    q_.queues = c_.q_queues.written() ? c_.q_queues.value : par;
    q_.progressive = c_.q_progressive.written() ? c_.q_progressive.value : par;
    max_hops();
    value_bits();
    if (dragonfly()) groups();
    return q_;
  }

 private:
  void refuse(const char* code, const SourceLocation& where, std::string key, std::string found,
              std::string allowed, std::string hint) {
    errors_.push_back(
        {code, where, std::move(key), std::move(found), std::move(allowed), std::move(hint)});
  }

  bool dragonfly() const { return topology_.kind == spec::TopologyKind::kDragonfly; }
  std::string_view algorithm_name() const {
    return kAlgorithms[static_cast<std::size_t>(algorithm_)];
  }

  /// Numbers of another routing do no harm: a comparison sets them once for all. Asking for
  /// decisions that the routing has not is a misunderstanding.
  void decision_keys() {
    if (algorithm_ == spec::Algorithm::kQAdaptive || algorithm_ == spec::Algorithm::kQPar) return;
    const auto foreign = [this](const char* key, const Field<bool>& field, bool asks) {
      if (!field.written() || field.value != asks) return;
      refuse("config.foreign-key", field.where, fmt::format("routing.{}", key),
             fmt::format("{} with {}", field.value, algorithm_name()),
             "routing.algorithm: q_adaptive or q_par",
             algorithm_ == spec::Algorithm::kQRouting
                 ? "q_routing decides at every router, among all ports"
                 : fmt::format("{} has no table to decide by", algorithm_name()));
    };
    foreign("q_progressive", c_.q_progressive, true);
    foreign("q_local_detours", c_.q_local_detours, false);
  }

  void max_hops() {
    if (algorithm_ != spec::Algorithm::kQRouting || c_.q_max_hops.bad()) return;
    if (c_.q_max_hops.written()) {
      q_.max_hops = to_unsigned(c_.q_max_hops);
    } else if (dragonfly()) {
      q_.max_hops = kDragonflyHops;
    } else {
      unsigned diameter = 0;
      for (const unsigned size : topology_.dims) diameter += size / 2;
      q_.max_hops = std::clamp(2 * diameter, 1U, kMostHops);
    }
    if (!dragonfly() || q_.max_hops <= kMostDragonflyHops) return;
    refuse("config.out-of-range", c_.q_max_hops.where, "routing.q_max_hops",
           fmt::format("{}", q_.max_hops),
           fmt::format("1 to {} on a dragonfly", kMostDragonflyHops),
           "every hop takes a virtual channel of its own");
  }

  void value_bits() {
    if (c_.q_value_bits.bad() || c_.q_fraction_bits.bad() ||
        q_.value_bits >= q_.fraction_bits + kLeastIntegerBits)
      return;
    // (The default has room for every fraction.)
    refuse(
        "config.out-of-range", c_.q_value_bits.where, "routing.q_value_bits",
        fmt::format("{} bits, {} of them below the binary point", q_.value_bits, q_.fraction_bits),
        fmt::format("q_value_bits of q_fraction_bits + {} and more", kLeastIntegerBits),
        fmt::format("the greatest time would be {} core cycles",
                    ((1U << q_.value_bits) - 1) >> q_.fraction_bits));
  }

  /// Every router has a local port to each other one, and the port of the minimal path is one and
  /// the same for all packets to a group.
  void groups() {
    const spec::DragonflySpec& d = topology_.dragonfly;
    if (d.group_rows > 1) {
      refuse("config.routing-topology", c_.algorithm.where, "routing.algorithm",
             fmt::format("{} with group_rows: {}", algorithm_name(), d.group_rows),
             fmt::format("group_rows: 1 with {}; ugal_ln takes any", algorithm_name()),
             "the hops of a path count its virtual channels, and one local hop reaches every "
             "router of the group");
    }
    if (d.links_per_group_pair > 1) {
      refuse("config.routing-topology", c_.algorithm.where, "routing.algorithm",
             fmt::format("{} with {} links between two groups", algorithm_name(),
                         d.links_per_group_pair),
             fmt::format("links_per_group_pair: 1 with {}; ugal_ln takes any", algorithm_name()),
             "the default is as many links as the global ports allow");
    }
  }

  const NetworkConfig& c_;
  const spec::TopologySpec& topology_;
  spec::Algorithm algorithm_;
  Diagnostics& errors_;
  spec::QSpec q_;
};

}  // namespace

spec::QSpec validate_q(const NetworkConfig& config, const spec::NetworkSpec& network,
                       Diagnostics& errors) {
  return QValidator(config, network, errors).run();
}

}  // namespace hopwise::config
