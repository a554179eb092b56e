// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What hw_mode_selector learns from: by how much flits, stalls, responses and latency have grown when a message that decided is over,
// since the last time.
//
// Latency: of a message that is over in cycle c, the sample is offered in c+1. Combinational paths: none. A message that is over
// while a sample waits adds nothing. Sums end at 2^SumBits - 1.
// Reference: De Sensi et al., SC 2019, section 4.3; docs/reference/mode-selector.md.
module hw_mode_sampler #(
  parameter int unsigned SumBits = 0       // 32
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          flit_sent_i,
  input  wire logic          stalled_i,
  input  wire logic          rsp_i,
  input  wire logic [31:0]   rsp_latency_i,
  input  wire logic          decided_over_i,
  output logic               sample_valid_o,
  input  wire logic          sample_ready_i,
  output logic [4*SumBits-1:0] sample_o         // {flits, stalls, packets, latency}
);

  if (SumBits < 32) begin : gen_bad_width
    $error("hw_mode_sampler: SumBits must be at least 32");
  end

  logic valid_q, starts;
  logic [4*SumBits-1:0] sum_q, sum, sample_q;
  logic [SumBits:0] latency;

  assign starts = decided_over_i && !valid_q;
  assign latency = (SumBits + 1)'(sum_q[SumBits-1:0]) + (SumBits + 1)'(rsp_latency_i);
  always_comb begin
    sum = sum_q;
    if (rsp_i) sum[SumBits-1:0] = latency[SumBits] ? '1 : latency[SumBits-1:0];
    if (rsp_i && sum_q[SumBits+:SumBits] != '1) sum[SumBits+:SumBits] = sum_q[SumBits+:SumBits] + 1'b1;
    if (stalled_i && sum_q[2*SumBits+:SumBits] != '1) sum[2*SumBits+:SumBits] = sum_q[2*SumBits+:SumBits] + 1'b1;
    if (flit_sent_i && sum_q[3*SumBits+:SumBits] != '1) sum[3*SumBits+:SumBits] = sum_q[3*SumBits+:SumBits] + 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      sum_q <= '0;
    end else begin
      valid_q <= starts || (valid_q && !sample_ready_i);
      sum_q <= starts ? '0 : sum;
    end
  end
  always_ff @(posedge clk_i) if (starts) sample_q <= sum;

  assign sample_valid_o = valid_q;
  assign sample_o = sample_q;

endmodule

`default_nettype wire
