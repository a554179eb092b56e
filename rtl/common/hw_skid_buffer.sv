// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Register slice of a valid/ready stream: cuts every combinational path between its two sides.
//
// Latency: a word accepted in cycle c is on the output in cycle c+1.
// Throughput: one word per cycle, also across pauses of either side.
// Combinational paths: none; valid_o, data_o and ready_o are registers.
// Assumes: valid_i stays high, and data_i the same, until the word is accepted.
// Guarantees: the same of valid_o and data_o; words leave in order, none lost, none twice. Holds
//   at most two words. The storage is not reset.
module hw_skid_buffer #(
  parameter int unsigned Width = 0
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Upstream
  input  wire logic              valid_i,
  output logic                   ready_o,
  input  wire logic [Width-1:0]  data_i,

  // Downstream
  output logic                   valid_o,
  input  wire logic              ready_i,
  output logic [Width-1:0]       data_o
);

  if (Width == 0) begin : gen_bad_width
    $error("hw_skid_buffer: Width must be at least 1");
  end

  // The skid register catches the word that was already on its way when the consumer paused.
  logic [Width-1:0] out_q, skid_q;
  logic out_valid_q, skid_valid_q;
  logic accept, move;

  assign accept = valid_i && !skid_valid_q;
  assign move = !out_valid_q || ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_q <= 1'b0;
      skid_valid_q <= 1'b0;
    end else if (move) begin
      out_valid_q <= skid_valid_q || accept;
      skid_valid_q <= 1'b0;
    end else begin
      skid_valid_q <= skid_valid_q || accept;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      if (skid_valid_q) out_q <= skid_q;
      else if (accept) out_q <= data_i;
    end else if (accept) begin
      skid_q <= data_i;
    end
  end

  assign ready_o = !skid_valid_q;
  assign valid_o = out_valid_q;
  assign data_o = out_q;

`ifdef HW_CHECKS
  logic waited_q;
  logic [Width-1:0] waiting_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waited_q <= 1'b0;
    else waited_q <= valid_i && !ready_o;
  end
  always_ff @(posedge clk_i) waiting_q <= data_i;
`endif
  `HW_ASSUME(a_valid_waits_for_ready, !waited_q || (valid_i && data_i == waiting_q))
  `HW_ASSERT(a_skid_only_behind_output, !skid_valid_q || out_valid_q)
  `HW_COVER(c_skid_used, skid_valid_q)

endmodule

`default_nettype wire
