// SPDX-License-Identifier: Apache-2.0
// What hw_q_table.sv computes, bit by bit and without its timing: the table of one
// router, and its update.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hopwise::probes::q {

/// The value after one step from `old` towards `target`, both of at most 32 bits: old +
/// floor((target - old) * rate / 2^16). The rate is `alpha` for a target below old, `beta` else, of
/// at most 2^16 (units of 2^-16). Never outside [old, target]. Source: Kang, Wang & Lan,
/// "Q-adaptive", HPDC 2021, the update with two learning rates.
constexpr std::uint32_t step(std::uint32_t old, std::uint32_t target, std::uint32_t alpha,
                             std::uint32_t beta) {
  const std::int64_t delta = static_cast<std::int64_t>(target) - static_cast<std::int64_t>(old);
  const std::int64_t rate = delta < 0 ? alpha : beta;
  return static_cast<std::uint32_t>(old + ((delta * rate) >> 16));
}

/// Q-table of one router: rows (what packets are bound for) x columns (its network ports), values
/// of `value_bits` unsigned bits in units of 2^-fraction core cycles, all 0 at first. A row,
/// column, target or value out of range aborts.
class TableModel {
 public:
  /// At least one row and column; 1 to 32 bits.
  TableModel(std::size_t rows, std::size_t columns, unsigned value_bits);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  std::uint32_t value(std::size_t row, std::size_t column) const;
  std::span<const std::uint32_t> row(std::size_t row) const;
  void set(std::size_t row, std::size_t column, std::uint32_t value);

  /// Moves one value towards `target` by step; returns the new value.
  std::uint32_t update(std::size_t row, std::size_t column, std::uint32_t target,
                       std::uint32_t alpha, std::uint32_t beta);

  friend bool operator==(const TableModel&, const TableModel&) = default;

 private:
  std::size_t at(std::size_t row, std::size_t column) const;

  std::size_t rows_;
  std::size_t columns_;
  std::uint32_t max_value_;
  std::vector<std::uint32_t> values_;  // row by row
};

}  // namespace hopwise::probes::q
