// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Resets the router of a node alone, at the request of software, while the network runs; hw_link_guard at each port tells the
// neighbours. CSR block and links are not reset.
//
// Latency: request_i rises in cycle t; rst_no is low from t+1 to t+Cycles, reset_o is high until t+Cycles+1.
// Throughput: a reset in Cycles + 2 cycles; a request within a reset has no effect.
// Combinational paths: none. rst_no comes from a register, and falls and rises in step with clk_i.
module hw_node_reset #(
  parameter int unsigned Cycles = 0  // at least a round trip of the longest link
) (
  input  wire logic  clk_i,
  input  wire logic  rst_ni,
  input  wire logic  request_i,  // its rise is the request
  output logic       rst_no,     // reset of the router and of its guards; low with rst_ni, too
  output logic       reset_o     // the router is reset alone, or in its first cycle after that
);

  if (Cycles == 0) begin : gen_bad_cycles
    $error("hw_node_reset: Cycles must be at least 1");
  end

  localparam int unsigned CountWidth = $clog2(Cycles + 2);

  logic [CountWidth-1:0] count_q;
  logic request_q, rst_q, reset_q, start;

  assign start = request_i && !request_q && !reset_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      request_q <= 1'b0;
      rst_q <= 1'b0;
      reset_q <= 1'b0;
    end else begin
      request_q <= request_i;
      if (start) count_q <= CountWidth'(Cycles);
      else if (count_q != '0) count_q <= count_q - CountWidth'(1);
      rst_q <= !start && count_q <= CountWidth'(1);
      reset_q <= start || count_q != '0;
    end
  end

  assign rst_no = rst_q;
  assign reset_o = reset_q;

endmodule

`default_nettype wire
