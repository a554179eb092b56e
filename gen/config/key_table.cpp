// SPDX-License-Identifier: Apache-2.0
#include "config/key_table.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopwise::config {

namespace {

using spec::Section;

constexpr std::array kSections{
    Section{"topology", "How many routers there are and how they are joined."},
    Section{"link", "The wires between routers, and between a router and its terminals."},
    Section{"packet", "What travels: flits and the header that leads them."},
    Section{"router", "The microarchitecture, the same in every router of the network."},
    Section{"router.allocator", "How the crossbar's inputs and outputs are matched in each cycle."},
    Section{"terminal", "What the terminals do with the packets that they get."},
    Section{"congestion", "Whether too many packets to one terminal slow others down."},
    Section{"routing", "Where packets go, and which virtual channels they may use."},
    Section{"traffic", "What the terminals send."},
    Section{"job", "An application beside the traffic: ranks at terminals run a program."},
    Section{"simulation", "How long a run lasts and how exact it is."},
    Section{"fault", "What a simulation does wrong on purpose."},
    Section{"experiment",
            "What a comparison runs: every routing with every pattern at every load."},
};
constexpr std::string_view kKind = "topology.kind", kAlgorithm = "routing.algorithm",
                           kRoutings = "experiment.routings",
                           kLastOfRouting = "routing.vcs_per_class", kFirstOfRun = "simulation",
                           kPattern = "traffic.pattern", kBeforePatterns = "traffic.packet_flits";

std::string default_words(const Catalogue& catalogue) {
  std::string out;
  std::string_view last;
  for (const topology::Kind* kind : catalogue.kinds) {
    const std::string_view variant =
        routing::default_variant(catalogue.families, topology::unsized(*kind));
    if (variant.empty() || variant == last) continue;
    out += out.empty() ? fmt::format("`{}`", variant)
                       : fmt::format("; on a {} `{}`", kind->name, variant);
    last = variant;
  }
  return out;
}

/// "Torus, mesh: `dor`, dimension order; ..." for all variants, in their order.
std::string describe_algorithms(const Catalogue& catalogue) {
  std::string out, last;
  for (const routing::Family* family : catalogue.families) {
    for (const routing::Variant& variant : family->variants) {
      std::vector<std::string_view> names;
      for (const topology::Kind* kind : catalogue.kinds) {
        if (family->fits(topology::unsized(*kind), variant.name)) names.push_back(kind->name);
      }
      std::string where = fmt::format("{}", fmt::join(names, ", "));
      if (!where.empty()) where[0] = static_cast<char>(where[0] - 'a' + 'A');
      if (where != last)
        out += fmt::format("{}{}: ", out.empty() ? "" : ". ", where);
      else
        out += "; ";
      out += fmt::format("`{}`, {}", variant.name, variant.doc);
      last = where;
    }
  }
  return out + ".";
}

/// "A torus closes every dimension to a ring; a mesh leaves it open. A dragonfly ..."
std::string describe_kinds(topology::Kinds kinds) {
  std::string out;
  for (const topology::Kind* kind : kinds) {
    const bool new_sentence = !kind->doc.empty() && kind->doc[0] >= 'A' && kind->doc[0] <= 'Z';
    if (!out.empty()) out += new_sentence ? ". " : "; ";
    out += kind->doc;
  }
  return out + ".";
}

}  // namespace

Catalogue builtin_catalogue(spec::Patterns patterns) {
  return {topology::builtin_kinds(), routing::builtin_families(), patterns};
}

KeyTable::KeyTable(const Catalogue& catalogue)
    : catalogue_(catalogue),
      patterns_(spec::names_of(catalogue.patterns)),
      pattern_aliases_(spec::aliases_of(catalogue.patterns)),
      pattern_forms_(spec::forms_of(catalogue.patterns)),
      sections_(kSections.begin(), kSections.end()) {
  for (const topology::Kind* kind : catalogue.kinds) kind_names_.push_back(kind->name);
  for (const routing::Family* family : catalogue.families) {
    for (const routing::Variant& variant : family->variants) algorithms_.push_back(variant.name);
  }
  add_own(network_keys());
  add_own(run_keys());
}

void KeyTable::add_own(std::span<const Row> rows) {
  for (Row row : rows) {
    row.key.type = static_cast<spec::KeyType>(row.field.index());
    if (row.key.path == kRoutings) row.key.names = algorithms_;
    if (row.key.path == kAlgorithm) {
      row.key.names = algorithms_;
      row.key.default_words = keep(default_words(catalogue_));
      row.key.doc = keep(describe_algorithms(catalogue_));
    }
    if (row.key.path == kKind) {
      row.key.names = kind_names_;
      row.key.doc = keep(describe_kinds(catalogue_.kinds));
    }
    if (row.key.pattern) {
      row.key.names = patterns_;
      row.key.also = pattern_aliases_;
      row.key.forms = pattern_forms_;
    }
    if (row.key.path == kPattern) {
      row.key.default_yaml = patterns_.front();
      row.key.doc = keep(describe_patterns());
    }
    rows_.push_back(row);
    if (row.key.path == kKind) add_kinds();
    if (row.key.path == kLastOfRouting) add_families();
    if (row.key.path == kBeforePatterns) add_patterns();
  }
}

void KeyTable::add_kinds() {
  for (const topology::Kind* kind : catalogue_.kinds) {
    for (spec::Key key : kind->keys) {
      key.path = keep(spec::path_of("topology", key.path));
      key.required = false;  // another kind does without it
      if (find(key.path) == nullptr) rows_.push_back({SettingRef{}, key});
    }
  }
}

void KeyTable::add_families() {
  for (const routing::Family* family : catalogue_.families) {
    const auto before = std::find_if(sections_.begin(), sections_.end(),
                                     [](const Section& s) { return s.path == kFirstOfRun; });
    sections_.insert(before, family->sections.begin(), family->sections.end());
    for (spec::Key key : family->keys) {
      key.path = keep(routing::path_of(key.path));
      if (find(key.path) == nullptr) rows_.push_back({SettingRef{}, key});
    }
  }
}

void KeyTable::add_patterns() {
  for (const spec::PatternDeclaration* pattern : patterns()) {
    for (const spec::Key& key : pattern->keys) {
      if (find(key.path) == nullptr) rows_.push_back({SettingRef{}, key});
    }
  }
}

std::string KeyTable::describe_patterns() const {
  std::string aliases;
  std::vector<std::string_view> needs;
  for (const spec::PatternDeclaration* pattern : patterns()) {
    for (const std::string_view alias : pattern->aliases)
      aliases += fmt::format("{}`{}` is `{}`", aliases.empty() ? "" : ", ", alias, pattern->name);
    if (!pattern->needs.empty() &&
        std::find(needs.begin(), needs.end(), pattern->needs) == needs.end())
      needs.push_back(pattern->needs);
  }
  std::string out = "Who sends to whom";
  if (!aliases.empty()) out += fmt::format(" ({})", aliases);
  const auto idle =
      std::find_if(patterns().begin(), patterns().end(), [](const auto* p) { return p->idle; });
  if (idle != patterns().end())
    out += fmt::format(". With a job it is what the other terminals send, by default `{}`",
                       (*idle)->name);
  if (!needs.empty()) out += fmt::format(". {}", fmt::join(needs, "; "));
  return out + ".";
}

spec::KeyPlaces places_of(const KeyTable& table, const NetworkConfig& config) {
  spec::KeyPlaces places;
  for (const Row& row : table.rows()) {
    with_field(config, row, [&](const auto& field) {
      places[std::string(row.key.path)] = {field.where, field.written(), field.bad(), field.items};
    });
  }
  return places;
}

const Row* KeyTable::find(std::string_view path) const {
  const auto row =
      std::find_if(rows_.begin(), rows_.end(), [path](const Row& r) { return r.key.path == path; });
  return row == rows_.end() ? nullptr : &*row;
}

bool KeyTable::is_section(std::string_view path) const {
  return std::any_of(sections_.begin(), sections_.end(),
                     [path](const Section& s) { return s.path == path; });
}

std::vector<std::string> words_of(const spec::Key& key) {
  std::vector<std::string> words(key.names.begin(), key.names.end());
  for (const spec::WordForm& form : key.forms) words.push_back(display(form));
  return words;
}

std::string describe_range(const spec::Range& range) {
  return range.above_min ? fmt::format("above {}, up to {}", range.min, range.max)
                         : fmt::format("{} to {}", range.min, range.max);
}

std::string describe_allowed(const spec::Key& key) {
  const std::string range = describe_range(key.range);
  const std::vector<std::string> all = words_of(key);
  const std::string words = join_names(std::vector<std::string_view>(all.begin(), all.end()));
  const std::string integers =
      fmt::format("a list of {} to {} integers from {}", key.min_entries, key.max_entries, range);
  switch (key.type) {
    case spec::KeyType::kText: return words.empty() ? "text" : words;
    case spec::KeyType::kInteger: return "an integer from " + range;
    case spec::KeyType::kReal: return "a number " + range;
    case spec::KeyType::kFlag: return "true or false";
    case spec::KeyType::kRational:
      return "an integer, a decimal or a fraction such as 5/2, from " + range +
             ", denominator at most 16";
    case spec::KeyType::kIntegers:
      return key.scalar_or_list ? "an integer or " + integers : integers;
    case spec::KeyType::kPacketLength:
      return "an integer from " + range + ", or {min: ..., max: ...}";
    case spec::KeyType::kNames:
      return words.empty()
                 ? fmt::format("a list of {} to {} words", key.min_entries, key.max_entries)
                 : "a list of " + words;
    case spec::KeyType::kPairs: return "a map of words to words";
    case spec::KeyType::kReals: return "numbers " + range + ": one, a list, or FIRST:LAST:STEP";
    case spec::KeyType::kRoutings: break;
  }
  return "a list of " + words + ", or of maps with label, algorithm and other keys";
}

}  // namespace hopwise::config
