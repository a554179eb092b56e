// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The read-only words of a router's CSR block that say what the router is and has: all of them parameters, and the coordinates.
//
// Latency: 0. Combinational paths: all inputs -> all outputs.
// Reference: docs/reference/csr.md (identity and capabilities).
module hw_csr_identity #(
  parameter logic [63:0] NetworkHash = 64'h0,
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned NumCfg = 0,
  parameter int unsigned TableWindow = 0,
  parameter int unsigned NumEvents = 1,
  parameter bit HasCounters = 1'b0
) (
  input  wire logic [63:0]  coord_i,   // static
  input  wire logic [31:0]  word_i,    // word address
  output logic              known_o,   // the address is one of these
  output logic [31:0]       data_o     // 0 where known_o is low
);

  if (NumPorts == 0 || NumVcs == 0 || FlitBits == 0 || MaxFlits == 0 || NumCfg == 0) begin : gen_bad_router
    $error("hw_csr_identity: NumPorts, NumVcs, FlitBits, MaxFlits and NumCfg must be at least 1");
  end

  assign known_o = word_i <= hw_csr_pkg::Features;

  always_comb begin
    case (word_i)
      hw_csr_pkg::Id: data_o = hw_csr_pkg::IdValue;
      hw_csr_pkg::Version: data_o = hw_csr_pkg::VersionValue;
      hw_csr_pkg::Hash: data_o = NetworkHash[31:0];
      hw_csr_pkg::Hash + 32'd1: data_o = NetworkHash[63:32];
      hw_csr_pkg::Coord: data_o = coord_i[31:0];
      hw_csr_pkg::Coord + 32'd1: data_o = coord_i[63:32];
      hw_csr_pkg::Ports: data_o = NumPorts;
      hw_csr_pkg::Vcs: data_o = NumVcs;
      hw_csr_pkg::FlitBits: data_o = FlitBits;
      hw_csr_pkg::MaxFlits: data_o = MaxFlits;
      hw_csr_pkg::CfgWords: data_o = NumCfg;
      hw_csr_pkg::TableWords: data_o = TableWindow;
      hw_csr_pkg::Features: data_o = {16'h0, 8'(NumEvents), 7'h0, HasCounters};
      default: data_o = '0;
    endcase
  end

endmodule

`default_nettype wire
