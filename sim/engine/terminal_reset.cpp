// SPDX-License-Identifier: Apache-2.0
// Terminals beside a router that is reset alone: what hw_link_guard does at their end of the link.
// They hold back their packets until they have told the router that it may take them.
#include <algorithm>

#include "engine/terminal.hpp"

namespace hopwise::engine {

namespace {

/// From the last greeting to the welcome: credits of flits that came before have gone by then.
constexpr std::uint64_t kWelcomeCycles = 3;

}  // namespace

bool Terminals::is_greeting(const Arrival& arrival, const std::byte* data) const {
  const spec::PacketSpec& packet = shared_.setup.network.packet;
  if ((arrival.meta & model::kHead) == 0 || (arrival.meta & model::kTail) != 0) return false;
  const auto byte = static_cast<unsigned>(data[packet.flit_bits / 8]);
  return (byte >> (packet.flit_bits % 8) & 1) != 0;
}

/// The router is reset: what it had begun to send or to get comes to nothing.
void Terminals::greet(std::uint32_t local, std::uint64_t cycle) {
  const auto known = std::ranges::find(greeted_, local, &Greeted::local);
  if (known != greeted_.end()) {
    known->welcome = cycle + kWelcomeCycles;
    return;
  }
  greeted_.push_back({local, cycle + kWelcomeCycles});
  for (std::size_t at = local * classes_; at < (local + 1) * classes_; ++at) {
    Sender& sender = senders_[at];
    queued_flits_ -= sender.left;
    flits_injected_ += sender.left;  // somebody makes them up, or all of the packet is lost
    sender.left = 0;
    sender.waits_for_credit = false;
    Receiver& receiver = receivers_[at];
    if (receiver.got != 0 && !receiver.bad) {
      flits_ejected_ += shared_.records.of(receiver.from, receiver.id).flits - receiver.got;
      receive_broken(local, receiver);
    }
    receiver.got = 0;
  }
  const auto& depths = shared_.setup.network.router.vc_depth_flits;
  std::ranges::copy(depths, credits_.begin() + static_cast<std::ptrdiff_t>(local * vcs_));
  for (auto& credits : arriving_)
    std::erase_if(credits, [local](const Credit& credit) { return credit.local == local; });
}

bool Terminals::is_greeted(std::uint32_t local) const {
  return std::ranges::find(greeted_, local, &Greeted::local) != greeted_.end();
}

/// Welcomes the routers whose last greeting is long enough ago.
void Terminals::welcome(std::uint64_t cycle) {
  for (const Greeted& greeted : greeted_) {
    if (greeted.welcome != cycle) continue;
    const Sender& sender = senders_[greeted.local * classes_];
    std::byte* slot = sender.block + flit_slots_[sender.shape];
    slot[sender.meta] = static_cast<std::byte>(model::kValid | model::kHead);
    const unsigned bits = shared_.setup.network.packet.flit_bits;
    std::uint64_t* const flit = scratch_.data();
    std::fill_n(flit, flit_words_, 0);
    flit[0] = 1;  // the kind of the signal
    flit[bits / 64] |= std::uint64_t{1} << (bits % 64);
    copy_words(slot + sender.data, flit, flit_words_);
  }
  const auto welcomed = std::ranges::partition(
      greeted_, [cycle](const Greeted& greeted) { return greeted.welcome != cycle; });
  std::vector<std::uint32_t> free;
  for (const Greeted& greeted : welcomed) free.push_back(greeted.local);
  greeted_.erase(welcomed.begin(), welcomed.end());
  for (const std::uint32_t local : free) {
    if (can_send(local)) wake(local, cycle + 1);
  }
}

}  // namespace hopwise::engine
