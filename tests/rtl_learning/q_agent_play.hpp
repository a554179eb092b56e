// SPDX-License-Identifier: Apache-2.0
// hw_q_agent under random questions, beside a naive agent that decides one question at a time.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench.hpp"

namespace hopwise::test {

/// A model with its parameters. Value, fraction, time: bits; a flit takes FlitCycles / 16 core
/// cycles on a link.
template <class ModelType, unsigned Ports, unsigned Cols, unsigned Local, unsigned Rows,
          unsigned Value, unsigned Fraction, unsigned Time, unsigned VcWidth, unsigned Info,
          unsigned Latency, bool Admissible, bool Queues, unsigned QueueWidth, unsigned FlitCycles>
struct Agent {
  using Model = ModelType;
  static constexpr unsigned kPorts = Ports, kCols = Cols, kLocal = Local, kRows = Rows,
                            kValue = Value, kFraction = Fraction;
  static constexpr unsigned kTime = Time, kVcWidth = VcWidth, kInfo = Info, kLatency = Latency;
  static constexpr bool kAdmissible = Admissible, kQueues = Queues;
  static constexpr unsigned kQueueWidth = QueueWidth, kFlitCycles = FlitCycles;

  static constexpr unsigned bits_for(unsigned n) {
    unsigned bits = 1;
    while ((1U << bits) < n) ++bits;
    return bits;
  }
  static constexpr unsigned kPortWidth = bits_for(Ports), kRowBits = bits_for(Rows),
                            kFeedback = 1 + kRowBits + Value;
  static constexpr unsigned kDecision = 7 + 4 * kPortWidth + Time + kFeedback + 2 * Value;
  static constexpr std::uint64_t kInfinity = (1ULL << Value) - 1;
};

/// Marsaglia's xorshift32, as hw_random steps it.
inline std::uint32_t next_random(std::uint32_t& x) {
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

enum QMode : unsigned { kMinimalMode, kLearnedMode, kDetourMode, kGreedyMode };

/// The state that hw_q_agent's generator takes from a seed; 0 is none.
inline std::uint32_t seeded(std::uint32_t seed) {
  return seed == 0x9e3779b9U ? seed : seed ^ 0x9e3779b9U;
}

struct QQuestion {
  unsigned port, vc, row, mode, minimal;
  bool narrow, feedback;
  std::uint64_t reward, info;
};

struct QSettings {
  std::uint32_t epsilon = 0, seed = 1;
  unsigned threshold_source = 0, threshold_detour = 0;
  std::uint64_t connected = ~0ULL;
  unsigned ask_percent = 60, ready_percent = 90, load_percent = 1;
  /// of table rows with values below 4, of single values
  unsigned small_percent = 30, infinite_percent = 10;
};

struct QAnswer {
  unsigned port = 0;
  std::uint64_t feedback = 0, decision = 0;
  bool explored = false;
};

/// What the naive agent says. `values`, `queues`: of the columns. x, y: the two random numbers of
/// the question.
template <class T>
QAnswer naive_answer(const QQuestion& q, const QSettings& s, std::vector<std::uint64_t> values,
                     const std::vector<unsigned>& queues, std::uint32_t x, std::uint32_t y) {
  const auto local = [](unsigned c) { return c < T::kLocal; };
  const auto connected = [&s](unsigned c) { return (s.connected >> c & 1) != 0; };
  for (unsigned c = 0; T::kQueues && c < T::kCols; ++c) {
    values[c] = std::min(
        T::kInfinity, values[c] + (std::uint64_t{queues[c]} * T::kFlitCycles << T::kFraction) / 16);
  }
  std::uint64_t best = T::kInfinity;
  unsigned best_port = q.minimal;
  for (unsigned c = 0; c < T::kCols; ++c) {
    bool may = connected(c);
    if (q.narrow && local(c) && c != q.minimal) may = false;
    if (T::kAdmissible && !q.narrow && q.mode == kMinimalMode) may = c == q.minimal;
    if (T::kAdmissible && !q.narrow && q.mode == kDetourMode) may = local(c);
    if (may && values[c] < best) {
      best = values[c];
      best_port = c;
    }
  }
  const auto random = static_cast<unsigned>((y & 0xffff) * T::kCols >> 16);
  const auto other = static_cast<unsigned>((y >> 16) * T::kLocal >> 16);
  QAnswer a;
  a.port = q.minimal;
  if (q.mode == kGreedyMode) a.port = best_port;
  if (q.mode == kLearnedMode || q.mode == kDetourMode) {
    const unsigned rival_port = q.mode == kDetourMode ? other : best_port;
    const std::uint64_t rival = q.mode == kDetourMode ? values[other] : best,
                        minimal = values[q.minimal];
    const std::uint64_t threshold = q.mode == kDetourMode ? s.threshold_detour : s.threshold_source;
    if (rival <= minimal && (minimal - rival) * 65536 >= minimal * threshold) a.port = rival_port;
  }
  const bool explores = q.mode != kMinimalMode && x < s.epsilon;
  a.explored =
      explores && connected(random) && (!q.narrow || !local(random) || random == q.minimal);
  if (a.explored) a.port = random;
  const std::uint64_t told = (q.reward << T::kFraction) + best;
  const bool saturated = q.feedback && told >= T::kInfinity;
  a.feedback = (saturated ? T::kInfinity - 1 : told & T::kInfinity) << (1 + T::kRowBits) |
               std::uint64_t{q.row} << 1 | (q.feedback ? 1 : 0);
  return a;
}

struct QResult {
  std::uint64_t decisions = 0, explored = 0, saturated = 0, aside = 0, wrong = 0;
  std::array<std::uint64_t, 4> by_mode{};
  std::vector<std::uint64_t> ports = std::vector<std::uint64_t>(64),
                             others = std::vector<std::uint64_t>(64);
  std::string first;  ///< the first difference
};

template <class T>
class AgentRun {
 public:
  AgentRun(const QSettings& settings, std::uint64_t seed)
      : s_(settings), random_(seed), held_(T::kPorts) {
    auto& m = agent_.model();
    m.epsilon_i = s_.epsilon;
    m.threshold_source_i = static_cast<std::uint16_t>(s_.threshold_source);
    m.threshold_detour_i = static_cast<std::uint16_t>(s_.threshold_detour);
    m.seed_i = s_.seed;
    m.load_seed_i = 0;
    s_.connected &= (1ULL << T::kCols) - 1;
    put(m.connected_i, T::kCols, s_.connected);
    put(m.ask_valid_i, T::kPorts, 0);
    m.table_ready_i = 0;
    agent_.reset();
    agent_.settle();
    agent_.edge();  // takes the seed
    state_ = seeded(s_.seed);
  }

  QResult run(unsigned cycles) {
    for (unsigned n = 0; n < cycles && result_.wrong == 0; ++n) cycle();
    return result_;
  }

 private:
  /// A question that waits for its answer.
  struct Asked {
    std::uint64_t cycle;
    QQuestion question;
    std::uint32_t x, y;
    std::vector<std::uint64_t> values;
    std::vector<unsigned> queues;
  };

  template <class Port>
  static void put(Port& port, unsigned bits, std::uint64_t value) {
    Words words((bits + 31) / 32);
    set_bits(words, 0, std::min(bits, 64U), value);
    write_port(port, words);
  }
  void expect(const char* what, std::uint64_t found, std::uint64_t expected) {
    if (found == expected || result_.wrong++ > 0) return;
    result_.first =
        fmt::format("cycle {}: {} is {:#x}, expected {:#x}", agent_.cycle(), what, found, expected);
  }

  QQuestion random_question(unsigned port) {
    QQuestion q{};
    q.port = port;
    q.vc = static_cast<unsigned>(random_() % (1U << T::kVcWidth));
    q.row = static_cast<unsigned>(random_() % T::kRows);
    q.mode = static_cast<unsigned>(random_() % 4);
    if (T::kLocal == 0 && q.mode == kDetourMode) q.mode = kGreedyMode;
    do {
      q.minimal = static_cast<unsigned>(random_() % T::kCols);
    } while ((s_.connected >> q.minimal & 1) == 0);
    q.narrow = (q.mode == kLearnedMode || q.mode == kGreedyMode) && chance(random_, 40);
    q.feedback = chance(random_, 60);
    q.reward = random_() % (1U << (chance(random_, 60) ? T::kTime / 2 : T::kTime));
    q.info = random_() % (1U << T::kInfo);
    return q;
  }
  std::vector<std::uint64_t> random_values() {
    std::vector<std::uint64_t> values(T::kCols);
    const std::uint64_t below = chance(random_, s_.small_percent) ? 4 : T::kInfinity + 1;
    for (auto& v : values)
      v = chance(random_, s_.infinite_percent) ? T::kInfinity - random_() % 2 : random_() % below;
    return values;
  }

  void drive() {
    auto& m = agent_.model();
    Words valid(1), vc(4), row(8), mode(2), narrow(1), minimal(4), feedback(1), reward(16),
        info(16);
    for (unsigned p = 0; p < T::kPorts; ++p) {
      if (!held_[p] && chance(random_, s_.ask_percent)) held_[p] = random_question(p);
      // Slices without a question hold anything.
      const QQuestion q = held_[p] ? *held_[p] : random_question(p);
      set_bits(valid, p, 1, held_[p] ? 1 : 0);
      set_bits(vc, p * T::kVcWidth, T::kVcWidth, q.vc);
      set_bits(row, p * T::kRowBits, T::kRowBits, q.row);
      set_bits(mode, p * 2, 2, q.mode);
      set_bits(narrow, p, 1, q.narrow);
      set_bits(minimal, p * T::kPortWidth, T::kPortWidth, q.minimal);
      set_bits(feedback, p, 1, q.feedback);
      set_bits(reward, p * T::kTime, T::kTime, q.reward);
      set_bits(info, p * T::kInfo, T::kInfo, q.info);
    }
    const auto trimmed = [](Words w, unsigned bits) {
      w.resize((bits + 31) / 32);
      return w;
    };
    write_port(m.ask_valid_i, valid);
    write_port(m.ask_vc_i, trimmed(vc, T::kPorts * T::kVcWidth));
    write_port(m.ask_row_i, trimmed(row, T::kPorts * T::kRowBits));
    write_port(m.ask_mode_i, trimmed(mode, T::kPorts * 2));
    write_port(m.ask_narrow_i, narrow);
    write_port(m.ask_minimal_i, trimmed(minimal, T::kPorts * T::kPortWidth));
    write_port(m.ask_feedback_i, feedback);
    write_port(m.ask_reward_i, trimmed(reward, T::kPorts * T::kTime));
    write_port(m.ask_info_i, trimmed(info, T::kPorts * T::kInfo));
    m.table_ready_i = chance(random_, s_.ready_percent);
    // The row that was read in the cycle before, and the queues of now.
    const auto values = random_values();
    std::vector<unsigned> queues(T::kPorts);
    for (auto& q : queues) q = static_cast<unsigned>(random_() % (1U << T::kQueueWidth));
    Words table((T::kCols * T::kValue + 31) / 32), lengths((T::kPorts * T::kQueueWidth + 31) / 32);
    for (unsigned c = 0; c < T::kCols; ++c) set_bits(table, c * T::kValue, T::kValue, values[c]);
    for (unsigned p = 0; p < T::kPorts; ++p)
      set_bits(lengths, p * T::kQueueWidth, T::kQueueWidth, queues[p]);
    write_port(m.read_values_i, table);
    write_port(m.queue_i, lengths);
    if (!asked_.empty() && asked_.back().cycle + 1 == agent_.cycle()) {
      asked_.back().values = values;
      asked_.back().queues = queues;
    }
    m.load_seed_i = chance(random_, s_.load_percent);
  }

  void check_questions() {
    auto& m = agent_.model();
    std::optional<unsigned> asker;
    for (unsigned n = 0; n < T::kPorts && m.table_ready_i; ++n) {
      const unsigned p = (turn_ + n) % T::kPorts;
      if (held_[p] && !asker) asker = p;
    }
    const std::uint64_t ready = get_bits(read_port(m.ask_ready_o, T::kPorts), 0, T::kPorts);
    expect("ask_ready_o", ready, asker ? 1ULL << *asker : 0);
    expect("read_valid_o", m.read_valid_o, asker ? 1 : 0);
    const bool compares = !asked_.empty() && asked_.back().cycle + 1 == agent_.cycle();
    expect("compare_valid_o", m.compare_valid_o, compares ? 1 : 0);
    if (compares) expect("compare_row_o", m.compare_row_o, asked_.back().question.row);
    expect("idle_o", m.idle_o, asked_.empty() ? 1 : 0);
    if (asker) {
      expect("read_row_o", m.read_row_o, held_[*asker]->row);
      const std::uint32_t x = next_random(state_), y = next_random(state_);
      accepted_ = Asked{agent_.cycle(), *held_[*asker], x, y, {}, {}};
      held_[*asker].reset();
      turn_ = (*asker + 1) % T::kPorts;
    }
    if (m.load_seed_i) state_ = seeded(s_.seed);
  }

  void check_answer() {
    auto& m = agent_.model();
    const Words decision = read_port(m.decision_o, T::kDecision);
    const std::uint64_t valid = get_bits(read_port(m.rsp_valid_o, T::kPorts), 0, T::kPorts);
    if (asked_.empty() || asked_.front().cycle + T::kLatency != agent_.cycle()) {
      expect("rsp_valid_o", valid, 0);
      expect("decision_o's valid bit", get_bits(decision, 0, 1), 0);
      return;
    }
    const Asked a = asked_.front();
    asked_.pop_front();
    const QQuestion& q = a.question;
    const QAnswer expected = naive_answer<T>(q, s_, a.values, a.queues, a.x, a.y);
    expect("rsp_valid_o", valid, 1ULL << q.port);
    expect("rsp_vc_o", m.rsp_vc_o, q.vc);
    expect("rsp_port_o", m.rsp_port_o, expected.port);
    expect("rsp_info_o", get_bits(read_port(m.rsp_info_o, T::kInfo), 0, T::kInfo), q.info);
    const std::uint64_t feedback =
        get_bits(read_port(m.rsp_feedback_o, T::kFeedback), 0, T::kFeedback);
    expect("rsp_feedback_o's valid bit", feedback & 1, q.feedback ? 1 : 0);
    if (q.feedback) expect("rsp_feedback_o", feedback, expected.feedback);
    // The decision, field by field from the lowest bit.
    unsigned lsb = 0;
    const auto field = [&](unsigned width) {
      const std::uint64_t value = get_bits(decision, lsb, width);
      lsb += width;
      return value;
    };
    expect("decision: valid", field(1), 1);
    expect("decision: mode", field(2), q.mode);
    expect("decision: narrow", field(1), q.narrow);
    const bool explores = q.mode != kMinimalMode && a.x < s_.epsilon;
    expect("decision: explores", field(1), explores);
    expect("decision: minimal", field(T::kPortWidth), q.minimal);
    const std::uint64_t drawn = field(T::kPortWidth), other = field(T::kPortWidth);
    expect("decision: port", field(T::kPortWidth), expected.port);
    expect("decision: reward", field(T::kTime), q.reward);
    expect("decision: feedback", field(T::kFeedback), feedback);
    expect("decision: explored", field(1), expected.explored);
    const std::uint64_t saturated = field(1);
    field(T::kValue);
    const std::uint64_t best = field(T::kValue);
    const std::uint64_t told = (q.reward << T::kFraction) + best;
    expect("decision: saturated", saturated, q.feedback && told >= T::kInfinity);
    if (drawn >= T::kCols || (T::kLocal > 0 && other >= T::kLocal))
      expect("a port drawn at random", drawn, T::kCols - 1);
    ++result_.decisions;
    ++result_.by_mode[q.mode];
    result_.explored += expected.explored;
    result_.aside += expected.port != q.minimal;
    result_.saturated += saturated;
    ++result_.ports[drawn];
    ++result_.others[other];
  }

  void cycle() {
    drive();
    agent_.settle();
    accepted_.reset();
    check_questions();
    check_answer();
    if (accepted_) asked_.push_back(*accepted_);
    agent_.edge();
    if (agent_.failed()) expect("the agent's own assertion", 1, 0);
  }

  QSettings s_;
  Bench<typename T::Model> agent_;
  std::mt19937_64 random_;
  std::vector<std::optional<QQuestion>> held_;  // per port, until it is ready
  std::optional<Asked> accepted_;
  std::deque<Asked> asked_;
  std::uint32_t state_ = 0;
  unsigned turn_ = 0;
  QResult result_;
};

}  // namespace hopwise::test
