// SPDX-License-Identifier: Apache-2.0
#include "app/runner.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/batch.hpp"

namespace hopwise::app {

namespace {

class Runner {
 public:
  Runner(TaskSource& source, std::vector<Simulated>& networks, const ModelOptions& model,
         unsigned workers, unsigned threads_each)
      : source_(source),
        networks_(networks),
        model_(model),
        workers_(workers),
        threads_each_(threads_each) {}

  void operator()() {
    std::vector<std::thread> threads;
    for (unsigned w = 1; w < workers_; ++w) threads.emplace_back([this] { work(); });
    work();
    for (auto& thread : threads) thread.join();
  }

 private:
  void work() {
    for (std::unique_lock lock(mutex_);;) {
      std::unique_ptr<Task> task = source_.next(std::nullopt);
      if (!task && under_way_ == 0) break;
      if (!task) {
        changed_.wait(lock);
        continue;
      }
      ++under_way_;
      const std::size_t places = places_for(*task);
      lock.unlock();
      if (places > 1)
        run_batch(std::move(task), places);
      else
        run_alone(*task);
      lock.lock();
    }
    changed_.notify_all();
  }

  /// In lanes: this worker's share of what there is, if words have room for it.
  std::size_t places_for(const Task& task) const {
    const Simulated& network = networks_[task.network];
    if (task.alone || network.lanes == 0 || task.options.ranks != nullptr) return 1;
    const std::size_t ready = 1 + source_.ready(task.network);
    return std::min(engine::Batch::useful_places(*network.setup),
                    (ready + workers_ - 1) / workers_);
  }

  void run_batch(std::unique_ptr<Task> first, std::size_t places) {
    const std::size_t network = first->network;
    engine::Batch batch(*networks_[network].setup, places);
    batch.run([&]() -> std::unique_ptr<engine::Batch::Job> {
      std::unique_ptr<Task> task = std::move(first);
      if (!task) {
        const std::lock_guard lock(mutex_);
        task = source_.next(network);
        if (!task) return nullptr;
        ++under_way_;
      }
      auto job = std::make_unique<engine::Batch::Job>();
      job->options = task->options;
      // std::function wants what can be copied
      job->done = [this, shared = std::shared_ptr<Task>(std::move(task))](
                      Result<engine::RunResult> result) {
        const bool bad = !result.ok() || !result.value().failures.empty();
        if (bad)
          run_alone(*shared);
        else
          finish(*shared, std::move(result));
      };
      return job;
    });
  }

  void run_alone(Task& task) {
    Simulated& network = networks_[task.network];
    task.options.threads = threads_each_;
    auto result = engine::simulate(*network.setup, task.options);
    if (result.ok() && result.value().failed_router) {
      // Lanes know where and when; the same run with that router in Verilator says what.
      const std::lock_guard lock(shadows_);
      if (load_shadows(network, model_).empty()) {
        task.options.shadowed = {*result.value().failed_router};
        result = engine::simulate(with_shadows(network), task.options);  // others run without
      }
    }
    finish(task, std::move(result));
  }

  void finish(const Task& task, Result<engine::RunResult> result) {
    engine::RunResult found;
    if (result.ok()) {
      found = std::move(result).value();
    } else {
      found.stopped = "failed";
      for (const auto& d : result.errors()) found.failures.push_back(format(d));
    }
    const std::lock_guard lock(mutex_);
    task.done(found);
    --under_way_;
    changed_.notify_all();
  }

  TaskSource& source_;
  std::vector<Simulated>& networks_;
  const ModelOptions& model_;
  const unsigned workers_, threads_each_;
  std::mutex mutex_;  // of source_, and of what follows
  std::condition_variable changed_;
  std::size_t under_way_ = 0;  // tasks
  std::mutex shadows_;         // of the networks: added where one is needed
};

}  // namespace

std::unique_ptr<Task> TaskList::next(std::optional<std::size_t> network) {
  if (stop_()) return nullptr;
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& w) {
    return !network || w.network == *network;
  });
  if (found == waiting_.end()) return nullptr;
  const Make make = std::move(found->make);
  waiting_.erase(found);
  return make();
}

std::size_t TaskList::ready(std::size_t network) const {
  return static_cast<std::size_t>(std::count_if(
      waiting_.begin(), waiting_.end(), [&](const Waiting& w) { return w.network == network; }));
}

void run_tasks(TaskSource& source, std::vector<Simulated>& networks, const ModelOptions& model,
               unsigned threads, std::size_t tasks) {
  const auto workers = static_cast<unsigned>(std::clamp<std::size_t>(tasks, 1, threads));
  Runner(source, networks, model, workers, std::max(1u, threads / workers))();
}

}  // namespace hopwise::app
