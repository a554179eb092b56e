// SPDX-License-Identifier: Apache-2.0
#include "app/compiled.hpp"

#include <algorithm>
#include <bit>
#include <fstream>

#include <fmt/format.h>

#include "app/network.hpp"
#include "app/progress.hpp"
#include "config/keys.hpp"
#include "emit/bundle.hpp"
#include "emit/shape.hpp"
#include "engine/batch.hpp"
#include "engine/boundary.hpp"
#include "model/lanes_library.hpp"
#include "spec/csr_map.hpp"
#include "spec/message_csr_map.hpp"

namespace hopwise::app {

namespace {

/// What decides which code the compiler makes for this machine.
std::string machine() {
  std::ifstream in("/proc/cpuinfo");
  std::string line, text;
  while (std::getline(in, line) && !line.empty()) {
    if (line.starts_with("model name") || line.starts_with("flags")) text += line + "\n";
  }
  return text;
}

}  // namespace

model::BuildOptions build_options(const ModelOptions& options) {
  return {.cache = options.cache,
          .assertions = options.assertions,
          .trace = options.trace,
          .machine = machine(),
          .jobs = options.jobs,
          .vectors = options.vectors,
          .quick = options.quick,
          .own_cache = options.own_cache};
}

emit::MetaLayout meta_layout() {
  emit::MetaLayout layout;
  for (const model::MetaWire& wire : model::kMetaWires) layout.emplace(wire.name, wire.lsb);
  return layout;
}

emit::ModelLayout model_layout() {
  emit::ModelLayout layout{.wires = meta_layout(),
                           .host_inputs = {},
                           .host_outputs = {},
                           .host_input_bits = 8 * sizeof(model::HostInputs),
                           .host_output_bits = 8 * sizeof(model::HostOutputs)};
  for (const model::HostPin& pin : model::kHostInputs)
    layout.host_inputs.emplace(pin.name, pin.lsb);
  for (const model::HostPin& pin : model::kHostOutputs)
    layout.host_outputs.emplace(pin.name, pin.lsb);
  return layout;
}

namespace {

/// Fewer routers than this, of all points that run side by side, leave most lanes of a word empty.
constexpr std::size_t kFewestInLanes = 32;
/// Less work than this does not repay the time that it takes to compile lanes.
constexpr double kLeastRouterCycles = 5e7;

/// Of the experiment with one routing.
std::size_t number_of_points(const spec::Spec& spec) {
  return std::max<std::size_t>(1, spec.experiment.loads.size() * spec.experiment.patterns.size());
}

/// Of the experiment with one routing, about: runs to convergence take a quarter of what they may.
double expected_router_cycles(const spec::Spec& spec, std::size_t routers) {
  const std::uint64_t cycles = spec.simulation.cycles != 0
                                   ? spec.simulation.warmup_cycles + spec.simulation.cycles
                                   : spec.simulation.max_cycles / 4;
  return static_cast<double>(cycles) * static_cast<double>(routers * number_of_points(spec));
}

std::string_view wanted_engine(const deadlock::ProvenNetwork& network,
                               const ModelOptions& options) {
  if (!options.engine.empty()) return options.engine;
  return config::kEngines.at(static_cast<std::size_t>(network.spec().simulation.engine));
}

/// Routers that a thread steps together: of the points that it runs side by side or, where there
/// are more threads than points, of its part of one.
std::size_t routers_of_thread(std::size_t routers, std::size_t points, unsigned threads) {
  const std::size_t workers = std::clamp<std::size_t>(points, 1, threads),
                    parts = threads / workers,
                    places = std::min((points + workers - 1) / workers, engine::Batch::kMostPlaces);
  return places * ((routers + parts - 1) / parts);
}

/// The most of one rank.
std::size_t routers_of_rank(const topology::Topology& topology, unsigned ranks) {
  const std::vector<std::uint32_t> cuts = engine::cut_routers(topology, ranks);
  std::size_t most = 0;
  for (std::size_t r = 0; r < ranks; ++r) most = std::max<std::size_t>(most, cuts[r + 1] - cuts[r]);
  return most;
}

/// The smallest word that has so many lanes, or the widest.
unsigned fitting_lanes(std::size_t routers, model::Vectors vectors) {
  const unsigned widest =
      64u << (vectors == model::Vectors::kNone ? 0 : 1 + static_cast<unsigned>(vectors));
  return static_cast<unsigned>(std::clamp<std::size_t>(std::bit_ceil(routers), 64, widest));
}

/// Lanes of a word for this network and machine; 0: Verilator.
unsigned choose_lanes(const deadlock::ProvenNetwork& network, const ModelOptions& options) {
  const spec::SimulationSpec& sim = network.spec().simulation;
  const std::string_view wanted = wanted_engine(network, options);
  // Ranks simulate one point at a time.
  const std::size_t routers = routers_of_rank(network.topology(), options.ranks),
                    points = options.ranks > 1 ? 1 : number_of_points(network.spec()),
                    beside = std::min(points, engine::Batch::kMostPlaces) * routers;
  const model::Vectors vectors = std::min(options.vectors, model::vectors_of_cpu());
  if (wanted == "verilator") return 0;
  if (wanted == "auto" &&
      (beside < kFewestInLanes || vectors == model::Vectors::kNone || options.trace ||
       expected_router_cycles(network.spec(), network.topology().num_routers()) <
           kLeastRouterCycles))
    return 0;
  if (sim.lanes != 0) return sim.lanes;
  return fitting_lanes(routers_of_thread(routers, points, std::max(1u, options.threads)), vectors);
}

/// Of the model of terminals, beside routers in words of `lanes`: a run has banks of its own of
/// them.
unsigned choose_terminal_lanes(const deadlock::ProvenNetwork& network, const ModelOptions& options,
                               unsigned lanes) {
  if (lanes == 0 || network.spec().simulation.lanes != 0) return lanes;
  return fitting_lanes(network.topology().num_terminals() / std::max(1u, options.threads),
                       std::min(options.vectors, model::vectors_of_cpu()));
}

/// Verilator's, or in words of `lanes`.
Result<model::LoadedModel> load(const emit::Files& files, const std::string& top,
                                const model::RouterModel& numbers, unsigned lanes,
                                const model::BuildOptions& build, const std::string& label) {
  Spinner spinner;
  const auto say = [&](const std::string& what) {
    spinner.say(fmt::format("{}: {}", label, what));
  };
  return lanes == 0 ? model::load_model(files, top, numbers, build, say)
                    : model::load_lanes_model(files, top, numbers, lanes, build, say);
}

/// The models of all shapes of routers.
Result<std::vector<model::LoadedModel>> load_models(const deadlock::ProvenNetwork& network,
                                                    const std::string& label,
                                                    const ModelOptions& options, unsigned lanes) {
  std::vector<model::LoadedModel> models;
  for (const emit::RouterShape& shape : emit::router_shapes(network, true)) {
    std::string top;
    emit::Files files = emit::emit_node(network, shape, top);
    files.merge(emit::emit_model(shape, meta_layout(), top));
    const model::RouterModel numbers{
        .version = model::kRouterBankVersion,
        .ports = shape.ports,
        .flit_bits = shape.flit_bits,
        .counter_words = shape.counter_words(),
        .queue_bits = shape.queue_metric > 0 ? shape.queue_width : 0,
        .feedback_ports = shape.feedback_bits > 0 ? shape.network_ports : 0,
        .feedback_bits = shape.feedback_bits,
        .trace_bits = shape.model_trace_bits(),
        .stuck_words = shape.stuck_words(),
        .lanes = 1,
        .hosts = 0,
        .make_bank = nullptr};
    model::BuildOptions build = build_options(options);
    build.whole_flits = network.spec().fault.any();
    auto loaded = load(files, top, numbers, lanes, build, label);
    if (!loaded) return loaded.errors();
    models.push_back(std::move(loaded).value());
  }
  return models;
}

/// The model of terminals with message interfaces.
Result<model::LoadedModel> load_terminal_model(const deadlock::ProvenNetwork& network,
                                               const std::string& label,
                                               const ModelOptions& options, unsigned lanes) {
  const emit::RouterShape shape = emit::router_shape(network, 0, true);
  std::string top;
  const emit::Files files = emit::emit_terminal_model(network, shape, model_layout(), top);
  const model::RouterModel numbers{.version = model::kRouterBankVersion,
                                   .ports = 1,
                                   .flit_bits = shape.flit_bits,
                                   .counter_words = 2 * csr::kNumNicCounters,
                                   .queue_bits = 0,
                                   .feedback_ports = 0,
                                   .feedback_bits = 0,
                                   .trace_bits = 0,
                                   .stuck_words = 0,
                                   .lanes = 1,
                                   .hosts = 1,
                                   .make_bank = nullptr};
  return load(files, top, numbers, lanes, build_options(options), label);
}

std::vector<const model::RouterModel*> pointers(const std::vector<model::LoadedModel>& models) {
  std::vector<const model::RouterModel*> all;
  for (const auto& loaded : models) all.push_back(loaded.model);
  return all;
}

}  // namespace

Diagnostics load_shadows(Simulated& network, const ModelOptions& options) {
  if (network.lanes == 0 || !network.shadows.empty()) return {};
  auto models = load_models(*network.proven, network.label, options, 0);
  if (!models) return models.errors();
  network.shadows = std::move(models).value();
  return {};
}

engine::Setup with_shadows(const Simulated& network) {
  engine::Setup setup = *network.setup;
  setup.shadows = pointers(network.shadows);
  return setup;
}

Diagnostics add_shadows(Simulated& network, const ModelOptions& options) {
  if (Diagnostics failed = load_shadows(network, options); !failed.empty()) return failed;
  network.setup->shadows = pointers(network.shadows);
  return {};
}

Result<Simulated> compile(deadlock::ProvenNetwork proven, const std::string& label,
                          const ModelOptions& options) {
  Simulated s;
  s.label = label;
  s.proven = std::make_unique<deadlock::ProvenNetwork>(std::move(proven));
  const topology::Topology& topology = s.proven->topology();
  const std::vector<emit::RouterShape> shapes = emit::router_shapes(*s.proven, true);
  s.rtl_hash = rtl_hash(*s.proven);
  s.lanes = choose_lanes(*s.proven, options);
  auto models = load_models(*s.proven, label, options, s.lanes);
  if (!models && s.lanes > 0 && wanted_engine(*s.proven, options) == "auto" &&
      models.errors().front().code != "cache.directory") {
    fmt::print(stderr, "{}: no lanes, Verilator instead: {}\n", label,
               models.errors().front().found);
    s.lanes = 0;
    models = load_models(*s.proven, label, options, s.lanes);
  }
  if (!models) return models.errors();
  s.models = std::move(models).value();
  std::vector<std::uint64_t> coordinates;
  for (std::uint32_t r = 0; r < topology.num_routers(); ++r)
    coordinates.push_back(emit::coordinate_value(shapes.front(), topology, RouterId{r}));
  const emit::RouterShape& shape = shapes.front();
  s.setup = std::unique_ptr<engine::Setup>(new engine::Setup{
      .network = s.proven->spec().network,
      .topology = topology,
      .format = shape.format,
      .models = pointers(s.models),
      .coordinates = std::move(coordinates),
      .in_order = s.proven->relation().in_order(),
      .injection_vc_modulus = shape.fixed_vc_by_destination ? shape.vcs / shape.message_classes : 0,
      .draws = shape.cfg_reset.size() > static_cast<std::size_t>(emit::ConfigWord::kSeed),
      .route_cycles = s.proven->family().route_cycles(s.proven->spec().network.routing)});
  if (shape.reset_cycles > 0)
    s.setup->reset_register =
        csr::kRoutingControl + 4 * static_cast<std::uint32_t>(shape.config_words().size() - 1);
  if (s.setup->network.terminal.messages) {
    auto terminal = load_terminal_model(*s.proven, label, options,
                                        choose_terminal_lanes(*s.proven, options, s.lanes));
    if (!terminal) return terminal.errors();
    s.terminal = std::move(terminal).value();
    s.setup->terminal_model = s.terminal->model;
    for (std::uint32_t t = 0; t < topology.num_terminals(); ++t)
      s.setup->addresses.push_back(emit::terminal_address(shape, topology, TerminalId{t}));
  }
  probes::equip(*s.setup, s.proven->family());
  // The setup points into the object that is returned by move.
  return s;
}

}  // namespace hopwise::app
