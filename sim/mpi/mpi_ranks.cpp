// SPDX-License-Identifier: Apache-2.0
#include "mpi/mpi_ranks.hpp"

#include <mpi.h>

#include <exception>
#include <limits>
#include <list>
#include <utility>

namespace hopwise::mpi {
namespace {

/// Of MPI_COMM_WORLD. Errors of MPI itself end all processes, as MPI does by default; so does the
/// end of one that has not left (mpirun sees to that).
class MpiRanks final : public engine::Ranks {
 public:
  MpiRanks() {
    int number = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &number);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    rank_ = static_cast<unsigned>(number);
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    size_ = static_cast<unsigned>(number);
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  ~MpiRanks() override {
    if (std::uncaught_exceptions() > 0) MPI_Abort(MPI_COMM_WORLD, 1);
    for (Sent& sent : sent_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return size_; }

  std::vector<Bytes> gather(std::span<const std::byte> mine) override {
    const int length = count(mine.size());
    std::vector<int> lengths(size_), places(size_);
    MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::size_t total = 0;
    for (unsigned r = 0; r < size_; ++r) {
      places[r] = count(total);
      total += static_cast<std::size_t>(lengths[r]);
    }
    Bytes whole(total);
    MPI_Allgatherv(mine.data(), length, MPI_BYTE, whole.data(), lengths.data(), places.data(),
                   MPI_BYTE, MPI_COMM_WORLD);
    std::vector<Bytes> all;
    for (unsigned r = 0; r < size_; ++r)
      all.emplace_back(whole.begin() + places[r], whole.begin() + places[r] + lengths[r]);
    return all;
  }

  void send(unsigned to, Bytes bytes) override {
    forget_sent();
    Sent& sent = sent_.emplace_back(std::move(bytes));
    MPI_Isend(sent.bytes.data(), count(sent.bytes.size()), MPI_BYTE, static_cast<int>(to), 0,
              MPI_COMM_WORLD, &sent.request);
  }

  Bytes receive(unsigned from) override {
    MPI_Message message;
    MPI_Status status;
    MPI_Mprobe(static_cast<int>(from), 0, MPI_COMM_WORLD, &message, &status);
    int length = 0;
    MPI_Get_count(&status, MPI_BYTE, &length);
    Bytes bytes(static_cast<std::size_t>(length));
    MPI_Mrecv(bytes.data(), length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return bytes;
  }

 private:
  struct Sent {
    explicit Sent(Bytes b) : bytes(std::move(b)) {}
    Bytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  /// MPI counts in int. More would be more than 2 GiB in an epoch.
  static int count(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      MPI_Abort(MPI_COMM_WORLD, 1);
    return static_cast<int>(bytes);
  }
  void forget_sent() {
    for (auto at = sent_.begin(); at != sent_.end();) {
      int done = 0;
      MPI_Test(&at->request, &done, MPI_STATUS_IGNORE);
      at = done != 0 ? sent_.erase(at) : std::next(at);
    }
  }

  unsigned rank_ = 0, size_ = 1;
  std::list<Sent> sent_;  // that may still be on their way
};

}  // namespace
}  // namespace hopwise::mpi

extern "C" __attribute__((visibility("default"))) hopwise::engine::Ranks* hopwise_join_ranks();
hopwise::engine::Ranks* hopwise_join_ranks() { return new hopwise::mpi::MpiRanks; }
