// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "config/key_table.hpp"
#include "config/load.hpp"

namespace hopwise::config {

namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers are written without a decimal point.
Json number(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

Json range_of(const spec::Range& range, const char* type) {
  Json out{{"type", type}};
  out[range.above_min ? "exclusiveMinimum" : "minimum"] = number(range.min);
  out["maximum"] = number(range.max);
  return out;
}

Json words(std::span<const std::string_view> names, std::span<const std::string_view> also = {}) {
  Json out{{"enum", Json::array()}};
  for (const std::string_view name : names) out["enum"].push_back(std::string(name));
  for (const std::string_view name : also) out["enum"].push_back(std::string(name));
  return out;
}

/// The words of a key; those with a parameter by their regular expressions.
Json words(const spec::Key& key) {
  Json plain = words(key.names, key.also);
  if (key.forms.empty()) return plain;
  Json any = Json::array({std::move(plain)});
  for (const spec::WordForm& form : key.forms)
    any.push_back({{"type", "string"}, {"pattern", std::string(form.regex)}});
  return Json{{"anyOf", std::move(any)}};
}

Json list_of(const spec::Key& key, Json item) {
  Json list{{"type", "array"},
            {"items", item},
            {"minItems", key.min_entries},
            {"maxItems", key.max_entries}};
  if (!key.scalar_or_list) return list;
  return Json{{"anyOf", Json::array({std::move(item), std::move(list)})}};
}

/// A routing by name, or a map with dotted keys; their values are checked when the file is loaded.
Json routing_entry(const KeyTable& table, const spec::Key& key) {
  Json map{{"type", "object"}};
  map["properties"]["label"] = {
      {"type", "string"}, {"pattern", "^[A-Za-z0-9_.+-]([A-Za-z0-9_.+ -]{0,38}[A-Za-z0-9_.+-])?$"}};
  map["properties"]["algorithm"] = words(key.names);
  map["properties"]["set"] = {{"type", "object"}};
  // As the reader has it: all sections but two.
  std::vector<std::string> sections;
  for (const spec::Section& s : table.sections()) {
    if (s.path.find('.') == std::string_view::npos && s.path != "simulation" &&
        s.path != "experiment")
      sections.emplace_back(s.path);
  }
  for (const std::string& section : sections) map["properties"][section] = {{"type", "object"}};
  map["patternProperties"][fmt::format("^({})\\.", fmt::join(sections, "|"))] = Json::object();
  map["additionalProperties"] = false;
  return Json{{"anyOf", Json::array({words(key.names), std::move(map)})}};
}

Json text_schema(const spec::Key& key) {
  return key.names.empty() ? Json{{"type", "string"}} : words(key);
}

Json rational_schema(const spec::Key& key) {
  Json fraction{{"type", "string"}, {"pattern", "^[0-9]+(/[0-9]+|\\.[0-9]+)?$"}};
  return Json{{"anyOf", Json::array({range_of(key.range, "number"), std::move(fraction)})}};
}

Json packet_length_schema(const spec::Key& key) {
  const Json flits = range_of(key.range, "integer");
  Json map{{"type", "object"},
           {"properties", {{"min", flits}, {"max", flits}}},
           {"required", {"min", "max"}},
           {"additionalProperties", false}};
  return Json{{"anyOf", Json::array({flits, std::move(map)})}};
}

Json reals_schema(const spec::Key& key) {
  Json out = list_of(key, range_of(key.range, "number"));
  out["anyOf"].push_back(
      {{"type", "string"}, {"pattern", "^[0-9.eE+-]+:[0-9.eE+-]+:[0-9.eE+-]+$"}});
  return out;
}

Json schema_of(const KeyTable& table, const spec::Key& key) {
  switch (key.type) {
    case spec::KeyType::kText: return text_schema(key);
    case spec::KeyType::kInteger: return range_of(key.range, "integer");
    case spec::KeyType::kReal: return range_of(key.range, "number");
    case spec::KeyType::kFlag: return {{"type", "boolean"}};
    case spec::KeyType::kIntegers: return list_of(key, range_of(key.range, "integer"));
    case spec::KeyType::kReals: return reals_schema(key);
    case spec::KeyType::kRational: return rational_schema(key);
    case spec::KeyType::kPacketLength: return packet_length_schema(key);
    case spec::KeyType::kNames: return list_of(key, text_schema(key));
    case spec::KeyType::kPairs:
      return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
    case spec::KeyType::kRoutings: break;
  }
  return list_of(key, routing_entry(table, key));
}

/// The object that holds the entries of a dotted path's parent, and the path's last part.
std::pair<Json*, std::string> slot_of(Json& root, std::string_view path) {
  Json* at = &root;
  for (auto dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    at = &(*at)["properties"][std::string(path.substr(0, dot))];
    path.remove_prefix(dot + 1);
  }
  return {at, std::string(path)};
}

Json default_value(const spec::Key& key) {
  const std::string text(key.default_yaml);
  Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(text) : value;
}

}  // namespace

std::string json_schema(const Catalogue& catalogue) {
  const KeyTable table(catalogue);
  Json root{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "Hopwise network"},
            {"type", "object"},
            {"properties", Json::object()},
            {"additionalProperties", false}};
  root["properties"]["name"] = Json::object();  // keys outside sections come first, as in the table
  for (const spec::Section& section : table.sections()) {
    const auto [parent, leaf] = slot_of(root, section.path);
    (*parent)["properties"][leaf] = {{"type", {"object", "null"}},
                                     {"description", std::string(section.doc)},
                                     {"properties", Json::object()},
                                     {"additionalProperties", false}};
  }
  for (const Row& row : table.rows()) {
    const spec::Key& key = row.key;
    const auto [parent, leaf] = slot_of(root, key.path);
    Json schema = schema_of(table, key);
    std::string doc(key.doc);
    if (!key.default_words.empty()) doc += " Default: " + std::string(key.default_words) + ".";
    schema["description"] = doc;
    if (!key.default_yaml.empty()) schema["default"] = default_value(key);
    (*parent)["properties"][leaf] = std::move(schema);
    if (key.required) {
      (*parent)["required"].push_back(leaf);
      (*parent)["type"] = "object";
    }
  }
  root["required"] = {"topology"};
  return root.dump(2) + "\n";
}

}  // namespace hopwise::config
