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

/// Reads the values of one key. Each read_* function reports what is wrong with `node` and returns
/// nothing then.
class ValueReader {
 public:
  ValueReader(const KeyTable& table, const spec::Key& key, Diagnostics& errors)
      : table_(table), key_(key), path_(key.path), errors_(errors) {}

  void wrong_type(const Node& node) {
    errors_.push_back({"config.wrong-type", node.where, path_, describe(node),
                       describe_allowed(key_),
                       node.is_null() ? "leave the key out for its default" : ""});
  }
  void out_of_range(const Node& node, std::string allowed) {
    errors_.push_back(
        {"config.out-of-range", node.where, path_, node.text, std::move(allowed), ""});
  }
  /// The key in the diagnostics from here on: `topology.dims[1]`.
  void at(std::string path) { path_ = std::move(path); }

  std::optional<std::uint64_t> integer(const Node& node) {
    const std::string_view text = node.text;
    const bool negative = text.starts_with('-');
    if (!node.is_scalar() || node.quoted || !is_digits(negative ? text.substr(1) : text)) {
      wrong_type(node);
      return std::nullopt;
    }
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto real = static_cast<double>(value);
    if (negative || parsed.ec != std::errc{} || real < key_.min || real > key_.max) {
      out_of_range(node, describe_range(key_));
      return std::nullopt;
    }
    return value;
  }

  std::optional<double> real(const Node& node) {
    const auto value = node.is_scalar() && !node.quoted ? to_real(node.text) : std::nullopt;
    if (!value) {
      wrong_type(node);
      return std::nullopt;
    }
    if (!in_range(*value)) {
      out_of_range(node, describe_range(key_));
      return std::nullopt;
    }
    return value;
  }

  std::optional<bool> boolean(const Node& node) {
    if (node.is_scalar() && !node.quoted && (node.text == "true" || node.text == "false"))
      return node.text == "true";
    wrong_type(node);
    return std::nullopt;
  }

  std::optional<std::string> word(const Node& node) {
    if (!node.is_scalar()) {
      wrong_type(node);
      return std::nullopt;
    }
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
    if (!value) {
      wrong_type(node);
      return std::nullopt;
    }
    if (!in_range(value->value()) || value->den > kMaxDenominator) {
      out_of_range(
          node, fmt::format("{}, denominator at most {}", describe_range(key_), kMaxDenominator));
      return std::nullopt;
    }
    return value;
  }

  /// A list, or one value where the key allows it; `read_one` reads an entry and stores it.
  template <class T, class ReadOne>
  bool list(const Node& node, Field<T>& field, ReadOne read_one) {
    if (node.is_scalar() && key_.scalar_or_list) {
      field.items.push_back(node.where);
      return read_one(node);
    }
    if (!node.is_list()) {
      wrong_type(node);
      return false;
    }
    if (node.items.size() < key_.min_entries || node.items.size() > key_.max_entries) {
      errors_.push_back({"config.wrong-length", node.where, path_, count_entries(node.items.size()),
                         fmt::format("{} to {} entries", key_.min_entries, key_.max_entries), ""});
      return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      at(fmt::format("{}[{}]", key_.path, i));
      field.items.push_back(node.items[i].where);
      good = read_one(node.items[i]) && good;
    }
    return good;
  }

  bool in_range(double value) const {
    return (key_.above_min ? value > key_.min : value >= key_.min) && value <= key_.max;
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

 private:
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
  std::string path_;
  Diagnostics& errors_;
};

template <class T, class Out>
bool store(std::optional<T> value, Out& out) {
  if (value) out = std::move(*value);
  return value.has_value();
}

bool read_lengths(const spec::Key& key, const Node& node, ValueReader& reader,
                  Field<spec::PacketLength>& field, Diagnostics& errors) {
  if (!node.is_map()) {
    const auto flits = node.is_scalar() ? reader.integer(node) : std::nullopt;
    if (!node.is_scalar()) reader.wrong_type(node);
    if (flits) field.value = {static_cast<unsigned>(*flits), static_cast<unsigned>(*flits)};
    return flits.has_value();
  }
  std::optional<std::uint64_t> min, max;
  bool good = true;
  for (const Entry& entry : node.entries) {
    if (entry.key != "min" && entry.key != "max") {
      errors.push_back({"config.unknown-key", entry.where, join_path(key.path, entry.key),
                        "a key that does not exist", "min, max", ""});
      good = false;
      continue;
    }
    reader.at(join_path(key.path, entry.key));
    auto& value = entry.key == "min" ? min : max;
    value = reader.integer(entry.value);
    good = good && value;
  }
  for (const char* name : {"min", "max"}) {
    const bool there = std::any_of(node.entries.begin(), node.entries.end(),
                                   [name](const Entry& entry) { return entry.key == name; });
    if (there) continue;
    errors.push_back({"config.missing-key", node.where, join_path(key.path, name), "nothing",
                      "an integer from " + describe_range(key),
                      "one number alone makes all packets equal"});
    good = false;
  }
  if (good) field.value = {static_cast<unsigned>(*min), static_cast<unsigned>(*max)};
  return good;
}

/// `FIRST:LAST:STEP`; the values are rounded to nine decimals, so that 0.3 is 0.3 and not
/// 0.30000000000000004.
bool read_range(const spec::Key& key, const Node& node, ValueReader& reader,
                std::vector<double>& out) {
  const auto first_colon = node.text.find(':');
  const auto second_colon = node.text.find(':', first_colon + 1);
  const std::string_view text = node.text;
  std::optional<double> first, last, step;
  if (second_colon != std::string::npos) {
    first = ValueReader::to_real(text.substr(0, first_colon));
    last = ValueReader::to_real(text.substr(first_colon + 1, second_colon - first_colon - 1));
    step = ValueReader::to_real(text.substr(second_colon + 1));
  }
  if (!first || !last || !step) {
    reader.wrong_type(node);
    return false;
  }
  constexpr double kSlack = 1e-9;
  const double count = std::floor((*last - *first) / *step + kSlack) + 1;
  if (!reader.in_range(*first) || !reader.in_range(*last) || *step <= 0 || *last < *first ||
      count > key.max_entries) {
    reader.out_of_range(node, fmt::format("FIRST <= LAST, both {}; STEP above 0; at most {} values",
                                          describe_range(key), key.max_entries));
    return false;
  }
  for (int i = 0; i < static_cast<int>(count); ++i) {
    out.push_back(std::round((*first + i * *step) * 1e9) / 1e9);
  }
  return true;
}

}  // namespace

bool read_value(const KeyTable& table, const Row& row, const Node& node, NetworkConfig& config,
                Diagnostics& errors) {
  const spec::Key& key = row.key;
  ValueReader reader(table, key, errors);
  const auto integers = [&](auto& field, std::vector<std::uint64_t>& out) {
    return reader.list(node, field, [&](const Node& entry) {
      const auto value = reader.integer(entry);
      if (value) out.push_back(*value);
      return value.has_value();
    });
  };
  const auto reals = [&](auto& field, std::vector<double>& out) {
    if (node.is_scalar() && node.text.find(':') != std::string::npos)
      return read_range(key, node, reader, out);
    return reader.list(node, field, [&](const Node& entry) {
      const auto value = reader.real(entry);
      if (value) out.push_back(*value);
      return value.has_value();
    });
  };
  struct Visitor {
    const decltype(integers)& read_integers;
    const decltype(reals)& read_reals;
    const KeyTable& table;
    const spec::Key& key;
    const Node& node;
    ValueReader& reader;
    Diagnostics& errors;

    bool operator()(Field<std::string>& f) { return store(reader.word(node), f.value); }
    bool operator()(Field<std::uint64_t>& f) { return store(reader.integer(node), f.value); }
    bool operator()(Field<double>& f) { return store(reader.real(node), f.value); }
    bool operator()(Field<bool>& f) { return store(reader.boolean(node), f.value); }
    bool operator()(Field<spec::Rational>& f) { return store(reader.rational(node), f.value); }
    bool operator()(Field<spec::PacketLength>& f) {
      return read_lengths(key, node, reader, f, errors);
    }
    bool operator()(Field<Routings>& f) { return read_routings(table, key, node, f, errors); }
    bool operator()(Field<UIntList>& f) {
      f.value.scalar = node.is_scalar();
      return read_integers(f, f.value.values);
    }
    bool operator()(Field<Names>& f) {
      return reader.list(node, f, [&](const Node& entry) {
        const auto value = reader.word(entry);
        if (value) f.value.push_back(*value);
        return value.has_value();
      });
    }
    bool operator()(Field<Reals>& f) { return read_reals(f, f.value); }
    bool operator()(Field<spec::Setting>& f) {
      switch (key.type) {
        case spec::KeyType::kInteger: return store(reader.integer(node), f.value);
        case spec::KeyType::kReal: return store(reader.real(node), f.value);
        case spec::KeyType::kFlag: return store(reader.boolean(node), f.value);
        case spec::KeyType::kIntegers:
          return read_integers(f, f.value.emplace<std::vector<std::uint64_t>>());
        case spec::KeyType::kReals: return read_reals(f, f.value.emplace<std::vector<double>>());
        default: return store(reader.word(node), f.value);
      }
    }
  };
  return with_field(config, row, [&](auto& field) {
    return Visitor{integers, reals, table, key, node, reader, errors}(field);
  });
}

}  // namespace hopwise::config
