// SPDX-License-Identifier: Apache-2.0
// The learner of one router, bit by bit: what hw_q_agent and hw_q_table must do with questions and
// feedback. Random numbers, questions and the targets of updates are taken from the RTL; all else
// is computed anew.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "probes/q/shape.hpp"
#include "probes/q/table_model.hpp"

namespace hopwise::probes::q {

/// As rtl/routing/hw_q_pkg.sv numbers them; see hw_q_agent.
enum class Mode : std::uint8_t { kMinimal, kLearned, kDetour, kGreedy };

/// A question with its random draws.
struct Question {
  Mode mode = Mode::kMinimal;
  bool narrow = false;  ///< knows only the minimal port and global ones
  bool explores = false;
  /// ports: of the minimal path, to explore, of a router to turn to
  std::uint32_t minimal = 0, random = 0, other = 0;
  bool wants_feedback = false;
  std::uint32_t reward = 0;  ///< core cycles
  std::uint32_t row = 0;
};

struct Answer {
  std::uint32_t port = 0;
  std::uint32_t feedback_value = 0;  ///< time to deliver that the feedback word carries
  bool explored = false, saturated = false;
  std::uint32_t minimal_value = 0, best_value = 0;
  bool operator==(const Answer&) const = default;
};

/// What a bank's slice of `trace_o` shows in one cycle: the row that is compared, the update that
/// is written, the decision that is answered.
struct Sample {
  bool compares = false;
  std::uint32_t compare_row = 0;
  bool writes = false;
  std::uint32_t write_row = 0, write_column = 0, write_target = 0;
  bool decides = false;
  Question question;
  Answer answer;
};

/// Takes the slice of a bank apart; `words` holds shape.trace_bits() bits, the lowest first.
Sample take_apart(const Shape& shape, std::span<const std::uint32_t> words, unsigned bank);

/// A model that is wrong on purpose: a check must notice. For tests.
enum class Fault : std::uint8_t {
  kNone,
  kThreshold,  ///< of the source, an eighth more
  kRounding,   ///< updates round to the nearest value
  kTieBreak,   ///< the last of equal values counts
  kReward,     ///< rewards are a cycle longer
  kPort,       ///< feedback is looked for at the next port
  kGroup,      ///< feedback is owed within the destination's group, too
  kBank,       ///< columns are learned by the next bank
  /// the 1000th head flit between routers comes over the last VC (a fault of the network, not of
  /// the model)
  kLateHop,
};

/// The decision of hw_q_agent on the values of a row, queues included. `connected` per column.
Answer decide(const Shape& shape, const Question& question, std::span<const std::uint32_t> values,
              const std::vector<bool>& connected, Fault fault = Fault::kNone);

/// Follows one router from sample to sample.
class AgentModel {
 public:
  /// `start`: the table, row by row; `connected`: per column. `shape` outlives the model.
  AgentModel(const Shape& shape, std::span<const std::uint32_t> start, std::vector<bool> connected,
             Fault fault);

  /// The samples of a cycle, one of each bank; `queues` per port (flits), only read with
  /// shape.queues. What differs, in words; empty: nothing.
  std::string follow(std::span<const Sample> samples, std::span<const std::uint16_t> queues);

  const TableModel& table() const { return table_; }
  std::uint64_t decisions() const { return decisions_; }
  std::uint64_t updates() const { return updates_; }

 private:
  struct Snapshot {
    std::uint32_t row;
    std::vector<std::uint32_t> values;
  };
  using Compared = std::deque<Snapshot>;

  std::string compare(std::uint32_t row, std::span<const std::uint16_t> queues, Compared& compared);
  std::string write(const Sample& sample, std::size_t bank);
  std::string answer(const Sample& sample, Compared& compared);

  const Shape& shape_;
  TableModel table_;
  std::vector<bool> connected_;
  Fault fault_;
  std::vector<Compared> compared_;  // of each bank: rows whose decision is still to come
  std::uint64_t decisions_ = 0, updates_ = 0;
};

}  // namespace hopwise::probes::q
