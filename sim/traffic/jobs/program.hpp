// SPDX-License-Identifier: Apache-2.0
// What a rank does in one iteration of its job: sends, receives, waits and computation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hopwise::traffic {

/// One operation of a rank. The k-th send of a rank to another one with a tag is the k-th that the
/// other receives of it with that tag.
struct Operation {
  enum class Kind : std::uint8_t {
    kSend,  ///< hands a message over; goes on when the last of its packets is in the source queue
    kReceive,  ///< opens a receive, and goes on at once
    kGet,      ///< asks for data of the peer, which does nothing for it, and goes on at once
    kWait,     ///< until all receives that are open have their messages, and all gets their data
    kCompute,  ///< for a time
  };
  Kind kind = Kind::kWait;
  std::uint32_t peer = 0;
  std::uint32_t tag = 0;
  std::uint32_t match = 0;  ///< of a send: its receive among the operations of the peer
  std::uint64_t amount =
      0;  ///< bytes of the message or the data, or core cycles; a receive's are its send's
  bool operator==(const Operation&) const = default;
};

/// Messages of collectives have a tag of their own, beyond those that users give.
inline constexpr std::uint32_t kCollectiveTag = 1U << 31;

/// The operations of a rank in their order.
class Program {
 public:
  void send(std::uint32_t to, std::uint64_t bytes, std::uint32_t tag = kCollectiveTag) {
    add({.kind = Operation::Kind::kSend, .peer = to, .tag = tag, .amount = bytes});
  }
  void receive(std::uint32_t from, std::uint32_t tag = kCollectiveTag) {
    add({.kind = Operation::Kind::kReceive, .peer = from, .tag = tag});
  }
  void get(std::uint32_t from, std::uint64_t bytes) {
    add({.kind = Operation::Kind::kGet, .peer = from, .amount = bytes});
  }
  void wait() { add({.kind = Operation::Kind::kWait}); }
  void compute(std::uint64_t cycles) {
    if (cycles != 0) add({.kind = Operation::Kind::kCompute, .amount = cycles});
  }

  const std::vector<Operation>& operations() const { return operations_; }
  Operation& at(std::size_t i) { return operations_[i]; }

  /// Operations from now on come from this line of a custom program.
  void begin_line(std::uint32_t line) { line_ = line; }
  /// Of an operation; 0 where nobody wrote lines.
  std::uint32_t line_of(std::size_t operation) const {
    return lines_.empty() ? 0 : lines_[operation];
  }

 private:
  static constexpr std::uint32_t kNoLine = ~std::uint32_t{0};
  void add(const Operation& operation) {
    operations_.push_back(operation);
    if (line_ != kNoLine) lines_.push_back(line_);
  }

  std::vector<Operation> operations_;
  std::vector<std::uint32_t> lines_;  // of each operation
  std::uint32_t line_ = kNoLine;
};

}  // namespace hopwise::traffic
