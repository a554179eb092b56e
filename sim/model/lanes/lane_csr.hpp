// SPDX-License-Identifier: Apache-2.0
// The CSR ports of routers in lanes. Part of lanes_bank.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "model/csr_port.hpp"
#include "model/lanes/lane_word.hpp"
#include "model/router_bank.hpp"

namespace hopwise::lanes {

/// The pins of one lane, as a verilated model has them.
struct CsrPins {
  std::uint8_t s_awvalid_i = 0, s_awready_o = 0, s_wvalid_i = 0, s_wready_o = 0, s_wstrb_i = 0;
  std::uint16_t s_awaddr_i = 0, s_araddr_i = 0;
  std::uint32_t s_wdata_i = 0, s_rdata_o = 0;
  std::uint8_t s_bvalid_o = 0, s_bready_i = 0, s_bresp_o = 0;
  std::uint8_t s_arvalid_i = 0, s_arready_o = 0, s_rvalid_o = 0, s_rready_i = 0, s_rresp_o = 0;

  void drive(unsigned lane, Word* in) const {
    const auto put = [&](const std::int16_t* pin, unsigned width, std::uint32_t value) {
      for (unsigned i = 0; i < width; ++i) {
        if (pin[i] >= 0) set_lane(in[pin[i]], lane, (value >> i & 1) != 0);
      }
    };
    put(kPin_s_awvalid_i, 1, s_awvalid_i);
    put(kPin_s_awaddr_i, 16, s_awaddr_i);
    put(kPin_s_wvalid_i, 1, s_wvalid_i);
    put(kPin_s_wdata_i, 32, s_wdata_i);
    put(kPin_s_wstrb_i, 4, s_wstrb_i);
    put(kPin_s_bready_i, 1, s_bready_i);
    put(kPin_s_arvalid_i, 1, s_arvalid_i);
    put(kPin_s_araddr_i, 16, s_araddr_i);
    put(kPin_s_rready_i, 1, s_rready_i);
  }

  void sense(unsigned lane, const Word* watched) {
    const auto get = [&](const std::int16_t* pin, unsigned width) {
      std::uint32_t value = 0;
      for (unsigned i = 0; i < width; ++i) {
        if (pin[i] >= 0) value |= std::uint32_t{lane_of(watched[pin[i]], lane)} << i;
      }
      return value;
    };
    s_awready_o = static_cast<std::uint8_t>(get(kPin_s_awready_o, 1));
    s_wready_o = static_cast<std::uint8_t>(get(kPin_s_wready_o, 1));
    s_bvalid_o = static_cast<std::uint8_t>(get(kPin_s_bvalid_o, 1));
    s_bresp_o = static_cast<std::uint8_t>(get(kPin_s_bresp_o, 2));
    s_arready_o = static_cast<std::uint8_t>(get(kPin_s_arready_o, 1));
    s_rvalid_o = static_cast<std::uint8_t>(get(kPin_s_rvalid_o, 1));
    s_rdata_o = get(kPin_s_rdata_o, 32);
    s_rresp_o = static_cast<std::uint8_t>(get(kPin_s_rresp_o, 2));
  }
};

class LaneCsr {
 public:
  /// The pins of a lane's port at rest; what was queued for it is forgotten.
  void idle(unsigned lane, Word* in) {
    queued_ -= queued(lane);
    lanes_.erase(lane);
    CsrPins rest;
    rest.s_bready_i = rest.s_rready_i = 1;
    rest.drive(lane, in);
  }

  /// Transfers while the network stands still. `clock` gives one rising edge to the lane and
  /// returns the pins after it, `watched` those of now.
  template <class Clock, class Watched>
  unsigned write(unsigned lane, std::uint32_t address, std::uint32_t data, Word* in, Clock&& clock,
                 Watched&& watched) {
    Lane& own = lane_at(lane);
    own.pins.sense(lane, watched());
    const unsigned response = own.port.write(address, data, [&] { edge(own, lane, in, clock); });
    own.pins.drive(lane, in);
    return response;
  }
  template <class Clock, class Watched>
  unsigned read(unsigned lane, std::uint32_t address, std::uint32_t& data, Word* in, Clock&& clock,
                Watched&& watched) {
    Lane& own = lane_at(lane);
    own.pins.sense(lane, watched());
    const unsigned response = own.port.read(address, data, [&] { edge(own, lane, in, clock); });
    own.pins.drive(lane, in);
    return response;
  }

  /// One transfer in each of the lanes from `first` on, side by side: blocks that stand still
  /// answer alike.
  template <class Clock, class Watched>
  void each(bool write, unsigned first, std::uint32_t address, std::span<model::CsrAnswer> answers,
            Word* in, Clock&& clock, Watched&& watched) {
    std::vector<CsrPins> pins(answers.size());
    const auto sense = [&](const Word* out) {
      for (unsigned i = 0; i < pins.size(); ++i) pins[i].sense(first + i, out);
    };
    const auto drive = [&] {
      for (unsigned i = 0; i < pins.size(); ++i) pins[i].drive(first + i, in);
    };
    sense(watched());
    for (unsigned i = 0; i < pins.size(); ++i) {
      CsrPins& p = pins[i];
      p.s_bready_i = p.s_rready_i = 1;
      p.s_awvalid_i = p.s_wvalid_i = write;
      p.s_arvalid_i = !write;
      p.s_awaddr_i = p.s_araddr_i = static_cast<std::uint16_t>(address);
      p.s_wdata_i = answers[i].data;
      p.s_wstrb_i = 0xf;
    }
    std::size_t open = pins.size();
    std::vector<bool> answered(open);
    for (int wait = 0; open > 0; ++wait) {
      if (wait == kLongest) throw std::runtime_error("the CSR blocks do not answer");
      drive();
      const std::vector<CsrPins> before = pins;
      sense(clock());
      for (unsigned i = 0; i < pins.size(); ++i) {
        CsrPins& p = pins[i];
        const CsrPins& b = before[i];
        if (b.s_awvalid_i != 0 && b.s_awready_o != 0) p.s_awvalid_i = 0;
        if (b.s_wvalid_i != 0 && b.s_wready_o != 0) p.s_wvalid_i = 0;
        if (b.s_arvalid_i != 0 && b.s_arready_o != 0) p.s_arvalid_i = 0;
        if (answered[i] || (write ? b.s_bvalid_o : b.s_rvalid_o) == 0) continue;
        answered[i] = true;
        --open;
        answers[i].response = write ? b.s_bresp_o : b.s_rresp_o;
        if (!write) answers[i].data = b.s_rdata_o;
      }
    }
    drive();
  }

  void queue(unsigned lane, std::uint32_t address, std::uint32_t data) {
    lane_at(lane).port.queue(address, data);
    ++queued_;
  }
  std::size_t queued() const { return queued_; }
  std::size_t queued(unsigned lane) const {
    const auto own = lanes_.find(lane);
    return own == lanes_.end() ? 0 : own->second->port.queued();
  }

  /// Around a clock edge of all lanes: work on what is queued.
  template <class Watched>
  void before_clock(Word* in, Watched&& watched) {
    if (queued_ == 0) return;
    for (auto& [lane, own] : lanes_) {
      if (own->port.idle()) continue;
      own->pins.sense(lane, watched());
      own->port.before_clock();
      own->pins.drive(lane, in);
    }
  }
  void after_clock(Word* in) {
    if (queued_ == 0) return;
    for (auto& [lane, own] : lanes_) {
      if (own->port.idle()) continue;
      const std::size_t before = own->port.queued();
      own->port.after_clock();
      queued_ -= before - own->port.queued();
      own->pins.drive(lane, in);
    }
  }

 private:
  static constexpr int kLongest = 1000;  ///< cycles of a transfer
  struct Lane {
    CsrPins pins;
    model::CsrPort<CsrPins> port{pins};
  };

  Lane& lane_at(unsigned lane) {
    std::unique_ptr<Lane>& own = lanes_[lane];
    if (!own) own = std::make_unique<Lane>();
    return *own;
  }

  template <class Clock>
  static void edge(Lane& own, unsigned lane, Word* in, Clock&& clock) {
    own.pins.drive(lane, in);
    own.pins.sense(lane, clock());
  }

  std::map<unsigned, std::unique_ptr<Lane>> lanes_;
  std::size_t queued_ = 0;
};

}  // namespace hopwise::lanes
