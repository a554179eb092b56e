// SPDX-License-Identifier: Apache-2.0
// The programs that a job's section can name.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/job.hpp"
#include "support/result.hpp"
#include "traffic/jobs/program.hpp"

namespace hopwise::traffic {

/// One iteration of each rank, with all receives complete at its end. A function of the program's
/// keys, the number of ranks and the rank. Sends and receives are not matched yet.
///
/// Errors: traffic.job-operation, a line of a custom program that says nothing; traffic.job-size,
/// more operations than memory should hold.
Result<std::vector<Program>> make_programs(const spec::JobSpec& job);

/// Most operations of all ranks in an iteration.
inline constexpr std::size_t kMostOperations = 100'000'000;
Diagnostic too_many_operations(const spec::JobSpec& job);  ///< traffic.job-size

/// Programs from the lines of a custom one (custom.cpp).
Result<std::vector<Program>> custom_programs(const spec::JobSpec& job);

}  // namespace hopwise::traffic
