// SPDX-License-Identifier: Apache-2.0
#include "probes/q/agent_model.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "probes/trace_reader.hpp"

namespace hopwise::probes::q {
namespace {

std::string in_words(const Answer& a) {
  return fmt::format("port {}, feedback {}{}, best {}, minimal {}{}", a.port, a.feedback_value,
                     a.saturated ? " (saturated)" : "", a.best_value, a.minimal_value,
                     a.explored ? ", explored" : "");
}

/// Of which ports the best is taken.
bool counts(const Shape& shape, const Question& q, std::size_t column,
            const std::vector<bool>& connected) {
  if (!connected[column]) return false;
  const bool local = column < shape.local_columns;
  if (q.narrow) return !local || column == q.minimal;
  if (!shape.admissible) return true;
  switch (q.mode) {
    case Mode::kMinimal: return column == q.minimal;
    case Mode::kDetour: return local;
    case Mode::kLearned:
    case Mode::kGreedy: return true;
  }
  return true;
}

}  // namespace

Sample take_apart(const Shape& shape, std::span<const std::uint32_t> words, unsigned bank) {
  TraceReader f(words, bank * shape.bank_bits());
  Sample s;
  s.compares = f.flag();
  s.compare_row = f.next(shape.row_bits);
  s.writes = f.flag();
  s.write_row = f.next(shape.row_bits);
  s.write_column = f.next(shape.column_bits);
  s.write_target = f.next(shape.value_bits);
  s.decides = f.flag();
  s.question.mode = static_cast<Mode>(f.next(2));
  s.question.narrow = f.flag();
  s.question.explores = f.flag();
  s.question.minimal = f.next(shape.port_bits);
  s.question.random = f.next(shape.port_bits);
  s.question.other = f.next(shape.port_bits);
  s.answer.port = f.next(shape.port_bits);
  s.question.reward = f.next(shape.time_bits);
  s.question.wants_feedback = f.flag();
  s.question.row = f.next(shape.row_bits);
  s.answer.feedback_value = f.next(shape.value_bits);
  s.answer.explored = f.flag();
  s.answer.saturated = f.flag();
  s.answer.minimal_value = f.next(shape.value_bits);
  s.answer.best_value = f.next(shape.value_bits);
  return s;
}

Answer decide(const Shape& shape, const Question& q, std::span<const std::uint32_t> values,
              const std::vector<bool>& connected, Fault fault) {
  Answer a;
  a.minimal_value = values[q.minimal];
  a.best_value = shape.infinity();
  std::uint32_t best = q.minimal;
  for (std::uint32_t c = 0; c < shape.columns; ++c) {
    if (!counts(shape, q, c, connected)) continue;
    if (values[c] < a.best_value || (fault == Fault::kTieBreak && values[c] == a.best_value)) {
      a.best_value = values[c];
      best = c;
    }
  }

  a.port = q.minimal;
  if (q.mode == Mode::kGreedy) {
    a.port = best;
  } else if (q.mode != Mode::kMinimal) {
    // Turned aside where (minimal - rival) / minimal is not below the threshold.
    const bool detour = q.mode == Mode::kDetour;
    const std::uint32_t rival = detour ? q.other : best;
    const std::int64_t rival_value = detour ? values[rival] : a.best_value;
    std::int64_t threshold = detour ? shape.threshold_detour : shape.threshold_source;
    if (fault == Fault::kThreshold) threshold += threshold / 8;
    const std::int64_t gain = a.minimal_value - rival_value;
    if (gain >= 0 && gain * 65536 >= threshold * a.minimal_value) a.port = rival;
  }
  if (q.explores && connected[q.random] &&
      (!q.narrow || q.random == q.minimal || q.random >= shape.local_columns)) {
    a.explored = true;
    a.port = q.random;
  }

  const std::uint64_t sum = (std::uint64_t{q.reward} << shape.fraction_bits) + a.best_value;
  a.saturated = q.wants_feedback && sum >= shape.infinity();
  a.feedback_value =
      a.saturated ? shape.infinity() - 1 : static_cast<std::uint32_t>(sum) & shape.infinity();
  return a;
}

AgentModel::AgentModel(const Shape& shape, std::span<const std::uint32_t> start,
                       std::vector<bool> connected, Fault fault)
    : shape_(shape),
      table_(shape.rows, shape.columns, shape.value_bits),
      connected_(std::move(connected)),
      fault_(fault),
      compared_(shape.banks) {
  for (std::size_t i = 0; i < start.size(); ++i)
    table_.set(i / shape.columns, i % shape.columns, start[i]);
}

std::string AgentModel::follow(std::span<const Sample> samples,
                               std::span<const std::uint16_t> queues) {
  // The compared rows have the updates of all cycles before, not this one's.
  std::string what;
  for (std::size_t b = 0; b < samples.size() && what.empty(); ++b) {
    if (samples[b].compares) what = compare(samples[b].compare_row, queues, compared_[b]);
  }
  for (std::size_t b = 0; b < samples.size() && what.empty(); ++b) {
    if (samples[b].writes) what = write(samples[b], b);
  }
  for (std::size_t b = 0; b < samples.size() && what.empty(); ++b) {
    if (samples[b].decides) what = answer(samples[b], compared_[b]);
  }
  return what;
}

std::string AgentModel::compare(std::uint32_t row_number, std::span<const std::uint16_t> queues,
                                Compared& compared) {
  if (row_number >= shape_.rows)
    return fmt::format("row {} is compared, of {}", row_number, shape_.rows);
  const auto row = table_.row(row_number);
  Snapshot snapshot{row_number, {row.begin(), row.end()}};
  for (std::size_t c = 0; shape_.queues && c < shape_.columns; ++c) {
    const std::uint64_t wait =
        ((std::uint64_t{queues[c]} * shape_.flit_cycles) << shape_.fraction_bits) / 16;
    snapshot.values[c] = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(snapshot.values[c] + wait, shape_.infinity()));
  }
  compared.push_back(std::move(snapshot));
  return {};
}

std::string AgentModel::write(const Sample& s, std::size_t bank) {
  ++updates_;
  if (s.write_row >= shape_.rows || s.write_column >= shape_.columns) {
    return fmt::format("row {} column {} is updated, of {} x {}", s.write_row, s.write_column,
                       shape_.rows, shape_.columns);
  }
  if ((s.write_column + (fault_ == Fault::kBank ? 1 : 0)) % shape_.banks != bank)
    return fmt::format("bank {} updates column {}", bank, s.write_column);
  const std::uint32_t old = table_.value(s.write_row, s.write_column);
  const std::uint32_t value =
      table_.update(s.write_row, s.write_column, s.write_target, shape_.alpha, shape_.beta);
  if (fault_ == Fault::kRounding) {
    const std::int64_t delta = std::int64_t{s.write_target} - old;
    const auto nearest = old + ((delta * (delta < 0 ? shape_.alpha : shape_.beta) + 32768) >> 16);
    table_.set(s.write_row, s.write_column, static_cast<std::uint32_t>(nearest));
  }
  if (value == shape_.infinity() && connected_[s.write_column])
    return fmt::format("row {} column {} becomes infinite", s.write_row, s.write_column);
  return {};
}

std::string AgentModel::answer(const Sample& s, Compared& compared) {
  ++decisions_;
  if (compared.empty()) return "an answer without a compared row";
  const Snapshot snapshot = std::move(compared.front());
  compared.pop_front();
  const Question& q = s.question;
  if (q.row != snapshot.row)
    return fmt::format("the answer is for row {}, compared was row {}", q.row, snapshot.row);
  if (q.minimal >= shape_.columns || q.random >= shape_.columns ||
      (q.other != 0 && q.other >= shape_.local_columns)) {
    return fmt::format("ports that do not exist: minimal {}, random {}, other {}", q.minimal,
                       q.random, q.other);
  }
  if (q.explores && q.mode == Mode::kMinimal) return "a packet that may only go minimally explores";
  const Answer expected = decide(shape_, q, snapshot.values, connected_, fault_);
  if (expected == s.answer) return {};
  return fmt::format("row {}, mode {}{}: {}; the model has {}", q.row, static_cast<int>(q.mode),
                     q.narrow ? " narrow" : "", in_words(s.answer), in_words(expected));
}

}  // namespace hopwise::probes::q
