// SPDX-License-Identifier: Apache-2.0
#include "routing/q/q.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "routing/grid.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::routing::q {

namespace {

constexpr std::string_view kEverywhere = "q_routing", kPar = "q_par";
/// Who decides at the source and in an intermediate group.
constexpr std::string_view kOwners = "q_adaptive or q_par";

constexpr std::array kVariants{
    Variant{"q_routing",
            "ports chosen by learned delivery times, at every router up to a number "
            "of hops"},
    Variant{"q_adaptive", "the same at the source and in an intermediate group"},
    Variant{"q_par",
            "`q_adaptive` with the router's own queues, which may still leave the source "
            "group at its second router"},
};

constexpr std::array<std::string_view, 2> kInitials{"zero_load", "optimistic"};
constexpr std::array<std::string_view, 2> kFeedbacks{"free", "admissible"};
/// What the variants that decide at every router do not ask, and what the others do not.
constexpr std::array kOfSourceGroups{"q_threshold_source", "q_threshold_intermediate",
                                     "q_local_detours", "q_progressive"};

/// Packets of so many flits at all ports do not wait for their decisions.
constexpr unsigned kFlitsOfPackets = 8;
constexpr unsigned kMostBanks = 16;

using spec::Key;
using enum spec::KeyType;
constexpr std::array kKeys{
    Key{.path = "q_alpha",
        .type = kReal,
        .range = {.min = 0, .max = 1, .above_min = true},
        .default_yaml = "0.2",
        .doc = "`q_*`: part of the way that a table's value goes to a smaller delivery time."},
    Key{.path = "q_beta",
        .type = kReal,
        .range = {.min = 0, .max = 1, .above_min = true},
        .default_yaml = "0.04",
        .doc = "`q_*`: part of the way that it goes to a greater one."},
    Key{.path = "q_epsilon",
        .type = kReal,
        .range = {0, 1},
        .default_yaml = "0.001",
        .doc = "`q_*`: probability that a decision takes a port at random."},
    Key{.path = "q_threshold_source",
        .type = kReal,
        .range = {0, 1},
        .default_yaml = "0.2",
        .doc = "`q_adaptive`, `q_par`: part by which the best port must beat the minimal one in "
               "the source group."},
    Key{.path = "q_threshold_intermediate",
        .type = kReal,
        .range = {0, 1},
        .default_yaml = "0.35",
        .doc = "`q_adaptive`, `q_par`: part by which another router must beat the minimal port in "
               "an intermediate group."},
    Key{.path = "q_max_hops",
        .type = kInteger,
        .range = {1, kMostHops},
        .default_words = "dragonfly: 2; torus: twice its diameter, at most 62",
        .doc = "`q_routing`: hops after which a packet goes minimally; at most 12 on a dragonfly."},
    Key{.path = "q_value_bits",
        .type = kInteger,
        .range = {12, 24},
        .default_yaml = "18",
        .doc = "`q_*`: bits of a table's value, the fraction included; at least 8 before the "
               "binary point."},
    Key{.path = "q_fraction_bits",
        .type = kInteger,
        .range = {0, 10},
        .default_yaml = "5",
        .doc = "`q_*`: bits of it below one core cycle."},
    Key{.path = "q_table_cycles",
        .type = kInteger,
        .range = {2, 3},
        .default_yaml = "3",
        .doc = "`q_*`: core cycles of a decision by the table."},
    Key{.path = "q_banks",
        .type = kInteger,
        .range = {1, kMostBanks},
        .default_words = "a router's ports / (8 `link.cycles_per_flit`), rounded up",
        .doc =
            "`q_*`: decisions, and updates of the table, that a router makes in a core cycle; at "
            "most its network ports."},
    Key{.path = "q_initial",
        .names = kInitials,
        .default_yaml = "zero_load",
        .doc = "`q_*`: values after reset: the time of the shortest way through the port in an "
               "empty network, or less, so that ports are tried."},
    Key{.path = "q_feedback",
        .names = kFeedbacks,
        .default_yaml = "free",
        .doc = "`q_*`: what a router reports back: the best value of its row, or that of what the "
               "packet may still do there."},
    Key{.path = "q_local_detours",
        .type = kFlag,
        .demand = "false",
        .owners = kOwners,
        .default_words = "`q_adaptive`: true; `q_par`: false",
        .doc = "`q_adaptive`, `q_par`: the source router may choose any local port, not only the "
               "minimal one."},
    Key{.path = "q_queues",
        .type = kFlag,
        .default_words = "`q_par`: true; else false",
        .doc = "`q_*`: the router's own queues count in the estimate."},
    Key{.path = "q_progressive",
        .type = kFlag,
        .demand = "true",
        .owners = kOwners,
        .default_words = "`q_par`: true; else false",
        .doc = "`q_adaptive`, `q_par`: the second router of the source group may leave it through "
               "its own global ports."},
};

constexpr unsigned kMinimalHops = 3;         // of a dragonfly's paths
constexpr unsigned kSourceGroupHops = 5;     // of the longest path of q_adaptive and q_par
constexpr unsigned kMostDragonflyHops = 12;  // a VC for each, and for the hops of a minimal path
constexpr unsigned kDragonflyHops = 2;
constexpr unsigned kLeastIntegerBits = 8;

/// Numbers that a variant does not use do no harm: a comparison sets them once for all. Asking for
/// decisions that it does not take is a misunderstanding.
void check_decisions(Request& request) {
  for (const auto& [key, asks] : {std::pair{"q_progressive", true}, {"q_local_detours", false}}) {
    if (!request.written(key) || request.bad(key) || request.settings().flag(key) != asks) continue;
    request.refuse("config.foreign-key", key, fmt::format("{} with {}", asks, request.variant()),
                   "routing.algorithm: " + std::string(kOwners),
                   fmt::format("{} decides at every router, among all ports", request.variant()));
  }
}

void check_hops(Request& request) {
  if (request.bad("q_max_hops")) return;
  const bool groups = topology::is_dragonfly(request.topology());
  request.set_default(
      "q_max_hops", std::uint64_t{groups ? kDragonflyHops : default_max_hops(request.topology())});
  const unsigned hops = request.settings().number("q_max_hops");
  if (!groups || hops <= kMostDragonflyHops) return;
  request.refuse("config.out-of-range", "q_max_hops", fmt::format("{}", hops),
                 fmt::format("1 to {} on a dragonfly", kMostDragonflyHops),
                 "every hop takes a virtual channel of its own");
}

void check_value_bits(Request& request) {
  if (request.bad("q_value_bits") || request.bad("q_fraction_bits")) return;
  const unsigned value = request.settings().number("q_value_bits"),
                 fraction = request.settings().number("q_fraction_bits");
  if (value >= fraction + kLeastIntegerBits) return;
  // (The default has room for every fraction.)
  request.refuse(
      "config.out-of-range", "q_value_bits",
      fmt::format("{} bits, {} of them below the binary point", value, fraction),
      fmt::format("q_value_bits of q_fraction_bits + {} and more", kLeastIntegerBits),
      fmt::format("the greatest time would be {} core cycles", ((1U << value) - 1) >> fraction));
}

void check_banks(Request& request) {
  const spec::TopologySpec& t = request.topology();
  if (request.bad("q_banks")) return;
  if (t.dims.empty()) return request.set_default("q_banks", std::uint64_t{1});
  auto network = static_cast<unsigned>(2 * t.dims.size());
  if (topology::is_dragonfly(t)) {
    const topology::DragonflySpec d = topology::dragonfly_spec(t);
    network = d.routers_per_group - 1 + d.global_ports;
  }
  const spec::Rational flit = request.network.link.cycles_per_flit;
  const unsigned enough =
      ((network + t.terminals_per_router) * flit.den - 1) / (kFlitsOfPackets * flit.num) + 1;
  request.set_default("q_banks", std::uint64_t{std::min({enough, network, kMostBanks})});
  const unsigned banks = request.settings().number("q_banks");
  if (banks <= network) return;
  request.refuse("config.out-of-range", "q_banks", fmt::format("{}", banks),
                 fmt::format("1 to {}, the router's network ports", network),
                 "each bank learns for network ports of its own");
}

/// Every router has a local port to each other one, and the port of the minimal path is one and the
/// same for all packets to a group.
void check_groups(Request& request) {
  if (request.topology().dims.empty()) return;
  const topology::DragonflySpec d = topology::dragonfly_spec(request.topology());
  if (d.group_rows > 1) {
    request.refuse("config.routing-topology", "algorithm",
                   fmt::format("{} with group_rows: {}", request.variant(), d.group_rows),
                   fmt::format("group_rows: 1 with {}; ugal_ln takes any", request.variant()),
                   "the hops of a path count its virtual channels, and one local hop reaches every "
                   "router of the group");
  }
  if (d.links_per_group_pair > 1) {
    request.refuse(
        "config.routing-topology", "algorithm",
        fmt::format("{} with {} links between two groups", request.variant(),
                    d.links_per_group_pair),
        fmt::format("links_per_group_pair: 1 with {}; ugal_ln takes any", request.variant()),
        "the default is as many links as the global ports allow");
  }
  constexpr unsigned kLeastGroups = 3;
  if (d.groups < kLeastGroups) {
    request.refuse("config.too-few-groups", "algorithm",
                   fmt::format("{} with {} groups", request.variant(), d.groups),
                   "min, or groups: 3 and more", "a non-minimal path leads through a third group");
  }
}

void complete(Request& request) {
  const bool everywhere = request.variant() == kEverywhere, par = request.variant() == kPar;
  check_value_bits(request);
  if (topology::is_dragonfly(request.topology())) check_groups(request);
  check_banks(request);
  request.set_default("q_local_detours", !par);
  request.set_default("q_queues", par);
  request.set_default("q_progressive", par);
  if (everywhere) {
    check_decisions(request);
    check_hops(request);
    for (const char* key : kOfSourceGroups) request.settings().erase(key);
  } else {
    request.settings().erase("q_max_hops");
  }
}

topology::HeaderState header(const spec::TopologySpec& topology, const spec::RoutingSpec& routing) {
  topology::HeaderState state;
  // In a network of groups the VC tells the hops.
  if (topology.is_grid()) state.packet_classes = routing.settings.number("q_max_hops") + 1;
  state.timing = true;
  state.source_slot = routing.algorithm != kEverywhere;
  return state;
}

constexpr std::array kCounters{
    Counter{"decisions", "decisions", "choices by the table"},
    Counter{"nonminimal", "decisions", "those for another than the minimal port"},
    Counter{"explored", "decisions", "those for a port at random"},
    Counter{"best", "core cycles", "sum over the decisions: the best value"},
    Counter{"minimal", "core cycles", "sum over the decisions: the minimal port's value"},
    Counter{"saturated", "words", "feedback words that hold the greatest value"},
    Counter{"updates", "words", "feedback words that changed the table"},
    Counter{"dropped", "words", "feedback words that found the queue full"},
};

}  // namespace

Settings settings(const spec::RoutingSpec& routing) {
  const spec::Settings& s = routing.settings;
  Settings out{.everywhere = routing.algorithm == kEverywhere,
               .alpha = s.real("q_alpha"),
               .beta = s.real("q_beta"),
               .epsilon = s.real("q_epsilon"),
               .value_bits = s.number("q_value_bits"),
               .fraction_bits = s.number("q_fraction_bits"),
               .table_cycles = s.number("q_table_cycles"),
               .banks = s.number("q_banks"),
               .initial = s.choice<Initial>("q_initial", kInitials),
               .feedback = s.choice<Feedback>("q_feedback", kFeedbacks),
               .queues = s.flag("q_queues")};
  if (out.everywhere) {
    out.max_hops = s.number("q_max_hops");
    return out;
  }
  out.threshold_source = s.real("q_threshold_source");
  out.threshold_intermediate = s.real("q_threshold_intermediate");
  out.local_detours = s.flag("q_local_detours");
  out.progressive = s.flag("q_progressive");
  return out;
}

std::vector<VcClass> hop_names(const Settings& settings) {
  const unsigned hops = settings.everywhere ? settings.max_hops + kMinimalHops : kSourceGroupHops;
  std::vector<VcClass> classes;
  for (unsigned i = 0; i < hops; ++i) classes.push_back({fmt::format("hop{}", i), true});
  return classes;
}

constinit const Family kFamily{
    .name = "q",
    .variants = kVariants,
    .keys = kKeys,
    .fits =
        [](const spec::TopologySpec& t, std::string_view variant) {
          return topology::is_dragonfly(t) || (variant == kEverywhere && t.has_wraparound());
        },
    .complete = complete,
    .vc_classes =
        [](const spec::TopologySpec& t, const spec::RoutingSpec& routing) {
          return t.is_grid() ? grid_class_names(t, true) : hop_names(settings(routing));
        },
    .header = header,
    .relation = make_q,
    .counters = [](const spec::RoutingSpec&) -> std::span<const Counter> { return kCounters; },
    .needs_neighbours = true,
    .unit = unit,
};

}  // namespace hopwise::routing::q
