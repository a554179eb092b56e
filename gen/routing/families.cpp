// SPDX-License-Identifier: Apache-2.0
// The one list of built-in families, and how a family is found in a list.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "routing/dor/dor.hpp"
#include "routing/dqn/dqn.hpp"
#include "routing/family.hpp"
#include "routing/message_classes.hpp"
#include "routing/q/q.hpp"
#include "routing/star_channel/star_channel.hpp"
#include "routing/ugal/ugal.hpp"
#include "routing/valiant/valiant.hpp"

namespace hopwise::routing {

Families builtin_families() {
  static constexpr std::array<const Family*, 6> kFamilies{&dor::kFamily,     &star_channel::kFamily,
                                                          &valiant::kFamily, &ugal::kFamily,
                                                          &q::kFamily,       &dqn::kFamily};
  return kFamilies;
}

const Family* find_family(Families families, std::string_view name) {
  const auto has = [name](const Family* family) {
    return std::ranges::find(family->variants, name, &Variant::name) != family->variants.end();
  };
  const auto at = std::ranges::find_if(families, has);
  return at == families.end() ? nullptr : *at;
}

const Variant* find_variant(Families families, std::string_view name) {
  const Family* family = find_family(families, name);
  if (family == nullptr) return nullptr;
  return &*std::ranges::find(family->variants, name, &Variant::name);
}

const Family& family_of(Families families, const spec::RoutingSpec& routing) {
  const Family* family = find_family(families, routing.algorithm);
  if (family != nullptr) return *family;
  std::fprintf(stderr, "hopwise::routing: no family has '%s'\n", routing.algorithm.c_str());
  std::abort();
}

std::string_view default_variant(Families families, const spec::TopologySpec& topology) {
  for (const Family* family : families) {
    for (const Variant& variant : family->variants) {
      if (family->fits(topology, variant.name)) return variant.name;
    }
  }
  return "";
}

std::unique_ptr<RoutingRelation> make_relation(Families families, const spec::NetworkSpec& spec,
                                               const topology::Topology& topology) {
  return by_message_class(family_of(families, spec.routing).relation(spec, topology), spec.router);
}

std::vector<VcClass> with_counts(std::vector<VcClass> classes,
                                 const std::vector<unsigned>& vcs_per_class) {
  classes.resize(std::min(classes.size(), vcs_per_class.size()));
  unsigned first = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    classes[i].first = first;
    classes[i].count = vcs_per_class[i];
    first += classes[i].count;
  }
  return classes;
}

}  // namespace hopwise::routing
