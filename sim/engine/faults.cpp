// SPDX-License-Identifier: Apache-2.0
#include "engine/faults.hpp"

#include <algorithm>
#include <cmath>

#include "traffic/random.hpp"

namespace hopwise::engine {

namespace {

/// Streams beside those of the traffic.
constexpr std::uint64_t kBadStream = std::uint64_t{0xbad} << 40,
                        kFlipStream = std::uint64_t{0xf11} << 40,
                        kResetStream = std::uint64_t{0x2e5} << 40;

/// A share of 2^64.
std::uint64_t share(double of) {
  return of >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(std::ldexp(of, 64));
}

}  // namespace

Faults::Faults(const Setup& setup, const RunOptions& options)
    : seed_(options.simulation.seed),
      header_bits_(setup.format.header_bits),
      hit_{setup.format.header_bits, 1} {
  const spec::FaultSpec& fault = options.faults;
  bad_below_ = share(fault.bad_packets);
  flip_below_ = share(fault.header_flips);
  reset_below_ = share(fault.reset_rate);
  resets_ = fault.resets;
  std::ranges::sort(resets_);
  const topology::PacketFormat& format = setup.format;
  const topology::Topology& topology = setup.topology;
  for (const spec::FaultSpec::Kind kind : fault.kinds) {
    std::vector<Wrong> wrong;
    const auto from = [&wrong](const topology::HeaderField& field, std::uint64_t first) {
      for (std::uint64_t v = first; field.width != 0 && v >> field.width == 0; ++v)
        wrong.push_back({field, v});
    };
    switch (kind) {
      case spec::FaultSpec::Kind::kDestination: {
        for (std::size_t d = 0; d < format.dst_coord.size(); ++d)
          from(format.dst_coord[d], topology.dims()[d]);
        std::uint32_t slots = 0;
        for (std::uint32_t r = 0; r < topology.num_routers(); ++r)
          slots = std::max(slots, topology.terminals_at(RouterId{r}));
        from(format.dst_slot, slots);
        break;
      }
      case spec::FaultSpec::Kind::kLength:
        if (format.length.width != 0 && format.length_offset == 0)
          wrong.push_back({format.length, 0});
        from(format.length, setup.network.packet.max_flits - format.length_offset + 1);
        break;
      case spec::FaultSpec::Kind::kClass:
        // A network interface writes it.
        if (!fault.at_interface) from(format.routing_class, 1);
        break;
      case spec::FaultSpec::Kind::kStream: break;
    }
    // A kind that no packet of this network can have leaves its share to the others.
    if (wrong.empty() &&
        (kind != spec::FaultSpec::Kind::kStream || setup.network.packet.max_flits == 1))
      continue;
    kinds_.push_back(kind);
    wrong_.push_back(std::move(wrong));
  }
  if (kinds_.empty()) bad_below_ = 0;
}

std::uint64_t Faults::draw(std::uint64_t place, std::uint64_t cycle) const {
  return traffic::mix64(seed_ ^ traffic::mix64(kBadStream + place) ^
                        traffic::mix64(cycle * 0x9e3779b97f4a7c15ULL));
}

std::size_t Faults::kind_of(std::uint32_t source, std::uint64_t cycle) const {
  return traffic::mix64(draw(source, cycle)) % kinds_.size();
}

std::optional<spec::FaultSpec::Kind> Faults::wrong(std::uint32_t source, std::uint64_t cycle,
                                                   unsigned flits) const {
  if (bad_below_ == 0 || draw(source, cycle) > bad_below_) return std::nullopt;
  const std::size_t kind = kind_of(source, cycle);
  if (kinds_[kind] == spec::FaultSpec::Kind::kStream && flits == 1) return std::nullopt;
  return kinds_[kind];
}

unsigned Faults::missing(std::uint32_t source, std::uint64_t cycle, unsigned flits) const {
  return 1 + static_cast<unsigned>(traffic::mix64(draw(source, cycle) + 1) % (flits - 1));
}

void Faults::spoil(std::uint64_t* head, std::uint32_t source, std::uint64_t cycle) const {
  const std::vector<Wrong>& wrong = wrong_[kind_of(source, cycle)];
  const Wrong& one = wrong[traffic::mix64(draw(source, cycle) + 1) % wrong.size()];
  topology::set_field(head, one.field, one.value);
}

bool Faults::reset(std::uint32_t router, std::uint64_t cycle) const {
  if (std::ranges::binary_search(resets_, spec::FaultSpec::Reset{router, cycle})) return true;
  return reset_below_ != 0 && draw(kResetStream + router, cycle) <= reset_below_;
}

bool Faults::flip(std::uint64_t* head, std::uint32_t router, unsigned port,
                  std::uint64_t cycle) const {
  const std::uint64_t drawn = draw(kFlipStream + (std::uint64_t{router} << 8) + port, cycle);
  if (drawn > flip_below_) return false;
  const auto bit = static_cast<unsigned>(traffic::mix64(drawn) % header_bits_);
  head[bit / 64] ^= std::uint64_t{1} << (bit % 64);
  topology::set_field(head, hit_, 1);
  return true;
}

}  // namespace hopwise::engine
