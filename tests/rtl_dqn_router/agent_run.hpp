// SPDX-License-Identifier: Apache-2.0
// Runs hw_dqn_agent beside the naive one of agent_play.hpp and compares every output in every
// cycle.
#pragma once

#include <algorithm>

#include "agent_play.hpp"

namespace hopwise::test {

template <class T>
class DqnRun {
 public:
  DqnRun(const DqnSettings& settings, std::uint64_t seed) : s_(settings), random_(seed) {
    auto& m = agent_.model();
    for (unsigned d = 0; d < T::kDims.size(); ++d)
      n_.at[d] = static_cast<unsigned>(random_() % T::kDims[d]);
    std::uint64_t coord = 0;
    for (unsigned d = 0; d < T::kDims.size(); ++d) coord |= std::uint64_t{n_.at[d]} << (3 * d);
    m.coord_i = static_cast<std::remove_reference_t<decltype(m.coord_i)>>(coord);
    m.epsilon_i = s_.epsilon;
    m.seed_i = s_.seed;
    m.load_seed_i = 0;
    m.ack_ratio_i = static_cast<std::uint16_t>(s_.ack_ratio);
    quiet_inputs();
    agent_.reset();
    agent_.settle();
    agent_.edge();  // takes the seed
    // as hw_random starts, with where the router stands mixed in
    const auto place = static_cast<std::uint32_t>(coord);
    n_.random = s_.seed ^ 0x9e3779b9U ^ place ^ place << 7 ^ place << 14 ^ place << 21;
    if (n_.random == 0) n_.random = 0x9e3779b9U;
  }

  DqnResult run(unsigned cycles) {
    for (unsigned n = 0; n < cycles && result_.wrong == 0 && !agent_.failed(); ++n) cycle(n);
    if (agent_.failed() && result_.wrong++ == 0) result_.first = "an assertion";
    return result_;
  }

 private:
  using Naive = NaiveDqn<T>;

  template <class Port>
  static void put(Port& port, unsigned bits, std::uint64_t value) {
    Words words((bits + 31) / 32);
    set_bits(words, 0, std::min(bits, 64U), value);
    write_port(port, words);
  }
  template <class Port>
  static std::uint64_t get(const Port& port, unsigned lsb, unsigned width, unsigned bits) {
    return get_bits(read_port(port, bits), lsb, width);
  }
  void expect(const char* what, std::uint64_t found, std::uint64_t expected) {
    if (found == expected || result_.wrong++ > 0) return;
    result_.first =
        fmt::format("cycle {}: {} is {:#x}, expected {:#x}", agent_.cycle(), what, found, expected);
  }
  void quiet_inputs() {
    auto& m = agent_.model();
    put(m.ask_valid_i, T::kPorts, 0);
    put(m.arrived_i, T::kPorts, 0);
    put(m.turn_valid_i, T::kPorts, 0);
    put(m.in_valid_i, T::kPorts, 0);
    put(m.in_credit_valid_i, T::kPorts, 0);
    put(m.out_valid_i, T::kPorts, 0);
    put(m.out_credit_valid_i, T::kPorts, 0);
    write_port(m.ack_i, Words((T::kLinks * T::kAck + 31) / 32));
    m.load_valid_i = 0;
    m.escape_only_i = 0;
    m.now_i = 0;
  }

  std::uint64_t random_bits() {
    std::uint64_t bits = random_() & ((1ULL << T::kRoute) - 1);
    for (unsigned d = 0; d < T::kDims.size(); ++d) {
      bits = (bits & ~(7ULL << (3 * d))) | (random_() % T::kDims[d]) << (3 * d);
    }
    return (bits & ~(0x3fULL << 12)) | (1 + random_() % T::kMaxFlits) << 12;
  }

  /// What a cycle shows to the agent.
  struct Shown {
    std::array<int, T::kPorts> vc{};  // whose question; -1: none
    std::array<std::uint64_t, T::kPorts> bits{};
    std::array<bool, T::kPorts> arrived{};
    std::array<std::optional<std::uint64_t>, T::kLinks> acks{};
    std::array<unsigned, T::kPorts * T::kVcs> held{};
    std::array<int, T::kPorts> turn_vc{}, turn_out{};
    bool load = false;
  };

  /// Flits in and out of one port's buffers; the naive occupancy follows. Returns {valid, VC,
  /// credit valid, VC}.
  std::array<unsigned, 4> channel(unsigned* adaptive) {
    std::array<unsigned, 4> pins{chance(random_, 50), static_cast<unsigned>(random_() % T::kVcs),
                                 chance(random_, 50), static_cast<unsigned>(random_() % T::kVcs)};
    const auto counts = [](unsigned vc) { return (T::kAdaptive >> vc & 1) != 0; };
    if (adaptive == nullptr) return pins;
    if (pins[2] != 0 && counts(pins[3]) && *adaptive == 0) pins[2] = 0;
    if (pins[0] != 0 && counts(pins[1]) && *adaptive == Naive::adaptive_depth()) pins[0] = 0;
    next_occupancy_.push_back({adaptive, (pins[0] != 0 && counts(pins[1]) ? 1 : 0) -
                                             (pins[2] != 0 && counts(pins[3]) ? 1 : 0)});
    return pins;
  }

  Shown choose(bool quiet) {
    Shown show;
    for (unsigned p = 0; p < T::kPorts; ++p) {
      show.vc[p] = show.turn_vc[p] = -1;
      for (auto& h : n_.heads[p]) {
        if (h.state != DqnHead::kNone || quiet || !chance(random_, s_.ask_percent)) continue;
        h = {};
        h.state = DqnHead::kAsks;
        h.bits = random_bits();
        h.info = random_() % (1U << T::kInfo);
        h.forced = chance(random_, s_.forced_percent);
      }
      const auto first = static_cast<unsigned>(random_() % T::kVcs);
      for (unsigned v = 0; v < T::kVcs; ++v) {
        if (n_.heads[p][(first + v) % T::kVcs].state == DqnHead::kAsks)
          show.vc[p] = static_cast<int>((first + v) % T::kVcs);
      }
      show.bits[p] =
          show.vc[p] >= 0 ? n_.heads[p][static_cast<unsigned>(show.vc[p])].bits : random_bits();
      show.arrived[p] = show.vc[p] < 0 && !quiet && chance(random_, s_.arrive_percent);
    }
    for (auto& ack : show.acks) {
      if (quiet || !chance(random_, s_.ack_percent)) continue;
      const auto e = static_cast<unsigned>(random_() % (1U << T::kEntryBits));
      unsigned generation = static_cast<unsigned>(random_() % 4);
      if (e < T::kEntries && chance(random_, 80)) generation = n_.entries[e].generation;
      ack = (random_() & (chance(random_, 20) ? 0x1ffff : 0xffff)) << T::kTrack |
            std::uint64_t{e} << 3 | generation << 1 | 1;
    }
    for (auto& h : show.held)
      h = static_cast<unsigned>(random_() % (chance(random_, 30) ? 3 : 1U << T::kSpace));
    if (!quiet && chance(random_, s_.escape_percent)) escape_only_ = !escape_only_;
    if (quiet) escape_only_ = false;
    loading_ = loading_ || (!quiet && chance(random_, s_.load_percent));
    show.load = loading_;
    return show;
  }

  void drive(const Shown& show) {
    auto& m = agent_.model();
    Words valid(1), vc(1), forced(1), bits(T::kPorts * T::kRoute / 32 + 1),
        info(T::kPorts * T::kInfo / 32 + 1), arrived(1);
    Words held(T::kPorts * T::kVcs * T::kSpace / 32 + 1), acks(T::kLinks * T::kAck / 32 + 1);
    std::array<Words, 8> pins;
    for (auto& w : pins) w.resize(1);
    next_occupancy_.clear();
    for (unsigned p = 0; p < T::kPorts; ++p) {
      set_bits(valid, p, 1, show.vc[p] >= 0);
      set_bits(vc, p * T::kVcWidth, T::kVcWidth,
               show.vc[p] >= 0 ? static_cast<unsigned>(show.vc[p]) : random_() % T::kVcs);
      set_bits(
          forced, p, 1,
          show.vc[p] >= 0 ? n_.heads[p][static_cast<unsigned>(show.vc[p])].forced : random_() % 2);
      set_bits(bits, p * T::kRoute, T::kRoute, show.bits[p]);
      set_bits(info, p * T::kInfo, T::kInfo,
               show.vc[p] >= 0 ? n_.heads[p][static_cast<unsigned>(show.vc[p])].info : random_());
      set_bits(arrived, p, 1, show.arrived[p]);
      const auto in = channel(p < T::kLinks ? &n_.local[p] : nullptr),
                 out = channel(p < T::kLinks ? &n_.remote[p] : nullptr);
      const std::array<unsigned, 8> all{in[0], in[1], in[2], in[3], out[0], out[1], out[2], out[3]};
      for (unsigned i = 0; i < 8; ++i)
        set_bits(pins[i], i % 2 == 0 ? p : p * T::kVcWidth, i % 2 == 0 ? 1 : T::kVcWidth, all[i]);
    }
    for (unsigned i = 0; i < show.held.size(); ++i)
      set_bits(held, i * T::kSpace, T::kSpace, show.held[i]);
    for (unsigned a = 0; a < T::kLinks; ++a)
      set_bits(acks, a * T::kAck, T::kAck, show.acks[a] ? *show.acks[a] : random_() << 1);
    const auto trimmed = [](Words w, unsigned size) {
      w.resize((size + 31) / 32);
      return w;
    };
    write_port(m.ask_valid_i, valid);
    write_port(m.ask_vc_i, vc);
    write_port(m.ask_forced_i, forced);
    write_port(m.ask_bits_i, trimmed(bits, T::kPorts * T::kRoute));
    write_port(m.ask_info_i, trimmed(info, T::kPorts * T::kInfo));
    write_port(m.arrived_i, arrived);
    write_port(m.buffer_space_i, trimmed(held, T::kPorts * T::kVcs * T::kSpace));
    write_port(m.ack_i, trimmed(acks, T::kLinks * T::kAck));
    write_port(m.in_valid_i, pins[0]);
    write_port(m.in_vc_i, pins[1]);
    write_port(m.in_credit_valid_i, pins[2]);
    write_port(m.in_credit_vc_i, pins[3]);
    write_port(m.out_valid_i, pins[4]);
    write_port(m.out_vc_i, pins[5]);
    write_port(m.out_credit_valid_i, pins[6]);
    write_port(m.out_credit_vc_i, pins[7]);
    m.now_i = now_;
    m.escape_only_i = escape_only_;
    m.load_valid_i = show.load;
    m.load_addr_i = 16;
    m.load_data_i = 0;
  }

  void cycle(unsigned n) {
    const bool quiet = s_.skip_idle && n % 3000 > 2000;
    Shown show = choose(quiet);
    drive(show);
    compare_registers();
    step(show);
    for (const auto& [counter, change] : next_occupancy_) *counter += static_cast<unsigned>(change);
    agent_.settle();
    expect_answer();
    agent_.edge();
    ++now_;
    if (quiet && is_idle_) {
      now_ += random_() % 100000;
      ++result_.jumps;
    }
  }

  /// Outputs that are known before the cycle's decisions: acknowledges, events, counters.
  void compare_registers() {
    auto& m = agent_.model();
    agent_.settle();
    for (unsigned a = 0; a < T::kLinks; ++a) {
      const std::uint64_t word = get(m.ack_o, a * T::kAck, T::kAck, T::kLinks * T::kAck);
      expect("ack_o's valid bit", word & 1, out_ack_ && out_ack_->first == a);
      if ((word & 1) != 0 && out_ack_) expect("ack_o", word, out_ack_->second);
    }
    const Words event = read_port(m.event_o, T::kReward + T::kDecision);
    expect("a reward", get_bits(event, 0, 1), reward_ ? 1 : 0);
    if (reward_) expect("the reward", get_bits(event, 0, T::kReward), *reward_);
    expect("a decision", get_bits(event, T::kReward, 1), decision_.empty() ? 0 : 1);
    unsigned lsb = T::kReward + 1;
    for (const auto& [name, width, value] : decision_) {
      expect(name, get_bits(event, lsb, width), value);
      lsb += width;
    }
    for (unsigned c = 0; c < 12; ++c)
      expect("a counter", get(m.counts_o, 32 * c, 32, 384), shown_counts_[c] & 0xffffffff);
    expect("loaded_o", m.loaded_o, n_.loaded);
  }

  void expect_answer() {
    auto& m = agent_.model();
    expect("ask_ready_o", m.ask_ready_o, ready_);
    expect("rsp_valid_o", m.rsp_valid_o, rsp_ ? 1ULL << rsp_->port : 0);
    expect("idle_o", m.idle_o, is_idle_);
    if (!rsp_) return;
    expect("rsp_vc_o", m.rsp_vc_o, rsp_->vc);
    expect("rsp_accept_o", m.rsp_accept_o, rsp_->accept);
    if (rsp_->accept) expect("rsp_port_o", m.rsp_port_o, rsp_->action);
    expect("rsp_track_o", get(m.rsp_track_o, 0, T::kTrack, T::kTrack), rsp_->track);
    expect("rsp_info_o", m.rsp_info_o, rsp_->info);
  }

  void step(Shown& show);
  void pending(const Shown& show, bool wanted, bool accepted, unsigned port, unsigned vc,
               std::uint64_t up, bool make);

  struct Answer {
    unsigned port, vc, action;
    bool accept;
    std::uint64_t track, info;
  };
  struct Field {
    const char* name;
    unsigned width;
    std::uint64_t value;
  };

  DqnSettings s_;
  std::mt19937_64 random_;
  Bench<typename T::Model> agent_;
  Naive n_;
  std::uint64_t now_ = 0;
  bool escape_only_ = false, loading_ = false, is_idle_ = false, decision_shown_ = false;
  std::vector<std::pair<unsigned*, int>> next_occupancy_;
  std::optional<std::pair<unsigned, std::uint64_t>> out_ack_;  // on the wires in this cycle
  // for the router that a packet without an entry came from
  std::optional<std::pair<unsigned, std::uint64_t>> lost_;
  std::optional<std::uint64_t> reward_;
  // of the word served in the cycle before
  std::optional<std::pair<unsigned, std::uint64_t>> next_ack_;
  std::optional<std::uint64_t> next_reward_;
  bool served_ = false;
  std::vector<Field> decision_;
  std::array<std::uint64_t, 12> shown_counts_{};  // a cycle behind result_.counts
  std::uint64_t ready_ = 0, made_ = 0;
  std::optional<Answer> rsp_;
  DqnResult result_;
};

/// The naive agent's cycle: who is taken, who is answered with what; leads to the next cycle's
/// registers.
template <class T>
void DqnRun<T>::step(Shown& show) {
  const bool counts_rest = shown_counts_ == result_.counts;
  shown_counts_ = result_.counts;
  result_.counts[kRewards] += reward_ ? 1 : 0;  // counted when it shows
  std::uint64_t forced = 0, proposing = 0;
  for (unsigned p = 0; p < T::kPorts; ++p) {
    if (show.vc[p] < 0) continue;
    const bool f =
        n_.heads[p][static_cast<unsigned>(show.vc[p])].forced || escape_only_ || !n_.loaded;
    (f ? forced : proposing) |= 1ULL << p;
    if (!f) ++result_.counts[kWaited];
  }
  unsigned proposer = Naive::turn(T::kZero ? forced | proposing : proposing, n_.start, T::kPorts);
  if (T::kZero) {
    forced &= 1ULL << (proposer % 64);
    proposing &= 1ULL << (proposer % 64);
  }
  const bool answer_now = n_.answer_due, busy = n_.proposal && !answer_now;
  const bool engine_ready = !show.load && (T::kZero || n_.left <= 1), load_ready = n_.left == 0;
  ready_ = 0;
  rsp_.reset();
  bool no_action = false, taken = false, answer = answer_now;
  DqnProposal asked;
  if (proposing != 0 && !busy) {
    const std::uint64_t bits = show.bits[proposer];
    unsigned count = 0;
    for (unsigned a = 0; a < T::kLinks; ++a) {
      const bool may = (T::kMask == 0 || a != proposer) &&
                       (T::kMask < 2 || Naive::room(show.held, a, Naive::flits(bits)));
      if (may) asked.allowed |= 1U << a;
      count += may ? 1 : 0;
    }
    no_action = count == 0;
    taken = !no_action && engine_ready;
    if (taken) {
      const std::uint32_t x = next_random(n_.random), y = next_random(n_.random);
      asked.explores = x < s_.epsilon;
      unsigned skip = (y & 0xffff) * count >> 16;
      for (unsigned a = 0; a < T::kLinks; ++a) {
        if ((asked.allowed >> a & 1) != 0 && skip-- == 0) asked.random = a;
      }
      asked.port = proposer;
      asked.vc = static_cast<unsigned>(show.vc[proposer]);
      asked.version = n_.version;
      asked.obs = n_.observe(bits);
      const auto values = n_.values(asked.obs);
      asked.value = INT64_MIN;
      for (unsigned a = 0; a < T::kLinks; ++a) {
        if ((asked.allowed >> a & 1) == 0 || values[a] <= asked.value) continue;
        asked.value = values[a];
        asked.greedy = a;
      }
      ready_ |= 1ULL << proposer;
      --result_.counts[kWaited];
      n_.heads[proposer][asked.vc].state = DqnHead::kTaken;
      if (T::kZero) answer = true;
    }
    result_.no_action += no_action ? 1 : 0;
  }
  if (T::kZero && taken) n_.proposal = asked;
  if (answer) n_.answered = n_.proposal;

  bool wanted = false, accepted = false, made = answer;
  unsigned port = 0, vc = 0;
  std::uint64_t up = 0;
  decision_.clear();
  std::uint64_t forced_all = forced;
  if (no_action) forced_all |= 1ULL << proposer;
  const unsigned forcer = answer ? 64 : Naive::turn(forced_all, n_.forced_start, T::kPorts);
  if (answer) {
    const DqnProposal& q = *n_.answered;
    DqnHead& head = n_.heads[q.port][q.vc];
    const unsigned action = q.explores ? q.random : q.greedy;
    port = q.port;
    vc = q.vc;
    accepted = Naive::room(show.held, action, Naive::flits(head.bits));
    up = Naive::track(head.bits, port);
    wanted = (up & 1) != 0;
    if (accepted && port >= T::kLinks) {
      if (s_.ack_ratio != 0 && n_.ack_count == 0) wanted = true;
      n_.ack_count = n_.ack_count + 1 >= s_.ack_ratio ? 0 : n_.ack_count + 1;
    }
    ++result_.counts[kProposals];
    result_.counts[kAccepted] += accepted;
    result_.counts[kExplored] += q.explores;
    result_.counts[kDetours] += accepted && !n_.closer(head.bits, action);
    rsp_ = Answer{port, vc, action, accepted, 0, head.info};
  } else if (forcer < 64) {
    port = forcer;
    vc = static_cast<unsigned>(show.vc[port]);
    up = Naive::track(show.bits[port], port);
    wanted = (up & 1) != 0;
    made = true;
    ready_ |= 1ULL << port;
    if ((proposing >> port & 1) != 0 && forcer == proposer) --result_.counts[kWaited];
    // (A question that waits because escape_only_i or the load came is no proposal, and not
    // counted.)
    ++result_.counts[kForced];
    rsp_ = Answer{port, vc, 0, false, 0, n_.heads[port][vc].info};
    n_.forced_start = (port + 1) % T::kPorts;
  }
  const bool passes = forcer < 64 && (T::kZero || (no_action && forcer == proposer));
  if (taken || passes) n_.start = (proposer + 1) % T::kPorts;

  is_idle_ = !reward_ && !out_ack_ && n_.left == 0 && !busy && !answer && !decision_shown_ &&
             counts_rest && !show.load;
  pending(show, wanted, accepted, port, vc, up, made);
  if (rsp_) rsp_->track = made_;
  if (answer) {
    const DqnProposal& q = *n_.answered;
    const bool entry = (made_ & 1) != 0;
    decision_ = {{"sampled", 1, entry && accepted},
                 {"accepted", 1, accepted},
                 {"explored", 1, q.explores},
                 {"index", T::kEntryBits, made_ >> 3},
                 {"generation", 2, made_ >> 1 & 3},
                 {"action", T::kActionBits, q.explores ? q.random : q.greedy},
                 {"greedy", T::kActionBits, q.greedy},
                 {"random", T::kActionBits, q.random},
                 {"allowed", T::kLinks, q.allowed},
                 {"in_port", T::kPortWidth, q.port},
                 {"version", 4, q.version},
                 {"value", 24, static_cast<std::uint64_t>(q.value) & 0xffffff}};
    for (const unsigned byte : q.obs) decision_.push_back({"obs", 8, byte});
  }
  decision_shown_ = answer;

  // Engine
  if (n_.answer_due) {
    n_.proposal.reset();
    n_.answer_due = false;
  }
  if (T::kZero) n_.proposal.reset();
  if (!T::kZero && n_.left == 1) n_.answer_due = true;
  if (!T::kZero && taken) {
    n_.proposal = asked;
    n_.left = T::kLatency;
  } else if (n_.left > 0) {
    --n_.left;
  }
  if (show.load && load_ready) {
    n_.loaded = true;
    n_.version = (n_.version + 1) & 15;
    loading_ = false;
  }
}

}  // namespace hopwise::test
