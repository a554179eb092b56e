// SPDX-License-Identifier: Apache-2.0
// What a job's programs must keep, so that only the network can hold them up.
#pragma once

#include <vector>

#include "spec/job.hpp"
#include "support/diagnostics.hpp"
#include "traffic/jobs/program.hpp"

namespace hopwise::traffic {

/// Finds the receive of every send, and writes it into both: the k-th of a pair of ranks with a tag
/// go together. Then executes the programs with a network that holds any number of messages: every
/// iteration is as this one, since it has all the messages that it sends.
///
/// Errors: traffic.job-match, a send or a receive that has no other side; traffic.job-deadlock,
/// ranks that wait for each other. Their places are lines of a custom program. O(n log n) of n
/// operations.
Diagnostics match(const spec::JobSpec& job, std::vector<Program>& programs);

/// Gets in programs whose terminals are no message interfaces: traffic.job-get, of the first in
/// each line.
Diagnostics refuse_gets(const spec::JobSpec& job, const std::vector<Program>& programs);

}  // namespace hopwise::traffic
