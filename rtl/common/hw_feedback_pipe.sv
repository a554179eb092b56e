// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_channel.svh"

// Delay line of the feedback that goes against a channel's flits, beside the credits of hw_link_pipe.
//
// Latency: exactly Latency (>= 1) cycles. Throughput: one word per cycle.
// Combinational paths: none. Assumes: nothing. Only the valid bit is reset.
// Reference: Boyan & Littman 1993; Kang, Wang & Lan, HPDC 2021, section 4 (values embedded in credits).
module hw_feedback_pipe #(
  parameter int unsigned Width = 0,
  parameter int unsigned Latency = 0
) (
  input  wire logic  clk_i,
  input  wire logic  rst_ni,
  // Side of the flits' receiver, and of their sender
  `HW_CHANNEL_FEEDBACK(down, Width, input wire logic, i),
  `HW_CHANNEL_FEEDBACK(up, Width, output logic, o)
);

  if (Width < 2 || Latency == 0) begin : gen_bad_size
    $error("hw_feedback_pipe: Width must be at least 2 and Latency 1");
  end

  for (genvar s = 0; s < Latency; s = s + 1) begin : gen_stage
    logic valid, valid_q;
    logic [Width-2:0] word, word_q;

    if (s == 0) begin : gen_first
      assign valid = down_feedback_i[0];
      assign word = down_feedback_i[Width-1:1];
    end else begin : gen_next
      assign valid = gen_stage[s-1].valid_q;
      assign word = gen_stage[s-1].word_q;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= valid;
    end
    always_ff @(posedge clk_i) begin
      if (valid) word_q <= word;
    end
  end

  assign up_feedback_o = {gen_stage[Latency-1].word_q, gen_stage[Latency-1].valid_q};

endmodule

`default_nettype wire
