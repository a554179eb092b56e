// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/fields.hpp"
#include "report/verdict.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

/// One word of a POSIX shell.
std::string word(const std::string& text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+-@%";
  if (!text.empty() && text.front() != '-' && text.find_first_not_of(kPlain) == std::string::npos)
    return text;
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

/// The labels of the routings, in their order.
std::vector<std::string> labels(const json& results) {
  std::vector<std::string> out;
  for (const json& proof : elements(results, "proofs"))
    out.push_back(plain(at(proof, {"routing"})));
  return out;
}

/// `compare` names a routing FILE/LABEL; the files, in their order.
std::vector<std::string> files(const json& results) {
  std::vector<std::string> out;
  for (const std::string& label : labels(results)) {
    const std::string file = label.substr(0, label.find('/'));
    if (out.empty() || out.back() != file) out.push_back(file);
  }
  return out;
}

/// Each label once, without its file: "dor,valiant".
std::string routings(const json& results) {
  std::vector<std::string> out;
  for (const std::string& label : labels(results)) {
    const std::string own = label.substr(label.rfind('/') + 1);
    if (std::find(out.begin(), out.end(), own) == out.end()) out.push_back(own);
  }
  return fmt::format("{}", fmt::join(out, ","));
}

}  // namespace

json reproducing_command(const json& results) {
  std::string program = "hopwise";
  for (const json& directory : elements(results, "extensions"))
    program += " --with " + word(plain(directory));
  if (const json& campaign = at(results, {"campaign"}); campaign.is_object()) {
    const std::string file = plain(at(campaign, {"file"}));
    return {{"line", fmt::format("{} campaign run {}{} -o {}", program, word(file),
                                 at(campaign, {"quick"}) == json(true) ? " --quick" : "",
                                 word("out/" + plain(at(campaign, {"name"}))))},
            {"note", fmt::format("{} is the campaign; this is its experiment {}.", file,
                                 plain(at(campaign, {"experiment"})))}};
  }
  const bool compared = !elements(results, "networks").empty();
  const bool trained = at(results, {"training"}).is_object();
  std::string name = plain(at(results, {"network", "name"}));
  if (compared && !files(results).empty()) name = files(results).front();
  if (name.empty()) name = "network";

  std::string line = program + (compared ? " compare" : trained ? " agent train" : " run");
  std::string note = name + ".yaml is the text under Configuration (config_yaml of results.json)";
  line += " " + word(name + ".yaml");
  if (compared) {
    std::string others;
    for (std::size_t i = 1; i < files(results).size(); ++i) {
      const std::string other = files(results)[i] + ".yaml";
      line += " " + word(other);
      others += (others.empty() ? "" : ", ") + other;
    }
    note += "; the results do not hold the text of " + others;
  }
  if (const std::string names = routings(results); !trained && !names.empty())
    line += " --routing " + word(names);
  for (const json& override_ : elements(results, "overrides"))
    line += " --set " + word(plain(override_));
  if (const json& tables = at(results, {"loaded_tables"}); tables.is_string())
    line += " --load-tables " + word(plain(tables));
  if (const json& costs = elements(results, "costs"); !costs.empty() && !trained) {
    line += " --target " + word(plain(at(costs.front(), {"target"})));
    if (const std::string memories = plain(at(costs.front(), {"memories"}));
        !memories.empty() && memories != "macros")
      line += " --memories " + word(memories);
  }
  line += trained
              ? fmt::format(" -o {} --results {}", word(name + "_agent.json"), word("out/" + name))
              : " -o " + word("out/" + name);
  return {{"line", line}, {"note", note + "."}};
}

}  // namespace hopwise::report
