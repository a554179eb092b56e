// SPDX-License-Identifier: Apache-2.0
// Parameters that the units of several families have; internal to routing.
#pragma once

#include <vector>

#include "routing/unit.hpp"
#include "support/bits.hpp"

namespace hopwise::routing {

void append(std::vector<Parameter>& to, std::vector<Parameter> more);

/// The least bit or the width of each field.
Vector each(unsigned topology::HeaderField::*member,
            const std::vector<topology::HeaderField>& fields);

/// DimSizes, DstLsbs, DstBits, SlotLsb, SlotBits of a torus or mesh.
std::vector<Parameter> grid_parameters(const UnitContext& c);
/// EscapeVcs0, EscapeVcs1.
std::vector<Parameter> escape_parameters(const UnitContext& c);
/// For Unit::late_ports, where the head says all.
std::vector<bool> no_port(const UnitContext& c);
/// Parts of one, as a configuration word has them: at most 2^bits - 1.
std::uint32_t fraction(double value, unsigned bits);

/// Reward and arrival of a routing that learns from every hop: parameters of hw_router.
std::vector<Parameter> timing_parameters(const UnitContext& c);

}  // namespace hopwise::routing
