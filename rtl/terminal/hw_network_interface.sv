// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_channel.svh"
`include "hw_terminal.svh"

// One terminal: an injection unit and an ejection unit side by side, between a pair of AXI4-Streams
// and the two channels of a router's terminal port. The halves share nothing but the clock.
//
// Latency, throughput, assumptions and guarantees: see hw_injection_unit and hw_ejection_unit.
// Combinational paths: none from inputs to outputs.
// Reference: docs/reference/terminal.md.
module hw_network_interface #(
  `include "hw_terminal_parameters.svh"
  parameter int unsigned EjectDepth = 0,  // flits
  localparam int unsigned VcWidth = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  // Static
  input  wire logic [SrcBits-1:0]          src_i,

  // AXI4-Stream slave: packets into the network
  input  wire logic                        s_tvalid_i,
  output logic                             s_tready_o,
  input  wire logic [StreamBits-1:0]       s_tdata_i,
  input  wire logic                        s_tlast_i,
  input  wire logic [KeepBits+MsgBits+DstBits-1:0] s_tuser_i,
  input  wire logic                        s_abort_i,  // the source is in reset: see hw_packet_store

  // AXI4-Stream master: packets out of the network
  output logic                             m_tvalid_o,
  input  wire logic                        m_tready_i,
  output logic [StreamBits-1:0]            m_tdata_o,
  output logic                             m_tlast_o,
  output logic [KeepBits+32'(Poison)+MsgBits+SrcBits-1:0] m_tuser_o,

  // Channel to the router
  `HW_CHANNEL_SENDER(inj, 1),

  // Channel from the router
  `HW_CHANNEL_RECEIVER(ej, 1),

  // Status
  output logic                             error_o,
  output logic [hw_drop_pkg::CauseBits-1:0] error_cause_o,
  output logic [MsgBits+DstBits-1:0]       error_user_o,
  output logic                             bad_parity_o,
  output logic                             broken_o,
  output logic                             quiescent_o
);

  logic inj_quiescent, ej_quiescent, unused_want, unused_stalled;

  assign quiescent_o = inj_quiescent && ej_quiescent;

  hw_injection_unit #(`HW_PACKET_PARAMETERS, .MsgBits(MsgBits), `HW_CHANNEL_PARAMETERS) u_injection (
    .clk_i, .rst_ni, .src_i,
    .s_tvalid_i, .s_tready_o, .s_tdata_i, .s_tlast_i, .s_tuser_i, .s_abort_i,
    `HW_CHANNEL_LANE(inj, inj, o, i, 0),
    .want_o(unused_want), .turn_i(1'b1), .stalled_o(unused_stalled), .error_o, .error_cause_o, .error_user_o, .quiescent_o(inj_quiescent)
  );

  hw_ejection_unit #(
    .NumVcs(NumVcs), .FlitBits(FlitBits), .EjectDepth(EjectDepth), .SrcLsb(SrcLsb),
    .SrcBits(SrcBits), .MsgLsb(MsgLsb), .MsgBits(MsgBits), .ParityMask(ParityMask), .Poison(Poison),
    .KeepBits(KeepBits), .BytesLsb(BytesLsb)
  ) u_ejection (
    .clk_i, .rst_ni,
    `HW_CHANNEL_LANE(ej, ej, i, o, 0),
    .m_tvalid_o, .m_tready_i, .m_tdata_o, .m_tlast_o, .m_tuser_o,
    .bad_parity_o, .broken_o, .quiescent_o(ej_quiescent)
  );

endmodule

`default_nettype wire
