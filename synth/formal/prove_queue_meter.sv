// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_queue_meter: queue_o is what its table of metrics says, for any flits and credits of a queue and buffer that
// they fit into.
module prove_queue_meter #(
  parameter int unsigned Depth = 0,
  parameter int unsigned QueueFlits = 0,
  parameter int unsigned Metric = 0,
  parameter int unsigned FlightCycles = 0,
  localparam int unsigned QueueWidth = $clog2(Depth + QueueFlits + 1)
) (
  input wire logic clk_i,
  input wire logic enter_i,
  input wire logic send_i,
  input wire logic credit_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [QueueWidth-1:0] queue;
  logic at_rest;
  hw_queue_meter #(
    .NumVcs(1), .VcDepths(16'(Depth)), .QueueFlits(QueueFlits), .QueueMetric(Metric), .FlightCycles(FlightCycles),
    .QueueWidth(QueueWidth)
  ) u_dut (
    .clk_i, .rst_ni, .enter_i, .send_i, .credit_i, .queue_o(queue), .at_rest_o(at_rest)
  );

  logic [7:0] local_q, used_q, flying;     // flits in the queue; without credit; sent in the last FlightCycles cycles
  logic [15:0] sent_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      local_q <= '0;
      used_q <= '0;
      sent_q <= '0;
    end else begin
      local_q <= local_q + 8'(enter_i) - 8'(send_i);
      used_q <= used_q + 8'(send_i) - 8'(credit_i);
      sent_q <= {sent_q[14:0], send_i};
    end
  end
  always_comb begin
    flying = '0;
    for (int unsigned i = 0; i < FlightCycles; i = i + 1) flying = flying + 8'(sent_q[i]);
  end

  logic [7:0] all;
  assign all = local_q + used_q;

  always @(posedge clk_i) begin
    if (rst_ni) begin
      assume (!enter_i || 32'(local_q) < QueueFlits || send_i);
      assume (!send_i || ((local_q != '0 || enter_i) && 32'(used_q) < Depth));
      assume (!credit_i || used_q != '0);
      if (Metric == 1) a_local: assert (8'(queue) == local_q);
      if (Metric == 2) a_used: assert (8'(queue) == used_q);
      if (Metric == 3) a_both: assert (8'(queue) == all);
      if (Metric == 4) a_not_in_flight: assert (8'(queue) == (all > flying ? all - flying : 8'd0));
      a_at_rest: assert (at_rest || Metric == 4);
      c_full: cover (32'(all) == Depth + QueueFlits);
      c_in_flight: cover (Metric != 4 || (flying > all && all != '0));
    end
  end

endmodule

`default_nettype wire
