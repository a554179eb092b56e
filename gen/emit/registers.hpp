// SPDX-License-Identifier: Apache-2.0
// The register map (gen/spec/csr_map.hpp) in the languages of those who use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emit/shape.hpp"
#include "spec/csr_map.hpp"

namespace hopwise::emit {

/// rtl/terminal/hw_csr_pkg.sv: word addresses.
std::string register_package();
/// The tables of docs/reference/csr.md: registers, events and causes of drops.
std::string register_table();

/// Of the CSR block of this router: rows of csr::kEvents up to the last that it needs.
unsigned num_events(const RouterShape& shape);
/// A register is in the CSR block of this router, so many times; 0: it is not.
unsigned count(const csr::Register& r, const RouterShape& shape, bool counters);
/// What a register that does not depend on coordinates reads after reset: word `word` of its
/// `index`th. nullopt: it does, or what the table holds.
std::optional<std::uint32_t> reset_value(const csr::Register& r, const RouterShape& shape,
                                         const deadlock::ProvenNetwork& network, unsigned index,
                                         unsigned word);

/// C99: addresses, fields, events. `NAME_csr.h` of a bundle.
std::string register_header(const std::vector<RouterShape>& shapes,
                            const deadlock::ProvenNetwork& network);
/// SystemRDL 2.0: `NAME.rdl` of a bundle; the address map of a router, and of the network.
std::string register_rdl(const std::vector<RouterShape>& shapes,
                         const deadlock::ProvenNetwork& network);

}  // namespace hopwise::emit
