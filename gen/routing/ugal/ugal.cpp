// SPDX-License-Identifier: Apache-2.0
#include "routing/ugal/ugal.hpp"
#include "routing/modes.hpp"
#include "topology/dragonfly.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace hopwise::routing::ugal {

namespace {

struct Row {
  Variant variant;
  Facts facts;
};

constexpr Facts kAnyRouter;
constexpr std::string_view kAdaptive = "an adaptive routing: ugal_*, par";
constexpr std::array kRows{
    Row{{"min", "minimal"}, {.nonminimal = false}},
    Row{{"valg", "Valiant through a random group"}, {.minimal = false, .through_router = false}},
    Row{{"valn", "Valiant through a random router"}, {.minimal = false}},
    Row{{"ugal_lg", "the choice between `min` and `valg` by local queues"},
        {.through_router = false}},
    Row{{"ugal_ln", "the choice between `min` and `valn` by local queues"}, kAnyRouter},
    Row{{"ugal_global", "the same by all queues of the network (simulation only)", true},
        {.oracle = true}},
    Row{{"par", "`ugal_ln` that revises a minimal choice in the source group"},
        {.reconsider = true}},
    Row{{"ugal_le", "`ugal_ln` with contention counters"}, {.contention = true}},
    Row{{"dgb", "`ugal_ln` with a bias learned from latencies"}, {.learning_rate = 0.1}},
    Row{{"edgb", "`ugal_le` with a bias learned from latencies"},
        {.contention = true, .learning_rate = 0.001}},
};

template <std::size_t... I>
constexpr auto variants_of(std::index_sequence<I...>) {
  return std::array{kRows[I].variant...};
}
constexpr auto kVariants = variants_of(std::make_index_sequence<kRows.size()>{});

constexpr std::array<std::string_view, 4> kQueueMetrics{"local_queue", "used_credits", "both",
                                                        "in_flight_corrected"};
constexpr std::array<std::string_view, 2> kHopMetrics{"path", "one_two"};
constexpr std::array<std::string_view, 2> kMinimalVcs{"shared", "own"};
constexpr std::array<std::string_view, 3> kContentionCounts{"latched", "live", "latched_or_live"};

using spec::Key;
using enum spec::KeyType;
constexpr std::array kKeys{
    Key{.path = "route_cycles",
        .type = kInteger,
        .range = {0, 4},
        .default_yaml = "0",
        .doc = "Dragonfly, all but `q_*`: core cycles of route computation, which come on top of "
               "`router.pipeline_cycles`: more make the clock faster."},
    Key{.path = "minimal_candidates",
        .type = kInteger,
        .range = {1, 4},
        .default_yaml = "1",
        .doc = "Adaptive routings: minimal paths drawn at random, the best of which is compared."},
    Key{.path = "nonminimal_candidates",
        .type = kInteger,
        .range = {1, 4},
        .default_yaml = "1",
        .doc =
            "Adaptive routings: non-minimal paths drawn at random, the best of which is compared."},
    Key{.path = "bias_flits",
        .type = kReal,
        .range = {-32768, 32767},
        .default_yaml = "0",
        .doc = "Adaptive routings: flits x hops added to the non-minimal side; above 0 favours "
               "minimal paths."},
    Key{.path = "queue_metric",
        .names = kQueueMetrics,
        .default_yaml = "both",
        .doc = "Adaptive routings: what counts as the queue of an output port: the output queue, "
               "the downstream credits in use, both, or both less what was sent in the last two "
               "link latencies."},
    Key{.path = "hop_metric",
        .names = kHopMetrics,
        .default_yaml = "path",
        .doc = "Adaptive routings: queues are weighed by the hops of the path, or 1 : 2."},
    Key{.path = "minimal_vcs",
        .names = kMinimalVcs,
        .default_yaml = "shared",
        .doc =
            "Adaptive routings but `ugal_global`: in the source group minimal paths have the VCs "
            "of non-minimal ones, or their own: the last class but one, the first while they "
            "may be revised. Where both candidates begin at one port, what their VCs hold "
            "downstream is compared then."},
    Key{.path = "reconsider",
        .type = kFlag,
        .demand = "true",
        .owners = kAdaptive,
        .default_words = "`par`: true; else false",
        .doc = "Adaptive routings: routers of the source group may turn a minimal choice into a "
               "non-minimal one."},
    kModesKey,
    Key{.path = "growing_bias_flits",
        .type = kIntegers,
        .range = {0, 32767},
        .min_entries = 3,
        .max_entries = 3,
        .default_words = "0, `low_bias_flits`, `high_bias_flits`",
        .doc = "`modes`: bias of ADAPTIVE_1, as `bias_flits`: at the source router, behind a hop "
               "along a row of its group (of a group that is fully connected, any), and behind one "
               "along a column; the last two count with `reconsider`."},
    Key{.path = "low_bias_flits",
        .type = kInteger,
        .range = {0, 32767},
        .default_words = "a quarter of that of `high_bias_flits`",
        .doc = "`modes`: bias of ADAPTIVE_2. ADAPTIVE_0 has `bias_flits`."},
    Key{.path = "high_bias_flits",
        .type = kInteger,
        .range = {0, 32767},
        .default_words = "depth of the deepest VC x hops of the longest minimal path",
        .doc = "`modes`: bias of ADAPTIVE_3."},
    Key{.path = "contention_window_link_cycles",
        .type = kInteger,
        .range = {16, 16384},
        .default_yaml = "500",
        .doc =
            "`ugal_le`, `edgb`: window in which the packets of a flow are counted, link cycles."},
    Key{.path = "contention_threshold",
        .type = kInteger,
        .range = {0, 14},
        .default_yaml = "5",
        .doc = "`ugal_le`, `edgb`: a flow is active with more packets than this in the window."},
    Key{.path = "contention_count",
        .names = kContentionCounts,
        .default_yaml = "latched_or_live",
        .doc = "`ugal_le`, `edgb`: the window whose counts decide: the completed one, the running "
               "one, or either."},
    Key{.path = "learning_rate",
        .type = kReal,
        .range = {0, 0.999},
        .default_words = "`dgb`: 0.1; `edgb`: 0.001",
        .doc = "`dgb`, `edgb`: flits by which the bias moves per link cycle between the latencies "
               "of non-minimal and minimal paths."},
};

constexpr unsigned kMaxContentionWindow = 65535;  // core cycles: 16 bits of a configuration word

void check_groups(Request& request, const Facts& facts) {
  constexpr unsigned kLeastGroups = 3, kMostContenders = 32;
  if (request.topology().dims.empty()) return;
  const topology::DragonflySpec d = topology::dragonfly_spec(request.topology());
  if (facts.nonminimal && d.groups < kLeastGroups) {
    request.refuse("config.too-few-groups", "algorithm",
                   fmt::format("{} with {} groups", request.variant(), d.groups),
                   "min, or groups: 3 and more", "a non-minimal path leads through a third group");
  } else if (facts.contention && d.group_rows > 1) {
    request.refuse("config.routing-topology", "algorithm",
                   fmt::format("{} with group_rows: {}", request.variant(), d.group_rows),
                   fmt::format("group_rows: 1 with {}; ugal_ln takes any", request.variant()),
                   "contention counters see the routers of a group over the local links that join "
                   "all of them");
  } else if (facts.contention && d.routers_per_group > kMostContenders) {
    request.refuse(
        "config.routing-topology", "algorithm",
        fmt::format("{} with routers_per_group: {}", request.variant(), d.routers_per_group),
        fmt::format("routers_per_group: up to {} with {}", kMostContenders, request.variant()),
        "a word of the table window shows which routers of a group have active flows");
  } else if (facts.oracle && d.column_links > 1) {
    request.refuse("config.routing-topology", "algorithm",
                   fmt::format("{} with column_links: {}", request.variant(), d.column_links),
                   fmt::format("column_links: 1 with {}; ugal_ln takes any", request.variant()),
                   "the queues of a path are added up over one link along a column");
  }
}

void check_reconsider(Request& request, const Facts& facts) {
  if (!request.written("reconsider") || !request.settings().flag("reconsider")) return;
  if (!facts.adaptive()) {
    request.refuse("config.no-choice", "reconsider", fmt::format("true with {}", request.variant()),
                   std::string(kAdaptive), "a routing without a choice has nothing to reconsider");
  } else if (facts.contention) {
    request.refuse("config.no-choice", "reconsider", fmt::format("true with {}", request.variant()),
                   fmt::format("false with {}", request.variant()),
                   "a router counts the flows of its own terminals, so routers on the way have no "
                   "count to decide with");
  }
}

void check_window(Request& request) {
  constexpr const char* kWindow = "contention_window_link_cycles";
  if (request.bad(kWindow) || request.bad("link.cycles_per_flit")) return;
  const double link_cycle = request.network.link.cycles_per_flit.value();
  const unsigned window = request.settings().number(kWindow);
  const double cycles = window * link_cycle;
  if (cycles <= kMaxContentionWindow) return;
  request.refuse("config.out-of-range", kWindow,
                 fmt::format("{} = {:.0f} core cycles", window, std::ceil(cycles)),
                 fmt::format("up to {}: {} core cycles",
                             std::floor(kMaxContentionWindow / link_cycle), kMaxContentionWindow));
}

bool own_vcs(const spec::Settings& settings, const Facts& facts) {
  return facts.may_have_own_vcs() && settings.has("minimal_vcs") &&
         settings.choice<MinimalVcs>("minimal_vcs", kMinimalVcs) == MinimalVcs::kOwn;
}

/// The comparison of what VCs hold is between two paths.
void check_own_vcs(Request& request, const Facts& facts) {
  if (request.bad("minimal_vcs") || !own_vcs(request.settings(), facts)) return;
  for (const char* key : {"minimal_candidates", "nonminimal_candidates"}) {
    if (request.bad(key) || request.settings().number(key) == 1) continue;
    request.refuse("config.own-vcs", key, fmt::format("{}", request.settings().number(key)),
                   "1 with minimal_vcs: own; or minimal_vcs: shared",
                   "what the VCs of two paths hold is compared where both begin at one port");
  }
}

constexpr std::array kModeKeys{"growing_bias_flits", "low_bias_flits", "high_bias_flits"};

void check_modes(Request& request, const Facts& facts) {
  if (facts.may_have_modes()) return;
  request.refuse("config.no-modes", "modes", fmt::format("true with {}", request.variant()),
                 "ugal_lg, ugal_ln, par", "its routers choose by what all packets have in common");
}

/// Takes out what does not count for the variant.
void forget(spec::Settings& settings, const Facts& facts) {
  if (!facts.adaptive()) {
    for (const char* key : {"minimal_candidates", "nonminimal_candidates", "bias_flits",
                            "queue_metric", "hop_metric", "reconsider"})
      settings.erase(key);
  }
  if (!facts.may_have_own_vcs()) settings.erase("minimal_vcs");
  if (!has_modes(settings)) {
    settings.erase("modes");
    for (const char* key : kModeKeys) settings.erase(key);
  }
  if (!facts.contention) settings.erase("contention_count");
  if (!facts.contention && !facts.learns()) {
    settings.erase("contention_window_link_cycles");
    settings.erase("contention_threshold");
  }
  if (!facts.learns()) settings.erase("learning_rate");
}

void complete(Request& request) {
  const Facts& row = facts(request.variant());
  check_groups(request, row);
  request.set_default("reconsider", row.reconsider);
  request.set_default("learning_rate", row.learning_rate);
  if (!request.bad("reconsider")) check_reconsider(request, row);
  check_own_vcs(request, row);
  if (row.contention) check_window(request);
  if (!request.bad("bias_flits")) {
    const double bias = request.settings().real("bias_flits");
    if (bias != std::floor(bias))
      request.refuse("config.wrong-type", "bias_flits", fmt::format("{}", bias),
                     "an integer from -32768 to 32767");
  }
  if (has_modes(request.settings())) check_modes(request, row);
  forget(request.settings(), row);
}

topology::HeaderState header(const spec::TopologySpec&, const spec::RoutingSpec& routing) {
  const Facts& row = facts(routing.algorithm);
  if (!row.nonminimal) return {};
  const bool modes = has_modes(routing.settings);
  return {.packet_classes = 4,
          .via = true,
          .feedback = row.learns(),
          .source = row.contention || row.learns() || modes,
          .source_slot = modes,
          .modes = modes};
}

constexpr std::array kAllModes{
    spec::Mode::kAdaptive0, spec::Mode::kAdaptive1, spec::Mode::kAdaptive2, spec::Mode::kAdaptive3,
    spec::Mode::kMinHash,   spec::Mode::kNminHash,  spec::Mode::kInOrder};
constexpr std::array kModesThatDoNotGrow{spec::Mode::kAdaptive0, spec::Mode::kAdaptive2,
                                         spec::Mode::kAdaptive3, spec::Mode::kMinHash,
                                         spec::Mode::kNminHash,  spec::Mode::kInOrder};

/// Without `reconsider` nobody asks behind the first hop: ADAPTIVE_1 is ADAPTIVE_0, unless its
/// first bias is set.
std::span<const spec::Mode> modes(const spec::RoutingSpec& routing) {
  const spec::Settings& s = routing.settings;
  if (!has_modes(s)) return {};
  if (s.flag("reconsider") || s.has("growing_bias_flits")) return kAllModes;
  return kModesThatDoNotGrow;
}

constexpr std::array kCounters{
    Counter{"decisions", "decisions", "choices between a minimal and a non-minimal path"},
    Counter{"nonminimal", "decisions", "those for the non-minimal path"},
    Counter{"minimal_queue", "flits", "sum over the decisions: queue of the minimal path"},
    Counter{"minimal_estimate", "flits x hops", "sum over the decisions: its estimate"},
    Counter{"contention", "flows", "sum over the decisions: its contention factor"},
    Counter{"bias", "flits", "sum over the decisions: learned bias", true},
};

}  // namespace

const Facts& facts(std::string_view variant) {
  for (const Row& row : kRows) {
    if (row.variant.name == variant) return row.facts;
  }
  std::fprintf(stderr, "hopwise::routing::ugal: no variant '%s'\n", std::string(variant).c_str());
  std::abort();
}

Settings settings(const spec::RoutingSpec& routing) {
  const spec::Settings& s = routing.settings;
  Settings out{.facts = facts(routing.algorithm), .route_cycles = s.number("route_cycles")};
  if (out.facts.adaptive()) {
    out.minimal_candidates = s.number("minimal_candidates");
    out.nonminimal_candidates = s.number("nonminimal_candidates");
    out.bias_flits = static_cast<int>(s.real("bias_flits"));
    out.queue_metric = s.choice<QueueMetric>("queue_metric", kQueueMetrics);
    out.hop_metric = s.choice<HopMetric>("hop_metric", kHopMetrics);
    if (own_vcs(s, out.facts)) out.minimal_vcs = MinimalVcs::kOwn;
    out.reconsider = s.flag("reconsider");
    out.modes = has_modes(s);
  }
  if (out.modes) {
    if (s.has("growing_bias_flits")) out.growing_bias_flits = s.numbers("growing_bias_flits");
    if (s.has("low_bias_flits")) out.low_bias_flits = s.number("low_bias_flits");
    if (s.has("high_bias_flits")) out.high_bias_flits = s.number("high_bias_flits");
  }
  if (out.facts.contention || out.facts.learns()) {
    out.contention_window_link_cycles = s.number("contention_window_link_cycles");
    out.contention_threshold = s.number("contention_threshold");
  }
  if (out.facts.contention)
    out.contention_count = s.choice<ContentionCount>("contention_count", kContentionCounts);
  if (out.facts.learns()) out.learning_rate = s.real("learning_rate");
  return out;
}

std::vector<VcClass> step_names(const Facts& facts, bool reconsider) {
  // Source group, destination group; a group between them; a second way within that group; a second
  // way within the source group.
  unsigned steps = 2;
  if (facts.nonminimal) steps += facts.through_router ? 2 : 1;
  if (reconsider) ++steps;
  std::vector<VcClass> classes;
  for (unsigned i = 0; i < steps; ++i) classes.push_back({fmt::format("step{}", i), true});
  return classes;
}

constinit const Family kFamily{
    .name = "ugal",
    .variants = kVariants,
    .keys = kKeys,
    .fits = [](const spec::TopologySpec& t, std::string_view) { return topology::is_dragonfly(t); },
    .complete = complete,
    .vc_classes =
        [](const spec::TopologySpec&, const spec::RoutingSpec& routing) {
          const Facts& row = facts(routing.algorithm);
          return step_names(row, row.adaptive() && routing.settings.has("reconsider") &&
                                     routing.settings.flag("reconsider"));
        },
    .header = header,
    .modes = modes,
    .relation = make_ugal,
    .route_cycles = [](const spec::RoutingSpec& r) { return settings(r).route_cycles; },
    .counters = [](const spec::RoutingSpec& r) -> std::span<const Counter> {
      if (facts(r.algorithm).adaptive()) return kCounters;
      return {};
    },
    .unit = unit,
};

}  // namespace hopwise::routing::ugal
