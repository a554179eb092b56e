// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_queued_output_unit, between any crossbar that keeps to the protocol and a buffer downstream that gives up its
// flits at any time: for each VC, space + flits still to come of the packet that has reserved + flits on the way in the
// crossbar + flits in the queue = QueueFlits, in every cycle; a flit leaves only within what the credits allow, a head with its
// whole packet, and whenever a queue's oldest flit may surely leave one does, so that no credit and no place is lost or made
// up; the flits of a VC leave as they are, in the order in which they came; with HoldPacket packet by packet.
//
// One flit, chosen freely, is followed: it must leave when as many of its VC have left as were before it. Bit 0 of a head is its
// length less one.
module prove_queued_credits #(
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned QueueFlits = 0,
  parameter int unsigned Switching = hw_router_pkg::VirtualCutThrough,
  parameter int unsigned GrantCycles = 0,
  parameter bit HoldPacket = 1'b0,
  localparam int unsigned SpaceWidth = 2,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input wire logic                clk_i,
  // The crossbar's grant; its flit comes GrantCycles later
  input wire logic                grant_valid_i,
  input wire logic                grant_head_i,
  input wire logic                grant_tail_i,
  input wire logic [VcWidth-1:0]  grant_vc_i,
  input wire logic [1:0]          grant_data_i,
  input wire logic                credit_valid_i,
  input wire logic [VcWidth-1:0]  credit_vc_i,
  input wire logic                choose_i
);

  localparam bit Wormhole = Switching == hw_router_pkg::Wormhole;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic out_valid, out_head, out_tail;
  logic [1:0] out_data, flit_data;
  logic [NumVcs*SpaceWidth-1:0] space, buffer_space;
  logic [NumVcs-1:0] vc_free, flit_fits;
  logic [VcWidth-1:0] out_vc, flit_vc;
  logic flit_valid, flit_head, flit_tail;

  if (GrantCycles == 0) begin : gen_flit_with_grant
    assign {flit_valid, flit_head, flit_tail, flit_vc, flit_data} =
        {grant_valid_i, grant_head_i, grant_tail_i, grant_vc_i, grant_data_i};
  end else begin : gen_flit_after_grant
    always_ff @(posedge clk_i) begin
      flit_valid <= rst_ni && grant_valid_i;
      {flit_head, flit_tail, flit_vc, flit_data} <= {grant_head_i, grant_tail_i, grant_vc_i, grant_data_i};
    end
  end

  logic [SpaceWidth-1:0] flit_need;
  assign flit_need = Wormhole || MaxFlits == 1 ? SpaceWidth'(1) : SpaceWidth'(flit_data[0]) + SpaceWidth'(1);

  hw_queued_output_unit #(
    .NumVcs(NumVcs), .FlitBits(2), .MaxFlits(MaxFlits), .VcDepths(VcDepths), .QueueFlits(QueueFlits),
    .SpaceWidth(SpaceWidth), .LenLsb(0), .LenBits(1), .LenOffset(1), .Switching(Switching),
    .GrantCycles(GrantCycles), .HoldPacket(HoldPacket)
  ) u_output (
    .clk_i, .rst_ni, .now_i(1'b0), .grant_valid_i, .grant_vc_i(NumVcs'(1) << grant_vc_i),
    .grant_head_i(grant_valid_i && grant_head_i), .grant_more_i(grant_valid_i && !grant_tail_i),
    .flit_valid_i(flit_valid), .flit_head_i(flit_head), .flit_tail_i(flit_tail), .flit_vc_i(flit_vc), .flit_need_i(flit_need),
    .flit_data_i(flit_data),
    .ready_o(), .space_o(space), .buffer_space_o(buffer_space), .vc_free_o(vc_free), .flit_fits_o(flit_fits), .vc_taken_o(), .queue_o(),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_head_o(out_head), .out_tail_o(out_tail), .out_data_o(out_data),
    .out_credit_valid_i(credit_valid_i), .out_credit_vc_i(credit_vc_i), .idle_o()
  );

  // What is on the pins left its queue in the cycle before: the link belongs to its VC until its tail.
  logic link_q;
  logic [VcWidth-1:0] link_vc_q;
  logic [NumVcs-1:0] could_leave_q, open;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) link_q <= 1'b0;
    else if (out_valid) link_q <= HoldPacket && !out_tail;
    if (out_valid) link_vc_q <= out_vc;
  end

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    localparam logic [2:0] Depth = VcDepths[v*16+:3];
    logic send, enter, leave, credit, head_next, choose, more_q, more_out_q, grant_more_q, chosen_q, follow_q, credit_q;
    logic [2:0] inside_q, downstream_q, ahead_q, crossing, reserved, need, free;
    logic [3:0] word_q;
    assign send = grant_valid_i && grant_vc_i == VcWidth'(v);
    assign enter = flit_valid && flit_vc == VcWidth'(v);
    assign leave = out_valid && out_vc == VcWidth'(v);
    assign credit = credit_valid_i && credit_vc_i == VcWidth'(v);
    assign choose = enter && choose_i && !chosen_q;
    assign crossing = 3'(GrantCycles == 1 && enter);
    assign reserved = 3'(!Wormhole && more_q);
    assign need = out_head && !Wormhole && MaxFlits > 1 ? 3'(out_data[0]) + 3'd1 : 3'd1;
    // inside_q: flits that have come, less those on the pins and before; downstream_q: places taken there, before the flit on
    // the pins
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        inside_q <= '0;
        downstream_q <= '0;
        more_q <= 1'b0;
        more_out_q <= 1'b0;
        chosen_q <= 1'b0;
        follow_q <= 1'b0;
        credit_q <= 1'b0;
      end else begin
        credit_q <= credit;
        inside_q <= inside_q + 3'(enter) - 3'(leave);
        downstream_q <= downstream_q + 3'(leave) - 3'(credit);
        if (send) more_q <= !grant_tail_i;
        if (leave) more_out_q <= !out_tail;
        if (choose) begin
          chosen_q <= 1'b1;
          follow_q <= 1'b1;
          ahead_q <= inside_q - 3'(leave);
          word_q <= {flit_data, flit_head, flit_tail};
        end else if (follow_q && leave) begin
          follow_q <= ahead_q != '0;
          ahead_q <= ahead_q - 3'd1;
        end
      end
    end
    // A flit that was in the queue, or came, in the cycle before, where the places downstream were enough for any packet
    logic [2:0] most;
    logic waiting;
    assign waiting = inside_q != 3'(leave) || enter;
    assign most = Wormhole ? 3'd1 : 3'(MaxFlits);
    assign free = Depth - downstream_q - 3'(leave);
    assign open[v] = waiting && free >= most && (!HoldPacket || !(out_valid ? !out_tail : link_q)
                                                 || (out_valid ? out_vc : link_vc_q) == VcWidth'(v));
    always_ff @(posedge clk_i) could_leave_q[v] <= rst_ni && open[v];
    always @(posedge clk_i) begin
      if (rst_ni) begin
        if (send) begin
          assume (grant_head_i == !more_q);
          assume (grant_tail_i == (MaxFlits == 1 || more_q || !grant_data_i[0]));
          if (Wormhole) assume (grant_head_i ? vc_free[v] : flit_fits[v]);
          else assume (!grant_head_i || 3'(space[v*SpaceWidth+:SpaceWidth]) >= 3'(grant_data_i[0] && MaxFlits > 1) + 3'd1);
        end
        assume (!credit || downstream_q != '0);
        assert (3'(buffer_space[v*SpaceWidth+:SpaceWidth]) + reserved + crossing + inside_q - 3'(leave)
                  == 3'(QueueFlits));
        assert (!more_q || space[v*SpaceWidth+:SpaceWidth] == '0);
        if (leave) begin
          assert (downstream_q + 3'(credit_q) + need <= Depth && inside_q != '0);
          assert (out_head == !more_out_q);
          assert (!follow_q || ahead_q != '0 || {out_data, out_head, out_tail} == word_q);
          cover (downstream_q + need == Depth && 32'(inside_q) == QueueFlits);
          cover (follow_q && ahead_q == '0 && need != 3'(MaxFlits));
        end
      end
    end
  end

  always @(posedge clk_i) begin
    assume (!grant_valid_i || (rst_ni && 32'(grant_vc_i) < NumVcs));
    assume (!credit_valid_i || 32'(credit_vc_i) < NumVcs);
    if (rst_ni) begin
      a_sends_what_may_leave: assert (could_leave_q == '0 || out_valid);
      a_packet_by_packet: assert (!(out_valid && link_q) || out_vc == link_vc_q);
    end
  end

endmodule

`default_nettype wire
