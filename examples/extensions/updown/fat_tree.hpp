// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hopwise/extension.hpp"

namespace fat_tree {

extern const hopwise::topology::Kind kKind;

inline bool is_fat_tree(const hopwise::spec::TopologySpec& t) { return t.kind == "fat_tree"; }
inline unsigned leaves(const hopwise::spec::TopologySpec& t) { return t.settings.number("leaves"); }
inline unsigned spines(const hopwise::spec::TopologySpec& t) { return t.settings.number("spines"); }

}  // namespace fat_tree
