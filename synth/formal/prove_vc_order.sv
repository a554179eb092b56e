// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// Proves of hw_vc_order with ranks, of an input port that asks in its order and is granted now and then: while a VC asks, at most
// (RankPackets + 1) * V - 1 packets of other VCs go, V being the VCs of its rank, and then at most one of each other VC, which was
// due before it; and who is due asks until it is served, but for others that are due.
module prove_vc_order #(
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*4-1:0] Ranks = '0,
  parameter int unsigned RankPackets = 1,
  localparam int unsigned IndexWidth = $clog2(NumVcs)
) (
  input wire logic                   clk_i,
  input wire logic [NumVcs-1:0]      request_i,
  input wire logic                   granted_i,   // the VC that asks
  input wire logic                   head_i,
  input wire logic [IndexWidth-1:0]  one_i        // the VC that is watched
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  `HW_LEAST_RECENT(first, NumVcs)

  logic [NumVcs*NumVcs-1:0] ahead;
  logic [NumVcs-1:0] tried, served;
  assign tried = first(request_i, ahead);
  assign served = granted_i ? tried : '0;

  hw_vc_order #(.NumVcs(NumVcs), .Yield(1'b1), .Ranks(Ranks), .RankPackets(RankPackets)) u_order (
    .clk_i, .rst_ni, .request_i, .tried_i(tried), .served_i(served), .head_i, .ahead_o(ahead)
  );

  logic [IndexWidth-1:0] one_q;
  logic asks_q;
  logic [7:0] passed_q, due_after;             // packets of other VCs since it asks; with so many it is due
  logic [NumVcs-1:0] since_due_q;              // VCs that were served since it is due
  always_comb begin
    due_after = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      for (int unsigned o = 0; o < NumVcs; o = o + 1) begin
        if (32'(one_q) == o && Ranks[v*4+:4] == Ranks[o*4+:4]) due_after = due_after + 8'(RankPackets + 1);
      end
    end
    due_after = due_after - 8'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) one_q <= one_i;
    if (!rst_ni || !request_i[one_q] || served[one_q]) begin
      asks_q <= 1'b0;
      passed_q <= '0;
      since_due_q <= '0;
    end else begin
      asks_q <= 1'b1;
      if (served != '0 && head_i) passed_q <= passed_q + 8'd1;
      if (passed_q >= due_after) since_due_q <= since_due_q | served;
    end
  end

  always @(posedge clk_i) begin
    assume (32'(one_i) < NumVcs);
    if (rst_ni) begin
      assume (request_i[one_q] || !asks_q);            // who asks keeps asking until it is served
      a_one: assert ($onehot0(tried) && (tried & ~request_i) == '0);
      a_somebody: assert (request_i == '0 || tried != '0);
      a_bound: assert (passed_q <= due_after + 8'(NumVcs - 1));
      a_due: assert (!(passed_q >= due_after) || (served & since_due_q) == '0);
      c_due: cover (passed_q == due_after && granted_i && tried[one_q]);
    end
  end

endmodule

`default_nettype wire
