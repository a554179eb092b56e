// SPDX-License-Identifier: Apache-2.0
// The register map (gen/spec/csr_map.hpp) in the languages of those who use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emit/shape.hpp"
#include "spec/csr_map.hpp"
#include "spec/message_csr_map.hpp"

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

/// The same of the registers in front of a message interface: rtl/terminal/hw_message_csr_pkg.sv,
/// the table of docs/reference/message-registers.md, `NAME_messages.h` and `NAME_messages.rdl`.
std::string message_register_package();
std::string message_register_table();
std::string message_register_header(const RouterShape& shape,
                                    const deadlock::ProvenNetwork& network);
std::string message_register_rdl(const RouterShape& shape, const deadlock::ProvenNetwork& network);
/// How often a register is there, and what it reads after reset; nullopt: what the terminal's
/// address says, or nothing certain.
unsigned message_count(const csr::Register& r);
std::optional<std::uint32_t> message_reset_value(const csr::Register& r, const RouterShape& shape);

}  // namespace hopwise::emit
