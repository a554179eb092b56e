// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Counts the choices between minimal and non-minimal paths that the route computations of a router make.
//
// sums_o, 32 bits each, modulo 2^32: decisions, non-minimal ones, and over all decisions the sums of the minimal path's
// queue (flits), of its estimate (flits x hops), of its contention factor and of the learned bias (flits, signed).
// Latency: a decision of cycle t is in sums_o in cycle t+1; as many decisions per cycle as there are ports.
// Combinational paths: none. Nothing changes without a decision.
module hw_decision_counters #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned EstimateWidth = 1,
  parameter int unsigned CountWidth = 1,
  localparam int unsigned Width = 2 + QueueWidth + EstimateWidth + CountWidth + 16
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic [NumPorts*Width-1:0]  decision_i,  // {bias, contention, estimate, queue, non-minimal, valid} of each port
  output logic [191:0]                    sums_o
);

  localparam int unsigned QueueLsb = 2, EstimateLsb = 2 + QueueWidth, CountLsb = EstimateLsb + EstimateWidth;
  localparam int unsigned BiasLsb = CountLsb + CountWidth;

  if (NumPorts == 0) begin : gen_bad_size
    $error("hw_decision_counters: NumPorts must be set");
  end

  logic [191:0] sums_d;

  always_comb begin
    sums_d = sums_o;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      if (decision_i[p*Width]) begin
        sums_d[0+:32] = sums_d[0+:32] + 32'd1;
        sums_d[32+:32] = sums_d[32+:32] + 32'(decision_i[p*Width+1]);
        sums_d[64+:32] = sums_d[64+:32] + 32'(decision_i[p*Width+QueueLsb+:QueueWidth]);
        sums_d[96+:32] = sums_d[96+:32] + 32'(decision_i[p*Width+EstimateLsb+:EstimateWidth]);
        sums_d[128+:32] = sums_d[128+:32] + 32'(decision_i[p*Width+CountLsb+:CountWidth]);
        sums_d[160+:32] = sums_d[160+:32] + 32'($signed(decision_i[p*Width+BiasLsb+:16]));
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sums_o <= '0;
    else sums_o <= sums_d;
  end

endmodule

`default_nettype wire
