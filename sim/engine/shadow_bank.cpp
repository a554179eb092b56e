// SPDX-License-Identifier: Apache-2.0
#include "engine/shadow_bank.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopwise::engine {

namespace {

model::WireShape alone(model::WireShape shape) {
  shape.lanes = 1;
  return shape;
}

std::string hex(const std::byte* bytes, std::size_t n) {
  std::string text;
  for (std::size_t i = n; i-- > 0;) text += fmt::format("{:02x}", static_cast<unsigned>(bytes[i]));
  return text;
}

}  // namespace

ShadowBank::ShadowBank(std::unique_ptr<model::RouterBank> main, const model::RouterModel& shadow,
                       const std::vector<model::RouterWiring>& wiring,
                       const model::WireShape& shape, const std::vector<std::size_t>& shadowed)
    : main_(std::move(main)),
      model_(shadow),
      shape_(shape),
      own_(alone(shape)),
      inputs_(own_.block_bytes() * shadowed.size()),
      outputs_(own_.block_bytes() * shadowed.size()) {
  std::vector<model::RouterWiring> own;
  for (std::size_t s = 0; s < shadowed.size(); ++s) {
    const model::RouterWiring& w = wiring[shadowed[s]];
    const InputPins in{inputs_.data() + s * own_.block_bytes(), &own_, 0},
        out{outputs_.data() + s * own_.block_bytes(), &own_, 0};
    Shadow one{shadowed[s], w, in, {}, {}};
    for (std::uint32_t p = 0; p < shape.ports; ++p) {
      const auto sink = [&](const model::Wire& like, bool credit) {
        return like.block == nullptr ? model::Wire{} : out.wire_to(p, credit, like.delay);
      };
      one.flits.push_back(sink(w.flits[p], false));
      one.credits.push_back(sink(w.credits[p], true));
    }
    own.push_back({.block = in.block,
                   .lane = 0,
                   .flits = one.flits,
                   .credits = one.credits,
                   .coordinates = w.coordinates,
                   .clock_offset = w.clock_offset,
                   .router = w.router});
    shadows_.push_back(std::move(one));
  }
  shadow_.reset(shadow.make_bank(own.data(), own.size(), own_));
}

void ShadowBank::step(std::uint64_t cycle, bool skip_idle) {
  for (const Shadow& s : shadows_) copy_inputs(s, cycle);
  // First: an assertion that fails speaks before the other engine notices.
  shadow_->step(cycle, skip_idle);
  main_->step(cycle, skip_idle);
  for (std::size_t s = 0; s < shadows_.size(); ++s) compare(s, cycle);
}

void ShadowBank::copy_inputs(const Shadow& s, std::uint64_t cycle) {
  const InputPins from{s.main.block, &shape_, s.main.lane};
  const std::byte* slot = from.slot(cycle);
  std::byte* to = s.in.slot(cycle);
  for (std::uint32_t p = 0; p < shape_.ports; ++p) {
    const std::byte flit = slot[shape_.flit_meta(p, s.main.lane)],
                    credit = slot[shape_.credit_meta(p, s.main.lane)];
    to[own_.flit_meta(p, 0)] = flit;
    to[own_.credit_meta(p, 0)] = credit;
    if (flit != std::byte{0})
      std::memcpy(to + own_.flit_offset(p, 0), slot + shape_.flit_offset(p, s.main.lane),
                  shape_.flit_bytes);
    if (shape_.feedback_bytes > 0 && credit != std::byte{0})
      std::memcpy(to + own_.feedback_offset(p, 0), slot + shape_.feedback_offset(p, s.main.lane),
                  shape_.feedback_bytes);
  }
}

void ShadowBank::compare(std::size_t index, std::uint64_t cycle) {
  Shadow& s = shadows_[index];
  const auto differ = [&](const std::string& pin, const std::string& main,
                          const std::string& shadow) {
    throw std::runtime_error(
        fmt::format("engines differ: cycle {}, router {}, {}: {} in lanes, {} by Verilator", cycle,
                    s.main.router, pin, main, shadow));
  };
  const auto wires = [&](const char* name, std::uint32_t port, const model::Wire& main,
                         const model::Wire& shadow, model::Meta with_data, std::size_t bytes) {
    if (main.block == nullptr) return;
    const std::byte* a = main.slot(cycle);
    std::byte* b = shadow.slot(cycle);
    const std::byte there = a[main.meta_offset], here = b[shadow.meta_offset];
    if (there != here) differ(fmt::format("{}_{}", name, port), hex(&there, 1), hex(&here, 1));
    if ((static_cast<model::Meta>(here) & with_data) != 0 &&
        std::memcmp(a + main.data_offset, b + shadow.data_offset, bytes) != 0)
      differ(fmt::format("data of {}_{}", name, port), hex(a + main.data_offset, bytes),
             hex(b + shadow.data_offset, bytes));
    b[shadow.meta_offset] = std::byte{0};
  };
  for (std::uint32_t p = 0; p < shape_.ports; ++p) {
    wires("out", p, s.main.flits[p], s.flits[p], model::kValid, (model_.flit_bits + 7) / 8);
    wires("in_credit", p, s.main.credits[p], s.credits[p],
          p < model_.feedback_ports ? model::kFeedback : 0, shape_.feedback_bytes);
  }
  for (std::uint32_t c = 0; c < kRouterDropCauses; ++c) {
    const std::uint32_t a = main_->drops(s.local, c), b = shadow_->drops(index, c);
    if (a != b)
      differ(fmt::format("drops for {}", kDropNames[c]), fmt::format("{}", a),
             fmt::format("{}", b));
  }
  for (std::uint32_t w = 0; w < model_.counter_words; ++w) {
    const std::uint32_t a = main_->counters(s.local, w), b = shadow_->counters(index, w);
    if (a != b)
      differ(fmt::format("word {} of counters", w), fmt::format("{}", a), fmt::format("{}", b));
  }
  if (model_.stuck_words > 0) {
    std::vector<std::uint32_t> a(model_.stuck_words), b = a;
    if (main_->stuck(s.local, a.data()) != shadow_->stuck(index, b.data()) || a != b)
      differ("stuck", fmt::format("{:08x}", fmt::join(a, " ")),
             fmt::format("{:08x}", fmt::join(b, " ")));
  }
  if (model_.trace_bits > 0) {
    std::vector<std::uint32_t> a((model_.trace_bits + 31) / 32), b = a;
    main_->trace(s.local, a.data());
    shadow_->trace(index, b.data());
    if (a != b)
      differ("trace", fmt::format("{:08x}", fmt::join(a, " ")),
             fmt::format("{:08x}", fmt::join(b, " ")));
  }
  if (shadows_.size() == 1 || index + 1 < shadows_.size()) return;
  if (main_->quiescent() && !shadow_->quiescent()) differ("quiescent", "1", "0");
}

std::size_t ShadowBank::find(std::size_t local) const {
  const auto at = std::lower_bound(shadows_.begin(), shadows_.end(), local,
                                   [](const Shadow& s, std::size_t l) { return s.local < l; });
  return at == shadows_.end() || at->local != local
             ? shadows_.size()
             : static_cast<std::size_t>(at - shadows_.begin());
}

unsigned ShadowBank::csr_write(std::size_t i, std::uint32_t address, std::uint32_t data) {
  if (const std::size_t s = find(i); s < shadows_.size()) shadow_->csr_write(s, address, data);
  return main_->csr_write(i, address, data);
}

unsigned ShadowBank::csr_read(std::size_t i, std::uint32_t address, std::uint32_t& data) {
  const unsigned response = main_->csr_read(i, address, data);
  if (const std::size_t s = find(i); s < shadows_.size()) {
    std::uint32_t other = 0;
    shadow_->csr_read(s, address, other);
    if (other != data)
      throw std::runtime_error(
          fmt::format("engines differ: router {}, CSR {:#x}: {:#x} in lanes, {:#x} by Verilator",
                      shadows_[s].main.router, address, data, other));
  }
  return response;
}

void ShadowBank::queue_csr(std::size_t i, std::uint32_t address, std::uint32_t data) {
  if (const std::size_t s = find(i); s < shadows_.size()) shadow_->queue_csr(s, address, data);
  main_->queue_csr(i, address, data);
}

void ShadowBank::initialise() {
  main_->initialise();
  shadow_->initialise();
}

void ShadowBank::lose_feedback(unsigned n) {
  main_->lose_feedback(n);
  shadow_->lose_feedback(n);
}

void ShadowBank::set_oracle(const model::QueueOracle* oracle) {
  main_->set_oracle(oracle);
  shadow_->set_oracle(oracle);
}

bool ShadowBank::open_wave(std::size_t i, const char* path) {
  const std::size_t s = find(i);
  return s < shadows_.size() && shadow_->open_wave(s, path);
}

}  // namespace hopwise::engine
