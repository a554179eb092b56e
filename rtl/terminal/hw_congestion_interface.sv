// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"
`include "hw_terminal.svh"

// A terminal with congestion control: a network interface between two small filters of its streams. Notifications, packets of one flit, go
// between the packets of the master into the same store, and are taken out of the stream to the slave. The master sees which destinations
// are stopped (stop_*_o): it keeps a queue of each destination, as hosts do, and begins no packet to one that is stopped, so that packets to
// others do not wait.
//
// Latency, throughput, guarantees: as hw_network_interface; a notification takes one beat of the master's stream. A notification on the pins
// in cycle t counts on stop_*_o in t+2; a marked head in t is answered by a head on the pins in t+4 at the earliest.
// Combinational paths: m_tready_i and s_tvalid_i to none; s_tready_o depends on registers.
// Assumes: as hw_network_interface; MinFlits 1. The congestion field {notification, mark} is directly above the message class.
// Guarantees: taking a packet never waits for sending a notification (see hw_congestion_notifier), and a notification asks for no other
// packet, so the network's freedom from deadlock rests on the same premise as without.
// Reference: docs/reference/congestion.md.
module hw_congestion_interface #(
  parameter int unsigned Flows = 8,                      // see hw_congestion_throttle
  `include "hw_terminal_parameters.svh"
  parameter int unsigned EjectDepth = 0,                 // flits
  localparam int unsigned VcWidth = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  // Static, and configuration: {increase, period}, {throttle, shift, gap} as in the registers
  input  wire logic [SrcBits-1:0]          src_i,
  input  wire logic [63:0]                 congestion_i,

  // AXI4-Stream slave: packets into the network; and the destinations that packets should not begin for
  input  wire logic                        s_tvalid_i,
  output logic                             s_tready_o,
  input  wire logic [StreamBits-1:0]       s_tdata_i,
  input  wire logic                        s_tlast_i,
  input  wire logic [MsgBits+DstBits-1:0]  s_tuser_i,
  input  wire logic                        s_abort_i,  // the source is in reset: see hw_packet_store
  output logic [Flows-1:0]                 stop_valid_o,
  output logic [Flows*DstBits-1:0]         stop_dst_o,

  // AXI4-Stream master: packets out of the network
  output logic                             m_tvalid_o,
  input  wire logic                        m_tready_i,
  output logic [StreamBits-1:0]            m_tdata_o,
  output logic                             m_tlast_o,
  output logic [32'(Poison)+MsgBits+SrcBits-1:0] m_tuser_o,

  // Channels to and from the router
  `HW_CHANNEL_SENDER(inj, 1),
  `HW_CHANNEL_RECEIVER(ej, 1),

  // Status
  output logic                             error_o,
  output logic [hw_drop_pkg::CauseBits-1:0] error_cause_o,
  output logic [MsgBits+DstBits-1:0]       error_user_o,
  output logic                             bad_parity_o,
  output logic                             broken_o,
  output logic                             quiescent_o
);

  if (MinFlits != 1 || LenOffset != 0 || SrcBits != DstBits || KeepBits != 0) begin : gen_bad_format
    $error("hw_congestion_interface: MinFlits must be 1, LenOffset and KeepBits 0, and SrcBits be DstBits");
  end

  localparam int unsigned LenWidth = (LenBits > 0) ? LenBits : 1;

  logic [StreamBits-1:0] in_data;
  logic ni_quiescent, throttle_quiescent, notifier_quiescent;
  logic note_valid, note_ready, notes, inside_q, in_ready, in_valid, in_last, beat, out_valid, out_ready, out_inside_q, out_head;
  logic [SrcBits-1:0] note_dst;
  logic [MsgBits+DstBits+1:0] in_user, error_user;
  logic [32'(Poison)+MsgBits+SrcBits+1:0] out_user;
  logic is_note, is_marked;
  logic [DstBits-1:0] dst, dst_q;

  // ---- In: a notification goes between two packets.
  assign note_ready = in_ready && !inside_q && !s_abort_i;
  assign notes = note_valid && !inside_q && !s_abort_i;
  assign in_valid = s_tvalid_i || notes;
  assign in_last = s_tlast_i || notes;
  assign in_user = notes ? {2'b10, MsgBits'(0), note_dst} : {2'b00, s_tuser_i};
  always_comb begin
    in_data = notes ? '0 : s_tdata_i;
    if (LenBits > 0 && notes) in_data[LenLsb+:LenWidth] = LenWidth'(1);  // read with PauseCycles
  end
  assign s_tready_o = in_ready && !notes;
  assign beat = s_tvalid_i && s_tready_o && !s_abort_i;
  assign dst = inside_q ? dst_q : s_tuser_i[DstBits-1:0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) inside_q <= 1'b0;
    else if (s_abort_i) inside_q <= 1'b0;
    else if (beat) inside_q <= !s_tlast_i;
  end
  always_ff @(posedge clk_i) begin
    if (beat) dst_q <= dst;
  end

  // ---- Out: a notification is taken as it comes.
  assign is_note = out_user[MsgBits+SrcBits+1];
  assign is_marked = out_user[MsgBits+SrcBits];
  assign out_head = out_valid && out_ready && !out_inside_q;
  assign out_ready = m_tready_i || is_note;
  assign m_tvalid_o = out_valid && !is_note;
  if (Poison) begin : gen_poison
    assign m_tuser_o = {out_user[MsgBits+SrcBits+2], out_user[MsgBits+SrcBits-1:0]};
  end else begin : gen_no_poison
    assign m_tuser_o = out_user[MsgBits+SrcBits-1:0];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_inside_q <= 1'b0;
    else if (out_valid && out_ready) out_inside_q <= !m_tlast_o;
  end

  hw_congestion_notifier #(.SrcBits(SrcBits)) u_notifier (
    .clk_i(clk_i), .rst_ni(rst_ni), .gap_i(congestion_i[11:0]),
    .mark_valid_i(out_head && is_marked && !is_note), .mark_src_i(out_user[SrcBits-1:0]),
    .note_valid_o(note_valid), .note_ready_i(note_ready), .note_dst_o(note_dst), .quiescent_o(notifier_quiescent)
  );

  hw_congestion_throttle #(.DstBits(DstBits), .MaxFlits(MaxFlits), .Flows(Flows)) u_throttle (
    .clk_i(clk_i), .rst_ni(rst_ni), .enable_i(congestion_i[31]), .shift_i(congestion_i[19:16]), .period_i(congestion_i[47:32]),
    .increase_i(congestion_i[63:48]), .note_valid_i(out_head && is_note), .note_dst_i(out_user[SrcBits-1:0]),
    .sent_valid_i(beat), .sent_dst_i(dst), .stop_valid_o(stop_valid_o), .stop_dst_o(stop_dst_o), .quiescent_o(throttle_quiescent)
  );

  hw_network_interface #(
    `HW_PACKET_PARAMETERS, .MsgBits(MsgBits + 2), `HW_CHANNEL_PARAMETERS, .EjectDepth(EjectDepth)
  ) u_interface (
    .clk_i(clk_i), .rst_ni(rst_ni), .src_i(src_i),
    .s_tvalid_i(in_valid), .s_tready_o(in_ready), .s_tdata_i(in_data), .s_tlast_i(in_last), .s_tuser_i(in_user), .s_abort_i(s_abort_i),
    .m_tvalid_o(out_valid), .m_tready_i(out_ready), .m_tdata_o(m_tdata_o), .m_tlast_o(m_tlast_o), .m_tuser_o(out_user),
    `HW_CHANNEL_LANE(inj, inj, o, i, 0),
    `HW_CHANNEL_LANE(ej, ej, i, o, 0),
    .error_o(error_o), .error_cause_o(error_cause_o), .error_user_o(error_user), .bad_parity_o(bad_parity_o), .broken_o(broken_o),
    .quiescent_o(ni_quiescent)
  );
  assign error_user_o = error_user[MsgBits+DstBits-1:0];
  assign quiescent_o = ni_quiescent && throttle_quiescent && notifier_quiescent;

  wire unused = &{1'b0, error_user[MsgBits+DstBits+:2], congestion_i[30:20], congestion_i[15:12]};

  `HW_ASSERT(a_notifications_are_short, !(out_valid && is_note) || (m_tlast_o && !out_inside_q))
  `HW_COVER(c_master_waits_for_a_notification, s_tvalid_i && in_ready && !s_tready_o)

endmodule

`default_nettype wire
