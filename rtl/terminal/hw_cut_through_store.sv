// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_terminal.svh"

// Store of the injection unit under cut-through: offers a packet from its head on, before its tail has come. The length field of
// the first beat says how many flits it has, as in the head flit; so many it gets, whatever its stream does.
//
// With KeepBits s_tuser_i has the beat's TKEEP in its high bits, and the first beat says how many bytes of the last one are the packet's.
// A stream breaks off where tlast comes early or late, with null bytes that the head does not say, where its source is reset (s_abort_i),
// and where no beat comes for PauseCycles cycles in which one could. Flits that are missing are made up; they, and the last flit of the
// packet in any case, are poisoned, a head that is no tail never (hw_link_guard speaks with such). What comes behind, up to tlast or a reset of the source, is discarded.
//
// Latency: a beat that is accepted at the end of cycle c-1 is offered in cycle c. Throughput: one beat in and one flit out per
//   cycle. The storage is BufferPackets * MaxFlits flits.
// Combinational paths: none from inputs to outputs.
// Assumes: AXI4-Stream rules; pop_i only while valid_o.
// Guarantees: packets are offered in order, with as many flits as their heads say. While there is room, the next flit of a packet
//   that has begun is offered within PauseCycles + 1 cycles: a sender holds channels of the network for a bounded time. A packet
//   with a wrong length field, or to a destination that the network does not have, is swallowed up to its tlast and takes no packet
//   id. error_o is high for one cycle for it, as for one whose stream breaks off, with the cause (hw_drop_pkg) and the tuser of its
//   first beat.
module hw_cut_through_store #(
  `include "hw_packet_parameters.svh"
  parameter int unsigned PauseCycles = 0,
  localparam int unsigned BytesBits = KeepBits > 1 ? $clog2(KeepBits) : 1,
  localparam int unsigned CountBits = $clog2(MaxFlits + 1)
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
  input  wire logic                        s_abort_i,  // the source is in reset: it sends nothing, and has forgotten what it has begun

  // Packets, flit by flit
  output logic                             valid_o,
  output logic [CountBits-1:0]             len_o,     // flits of the packet, while its head is offered
  output logic [StreamBits-1:0]            data_o,
  output logic                             poison_o,
  input  wire logic                        pop_i,

  // Status
  output logic                             error_o,
  output logic [hw_drop_pkg::CauseBits-1:0] error_cause_o,
  output logic [MsgBits+DstBits-1:0]       error_user_o,
  output logic                             quiescent_o
);

  if (PauseCycles == 0 || !Poison) begin : gen_bad_pause
    $error("hw_cut_through_store: PauseCycles must be at least 1, and flits have a poison bit");
  end

  localparam int unsigned LenWidth = (LenBits > 0) ? LenBits : 1;
  localparam int unsigned PauseBits = $clog2(PauseCycles + 1);
  localparam int unsigned Depth = BufferPackets * MaxFlits;

  // Of the packet that comes: flits that are still to be stored; its stream has broken off; beats that go nowhere, up to tlast.
  logic [CountBits-1:0] left_q, left;
  logic broken_q, discards_q;
  logic [PauseBits-1:0] pause_q;
  logic [IdBits-1:0] id_q;
  logic error_q;
  logic [hw_drop_pkg::CauseBits-1:0] head_cause, cause, cause_q;
  logic [MsgBits+DstBits-1:0] user_q;

  logic accept, first, refused, begins, bad_length, push, last, breaks, aborts, paused, full, empty;
  logic [StreamBits-1:0] head, beat;
  logic [31:0] length;
  logic [$clog2(Depth+1)-1:0] count;

  assign s_tready_o = discards_q ? !broken_q : !full && !broken_q;
  assign accept = s_tvalid_i && s_tready_o && !s_abort_i;
  assign first = accept && left_q == '0 && !discards_q;
  assign length = LenBits > 0 ? 32'(s_tdata_i[LenLsb+:LenWidth]) + LenOffset : 32'd1;
  assign bad_length = length < MinFlits || length > MaxFlits;
  assign cause = head_cause != hw_drop_pkg::NoCause ? head_cause
                 : bad_length ? hw_drop_pkg::BadLength : hw_drop_pkg::Broken;
  assign refused = first && (head_cause != hw_drop_pkg::NoCause || bad_length);
  assign begins = first && !refused;

  // A flit is stored: a beat, or one that is made up.
  assign push = begins || (left_q != '0 && (broken_q ? !full : accept));
  assign left = begins ? CountBits'(length) : left_q;
  assign last = left == CountBits'(1);
  assign paused = left_q != '0 && !broken_q && s_tready_o && !s_tvalid_i && pause_q == PauseBits'(PauseCycles - 1);
  assign aborts = left_q != '0 && !broken_q && s_abort_i;
  assign breaks = paused || aborts || (push && !broken_q && (s_tlast_i != last || bad_keep));

  logic bad_keep;
  if (KeepBits > 0) begin : gen_keep
    logic [BytesBits-1:0] bytes, said, said_q;
    logic bad;
    hw_tail_bytes #(.KeepBits(KeepBits)) u_bytes (
      .keep_i(s_tuser_i[MsgBits+DstBits+:KeepBits]), .last_i(s_tlast_i), .bad_o(bad), .bytes_o(bytes)
    );
    assign said = begins ? s_tdata_i[BytesLsb+:BytesBits] : said_q;
    always_ff @(posedge clk_i) if (begins) said_q <= said;
    assign bad_keep = bad || (s_tlast_i && bytes != said);
  end else begin : gen_no_keep
    assign bad_keep = 1'b0;
  end

  hw_injected_head #(`HW_PACKET_PARAMETERS, .MsgBits(MsgBits)) u_head (
    .s_tdata_i(s_tdata_i), .s_tuser_i(s_tuser_i[MsgBits+DstBits-1:0]), .src_i(src_i), .id_i(id_q), .head_o(head), .cause_o(head_cause)
  );
  always_comb begin
    beat = begins ? head : broken_q ? '0 : s_tdata_i;
    if (begins && LenBits > 0) beat[LenLsb+:LenWidth] = s_tdata_i[LenLsb+:LenWidth];
    if (begins && KeepBits > 0) beat[BytesLsb+:BytesBits] = s_tdata_i[BytesLsb+:BytesBits];
    if (begins && ParityMask != '0) beat[ParityLsb] = head[ParityLsb] ^ ^((beat ^ head) & ParityMask[StreamBits-1:0]);
  end

  logic poison;
  assign poison = (broken_q || breaks) && (!begins || last);
  hw_fifo #(.Width(FlitBits), .Depth(Depth)) u_flits (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push), .data_i({poison, beat}), .full_o(full),
    .pop_i(pop_i), .data_o({poison_o, data_o}), .empty_o(empty), .count_o(count)
  );
  assign valid_o = !empty;
  assign len_o = LenBits > 0 ? CountBits'(32'(data_o[LenLsb+:LenWidth]) + LenOffset) : CountBits'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      broken_q <= 1'b0;
      discards_q <= 1'b0;
      pause_q <= '0;
      id_q <= '0;
      error_q <= 1'b0;
    end else begin
      if (push) left_q <= left - CountBits'(1);
      if (push && last) broken_q <= 1'b0;
      else if (breaks) broken_q <= 1'b1;
      // An early tlast has nothing behind it, nor has a source that is reset.
      if (s_abort_i) discards_q <= 1'b0;
      else if (refused || breaks) discards_q <= !(accept && s_tlast_i);
      else if (accept && s_tlast_i) discards_q <= 1'b0;
      if (left_q == '0 || broken_q || accept) pause_q <= '0;
      else if (s_tready_o) pause_q <= pause_q + PauseBits'(1);
      if (begins) id_q <= id_q + 1'b1;
      error_q <= refused || breaks;
    end
  end
  always_ff @(posedge clk_i) begin
    if (first) begin
      cause_q <= cause;
      user_q <= s_tuser_i[MsgBits+DstBits-1:0];
    end
  end

  assign error_o = error_q;
  assign error_cause_o = cause_q;
  assign error_user_o = user_q;
  assign quiescent_o = count == '0 && left_q == '0 && !discards_q && !error_q;

`ifdef HW_CHECKS
  logic waited_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waited_q <= 1'b0;
    else waited_q <= s_tvalid_i && !s_tready_o && !s_abort_i;
  end
`endif
  `HW_ASSUME(a_tvalid_waits_for_tready, !waited_q || s_tvalid_i || s_abort_i)
  `HW_ASSUME(a_pop_only_what_is_offered, !pop_i || valid_o)
  `HW_ASSERT(a_broken_packets_are_not_over, !broken_q || left_q != '0)
  `HW_COVER(c_pause, paused)
  `HW_COVER(c_abort, aborts)
  `HW_COVER(c_early_tail, breaks && s_tlast_i)

endmodule

`default_nettype wire
