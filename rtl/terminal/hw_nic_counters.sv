// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// 64-bit counters of a message interface. Each counts the cycles in which its event happens, but for the one at WideCounter: with its
// event it grows by wide_i.
//
// Latency: an event in cycle c is in counters_o in c+2. Throughput: every event of every cycle.
// Combinational paths: none. A clear in cycle c wins over the events of that cycle and of the one before; events of cycles in
// which freeze_i is high are not counted.
// Reference: docs/reference/messages.md.
module hw_nic_counters #(
  parameter int unsigned NumCounters = 0,
  parameter int unsigned WideCounter = 0
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic                       clear_i,
  input  wire logic                       freeze_i,
  input  wire logic [NumCounters-1:0]     event_i,
  input  wire logic [31:0]                wide_i,
  output logic [NumCounters*64-1:0]       counters_o,
  output logic                            quiescent_o
);

  if (NumCounters < 2 || WideCounter >= NumCounters) begin : gen_bad_shape
    $error("hw_nic_counters: NumCounters must be at least 2, WideCounter one of them");
  end

  logic [NumCounters-1:0] event_q;
  logic [31:0] wide_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) event_q <= '0;
    else event_q <= (clear_i || freeze_i) ? '0 : event_i;
  end
  always_ff @(posedge clk_i) wide_q <= wide_i;
  assign quiescent_o = event_q == '0;

  for (genvar i = 0; i < NumCounters; i = i + 1) begin : gen_counter
    // In pieces of 16 bits: one changes where all below it are full, which is known before the event.
    localparam int unsigned First = (i == WideCounter) ? 2 : 0;
    logic [63:0] count_q, more;
    logic carry;
    always_comb begin
      more = count_q;
      carry = 1'b1;
      if (i == WideCounter) {carry, more[31:0]} = {1'b0, count_q[31:0]} + {1'b0, wide_q};
      for (int unsigned p = First; p < 4; p = p + 1) begin
        if (carry) more[16*p+:16] = count_q[16*p+:16] + 16'd1;
        carry = carry && count_q[16*p+:16] == '1;
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else if (clear_i) count_q <= '0;
      else if (event_q[i]) count_q <= more;
    end
    assign counters_o[i*64+:64] = count_q;
  end

endmodule

`default_nettype wire
