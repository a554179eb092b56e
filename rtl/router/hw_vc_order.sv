// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// The order in which the VCs of an input port ask for the switch: the one that was served least recently goes first.
//
// Yield 1: a VC that asked and was not granted stands back, so that the port asks for another output in the next cycle, until
// the port is served. A VC that has been overtaken three times, by VCs that were served more recently than it, does not stand
// back any more: it is due. So a VC that keeps asking is served after finitely many grants to its port.
//
// Ranks, with Yield: of the VCs that do not stand back those of the lowest rank go first, the least recently served of them. A VC ahead of which
// (RankPackets + 1) * V - 1 packets have gone, V being the VCs of its rank, is due: it goes before all that are not, until it is served, so that
// it asks its output without a pause, but for others that are due as well, which go once each. So the last of two ranks has at least
// 1 / (RankPackets + 1) of the port.
//
// Latency: what is served in cycle t counts from cycle t+1 on. Combinational paths: none; ahead_o is a register with Yield,
// else it depends on registers only. Without requests nothing changes.
// Reference: Dally & Towles, section 18.5 (matrix arbiter: least recently served).
module hw_vc_order #(
  parameter int unsigned NumVcs = 0,
  parameter bit Yield = 1'b0,
  parameter bit [NumVcs*4-1:0] Ranks = '0,          // of their message classes, 0 first
  parameter int unsigned RankPackets = 1
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,
  input  wire logic [NumVcs-1:0]        request_i,
  input  wire logic [NumVcs-1:0]        tried_i,    // the VC that asks in this cycle; at most one
  input  wire logic [NumVcs-1:0]        served_i,   // the VC that is granted; at most one
  input  wire logic                     head_i,     // the head of its packet; of no account without Ranks
  output logic [NumVcs*NumVcs-1:0]      ahead_o     // of each VC: those that go ahead of it
);

  if (NumVcs == 0) begin : gen_bad_size
    $error("hw_vc_order: NumVcs must be set");
  end

  `HW_LEAST_RECENT(first_vc, NumVcs)

  // VCs of the rank of a VC.
  function automatic int unsigned peers(input int unsigned vc);
    peers = 0;
    for (int unsigned w = 0; w < NumVcs; w = w + 1) begin
      if (Ranks[w*4+:4] == Ranks[vc*4+:4]) peers = peers + 1;
    end
  endfunction

  logic [NumVcs*NumVcs-1:0] order_q, order_d;

  assign order_d = served_i != '0 ? first_vc_served(order_q, served_i) : order_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) order_q <= first_vc_served({NumVcs*NumVcs{1'b1}}, '0);
    else order_q <= order_d;
  end

  if (Yield) begin : gen_yield
    localparam bit Ranked = Ranks != '0;
    localparam int unsigned CountBits = Ranked ? $clog2((RankPackets + 1) * NumVcs) : 2;
    logic [NumVcs*NumVcs-1:0] ahead_q, older, above, order;
    logic [NumVcs*CountBits-1:0] overtaken_q;
    logic [NumVcs-1:0] lost_q, lost_d, due, due_d, is_due;

    assign older = first_vc_ahead(order_q, '0);
    assign lost_d = served_i != '0 ? '0 : lost_q | tried_i;
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
      logic passed;                                  // another VC is served that this one goes ahead of; with Ranks, any other
      localparam int unsigned Overtaken = Ranked ? (RankPackets + 1) * peers(v) - 1 : 3;
      logic [CountBits-1:0] overtaken_d;
      assign due[v] = overtaken_q[v*CountBits+:CountBits] == CountBits'(Overtaken);
      assign due_d[v] = overtaken_d == CountBits'(Overtaken);
      always_comb begin
        passed = Ranked && head_i && request_i[v] && served_i != '0;
        for (int unsigned w = 0; w < NumVcs; w = w + 1) begin
          if (!Ranked && served_i[w] && older[w*NumVcs+v]) passed = request_i[v];
        end
        overtaken_d = overtaken_q[v*CountBits+:CountBits];
        if (served_i[v]) overtaken_d = '0;
        else if (passed && !due[v]) overtaken_d = overtaken_d + CountBits'(1);
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) overtaken_q[v*CountBits+:CountBits] <= '0;
        else overtaken_q[v*CountBits+:CountBits] <= overtaken_d;
      end
      for (genvar w = 0; w < NumVcs; w = w + 1) begin : gen_other
        assign above[v*NumVcs+w] = Ranks[w*4+:4] < Ranks[v*4+:4] && !(due_d[v] && due_d[w]);
      end
    end
    assign is_due = Ranked ? due_d : due;
    assign order = first_vc_prefer(first_vc_ahead(order_d, above), ~lost_d | is_due);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        lost_q <= '0;
        ahead_q <= first_vc_ahead(first_vc_served({NumVcs*NumVcs{1'b1}}, '0), '0);
      end else begin
        lost_q <= lost_d;
        ahead_q <= Ranked ? first_vc_prefer(order, is_due) : order;
      end
    end
    assign ahead_o = ahead_q;
    wire unused = &{1'b0, head_i, due_d};
  end else begin : gen_in_order
    assign ahead_o = first_vc_ahead(order_q, '0);
    wire unused = &{1'b0, request_i, tried_i, head_i};
  end

endmodule

`default_nettype wire
