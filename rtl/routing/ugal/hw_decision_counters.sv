// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Counts the choices between minimal and non-minimal paths that the route computations of a router make.
//
// sums_o, 32 bits each, modulo 2^32: decisions, non-minimal ones, and over all decisions the sums of the minimal path's
// queue (flits), of its estimate (flits x hops), of its contention factor and of the learned bias (flits, signed).
// Latency: a decision of cycle t is in sums_o in cycle t+3; as many decisions per cycle as there are ports.
// Combinational paths: none. Without decisions nothing changes once at_rest_o is high.
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
  output logic [191:0]                    sums_o,
  output logic                            at_rest_o
);

  localparam int unsigned QueueLsb = 2, EstimateLsb = 2 + QueueWidth, CountLsb = EstimateLsb + EstimateWidth;
  localparam int unsigned BiasLsb = CountLsb + CountWidth;
  localparam int unsigned More = $clog2(NumPorts + 1);  // bits that a sum over all ports has more

  if (NumPorts == 0) begin : gen_bad_size
    $error("hw_decision_counters: NumPorts must be set");
  end

  logic [NumPorts*Width-1:0] decision_q;
  logic [Width-1:0] one;
  logic decided, decided_q, summed_q;

  // Sums over the decisions of one cycle.
  logic [More-1:0] number_d, number_q, nonminimal_d, nonminimal_q;
  logic [QueueWidth+More-1:0] queue_d, queue_q;
  logic [EstimateWidth+More-1:0] estimate_d, estimate_q;
  logic [CountWidth+More-1:0] count_d, count_q;
  logic signed [16+More-1:0] bias_d, bias_q;

  always_comb begin
    decided = 1'b0;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) decided = decided | decision_i[p*Width];
  end

  always_comb begin
    number_d = '0;
    nonminimal_d = '0;
    queue_d = '0;
    estimate_d = '0;
    count_d = '0;
    bias_d = '0;
    one = '0;
    if (decided_q) begin
      for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
        one = decision_q[p*Width] ? decision_q[p*Width+:Width] : '0;
        number_d = number_d + More'(one[0]);
        nonminimal_d = nonminimal_d + More'(one[1]);
        queue_d = queue_d + (QueueWidth + More)'(one[QueueLsb+:QueueWidth]);
        estimate_d = estimate_d + (EstimateWidth + More)'(one[EstimateLsb+:EstimateWidth]);
        count_d = count_d + (CountWidth + More)'(one[CountLsb+:CountWidth]);
        bias_d = bias_d + (16 + More)'($signed(one[BiasLsb+:16]));
      end
    end
  end

  logic [191:0] sums_q;
  assign sums_o = sums_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      decided_q <= 1'b0;
      summed_q <= 1'b0;
      sums_q <= '0;
    end else begin
      decided_q <= decided;
      summed_q <= decided_q;
      if (summed_q) begin
        sums_q[0+:32] <= sums_q[0+:32] + 32'(number_q);
        sums_q[32+:32] <= sums_q[32+:32] + 32'(nonminimal_q);
        sums_q[64+:32] <= sums_q[64+:32] + 32'(queue_q);
        sums_q[96+:32] <= sums_q[96+:32] + 32'(estimate_q);
        sums_q[128+:32] <= sums_q[128+:32] + 32'(count_q);
        sums_q[160+:32] <= sums_q[160+:32] + 32'(bias_q);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (decided) decision_q <= decision_i;
    if (decided_q) begin
      number_q <= number_d;
      nonminimal_q <= nonminimal_d;
      queue_q <= queue_d;
      estimate_q <= estimate_d;
      count_q <= count_d;
      bias_q <= bias_d;
    end
  end

  assign at_rest_o = !decided_q && !summed_q;

endmodule

`default_nettype wire
