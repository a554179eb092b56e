// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// Discards the flits of an input port that go nowhere, beside the allocator: it takes no part in that.
//
// A refused packet is discarded flit by flit, from its head to its tail, as the tail mark says that came with it: its length may
// be what is wrong. A packet that is sent ends where its head says. Where its tail comes later, what is left is discarded; where
// its tail comes earlier, the flits that are missing are made up (pad_o), as the routers that follow count on them. So a false
// length harms its packet only.
//
// For each flit that is discarded the port asks for nothing for a cycle (slot_o), every second cycle while there are any: neither
// they nor the packets of the other VCs wait for each other for long. VCs take turns.
//
// With ReadCycles 1 a tail mark is known a cycle after its flit was popped, late in that cycle. Where it is not the one that the
// length makes one expect, nothing is granted in that cycle (withdraw_o): true packets wait for no mark.
//
// Latency: a refused head is discarded from the cycle after refused_i on. With ReadCycles 1 pop_tail_i belongs to the pop of the
// cycle before. Throughput: a flit every second cycle.
// Combinational paths: pop_tail_i -> withdraw_o, next_* with ReadCycles 1; grant_* -> next_drains_o, made_up_o with 0; else none.
// Assumes: refused_i holds until its head is taken; nothing is granted with withdraw_o, and no VC in drains_o or refused_i.
// Guarantees: what is taken is a refused packet, or flits between the end of a packet and its tail; all of them.
module hw_packet_sink #(
  parameter int unsigned NumVcs = 0,
  parameter bit SingleFlit = 1'b0,                       // every flit is a tail
  parameter int unsigned ReadCycles = 0,                 // of the flit store
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [NumVcs-1:0]   here_i,      // the VC holds a flit
  input  wire logic [NumVcs-1:0]   refused_i,   // the VC's next flit is the head of a packet that goes nowhere
  // The flit that is granted, and the tail mark of the flit that is popped
  input  wire logic                grant_i,
  input  wire logic [VcWidth-1:0]  grant_vc_i,
  input  wire logic                grant_last_i,  // by the length of its packet
  input  wire logic                pop_tail_i,
  // Discarding
  output logic                     slot_o,      // the first flit of slot_vc_o is popped, and nothing is requested
  output logic                     slot_head_o,  // it is the head of a refused packet
  output logic [VcWidth-1:0]       slot_vc_o,
  output logic                     withdraw_o,  // nothing is granted in this cycle, of any VC
  output logic [NumVcs-1:0]        drains_o,    // the VC requests nothing: its flits up to a tail go nowhere
  output logic [NumVcs-1:0]        next_drains_o,  // the same in the next cycle
  output logic [NumVcs-1:0]        pad_o,       // the VC's packet goes on without flits: a grant pops none
  output logic [NumVcs-1:0]        next_pad_o,  // the same in the next cycle, unless the packet ends
  output logic                     made_up_o    // such a grant's flit leaves: ReadCycles after the grant
);

  if (NumVcs == 0 || ReadCycles > 1) begin : gen_bad_size
    $error("hw_packet_sink: NumVcs must be set, ReadCycles 0 or 1");
  end

  `HW_ROUND_ROBIN(next_vc, NumVcs, VcWidth)

  logic slot_q;
  logic [VcWidth-1:0] slot_vc_q;
  logic [NumVcs-1:0] drains_q, drains_d, pad_q, pad_d, waits;
  logic false_frame;                             // the mark is not the one that the length makes one expect

  if (SingleFlit) begin : gen_single
    assign {drains_q, drains_d, pad_q, pad_d, false_frame, made_up_o} = '0;
    wire unused = &{1'b0, grant_i, grant_vc_i, grant_last_i, pop_tail_i};
  end else begin : gen_multi
    // A flit leaves or is discarded: whether its packet, its tail are over with it.
    logic moves, last, padded, drained, seen, seen_last, seen_padded, seen_drained;
    logic [VcWidth-1:0] moves_vc, seen_vc;
    logic [NumVcs-1:0] padding_ends;
    assign moves = slot_q || grant_i;
    assign moves_vc = slot_q ? slot_vc_q : grant_vc_i;
    assign last = slot_q || grant_last_i;
    assign padded = !slot_q && (pad_q & (NumVcs'(1) << grant_vc_i)) != '0;
    assign drained = slot_q && !slot_head_o;
    assign padding_ends = grant_i && grant_last_i ? NumVcs'(1) << grant_vc_i : '0;
    hw_pipe_register #(.Width(1), .Registered(ReadCycles > 0), .Cleared(1'b1)) u_seen (
      .clk_i(clk_i), .rst_ni(rst_ni), .data_i(moves), .data_o(seen)
    );
    hw_pipe_register #(.Width(VcWidth + 3), .Registered(ReadCycles > 0)) u_seen_flit (
      .clk_i(clk_i), .rst_ni(rst_ni), .data_i({moves_vc, last, padded, drained}),
      .data_o({seen_vc, seen_last, seen_padded, seen_drained})
    );
    assign made_up_o = seen && seen_padded;
    assign false_frame = seen && !seen_padded && !seen_drained && seen_last != pop_tail_i;
    always_comb begin
      drains_d = drains_q;
      pad_d = pad_q;
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (seen && !seen_padded && seen_vc == VcWidth'(v)) begin
          drains_d[v] = seen_last && !pop_tail_i;
          if (!seen_last && pop_tail_i) pad_d[v] = 1'b1;
        end
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        drains_q <= '0;
        pad_q <= '0;
      end else begin
        drains_q <= drains_d;
        pad_q <= pad_d & ~padding_ends;
      end
    end
  end

  assign waits = here_i & ((ReadCycles > 0 ? drains_d : drains_q) | refused_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) slot_q <= 1'b0;
    else slot_q <= waits != '0 && !slot_q;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) slot_vc_q <= '0;
    else if (waits != '0 && !slot_q) slot_vc_q <= next_vc(waits, slot_vc_q == VcWidth'(NumVcs - 1) ? '0 : slot_vc_q + VcWidth'(1));
  end

  assign slot_o = slot_q;
  assign slot_vc_o = slot_vc_q;
  assign slot_head_o = slot_q && (drains_q & (NumVcs'(1) << slot_vc_q)) == '0;
  assign withdraw_o = slot_q || (ReadCycles > 0 && false_frame);
  assign drains_o = drains_q;
  assign next_drains_o = drains_d;
  assign pad_o = pad_q;
  assign next_pad_o = pad_d;

  `HW_ASSERT(a_grants_leave_the_slot_alone, !(withdraw_o && grant_i))
  `HW_ASSERT(a_only_what_goes_nowhere, !slot_q || ((drains_q | refused_i) & here_i & (NumVcs'(1) << slot_vc_q)) != '0)
  `HW_ASSERT(a_nothing_that_goes_nowhere_is_granted, !grant_i || ((drains_q | refused_i) & (NumVcs'(1) << grant_vc_i)) == '0)

endmodule

`default_nettype wire
