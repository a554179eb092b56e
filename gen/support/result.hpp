// SPDX-License-Identifier: Apache-2.0
// A value, or all the reasons why there is none.
#pragma once

#include <utility>
#include <variant>

#include "support/diagnostics.hpp"

namespace hopwise {

/// Either a T or at least one Diagnostic. Checked access only: `value()` on an error aborts.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}                        // NOLINT: implicit by design
  Result(Diagnostics errors) : state_(std::move(errors)) {}            // NOLINT
  Result(Diagnostic error) : state_(Diagnostics{std::move(error)}) {}  // NOLINT

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  const T& value() const& { return std::get<T>(state_); }
  T& value() & { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }
  const Diagnostics& errors() const { return std::get<Diagnostics>(state_); }

 private:
  std::variant<T, Diagnostics> state_;
};

}  // namespace hopwise
