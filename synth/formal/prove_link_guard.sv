// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of two hw_link_guard at the ends of a link, of which either node is reset alone at any times, under any traffic of packets of up to
// Depth flits that have room for all of their flits where they begin: no node ever gets more credits than its packets have taken, nor
// more flits than its buffer holds; what it gets is heads, each followed by its rest; and a node that has been at rest for a round trip has
// all of its credits.
module prove_link_guard #(
  parameter int unsigned Depth = 2,
  parameter int unsigned Latency = 1,
  localparam int unsigned SpaceWidth = $clog2(Depth + 1)
) (
  input wire logic        clk_i,
  input wire logic [1:0]  request_i,
  input wire logic [1:0]  begin_i,     // a packet, of one flit or of Depth
  input wire logic [1:0]  long_i,
  input wire logic [1:0]  go_i,        // the next flit of a packet
  input wire logic [1:0]  drain_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [1:0] node_rst_no, to_valid_o, to_vc_o, to_head_o, to_tail_o, to_credit_valid_i, to_credit_vc_i;
  logic [1:0] from_valid_i, from_vc_i, from_head_i, from_tail_i, from_credit_valid_o, from_credit_vc_o;
  logic [1:0] lost_in_o, lost_out_o, idle_o;
  logic [5:0] to_data_o, from_data_i;
  assign from_vc_i = '0;
  assign to_credit_vc_i = '0;
  assign from_data_i = '0;

  hw_link_guard_bench #(.NumVcs(1), .FlitBits(3), .SpaceWidth(SpaceWidth), .Latency(Latency)) u_dut (.*);

  logic [1:0] no_credit_too_many, no_flit_too_many, heads_first, all_credits, cut, rests;
  logic was_cut_q;
  logic [3:0] rest_q;                  // cycles for which both nodes and guards have been at rest
  for (genvar n = 0; n < 2; n = n + 1) begin : gen_node
    logic [SpaceWidth-1:0] credits_q, held_q, left_q;   // left: flits of the packet under way that have not been sent
    logic open_q, begins, sends;
    assign begins = begin_i[n] && left_q == '0 && credits_q >= (long_i[n] ? SpaceWidth'(Depth) : SpaceWidth'(1));
    assign sends = node_rst_no[n] && (begins || (go_i[n] && left_q != '0));
    assign from_valid_i[n] = sends;
    assign from_head_i[n] = begins;
    assign from_tail_i[n] = begins ? !long_i[n] : left_q == SpaceWidth'(1);
    assign to_credit_valid_i[n] = node_rst_no[n] && drain_i[n] && held_q != '0;
    always_ff @(posedge clk_i) begin
      if (!node_rst_no[n]) begin
        credits_q <= SpaceWidth'(Depth);
        held_q <= '0;
        left_q <= '0;
        open_q <= 1'b0;
      end else begin
        credits_q <= credits_q - SpaceWidth'(sends) + SpaceWidth'(from_credit_valid_o[n]);
        held_q <= held_q + SpaceWidth'(to_valid_o[n]) - SpaceWidth'(to_credit_valid_i[n]);
        if (sends) left_q <= begins ? (long_i[n] ? SpaceWidth'(Depth - 1) : '0) : left_q - SpaceWidth'(1);
        if (to_valid_o[n]) open_q <= !to_tail_o[n];
      end
    end
    assign no_credit_too_many[n] = !(node_rst_no[n] && from_credit_valid_o[n]) || credits_q < SpaceWidth'(Depth);
    assign no_flit_too_many[n] = !(node_rst_no[n] && to_valid_o[n]) || held_q < SpaceWidth'(Depth);
    assign heads_first[n] = !(node_rst_no[n] && to_valid_o[n]) || to_head_o[n] == !open_q;
    assign rests[n] = node_rst_no[n] && idle_o[n] && held_q == '0 && left_q == '0 && !to_valid_o[n] && !from_valid_i[n];
    assign all_credits[n] = credits_q == SpaceWidth'(Depth);
    assign cut[n] = node_rst_no[n] && to_valid_o[n] && open_q && to_data_o[3*n+2];
  end

  always_ff @(posedge clk_i) begin
    was_cut_q <= rst_ni && (was_cut_q || cut != '0);
    if (rests != '1) rest_q <= '0;
    else if (rest_q != 4'(2 * Latency + 2)) rest_q <= rest_q + 4'd1;
    if (rst_ni) begin
      a_all_credits: assert (rest_q != 4'(2 * Latency + 2) || all_credits == '1);
      a_no_credit_too_many: assert (no_credit_too_many == '1);
      a_no_flit_too_many: assert (no_flit_too_many == '1);
      a_heads_first: assert (heads_first == '1);
      c_cut: cover (cut != '0);
      c_rest_after_reset: cover (rest_q == 4'(2 * Latency + 2) && was_cut_q);
      c_lost: cover (lost_in_o != '0 && lost_out_o != '0);
    end
  end

endmodule

`default_nettype wire
