// SPDX-License-Identifier: Apache-2.0
#include "engine/batch.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/cpu_time.hpp"
#include "engine/run.hpp"

namespace hopwise::engine {

/// A place, and the network that has it.
struct Batch::Seat {
  Berth berth;
  std::unique_ptr<Job> job;
  std::unique_ptr<Run> run;  // nullptr: free
  std::uint64_t left = 0;    // cycles until the run is asked how to go on
};

Batch::Batch(const Setup& setup, std::size_t places) : setup_(setup), layout_(setup) {
  const std::vector<std::size_t> routers = routers_of_shapes(
      setup.topology, 0, static_cast<std::uint32_t>(setup.topology.num_routers()));
  for (std::size_t s = 0; s < routers.size(); ++s) {
    const model::WireShape& wires = layout_.routers[s];
    const std::size_t total = places * routers[s];
    Shape shape{Blocks(bytes_of_blocks(wires, total)), nullptr, routers[s]};
    const Berth all{{{nullptr, shape.wires.data(), 0}}};
    std::vector<model::RouterWiring> vacant(total);
    for (std::size_t i = 0; i < total; ++i) {
      const InputPins pins = all.pins(0, i, wires);
      vacant[i].block = pins.block;
      vacant[i].lane = pins.lane;
    }
    shape.bank.reset(setup.models[s]->make_bank(vacant.data(), total, wires));
    shapes_.push_back(std::move(shape));
  }
  for (std::size_t i = 0; i < places; ++i) {
    auto seat = std::make_unique<Seat>();
    for (Shape& shape : shapes_)
      seat->berth.shapes.push_back({shape.bank.get(), shape.wires.data(), i * shape.routers});
    seats_.push_back(std::move(seat));
  }
  // Wires are rings of slots: in these cycles their first slot is at hand in all of them.
  constexpr std::uint64_t kLeastTurn = 256;
  turn_ = std::max<std::uint64_t>(layout_.terminal_slots + 1, kLeastTurn);
  for (const model::WireShape& wires : layout_.routers)
    turn_ = std::max<std::uint64_t>(turn_, wires.slot_mask + 1);
}

Batch::~Batch() = default;

std::size_t Batch::useful_places(const Setup& setup) {
  constexpr double kFull = 0.9;
  const std::vector<std::size_t> routers = routers_of_shapes(
      setup.topology, 0, static_cast<std::uint32_t>(setup.topology.num_routers()));
  std::size_t best = 1;
  double best_use = 0;
  for (std::size_t places = 1; places <= kMostPlaces; ++places) {
    std::size_t used = 0, lanes = 0;
    for (std::size_t s = 0; s < routers.size(); ++s) {
      const std::size_t word = setup.models[s]->lanes;
      used += places * routers[s];
      lanes += (places * routers[s] + word - 1) / word * word;
    }
    const double use = static_cast<double>(used) / static_cast<double>(lanes);
    if (use > best_use) {
      best = places;
      best_use = use;
    }
    if (use >= kFull) break;
  }
  return best;
}

void Batch::run(const std::function<std::unique_ptr<Job>()>& next) {
  cpu_ = thread_seconds();
  for (;;) {
    if (cycle_ % turn_ == 0) fill(next);
    if (taken_ > 0)
      step();
    else if (cycle_ % turn_ == 0)
      return;
    else
      cycle_ += turn_ - cycle_ % turn_;
  }
}

void Batch::fill(const std::function<std::unique_ptr<Job>()>& next) {
  charge();
  for (auto& seat : seats_) {
    if (seat->run) continue;
    std::unique_ptr<Job> job;
    do {
      job = next();
    } while (job && !begin(*seat, std::move(job)));
    if (!seat->run) return;
  }
}

/// False: the job is done already.
bool Batch::begin(Seat& seat, std::unique_ptr<Job> job) {
  seat.job = std::move(job);
  seat.run = std::make_unique<Run>(setup_, seat.job->options);
  seat.berth.cycle = cycle_;
  seat.left = 0;
  ++taken_;
  Diagnostics errors;
  attempt(seat, [&] {
    errors = seat.run->begin(&seat.berth);
    if (errors.empty()) seat.left = seat.run->next() * layout_.epoch;
  });
  if (!errors.empty()) {
    --taken_;
    seat.run.reset();
    const auto ended = std::exchange(seat.job, nullptr);
    ended->done(errors);
    return false;
  }
  if (seat.run && seat.left == 0) end(seat);
  return seat.run != nullptr;
}

/// What the network's own part throws ends that network alone.
template <class F>
void Batch::attempt(Seat& seat, F&& work) {
  bool failed = false;
  try {
    work();
  } catch (...) {
    seat.run->failed();
    failed = true;
  }
  if (failed) end(seat);
}

void Batch::end(Seat& seat) {
  charge();
  --taken_;
  RunResult result = seat.run->result();
  seat.run.reset();
  const auto ended = std::exchange(seat.job, nullptr);
  ended->done(std::move(result));
}

/// CPU time since the last call, in equal parts to the networks that run.
void Batch::charge() {
  const double now = thread_seconds();
  double eval = 0;
  for (const Shape& shape : shapes_) eval += shape.bank->eval_seconds();
  for (auto& seat : seats_) {
    if (!seat->run) continue;
    const double part = 1 / static_cast<double>(taken_);
    seat->run->charge((now - cpu_) * part, (eval - eval_) * part);
  }
  cpu_ = now;
  eval_ = eval;
}

void Batch::step() {
  bool skip_idle = true;
  for (auto& seat : seats_) {
    if (!seat->run) continue;
    skip_idle = skip_idle && seat->job->options.skip_idle;
    attempt(*seat, [&] { seat->run->network().before_step(); });
  }
  bool failed = false;
  try {
    for (Shape& shape : shapes_) shape.bank->step(cycle_, skip_idle);
  } catch (...) {
    for (auto& seat : seats_) {
      if (seat->run) seat->run->failed();
    }
    failed = true;
  }
  if (failed) {
    for (auto& seat : seats_) {
      if (seat->run) end(*seat);
    }
  }
  ++cycle_;
  for (auto& seat : seats_) {
    if (!seat->run) continue;
    attempt(*seat, [&] {
      seat->run->network().after_step();
      if (--seat->left == 0) seat->left = seat->run->next() * layout_.epoch;
    });
    if (seat->run && seat->left == 0) end(*seat);
  }
}

}  // namespace hopwise::engine
