// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_flit_store: each VC's flits leave in the order in which they came, none lost, none twice, whatever the other VCs
// do; valid_o and next_valid_o tell which VCs hold one. The VCs' parts of the memory are apart.
//
// One flit of one VC, both chosen freely, is followed: it must leave when as many have left as were before it.
module prove_flit_store #(
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter int unsigned ReadCycles = 0,
  parameter int unsigned SmallWords = 64,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input wire logic                 clk_i,
  input wire logic                 push_i,
  input wire logic [VcWidth-1:0]   push_vc_i,
  input wire logic                 push_data_i,
  input wire logic                 pop_i,
  input wire logic [VcWidth-1:0]   pop_vc_i,
  input wire logic                 choose_i,
  input wire logic [VcWidth-1:0]   vc_i         // the VC that is watched
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [NumVcs-1:0] valid, next_valid, next_valid_q;
  logic pop_data;

  hw_flit_store #(.NumVcs(NumVcs), .FlitBits(1), .VcDepths(VcDepths), .ReadCycles(ReadCycles), .SmallWords(SmallWords)) u_dut (
    .clk_i, .rst_ni, .push_i, .push_vc_i, .push_data_i, .valid_o(valid), .next_valid_o(next_valid),
    .pop_i, .pop_vc_i, .pop_data_o(pop_data)
  );

  logic [NumVcs*4-1:0] inside_q;
  logic [NumVcs-1:0] full;
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    logic push, pop;
    assign push = push_i && 32'(push_vc_i) == v;
    assign pop = pop_i && 32'(pop_vc_i) == v;
    assign full[v] = 16'(inside_q[v*4+:4]) >= VcDepths[v*16+:16];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) inside_q[v*4+:4] <= '0;
      else inside_q[v*4+:4] <= inside_q[v*4+:4] + 4'(push) - 4'(pop);
    end
  end

  logic [VcWidth-1:0] vc_q;
  logic [3:0] inside, ahead_q;
  logic push, pop, choose, chosen_q, follow_q, leaves, check_q, word_q;
  assign inside = inside_q[vc_q*4+:4];
  assign push = push_i && push_vc_i == vc_q;
  assign pop = pop_i && pop_vc_i == vc_q;
  assign choose = push && choose_i && !chosen_q;
  assign leaves = follow_q && pop && ahead_q == '0;

  always_ff @(posedge clk_i) begin
    next_valid_q <= next_valid;
    if (!rst_ni) begin
      vc_q <= vc_i;
      chosen_q <= 1'b0;
      follow_q <= 1'b0;
      check_q <= 1'b0;
      next_valid_q <= '0;
    end else begin
      check_q <= leaves;
      if (choose) begin
        chosen_q <= 1'b1;
        follow_q <= 1'b1;
        ahead_q <= inside - 4'(pop);
        word_q <= push_data_i;
      end else if (follow_q && pop) begin
        follow_q <= ahead_q != '0;
        ahead_q <= ahead_q - 4'd1;
      end
    end
  end

  always @(posedge clk_i) begin
    assume (32'(vc_i) < NumVcs);
    if (rst_ni) begin
      assume (!push_i || (32'(push_vc_i) < NumVcs && !full[push_vc_i]));
      assume (!pop_i || (32'(pop_vc_i) < NumVcs && valid[pop_vc_i]));
      a_valid: assert (valid[vc_q] == (inside != '0) && 16'(inside) <= VcDepths[vc_q*16+:16]);
      a_next_valid: assert (next_valid_q[vc_q] == valid[vc_q]);
      a_data: assert (!(ReadCycles == 1 ? check_q : leaves) || pop_data == word_q);
      c_last_place: cover (follow_q && 16'(ahead_q) + 16'd1 == VcDepths[vc_q*16+:16] && full == '1);
      c_done: cover (check_q);
    end
  end

endmodule

`default_nettype wire
