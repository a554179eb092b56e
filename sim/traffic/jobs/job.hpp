// SPDX-License-Identifier: Apache-2.0
// A job, ready to run: programs that match, and ranks with their terminals.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "spec/spec.hpp"
#include "support/ids.hpp"
#include "support/result.hpp"
#include "topology/topology.hpp"
#include "traffic/jobs/program.hpp"

namespace hopwise::traffic {

class Rank;

/// How messages become packets: a header (and a footer) and up to `payload` flits of data each.
/// Where terminals have message interfaces, a message is handed over whole, as one packet.
struct MessagePackets {
  unsigned flit_bits = 128;
  std::uint32_t overhead = 1;  ///< flits of each packet that carry no data
  std::uint32_t payload = 1;   ///< most flits of a packet that do

  /// A message without data is one packet.
  std::uint64_t packets(std::uint64_t bytes) const;
  std::uint32_t flits(std::uint64_t bytes, std::uint64_t packet) const;

 private:
  std::uint64_t data_flits(std::uint64_t bytes) const {
    return (bytes * 8 + flit_bits - 1) / flit_bits;
  }
};

/// Immutable: one job serves all runs of a network.
class Job {
 public:
  const std::string& name() const { return name_; }
  std::size_t ranks() const { return programs_.size(); }
  const Program& program(std::uint32_t rank) const { return programs_[rank]; }
  TerminalId terminal(std::uint32_t rank) const { return terminals_[rank]; }
  bool has(TerminalId terminal) const { return taken_[index(terminal)]; }
  const MessagePackets& packets() const { return packets_; }
  std::uint64_t iterations() const { return warmup_ + measured_; }  ///< all
  std::uint64_t warmup() const { return warmup_; }                  ///< of these, the first
  std::uint64_t max_cycles() const { return max_cycles_; }
  /// Who chooses the routing mode of a message, the mode that the user has chosen, and whether
  /// messages are those of an all-to-all.
  spec::JobSpec::Chooser chooser() const { return chooser_; }
  spec::Mode mode() const { return mode_; }
  bool is_alltoall() const { return alltoall_; }
  /// A rank sends, receives or gets: others, whose memory is read, wait for nobody.
  bool communicates(std::uint32_t rank) const;
  /// Core cycles that a rank computes in an iteration.
  std::uint64_t compute_cycles(std::uint32_t rank) const;

  /// What is kept of the course of each rank: enough of all for a picture, and not too much for it.
  std::size_t course_spans() const {
    return std::clamp<std::size_t>(kCourseSpans / ranks(), 8, 200);
  }

  /// The ranks of one run, in their order; they borrow from the job. O(ranks).
  std::vector<std::shared_ptr<Rank>> start() const;

 private:
  static constexpr std::size_t kCourseSpans = 8000;  // of all ranks
  friend Result<Job> make_job(const spec::JobSpec&, const spec::NetworkSpec&,
                              const topology::Topology&);
  std::string name_;
  std::vector<Program> programs_;
  std::vector<TerminalId> terminals_;  // [rank]
  std::vector<bool> taken_;            // [terminal]
  MessagePackets packets_;
  std::uint64_t warmup_ = 0, measured_ = 1, max_cycles_ = 0;
  spec::JobSpec::Chooser chooser_ = spec::JobSpec::Chooser::kUser;
  spec::Mode mode_ = spec::Mode::kAdaptive0;
  bool alltoall_ = false;
};

/// Makes the job of `spec`, which is valid for a network of this size, and has one.
///
/// Errors: traffic.job-packets, where packets have no room for data; traffic.job-message, where a
/// message is too long for message interfaces; traffic.job-get, where a rank gets data and
/// terminals are none; those of make_programs and match.
Result<Job> make_job(const spec::JobSpec& spec, const spec::NetworkSpec& network,
                     const topology::Topology& topology);

}  // namespace hopwise::traffic
