// SPDX-License-Identifier: Apache-2.0
#include "probes/q/table_model.hpp"

#include <cstdio>
#include <cstdlib>

namespace hopwise::probes::q {
namespace {

void must(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "hopwise::TableModel: %s\n", what);
  std::abort();
}

}  // namespace

TableModel::TableModel(std::size_t rows, std::size_t columns, unsigned value_bits)
    : rows_(rows), columns_(columns), max_value_(0) {
  must(rows > 0 && columns > 0, "no rows or no columns");
  must(value_bits >= 1 && value_bits <= 32, "values of 1 to 32 bits");
  max_value_ = static_cast<std::uint32_t>((std::uint64_t{1} << value_bits) - 1);
  values_.resize(rows * columns);
}

std::size_t TableModel::at(std::size_t row, std::size_t column) const {
  must(row < rows_, "the row does not exist");
  must(column < columns_, "the column does not exist");
  return row * columns_ + column;
}

std::uint32_t TableModel::value(std::size_t row, std::size_t column) const {
  return values_[at(row, column)];
}

std::span<const std::uint32_t> TableModel::row(std::size_t row) const {
  return std::span<const std::uint32_t>(values_).subspan(at(row, 0), columns_);
}

void TableModel::set(std::size_t row, std::size_t column, std::uint32_t value) {
  must(value <= max_value_, "the value has too many bits");
  values_[at(row, column)] = value;
}

std::uint32_t TableModel::update(std::size_t row, std::size_t column, std::uint32_t target,
                                 std::uint32_t alpha, std::uint32_t beta) {
  must(target <= max_value_, "the target has too many bits");
  must(alpha <= 0x10000 && beta <= 0x10000, "a rate above 1");
  std::uint32_t& value = values_[at(row, column)];
  value = step(value, target, alpha, beta);
  return value;
}

}  // namespace hopwise::probes::q
