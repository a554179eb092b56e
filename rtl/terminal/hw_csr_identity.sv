// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The read-only words of a router's CSR block that say what the router is and has: all of them parameters, and the coordinates.
//
// Latency: 0. Combinational paths: all inputs -> all outputs.
// Reference: docs/reference/csr.md (identity and capabilities).
module hw_csr_identity #(
  parameter logic [31:0] Version = 32'h0,
  parameter logic [63:0] NetworkHash = 64'h0,
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned NumCfg = 0,
  parameter int unsigned TableWindow = 0,
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

  assign known_o = word_i <= 32'hC;

  always_comb begin
    case (word_i)
      32'h0: data_o = 32'h484F_5057;
      32'h1: data_o = Version;
      32'h2: data_o = NetworkHash[31:0];
      32'h3: data_o = NetworkHash[63:32];
      32'h4: data_o = coord_i[31:0];
      32'h5: data_o = coord_i[63:32];
      32'h6: data_o = NumPorts;
      32'h7: data_o = NumVcs;
      32'h8: data_o = FlitBits;
      32'h9: data_o = MaxFlits;
      32'hA: data_o = NumCfg;
      32'hB: data_o = TableWindow;
      32'hC: data_o = {31'h0, HasCounters};
      default: data_o = '0;
    endcase
  end

endmodule

`default_nettype wire
