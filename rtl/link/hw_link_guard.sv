// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"

// Stands between a link and a router (or a terminal) of which one end may be reset alone: brings both ends of the link to one state
// again, whatever was on it.
//
// Two signals travel as flits that no packet has, a head that is no tail and is marked as made up; they take no credit. Bit 0 of
// the data is their kind:
//   greeting  this side is reset, as long as that takes: it will hold nothing, and has sent nothing. It takes nothing until it is welcome.
//   welcome   the side that was greeted has no packet left that came over this link; from here on both sides count anew.
//
// The greeted side ends packets of which the tail has not come by a tail that is made up (the input unit behind makes up the flits that are
// missing, see hw_packet_sink; the terminal gets them as broken), and waits until all that it got over the link is gone: its buffers
// are empty, so the absolute number of credits of the other side is its full depth. To its own router it gives back the credit of every
// flit that was sent and for which none came; what the router sends on a VC until it has got all of these, and the rest of packets cut in
// two, is discarded.
//
// Latency: 0 for flits and credits, both ways. A side that is reset takes packets again after a round trip of the link, and the time
// that the greeted side's buffer takes to drain.
// Throughput: that of the link. Credits are given back one a cycle, where none comes over the link, with a cycle between VCs.
// Combinational paths: in_* -> to_*; to_credit_* -> in_credit_*; from_* -> out_*; out_credit_* -> from_credit_*; reset_i -> all; gates only.
// Assumes: wires of both directions have the same latency, and keep their order; a reset takes a round trip of the link, so that no
//   welcome to an earlier reset comes behind it; heads that are no tails are not made up; packets have room for all of their flits where their head is sent (virtual cut-through, store-and-forward).
// Guarantees: behind a guard, no packet without head or tail, and never more flits than credits; before it, each flit of the router
//   gets its credit once. A packet whose head is discarded raises lost_in_o or lost_out_o for one cycle. Checked by the test LinkGuard, and proved (link_guard.*).
module hw_link_guard #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,                   // the top bit marks flits that are made up
  parameter int unsigned SpaceWidth = 0,                 // holds the depth of every VC's buffer, at either end
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic  clk_i,
  input  wire logic  rst_ni,
  input  wire logic  reset_i,    // what is behind the guard is reset, or in its first cycle after that
  // The link
  `HW_CHANNEL_RECEIVER(in, 1),
  `HW_CHANNEL_SENDER(out, 1),
  // The router, or the terminal
  `HW_CHANNEL_SENDER(to, 1),
  `HW_CHANNEL_RECEIVER(from, 1),
  // A packet is lost here: it comes from the link; it was to leave
  output logic       lost_in_o,
  output logic       lost_out_o,
  output logic       idle_o      // nothing here changes without an input
);

  if (NumVcs == 0 || FlitBits < 3 || SpaceWidth == 0) begin : gen_bad_size
    $error("hw_link_guard: NumVcs and SpaceWidth must be set, and FlitBits be at least 3");
  end

  localparam logic [1:0] Joined = 2'd0, Greets = 2'd1, Clears = 2'd2, Welcomes = 2'd3;
  localparam int unsigned HeldWidth = SpaceWidth + VcWidth;

  logic [1:0] state_q, state_d;
  logic joined, signal, greeting, welcome, clear;

  assign signal = in_valid_i[0] && in_head_i[0] && !in_tail_i[0] && in_data_i[FlitBits-1];
  assign greeting = signal && !in_data_i[0];
  assign welcome = signal && in_data_i[0];
  assign joined = state_q == Joined && !reset_i;

  always_comb begin
    state_d = state_q;
    if (reset_i) state_d = Greets;
    else if (greeting) state_d = Clears;
    else if (clear) state_d = Welcomes;
    else if (state_q == Welcomes || (state_q == Greets && welcome)) state_d = Joined;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Joined;
    else state_q <= state_d;
  end

  // ---- From the link

  logic [NumVcs-1:0] open_q;                             // the packet's tail has not come
  logic [HeldWidth-1:0] held_q;                          // flits behind the guard that came over the link
  logic in_flit, closes;
  logic [VcWidth-1:0] close_vc;

  assign in_flit = in_valid_i[0] && !signal;
  assign closes = state_q == Clears && open_q != '0;
  assign clear = state_q == Clears && open_q == '0 && held_q == '0;

  always_comb begin
    close_vc = '0;
    for (int unsigned v = NumVcs; v > 0; v = v - 1) begin
      if (open_q[v-1]) close_vc = VcWidth'(v - 1);
    end
  end

  assign to_valid_o[0] = joined ? in_flit : closes;
  assign to_vc_o = joined ? in_vc_i : close_vc;
  assign to_head_o[0] = joined && in_head_i[0];
  assign to_tail_o[0] = !joined || in_tail_i[0];
  assign to_data_o = in_data_i | (FlitBits'(!joined) << (FlitBits - 1));

  assign in_credit_valid_o[0] = to_credit_valid_i[0] && joined;
  assign in_credit_vc_o = to_credit_vc_i;
  assign lost_in_o = in_flit && in_head_i[0] && !joined;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      held_q <= '0;
    end else begin
      if (to_valid_o[0] != to_credit_valid_i[0]) held_q <= to_valid_o[0] ? held_q + HeldWidth'(1) : held_q - HeldWidth'(1);
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (to_valid_o[0] && to_vc_o == VcWidth'(v)) open_q[v] <= !to_tail_o[0];
      end
    end
  end

  // ---- To the link

  // A VC is closed until the router has the credits of all flits that were sent over it, and no packet of it is under way: what
  // the router sends there is discarded. So a count of flits without a credit is one of flits on the link where the VC is open, and of credits
  // that the guard owes where it is closed. Those it pays VC by VC, from a count that is put aside. With a side that is joined it
  // puts them aside when the router sends nothing on the VC, which comes to that for want of them at the latest, and opens the VC.
  logic [NumVcs-1:0] mid_q, closed_q, busy, owes;        // mid: the head has been sent, and not the tail
  logic [NumVcs*SpaceWidth-1:0] flits_q;
  logic [SpaceWidth-1:0] aside_q, chosen;
  logic [VcWidth-1:0] aside_vc_q, chosen_vc;
  logic speaks, passes, credit, pays, chooses, shut;

  assign speaks = reset_i || state_q == Welcomes;
  assign shut = 1'(closed_q >> from_vc_i);
  assign passes = from_valid_i[0] && joined && !shut;

  assign out_valid_o[0] = speaks || passes;
  assign out_vc_o = from_vc_i;
  assign out_head_o[0] = speaks || from_head_i[0];
  assign out_tail_o[0] = !speaks && from_tail_i[0];
  assign out_data_o = speaks ? {1'b1, from_data_i[FlitBits-2:1], !reset_i} : from_data_i;
  assign lost_out_o = from_valid_i[0] && from_head_i[0] && !passes;

  assign credit = out_credit_valid_i[0] && joined;
  assign pays = !credit && aside_q != '0;
  assign from_credit_valid_o[0] = credit || pays;
  assign from_credit_vc_o = credit ? out_credit_vc_i : aside_vc_q;

  always_comb begin
    chosen = '0;
    chosen_vc = '0;
    for (int unsigned v = NumVcs; v > 0; v = v - 1) begin
      owes[v-1] = closed_q[v-1] && flits_q[(v-1)*SpaceWidth+:SpaceWidth] != '0 && !(joined && busy[v-1]);
      if (owes[v-1]) begin
        chosen = flits_q[(v-1)*SpaceWidth+:SpaceWidth];
        chosen_vc = VcWidth'(v - 1);
      end
    end
  end
  assign chooses = aside_q == '0 && owes != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aside_q <= '0;
      aside_vc_q <= '0;
    end else if (chooses) begin
      aside_q <= chosen;
      aside_vc_q <= chosen_vc;
    end else if (pays) begin
      aside_q <= aside_q - SpaceWidth'(1);
    end
  end

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    logic comes, given, leaves;                          // given: the credit of a flit that was on the link; leaves: the count, put aside
    logic [SpaceWidth-1:0] kept;
    assign comes = from_valid_i[0] && from_vc_i == VcWidth'(v);
    assign busy[v] = mid_q[v] || comes;
    assign given = credit && out_credit_vc_i == VcWidth'(v);
    assign leaves = chooses && chosen_vc == VcWidth'(v);
    assign kept = leaves ? '0 : flits_q[v*SpaceWidth+:SpaceWidth];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        mid_q[v] <= 1'b0;
        closed_q[v] <= 1'b0;
        flits_q[v*SpaceWidth+:SpaceWidth] <= '0;
      end else begin
        if (comes) mid_q[v] <= !from_tail_i[0];
        if (!joined || greeting) closed_q[v] <= 1'b1;
        else if (!busy[v] && kept == '0) closed_q[v] <= 1'b0;
        if (leaves || comes != given) flits_q[v*SpaceWidth+:SpaceWidth] <= kept + (given && !comes ? '1 : SpaceWidth'(comes && !given));
      end
    end
  end

  assign idle_o = !reset_i && (state_q == Joined || state_q == Greets) && aside_q == '0 && owes == '0 && (!joined || (closed_q & ~mid_q) == '0);

  `HW_ASSUME(a_heads_follow_tails, !from_valid_i[0] || from_head_i[0] != 1'(mid_q >> from_vc_i))
  `HW_ASSUME(a_heads_are_no_signals, !from_valid_i[0] || !from_head_i[0] || from_tail_i[0] || !from_data_i[FlitBits-1])
  `HW_ASSUME(a_credits_for_flits, !to_credit_valid_i[0] || held_q != '0)
  `HW_ASSERT(a_one_signal, !(speaks && passes))
  `HW_COVER(c_cut_both_ways, greeting && open_q != '0 && mid_q != '0)
  `HW_COVER(c_both_greet, state_q == Greets && greeting)

endmodule

`default_nettype wire
