// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of the test: what the engine asks of ranks, without MPI.
#pragma once

#include <barrier>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/ranks.hpp"

namespace hopwise::engine {

class ThreadRanks {
 public:
  explicit ThreadRanks(unsigned size) : meeting_(size), given_(size) {}

  /// Calls work in a thread for each.
  void run(const std::function<void(Ranks&)>& work) {
    std::vector<std::jthread> threads;
    for (unsigned r = 0; r < given_.size(); ++r) {
      threads.emplace_back([this, r, &work] {
        One one(*this, r);
        work(one);
      });
    }
  }
  /// Messages that nobody has received.
  std::size_t left() const {
    std::size_t sum = 0;
    for (const auto& [ends, messages] : messages_) sum += messages.size();
    return sum;
  }

 private:
  class One final : public Ranks {
   public:
    One(ThreadRanks& all, unsigned rank) : all_(all), rank_(rank) {}
    unsigned rank() const override { return rank_; }
    unsigned size() const override { return static_cast<unsigned>(all_.given_.size()); }
    std::vector<Bytes> gather(std::span<const std::byte> mine) override {
      all_.given_[rank_].assign(mine.begin(), mine.end());
      all_.meeting_.arrive_and_wait();
      auto gathered = all_.given_;
      all_.meeting_.arrive_and_wait();
      return gathered;
    }
    void send(unsigned to, Bytes bytes) override {
      const std::lock_guard lock(all_.mutex_);
      all_.messages_[{rank_, to}].push_back(std::move(bytes));
      all_.arrived_.notify_all();
    }
    Bytes receive(unsigned from) override {
      std::unique_lock lock(all_.mutex_);
      auto& messages = all_.messages_[{from, rank_}];
      all_.arrived_.wait(lock, [&] { return !messages.empty(); });
      Bytes bytes = std::move(messages.front());
      messages.pop_front();
      return bytes;
    }

   private:
    ThreadRanks& all_;
    const unsigned rank_;
  };

  std::barrier<> meeting_;
  std::vector<Ranks::Bytes> given_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<unsigned, unsigned>, std::deque<Ranks::Bytes>> messages_;
};

}  // namespace hopwise::engine
