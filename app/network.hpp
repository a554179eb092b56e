// SPDX-License-Identifier: Apache-2.0
// From a YAML file to a proven network.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/key_table.hpp"
#include "deadlock/proof.hpp"
#include "support/result.hpp"
#include "support/warning.hpp"

namespace hopwise::app {

/// Exit status of every command.
enum Status { kGood = 0, kFailed = 1, kBadInput = 2, kInterrupted = 130 };

/// All that Hopwise brings.
config::Catalogue builtin_catalogue();

/// What the user gave on the command line for a network.
struct Input {
  std::string file;
  std::vector<std::string> overrides;      ///< --set
  std::vector<std::string> routings = {};  ///< --routing: labels of the variants to use; or empty
  bool among_files = false;                ///< of these labels some may be another file's
  config::Catalogue catalogue = builtin_catalogue();
  std::vector<std::string> extensions =
      {};  ///< --with: directories, whose lists are in `catalogue`
};

/// The file with its overrides, and the routings that a command takes.
struct Experiment {
  spec::Spec base;
  std::vector<spec::RoutingVariant> variants;
  std::string text;
  std::size_t compared = 0;  ///< routings that the file compares
};

/// For commands that compare: the one of --routing, that of `--set routing.algorithm`, or all of
/// experiment.routings. Errors: the file's; app.no-such-routing.
Result<Experiment> load_experiment(const Input& input);

/// For commands about one network: the one of --routing, or routing.algorithm where the file or
/// --set has it, or all of experiment.routings. Errors: as load_experiment.
Result<Experiment> load_network(const Input& input);

/// The same, of which there must be one. Error: app.which-routing.
Result<Experiment> load_one_network(const Input& input);

/// app.no-such-routing for each label of --routing that is not among `labels`.
Diagnostics unknown_routings(const std::vector<std::string>& asked,
                             const std::vector<std::string>& labels, const std::string& file);

/// The specification of one variant.
Result<spec::Spec> load_variant(const Input& input, const Experiment& experiment,
                                const spec::RoutingVariant& variant);

/// Of a command that runs none: app.job where there is one.
Diagnostics refuse_job(const spec::Spec& spec);

/// Builds topology and relation and proves the network.
std::variant<deadlock::ProvenNetwork, deadlock::ProofFailure> prove(
    const spec::Spec& spec, const config::Catalogue& catalogue);
/// The same; none, and a message with the name and what follows, where it is not proved.
std::optional<deadlock::ProvenNetwork> prove_or_say(const spec::Spec& spec,
                                                    const config::Catalogue& catalogue,
                                                    const std::string& name, const char* follows);

/// Of the emitted files of its routers, names and texts: tells whether two have the same RTL.
std::string rtl_hash(const deadlock::ProvenNetwork& network);

/// What its user may not have meant, under these patterns.
Warnings network_warnings(const deadlock::ProvenNetwork& network, const std::string& label,
                          spec::Patterns known, const std::vector<std::string>& patterns);

/// --set has the key.
bool sets(const Input& input, std::string_view key);

/// The file that `word`, the value of the key, names: from the directory of `file` on, which holds
/// the key unless --set has it.
std::filesystem::path named_file(const Input& input, const std::string& file, std::string_view key,
                                 const std::string& word);

/// $XDG_CACHE_HOME/hopwise, or ~/.cache/hopwise, or without absolute paths in these a directory of
/// the user's under that of temporary files.
std::filesystem::path default_cache();

/// Prints diagnostics to the standard error output; returns kBadInput.
int report(const Diagnostics& diagnostics);
/// Of a tool that was run: the same but kFailed, unless it is about the cache; kInterrupted without
/// a word where that is why.
int report_failed(const Diagnostics& diagnostics);

}  // namespace hopwise::app
