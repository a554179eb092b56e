// SPDX-License-Identifier: Apache-2.0
// One emitted dragonfly's route computations, to be asked; and which variants there are.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "../rtl_common/bench.hpp"
#include "Vdragonfly_variants.h"
#include "dragonfly_variants.hpp"
#include "routing/ugal/ugal.hpp"
#include "spec/csr_map.hpp"

namespace hopwise::test {

inline constexpr unsigned kAdaptive = 0, kMinimal = 1,
                          kNonminimal = 2;  // modes of configuration word 0

/// One variant's route computations.
class RouteModel {
 public:
  explicit RouteModel(std::size_t number)
      : network(prove_variant(all_dragonflies()[number])),
        shape(emit::router_shape(network)),
        words_((all_dragonflies().size() + 31) / 32),
        bit_(words_) {
    set_bits(bit_, static_cast<unsigned>(number), 1, 1);
    model_->rst_ni = 0;
    raise(model_->ask_i, false);
    model_->number_i = static_cast<std::uint32_t>(number);
    model_->eval();
    model_->rst_ni = 1;
    model_->eval();
    seed(0x1234567 + static_cast<std::uint32_t>(number));
  }
  ~RouteModel() { model_->final(); }
  RouteModel(const RouteModel&) = delete;
  RouteModel& operator=(const RouteModel&) = delete;

  struct Request {
    RouterId at{};
    unsigned vc = 0;
    /// routing state of the head flit: class, via router, via group
    std::uint64_t state = 0;
    TerminalId dst{};
    unsigned mode = kAdaptive;
    int bias = 0;
    std::vector<unsigned> queues = {};  ///< per port; empty: all 0
    /// Per port, of minimal and non-minimal paths' VCs; empty: all 0
    std::vector<unsigned> min_used = {}, non_used = {};
    unsigned count = 0;        ///< contention factor
    std::int16_t learned = 0;  ///< learned bias
    /// Of networks whose packets have modes; the rest of such a head flit is random without.
    struct Flow {
      spec::Mode mode{};
      TerminalId src{};
      unsigned label = 0;
    };
    std::optional<Flow> flow = {};
    std::array<unsigned, 5> biases{};  ///< of ADAPTIVE_2 and 3, and 1 at three places
  };
  struct Answer {
    unsigned port = 0;
    VcMask vcs = 0;
    std::uint64_t state = 0, decision = 0;
    bool valid = false;
    unsigned vc = 0;
  };

  void seed(std::uint32_t value) {
    Words cfg(kDragonflyCfg);
    cfg[0] = csr::kLoadSeed;
    cfg[1] = value;
    write_port(model_->cfg_i, cfg);
    raise(model_->ask_i, true);
    clock();
  }

  /// The request at all input ports, from now on.
  void ask(const Request& q) {
    Words cfg(kDragonflyCfg);
    cfg[0] = q.mode;
    cfg[2] = static_cast<std::uint32_t>(q.bias) & 0xffff;
    if (shape.format.mode.width > 0) {
      cfg[3] = q.biases[1] << 16 | q.biases[0];
      cfg[4] = q.biases[3] << 16 | q.biases[2];
      cfg[5] = q.biases[4];
    }
    write_port(model_->cfg_i, cfg);
    const auto& t = network.topology();
    model_->coord_i = static_cast<std::uint32_t>(emit::coordinate_value(shape, t, q.at));
    model_->vc_i = static_cast<std::uint8_t>(q.vc);
    Words header(kDragonflyHeader / 32);
    // fields that routing does not read
    for (auto& word : header) word = static_cast<std::uint32_t>(random());
    for (unsigned d = 0; d < 2; ++d) {
      set_bits(header, shape.format.dst_coord[d].lsb, shape.format.dst_coord[d].width,
               t.coordinate(t.router_of(q.dst), d));
    }
    set_bits(header, shape.format.dst_slot.lsb, shape.format.dst_slot.width, t.slot_of(q.dst));
    if (q.flow) {
      const auto& f = shape.format;
      const RouterId from = t.router_of(q.flow->src);
      for (unsigned d = 0; d < 2; ++d)
        set_bits(header, f.src_coord[d].lsb, f.src_coord[d].width, t.coordinate(from, d));
      set_bits(header, f.src_slot.lsb, f.src_slot.width, t.slot_of(q.flow->src));
      set_bits(header, f.mode.lsb, f.mode.width, static_cast<std::uint64_t>(q.flow->mode));
      set_bits(header, f.label.lsb, f.label.width, q.flow->label);
    }
    if (shape.state_bits() > 0)
      set_bits(header, shape.format.routing_class.lsb, shape.state_bits(), q.state);
    write_port(model_->bits_i, header);
    write_port(model_->queue_i, packed(q.queues));
    write_port(model_->min_used_i, packed(q.min_used));
    write_port(model_->non_used_i, packed(q.non_used));
    Words counts((kDragonflyCountBits + 31) / 32);
    for (unsigned p = 0; p < shape.ports; ++p)
      set_bits(counts, p * count_width(shape), count_width(shape), q.count);
    write_port(model_->count_i, counts);
    model_->bias_i = static_cast<std::uint16_t>(q.learned);
    raise(model_->ask_i, true);
    for (unsigned cycle = 0; cycle < network.family().route_cycles(network.spec().network.routing);
         ++cycle) {
      clock();
      if (cycle == 0) ask_something_else();
    }
    raise(model_->ask_i, false);
    valid_ = read_port(model_->valid_o, kDragonflyBits[0]);
    read();
  }
  /// The next draw for the same request.
  void clock() {
    raise(model_->ask_i, false);
    raise(model_->clk_i, true);
    raise(model_->clk_i, false);
    read();
  }
  Answer answer(unsigned p) const {
    Answer a;
    a.valid = get_bits(valid_, p, 1) != 0;
    a.vc = static_cast<unsigned>(get_bits(vc_, p * shape.vc_width(), shape.vc_width()));
    a.port = static_cast<unsigned>(get_bits(port_, p * shape.port_width(), shape.port_width()));
    a.vcs = static_cast<VcMask>(get_bits(vcs_, p * shape.vcs, shape.vcs));
    a.state = get_bits(state_, p * shape.state_width(), shape.state_width());
    a.decision = get_bits(decision_, p * decision_width(shape), decision_width(shape));
    return a;
  }
  std::vector<unsigned> random_queues() {
    std::vector<unsigned> queues(shape.ports);
    for (auto& q : queues) q = static_cast<unsigned>(random() % (1U << shape.queue_width));
    return queues;
  }

  deadlock::ProvenNetwork network;
  emit::RouterShape shape;
  std::mt19937_64 random{1};

 private:
  Words packed(const std::vector<unsigned>& queues) const {
    Words words((kDragonflyQueueBits + 31) / 32);
    for (unsigned p = 0; p < queues.size(); ++p)
      set_bits(words, p * shape.queue_width, shape.queue_width, queues[p]);
    return words;
  }
  template <class Port>
  void raise(Port& port, bool value) {
    write_port(port, value ? bit_ : words_);
    model_->eval();
  }
  /// What comes after a question must not show in its answer; queues, which are read late, stay.
  void ask_something_else() {
    const auto words = [&](unsigned bits) {
      Words out((bits + 31) / 32);
      for (auto& word : out) word = static_cast<std::uint32_t>(random());
      return out;
    };
    write_port(model_->bits_i, words(kDragonflyHeader));
    write_port(model_->count_i, words(kDragonflyCountBits));
    model_->vc_i = static_cast<std::uint8_t>(random() % shape.vcs);
    model_->bias_i = static_cast<std::uint16_t>(random());
    raise(model_->ask_i, false);
    raise(model_->ask_i, true);
  }
  void read() {
    vc_ = read_port(model_->vc_o, kDragonflyBits[1]);
    port_ = read_port(model_->port_o, kDragonflyBits[2]);
    vcs_ = read_port(model_->vcs_o, kDragonflyBits[3]);
    state_ = read_port(model_->state_o, kDragonflyBits[4]);
    decision_ = read_port(model_->decision_o, kDragonflyBits[5]);
  }

  VerilatedContext context_;
  std::unique_ptr<Vdragonfly_variants> model_ = std::make_unique<Vdragonfly_variants>(&context_);
  Words words_, bit_;  // nothing raised; this variant's bit
  Words valid_, vc_, port_, vcs_, state_, decision_;
};

inline std::vector<std::size_t> dragonfly_numbers(bool faulty) {
  const auto all = all_dragonflies();
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (static_cast<bool>(all[i].fault) == faulty) out.push_back(i);
  }
  return out;
}

inline std::string dragonfly_name(const testing::TestParamInfo<std::size_t>& info) {
  return all_dragonflies()[info.param].name;
}

}  // namespace hopwise::test
