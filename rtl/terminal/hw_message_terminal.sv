// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"
`include "hw_message.svh"
`include "hw_terminal.svh"

// A terminal that is a message interface: PUT and GET of any length between the memories of terminals, on the two channels of a
// router's terminal port. hw_message_interface does the work, hw_class_interface has the two message classes of its packets,
// requests (0) and responses (1), hw_nic_counters counts. With MinFlits 2 packets have footers (hw_packet_footer). With Flows there is
// congestion control: hw_congestion_streams has the classes, notifications are packets of that of responses.
//
// desc_i is a PUT or GET, cpl_o says how it ended, evt_o that all bytes that a window expected are in memory, win_i opens a window;
// their fields are in rtl/common/hw_message.svh. m_axi_* is an AXI4 master: bursts are INCR, of whole words of the memory
// (StreamBits), aligned to them, and never cross 4 KiB. Ids: 0 reads and 2 writes on behalf of this terminal's messages (payload of
// PUT, data of GET); 1 reads and 3 writes on behalf of others'.
//
// Latency, throughput: docs/reference/messages.md has the cycles. Of a descriptor that is taken in cycle t the first AR or the head of
//   a GET is there in t+5, with Flows in t+6; packets follow each other without gaps. A notification on the pins in t is on stop_*_o in t+2.
// Combinational paths: none from inputs to outputs.
// Assumes: those of hw_class_interface; the terminal at the other end is a message interface with the same parameters; the
//   memory answers every burst in bounded time, whatever the network does.
// Guarantees: those of hw_message_interface. Checked by tests/rtl_messages.
// Reference: Dally & Towles, section 20.2; De Sensi et al., SC 2019, section 2; docs/reference/messages.md.
module hw_message_terminal #(
  // VcDepths: the same in both classes
  `include "hw_terminal_parameters.svh"
  `include "hw_message_parameters.svh"
  parameter int unsigned EjectDepth = 0,                 // flits, of each class
  parameter bit ModeSelector = 1'b0,                     // there is one, for descriptors with auto
  parameter bit [7:0] Ranks = '0,                        // of requests and responses: see hw_class_interface, as RankPackets
  parameter int unsigned RankPackets = 1,
  parameter int unsigned Flows = 0,                      // of congestion control: see hw_congestion_throttle; 0: none
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

  // Configuration words
  input  wire logic [31:0]            timeout_i,         // cycles; 0: none
  input  wire logic [31:0]            sel_threshold_i,   // of hw_mode_selector
  input  wire logic [7:0]             sel_lambda_i,
  input  wire logic [7:0]             sel_sigma_i,
  input  wire logic [7:0]             sel_max_age_i,
  input  wire logic [63:0]            congestion_i,      // {increase, period}, {throttle, shift, gap} as in the registers

  // Host
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
  output logic                        throttles_o,       // there are rates, which change with time
  output logic                        quiescent_o        // nothing is under way
);

  localparam int unsigned OutBits = MsgBits + SrcBits;
  localparam int unsigned Own = NumVcs / 2;              // VCs of a class
  localparam int unsigned ShortFlits = MaxFlits - (MinFlits - 1);   // of a packet without its footer
  localparam int unsigned IdFieldLsb = MessageLsb + hw_message_pkg::CodeBits + $clog2((ShortFlits - 1) * (StreamBits / 8) + 1);

  if (Poison || PauseCycles != 0 || MinFlits == 0 || MinFlits > 2 || KeepBits != 0 || DstBits != SrcBits) begin : gen_bad_packets
    $error("hw_message_terminal: packets come whole, with one flit or two that are no payload, and sources are laid out as destinations");
  end

  logic [1:0] net_tx_valid, net_tx_ready, net_tx_last, net_rx_valid, net_rx_ready, net_rx_last;
  logic [1:0] tx_valid, tx_ready, tx_last, rx_valid, rx_ready, rx_last, stalled, unused_broken, footers_quiescent;
  logic [2*hw_drop_pkg::CauseBits-1:0] unused_cause;
  logic [2*(MsgBits+DstBits)-1:0] unused_user;
  logic [2*StreamBits-1:0] net_tx_data, net_rx_data, tx_data, rx_data;
  logic [2*DstBits-1:0] tx_dst;
  logic [2*OutBits-1:0] rx_user;
  logic classes_quiescent, interface_quiescent, counters_quiescent, head_sent;
  logic [1:0] sent;                                      // a flit of the class is on the pins
  logic note_valid;
  logic [DstBits-1:0] note_dst;
  `define HW_OF_CLASSES \
    .clk_i(clk_i), .rst_ni(rst_ni), .src_i(src_i), \
    .s_tvalid_i(net_tx_valid), .s_tready_o(net_tx_ready), .s_tdata_i(net_tx_data), .s_tlast_i(net_tx_last), \
    .s_tuser_i({MsgBits'(1), tx_dst[DstBits+:DstBits], MsgBits'(0), tx_dst[DstBits-1:0]}), .s_abort_i(2'b00), \
    .m_tvalid_o(net_rx_valid), .m_tready_i(net_rx_ready), .m_tdata_o(net_rx_data), .m_tlast_o(net_rx_last), .m_tuser_o(rx_user), \
    `HW_CHANNEL_LANE(inj, inj, o, i, 0), `HW_CHANNEL_LANE(ej, ej, i, o, 0), \
    .error_o(error_o), .error_cause_o(unused_cause), .error_user_o(unused_user), .bad_parity_o(bad_parity_o), .broken_o(unused_broken), \
    .stalled_o(stalled), .quiescent_o(classes_quiescent)
  if (Flows > 0) begin : gen_notifications
    logic [1:0] unused_beat;
    logic [2*DstBits-1:0] unused_dst;
    hw_congestion_streams #(
      .NumClasses(2), .NoteClass(1), `HW_PACKET_PARAMETERS, .MsgBits(MsgBits), `HW_CHANNEL_PARAMETERS, .EjectDepth(EjectDepth),
      .Ranks(Ranks), .RankPackets(RankPackets)
    ) u_classes (
      `HW_OF_CLASSES, .gap_i(congestion_i[11:0]), .heard_valid_o(note_valid), .heard_dst_o(note_dst), .beat_o(unused_beat), .dst_o(unused_dst)
    );
  end else begin : gen_classes
    hw_class_interface #(
      .NumClasses(2), `HW_PACKET_PARAMETERS, .MsgBits(MsgBits), `HW_CHANNEL_PARAMETERS, .EjectDepth(EjectDepth), .Ranks(Ranks),
      .RankPackets(RankPackets)
    ) u_classes (`HW_OF_CLASSES);
    assign {note_valid, note_dst} = '0;
  end
  `undef HW_OF_CLASSES

  if (MinFlits == 2) begin : gen_footers
    for (genvar c = 0; c < 2; c = c + 1) begin : gen_class
      hw_packet_footer #(.Width(StreamBits)) u_footer (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .tx_valid_i(tx_valid[c]), .tx_ready_o(tx_ready[c]), .tx_data_i(tx_data[c*StreamBits+:StreamBits]), .tx_last_i(tx_last[c]),
        .net_tx_valid_o(net_tx_valid[c]), .net_tx_ready_i(net_tx_ready[c]), .net_tx_data_o(net_tx_data[c*StreamBits+:StreamBits]),
        .net_tx_last_o(net_tx_last[c]),
        .net_rx_valid_i(net_rx_valid[c]), .net_rx_ready_o(net_rx_ready[c]), .net_rx_data_i(net_rx_data[c*StreamBits+:StreamBits]),
        .net_rx_last_i(net_rx_last[c]),
        .rx_valid_o(rx_valid[c]), .rx_ready_i(rx_ready[c]), .rx_data_o(rx_data[c*StreamBits+:StreamBits]), .rx_last_o(rx_last[c]),
        .quiescent_o(footers_quiescent[c])
      );
    end
  end else begin : gen_no_footers
    assign {net_tx_valid, net_tx_data, net_tx_last, tx_ready} = {tx_valid, tx_data, tx_last, net_tx_ready};
    assign {rx_valid, rx_data, rx_last, net_rx_ready} = {net_rx_valid, net_rx_data, net_rx_last, rx_ready};
    assign footers_quiescent = '1;
  end

  assign sent = {inj_valid_o && 32'(inj_vc_o) >= Own, inj_valid_o && 32'(inj_vc_o) < Own};
  assign head_sent = sent[0] && inj_head_o;

  logic rsp, late, timeout, bad_descriptor, memory_error;
  logic [31:0] rsp_latency;
  logic [3:0] refused;
  hw_message_interface #(
    .MaxFlits(ShortFlits), `HW_MESSAGE_PARAMETERS, .DstLsb(DstLsb), .NumFields(NumFields), .FieldLsbs(FieldLsbs), .FieldBits(FieldBits),
    .FieldSizes(FieldSizes), .ModeSelector(ModeSelector), .Flows(Flows)
  ) u_interface (
    .clk_i(clk_i), .rst_ni(rst_ni), .self_i(src_i), .timeout_i(timeout_i),
    .sel_threshold_i(sel_threshold_i), .sel_lambda_i(sel_lambda_i), .sel_sigma_i(sel_sigma_i), .sel_max_age_i(sel_max_age_i),
    .desc_valid_i(desc_valid_i), .desc_ready_o(desc_ready_o), .desc_i(desc_i),
    .cpl_valid_o(cpl_valid_o), .cpl_ready_i(cpl_ready_i), .cpl_o(cpl_o),
    .evt_valid_o(evt_valid_o), .evt_ready_i(evt_ready_i), .evt_o(evt_o),
    .win_valid_i(win_valid_i), .win_ready_o(win_ready_o), .win_index_i(win_index_i), .win_i(win_i),
    .arid_o(m_axi_arid_o), .araddr_o(m_axi_araddr_o), .arlen_o(m_axi_arlen_o), .arvalid_o(m_axi_arvalid_o), .arready_i(m_axi_arready_i),
    .rid_i(m_axi_rid_i), .rdata_i(m_axi_rdata_i), .rresp_i(m_axi_rresp_i), .rlast_i(m_axi_rlast_i), .rvalid_i(m_axi_rvalid_i),
    .rready_o(m_axi_rready_o),
    .awid_o(m_axi_awid_o), .awaddr_o(m_axi_awaddr_o), .awlen_o(m_axi_awlen_o), .awvalid_o(m_axi_awvalid_o), .awready_i(m_axi_awready_i),
    .wdata_o(m_axi_wdata_o), .wstrb_o(m_axi_wstrb_o), .wlast_o(m_axi_wlast_o), .wvalid_o(m_axi_wvalid_o), .wready_i(m_axi_wready_i),
    .bid_i(m_axi_bid_i), .bresp_i(m_axi_bresp_i), .bvalid_i(m_axi_bvalid_i), .bready_o(m_axi_bready_o),
    .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_data_o(tx_data), .tx_last_o(tx_last), .tx_dst_o(tx_dst),
    .rx_valid_i(rx_valid), .rx_ready_o(rx_ready), .rx_data_i(rx_data), .rx_last_i(rx_last),
    .rx_src_i({rx_user[OutBits+:SrcBits], rx_user[SrcBits-1:0]}),
    .congestion_i(congestion_i), .note_valid_i(note_valid), .note_dst_i(note_dst), .stop_valid_o(stop_valid_o), .stop_dst_o(stop_dst_o),
    .head_sent_i(head_sent), .head_id_i(inj_data_o[IdFieldLsb+:OutstandingBits]),
    .flit_sent_i(sent[0]), .stalled_i(stalled[0]),
    .rsp_o(rsp), .rsp_latency_o(rsp_latency), .refused_o(refused), .memory_error_o(memory_error),
    .bad_descriptor_o(bad_descriptor), .timeout_o(timeout), .late_o(late), .throttles_o(throttles_o), .quiescent_o(interface_quiescent)
  );

  // In the order of hw_message_pkg, from the last one down
  hw_nic_counters #(.NumCounters(32'(hw_message_pkg::NumCounters)), .WideCounter(32'(hw_message_pkg::RspLatency))) u_counters (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(ctr_clear_i), .freeze_i(ctr_freeze_i),
    .event_i({late, timeout, bad_descriptor, memory_error, refused, stalled[1], sent[1], rsp, rsp, head_sent, stalled[0], sent[0]}),
    .wide_i(rsp_latency), .counters_o(counters_o), .quiescent_o(counters_quiescent)
  );

  assign quiescent_o = classes_quiescent && footers_quiescent == '1 && interface_quiescent && counters_quiescent;

  wire unused = &{1'b0, unused_broken, unused_cause, unused_user, rx_user};
  // The interface judges descriptors before there is a packet.
  `HW_ASSERT(a_packets_are_good, error_o == '0)

endmodule

`default_nettype wire
