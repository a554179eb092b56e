// SPDX-License-Identifier: Apache-2.0
#include "probes/q/check.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "engine/header.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::probes::q {
namespace {

constexpr std::uint64_t kLateHead = 1000;  ///< of Fault::kLateHop

/// A hop between routers of the group where the packet ends: the router upstream learns nothing
/// about it.
bool within_last_group(const topology::Topology& topology, std::uint32_t dst, std::uint32_t here,
                       std::uint32_t port) {
  const auto& ports = topology.shape(RouterId{here}).network_ports;
  return ports[port].link_class == topology::kLocalLinks &&
         topology.coordinate(RouterId{dst}, 1) == topology.coordinate(RouterId{here}, 1);
}

}  // namespace

Check::Check(const engine::Setup& setup, const Shape& shape, std::uint32_t first, std::uint32_t end,
             const Tables* tables, Fault fault)
    : setup_(setup), shape_(shape), fault_(fault), first_(first) {
  for (std::uint32_t r = first; r < end; ++r) {
    std::vector<bool> connected;
    for (unsigned p = 0; p < setup.topology.network_ports(); ++p) {
      const PortId port{static_cast<std::uint16_t>(p)};
      connected.push_back(setup.topology.out_channel(RouterId{r}, port).has_value());
    }
    const auto start = tables != nullptr ? (*tables)[r]
                                         : start_values(shape, setup.network, setup.topology,
                                                        setup.format, RouterId{r});
    routers_.push_back({AgentModel(shape, start, std::move(connected), fault),
                        std::vector<std::vector<Owed>>(shape.columns),
                        {},
                        false});
  }
  words_.resize((shape.trace_bits() + 31) / 32);
  samples_.resize(shape.banks);
  queues_.resize(setup.topology.num_ports());
  flit_.resize((setup.network.packet.wire_bits() + 63) / 64 + 1);
}

void Check::fail(std::size_t local, std::uint64_t cycle, std::string what) {
  if (routers_[local].failed) return;  // whatever follows follows from it
  routers_[local].failed = true;
  failures_.push_back({cycle, first_ + static_cast<std::uint32_t>(local), std::move(what)});
}

void Check::look_at_wires(const engine::InputPins* pins, std::uint64_t cycle, Arrivals& arrivals) {
  const auto& f = setup_.format;
  const std::uint64_t most = (1u << f.reward.width) - 1, clock = (1u << f.arrival.width) - 1;
  for (std::size_t local = 0; local < routers_.size(); ++local) {
    const model::WireShape& wires = *pins[local].shape;
    for (std::uint32_t p = 0; p < wires.ports; ++p) {
      std::byte& at = pins[local].flit_meta(cycle, p);
      const auto meta = static_cast<model::Meta>(at);
      if ((meta & model::kHead) == 0) continue;
      std::memcpy(flit_.data(), pins[local].flit(cycle, p), wires.flit_bytes);
      const std::uint32_t source =
          engine::terminal_of(setup_, flit_.data(), f.src_coord, f.src_slot);
      if (source >= arrivals.size()) {
        fail(local, cycle, fmt::format("a head flit comes from terminal {}", source));
        continue;
      }
      auto& ids = arrivals[source];
      std::uint64_t& arrived = ids[topology::get_field(flit_.data(), f.packet_id) % ids.size()];
      const std::uint64_t since = cycle - std::exchange(arrived, cycle);
      if (p >= setup_.topology.network_ports()) continue;
      ++rewards_;
      const std::uint32_t dst = engine::terminal_of(setup_, flit_.data(), f.dst_coord, f.dst_slot) /
                                setup_.topology.terminals_per_router();
      if (fault_ == Fault::kLateHop && dst != first_ + local && heads_ != kLateHead &&
          ++heads_ == kLateHead) {
        at = static_cast<std::byte>((meta & ~model::kVcMask) | (setup_.network.router.vcs - 1));
      }
      const std::uint32_t reward = topology::get_field(flit_.data(), f.reward);
      if (!shape_.two_level || fault_ == Fault::kGroup ||
          !within_last_group(setup_.topology, dst, first_ + static_cast<std::uint32_t>(local), p)) {
        ++feedbacks_;
        routers_[local].owed[p].push_back({row_of(flit_.data()), reward});
      }
      const auto expected = static_cast<std::uint32_t>(
          std::min((since + (fault_ == Fault::kReward ? 1 : 0)) & clock, most));
      if (reward != expected) {
        fail(local, cycle,
             fmt::format("port {}: the reward of the last hop is {}, the head came {} cycles ago",
                         p, reward, expected));
      }
    }
  }
}

void Check::look_at_routers(const model::RouterBank& bank, std::uint64_t cycle) {
  for (std::size_t local = 0; local < routers_.size(); ++local) {
    if (routers_[local].failed) continue;
    look_at_feedback(bank, local, cycle);
    bank.trace(local, words_.data());
    bool compares = false, happens = false;
    for (unsigned b = 0; b < shape_.banks; ++b) {
      const Sample& sample = samples_[b] = take_apart(shape_, words_, b);
      if (sample.decides && sample.question.wants_feedback)
        routers_[local].decided.push_back(sample);
      compares |= sample.compares;
      happens |= sample.compares || sample.writes || sample.decides;
    }
    if (!happens) continue;
    if (shape_.queues && compares) bank.sample_queues(local, queues_.data());
    if (std::string what = routers_[local].model.follow(samples_, queues_); !what.empty())
      fail(local, cycle, std::move(what));
  }
}

std::uint32_t Check::row_of(const std::uint64_t* head) const {
  const auto& f = setup_.format;
  if (setup_.topology.has_groups()) {
    const std::uint32_t group = topology::get_field(head, f.dst_coord[1]);
    if (shape_.two_level)
      return group * setup_.topology.terminals_per_router() + topology::get_field(head, f.src_slot);
    return group * setup_.topology.dims()[0] + topology::get_field(head, f.dst_coord[0]);
  }
  std::uint32_t row = 0, shift = 0;
  for (const auto& field : f.dst_coord) {
    row |= topology::get_field(head, field) << shift;
    shift += field.width;
  }
  return row;
}

/// A word is about a head that came in by its port: what the agent said in the cycle before, or the
/// reward alone.
void Check::look_at_feedback(const model::RouterBank& bank, std::size_t local,
                             std::uint64_t cycle) {
  Router& router = routers_[local];
  std::vector<Sample> decided = std::exchange(router.decided, {});
  const auto word_of = [&](std::uint32_t row, std::uint64_t value) {
    return value << (1 + shape_.row_bits) | row << 1 | 1;
  };
  for (std::uint32_t p = 0; p < shape_.columns; ++p) {
    const std::uint64_t word = bank.feedback(local, p);
    if (word == 0) continue;
    auto& owed = router.owed[fault_ == Fault::kPort ? (p + 1) % shape_.columns : p];
    auto found = owed.end();
    for (auto d = decided.begin(); found == owed.end() && d != decided.end(); ++d) {
      if (word != word_of(d->question.row, d->answer.feedback_value)) continue;
      found = std::find(owed.begin(), owed.end(), Owed{d->question.row, d->question.reward});
      if (found == owed.end()) continue;
      decided.erase(d);
      break;
    }
    if (found == owed.end()) {
      found = std::find_if(owed.begin(), owed.end(), [&](const Owed& o) {
        const std::uint64_t least = std::min<std::uint64_t>(
            shape_.infinity() - 1, std::uint64_t{o.reward} << shape_.fraction_bits);
        return word == word_of(o.row, least);
      });
    }
    if (found == owed.end())
      return fail(local, cycle,
                  fmt::format("port {}: the feedback {:#x} is about no head that came", p, word));
    owed.erase(found);
  }
  if (!decided.empty())
    fail(local, cycle, "the feedback of a decision is not sent in the next cycle");
}

void Check::compare_table(std::size_t local, const std::vector<std::uint32_t>& values,
                          std::uint64_t cycle) {
  const TableModel& table = routers_[local].model.table();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / shape_.columns, column = i % shape_.columns;
    if (values[i] == table.value(row, column)) continue;
    fail(local, cycle,
         fmt::format("at the end row {} column {} holds {}; the model has {}", row, column,
                     values[i], table.value(row, column)));
    return;
  }
}

std::uint64_t Check::decisions() const {
  std::uint64_t sum = 0;
  for (const Router& r : routers_) sum += r.model.decisions();
  return sum;
}

std::uint64_t Check::updates() const {
  std::uint64_t sum = 0;
  for (const Router& r : routers_) sum += r.model.updates();
  return sum;
}

}  // namespace hopwise::probes::q
