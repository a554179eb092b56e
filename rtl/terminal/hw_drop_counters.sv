// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Counts the packets that a router drops, by cause, and keeps the head of the last one, beside hw_csr that shows them; or those that
// network interfaces refuse, with a port for each of their streams.
//
// Latency: what is dropped in cycle t shows from t+1 on. Throughput: a packet of every port in every cycle. Of several in one cycle
// the head of the highest port is kept. Combinational paths: none.
module hw_drop_counters #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned CountBits = 16,
  parameter int unsigned Causes = 32'(hw_drop_pkg::HopLimit),
  parameter logic [Causes*hw_drop_pkg::CauseBits-1:0] Counted = 18'o654321,  // their numbers, of the first in the low bits
  localparam int unsigned CauseBits = hw_drop_pkg::CauseBits,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  // Per input port, see hw_router, or stream, see hw_network_interface
  input  wire logic [NumPorts-1:0]            drop_i,
  input  wire logic [NumPorts*CauseBits-1:0]  drop_cause_i,
  input  wire logic [NumPorts*RouteBits-1:0]  drop_bits_i,
  // Per cause, the first in the low bits: packets, modulo 2^CountBits
  output logic [Causes*CountBits-1:0]         counts_o,
  // The last one: its cause, 0 before there is one; its input port; the low bits of its head
  output logic [CauseBits-1:0]                last_cause_o,
  output logic [PortWidth-1:0]                last_port_o,
  output logic [RouteBits-1:0]                last_bits_o
);

  if (NumPorts == 0 || RouteBits == 0 || CountBits == 0 || Causes == 0) begin : gen_bad_size
    $error("hw_drop_counters: NumPorts, RouteBits, CountBits and Causes must be set");
  end

  logic [Causes*CountBits-1:0] counts_q, counts_d;
  logic [CauseBits-1:0] cause_q, cause_d;
  logic [PortWidth-1:0] port_q, port_d;
  logic [RouteBits-1:0] bits_q, bits_d;

  always_comb begin
    counts_d = counts_q;
    cause_d = cause_q;
    port_d = port_q;
    bits_d = bits_q;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      if (drop_i[p]) begin
        cause_d = drop_cause_i[p*CauseBits+:CauseBits];
        port_d = PortWidth'(p);
        bits_d = drop_bits_i[p*RouteBits+:RouteBits];
      end
      for (int unsigned c = 0; c < Causes; c = c + 1) begin
        counts_d[c*CountBits+:CountBits] = counts_d[c*CountBits+:CountBits]
            + CountBits'(drop_i[p] && drop_cause_i[p*CauseBits+:CauseBits] == Counted[c*CauseBits+:CauseBits]);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counts_q <= '0;
      cause_q <= '0;
      port_q <= '0;
    end else if (drop_i != '0) begin
      counts_q <= counts_d;
      cause_q <= cause_d;
      port_q <= port_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (drop_i != '0) bits_q <= bits_d;
  end

  assign counts_o = counts_q;
  assign last_cause_o = cause_q;
  assign last_port_o = port_q;
  assign last_bits_o = bits_q;

`ifdef HW_CHECKS
  logic [NumPorts-1:0] uncounted;
  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_check
    logic [Causes-1:0] is;
    for (genvar c = 0; c < Causes; c = c + 1) begin : gen_cause
      assign is[c] = drop_cause_i[p*CauseBits+:CauseBits] == Counted[c*CauseBits+:CauseBits];
    end
    assign uncounted[p] = drop_i[p] && is == '0;
  end
`endif
  `HW_ASSUME(a_drops_have_a_cause, uncounted == '0)

endmodule

`default_nettype wire
