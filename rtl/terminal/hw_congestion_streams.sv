// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"
`include "hw_terminal.svh"

// A network interface, or with several message classes a class interface, with notifications of congestion: it answers marked packets with
// some, and tells of those that come. They are packets of one flit, which go between the packets of the master of class NoteClass into the
// same store, and are taken out of the stream to the slave of that class.
//
// Latency, throughput, guarantees: as hw_network_interface or hw_class_interface; a notification takes one beat of the master's stream. A
// notification on the pins in cycle t is on heard_*_o in t+1; a marked head in t is answered by a head on the pins in t+4 at the earliest,
// with several classes in t+5.
// Combinational paths: m_tready_i and s_tvalid_i to none but beat_o; s_tready_o depends on registers.
// Fairness: of marked heads of several classes in one cycle the lowest class is notified.
// Assumes: as hw_network_interface; MinFlits 1. The slave takes packets of NoteClass whatever the other streams do. The congestion field
// {notification, mark} is directly above the message class.
// Guarantees: taking a packet never waits for sending a notification (see hw_congestion_notifier), and a notification asks for no other
// packet, so the network's freedom from deadlock rests on the same premise as without.
// Reference: docs/reference/congestion.md.
module hw_congestion_streams #(
  parameter int unsigned NumClasses = 1,
  parameter bit [NumClasses*4-1:0] Ranks = '0,           // see hw_class_interface, as RankPackets
  parameter int unsigned RankPackets = 1,
  parameter int unsigned NoteClass = 0,                  // of notifications: one that no terminal answers
  `include "hw_terminal_parameters.svh"
  parameter int unsigned EjectDepth = 0,                 // flits
  localparam int unsigned InBits = MsgBits + DstBits, OutBits = 32'(Poison) + MsgBits + SrcBits,
  localparam int unsigned VcWidth = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  // Static, and configuration
  input  wire logic [SrcBits-1:0]          src_i,
  input  wire logic [11:0]                 gap_i,        // cycles between notifications

  // A notification that comes, of the destination; beats that are taken from the masters, and where their packets go
  output logic                             heard_valid_o,
  output logic [DstBits-1:0]               heard_dst_o,
  output logic [NumClasses-1:0]            beat_o,
  output logic [NumClasses*DstBits-1:0]    dst_o,

  `include "hw_class_streams.svh"
  output logic [NumClasses-1:0]            stalled_o,    // with several classes: a flit is there, and no credit for it
  output logic                             quiescent_o
);

  if (MinFlits != 1 || LenOffset != 0 || SrcBits != DstBits || KeepBits != 0 || NoteClass >= NumClasses) begin : gen_bad_format
    $error("hw_congestion_streams: MinFlits must be 1, LenOffset and KeepBits 0, SrcBits be DstBits, and NoteClass a class");
  end

  localparam int unsigned LenWidth = (LenBits > 0) ? LenBits : 1;

  localparam int unsigned FullIn = InBits + 2, FullOut = OutBits + 2;  // of tuser, with {notification, mark}
  localparam int unsigned MarkLsb = MsgBits + SrcBits;

  // Between the filters and the interface
  logic [NumClasses-1:0] in_valid, in_ready, in_last, out_valid, out_ready, out_marked;
  logic [NumClasses*StreamBits-1:0] in_data;
  logic [NumClasses*FullIn-1:0] in_user, error_user;
  logic [NumClasses*FullOut-1:0] out_user;
  logic ni_quiescent, notifier_quiescent, note_valid, note_ready;
  logic [SrcBits-1:0] note_dst, marked_src;

  for (genvar c = 0; c < NumClasses; c = c + 1) begin : gen_class
    // ---- In: a notification goes between two packets.
    logic notes, inside_q;
    logic [DstBits-1:0] dst_q;
    if (c == NoteClass) begin : gen_notes
      assign note_ready = in_ready[c] && !inside_q && !s_abort_i[c];
      assign notes = note_valid && !inside_q && !s_abort_i[c];
    end else begin : gen_no_notes
      assign notes = 1'b0;
    end
    assign in_valid[c] = s_tvalid_i[c] || notes;
    assign in_last[c] = s_tlast_i[c] || notes;
    assign in_user[c*FullIn+:FullIn] = notes ? {2'b10, MsgBits'(NumClasses > 1 ? c : 0), note_dst} : {2'b00, s_tuser_i[c*InBits+:InBits]};
    always_comb begin
      in_data[c*StreamBits+:StreamBits] = notes ? '0 : s_tdata_i[c*StreamBits+:StreamBits];
      if (LenBits > 0 && notes) in_data[c*StreamBits+LenLsb+:LenWidth] = LenWidth'(1);  // read with PauseCycles
    end
    assign s_tready_o[c] = in_ready[c] && !notes;
    assign beat_o[c] = s_tvalid_i[c] && s_tready_o[c] && !s_abort_i[c];
    assign dst_o[c*DstBits+:DstBits] = inside_q ? dst_q : s_tuser_i[c*InBits+:DstBits];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) inside_q <= 1'b0;
      else if (s_abort_i[c]) inside_q <= 1'b0;
      else if (beat_o[c]) inside_q <= !s_tlast_i[c];
    end
    always_ff @(posedge clk_i) begin
      if (beat_o[c]) dst_q <= dst_o[c*DstBits+:DstBits];
    end

    // ---- Out: a notification is taken as it comes.
    logic is_note, out_inside_q;
    assign is_note = out_user[c*FullOut+MarkLsb+1];
    assign out_ready[c] = m_tready_i[c] || is_note;
    assign m_tvalid_o[c] = out_valid[c] && !is_note;
    assign out_marked[c] = out_valid[c] && out_ready[c] && !out_inside_q && !is_note && out_user[c*FullOut+MarkLsb];
    if (c == NoteClass) begin : gen_heard
      assign heard_valid_o = out_valid[c] && !out_inside_q && is_note;
    end
    if (Poison) begin : gen_poison
      assign m_tuser_o[c*OutBits+:OutBits] = {out_user[c*FullOut+MarkLsb+2], out_user[c*FullOut+:MarkLsb]};
    end else begin : gen_no_poison
      assign m_tuser_o[c*OutBits+:OutBits] = out_user[c*FullOut+:OutBits];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) out_inside_q <= 1'b0;
      else if (out_valid[c] && out_ready[c]) out_inside_q <= !m_tlast_o[c];
    end
    assign error_user_o[c*InBits+:InBits] = error_user[c*FullIn+:InBits];
    wire unused_flags = &{1'b0, error_user[c*FullIn+InBits+:2]};

    `HW_ASSERT(a_notifications_are_short, !(out_valid[c] && is_note) || (c == NoteClass && m_tlast_o[c] && !out_inside_q))
    `HW_COVER(c_master_waits_for_a_notification, s_tvalid_i[c] && in_ready[c] && !s_tready_o[c])
  end

  always_comb begin
    marked_src = '0;
    for (int unsigned c = NumClasses; c > 0; c = c - 1) begin
      if (out_marked[c-1]) marked_src = out_user[(c-1)*FullOut+:SrcBits];
    end
  end

  hw_congestion_notifier #(.SrcBits(SrcBits)) u_notifier (
    .clk_i(clk_i), .rst_ni(rst_ni), .gap_i(gap_i),
    .mark_valid_i(|out_marked), .mark_src_i(marked_src),
    .note_valid_o(note_valid), .note_ready_i(note_ready), .note_dst_o(note_dst), .quiescent_o(notifier_quiescent)
  );

  assign heard_dst_o = out_user[NoteClass*FullOut+:SrcBits];

  `define HW_BEHIND_FILTERS \
    .clk_i(clk_i), .rst_ni(rst_ni), .src_i(src_i), \
    .s_tvalid_i(in_valid), .s_tready_o(in_ready), .s_tdata_i(in_data), .s_tlast_i(in_last), .s_tuser_i(in_user), .s_abort_i(s_abort_i), \
    .m_tvalid_o(out_valid), .m_tready_i(out_ready), .m_tdata_o(m_tdata_o), .m_tlast_o(m_tlast_o), .m_tuser_o(out_user), \
    `HW_CHANNEL_LANE(inj, inj, o, i, 0), `HW_CHANNEL_LANE(ej, ej, i, o, 0), \
    .error_o(error_o), .error_cause_o(error_cause_o), .error_user_o(error_user), .bad_parity_o(bad_parity_o), .broken_o(broken_o), \
    .quiescent_o(ni_quiescent)

  if (NumClasses == 1) begin : gen_one
    hw_network_interface #(
      `HW_PACKET_PARAMETERS, .MsgBits(MsgBits + 2), `HW_CHANNEL_PARAMETERS, .EjectDepth(EjectDepth)
    ) u_interface (`HW_BEHIND_FILTERS);
    assign stalled_o = '0;
    wire unused_ranks = &{1'b0, Ranks, RankPackets};
  end else begin : gen_classes
    hw_class_interface #(
      .NumClasses(NumClasses), .Ranks(Ranks), .RankPackets(RankPackets), .FlagBits(2),
      `HW_PACKET_PARAMETERS, .MsgBits(MsgBits + 2), `HW_CHANNEL_PARAMETERS, .EjectDepth(EjectDepth)
    ) u_interface (`HW_BEHIND_FILTERS, .stalled_o(stalled_o));
  end
  `undef HW_BEHIND_FILTERS

  assign quiescent_o = ni_quiescent && notifier_quiescent;

endmodule

`default_nettype wire
