// SPDX-License-Identifier: Apache-2.0
// From a proven network to one whose router is compiled and loaded: by Verilator, or into lanes.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "deadlock/proof.hpp"
#include "emit/bundle.hpp"
#include "engine/options.hpp"
#include "model/model_library.hpp"
#include "probes/probes.hpp"
#include "support/result.hpp"

namespace hopwise::app {

/// A network whose router is compiled and loaded.
struct Simulated {
  std::string label;
  std::string rtl_hash;  ///< see rtl_hash()
  std::unique_ptr<deadlock::ProvenNetwork> proven;
  std::vector<model::LoadedModel> models;      ///< of each shape of routers
  unsigned lanes = 0;                          ///< of the models' words; 0: Verilator's
  std::vector<model::LoadedModel> shadows;     ///< see add_shadows
  std::optional<model::LoadedModel> terminal;  ///< of terminals with message interfaces
  std::unique_ptr<engine::Setup> setup;
  /// that routers are loaded with; nullptr: none
  std::shared_ptr<const probes::Learned> learned = nullptr;
};

struct ModelOptions {
  std::filesystem::path cache;
  bool assertions = true;
  bool trace = false;
  unsigned jobs = 2;
  unsigned threads = 1;    ///< of the simulations: words fit a thread's routers
  unsigned ranks = 1;      ///< that simulate a point together: words fit a rank's routers
  bool quick = false;      ///< see model::BuildOptions
  bool own_cache = false;  ///< see model::BuildOptions
  model::Vectors vectors = model::Vectors::kAvx512;  ///< see model::BuildOptions
  std::string engine = {};  ///< "auto", "verilator" or "lanes"; empty: simulation.engine
};

/// The same for the compiler of models.
model::BuildOptions build_options(const ModelOptions& options);

/// The bytes of a model's pins, as the engine reads them; and those of a host's pins.
emit::MetaLayout meta_layout();
emit::ModelLayout model_layout();

/// Models in lanes are Verilator's twin: loads those of Verilator beside them, which can shadow
/// single routers (waveforms, the messages of assertions, comparisons). Nothing where the network's
/// models are Verilator's already.
Diagnostics load_shadows(Simulated& network, const ModelOptions& options);
/// The network's setup with those; its own stays as it is, since others may be running on it.
engine::Setup with_shadows(const Simulated& network);
/// Loads them into its own.
Diagnostics add_shadows(Simulated& network, const ModelOptions& options);

Result<Simulated> compile(deadlock::ProvenNetwork proven, const std::string& label,
                          const ModelOptions& options);

}  // namespace hopwise::app
