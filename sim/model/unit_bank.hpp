// SPDX-License-Identifier: Apache-2.0
// The seam between who asks a routing unit and its compiled RTL. This header is compiled into every
// model of a unit; change kUnitBankVersion with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hopwise::model {

inline constexpr std::uint32_t kUnitBankVersion = 1;

/// One packet at one input port. Questions of equal coordinates go to the same instance of the
/// unit, one after the other.
struct UnitQuestion {
  std::uint64_t coordinates = 0;
  std::uint32_t port = 0, vc = 0;
  std::vector<std::uint32_t> head;  ///< the bits of the head flit that routing reads
  /// 0: a router without other packets; else the seed of free places and lengths of queues
  std::uint64_t context = 0;
};

struct UnitAnswer {
  struct Candidate {
    std::uint32_t port = 0, vcs = 0;
  };
  /// why there is no answer; the bank is not asked again after that
  std::string fault;
  std::uint32_t vc = 0;
  std::uint64_t state = 0;  ///< of the head flit, as the unit writes it
  std::vector<Candidate> candidates;
};

/// Instances of one routing unit, made as they are asked.
class UnitBank {
 public:
  virtual ~UnitBank() = default;
  /// An answer per question, or up to the first fault.
  virtual void ask(const std::vector<UnitQuestion>& questions,
                   std::vector<UnitAnswer>& answers) = 0;
};

/// What a library exports as `hopwise_unit_model`.
struct UnitModel {
  std::uint32_t version = kUnitBankVersion;
  UnitBank* (*make)() = nullptr;
};

}  // namespace hopwise::model
