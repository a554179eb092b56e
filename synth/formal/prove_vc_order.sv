// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// Proves of hw_vc_order with ranks, of an input port that asks in its order and is granted now and then: while a VC asks, at most
// (RankPackets + 1) * V - 1 packets of other VCs go, V being the VCs of its rank; then it is due, and only VCs that are due as well ask
// before it, each of which goes once at most.
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
  logic [7:0] passed_q;                        // packets of other VCs since it asks
  logic [NumVcs-1:0] since_due_q;              // VCs that were served since it is due

  function automatic int unsigned due_after(input int unsigned vc);
    due_after = 0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) if (Ranks[v*4+:4] == Ranks[vc*4+:4]) due_after = due_after + RankPackets + 1;
    due_after = due_after - 1;
  endfunction

  logic [NumVcs-1:0] due;                      // who has let so many go, asking, since it was served
  logic [7:0] bound;                           // of the VC that is watched
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    logic [7:0] let_go_q;
    assign due[v] = 32'(let_go_q) >= due_after(v);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || served[v]) let_go_q <= '0;
      else if (request_i[v] && served != '0 && head_i && !due[v]) let_go_q <= let_go_q + 8'd1;
    end
  end
  always_comb begin
    bound = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) if (32'(one_q) == v) bound = 8'(due_after(v));
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
      if (due[one_q]) since_due_q <= since_due_q | served;
    end
  end

  always @(posedge clk_i) begin
    assume (32'(one_i) < NumVcs);
    if (rst_ni) begin
      assume (request_i[one_q] || !asks_q);            // who asks keeps asking until it is served
      a_one: assert ($onehot0(tried) && (tried & ~request_i) == '0);
      a_somebody: assert (request_i == '0 || tried != '0);
      a_bound: assert (passed_q <= bound + 8'(NumVcs - 1));
      a_due: assert (passed_q < bound || due[one_q]);
      a_due_ask: assert (!due[one_q] || !request_i[one_q] || (tried & due) != '0);
      a_once: assert (!due[one_q] || (served & since_due_q) == '0);
      c_due: cover (passed_q == bound && granted_i && tried[one_q]);
    end
  end

endmodule

`default_nettype wire
