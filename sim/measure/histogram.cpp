// SPDX-License-Identifier: Apache-2.0
#include "measure/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace hopwise::measure {

void Histogram::merge(const Histogram& other) {
  if (other.bins_.size() > bins_.size()) bins_.resize(other.bins_.size());
  for (std::size_t i = 0; i < other.bins_.size(); ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  squares_ += other.squares_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

std::vector<std::byte> Histogram::bytes() const {
  std::vector<std::byte> all;
  const auto put = [&all](const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    all.insert(all.end(), bytes, bytes + size);
  };
  for (const Sum* s : {&sum_, &squares_}) put(s, sizeof *s);
  for (const std::uint64_t* n : {&count_, &min_, &max_}) put(n, sizeof *n);
  put(bins_.data(), bins_.size() * sizeof bins_[0]);
  return all;
}

Histogram Histogram::from_bytes(std::span<const std::byte> bytes) {
  Histogram h;
  const auto take = [&bytes](void* to, std::size_t size) {
    std::copy_n(bytes.begin(), size, static_cast<std::byte*>(to));
    bytes = bytes.subspan(size);
  };
  for (Sum* s : {&h.sum_, &h.squares_}) take(s, sizeof *s);
  for (std::uint64_t* n : {&h.count_, &h.min_, &h.max_}) take(n, sizeof *n);
  h.bins_.resize(bytes.size() / sizeof h.bins_[0]);
  take(h.bins_.data(), bytes.size());
  return h;
}

double Histogram::mean() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

double Histogram::stdev() const {
  if (count_ == 0) return 0;
  // The difference is that of integers, so nothing cancels; 128 bits hold 2^30 latencies of 2^33
  // cycles.
  const auto n = static_cast<double>(count_);
  return std::sqrt(static_cast<double>(count_ * squares_ - sum_ * sum_)) / n;
}

std::uint64_t Histogram::percentile(double p) const {
  if (count_ == 0) return 0;
  // A product such as 0.07 * 100 lands a hair above the integer it stands for; the factor takes
  // that hair off.
  constexpr double kBelowOne = 1 - 0x1p-51;
  const double wanted =
      std::ceil(std::clamp(p, 0.0, 1.0) * static_cast<double>(count_) * kBelowOne);
  const std::uint64_t rank =
      std::clamp(static_cast<std::uint64_t>(wanted), std::uint64_t{1}, count_);
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    seen += bins_[bin];
    if (seen >= rank) return std::min(upper_of(bin), max_);
  }
  return max_;
}

std::vector<Histogram::Bin> Histogram::bins() const {
  std::vector<Bin> bins;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    if (bins_[bin] == 0) continue;
    if (bin > 0 && bins_[bin - 1] == 0) bins.push_back({upper_of(bin - 1), 0});
    bins.push_back({upper_of(bin), bins_[bin]});
  }
  return bins;
}

std::uint64_t Histogram::upper_of(std::size_t bin) {
  if (bin < kExactBelow) return bin;
  const std::uint64_t beyond = bin - kExactBelow;
  const unsigned shift = static_cast<unsigned>(beyond >> kSubBits) + kExactBits - kSubBits;
  const std::uint64_t sub = (beyond & ((1u << kSubBits) - 1)) + (1u << kSubBits);
  return ((sub + 1) << shift) - 1;  // the last bin of all wraps round to 2^64 - 1, which is right
}

void Histogram::grow(std::size_t bin) {
  // The exact part comes whole; beyond it, the power of two that the value lies in.
  const std::size_t kept = bin < kExactBelow ? kExactBelow : ((bin >> kSubBits) + 1) << kSubBits;
  bins_.resize(kept);
}

}  // namespace hopwise::measure
