// SPDX-License-Identifier: Apache-2.0
// The Q-tables of a network: written before a run, read and checked after it, through the CSR
// blocks.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/csr_map.hpp"
#include "engine/network.hpp"
#include "engine/partition.hpp"

namespace hopwise::engine {

namespace {

constexpr std::size_t kMostFailures = 5;  ///< reports of the check
/// of the monitors of a router with a Q-table
constexpr std::uint32_t kUpdatesWord = 6, kDroppedWord = 7;

/// All words of router `local`'s table in turn, row by row.
template <class F>
void walk_table(model::RouterBank& bank, std::size_t local, const learn::QShape& shape, F&& word) {
  for (std::size_t row = 0; row < shape.rows; ++row) {
    bank.csr_write(local, csr::kTableAddress, shape.window_word(row, 0));
    for (std::size_t column = 0; column < shape.columns; ++column)
      word(row * shape.columns + column);
  }
}

}  // namespace

void Network::prepare_learning(Partition& part) {
  const LearningOptions& learning = options_.learning;
  model::RouterBank& bank = *part.bank;
  if (setup_.model.learn_bits != learner_->learn_bits()) {
    throw std::runtime_error(fmt::format("learn_o has {} bits, the model of the learner {}",
                                         setup_.model.learn_bits, learner_->learn_bits()));
  }
  bank.lose_feedback(learning.lose_one_in);
  if (learning.start != nullptr) bank.initialise();
  for (std::uint32_t r = part.first; r < part.end; ++r) {
    const std::size_t local = r - part.first;
    if (learning.freeze) {
      std::uint32_t control = 0;
      bank.csr_read(local, csr::kRoutingControl, control);
      bank.csr_write(local, csr::kRoutingControl, control | csr::kFreeze);
    }
    if (learning.start == nullptr) continue;
    walk_table(bank, local, *learner_, [&](std::size_t at) {
      if (bank.csr_write(local, csr::kTableData, (*learning.start)[r][at]) != 0) {
        throw std::runtime_error(fmt::format("CSR block of router {} refuses its table", r));
      }
    });
  }
  if (learning.check) {
    part.check = std::make_unique<LearningCheck>(setup_, *learner_, part.first, part.end,
                                                 learning.start, learning.fault);
  }
}

void Network::read_tables(RunResult& result) {
  if (!learner_ || !(options_.learning.check || options_.learning.read_tables)) return;
  std::vector<LearningCheck::Failure> failures;
  const bool all_told =
      quiescent() && options_.learning.lose_one_in == 0 && !options_.learning.freeze;
  std::uint64_t heard = 0;
  for (auto& part : partitions_) {
    for (std::uint32_t r = part->first; r < part->end; ++r) {
      const std::size_t local = r - part->first;
      std::vector<std::uint32_t> values(learner_->rows * learner_->columns);
      walk_table(*part->bank, local, *learner_, [&](std::size_t at) {
        if (part->bank->csr_read(local, csr::kTableData, values[at]) != 0) {
          throw std::runtime_error(fmt::format("CSR block of router {} refuses its table", r));
        }
      });
      if (part->check) part->check->compare_table(local, values, now_);
      heard += part->bank->monitor(local, kUpdatesWord) + part->bank->monitor(local, kDroppedWord);
      if (options_.learning.read_tables) result.tables.push_back(std::move(values));
    }
    if (!part->check) continue;
    result.checked_decisions += part->check->decisions();
    result.checked_updates += part->check->updates();
    result.checked_rewards += part->check->rewards();
    result.checked_feedbacks += part->check->feedbacks();
    failures.insert(failures.end(), part->check->failures().begin(), part->check->failures().end());
  }
  std::stable_sort(failures.begin(), failures.end(), [](const auto& a, const auto& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.router < b.router;
  });
  for (std::size_t i = 0; i < std::min(failures.size(), kMostFailures); ++i) {
    result.failures.push_back(fmt::format("cycle {}, router {}: {}", failures[i].cycle,
                                          failures[i].router, failures[i].what));
  }
  if (failures.size() > kMostFailures) {
    result.failures.push_back(fmt::format("and {} more routers", failures.size() - kMostFailures));
  }
  if (options_.learning.check && all_told && heard != result.checked_feedbacks) {
    result.failures.push_back(fmt::format("{} feedback words came; the packets' hops make {}",
                                          heard, result.checked_feedbacks));
  }
}

void Network::report_decisions(RunResult& result) const {
  if (!dqn_) return;
  if (options_.learning.check) result.checked_decisions += dqn_->decisions();
  const auto failures = dqn_->failures();
  for (std::size_t i = 0; i < std::min(failures.size(), kMostFailures); ++i) {
    result.failures.push_back(fmt::format("cycle {}, router {}: {}", failures[i].cycle,
                                          failures[i].router, failures[i].what));
  }
  if (failures.size() > kMostFailures) {
    result.failures.push_back(fmt::format("and {} more routers", failures.size() - kMostFailures));
  }
}

}  // namespace hopwise::engine
