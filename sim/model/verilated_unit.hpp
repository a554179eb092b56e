// SPDX-License-Identifier: Apache-2.0
// The bank of verilated routing units: compiled into each unit's model, whose top has fixed pins
// (gen/emit/unit.cpp), by a generated file that defines
//   HOPWISE_MODEL (the verilated class), HOPWISE_PORTS, HOPWISE_VC_DEPTHS (a list),
//   HOPWISE_SPACE_BITS, HOPWISE_QUEUE_BITS, HOPWISE_HEAD_BITS, HOPWISE_CANDIDATES and HOPWISE_CFG
//   (the configuration words, a list).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>

#include "model/unit_bank.hpp"
#include "model/verilated_stop.hpp"

namespace hopwise::model {
namespace {

constexpr std::uint32_t kDepths[] = {HOPWISE_VC_DEPTHS};
constexpr std::uint32_t kConfig[] = {HOPWISE_CFG};
constexpr std::uint32_t kVcs = std::size(kDepths);

/// Writes the low bits of `value` into a pin that has several words.
template <class Pin>
void put(Pin& pin, std::uint32_t lsb, std::uint32_t width, std::uint32_t value) {
  for (std::uint32_t i = 0; i < width; ++i, ++lsb)
    pin[lsb / 32] = (pin[lsb / 32] & ~(1u << (lsb % 32))) | ((value >> i) & 1) << (lsb % 32);
}

class VerilatedUnits final : public UnitBank {
 public:
  VerilatedUnits() { context_->threads(1); }
  ~VerilatedUnits() override {
    Verilated::threadContextp(context_.get());
    if (!failed_) units_.clear();
    Verilated::threadContextp(Verilated::defaultContextp());
    if (!failed_) return;
    // An assertion left a model through an exception: its locks cannot be trusted.
    for (auto& [coordinates, unit] : units_) static_cast<void>(unit.model.release());
    static_cast<void>(context_.release());
  }

  void ask(const std::vector<UnitQuestion>& questions, std::vector<UnitAnswer>& answers) override {
    answers.clear();
    for (const UnitQuestion& question : questions) {
      UnitAnswer& answer = answers.emplace_back();
      try {
        ask(question, answer);
      } catch (const std::exception& error) {
        answer.fault = error.what();
        failed_ = true;
      }
      if (!answer.fault.empty()) return;
    }
  }

 private:
  struct Unit {
    std::unique_ptr<HOPWISE_MODEL> model;
    std::uint64_t now = 0;
  };
  static constexpr unsigned kLongestStart = 1u << 20, kLongestWait = 1u << 13;

  static void clock(Unit& unit) {
    unit.model->clk_i = 1;
    unit.model->eval();
    unit.model->clk_i = 0;
    unit.model->now_i = ++unit.now;
    unit.model->eval();
  }

  Unit& at(std::uint64_t coordinates) {
    Unit& unit = units_[coordinates];
    if (unit.model) return unit;
    unit.model = std::make_unique<HOPWISE_MODEL>(context_.get(),
                                                 ("unit" + std::to_string(coordinates)).c_str());
    auto& m = *unit.model;
    m.coord_i = coordinates;
    for (std::uint32_t i = 0; i < std::size(kConfig); ++i) m.cfg_i[i] = kConfig[i];
    m.rst_ni = 0;
    m.ask_i = 0;
    for (int cycle = 0; cycle < 2; ++cycle) clock(unit);
    m.rst_ni = 1;
    unit.now = 0;
    // What starts by itself may take a cycle until it is no longer idle.
    for (int cycle = 0; cycle < 4; ++cycle) clock(unit);
    for (unsigned cycle = 0; !m.idle_o; ++cycle) {
      if (cycle == kLongestStart) throw std::runtime_error("it does not come to rest after reset");
      clock(unit);
    }
    return unit;
  }

  static std::uint64_t random(std::uint64_t& state) {  // splitmix64
    std::uint64_t x = state += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  static void set_context(HOPWISE_MODEL& m, std::uint64_t seed) {
    for (std::uint32_t p = 0; p < HOPWISE_PORTS; ++p) {
      for (std::uint32_t vc = 0; vc < kVcs; ++vc) {
        std::uint32_t room = kDepths[vc], free = room;
        if (seed != 0) {
          room = static_cast<std::uint32_t>(random(seed) % (kDepths[vc] + 1));
          free = random(seed) % 2 != 0 ? room : 0;  // another packet may own the VC
        }
        const std::uint32_t lsb = (p * kVcs + vc) * HOPWISE_SPACE_BITS;
        put(m.space_i, lsb, HOPWISE_SPACE_BITS, free);
        put(m.buffer_space_i, lsb, HOPWISE_SPACE_BITS, room);
      }
      put(m.queue_i, p * HOPWISE_QUEUE_BITS, HOPWISE_QUEUE_BITS,
          seed == 0 ? 0 : static_cast<std::uint32_t>(random(seed)));
    }
  }

  void ask(const UnitQuestion& question, UnitAnswer& answer) {
    Unit& unit = at(question.coordinates);
    auto& m = *unit.model;
    set_context(m, question.context);
    m.port_i = question.port;
    m.vc_i = question.vc;
    for (std::size_t i = 0; i < question.head.size(); ++i) m.bits_i[i] = question.head[i];
    m.ask_i = 1;
    m.eval();
    for (unsigned cycle = 0; !m.valid_o; ++cycle) {
      if (cycle == kLongestWait) {
        answer.fault =
            m.ask_i ? "it does not take the question" : "it takes the question and does not answer";
        return;
      }
      const bool taken = m.ask_i && m.ready_o;
      clock(unit);
      if (taken) m.ask_i = 0;
      m.eval();
    }
    answer.vc = m.vc_o;
    answer.state = m.state_o;
    for (std::uint32_t k = 0; k < HOPWISE_CANDIDATES; ++k)
      answer.candidates.push_back({m.candidates_o[2 * k], m.candidates_o[2 * k + 1]});
    // The answer's cycle ends; an answer in the cycle of its question comes before that is taken.
    for (unsigned cycle = 0; cycle == 0 || m.ask_i; ++cycle) {
      if (cycle == kLongestWait) {
        answer.fault = "it answers and does not take the question";
        return;
      }
      const bool taken = m.ready_o;
      clock(unit);
      if (taken) m.ask_i = 0;
    }
    m.eval();
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  bool failed_ = false;
  std::map<std::uint64_t, Unit> units_;
};

UnitBank* make_units() { return new VerilatedUnits; }

}  // namespace
}  // namespace hopwise::model

extern "C" __attribute__((visibility("default")))
const hopwise::model::UnitModel hopwise_unit_model;
const hopwise::model::UnitModel hopwise_unit_model = {hopwise::model::kUnitBankVersion,
                                                      hopwise::model::make_units};
