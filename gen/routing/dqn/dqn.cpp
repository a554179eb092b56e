// SPDX-License-Identifier: Apache-2.0
#include "routing/dqn/dqn.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "routing/dor_bias.hpp"
#include "routing/grid.hpp"
#include "routing/hop_limited_grid.hpp"

namespace hopwise::routing::dqn {

namespace {

constexpr std::array kVariants{Variant{"dqn", "ports proposed by a neural network"}};

constexpr std::array<std::string_view, 2> kObservations{"offsets", "coordinates"};
constexpr std::array<std::string_view, 3> kMasks{"none", "receive", "room"};
constexpr std::array<std::string_view, 3> kSharings{"router", "row", "all"};
constexpr double kMaxCycles = 1e12;
constexpr unsigned kMostPreferences = 8;  ///< network ports of four dimensions

constexpr std::array kSections{
    spec::Section{"training", "How the agents of `dqn` learn, in `hopwise agent train`."}};

using spec::Key;
using enum spec::KeyType;
constexpr std::array kKeys{
    Key{.path = "agent",
        .run_only = true,
        .default_words = "none",
        .doc = "`dqn`: path of the trained agent (`hopwise agent`) that a simulation loads into "
               "the routers; without one packets go in dimension order."},
    Key{.path = "dqn_hidden",
        .type = kIntegers,
        .range = {1, 64},
        .min_entries = 1,
        .max_entries = 3,
        .default_yaml = "[32, 16]",
        .doc = "`dqn`: sizes of the hidden layers."},
    Key{.path = "dqn_macs",
        .type = kInteger,
        .range = {4, 256},
        .default_yaml = "64",
        .doc = "`dqn`: multipliers of the inference engine, a power of two."},
    Key{.path = "dqn_zero_time",
        .type = kFlag,
        .default_yaml = "false",
        .doc = "`dqn`: the engine answers in the cycle of the question, as in the thesis: for "
               "comparison, not for a board."},
    Key{.path = "dqn_observation",
        .names = kObservations,
        .default_yaml = "offsets",
        .doc = "`dqn`: whether the network sees where the destination lies from here, or its "
               "coordinates."},
    Key{.path = "dqn_mask",
        .names = kMasks,
        .default_yaml = "none",
        .doc = "`dqn`: ports that are not proposed: none (the thesis), the one that the packet "
               "came through, or also those that have no room for it."},
    Key{.path = "dqn_preferences",
        .type = kInteger,
        .range = {0, kMostPreferences},
        .default_yaml = "0",
        .doc =
            "`dqn`: 0: a packet waits for the port that the agent proposes for it (the thesis). "
            "Else packets do not wait: so many ports are kept for every destination, the best of "
            "its latest valuation, and a packet takes that of them with the most room."},
    Key{.path = "dqn_preference_margin",
        .type = kInteger,
        .range = {0, 15},
        .default_yaml = "3",
        .doc =
            "`dqn`: n: preferred is a port whose value is at least 1 - 2^-n of the best one's; 0: "
            "any."},
    kDorBiasKey,
    Key{.path = "dqn_pending",
        .type = kInteger,
        .range = {4, 256},
        .default_yaml = "64",
        .doc = "`dqn`: packets of a router that wait for their acknowledge, a power of two; more "
               "go on without."},
    Key{.path = "dqn_max_hops",
        .type = kInteger,
        .range = {1, kMostHops},
        .default_words = "twice the diameter, at most 62",
        .doc = "`dqn`: hops after which a packet goes in dimension order; with `dqn_preferences` "
               "minimally."},
    Key{.path = "dqn_ack_ratio",
        .type = kInteger,
        .range = {1, 65535},
        .default_yaml = "1",
        .doc = "`dqn`: one packet in so many of a terminal is acknowledged."},
    Key{.path = "dqn_epsilon",
        .type = kReal,
        .range = {0, 1},
        .default_yaml = "0.02",
        .doc = "`dqn`: probability of a port at random; training has its own."},
    Key{.path = "dqn_counters",
        .type = kFlag,
        .default_yaml = "false",
        .doc = "`dqn`: routers of a bundle, and those that are costed, have the counters of the "
               "agent; simulations always have them."},
    Key{.path = "dqn_patient",
        .type = kFlag,
        .default_yaml = "false",
        .doc = "`dqn`: an accepted packet waits while another one passes through the VC that it is "
               "to have, if there is room behind it; else it turns to dimension order at once."},

    Key{.path = "training.share",
        .names = kSharings,
        .run_only = true,
        .default_yaml = "row",
        .doc = "Routers that share an agent: each has its own, those of a row of dimension 0 (a "
               "mezzanine), or all."},
    Key{.path = "training.decisions",
        .type = kInteger,
        .range = {1, 100000000},
        .run_only = true,
        .default_yaml = "150000",
        .doc = "Proposals of each agent until the training ends."},
    Key{.path = "training.load",
        .type = kReal,
        .range = {.min = 0, .max = 1, .above_min = true},
        .run_only = true,
        .default_yaml = "0.8",
        .doc = "Offered load of the training."},
    Key{.path = "training.batch",
        .type = kInteger,
        .range = {1, 1024},
        .run_only = true,
        .default_yaml = "32",
        .doc = "Samples of a step."},
    Key{.path = "training.start_samples",
        .type = kInteger,
        .range = {1, 1000000},
        .run_only = true,
        .default_yaml = "1000",
        .doc = "Samples of an agent before its first step."},
    Key{.path = "training.samples_per_step",
        .type = kInteger,
        .range = {1, 1000000},
        .run_only = true,
        .default_yaml = "4",
        .doc = "New samples of an agent from step to step."},
    Key{.path = "training.replay",
        .type = kInteger,
        .range = {1, 10000000},
        .run_only = true,
        .default_yaml = "50000",
        .doc = "Samples that an agent remembers."},
    Key{.path = "training.learning_rate",
        .type = kReal,
        .range = {.min = 0, .max = 1, .above_min = true},
        .run_only = true,
        .default_yaml = "0.0005",
        .doc = "Step size of Adam."},
    Key{.path = "training.huber_delta",
        .type = kReal,
        .range = {.min = 0, .max = 1000, .above_min = true},
        .run_only = true,
        .default_yaml = "1",
        .doc = "Error from which on the loss grows linearly."},
    Key{.path = "training.epsilon_steps",
        .type = kIntegers,
        .range = {0, 100000000},
        .max_entries = 16,
        .run_only = true,
        .default_yaml = "[0, 10000, 100000, 100000]",
        .doc = "Proposals of an agent at which `epsilon` is given, ascending."},
    Key{.path = "training.epsilon",
        .type = kReals,
        .range = {0, 1},
        .max_entries = 16,
        .scalar_or_list = true,
        .run_only = true,
        .default_yaml = "[1, 0.1, 0.1, 0.02]",
        .doc = "Exploration at `epsilon_steps`, linear between them."},
    Key{.path = "training.swap_delay_cycles",
        .type = kInteger,
        .range = {0, kMaxCycles},
        .run_only = true,
        .default_yaml = "0",
        .doc = "Core cycles from a step to the moment at which its weights begin to load; loading "
               "takes its time as well."},
    Key{.path = "training.quantisation_aware",
        .type = kFlag,
        .run_only = true,
        .default_yaml = "true",
        .doc = "Training rounds weights and activations as the engine does."},
};

void check_power_of_two(Request& request, std::string_view key) {
  const unsigned value = request.settings().number(key);
  if (request.bad(key) || std::has_single_bit(value)) return;
  request.refuse("config.not-a-power-of-two", key, fmt::format("{}", value),
                 fmt::format("a power of two, such as {}", std::bit_floor(value)));
}

void check_training(Request& request) {
  constexpr const char *kSteps = "training.epsilon_steps", *kValues = "training.epsilon";
  if (request.bad(kSteps) || request.bad(kValues)) return;
  const Training t = training(request.network.routing);
  if (t.epsilon_steps.size() != t.epsilon_values.size()) {
    const char* at = request.written(kSteps) ? kSteps : kValues;
    request.refuse_at(
        at, "config.wrong-length", kSteps, count_entries(t.epsilon_steps.size()),
        count_entries(t.epsilon_values.size()) + ", one for each value of training.epsilon");
  } else if (!std::is_sorted(t.epsilon_steps.begin(), t.epsilon_steps.end())) {
    request.refuse("config.not-ascending", kSteps, "a step before the one that it follows",
                   "numbers in ascending order", "two equal ones make a jump");
  }
}

/// What is kept for a destination beside the packets that ask.
void check_preferences(Request& request) {
  const unsigned ports = 2 * static_cast<unsigned>(request.topology().dims.size());
  if (request.bad("dqn_preferences")) return;
  const unsigned kept = request.settings().number("dqn_preferences");
  if (kept > ports && !request.bad("topology.dims")) {
    request.refuse("config.dqn-preferences", "dqn_preferences", fmt::format("{}", kept),
                   fmt::format("0 to {}, the network ports of a router", ports));
  }
  if (kept == 0) return;
  if (!request.bad("dqn_patient") && request.settings().flag("dqn_patient")) {
    request.refuse("config.dqn-preferences", "dqn_patient", "true", "false with dqn_preferences",
                   "a packet takes what has room");
  }
  if (!request.bad("dqn_mask") &&
      request.settings().choice<ActionMask>("dqn_mask", kMasks) == ActionMask::kRoom) {
    request.refuse("config.dqn-preferences", "dqn_mask", "room",
                   "none or receive with dqn_preferences",
                   "ports are valued before it is known which have room");
  }
}

void complete(Request& request) {
  check_power_of_two(request, "dqn_macs");
  check_preferences(request);
  check_power_of_two(request, "dqn_pending");
  request.set_default("agent", std::string());
  request.set_default("dqn_max_hops", std::uint64_t{default_max_hops(request.topology())});
  const spec::RouterSpec& router = request.network.router;
  if (!request.bad("router.switching") && router.switching != spec::Switching::kVirtualCutThrough) {
    request.refuse("config.dqn-switching", "router.switching",
                   router.switching == spec::Switching::kWormhole ? "wormhole" : "saf",
                   "vct with dqn", "a packet goes where the whole of it fits");
  }
  if (!request.bad("router.output_queue_flits") && router.output_queue_flits > 1) {
    request.refuse("config.dqn-output-queue", "router.output_queue_flits",
                   fmt::format("{}", router.output_queue_flits), "0 or 1 with dqn",
                   "the choice looks at the buffers of the next router");
  }
  check_training(request);
}

topology::HeaderState header(const spec::TopologySpec&, const spec::RoutingSpec& routing) {
  constexpr unsigned kGenerationBits = 2;
  const unsigned classes = routing.settings.number("dqn_max_hops") + 1;
  if (routing.settings.number("dqn_preferences") > 0) return {.packet_classes = classes};
  const unsigned pending = routing.settings.number("dqn_pending");
  return {.packet_classes = classes,
          .timing = true,
          .track_bits = static_cast<unsigned>(std::bit_width(pending - 1)) + kGenerationBits + 1};
}

constexpr std::array kCounters{
    Counter{"decisions", "proposals", "proposals of the perceptron"},
    Counter{"accepted", "proposals", "those that the packet follows"},
    Counter{"explored", "proposals", "those at random"},
    Counter{"nonminimal", "proposals", "accepted ones that are not minimal"},
    Counter{"waited", "core cycles", "that proposals waited for the engine"},
    Counter{"rewards", "packets", "acknowledged packets whose age came back"},
    Counter{"untracked", "packets", "packets without an entry for their acknowledge"},
    Counter{"dropped", "words", "acknowledges that found the queue full"},
    Counter{"expired", "entries", "entries whose acknowledge did not come in time"},
    Counter{"stale", "words", "acknowledges for an entry that has gone"},
    Counter{"turned", "packets", "accepted packets that turned to dimension order"},
    Counter{"forced", "questions", "questions without a choice"},
};
constexpr std::array kPreferenceCounters{
    Counter{"decisions", "questions", "questions that got preferred ports"},
    Counter{"nonminimal", "questions", "those whose first port is not minimal"},
    Counter{"unknown", "questions", "questions for a destination that has not been valued yet"},
    Counter{"valuations", "valuations", "destinations whose ports were valued"},
};

}  // namespace

std::vector<unsigned> Settings::layers(std::size_t dims) const {
  const auto n = static_cast<unsigned>(dims);
  std::vector<unsigned> sizes = {6 * n + 1};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(2 * n);
  return sizes;
}

Settings settings(const spec::RoutingSpec& routing) {
  const spec::Settings& s = routing.settings;
  return {.hidden = s.numbers("dqn_hidden"),
          .macs = s.number("dqn_macs"),
          .zero_time = s.flag("dqn_zero_time"),
          .observation = s.choice<Observation>("dqn_observation", kObservations),
          .mask = s.choice<ActionMask>("dqn_mask", kMasks),
          .preferences = s.number("dqn_preferences"),
          .preference_margin = s.number("dqn_preference_margin"),
          .pending = s.number("dqn_pending"),
          .max_hops = s.number("dqn_max_hops"),
          .ack_ratio = s.number("dqn_ack_ratio"),
          .epsilon = s.real("dqn_epsilon"),
          .counters = s.flag("dqn_counters"),
          .patient = s.flag("dqn_patient"),
          .agent = s.word("agent")};
}

Training training(const spec::RoutingSpec& routing) {
  const spec::Settings& s = routing.settings;
  return {.share = s.choice<AgentSharing>("training.share", kSharings),
          .decisions = s.whole("training.decisions"),
          .load = s.real("training.load"),
          .batch = s.number("training.batch"),
          .start_samples = s.number("training.start_samples"),
          .samples_per_step = s.number("training.samples_per_step"),
          .replay = s.number("training.replay"),
          .learning_rate = s.real("training.learning_rate"),
          .huber_delta = s.real("training.huber_delta"),
          .epsilon_steps = std::get<std::vector<std::uint64_t>>(s.at("training.epsilon_steps")),
          .epsilon_values = std::get<std::vector<double>>(s.at("training.epsilon")),
          .swap_delay_cycles = s.whole("training.swap_delay_cycles"),
          .quantisation_aware = s.flag("training.quantisation_aware")};
}

constinit const Family kFamily{
    .name = "dqn",
    .variants = kVariants,
    .keys = kKeys,
    .sections = kSections,
    .fits = [](const spec::TopologySpec& t, std::string_view) { return t.has_wraparound(); },
    .complete = complete,
    .vc_classes = [](const spec::TopologySpec& t,
                     const spec::RoutingSpec&) { return grid_class_names(t, true); },
    .header = header,
    .relation =
        [](const spec::NetworkSpec& spec, const topology::Topology& topology) {
          const Settings s = settings(spec.routing);
          return make_hop_limited_grid(
              spec, topology,
              {.max_hops = s.max_hops,
               .last = s.preferences > 0 ? LastHops::kMinimal : LastHops::kEscape});
        },
    .counters = [](const spec::RoutingSpec& routing) -> std::span<const Counter> {
      if (settings(routing).preferences > 0) return kPreferenceCounters;
      return kCounters;
    },
    .needs_neighbours = true,
    .unit = unit,
};

}  // namespace hopwise::routing::dqn
