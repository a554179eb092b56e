// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "config/read.hpp"

namespace hopwise::config {

namespace {

constexpr unsigned kMaxDenominator = 16;

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Reads the value of one key. Each function reports what is wrong with a node, and returns false
/// or nothing then.
class ValueReader {
 public:
  ValueReader(const KeyTable& table, const spec::Key& key, const Node& node, Diagnostics& errors)
      : table_(table), key_(key), path_(key.path), node_(node), errors_(errors) {}

  bool read(Field<std::string>& f) { return store(word(node_), f); }
  bool read(Field<std::uint64_t>& f) { return store(integer(node_), f); }
  bool read(Field<double>& f) { return store(real(node_), f); }
  bool read(Field<bool>& f) { return store(boolean(node_), f); }
  bool read(Field<spec::Rational>& f) { return store(rational(node_), f); }
  bool read(Field<spec::PacketLength>& f) { return store(lengths(), f); }
  bool read(Field<Routings>& f) { return read_routings(table_, key_, node_, f, errors_); }
  bool read(Field<UIntList>& f) {
    f.value.scalar = node_.is_scalar();
    return list(f.items, f.value.values, &ValueReader::integer);
  }
  bool read(Field<Names>& f) { return list(f.items, f.value, &ValueReader::word); }
  bool read(Field<Pairs>& f) {
    if (!node_.is_map()) {
      wrong_type(node_);
      return false;
    }
    for (const Entry& entry : node_.entries) {
      path_ = join_path(key_.path, entry.key);
      const auto value = word(entry.value);
      if (!value) return false;
      f.items.push_back(entry.where);
      f.value.emplace_back(entry.key, *value);
    }
    return true;
  }
  bool read(Field<Reals>& f) { return reals(f.items, f.value); }
  bool read(Field<spec::Setting>& f) {
    switch (key_.type) {
      case spec::KeyType::kInteger: return store(integer(node_), f);
      case spec::KeyType::kReal: return store(real(node_), f);
      case spec::KeyType::kFlag: return store(boolean(node_), f);
      case spec::KeyType::kIntegers:
        return list(f.items, f.value.emplace<std::vector<std::uint64_t>>(), &ValueReader::integer);
      case spec::KeyType::kReals: return reals(f.items, f.value.emplace<std::vector<double>>());
      default: return store(word(node_), f);
    }
  }

 private:
  template <class T, class U>
  static bool store(std::optional<T> value, Field<U>& out) {
    if (value) out.value = std::move(*value);
    return value.has_value();
  }

  std::nullopt_t wrong_type(const Node& node) {
    errors_.push_back({"config.wrong-type", node.where, path_, describe(node),
                       describe_allowed(key_),
                       node.is_null() ? "leave the key out for its default" : ""});
    return std::nullopt;
  }
  std::nullopt_t out_of_range(const Node& node, std::string allowed) {
    errors_.push_back(
        {"config.out-of-range", node.where, path_, node.text, std::move(allowed), ""});
    return std::nullopt;
  }

  std::optional<std::uint64_t> integer(const Node& node) {
    const std::string_view text = node.text;
    const bool negative = text.starts_with('-');
    if (!node.is_scalar() || node.quoted || !is_digits(negative ? text.substr(1) : text))
      return wrong_type(node);
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (negative || parsed.ec != std::errc{} || !key_.range.contains(static_cast<double>(value)))
      return out_of_range(node, describe_range(key_.range));
    return value;
  }

  std::optional<double> real(const Node& node) {
    const auto value = node.is_scalar() && !node.quoted ? to_real(node.text) : std::nullopt;
    if (!value) return wrong_type(node);
    if (!key_.range.contains(*value)) return out_of_range(node, describe_range(key_.range));
    return value;
  }

  std::optional<bool> boolean(const Node& node) {
    if (node.is_scalar() && !node.quoted && (node.text == "true" || node.text == "false"))
      return node.text == "true";
    return wrong_type(node);
  }

  std::optional<std::string> word(const Node& node) {
    if (!node.is_scalar()) return wrong_type(node);
    if (key_.pattern) {
      const auto parsed = spec::parse_pattern(table_.patterns(), node.text);
      if (parsed) return node.text;
      for (Diagnostic error : parsed.errors()) {
        error.where = node.where;
        error.key = path_;
        errors_.push_back(std::move(error));
      }
      return std::nullopt;
    }
    const auto has = [&node](std::span<const std::string_view> names) {
      return std::find(names.begin(), names.end(), node.text) != names.end();
    };
    if (key_.names.empty() || has(key_.names) || has(key_.also)) return node.text;
    const std::vector<std::string> names(key_.names.begin(), key_.names.end());
    const auto near = nearest(node.text, names);
    errors_.push_back({"config.unknown-name", node.where, path_, describe(node),
                       join_names(key_.names),
                       near ? fmt::format("did you mean '{}'?", *near) : ""});
    return std::nullopt;
  }

  std::optional<spec::Rational> rational(const Node& node) {
    const auto value = node.is_scalar() ? to_rational(node.text) : std::nullopt;
    if (!value) return wrong_type(node);
    if (!key_.range.contains(value->value()) || value->den > kMaxDenominator) {
      return out_of_range(node, fmt::format("{}, denominator at most {}",
                                            describe_range(key_.range), kMaxDenominator));
    }
    return value;
  }

  std::optional<spec::PacketLength> lengths() {
    if (!node_.is_map()) {
      const auto flits = node_.is_scalar() ? integer(node_) : wrong_type(node_);
      if (!flits) return std::nullopt;
      return spec::PacketLength{static_cast<unsigned>(*flits), static_cast<unsigned>(*flits)};
    }
    std::optional<std::uint64_t> min, max;
    bool good = true, misspelt = false;
    for (const Entry& entry : node_.entries) {
      path_ = join_path(key_.path, entry.key);
      if (entry.key != "min" && entry.key != "max") {
        errors_.push_back({"config.unknown-key", entry.where, path_, "a key that does not exist",
                           "min, max", ""});
        misspelt = true;
        continue;
      }
      auto& value = entry.key == "min" ? min : max;
      value = integer(entry.value);
      good = good && value;
    }
    for (const char* name : {"min", "max"}) {
      const bool there = std::any_of(node_.entries.begin(), node_.entries.end(),
                                     [name](const Entry& entry) { return entry.key == name; });
      if (there || misspelt) continue;
      errors_.push_back({"config.missing-key", node_.where, join_path(key_.path, name), "nothing",
                         "an integer from " + describe_range(key_.range),
                         "one number alone makes all packets equal"});
      good = false;
    }
    if (!good || misspelt) return std::nullopt;
    return spec::PacketLength{static_cast<unsigned>(*min), static_cast<unsigned>(*max)};
  }

  /// A list, or one value where the key allows it; `places` are those of the entries.
  template <class T>
  bool list(std::vector<SourceLocation>& places, std::vector<T>& out,
            std::optional<T> (ValueReader::*read_one)(const Node&)) {
    const auto read_entry = [&](const Node& entry) {
      places.push_back(entry.where);
      const std::optional<T> value = (this->*read_one)(entry);
      if (value) out.push_back(*value);
      return value.has_value();
    };
    if (node_.is_scalar() && key_.scalar_or_list) return read_entry(node_);
    if (!node_.is_list()) {
      wrong_type(node_);
      return false;
    }
    const std::size_t size = node_.items.size();
    if (size < key_.min_entries || size > key_.max_entries) {
      errors_.push_back({"config.wrong-length", node_.where, path_, count_entries(size),
                         fmt::format("{} to {} entries", key_.min_entries, key_.max_entries), ""});
      return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < size; ++i) {
      path_ = fmt::format("{}[{}]", key_.path, i);
      good = read_entry(node_.items[i]) && good;
    }
    return good;
  }

  bool reals(std::vector<SourceLocation>& places, std::vector<double>& out) {
    if (node_.is_scalar() && node_.text.find(':') != std::string::npos) return steps(out);
    return list(places, out, &ValueReader::real);
  }

  /// `FIRST:LAST:STEP`; the values are rounded to nine decimals, so that 0.3 is 0.3 and not
  /// 0.30000000000000004.
  bool steps(std::vector<double>& out) {
    const std::string_view text = node_.text;
    const auto first_colon = text.find(':');
    const auto second_colon = text.find(':', first_colon + 1);
    std::optional<double> first, last, step;
    if (second_colon != std::string_view::npos) {
      first = to_real(text.substr(0, first_colon));
      last = to_real(text.substr(first_colon + 1, second_colon - first_colon - 1));
      step = to_real(text.substr(second_colon + 1));
    }
    if (!first || !last || !step) {
      wrong_type(node_);
      return false;
    }
    constexpr double kSlack = 1e-9;
    const double count = std::floor((*last - *first) / *step + kSlack) + 1;
    if (!key_.range.contains(*first) || !key_.range.contains(*last) || *step <= 0 ||
        *last < *first || count > key_.max_entries) {
      out_of_range(node_, fmt::format("FIRST <= LAST, both {}; STEP above 0; at most {} values",
                                      describe_range(key_.range), key_.max_entries));
      return false;
    }
    for (int i = 0; i < static_cast<int>(count); ++i)
      out.push_back(std::round((*first + i * *step) * 1e9) / 1e9);
    return true;
  }

  static std::optional<double> to_real(std::string_view text) {
    // from_chars takes "inf" and "nan" too; a number starts with a digit, a point or a sign.
    if (text.empty() || text.find_first_not_of("0123456789.+-eE") != std::string_view::npos)
      return std::nullopt;
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) return std::nullopt;
    return value;
  }

  /// `5/2`, `2` or `2.5`, in lowest terms; nothing where it is none of them or has too many digits.
  static std::optional<spec::Rational> to_rational(std::string_view text) {
    constexpr std::size_t kMaxDigits = 9;
    std::string_view num = text;
    std::string_view rest;
    const auto mark = text.find_first_of("/.");
    const bool decimal = mark != std::string_view::npos && text[mark] == '.';
    std::uint64_t den = 1;
    std::string digits;
    if (mark == std::string_view::npos) {
      digits = text;
    } else if (decimal) {
      rest = text.substr(mark + 1);
      if (!is_digits(rest) || !is_digits(text.substr(0, mark))) return std::nullopt;
      digits = std::string(text.substr(0, mark)).append(rest);
      for (std::size_t i = 0; i < rest.size(); ++i) den *= 10;
    } else {
      num = text.substr(0, mark);
      rest = text.substr(mark + 1);
      if (!is_digits(rest) || rest.size() > kMaxDigits) return std::nullopt;
      digits = num;
      std::from_chars(rest.data(), rest.data() + rest.size(), den);
    }
    if (!is_digits(digits) || digits.size() > kMaxDigits || den == 0) return std::nullopt;
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const auto divisor = std::gcd(value, den);
    return spec::Rational{static_cast<unsigned>(value / divisor),
                          static_cast<unsigned>(den / divisor)};
  }

  const KeyTable& table_;
  const spec::Key& key_;
  std::string path_;  // of the key in the diagnostics: `topology.dims[1]`
  const Node& node_;
  Diagnostics& errors_;
};

}  // namespace

bool read_value(const KeyTable& table, const Row& row, const Node& node, NetworkConfig& config,
                Diagnostics& errors) {
  ValueReader reader(table, row.key, node, errors);
  return with_field(config, row, [&](auto& field) { return reader.read(field); });
}

}  // namespace hopwise::config
