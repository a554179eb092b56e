// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_channel.svh"
`include "hw_message.svh"
`include "hw_terminal.svh"

// A terminal that is a message interface with registers: hw_message_terminal, and hw_message_csr between it and its host. Streams of
// descriptors, completions, events and windows are as without them; of what is written to the registers (msg_*) completions come back there.
//
// Latency, throughput: those of the two. Combinational paths: those of hw_message_csr between the host's pins and the interface; in
//   the cycle in which registers and stream both have a descriptor or a window, the stream's waits.
// Assumes: those of the two. Guarantees: those of the two. Checked by tests/rtl_messages.
// Reference: docs/reference/message-registers.md.
module hw_message_register_terminal #(
  `include "hw_terminal_parameters.svh"
  `include "hw_message_parameters.svh"
  parameter int unsigned EjectDepth = 0,                 // flits, of each class
  parameter bit ModeSelector = 1'b0,                     // there is one, for descriptors with auto
  parameter int unsigned CsrAddrBits = 16,
  parameter bit [31:0] ResetTimeout = '0,                // of configuration words, which are registers: see hw_message_csr
  parameter bit [31:0] ResetThreshold = 32'd4096,
  parameter bit [23:0] ResetFactors = 24'h055013,
  parameter bit [7:0] Ranks = '0,                        // of requests and responses: see hw_class_interface, as RankPackets
  parameter int unsigned RankPackets = 1,
  parameter int unsigned Flows = 0,                      // see hw_message_terminal
  localparam int unsigned StopBits = (Flows > 0) ? Flows : 1,
  localparam int unsigned StrbBits = StreamBits / 8,
  localparam int unsigned DescBits = `HW_MESSAGE_DESC_BITS,
  localparam int unsigned CplBits = `HW_MESSAGE_CPL_BITS,
  localparam int unsigned WinBits = `HW_MESSAGE_WIN_BITS,
  localparam int unsigned VcWidth = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  // Static
  input  wire logic [SrcBits-1:0]     src_i,
  input  wire logic [63:0]            congestion_i,      // see hw_message_terminal

  // Registers: AXI4-Lite slave
  input  wire logic                   msg_awvalid_i,
  output logic                        msg_awready_o,
  input  wire logic [CsrAddrBits-1:0] msg_awaddr_i,
  input  wire logic [2:0]             msg_awprot_i,
  input  wire logic                   msg_wvalid_i,
  output logic                        msg_wready_o,
  input  wire logic [31:0]            msg_wdata_i,
  input  wire logic [3:0]             msg_wstrb_i,
  output logic                        msg_bvalid_o,
  input  wire logic                   msg_bready_i,
  output logic [1:0]                  msg_bresp_o,
  input  wire logic                   msg_arvalid_i,
  output logic                        msg_arready_o,
  input  wire logic [CsrAddrBits-1:0] msg_araddr_i,
  input  wire logic [2:0]             msg_arprot_i,
  output logic                        msg_rvalid_o,
  input  wire logic                   msg_rready_i,
  output logic [31:0]                 msg_rdata_o,
  output logic [1:0]                  msg_rresp_o,
  output logic                        msg_irq_o,

  // Streams of the host
  `include "hw_message_host_ports.svh"

  // Memory: AXI4 master
  `include "hw_message_memory_ports.svh"

  // Channels to the router and from it
  `HW_CHANNEL_SENDER(inj, 1),
  `HW_CHANNEL_RECEIVER(ej, 1),

  // Counters, 64 bits each, in the order of hw_message_pkg
  input  wire logic                   ctr_clear_i,
  input  wire logic                   ctr_freeze_i,      // while high they hold
  output logic [hw_message_pkg::NumCounters*64-1:0]  counters_o,

  // Status, of each class
  output logic [1:0]                  error_o,
  output logic [1:0]                  bad_parity_o,
  output logic                        throttles_o,       // see hw_message_terminal
  output logic                        quiescent_o
);

  logic desc_valid, desc_ready, cpl_valid, cpl_ready, evt_valid, evt_ready, win_valid, win_ready, ctr_clear, ctr_freeze;
  logic terminal_quiescent, registers_quiescent;
  logic [DescBits:0] desc;
  logic [CplBits:0] cpl;
  logic [WindowBits-1:0] evt, win_index;
  logic [WinBits-1:0] win;
  logic [31:0] timeout, threshold;
  logic [7:0] lambda, sigma, max_age;

  hw_message_csr #(
    .CsrAddrBits(CsrAddrBits), .StreamBits(StreamBits), .DstBits(DstBits), .AddrBits(AddrBits), .WindowBits(WindowBits),
    .KeyBits(KeyBits), .OffsetBits(OffsetBits), .TagBits(TagBits), .SlotBits(SlotBits), .ResetTimeout(ResetTimeout), .ResetThreshold(ResetThreshold),
    .ResetFactors(ResetFactors), .Flows(Flows)
  ) u_registers (
    .clk_i(clk_i), .rst_ni(rst_ni), .src_i(src_i),
    .s_awvalid_i(msg_awvalid_i), .s_awready_o(msg_awready_o), .s_awaddr_i(msg_awaddr_i), .s_awprot_i(msg_awprot_i),
    .s_wvalid_i(msg_wvalid_i), .s_wready_o(msg_wready_o), .s_wdata_i(msg_wdata_i), .s_wstrb_i(msg_wstrb_i),
    .s_bvalid_o(msg_bvalid_o), .s_bready_i(msg_bready_i), .s_bresp_o(msg_bresp_o),
    .s_arvalid_i(msg_arvalid_i), .s_arready_o(msg_arready_o), .s_araddr_i(msg_araddr_i), .s_arprot_i(msg_arprot_i),
    .s_rvalid_o(msg_rvalid_o), .s_rready_i(msg_rready_i), .s_rdata_o(msg_rdata_o), .s_rresp_o(msg_rresp_o), .irq_o(msg_irq_o),
    .host_desc_valid_i(desc_valid_i), .host_desc_ready_o(desc_ready_o), .host_desc_i(desc_i),
    .host_cpl_valid_o(cpl_valid_o), .host_cpl_ready_i(cpl_ready_i), .host_cpl_o(cpl_o),
    .host_evt_valid_o(evt_valid_o), .host_evt_ready_i(evt_ready_i), .host_evt_o(evt_o),
    .host_win_valid_i(win_valid_i), .host_win_ready_o(win_ready_o), .host_win_index_i(win_index_i), .host_win_i(win_i),
    .host_ctr_clear_i(ctr_clear_i), .host_ctr_freeze_i(ctr_freeze_i),
    .desc_valid_o(desc_valid), .desc_ready_i(desc_ready), .desc_o(desc), .cpl_valid_i(cpl_valid), .cpl_ready_o(cpl_ready), .cpl_i(cpl),
    .evt_valid_i(evt_valid), .evt_ready_o(evt_ready), .evt_i(evt), .win_valid_o(win_valid), .win_ready_i(win_ready),
    .win_index_o(win_index), .win_o(win), .timeout_o(timeout), .sel_threshold_o(threshold), .sel_factors_o({max_age, sigma, lambda}),
    .ctr_clear_o(ctr_clear), .ctr_freeze_o(ctr_freeze), .counters_i(counters_o), .stop_valid_i(stop_valid_o), .stop_dst_i(stop_dst_o),
    .quiescent_o(registers_quiescent)
  );

  hw_message_terminal #(
    `HW_PACKET_PARAMETERS, .MsgBits(MsgBits), `HW_CHANNEL_PARAMETERS, .EjectDepth(EjectDepth), .Ranks(Ranks), .RankPackets(RankPackets), .ModeSelector(ModeSelector),
    .AddrBits(AddrBits), .WindowBits(WindowBits), .KeyBits(KeyBits), .OffsetBits(OffsetBits), .TagBits(TagBits + 1),
    .OutstandingBits(OutstandingBits), .SlotBits(SlotBits), .MessageLsb(MessageLsb), .ModeBits(ModeBits), .Flows(Flows)
  ) u_terminal (
    .clk_i(clk_i), .rst_ni(rst_ni), .src_i(src_i), .timeout_i(timeout),
    .sel_threshold_i(threshold), .sel_lambda_i(lambda), .sel_sigma_i(sigma), .sel_max_age_i(max_age),
    .desc_valid_i(desc_valid), .desc_ready_o(desc_ready), .desc_i(desc), .cpl_valid_o(cpl_valid), .cpl_ready_i(cpl_ready), .cpl_o(cpl),
    .evt_valid_o(evt_valid), .evt_ready_i(evt_ready), .evt_o(evt), .win_valid_i(win_valid), .win_ready_o(win_ready),
    .win_index_i(win_index), .win_i(win), .congestion_i(congestion_i), .stop_valid_o, .stop_dst_o,
    .m_axi_arid_o, .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arvalid_o, .m_axi_arready_i, .m_axi_rid_i, .m_axi_rdata_i,
    .m_axi_rresp_i, .m_axi_rlast_i, .m_axi_rvalid_i, .m_axi_rready_o, .m_axi_awid_o, .m_axi_awaddr_o, .m_axi_awlen_o,
    .m_axi_awvalid_o, .m_axi_awready_i, .m_axi_wdata_o, .m_axi_wstrb_o, .m_axi_wlast_o, .m_axi_wvalid_o, .m_axi_wready_i,
    .m_axi_bid_i, .m_axi_bresp_i, .m_axi_bvalid_i, .m_axi_bready_o,
    `HW_CHANNEL_LANE(inj, inj, o, i, 0), `HW_CHANNEL_LANE(ej, ej, i, o, 0),
    .ctr_clear_i(ctr_clear), .ctr_freeze_i(ctr_freeze), .counters_o(counters_o),
    .error_o(error_o), .bad_parity_o(bad_parity_o), .throttles_o(throttles_o), .quiescent_o(terminal_quiescent)
  );
  assign quiescent_o = terminal_quiescent && registers_quiescent;

endmodule

`default_nettype wire
