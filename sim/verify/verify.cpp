// SPDX-License-Identifier: Apache-2.0
#include "verify/verify.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/shape.hpp"
#include "model/unit_library.hpp"

namespace hopwise::verify {

namespace {

using routing::Move;
using spec::Mode;

/// A packet in a buffer, bound for the destination that is being walked to.
struct State {
  RouterId at;
  PortId in_port;
  VcId in_vc;
  std::uint64_t header = 0;  ///< routing state of the head flit
  TerminalId src{};
  Mode mode{};  ///< of packets that have one
};

/// What the relation tells apart: router, input port, VC and class.
using Place = std::tuple<RouterId, PortId, VcId, unsigned>;

/// The relation's moves in a place, and the VCs of each that the RTL has offered.
struct Offers {
  routing::Moves moves;
  std::vector<VcMask> offered;
  bool asked = false;
  bool complete() const {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if ((moves[i].vcs & ~offered[i]) != 0) return false;
    }
    return true;
  }
};

unsigned count(VcMask mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }

class Walk {
 public:
  Walk(const deadlock::ProvenNetwork& network, const std::vector<emit::RouterShape>& shapes,
       std::vector<model::LoadedUnit>& units, const Options& options)
      : topology_(network.topology()),
        relation_(network.relation()),
        shapes_(shapes),
        units_(units),
        options_(options),
        format_(shapes.front().format),
        modes_(network.family().modes(network.spec().network.routing)) {
    for (const emit::RouterShape& s : shapes)
      draws_ |= s.queue_metric > 0 ||
                s.cfg_reset.size() > static_cast<std::size_t>(emit::ConfigWord::kSeed);
    unsigned bits = format_.routing_class.width;
    for (const auto& via : format_.via_coord) bits += via.width;
    // Times and entries of tables that packets carry, above these bits, decide nothing.
    deciding_ = (std::uint64_t{1} << bits) - 1;
    reads_source_ = !format_.src_coord.empty() && format_.src_coord[0].width > 0 &&
                    format_.route_bits > format_.src_coord[0].lsb;
  }

  Outcome run() {
    std::vector<TerminalId> order(topology_.num_terminals());
    for (std::uint32_t t = 0; t < order.size(); ++t) order[t] = TerminalId{t};
    std::shuffle(order.begin(), order.end(), random_);
    for (const TerminalId dst : order) {
      if (!to(dst)) break;
      ++out_.destinations;
    }
    out_.exhaustive = out_.destinations == order.size();
    return out_;
  }

 private:
  /// Follows packets to a destination; false: a fault, or no question is left.
  bool to(TerminalId dst) {
    dst_ = dst;
    states_.clear();
    seen_.clear();
    places_.clear();
    for (std::uint32_t t = 0; t < topology_.num_terminals(); ++t) {
      const TerminalId src{t};
      if (src == dst) continue;
      const unsigned vcs = shapes_[0].vcs, own = vcs / shapes_[0].message_classes;
      const bool fixed = shapes_[0].fixed_vc_by_destination;
      const auto only =
          static_cast<unsigned>(emit::terminal_address(shapes_[0], topology_, dst) % own);
      for (unsigned vc = 0; vc < vcs; ++vc) {
        const VcId in{static_cast<std::uint8_t>(vc)};
        State s{topology_.router_of(src), topology_.port_of(src), in, 0, src};
        if (!fixed || vc % own == only) enter(s);
        for (const Mode mode : modes_.subspan(std::min<std::size_t>(1, modes_.size()))) {
          s.mode = mode;
          if (mode != Mode::kInOrder || vc % own == only) enter(s);
        }
      }
    }
    std::vector<std::size_t> level(states_.size());
    std::iota(level.begin(), level.end(), 0);
    constexpr unsigned kFew = 2, kMany = 8, kRounds = 40;
    bool goes_on = ask_on(level, draws_ ? kMany : kFew);
    for (unsigned round = 0; goes_on && round < kRounds; ++round) {
      level.clear();
      // A draw of many may have been the same each time: the first rounds ask whatever may draw.
      constexpr unsigned kRoundsOfAll = 2;
      for (std::size_t i = 0; i < states_.size(); ++i) {
        const bool may = varies_[i] || (draws_ && round < kRoundsOfAll);
        if (may && !places_.at(place(states_[i])).complete()) level.push_back(i);
      }
      if (level.empty()) break;
      goes_on = ask_on(level, kMany);
    }
    for (const auto& [place, offers] : places_) {
      if (!offers.asked) continue;
      ++out_.states;
      for (std::size_t i = 0; i < offers.moves.size(); ++i) {
        out_.moves += count(offers.moves[i].vcs);
        out_.never_offered += count(offers.moves[i].vcs & ~offers.offered[i]);
      }
    }
    return goes_on;
  }

  /// Asks about these states, then about those that their answers lead to, level by level.
  bool ask_on(std::vector<std::size_t> level, unsigned times) {
    while (!level.empty()) {
      const std::size_t next = states_.size();
      constexpr std::size_t kBatch = 4096;
      for (std::size_t begin = 0; begin < level.size(); begin += kBatch) {
        if (out_.questions >= options_.most_questions) return false;
        const auto from = level.begin() + static_cast<std::ptrdiff_t>(begin);
        const std::size_t size = std::min(kBatch, level.size() - begin);
        if (!ask({from, from + static_cast<std::ptrdiff_t>(size)}, times)) return false;
        options_.progress("asking the routing units",
                          std::max(static_cast<double>(out_.destinations) /
                                       static_cast<double>(topology_.num_terminals()),
                                   static_cast<double>(out_.questions) /
                                       static_cast<double>(options_.most_questions)));
      }
      level.resize(states_.size() - next);
      std::iota(level.begin(), level.end(), next);
      times = draws_ ? 8 : 2;
    }
    return true;
  }

  bool ask(const std::vector<std::size_t>& batch, unsigned times) {
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      std::vector<model::UnitQuestion> questions;
      std::vector<std::size_t> asked;
      for (const std::size_t i : batch) {
        const State& s = states_[i];
        if (topology_.shape_index(s.at) != shape) continue;
        asked.push_back(i);
        for (unsigned n = 0; n < times; ++n)
          questions.push_back({emit::coordinate_value(shapes_[shape], topology_, s.at),
                               static_cast<std::uint32_t>(index(s.in_port)),
                               static_cast<std::uint32_t>(index(s.in_vc)), head(s),
                               n == 0 ? 0 : random_() | 1});
      }
      std::vector<model::UnitAnswer> answers;
      units_[shape].bank->ask(questions, answers);
      out_.questions += answers.size();
      for (std::size_t a = 0; a < answers.size(); ++a) {
        const std::size_t i = asked[a / times];
        const State state = states_[i];  // by value: check() adds some
        if (!check(shapes_[shape], state, answers[a])) return false;
        if (a % times == 0 || same(answers[a], answers[a - 1])) continue;
        varies_[i] = true;
        if (!spec::is_deterministic(state.mode)) continue;
        out_.fault = text(shapes_[shape], state, answers[a],
                          "packets with the same head take different paths");
        return false;
      }
    }
    return true;
  }

  static bool same(const model::UnitAnswer& a, const model::UnitAnswer& b) {
    for (std::size_t k = 0; k < a.candidates.size(); ++k) {
      const auto &x = a.candidates[k], &y = b.candidates[k];
      if (x.vcs != y.vcs || (x.vcs != 0 && x.port != y.port)) return false;
    }
    return a.state == b.state;
  }

  unsigned class_of(std::uint64_t header) const {
    return static_cast<unsigned>(header & ((std::uint64_t{1} << format_.routing_class.width) - 1));
  }
  Place place(const State& s) const { return {s.at, s.in_port, s.in_vc, class_of(s.header)}; }

  void enter(const State& s) {
    if (!seen_
             .insert({s.at, s.in_port, s.in_vc, s.header & deciding_,
                      told_apart(s) ? s.src : TerminalId{}, s.mode})
             .second)
      return;
    states_.push_back(s);
    varies_.resize(states_.size());
    varies_.back() = false;
    const auto [at, made] = places_.try_emplace(place(s));
    if (!made) return;
    relation_.moves({s.at, s.in_port, s.in_vc, class_of(s.header), dst_}, at->second.moves);
    at->second.offered.resize(at->second.moves.size());
  }

  /// By their source. Whatever is adaptive does not heed it where packets have modes.
  bool told_apart(const State& s) const {
    return reads_source_ && (modes_.empty() || spec::is_deterministic(s.mode));
  }

  /// The head flit as a terminal builds it, with the routing state of the last router. Fields that
  /// routing does not read hold anything.
  std::vector<std::uint32_t> head(const State& s) {
    std::vector<std::uint64_t> words((std::max(format_.header_bits, format_.route_bits) + 63) / 64 +
                                     1);
    for (auto& word : words) word = random_();
    const auto set = [&](const topology::HeaderField& field, std::uint64_t value) {
      topology::set_field(words.data(), field, value);
    };
    const auto set_terminal = [&](const std::vector<topology::HeaderField>& coordinates,
                                  const topology::HeaderField& slot, TerminalId terminal) {
      for (unsigned d = 0; d < coordinates.size(); ++d)
        set(coordinates[d], topology_.coordinate(topology_.router_of(terminal), d));
      set(slot, topology_.slot_of(terminal));
    };
    set_terminal(format_.dst_coord, format_.dst_slot, dst_);
    set_terminal(format_.src_coord, format_.src_slot, s.src);
    set(format_.length, shapes_[0].max_flits - format_.length_offset);
    for (const auto& field : format_.rewritten()) set(field, 0);
    set(format_.routing_state(), s.header);
    set(format_.message_class, 0);
    // One code more than there are modes counts as the first.
    const bool none = format_.mode.width > 0 && s.mode == modes_[0] && random_() % 2 == 0;
    set(format_.mode, none ? spec::kModes : static_cast<std::uint64_t>(s.mode));
    // A flow: that of its source, whatever it is; packets in order do not heed it.
    set(format_.label, s.mode == Mode::kInOrder ? random_() : index(s.src) * 7);
    std::vector<std::uint32_t> bits((format_.route_bits + 31) / 32);
    for (std::size_t i = 0; i < bits.size(); ++i)
      bits[i] = static_cast<std::uint32_t>(words[i / 2] >> (i % 2 * 32));
    return bits;
  }

  /// Holds an answer to the relation and enters the states that it leads to.
  bool check(const emit::RouterShape& shape, const State& s, const model::UnitAnswer& answer) {
    const auto wrong = [&](const std::string& why) {
      out_.fault = text(shape, s, answer, why);
      return false;
    };
    if (!answer.fault.empty()) return wrong(answer.fault);
    if (answer.vc != index(s.in_vc)) return wrong("the answer is for another VC");
    const std::uint64_t header = shape.state_bits() == 0 ? s.header : answer.state;
    Offers& offers = places_.at(place(s));
    offers.asked = true;
    bool any = false, escape = false;
    std::vector<std::pair<PortId, VcMask>> taken;
    routing::Moves promised;
    if (!modes_.empty()) {
      relation_.moves_in(s.mode, {s.at, s.in_port, s.in_vc, class_of(s.header), dst_}, promised);
    }
    for (const auto& candidate : answer.candidates) {
      if (candidate.vcs == 0) continue;
      any = true;
      if (candidate.port >= shape.ports) return wrong("the router has no such port");
      const PortId port{static_cast<std::uint16_t>(candidate.port)};
      const bool ejects = topology_.is_terminal_port(s.at, port);
      if (ejects && (topology_.router_of(dst_) != s.at || topology_.port_of(dst_) != port))
        return wrong("the packet leaves the network at another terminal");
      bool allowed = false;
      for (std::size_t i = 0; i < offers.moves.size(); ++i) {
        const Move& move = offers.moves[i];
        if (move.out_port != port || (candidate.vcs & ~move.vcs) != 0) continue;
        if (!ejects && move.next_class != class_of(header)) continue;
        allowed = true;
        escape |= move.escape || ejects;
        offers.offered[i] |= candidate.vcs;
      }
      if (!allowed) return wrong("the relation has no such move");
      const bool kept = std::any_of(promised.begin(), promised.end(), [&](const Move& move) {
        return move.out_port == port && (candidate.vcs & ~move.vcs) == 0 &&
               (ejects || move.next_class == class_of(header));
      });
      if (!modes_.empty() && !kept)
        return wrong(fmt::format("packets of mode {} make no such move", spec::name_of(s.mode)));
      if (!ejects) taken.emplace_back(port, candidate.vcs);
    }
    if (!any) return wrong("the answer offers nothing");
    if (!relation_.acyclic() && !escape) return wrong("the answer offers no escape");
    for (const auto& [port, vcs] : taken) {
      const auto id = topology_.out_channel(s.at, port);
      if (!id) return wrong("no channel leaves through the port");
      const topology::Channel& channel = topology_.channel(*id);
      for (unsigned vc = 0; vc < shape.vcs; ++vc) {
        if ((vcs >> vc & 1) != 0)
          enter({channel.dst, channel.dst_port, VcId{static_cast<std::uint8_t>(vc)}, header, s.src,
                 s.mode});
      }
    }
    return true;
  }

  std::string move_text(RouterId at, unsigned port, VcMask vcs, unsigned next) const {
    std::vector<unsigned> list;
    for (unsigned vc = 0; vc < kMaxVcs; ++vc) {
      if ((vcs >> vc & 1) != 0) list.push_back(vc);
    }
    const std::string name = port < topology_.num_ports(at)
                                 ? topology_.port_name(at, PortId{static_cast<std::uint16_t>(port)})
                                 : "none";
    return fmt::format("\n    port {} ({}), VC {}, class {}", port, name, fmt::join(list, " "),
                       next);
  }

  std::string text(const emit::RouterShape& shape, const State& s, const model::UnitAnswer& answer,
                   const std::string& why) const {
    const RouterId end = topology_.router_of(dst_);
    std::string out = fmt::format(
        "{}\n  asked: router {}, input port {} ({}), VC {}, class {}, from terminal {} at {}, to "
        "terminal {} at {} ({}), routing state {:#x}\n  the RTL offers:",
        why, topology_.name(s.at), index(s.in_port), topology_.port_name(s.at, s.in_port),
        index(s.in_vc), class_of(s.header), index(s.src),
        topology_.name(topology_.router_of(s.src)), index(dst_), topology_.name(end),
        topology_.port_name(end, topology_.port_of(dst_)), s.header);
    if (!modes_.empty())
      out.insert(out.rfind("\n  the RTL"), fmt::format(", mode {}", spec::name_of(s.mode)));
    const unsigned next = class_of(shape.state_bits() == 0 ? s.header : answer.state);
    bool any = false;
    for (const auto& c : answer.candidates) {
      if (c.vcs == 0) continue;
      out += move_text(s.at, c.port, c.vcs, next);
      any = true;
    }
    if (!any) out += " nothing";
    out += "\n  the relation allows:";
    for (const Move& m : places_.at(place(s)).moves) {
      out += move_text(s.at, static_cast<unsigned>(index(m.out_port)), m.vcs, m.next_class);
      if (m.escape) out += ", escape";
    }
    return out + "\n";
  }

  const topology::Topology& topology_;
  const routing::RoutingRelation& relation_;
  const std::vector<emit::RouterShape>& shapes_;
  std::vector<model::LoadedUnit>& units_;
  const Options& options_;
  const topology::PacketFormat& format_;
  const std::span<const Mode> modes_;
  bool draws_ = false, reads_source_ = false;
  std::uint64_t deciding_ = 0;
  std::mt19937_64 random_{1};
  Outcome out_;
  TerminalId dst_{};
  std::vector<State> states_;  // in the order of discovery
  std::vector<bool> varies_;   // answers about it differ
  std::set<std::tuple<RouterId, PortId, VcId, std::uint64_t, TerminalId, Mode>> seen_;
  std::map<Place, Offers> places_;
};

}  // namespace

Result<Outcome> verify_units(const deadlock::ProvenNetwork& network,
                             const model::BuildOptions& build, const Options& options) {
  const std::vector<emit::RouterShape> shapes = emit::router_shapes(network);
  std::vector<model::LoadedUnit> units;
  for (const emit::RouterShape& s : shapes) {
    std::string top;
    emit::Files files = emit::emit_unit(s, top);
    options.alter(files);
    model::UnitShape shape{.ports = s.ports,
                           .vc_depths = s.vc_depths,
                           .space_bits = s.space_width,
                           .queue_bits = s.queue_width,
                           .head_bits = s.format.route_bits,
                           .candidates = s.unit.candidates,
                           .cfg = s.cfg_reset};
    // Routers are told a seed before a run; any will do.
    constexpr auto kSeed = static_cast<std::size_t>(emit::ConfigWord::kSeed);
    if (shape.cfg.size() > kSeed) shape.cfg[kSeed] = 0x9e3779b9;
    auto unit = model::load_unit(files, top, shape, build,
                                 [&](const std::string& what) { options.progress(what, 0); });
    if (!unit) return unit.errors();
    units.push_back(std::move(unit).value());
  }
  return Walk(network, shapes, units, options).run();
}

}  // namespace hopwise::verify
