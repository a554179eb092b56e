// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/validate.hpp"
#include "routing/family.hpp"
#include "support/words.hpp"

namespace hopwise::config {

namespace {

using Program = spec::JobSpec::Program;

/// Sizes of a program's grid; 0: it has none.
unsigned dimensions(Program program) {
  if (program == Program::kHalo3d) return 3;
  return program == Program::kSweep3d || program == Program::kFft ? 2 : 0;
}

/// `n` as a product of sizes that are as equal as they can be, the largest first.
std::vector<unsigned> equal_sizes(std::uint64_t n, unsigned dimensions) {
  std::vector<unsigned> sizes;
  for (unsigned left = dimensions; left > 0; --left) {
    const double root = std::pow(static_cast<double>(n), 1.0 / left);
    auto size = static_cast<std::uint64_t>(std::floor(root + 1e-9));
    while (n % size != 0) --size;
    sizes.push_back(static_cast<unsigned>(size));
    n /= size;
  }
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

std::uint64_t product(const std::vector<std::uint64_t>& sizes) {
  std::uint64_t all = 1;
  for (const std::uint64_t size : sizes) all *= size;
  return all;
}

class JobValidator : SectionValidator {
 public:
  JobValidator(const KeyTable& table, const NetworkConfig& config, spec::Spec& spec,
               Diagnostics& errors)
      : SectionValidator(table, config, errors), s_(spec), j_(spec.job) {}

  void run() {
    if (c_.job_program.bad()) return;
    if (!c_.job_program.written()) {
      no_program();
      return;
    }
    j_.program = to_enum<Program>(kPrograms, c_.job_program);
    j_.where = c_.job_program.where;
    j_.name = c_.job_name.written() && !c_.job_name.value.empty() ? c_.job_name.value
                                                                  : c_.job_program.value;
    j_.bytes = c_.job_bytes.value;
    j_.iterations = c_.job_iterations.value;
    j_.warmup = c_.job_warmup.value;
    j_.blocks = to_unsigned(c_.job_blocks);
    j_.algorithm = to_enum<spec::JobSpec::Algorithm>(kJobAlgorithms, c_.job_algorithm);
    transfer();
    j_.clock_ghz = c_.core_clock_ghz.value;
    j_.max_cycles = c_.job_max_cycles.value;
    choose_mode();
    compute();
    ranks();
    grid();
    placement();
    operations();
    beside();
  }

 private:
  /// Keys of a job that is none.
  void no_program() {
    for (const Row& row : table_.rows()) {
      if (!row.key.path.starts_with("job.")) continue;
      with_field(c_, row, [&](const auto& field) {
        if (!field.written()) return;
        refuse("config.no-job", field.where, std::string(row.key.path), "a key without a job",
               "job.program beside it", "");
      });
    }
  }

  void transfer() {
    if (c_.job_transfer.bad() || c_.terminal_interface.bad()) return;
    j_.transfer = to_enum<spec::JobSpec::Transfer>(kTransfers, c_.job_transfer);
    if (j_.transfer == spec::JobSpec::Transfer::kSend) return;
    constexpr std::array kGetting{Program::kPingPong, Program::kAlltoall, Program::kHalo3d,
                                  Program::kFft};
    if (std::ranges::find(kGetting, j_.program) == kGetting.end()) {
      std::vector<std::string_view> names;
      for (const Program program : kGetting)
        names.push_back(kPrograms[static_cast<std::size_t>(program)]);
      refuse(
          "config.job-transfer", c_.job_transfer.where, "job.transfer",
          fmt::format("'get' with {}", c_.job_program.value),
          fmt::format("send, or a program of {}", fmt::join(names, ", ")),
          j_.program == Program::kCustom ? "lines of its own say what a custom program gets" : "");
    } else if (!s_.network.terminal.messages) {
      refuse("config.job-transfer", c_.job_transfer.where, "job.transfer", "'get'",
             "send, or terminal.interface: messages",
             "only a message interface reads the memory of another terminal");
    }
  }

  void choose_mode() {
    using Chooser = spec::JobSpec::Chooser;
    if (c_.job_mode.bad() || c_.terminal_interface.bad() || c_.mode_selector.bad()) return;
    const std::string& chosen = c_.job_mode.value;
    j_.chooser = chosen == "auto"       ? Chooser::kInterface
                 : chosen == "software" ? Chooser::kHost
                                        : Chooser::kUser;
    const spec::TerminalSpec& terminal = s_.network.terminal;
    if (j_.chooser == Chooser::kUser) {
      j_.mode = mode(c_.job_mode, "job.mode", s_.network, chosen);
    } else if (!terminal.messages) {
      refuse("config.job-mode", c_.job_mode.where, "job.mode", "'" + chosen + "'",
             "another one, or terminal.interface: messages",
             "only a message interface counts what its messages meet");
    } else if (j_.chooser == Chooser::kInterface && !terminal.mode_selector) {
      refuse("config.job-mode", c_.job_mode.where, "job.mode", "'" + chosen + "'",
             "another one, or terminal.mode_selector: true", "the interfaces have no selector");
    } else {  // what they choose besides ADAPTIVE_0
      mode(c_.job_mode, "job.mode", s_.network, spec::name_of(spec::Mode::kAdaptive3));
    }
  }

  void compute() {
    j_.compute_cycles = c_.job_compute_cycles.value;
    const Field<double>& ns = c_.job_compute_ns;
    if (!ns.written()) return;
    if (c_.job_compute_cycles.written()) {
      refuse("config.two-units", ns.where, "job.compute_ns", "job.compute_cycles as well",
             "one of compute_cycles and compute_ns", "");
    }
    j_.compute_cycles = static_cast<std::uint64_t>(std::ceil(ns.value * j_.clock_ghz - 1e-9));
  }

  std::uint64_t terminals() const {
    const spec::TopologySpec& topology = s_.network.topology;
    return topology.dims.empty() || c_.terminals_per_router.bad() ? 0 : topology.terminals;
  }

  void ranks() {
    const std::uint64_t all = terminals();
    const bool listed = c_.job_terminals.written();
    j_.ranks = c_.job_ranks.written()             ? c_.job_ranks.value
               : listed                           ? c_.job_terminals.value.values.size()
               : c_.job_grid.written()            ? product(c_.job_grid.value.values)
               : j_.program == Program::kPingPong ? 2
                                                  : all;
    if (c_.job_ranks.bad() || all == 0) return;
    const auto& from = c_.job_ranks.written()  ? c_.job_ranks.where
                       : listed                ? c_.job_terminals.where
                       : c_.job_grid.written() ? c_.job_grid.where
                                               : c_.job_program.where;
    if (j_.ranks > all) {
      refuse("config.job-ranks", from, "job.ranks", fmt::format("{}", j_.ranks),
             fmt::format("1 to {}, the terminals of the network", all), "");
    } else if (j_.program == Program::kPingPong && j_.ranks % 2 != 0) {
      refuse("config.job-ranks", from, "job.ranks", fmt::format("{}", j_.ranks),
             "an even number with ping_pong", "rank r and rank r + ranks / 2 are partners");
    }
  }

  void grid() {
    const unsigned wanted = dimensions(j_.program);
    const Field<UIntList>& grid = c_.job_grid;
    if (wanted == 0 || grid.bad()) return;
    if (!grid.written()) {
      if (j_.ranks != 0) j_.grid = equal_sizes(j_.ranks, wanted);
      return;
    }
    const auto& sizes = grid.value.values;
    j_.grid = to_unsigned(sizes);
    if (sizes.size() == wanted && product(sizes) == j_.ranks) return;
    refuse("config.job-grid", grid.where, "job.grid", fmt::format("{}", fmt::join(sizes, "x")),
           fmt::format("{} sizes whose product is the {} ranks", wanted, j_.ranks), "");
  }

  void placement() {
    using Placement = spec::JobSpec::Placement;
    j_.placement = to_enum<Placement>(kPlacements, c_.job_placement);
    j_.placement_seed =
        c_.job_placement_seed.written() ? c_.job_placement_seed.value : c_.seed.value;
    const Field<UIntList>& list = c_.job_terminals;
    if (c_.job_placement.bad() || list.bad()) return;
    const bool listed = j_.placement == Placement::kList;
    if (listed != list.written()) {
      refuse("config.job-terminals", listed ? c_.job_placement.where : list.where, "job.terminals",
             listed ? "no terminals" : fmt::format("{} terminals", list.value.values.size()),
             listed ? "the terminal of each rank" : "no terminals, or job.placement: list", "");
      return;
    }
    j_.terminals = to_unsigned(list.value.values);
    if (listed && j_.terminals.size() != j_.ranks && !c_.job_ranks.bad()) {
      refuse("config.job-terminals", list.where, "job.terminals",
             fmt::format("{} terminals", j_.terminals.size()),
             fmt::format("{}, one for each rank", j_.ranks), "");
    }
    std::set<unsigned> taken;
    for (std::size_t i = 0; i < j_.terminals.size(); ++i) {
      const unsigned terminal = j_.terminals[i];
      const std::string key = fmt::format("job.terminals[{}]", i);
      if (terminals() != 0 && terminal >= terminals()) {
        refuse("config.no-such-terminal", list.items[i], key, fmt::format("{}", terminal),
               fmt::format("0 to {}", terminals() - 1), "");
      } else if (!taken.insert(terminal).second) {
        refuse("config.job-terminals", list.items[i], key, fmt::format("{} twice", terminal),
               "a terminal of its own for each rank", "");
      }
    }
  }

  void operations() {
    const Field<Names>& lines = c_.job_operations;
    const bool custom = j_.program == Program::kCustom;
    if (lines.bad()) return;
    if (custom != lines.written()) {
      refuse("config.job-operations", custom ? c_.job_program.where : lines.where, "job.operations",
             custom ? "none" : fmt::format("{} lines", lines.value.size()),
             custom ? "a list of operations" : "none, or job.program: custom", "");
    }
    for (std::size_t i = 0; i < lines.value.size(); ++i)
      j_.operations.push_back({lines.value[i], lines.items[i]});
  }

  /// What does not go on beside a job.
  void beside() {
    constexpr const char* kMissing =
        "a rank waits for ever for a message of which a packet is missing";
    const auto no = [this](const SourceLocation& where, const char* key, std::string found,
                           const char* allowed, const char* hint) {
      refuse("config.job-with", where, key, std::move(found) + " with a job", allowed, hint);
    };
    for (const auto& [key, field] : {std::pair("fault.bad_packets", &c_.bad_packets),
                                     std::pair("fault.header_flips", &c_.header_flips)}) {
      if (field->bad() || field->value <= 0) continue;
      no(field->where, key, fmt::format("{}", field->value), "0", kMissing);
    }
    if (s_.network.router.partial_reset && !s_.fault.resets.empty())
      no(c_.resets.where, "fault.resets", "resets", "none", kMissing);
    else if (s_.network.router.partial_reset && s_.fault.reset_rate > 0)
      no(c_.reset_rate.where, "fault.reset_rate", fmt::format("{}", s_.fault.reset_rate), "0",
         kMissing);
    if (c_.find_saturation.written() && c_.find_saturation.value) {
      no(c_.find_saturation.where, "experiment.find_saturation", "true", "false",
         "a job ends, and offers no load");
    }
  }

  spec::Spec& s_;
  spec::JobSpec& j_;
};

}  // namespace

spec::Mode SectionValidator::mode(const Field<std::string>& field, const char* key,
                                  const spec::NetworkSpec& network, std::string_view needed) {
  if (field.bad()) return {};
  const auto mode = static_cast<spec::Mode>(name_index(spec::kModeNames, needed));
  const routing::Family* family =
      routing::find_family(table_.families(), network.routing.algorithm);
  const auto modes = c_.settings.find("routing.modes");
  const bool unknown = c_.kind.bad() || c_.algorithm.bad() || family == nullptr ||
                       (modes != c_.settings.end() && modes->second.bad());
  if (!field.written() || unknown) return mode;
  std::vector<std::string_view> there;
  for (const spec::Mode one : family->modes(network.routing)) there.push_back(spec::name_of(one));
  if (std::find(there.begin(), there.end(), needed) != there.end()) return mode;
  const bool any = !there.empty();
  refuse("config.no-such-mode", field.where, key,
         fmt::format("{} with {}{}", field.value, network.routing.algorithm,
                     any ? "" : " and routing.modes: false"),
         any ? join_names(there) : "none, or routing.modes: true", "");
  return mode;
}

void validate_job(const KeyTable& table, const NetworkConfig& config, spec::Spec& spec,
                  Diagnostics& errors) {
  JobValidator(table, config, spec, errors).run();
}

}  // namespace hopwise::config
