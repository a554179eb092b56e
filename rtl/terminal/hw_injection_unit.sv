// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"
`include "hw_terminal.svh"

// Injection half of a terminal: AXI4-Stream packets in, flits on a router's input channel out.
//
// One beat is one flit. The first beat becomes the head flit: the fields that the network owns
// (destination, length, routing class, source, message class, packet id, parity) are overwritten, every
// other bit passes. s_tuser_i = {message class, destination}, the destination laid out as in the
// header; it is read with the first beat. With KeepBits it has the beat's TKEEP above, and the head says how many bytes of the tail are the
// packet's. A packet is stored up to its tlast, because the head flit
// carries the length and a slow master must not hold channels of the network. With PauseCycles the first beat says the length, and a
// packet leaves from its head on: see hw_cut_through_store for what becomes of streams that break off.
//
// Latency: a packet whose tlast beat is accepted at the end of cycle c-1 has its head flit on the
//   output pins in cycle c+1 at the earliest; with PauseCycles, a beat is a flit there. A credit on the pins in cycle c can be used in cycle
//   c+1, that is, for a flit on the pins in cycle c+2.
// Throughput: one flit each CyclesPerFlitNum/CyclesPerFlitDen cycles, back to back across packets.
//   While turn_i is low nothing is sent, between the flits of a packet either.
//   The store holds BufferPackets * MaxFlits flits (see hw_packet_store): a master that delivers one
//   beat per cycle keeps the channel busy with packets of any lengths.
// Combinational paths: none; want_o and stalled_o depend on registers, every other output is one.
// Fairness: VcSelect 0 takes the first VC with room, from one above the VC of the last packet on;
//   VcSelect 1 always takes VC (destination field modulo NumVcs), which keeps the order of packets
//   to one destination; VcSelect 2 does so for packets of the mode InOrder.
// Assumes: AXI4-Stream rules; a credit is returned only for a flit that was sent.
// Guarantees: packets leave in order, without interleaving, with PauseCycles 0 whole. NeedWhole 1: a head flit leaves
//   only when its VC has credits for all of the packet (virtual cut-through); NeedWhole 0: for one
//   flit (wormhole). A packet that is too long, too short, or bound for a destination that the network
//   does not have is swallowed up to its tlast, takes no packet id and raises error_o for one cycle
//   (see the store), as one whose source is reset before its tlast. While quiescent_o is high and the inputs are idle
//   nothing inside can change.
// Reference: Dally & Towles, Principles and Practices of Interconnection Networks, chapter 20.
module hw_injection_unit #(
  `include "hw_terminal_parameters.svh"
  localparam int unsigned BytesBits = KeepBits > 1 ? $clog2(KeepBits) : 1,
  localparam int unsigned VcWidth = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  // Static
  input  wire logic [SrcBits-1:0]          src_i,

  // AXI4-Stream slave
  input  wire logic                        s_tvalid_i,
  output logic                             s_tready_o,
  input  wire logic [StreamBits-1:0]       s_tdata_i,
  input  wire logic                        s_tlast_i,
  input  wire logic [KeepBits+MsgBits+DstBits-1:0] s_tuser_i,
  input  wire logic                        s_abort_i,  // the source is in reset: see the store

  // Channel to the router, and who else sends on it
  `HW_CHANNEL_SENDER(inj, 1),
  output logic                             want_o,   // a flit is there, and a credit for it
  input  wire logic                        turn_i,   // it may be sent
  output logic                             stalled_o,  // a flit is there, and no credit for it

  // Status
  output logic                             error_o,
  output logic [hw_drop_pkg::CauseBits-1:0] error_cause_o,
  output logic [MsgBits+DstBits-1:0]       error_user_o,
  output logic                             quiescent_o
);

  function automatic int extreme_depth(input int want_max);
    extreme_depth = 32'(VcDepths[15:0]);
    for (int v = 1; v < NumVcs; v = v + 1) begin
      if ((want_max != 0) == (32'(VcDepths[v*16+:16]) > extreme_depth)) begin
        extreme_depth = 32'(VcDepths[v*16+:16]);
      end
    end
  endfunction

  localparam int unsigned MaxDepth = extreme_depth(1);
  localparam int unsigned MinDepth = extreme_depth(0);
  localparam int unsigned NeededDepth = (NeedWhole != 0) ? MaxFlits : 1;

  if (NumVcs == 0 || FlitBits == 0) begin : gen_bad_channel
    $error("hw_injection_unit: NumVcs and FlitBits must be at least 1");
  end
  if (((VcSelect == 0) ? MaxDepth : MinDepth) < NeededDepth) begin : gen_bad_depth
    $error("hw_injection_unit: VcDepths leave no room for a packet");
  end

  localparam int unsigned CountBits = $clog2(MaxFlits + 1);
  localparam int unsigned CreditBits = $clog2(MaxDepth + 1);
  localparam int unsigned LenWidth = (LenBits > 0) ? LenBits : 1;
  localparam int unsigned NeedBits = (CountBits > CreditBits) ? CountBits : CreditBits;

  logic [CountBits-1:0] len, left_q;
  logic [NumVcs*CreditBits-1:0] credit_q, credit_d;
  logic [VcWidth-1:0] vc_q, pick, vc;
  logic [NeedBits-1:0] need;
  logic [StreamBits-1:0] flit, head;
  logic [BytesBits-1:0] bytes;                  // of the tail, if known with the packet
  logic stored, here, poison, store_quiescent;  // the head, the next flit of the packet under way is there
  logic sending_q, found, send, tail, pacer_ready, pacer_at_rest;
  logic out_valid_q, out_head_q, out_tail_q;
  logic [FlitBits-1:0] out_data_q;

  if (PauseCycles == 0) begin : gen_store
    hw_packet_store #(`HW_PACKET_PARAMETERS, .MsgBits(MsgBits)) u_store (
      .clk_i, .rst_ni, .src_i,
      .s_tvalid_i, .s_tready_o, .s_tdata_i, .s_tlast_i, .s_tuser_i, .s_abort_i,
      .valid_o(stored), .len_o(len), .bytes_o(bytes), .data_o(flit), .pop_i(send), .pop_tail_i(tail),
      .error_o, .error_cause_o, .error_user_o, .quiescent_o(store_quiescent)
    );
    assign here = 1'b1;  // all of a packet that has begun
    assign poison = 1'b0;
  end else begin : gen_cut_through
    hw_cut_through_store #(`HW_PACKET_PARAMETERS, .MsgBits(MsgBits), .PauseCycles(PauseCycles)) u_store (
      .clk_i, .rst_ni, .src_i,
      .s_tvalid_i, .s_tready_o, .s_tdata_i, .s_tlast_i, .s_tuser_i, .s_abort_i,
      .valid_o(stored), .len_o(len), .data_o(flit), .poison_o(poison), .pop_i(send),
      .error_o, .error_cause_o, .error_user_o, .quiescent_o(store_quiescent)
    );
    assign here = stored;
    assign bytes = '0;
  end

  hw_link_pacer #(.Num(CyclesPerFlitNum), .Den(CyclesPerFlitDen)) u_pacer (
    .clk_i, .rst_ni, .want_i(1'b0), .send_i(send), .ready_o(pacer_ready), .at_rest_o(pacer_at_rest)
  );

  assign need = (NeedWhole != 0) ? NeedBits'(len) : NeedBits'(1);

  if (VcSelect != 1) begin : gen_any_vc
    logic only;                                  // the VC of the destination
    logic [VcWidth-1:0] own;
    if (VcSelect == 2) begin : gen_modes
      assign only = flit[ModeLsb+:3] == hw_mode_pkg::InOrder;
      assign own = VcWidth'(32'(flit[DstLsb+:DstBits]) % NumVcs);
    end else begin : gen_no_modes
      assign only = 1'b0;
      assign own = '0;
    end
    logic [VcWidth-1:0] next_vc_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) next_vc_q <= '0;
      else if (send && !sending_q && !only) next_vc_q <= (32'(pick) == NumVcs - 1) ? '0 : pick + 1'b1;
    end
    always_comb begin
      found = 1'b0;
      pick = '0;
      // Two passes stand for a rotation: from next_vc_q up, then from 0 up.
      if (!sending_q && stored) begin
        for (int unsigned i = 0; i < 2 * NumVcs; i = i + 1) begin
          if (!found && (i >= NumVcs || i >= 32'(next_vc_q)) && (!only || i % NumVcs == 32'(own)) &&
              NeedBits'(credit_q[(i%NumVcs)*CreditBits+:CreditBits]) >= need) begin
            found = 1'b1;
            pick = VcWidth'(i % NumVcs);
          end
        end
      end
    end
  end else begin : gen_fixed_vc
    logic [31:0] dst;
    assign dst = 32'(flit[DstLsb+:DstBits]);
    assign pick = VcWidth'(dst % NumVcs);
    assign found = !sending_q && stored &&
                   NeedBits'(credit_q[32'(pick)*CreditBits+:CreditBits]) >= need;
  end

  assign vc = sending_q ? vc_q : pick;
  assign tail = sending_q ? (left_q == CountBits'(1)) : (len == CountBits'(1));
  assign want_o = pacer_ready && (sending_q ? here && credit_q[32'(vc_q)*CreditBits+:CreditBits] != '0 : found);
  assign send = want_o && turn_i;
  assign stalled_o = pacer_ready && !want_o && (sending_q ? here : stored);

  always_comb begin
    credit_d = credit_q;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (send && 32'(vc) == v && !(inj_credit_valid_i && 32'(inj_credit_vc_i) == v)) begin
        credit_d[v*CreditBits+:CreditBits] = credit_q[v*CreditBits+:CreditBits] - 1'b1;
      end
      if (!(send && 32'(vc) == v) && inj_credit_valid_i && 32'(inj_credit_vc_i) == v) begin
        credit_d[v*CreditBits+:CreditBits] = credit_q[v*CreditBits+:CreditBits] + 1'b1;
      end
    end
  end

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_credit
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) credit_q[v*CreditBits+:CreditBits] <= CreditBits'(VcDepths[v*16+:16]);
      else credit_q[v*CreditBits+:CreditBits] <= credit_d[v*CreditBits+:CreditBits];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      vc_q <= '0;
      sending_q <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      out_valid_q <= send;
      if (send) begin
        sending_q <= !tail;
        left_q <= (sending_q ? left_q : len) - 1'b1;
        vc_q <= vc;
      end
    end
  end

  always_comb begin
    head = flit;
    if (LenBits != 0) head[LenLsb+:LenWidth] = LenWidth'(32'(len) - LenOffset);
    if (KeepBits > 0 && PauseCycles == 0) head[BytesLsb+:BytesBits] = bytes;
    // Turned, not made anew: what flipped in the store stays visible.
    if (ParityMask != '0) head[ParityLsb] = flit[ParityLsb] ^ ^((head ^ flit) & ParityMask[StreamBits-1:0]);
  end
  always_ff @(posedge clk_i) begin
    if (send) begin
      out_head_q <= !sending_q;
      out_tail_q <= tail;
      out_data_q <= FlitBits'({poison, sending_q ? flit : head});
    end
  end

  assign inj_valid_o = out_valid_q;
  assign inj_vc_o = vc_q;
  assign inj_head_o = out_head_q;
  assign inj_tail_o = out_tail_q;
  assign inj_data_o = out_data_q;
  assign quiescent_o = store_quiescent && !out_valid_q && pacer_at_rest;

  `HW_ASSUME(a_credit_vc_exists, !inj_credit_valid_i || 32'(inj_credit_vc_i) < NumVcs)
  `HW_ASSUME(a_credit_only_for_sent_flit,
             !inj_credit_valid_i || 32'(credit_q[32'(inj_credit_vc_i)*CreditBits+:CreditBits]) <
                                    32'(VcDepths[32'(inj_credit_vc_i)*16+:16]))
  `HW_ASSERT(a_flit_takes_credit, !send || credit_q[32'(vc)*CreditBits+:CreditBits] != '0)
  `HW_ASSERT(a_packet_fits_where_whole, NeedWhole == 0 || !sending_q ||
             NeedBits'(credit_q[32'(vc_q)*CreditBits+:CreditBits]) >= NeedBits'(left_q))
  `HW_COVER(c_wait_for_credit, !sending_q && stored && !found)

endmodule

`default_nettype wire
