// SPDX-License-Identifier: Apache-2.0
#include "engine/stuck.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "spec/csr_map.hpp"
#include "support/bits.hpp"

namespace hopwise::engine {

namespace {

using Report = StuckVcs::Report;

/// As hw_router_pkg has them.
enum Cause : unsigned { kWaitOwner = 3, kWaitRoom = 4 };
/// VCs of a chain that are told.
constexpr std::size_t kToldVcs = 12;

/// What a VC waits for: its last candidate, which is the escape where there is one.
struct Want {
  PortId port;
  unsigned vc = 0;
};
std::optional<Want> want(const Report& r) {
  for (std::size_t w = r.words.size(); w-- > 1;) {
    if (const std::uint32_t vcs = r.words[w] >> 16; vcs != 0)
      return Want{PortId{static_cast<std::uint16_t>(r.words[w] & 0xff)},
                  static_cast<unsigned>(std::countr_zero(vcs))};
  }
  return std::nullopt;
}

bool wants(const Report& r, const Want& w) {
  const auto other = want(r);
  return other && other->port == w.port && other->vc == w.vc;
}

/// The VC that `r` waits for; nullptr where that is none which does not move itself.
const Report* next(const Report& r, const std::vector<Report>& all,
                   const topology::Topology& topology) {
  const auto w = want(r);
  if (!w) return nullptr;
  const auto find = [&all](auto&& is) {
    const auto at = std::find_if(all.begin(), all.end(), is);
    return at == all.end() ? nullptr : &*at;
  };
  if (r.cause() == kWaitOwner)
    return find([&](const Report& o) {
      return o.router == r.router && o.cause() != kWaitOwner && wants(o, *w);
    });
  const auto channel =
      r.cause() == kWaitRoom ? topology.out_channel(RouterId{r.router}, w->port) : std::nullopt;
  if (!channel) return nullptr;
  const topology::Channel& c = topology.channel(*channel);
  return find([&](const Report& o) {
    return o.router == index(c.dst) && o.port() == index(c.dst_port) && o.vc() == w->vc;
  });
}

std::string place(const Report& r, const topology::Topology& topology) {
  const PortId port{static_cast<std::uint16_t>(r.port())};
  return fmt::format("{} {} VC {}", topology.name(RouterId{r.router}),
                     topology.port_name(RouterId{r.router}, port), r.vc());
}

}  // namespace

void StuckVcs::watch(const spec::NetworkSpec& network, const topology::Topology& topology,
                     bool clocks_agree, unsigned words) {
  cycles_ = network.router.watchdog_cycles;
  places_ = clocks_agree ? std::uint64_t{1}
                               << (width_for(topology.num_ports()) + width_for(network.router.vcs))
                         : cycles_;
  words_.resize(words);
}

void StuckVcs::observe(const model::RouterBank& bank, std::uint32_t first, std::uint32_t end,
                       std::uint64_t cycle) {
  // A visit of cycle c is reported in c + 1.
  if (cycles_ == 0 || (cycle - 1) % cycles_ >= places_) return;
  std::erase_if(last_, [&](const Report& r) { return r.cycle + cycles_ <= cycle; });
  for (std::uint32_t r = first; r < end; ++r) {
    if (!bank.stuck(r - first, words_.data())) continue;
    ++reports_;
    last_.push_back({cycle, r, words_});
  }
}

std::string waiting_chain(std::vector<Report> reports, const topology::Topology& topology) {
  if (reports.empty()) return "";
  const auto key = [](const Report& r) { return std::tuple(r.router, r.port(), r.vc()); };
  std::sort(reports.begin(), reports.end(),
            [&](const Report& a, const Report& b) { return key(a) < key(b); });
  // From the first on; where that ends in a cycle, the cycle alone.
  std::vector<const Report*> chain;
  const Report* at = &reports.front();
  while (at != nullptr && std::find(chain.begin(), chain.end(), at) == chain.end()) {
    chain.push_back(at);
    at = next(*at, reports, topology);
  }
  if (at != nullptr) chain.erase(chain.begin(), std::find(chain.begin(), chain.end(), at));
  std::string text = fmt::format("{} VCs do not move: ", reports.size());
  for (std::size_t i = 0; i < chain.size() && i < kToldVcs; ++i) {
    const Report& r = *chain[i];
    text += fmt::format("{}{} ({}", i == 0 ? "" : " -> ", place(r, topology),
                        csr::kWaits[r.cause() - 1]);
    if (const auto w = want(r))
      text += fmt::format(": {} VC {}", topology.port_name(RouterId{r.router}, w->port), w->vc);
    text += ")";
  }
  if (chain.size() > kToldVcs) text += fmt::format(" -> {} more", chain.size() - kToldVcs);
  if (at != nullptr) text += " -> the first one again";
  return text;
}

}  // namespace hopwise::engine
