// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

namespace hopwise::engine {

/// Processor time of the calling thread.
inline double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace hopwise::engine
