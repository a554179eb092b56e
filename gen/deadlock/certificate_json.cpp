// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "deadlock/proof.hpp"

namespace hopwise::deadlock {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kVersion = 1;
constexpr std::array kKeys = {"certificate_version", "network_hash", "method",    "hop_bound",
                              "dependencies",        "number",       "injection", "ejection"};

/// Collects what is wrong with the members of one JSON object.
class Reader {
 public:
  Reader(const Json& object, std::string file) : object_(object), file_(std::move(file)) {
    for (const auto& [key, value] : object_.items()) {
      if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
        complain(key, "an unknown key", "no such key");
    }
  }

  std::string text(const char* key) {
    const Json* value = find(key);
    if (value == nullptr) return {};
    if (!value->is_string()) {
      complain(key, value->dump(), "a text");
      return {};
    }
    return value->get<std::string>();
  }

  std::uint64_t number(const char* key, std::uint64_t max) {
    const Json* value = find(key);
    if (value == nullptr) return 0;
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() > max) {
      complain(key, value->dump(), fmt::format("an integer from 0 to {}", max));
      return 0;
    }
    return value->get<std::uint64_t>();
  }

  std::vector<std::uint32_t> numbers(const char* key, bool required = true) {
    std::vector<std::uint32_t> result;
    if (!required && !object_.contains(key)) return result;
    const Json* value = find(key);
    if (value == nullptr) return result;
    if (!value->is_array()) {
      complain(key, value->dump(), "a list");
      return result;
    }
    for (const Json& element : *value) {
      if (element.is_null()) {
        result.push_back(Certificate::kNotEscape);
      } else if (element.is_number_unsigned() &&
                 element.get<std::uint64_t>() < Certificate::kNotEscape) {
        result.push_back(element.get<std::uint32_t>());
      } else {
        complain(fmt::format("{}[{}]", key, result.size()), element.dump(),
                 fmt::format("null or an integer below {}", Certificate::kNotEscape));
        return result;  // one is enough: a damaged list has thousands
      }
    }
    return result;
  }

  void complain(std::string key, std::string found, std::string allowed) {
    errors_.push_back({"certificate.malformed",
                       {file_, 0, 0},
                       std::move(key),
                       std::move(found),
                       std::move(allowed),
                       ""});
  }
  const Diagnostics& errors() const { return errors_; }

 private:
  const Json* find(const char* key) {
    const auto it = object_.find(key);
    if (it != object_.end()) return &*it;
    complain(key, "nothing", "the key is required");
    return nullptr;
  }

  const Json& object_;
  std::string file_;
  Diagnostics errors_;
};

Diagnostic syntax_error(const std::string& text, const std::string& file,
                        const Json::parse_error& error) {
  const std::size_t end = std::min(text.size(), error.byte == 0 ? 0 : error.byte - 1);
  const std::string_view before = std::string_view(text).substr(0, end);
  const auto line = static_cast<unsigned>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? end + 1 : end - newline;
  return {"certificate.malformed",
          {file, line, static_cast<unsigned>(column)},
          "",
          "a text that is not JSON",
          "a certificate in JSON",
          "a certificate is written by `emit`; write the bundle again"};
}

}  // namespace

std::string to_json(const Certificate& certificate) {
  Json numbers = Json::array();
  for (std::uint32_t n : certificate.number) {
    numbers.push_back(n == Certificate::kNotEscape ? Json(nullptr) : Json(n));
  }
  Json object;
  object["certificate_version"] = kVersion;
  object["network_hash"] = certificate.network_hash;
  object["method"] = certificate.method;
  object["hop_bound"] = certificate.hop_bound;
  object["dependencies"] = certificate.dependencies;
  object["number"] = std::move(numbers);
  if (!certificate.injection.empty()) {
    object["injection"] = certificate.injection;
    object["ejection"] = certificate.ejection;
  }
  return object.dump() + "\n";
}

Result<Certificate> parse_certificate(const std::string& text, const std::string& file) {
  Json object;
  try {
    object = Json::parse(text);
  } catch (const Json::parse_error& error) {
    return syntax_error(text, file, error);
  }
  if (!object.is_object()) {
    return Diagnostic{"certificate.malformed", {file, 0, 0},    "",
                      "a JSON value",          "a JSON object", ""};
  }
  Reader reader(object, file);
  if (reader.number("certificate_version", kVersion) != kVersion && reader.errors().empty()) {
    reader.complain("certificate_version", "0", fmt::format("{}", kVersion));
  }
  Certificate c;
  c.network_hash = reader.text("network_hash");
  c.method = reader.text("method");
  c.hop_bound =
      static_cast<unsigned>(reader.number("hop_bound", std::numeric_limits<unsigned>::max()));
  c.dependencies = reader.number("dependencies", std::numeric_limits<std::uint64_t>::max());
  c.number = reader.numbers("number");
  c.injection = reader.numbers("injection", false);
  c.ejection = reader.numbers("ejection", false);
  if (!reader.errors().empty()) return reader.errors();
  return c;
}

}  // namespace hopwise::deadlock
