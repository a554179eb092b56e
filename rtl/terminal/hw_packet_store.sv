// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_terminal.svh"

// Store of the injection unit: takes AXI4-Stream packets, one beat per flit, writes the fields that
// the network owns into the first beat, and offers the packets that are complete.
//
// The length, in flits and with KeepBits in bytes, is known only at tlast, so it is offered beside the flits; the caller puts it in, and turns the parity bit. With
// KeepBits s_tuser_i has the beat's TKEEP in its high bits.
//
// Latency: a packet whose tlast beat is accepted at the end of cycle c-1 is offered in cycle c.
// Throughput: one beat in and one flit out per cycle, back to back, whatever the lengths. The storage
//   is BufferPackets * MaxFlits flits: that many of the longest packets, or as many shorter ones as
//   it takes to send one flit per cycle while the longest one comes in.
// Combinational paths: none from inputs to outputs.
// Assumes: AXI4-Stream rules; pop_i only while valid_o, pop_tail_i with the last flit of a packet.
// Guarantees: packets are offered whole and in order. A packet of another length, with null bytes but
//   at its end, or to a destination that the network does not have, is swallowed up to its tlast, takes no packet id and
//   raises error_o for one cycle, with the cause (hw_drop_pkg) and the tuser of its first beat. So is one whose source is
//   reset before its tlast (s_abort_i); the next beat begins a packet. Under cut-through: hw_cut_through_store.
module hw_packet_store #(
  `include "hw_packet_parameters.svh"
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

  // Complete packets, flit by flit
  output logic                             valid_o,
  output logic [CountBits-1:0]             len_o,   // flits of the oldest packet
  output logic [BytesBits-1:0]             bytes_o, // of its tail, less 1; with KeepBits
  output logic [StreamBits-1:0]            data_o,  // its next flit
  input  wire logic                        pop_i,
  input  wire logic                        pop_tail_i,

  // Status
  output logic                             error_o,
  output logic [hw_drop_pkg::CauseBits-1:0] error_cause_o,
  output logic [MsgBits+DstBits-1:0]       error_user_o,
  output logic                             quiescent_o
);

  localparam int unsigned Depth = BufferPackets * MaxFlits;
  localparam int unsigned PtrBits = $clog2(Depth);
  localparam logic [PtrBits-1:0] Last = PtrBits'(Depth - 1);
  // While one packet of MaxFlits comes in, the others must hold as many flits: the shortest need most.
  localparam int unsigned Shortest = (MaxFlits + MinFlits - 1) / MinFlits + 1;
  localparam int unsigned Packets = (Shortest > BufferPackets) ? Shortest : BufferPackets;
  localparam int unsigned LenCountBits = $clog2(Packets + 1);
  localparam int unsigned UsedBits = $clog2(Depth + 1);
  localparam logic [CountBits-1:0] Full = CountBits'(MaxFlits);

  logic [StreamBits-1:0] mem_q [0:Depth-1];
  logic [PtrBits-1:0] wr_q, start_q, wr_next, rd_q;
  logic [CountBits-1:0] count_q, count_next;
  logic [UsedBits-1:0] used_q, used_d;   // flits stored, those of an incomplete packet included
  logic dropping_q, error_q, first;
  logic [hw_drop_pkg::CauseBits-1:0] head_cause, cause_q;  // of the packet that comes in
  logic [MsgBits+DstBits-1:0] user_q;
  logic [IdBits-1:0] id_q;
  logic len_full, len_empty;
  logic [LenCountBits-1:0] len_count;
  logic accept, store, good, aborts, ends_badly;
  logic [StreamBits-1:0] beat, head;
  logic bad_keep;                        // null bytes of the beat make its packet a bad one
  localparam int unsigned LengthBits = CountBits + (KeepBits > 0 ? BytesBits : 0);
  logic [LengthBits-1:0] length, length_out;

  // An incomplete packet always finds room in the end: the complete ones leave.
  assign s_tready_o = !len_full && 32'(used_q) != Depth;
  assign accept = s_tvalid_i && s_tready_o && !s_abort_i;
  assign aborts = s_abort_i && (count_q != '0 || dropping_q);
  assign ends_badly = aborts || (accept && s_tlast_i && !good);
  assign first = count_q == '0 && !dropping_q;
  assign store = accept && !dropping_q && count_q != Full && !(first && head_cause != '0) && !bad_keep;
  assign good = store && s_tlast_i && count_next >= CountBits'(MinFlits);
  assign wr_next = (wr_q == Last) ? '0 : wr_q + 1'b1;
  assign count_next = count_q + 1'b1;

  if (KeepBits > 0) begin : gen_keep
    logic [BytesBits-1:0] bytes;
    hw_tail_bytes #(.KeepBits(KeepBits)) u_bytes (
      .keep_i(s_tuser_i[MsgBits+DstBits+:KeepBits]), .last_i(s_tlast_i), .bad_o(bad_keep), .bytes_o(bytes)
    );
    assign length = {bytes, count_next};
    assign bytes_o = length_out[CountBits+:BytesBits];
  end else begin : gen_no_keep
    assign bad_keep = 1'b0;
    assign length = count_next;
    assign bytes_o = '0;
  end
  assign len_o = length_out[CountBits-1:0];

  hw_injected_head #(`HW_PACKET_PARAMETERS, .MsgBits(MsgBits)) u_head (
    .s_tdata_i(s_tdata_i), .s_tuser_i(s_tuser_i[MsgBits+DstBits-1:0]), .src_i(src_i), .id_i(id_q), .head_o(head), .cause_o(head_cause)
  );
  assign beat = count_q == '0 ? head : s_tdata_i;
  always_ff @(posedge clk_i) begin
    if (accept && first) begin
      cause_q <= head_cause != '0 ? head_cause : hw_drop_pkg::BadLength;
      user_q <= s_tuser_i[MsgBits+DstBits-1:0];
    end else if (aborts && !dropping_q) begin
      cause_q <= hw_drop_pkg::Broken;
    end
  end
  assign error_cause_o = cause_q;
  assign error_user_o = user_q;

  always_comb begin
    used_d = used_q;
    if (ends_badly) used_d = used_d - UsedBits'(count_q);
    else if (store) used_d = used_d + 1'b1;
    if (pop_i) used_d = used_d - 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_q <= '0;
      start_q <= '0;
      count_q <= '0;
      used_q <= '0;
      dropping_q <= 1'b0;
      error_q <= 1'b0;
      id_q <= '0;
    end else begin
      used_q <= used_d;
      error_q <= ends_badly;
      if (ends_badly) begin
        count_q <= '0;
        dropping_q <= 1'b0;
        wr_q <= start_q;
      end else if (accept) begin
        if (s_tlast_i) begin
          count_q <= '0;
          wr_q <= wr_next;
          start_q <= wr_next;
          id_q <= id_q + 1'b1;
        end else if (store) begin
          count_q <= count_next;
          wr_q <= wr_next;
        end else begin
          dropping_q <= 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (store) mem_q[wr_q] <= beat;
  end

  hw_fifo #(.Width(LengthBits), .Depth(Packets)) u_lengths (
    .clk_i, .rst_ni,
    .push_i(good), .data_i(length), .full_o(len_full),
    .pop_i(pop_i && pop_tail_i), .data_o(length_out), .empty_o(len_empty), .count_o(len_count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rd_q <= '0;
    else if (pop_i) rd_q <= (rd_q == Last) ? '0 : rd_q + 1'b1;
  end

  assign data_o = mem_q[rd_q];
  assign valid_o = !len_empty;
  assign error_o = error_q;
  assign quiescent_o = len_count == '0 && count_q == '0 && !dropping_q && !error_q;

`ifdef HW_CHECKS
  logic waited_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waited_q <= 1'b0;
    else waited_q <= s_tvalid_i && !s_tready_o && !s_abort_i;
  end
`endif
  `HW_ASSUME(a_tvalid_waits_for_tready, !waited_q || s_tvalid_i || s_abort_i)
  `HW_ASSUME(a_pop_only_what_is_offered, !pop_i || valid_o)
  `HW_ASSERT(a_incomplete_packet_is_stored, 32'(used_q) >= 32'(count_q))
  `HW_COVER(c_drop_too_long, dropping_q)
  `HW_COVER(c_abort, aborts)
  `HW_COVER(c_flits_fill_the_store, 32'(used_q) == Depth)

endmodule

`default_nettype wire
