// SPDX-License-Identifier: Apache-2.0
// Algorithm 1 of De Sensi et al. 2019 in rational numbers: what mode selectors are compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include <boost/multiprecision/cpp_int.hpp>

namespace hopwise::test {

using Rational = boost::multiprecision::cpp_rational;

struct ReferenceSelector {
  Rational lambda, sigma;
  std::uint64_t threshold = 4096;
  unsigned max_age = 5;

  struct Last {
    bool known = false;
    Rational latency, stalls;
    unsigned age = 0;
    std::uint64_t destination = 0, size = 0;
  };
  Last adaptive{}, high_bias{};
  bool high = false;  ///< the mode
  std::uint64_t cumulative = 0, destination = 0, size = 0;
  // Of the last decision, cycles: what the high bias gains, and the time without it.
  Rational gain = 0, time = 0;

  /// The high bias; `decided`: by the counters.
  bool select(std::uint64_t bytes, std::uint64_t dst, bool get, bool& decided) {
    cumulative += bytes;
    decided = cumulative > threshold;
    if (!decided) return true;
    cumulative = 0;
    destination = dst;
    size = bytes;
    gain = 0;
    const Last &own = high ? high_bias : adaptive, &other = high ? adaptive : high_bias;
    if (!own.known) return high;
    Last seen = own;
    if (other.known && other.age < max_age && other.destination == dst && other.size == bytes) {
      seen = other;
    } else if (high) {
      seen.latency = own.latency * lambda;
      seen.stalls = own.stalls / sigma;
    } else {
      seen.latency = own.latency / lambda;
      seen.stalls = own.stalls * sigma;
    }
    const Last &ad = high ? seen : own, &hb = high ? own : seen;
    gain = alpha(bytes) * (ad.latency - hb.latency) - flits(bytes, get) * (hb.stalls - ad.stalls);
    time = alpha(bytes) * ad.latency + flits(bytes, get) * (ad.stalls + 1);
    high = gain > 0;
    return high;
  }
  void sample(std::uint64_t latency, std::uint64_t packets, std::uint64_t stalls,
              std::uint64_t flits) {
    if (packets == 0 || flits == 0) return;
    (high ? high_bias : adaptive) = {
        true, Rational(latency, packets), Rational(stalls, flits), 0, destination, size};
    ++(high ? adaptive : high_bias).age;
  }

  static std::uint64_t packets(std::uint64_t bytes) { return bytes / 64 + (bytes % 64 != 0); }
  static Rational flits(std::uint64_t bytes, bool get) { return packets(bytes) * (get ? 1 : 5); }
  /// The latencies that the packets of a message wait for, 1024 of them under way at a time.
  static Rational alpha(std::uint64_t bytes) {
    const std::int64_t n = static_cast<std::int64_t>(packets(bytes)) - 1 + 512;
    return n / 1024 + (n % 1024 > 0 ? 1 : 0);
  }
};

/// A random history of messages and of what they met.
class History {
 public:
  struct Step {
    std::uint32_t bytes, destination;
    bool get;
    std::uint32_t latency, packets, stalls, flits;
  };
  explicit History(unsigned seed) : random_(seed) {}

  /// Often a message like the one before, of any size; samples around the point where the modes are
  /// as good as each other, and anywhere.
  Step next() {
    if (draw() % 4 == 0) {
      last_.bytes = draw() >> (draw() % 26 + 6);
      last_.destination = draw() % 3;
      last_.get = draw() % 4 == 0;
    }
    const bool wild = draw() % 8 == 0;
    last_.packets = wild ? word() : 1 + draw() % 2000;
    last_.flits = wild ? word() : last_.packets * (last_.get ? 1 : 5);
    last_.latency = wild ? word() : last_.packets * (500 + draw() % 1000);
    last_.stalls = wild ? word() : last_.flits * (draw() % 8) / (1 + draw() % 16);
    return last_;
  }

 private:
  std::uint32_t draw() { return static_cast<std::uint32_t>(random_()); }
  std::uint32_t word() { return draw() >> (draw() % 32); }
  std::mt19937 random_;
  Step last_{};
};

}  // namespace hopwise::test
