// SPDX-License-Identifier: Apache-2.0
#include "probes/q/probe.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "probes/q/check.hpp"
#include "spec/csr_map.hpp"

namespace hopwise::probes::q {
namespace {

using engine::Section;

/// Of csr::kRoutingControl: feedback is dropped.
constexpr std::uint32_t kFreeze = 0x00000001;

/// All words of the routers' tables in turn, row by row: `word` moves word `at` of all routers.
template <class F>
void walk_tables(model::RouterBank& bank, std::vector<model::CsrAnswer>& answers,
                 const Shape& shape, F&& word) {
  for (std::size_t row = 0; row < shape.rows; ++row) {
    for (auto& answer : answers) answer.data = shape.window_word(row, 0);
    bank.csr_write_each(csr::kTableAddress, answers);
    for (std::size_t column = 0; column < shape.columns; ++column)
      word(row * shape.columns + column);
  }
}

[[noreturn]] void refuse_table(std::uint32_t router) {
  throw std::runtime_error(fmt::format("CSR block of router {} refuses its table", router));
}

void check_answers(const Section& section, const std::vector<model::CsrAnswer>& answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].response != 0) refuse_table(section.first + static_cast<std::uint32_t>(i));
  }
}

class TableProbe final : public engine::Probe {
 public:
  TableProbe(const engine::Scene& scene, bool check, const Options& options)
      : scene_(scene),
        options_(options),
        shape_(shape_of(scene.setup.network, scene.setup.topology, scene.setup.format)),
        check_(check),
        sections_(scene.partitions),
        checks_(scene.partitions) {
    if (scene.setup.models.front()->trace_bits != shape_.trace_bits()) {
      throw std::runtime_error(fmt::format("trace_o has {} bits, the model of the learner {}",
                                           scene.setup.models.front()->trace_bits,
                                           shape_.trace_bits()));
    }
    if (check) {
      arrivals_.assign(scene.setup.topology.num_terminals(),
                       std::vector<std::uint64_t>(scene.packets_under_way));
    }
  }

  engine::Needs needs() const override { return {.wires = check_, .routers = check_}; }

  void prepare(const Section& section) override {
    sections_[section.partition] = section;
    model::RouterBank& bank = *section.bank;
    if (options_.start != nullptr) bank.initialise();
    std::vector<model::CsrAnswer> answers(section.end - section.first);
    if (options_.freeze) {
      bank.csr_read_each(csr::kRoutingControl, answers);
      for (auto& answer : answers) answer.data |= kFreeze;
      bank.csr_write_each(csr::kRoutingControl, answers);
    }
    if (options_.start != nullptr) {
      walk_tables(bank, answers, shape_, [&](std::size_t at) {
        for (std::size_t i = 0; i < answers.size(); ++i)
          answers[i].data = (*options_.start)[section.first + i][at];
        bank.csr_write_each(csr::kTableData, answers);
        check_answers(section, answers);
      });
    }
    if (check_) {
      checks_[section.partition] = std::make_unique<Check>(
          scene_.setup, shape_, section.first, section.end, options_.start, options_.fault);
    }
  }

  void observe_wires(const Section& section, std::uint64_t cycle) override {
    checks_[section.partition]->look_at_wires(section.pins, cycle, arrivals_);
  }
  void observe_routers(const Section& section, std::uint64_t cycle) override {
    checks_[section.partition]->look_at_routers(*section.bank, cycle);
  }

  void read(std::uint64_t now, bool quiescent, engine::RunResult& result) override {
    if (options_.learned != nullptr) options_.learned->clear();
    std::uint64_t received = 0;
    for (const Section& section : sections_) received += read_tables(section, now);
    if (!check_) return;
    std::vector<Failure> failures;
    std::uint64_t decisions = 0, updates = 0, rewards = 0, feedbacks = 0;
    for (const auto& check : checks_) {
      decisions += check->decisions();
      updates += check->updates();
      rewards += check->rewards();
      feedbacks += check->feedbacks();
      failures.insert(failures.end(), check->failures().begin(), check->failures().end());
    }
    result.checked.insert(result.checked.end(), {{"decisions", decisions},
                                                 {"updates", updates},
                                                 {"rewards", rewards},
                                                 {"feedbacks", feedbacks}});
    report_failures(std::move(failures), result);
    const bool none_lost = quiescent && scene_.options.lose_one_in == 0 && !options_.freeze;
    if (none_lost && received != feedbacks) {
      result.failures.push_back(
          fmt::format("{} feedback words came; the packets' hops make {}", received, feedbacks));
    }
  }

 private:
  /// Returns the feedback words that came to the section's routers.
  std::uint64_t read_tables(const Section& section, std::uint64_t now) {
    const auto& counters = scene_.setup.counters;
    const auto updates = static_cast<std::uint32_t>(measure::place_of("updates", counters)),
               dropped = static_cast<std::uint32_t>(measure::place_of("dropped", counters));
    std::uint64_t received = 0;
    std::vector<model::CsrAnswer> answers(section.end - section.first);
    std::vector<std::vector<std::uint32_t>> tables(
        answers.size(), std::vector<std::uint32_t>(shape_.rows * shape_.columns));
    walk_tables(*section.bank, answers, shape_, [&](std::size_t at) {
      section.bank->csr_read_each(csr::kTableData, answers);
      check_answers(section, answers);
      for (std::size_t i = 0; i < answers.size(); ++i) tables[i][at] = answers[i].data;
    });
    for (std::size_t local = 0; local < tables.size(); ++local) {
      if (check_) checks_[section.partition]->compare_table(local, tables[local], now);
      received += section.bank->counters(local, updates) + section.bank->counters(local, dropped);
      if (options_.learned != nullptr) options_.learned->push_back(std::move(tables[local]));
    }
    return received;
  }

  const engine::Scene scene_;
  const Options options_;
  const Shape shape_;
  const bool check_;
  std::vector<Section> sections_;
  std::vector<std::unique_ptr<Check>> checks_;
  Arrivals arrivals_;
};

}  // namespace

std::unique_ptr<engine::Probe> make_probe(const engine::Scene& scene, bool check,
                                          const Options& options) {
  return std::make_unique<TableProbe>(scene, check, options);
}

}  // namespace hopwise::probes::q
