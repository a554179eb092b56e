// SPDX-License-Identifier: Apache-2.0
#include "report/contents.hpp"

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "report/fields.hpp"
#include "report/verdict.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark;--ink:#1d252b;--soft:#55616a;--line:#d5dbe0;--paper:#fff;"
    "--accent:#1f5f99;--good:#2b6a36;--warn:#8a5a00}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e9ec;--soft:#a3aeb6;--line:#39434b;"
    "--paper:#14191d;--accent:#7ab6ec;--good:#86cf94;--warn:#e5b45a}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);"
    "font:14px/1.5 system-ui,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif}"
    "main{max-width:1160px;margin:0 auto;padding:28px 24px 60px}"
    "h1{font-size:28px;line-height:1.2;margin:0 0 4px;font-weight:600}"
    "h2{font-size:19px;margin:0 0 2px;font-weight:600}"
    "section{margin-top:34px;border-top:1px solid var(--line);padding-top:14px}"
    "a{color:var(--accent);text-decoration:none}a:hover,a:focus{text-decoration:underline}"
    ".brand,.lead{margin:0 0 8px;color:var(--soft)}.wide{overflow-x:auto}"
    "table{border-collapse:collapse;margin:10px 0;font-variant-numeric:tabular-nums}"
    "th,td{text-align:right;padding:3px 14px 3px 0;border-bottom:1px solid var(--line);"
    "white-space:nowrap}th{color:var(--soft);font-weight:400}"
    "th.text,td.text{text-align:left}pre{white-space:pre-wrap;margin:8px 0;overflow-wrap:anywhere}"
    ".good{color:var(--good)}.warn{color:var(--warn)}nav ul{padding-left:1.2em;margin:6px 0}";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string cell(const json& value) { return escaped(plain(value)); }

std::string number(const json& value, int decimals) {
  return value.is_number() ? fmt::format("{:.{}f}", value.get<double>(), decimals) : "";
}

/// Different values of a key, in the order in which they appear.
std::vector<std::string> distinct(const json& entries, std::string_view key) {
  std::vector<std::string> all;
  std::set<std::string> seen;
  for (const json& entry : entries) {
    const std::string value = plain(at(entry, {key}));
    if (seen.insert(value).second) all.push_back(value);
  }
  return all;
}

/// A part, with its interval over seeds where there is one.
std::string with_interval(const json& value, const json& interval) {
  const std::string text = number(value, 3);
  return interval.is_number() ? text + " ± " + number(interval, 3) : text;
}

/// Of each curve: its saturation, and the point with the highest load.
std::string curves(const json& results) {
  std::map<std::string, const json*> last;
  std::vector<std::string> order;
  const auto curve = [](const json& e) {
    return plain(at(e, {"routing"})) + "\n" + plain(at(e, {"pattern"}));
  };
  for (const json& p : elements(results, "points")) {
    if (is_partial(p)) continue;
    const auto [place, is_new] = last.emplace(curve(p), &p);
    if (is_new) order.push_back(place->first);
    const json &load = at(p, {"offered_load"}), &known = at(*place->second, {"offered_load"});
    if (load.is_number() && known.is_number() && load.get<double>() > known.get<double>())
      place->second = &p;
  }
  std::map<std::string, const json*> searches;
  for (const json& s : elements(results, "saturation")) searches[curve(s)] = &s;
  std::string text =
      "<div class=\"wide\"><table><tr><th class=\"text\">routing</th><th "
      "class=\"text\">pattern</th><th>seeds</th><th>saturation</th><th>highest load</th>"
      "<th>accepted there</th><th>mean latency, cycles</th><th>p99</th></tr>\n";
  for (const std::string& name : order) {
    const json& p = *last[name];
    const auto search = searches.find(name);
    const json none;
    const json& found = search == searches.end() ? none : *search->second;
    const bool shown = !is_saturated(p);
    text += fmt::format(
        "<tr><td class=\"text\">{}</td><td class=\"text\">{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td></tr>\n",
        cell(at(p, {"routing"})), cell(at(p, {"pattern"})), elements(p, "seeds").size(),
        with_interval(at(found, {"throughput"}), at(found, {"throughput_ci95"})),
        number(at(p, {"offered_load"}), 2),
        with_interval(at(p, {"accepted_load"}), at(p, {"accepted_load_ci95"})),
        shown ? number(at(p, {"latency_cycles", "mean"}), 1) : "saturated",
        shown ? number(at(p, {"latency_cycles", "p99"}), 0) : "");
  }
  return text + "</table></div>\n";
}

std::string experiment_html(const json& e) {
  const std::string name = cell(at(e, {"name"}));
  const json& results = at(e, {"results"});
  std::string text = fmt::format("<section id=\"{}\"><h2>{}</h2>\n", name, name);
  const json &done = at(e, {"tasks", "done"}), &all = at(e, {"tasks", "all"});
  text += fmt::format("<p class=\"lead\">{} of {} tasks done", cell(done), cell(all));
  if (results.is_object()) {
    const json& points = elements(results, "points");
    text += fmt::format(
        "; network {}, {} routers, {} terminals; patterns {}; {} loads</p>\n"
        "<p><a href=\"{}\">Report: curves, fairness, links, proof</a></p>\n",
        cell(at(results, {"network", "name"})), cell(at(results, {"network", "routers"})),
        cell(at(results, {"network", "terminals"})),
        escaped(fmt::format("{}", fmt::join(distinct(points, "pattern"), ", "))),
        distinct(points, "offered_load").size(), cell(at(e, {"page"})));
  } else {
    text += "; no results yet</p>\n";
  }
  for (const json& failed : elements(e, "failed"))
    text += fmt::format("<p class=\"warn\">{}; log: {}</p>\n", cell(at(failed, {"task"})),
                        cell(at(failed, {"log"})));
  if (results.is_object()) {
    text += curves(results);
    if (const std::string answer = verdict_text(results); !answer.empty())
      text += "<pre>" + escaped(answer) + "</pre>\n";
  }
  return text + "</section>\n";
}

/// To four digits.
std::string rounded(const json& value) {
  return value.is_number() ? fmt::format("{:.4g}", value.get<double>()) : "";
}

std::string range(const json& value) {
  if (value.is_string()) return cell(value);
  return value.is_array() ? rounded(value[0]) + " to " + rounded(value[1]) : rounded(value);
}

std::string published_html(const json& rows) {
  std::string text =
      "<section id=\"published\"><h2>Beside the published numbers</h2>\n<div "
      "class=\"wide\"><table><tr><th class=\"text\">figure</th><th class=\"text\">pattern</th>"
      "<th>load</th><th class=\"text\">routing</th><th class=\"text\">quantity</th>"
      "<th>published</th><th>measured</th><th>difference</th><th "
      "class=\"text\">verdict</th></tr>\n";
  for (const json& row : rows) {
    const json& verdict = at(row, {"verdict"});
    const bool good = verdict == json("within 10 %") || verdict == json("confirmed");
    const json &difference = at(row, {"difference"}), &load = at(row, {"load"});
    text += fmt::format(
        "<tr><td class=\"text\">{}</td><td class=\"text\">{}</td><td>{}</td><td class=\"text\">{}"
        "</td><td class=\"text\">{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"text {}\">{}"
        "</td></tr>\n",
        cell(at(row, {"figure"})), cell(at(row, {"pattern"})),
        load.is_number() ? rounded(load) : cell(load), cell(at(row, {"routing"})),
        cell(at(row, {"quantity"})), range(at(row, {"published"})), rounded(at(row, {"measured"})),
        difference.is_number() ? fmt::format("{:+.1f} %", 100 * difference.get<double>()) : "",
        good ? "good" : "warn", cell(verdict));
  }
  return text + "</table></div></section>\n";
}

}  // namespace

std::string contents_html(const json& campaign) {
  const std::string name = cell(at(campaign, {"name"}));
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"><title>{} - campaign</title>"
      "<style>{}</style></head><body><main>\n<p class=\"brand\">Hopwise {}, campaign{}</p>\n"
      "<h1>{}</h1>\n<nav aria-label=\"contents\"><ul>\n",
      name, kStyle, cell(at(campaign, {"hopwise"})),
      at(campaign, {"quick"}) == json(true) ? ", quick: shorter and fewer runs than the full one"
                                            : "",
      name);
  for (const json& e : elements(campaign, "experiments")) {
    const std::string id = cell(at(e, {"name"}));
    text += fmt::format("<li><a href=\"#{}\">{}</a>: {} of {} tasks</li>\n", id, id,
                        cell(at(e, {"tasks", "done"})), cell(at(e, {"tasks", "all"})));
  }
  const json& published = elements(campaign, "published");
  if (!published.empty())
    text += "<li><a href=\"#published\">Beside the published numbers</a></li>\n";
  text += "</ul></nav>\n";
  for (const json& e : elements(campaign, "experiments")) text += experiment_html(e);
  if (!published.empty()) text += published_html(published);
  return text + "</main></body></html>\n";
}

}  // namespace hopwise::report
