// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_channel.svh"
`include "hw_terminal.svh"

// A terminal with congestion control whose streams are its host's: hw_congestion_streams and hw_congestion_throttle. The master sees which
// destinations are stopped (stop_*_o): it keeps a queue of each destination, as hosts do, and begins no packet to one that is stopped, so
// that packets to others do not wait. Packets of the classes in Free are sent in any case, and make no debt: those that answer others,
// which wait for them.
//
// Latency, throughput, assumptions, guarantees: those of the two. A notification on the pins in cycle t counts on stop_*_o in t+2.
// Combinational paths: m_tready_i and s_tvalid_i to none; s_tready_o depends on registers.
// Reference: docs/reference/congestion.md.
module hw_congestion_interface #(
  parameter int unsigned Flows = 8,                      // see hw_congestion_throttle
  parameter int unsigned NumClasses = 1,
  parameter bit [NumClasses*4-1:0] Ranks = '0,           // see hw_class_interface, as RankPackets
  parameter int unsigned RankPackets = 1,
  parameter int unsigned NoteClass = 0,                  // of notifications: one that no terminal answers
  parameter bit [NumClasses-1:0] Free = '0,              // classes that are not throttled
  `include "hw_terminal_parameters.svh"
  parameter int unsigned EjectDepth = 0,                 // flits
  localparam int unsigned InBits = MsgBits + DstBits, OutBits = 32'(Poison) + MsgBits + SrcBits,
  localparam int unsigned VcWidth = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  // Static, and configuration: {increase, period}, {throttle, shift, gap} as in the registers
  input  wire logic [SrcBits-1:0]          src_i,
  input  wire logic [63:0]                 congestion_i,

  // Destinations that packets should not begin for
  output logic [Flows-1:0]                 stop_valid_o,
  output logic [Flows*DstBits-1:0]         stop_dst_o,

  `include "hw_class_streams.svh"
  output logic                             quiescent_o
);

  logic [NumClasses-1:0] beat, unused_stalled;
  logic [NumClasses*DstBits-1:0] dst;
  logic note_valid, streams_quiescent, throttle_quiescent;
  logic [DstBits-1:0] note_dst;

  hw_congestion_streams #(
    .NumClasses(NumClasses), .Ranks(Ranks), .RankPackets(RankPackets), .NoteClass(NoteClass),
    `HW_PACKET_PARAMETERS, .MsgBits(MsgBits), `HW_CHANNEL_PARAMETERS, .EjectDepth(EjectDepth)
  ) u_streams (
    .clk_i, .rst_ni, .src_i, .gap_i(congestion_i[11:0]), .heard_valid_o(note_valid), .heard_dst_o(note_dst), .beat_o(beat), .dst_o(dst),
    .s_tvalid_i, .s_tready_o, .s_tdata_i, .s_tlast_i, .s_tuser_i, .s_abort_i,
    .m_tvalid_o, .m_tready_i, .m_tdata_o, .m_tlast_o, .m_tuser_o,
    `HW_CHANNEL_LANE(inj, inj, o, i, 0), `HW_CHANNEL_LANE(ej, ej, i, o, 0),
    .error_o, .error_cause_o, .error_user_o, .bad_parity_o, .broken_o, .stalled_o(unused_stalled), .quiescent_o(streams_quiescent)
  );

  hw_congestion_throttle #(.DstBits(DstBits), .MaxFlits(MaxFlits), .Flows(Flows), .NumStreams(NumClasses)) u_throttle (
    .clk_i, .rst_ni, .congestion_i, .note_valid_i(note_valid), .note_dst_i(note_dst), .sent_flits_i(beat & ~Free), .sent_dst_i(dst),
    .stop_valid_o, .stop_dst_o, .quiescent_o(throttle_quiescent)
  );

  assign quiescent_o = streams_quiescent && throttle_quiescent;

  wire unused = &{1'b0, unused_stalled};

endmodule

`default_nettype wire
