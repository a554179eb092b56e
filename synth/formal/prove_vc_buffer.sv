// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_vc_buffer: each VC's flits leave in the order in which they came, whole, none lost, none twice, whatever the
// other VCs do; the head of line is shown as it is; with StoreAndForward complete_o tells whether a tail is in the queue. Its
// pointers stay in the VC's own part, or flits of another one would change.
//
// One flit of one VC, both chosen freely, is followed: it must show when as many have left as were before it.
module prove_vc_buffer #(
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter bit StoreAndForward = 1'b0,
  parameter int unsigned ReadCycles = 0,
  localparam int unsigned FlitBits = 2,
  localparam int unsigned RouteBits = 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input wire logic                 clk_i,
  input wire logic                 push_i,
  input wire logic [VcWidth-1:0]   push_vc_i,
  input wire logic                 push_head_i,
  input wire logic                 push_tail_i,
  input wire logic [FlitBits-1:0]  push_data_i,
  input wire logic                 pop_i,
  input wire logic [VcWidth-1:0]   pop_vc_i,
  input wire logic                 choose_i,
  input wire logic [VcWidth-1:0]   vc_i         // the VC that is watched
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [NumVcs-1:0] valid, head, tail, complete;
  logic [NumVcs*RouteBits-1:0] route_bits;
  logic [FlitBits-1:0] pop_data;

  hw_vc_buffer #(
    .NumVcs(NumVcs), .FlitBits(FlitBits), .RouteBits(RouteBits), .VcDepths(VcDepths), .StoreAndForward(StoreAndForward),
    .ReadCycles(ReadCycles)
  ) u_dut (
    .clk_i, .rst_ni, .push_i, .push_vc_i, .push_head_i, .push_tail_i, .push_data_i,
    .valid_o(valid), .head_o(head), .tail_o(tail), .route_bits_o(route_bits), .complete_o(complete),
    .pop_i, .pop_vc_i, .pop_data_o(pop_data)
  );

  // Flits in each VC, and the credits: a place is free again ReadCycles cycles later than its flit has left.
  logic [NumVcs*8-1:0] inside_q;
  logic [NumVcs-1:0] popped_q, full;
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    logic push, pop;
    assign push = push_i && 32'(push_vc_i) == v;
    assign pop = pop_i && 32'(pop_vc_i) == v;
    assign full[v] = 16'(inside_q[v*8+:8]) + 16'(ReadCycles == 1 && popped_q[v]) >= VcDepths[v*16+:16];
    always_ff @(posedge clk_i) begin
      popped_q[v] <= rst_ni && pop;
      if (!rst_ni) inside_q[v*8+:8] <= '0;
      else inside_q[v*8+:8] <= inside_q[v*8+:8] + 8'(push) - 8'(pop);
    end
  end

  logic [VcWidth-1:0] vc_q;
  logic [7:0] inside, ahead_q, tails_q;
  logic push, pop, choose, chosen_q, follow_q, leaves, check_q;
  logic [FlitBits+1:0] word_q;          // {data, head, tail}
  assign inside = inside_q[vc_q*8+:8];
  assign push = push_i && push_vc_i == vc_q;
  assign pop = pop_i && pop_vc_i == vc_q;
  assign choose = push && choose_i && !chosen_q;
  assign leaves = follow_q && pop && ahead_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      vc_q <= vc_i;
      chosen_q <= 1'b0;
      follow_q <= 1'b0;
      check_q <= 1'b0;
      tails_q <= '0;
    end else begin
      check_q <= leaves;
      tails_q <= tails_q + 8'(push && push_tail_i) - 8'(pop && tail[vc_q]);
      if (choose) begin
        chosen_q <= 1'b1;
        follow_q <= 1'b1;
        ahead_q <= inside - 8'(pop);
        word_q <= {push_data_i, push_head_i, push_tail_i};
      end else if (follow_q && pop) begin
        follow_q <= ahead_q != '0;
        ahead_q <= ahead_q - 8'd1;
      end
    end
  end

  always @(posedge clk_i) begin
    assume (32'(vc_i) < NumVcs);
    if (rst_ni) begin
      assume (!push_i || (32'(push_vc_i) < NumVcs && !full[push_vc_i]));
      assume (!pop_i || (32'(pop_vc_i) < NumVcs && valid[pop_vc_i]));
      a_valid: assert (valid[vc_q] == (inside != '0) && 16'(inside) <= VcDepths[vc_q*16+:16]);
      a_in_order: assert (!(follow_q && ahead_q == '0)
                          || {route_bits[vc_q*RouteBits+:RouteBits], head[vc_q], tail[vc_q]} == word_q[RouteBits+1:0]);
      a_data: assert (!(ReadCycles == 1 ? check_q : leaves) || pop_data == word_q[FlitBits+1:2]);
      a_complete: assert (complete[vc_q] == (!StoreAndForward || tails_q != '0));
      c_last_place: cover (follow_q && 16'(ahead_q) + 16'd1 == VcDepths[vc_q*16+:16] && full == '1);
      c_done: cover (check_q);
    end
  end

endmodule

`default_nettype wire
