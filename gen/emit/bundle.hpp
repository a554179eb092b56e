// SPDX-License-Identifier: Apache-2.0
// A proven network as files: synthesizable SystemVerilog with everything needed to use it without
// Hopwise.
#pragma once

#include <map>
#include <string>

#include "deadlock/proof.hpp"
#include "emit/shape.hpp"

namespace hopwise::emit {

/// Paths relative to the bundle's directory, with '/', and their contents.
using Files = std::map<std::string, std::string>;

/// The whole bundle: library and emitted modules under rtl/, file lists, FuseSoC .core, SDC,
/// manifest.json, certificate.json, network.yaml, PORTS.md, Makefile with a smoke test. The same
/// network gives the same bytes.
Files emit_bundle(const deadlock::ProvenNetwork& network);

/// The text of a manifest, a JSON object, with its own hash as the last entry.
std::string sealed(const std::string& manifest);
/// The manifest is as it was sealed, to the byte.
bool is_sealed(const std::string& manifest);

/// The node of a shape and its library files. `top` receives the module's name.
Files emit_node(const deadlock::ProvenNetwork& network, const RouterShape& shape, std::string& top);

/// Lowest bit of each wire of a channel in the byte that stands for the flit or the credit of a
/// port.
using MetaLayout = std::map<std::string, unsigned>;
/// The module that a router model is compiled from, around the node of a shape: its pins carry such
/// bytes and whole words. `top` receives its name.
Files emit_model(const RouterShape& shape, const MetaLayout& layout, std::string& top);

/// The same of a model of terminals, and the lowest bit of each pin of a host in the vector of
/// those that it drives, and that its interface drives.
struct ModelLayout {
  MetaLayout wires, host_inputs, host_outputs;
  unsigned host_input_bits = 0, host_output_bits = 0;
};
/// The module that the model of a network's terminals is compiled from, where they have message
/// interfaces, with its library files. `top` receives its name.
Files emit_terminal_model(const deadlock::ProvenNetwork& network, const RouterShape& shape,
                          const ModelLayout& layout, std::string& top);

/// The routing unit of a shape with its library files, in a top that asks one input port at a time.
/// `top` receives the module's name.
Files emit_unit(const RouterShape& shape, std::string& top);

/// The SystemVerilog library, path under rtl/ -> text: as it was when the generator was built, and
/// what extensions added.
const std::map<std::string, std::string>& rtl_library();
/// Adds files (name -> text) as extension/NAME, before anything is emitted. The names of those that
/// are not added, since the library has a file of that name.
std::vector<std::string> extend_rtl_library(const std::map<std::string, std::string>& files);

}  // namespace hopwise::emit
