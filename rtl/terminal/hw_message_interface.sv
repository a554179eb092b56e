// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_message.svh"

// Message interface: PUT and GET of any length as request packets, of which each has one response, between the memories of terminals.
// It connects the modules that do the work:
//
//   descriptors -> packets -> requests -> network        own messages (hw_message_initiator); slots and ids say what is to come of them
//   network -> arrivals -> memory, slots                 responses to them
//   network -> target -> memory, windows -> service -> network   requests of others
//
// Latency, throughput: those of the modules; docs/reference/messages.md has the sums.
// Combinational paths: none from inputs to outputs but tx_ready_i -> none; rready_o and bready_o are high.
// Assumes: streams as hw_class_interface has them; the memory answers each burst in bounded time. head_sent_i, head_id_i: a request's head
//   is on the pins of the channel. Interfaces of all terminals have the same parameters.
// Guarantees: one completion per descriptor; each byte of a message that ends with Done is written once; nothing outside of open windows is
//   read or written. A response is taken in bounded time whatever the network does, and nothing holds a channel of the memory while it
//   waits for the network: so responses sink, which the proof of the network assumes. Checked by
//   tests/rtl_messages.
// Reference: docs/reference/messages.md.
module hw_message_interface #(
  parameter int unsigned StreamBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned DstBits = 0,
  `include "hw_message_parameters.svh"
  parameter int unsigned ModeLsb = 0,                  // of the routing mode in a head
  parameter int unsigned DstLsb = 0,
  parameter int unsigned NumFields = 1,                // of a destination: see hw_head_check
  parameter bit [NumFields*8-1:0] FieldLsbs = '0,
  parameter bit [NumFields*8-1:0] FieldBits = '0,
  parameter bit [NumFields*16-1:0] FieldSizes = '0,
  parameter bit ModeSelector = 1'b0,
  parameter int unsigned Flows = 0,                    // of congestion control; 0: none
  localparam int unsigned StopBits = (Flows > 0) ? Flows : 1,
  localparam int unsigned DescBits = `HW_MESSAGE_DESC_BITS,
  localparam int unsigned CplBits = `HW_MESSAGE_CPL_BITS,
  localparam int unsigned WinBits = `HW_MESSAGE_WIN_BITS
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic [DstBits-1:0]          self_i,
  input  wire logic [31:0]                 timeout_i,
  input  wire logic [31:0]                 sel_threshold_i,
  input  wire logic [7:0]                  sel_lambda_i,
  input  wire logic [7:0]                  sel_sigma_i,
  input  wire logic [7:0]                  sel_max_age_i,

  // Host
  `include "hw_message_host_ports.svh"

  // Memory
  output logic [1:0]                       arid_o,
  output logic [AddrBits-1:0]              araddr_o,
  output logic [7:0]                       arlen_o,
  output logic                             arvalid_o,
  input  wire logic                        arready_i,
  input  wire logic [1:0]                  rid_i,
  input  wire logic [StreamBits-1:0]       rdata_i,
  input  wire logic [1:0]                  rresp_i,
  input  wire logic                        rlast_i,
  input  wire logic                        rvalid_i,
  output logic                             rready_o,
  output logic [1:0]                       awid_o,
  output logic [AddrBits-1:0]              awaddr_o,
  output logic [7:0]                       awlen_o,
  output logic                             awvalid_o,
  input  wire logic                        awready_i,
  output logic [StreamBits-1:0]            wdata_o,
  output logic [StreamBits/8-1:0]          wstrb_o,
  output logic                             wlast_o,
  output logic                             wvalid_o,
  input  wire logic                        wready_i,
  input  wire logic [1:0]                  bid_i,
  input  wire logic [1:0]                  bresp_i,
  input  wire logic                        bvalid_i,
  output logic                             bready_o,

  // Streams into the network and out of it, requests in the low slices, responses in the high ones
  output logic [1:0]                       tx_valid_o,
  input  wire logic [1:0]                  tx_ready_i,
  output logic [2*StreamBits-1:0]          tx_data_o,
  output logic [1:0]                       tx_last_o,
  output logic [2*DstBits-1:0]             tx_dst_o,
  input  wire logic [1:0]                  rx_valid_i,
  output logic [1:0]                       rx_ready_o,
  input  wire logic [2*StreamBits-1:0]     rx_data_i,
  input  wire logic [1:0]                  rx_last_i,
  input  wire logic [2*DstBits-1:0]        rx_src_i,

  // Congestion control: {increase, period}, {throttle, shift, gap} as in the registers; a notification that comes
  input  wire logic [63:0]                 congestion_i,
  input  wire logic                        note_valid_i,
  input  wire logic [DstBits-1:0]          note_dst_i,

  // What the channel does with requests
  input  wire logic                        head_sent_i,
  input  wire logic [OutstandingBits-1:0]  head_id_i,
  input  wire logic                        flit_sent_i,
  input  wire logic                        stalled_i,

  // Events to count
  output logic                             rsp_o,
  output logic [31:0]                      rsp_latency_o,
  output logic [3:0]                       refused_o,        // bounds, right, key, closed
  output logic                             memory_error_o,
  output logic                             bad_descriptor_o,
  output logic                             timeout_o,
  output logic                             late_o,
  output logic                             throttles_o,      // there are rates, which change with time
  output logic                             quiescent_o       // nothing is under way
);

  localparam int unsigned PageBits = 12;
  localparam int unsigned BytesBits = `HW_MESSAGE_BYTES_BITS;
  localparam int unsigned TicketBits = `HW_MESSAGE_TICKET_BITS;
  localparam int unsigned CodeBits = hw_message_pkg::CodeBits;
  localparam int unsigned FromBits = DstBits + TicketBits + 3;

  // ---- Arbiters of the memory: slice 0 for own messages, 1 for requests of others

  logic [1:0] take, read_want, read_ready, read, write_want, write_ready, word_valid, word_pop, write_done;
  logic [2*AddrBits-1:0] read_addr, write_addr;
  logic [15:0] read_len, write_len;
  logic [2*StreamBits/8-1:0] last_strb;
  logic [2*StreamBits-1:0] word;
  logic read_error, write_error, writes_quiescent;

  hw_axi_read_arbiter #(.AddrBits(AddrBits)) u_reads (
    .clk_i(clk_i), .rst_ni(rst_ni), .want_i(read_want), .ready_o(read_ready), .addr_i(read_addr), .len_i(read_len),
    .take_i(take), .read_o(read), .error_o(read_error),
    .arid_o(arid_o), .araddr_o(araddr_o), .arlen_o(arlen_o), .arvalid_o(arvalid_o), .arready_i(arready_i),
    .rid_i(rid_i), .rresp_i(rresp_i), .rvalid_i(rvalid_i), .rready_o(rready_o)
  );
  hw_axi_write_arbiter #(.AddrBits(AddrBits), .DataBits(StreamBits)) u_writes (
    .clk_i(clk_i), .rst_ni(rst_ni), .want_i(write_want), .ready_o(write_ready), .addr_i(write_addr), .len_i(write_len),
    .last_strb_i(last_strb), .word_valid_i(word_valid), .data_i(word), .pop_o(word_pop), .done_o(write_done),
    .error_o(write_error), .quiescent_o(writes_quiescent),
    .awid_o(awid_o), .awaddr_o(awaddr_o), .awlen_o(awlen_o), .awvalid_o(awvalid_o), .awready_i(awready_i),
    .wdata_o(wdata_o), .wstrb_o(wstrb_o), .wlast_o(wlast_o), .wvalid_o(wvalid_o), .wready_i(wready_i),
    .bid_i(bid_i), .bresp_i(bresp_i), .bvalid_i(bvalid_i), .bready_o(bready_o)
  );

  // ---- Own messages

  logic initiator_quiescent;
  logic [1:0] initiator_errors, service_errors;
  hw_message_initiator #(
    .MaxFlits(MaxFlits), `HW_MESSAGE_PARAMETERS, .DstLsb(DstLsb), .NumFields(NumFields), .FieldLsbs(FieldLsbs), .FieldBits(FieldBits),
    .FieldSizes(FieldSizes), .ModeSelector(ModeSelector), .Flows(Flows)
  ) u_initiator (
    .clk_i(clk_i), .rst_ni(rst_ni), .self_i(self_i), .timeout_i(timeout_i), .sel_threshold_i(sel_threshold_i),
    .sel_lambda_i(sel_lambda_i), .sel_sigma_i(sel_sigma_i), .sel_max_age_i(sel_max_age_i),
    .desc_valid_i(desc_valid_i), .desc_ready_o(desc_ready_o), .desc_i(desc_i),
    .cpl_valid_o(cpl_valid_o), .cpl_ready_i(cpl_ready_i), .cpl_o(cpl_o),
    .want_o(read_want[0]), .read_ready_i(read_ready[0]), .read_addr_o(read_addr[AddrBits-1:0]), .read_len_o(read_len[7:0]),
    .take_o(take[0]), .read_i(read[0]), .read_data_i(rdata_i), .read_last_i(rlast_i), .read_error_i(read_error),
    .write_want_o(write_want[0]), .write_ready_i(write_ready[0]), .write_addr_o(write_addr[AddrBits-1:0]),
    .write_len_o(write_len[7:0]), .write_last_strb_o(last_strb[StreamBits/8-1:0]), .word_valid_o(word_valid[0]),
    .word_o(word[StreamBits-1:0]), .pop_i(word_pop[0]), .write_done_i(write_done[0]), .write_error_i(write_error),
    .tx_valid_o(tx_valid_o[0]), .tx_ready_i(tx_ready_i[0]), .tx_data_o(tx_data_o[StreamBits-1:0]), .tx_last_o(tx_last_o[0]),
    .tx_dst_o(tx_dst_o[DstBits-1:0]), .rx_valid_i(rx_valid_i[1]), .rx_ready_o(rx_ready_o[1]),
    .rx_data_i(rx_data_i[StreamBits+:StreamBits]), .rx_last_i(rx_last_i[1]),
    .congestion_i(congestion_i), .note_valid_i(note_valid_i), .note_dst_i(note_dst_i), .stop_valid_o(stop_valid_o), .stop_dst_o(stop_dst_o),
    .head_sent_i(head_sent_i), .head_id_i(head_id_i), .flit_sent_i(flit_sent_i), .stalled_i(stalled_i),
    .rsp_o(rsp_o), .rsp_latency_o(rsp_latency_o), .memory_errors_o(initiator_errors), .bad_descriptor_o(bad_descriptor_o),
    .timeout_o(timeout_o), .late_o(late_o), .throttles_o(throttles_o), .quiescent_o(initiator_quiescent)
  );

  // ---- Requests of others

  logic place_free, place_take, ask, asked, win_open, may_write, may_read, put, refuse, serve, count_valid, count_ready;
  logic [WindowBits-1:0] ask_window, count_window;
  logic [KeyBits-1:0] win_key, count_key;
  logic [AddrBits-PageBits-1:0] win_base;
  logic [31:0] win_size;
  logic [FromBits+KeyBits+WindowBits+BytesBits-1:0] pending;
  logic [CodeBits-1:0] refuse_code;
  logic [FromBits-1:0] from;
  logic [AddrBits-1:0] serve_addr;
  logic [BytesBits-1:0] serve_bytes, count_bytes;
  logic target_quiescent, service_quiescent, windows_quiescent;

  hw_message_windows #(.AddrBits(AddrBits), .WindowBits(WindowBits), .KeyBits(KeyBits), .CountBits(BytesBits)) u_windows (
    .clk_i(clk_i), .rst_ni(rst_ni), .win_valid_i(win_valid_i), .win_ready_o(win_ready_o), .win_index_i(win_index_i), .win_i(win_i),
    .evt_valid_o(evt_valid_o), .evt_ready_i(evt_ready_i), .evt_o(evt_o),
    .ask_i(ask), .ask_window_i(ask_window), .asked_o(asked), .open_o(win_open), .may_write_o(may_write), .may_read_o(may_read),
    .key_o(win_key), .base_o(win_base), .size_o(win_size),
    .count_valid_i(count_valid), .count_ready_o(count_ready), .count_window_i(count_window),
    .count_key_i(count_key), .count_bytes_i(count_bytes),
    .quiescent_o(windows_quiescent)
  );

  hw_message_target #(
    .StreamBits(StreamBits), .MaxFlits(MaxFlits), .DstBits(DstBits), .AddrBits(AddrBits), .WindowBits(WindowBits), .KeyBits(KeyBits),
    .OffsetBits(OffsetBits), .OutstandingBits(OutstandingBits), .MessageLsb(MessageLsb), .ModeLsb(ModeLsb), .ModeBits(ModeBits)
  ) u_target (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rx_valid_i(rx_valid_i[0]), .rx_ready_o(rx_ready_o[0]), .rx_data_i(rx_data_i[StreamBits-1:0]), .rx_last_i(rx_last_i[0]),
    .rx_src_i(rx_src_i[DstBits-1:0]), .place_free_i(place_free), .place_take_o(place_take),
    .ask_o(ask), .ask_window_o(ask_window), .asked_i(asked), .open_i(win_open), .may_write_i(may_write), .may_read_i(may_read),
    .key_i(win_key), .base_i(win_base), .size_i(win_size),
    .want_o(write_want[1]), .write_ready_i(write_ready[1]), .write_addr_o(write_addr[AddrBits+:AddrBits]),
    .write_len_o(write_len[15:8]), .write_last_strb_o(last_strb[StreamBits/8+:StreamBits/8]), .word_valid_o(word_valid[1]),
    .word_o(word[StreamBits+:StreamBits]), .pop_i(word_pop[1]), .put_o(put), .pending_o(pending),
    .refuse_o(refuse), .refuse_code_o(refuse_code), .from_o(from), .get_o(serve), .get_addr_o(serve_addr),
    .get_bytes_o(serve_bytes), .quiescent_o(target_quiescent)
  );

  hw_message_service #(
    .StreamBits(StreamBits), .MaxFlits(MaxFlits), .DstBits(DstBits), .AddrBits(AddrBits), .WindowBits(WindowBits), .KeyBits(KeyBits),
    .OutstandingBits(OutstandingBits), .MessageLsb(MessageLsb), .ModeLsb(ModeLsb), .ModeBits(ModeBits)
  ) u_service (
    .clk_i(clk_i), .rst_ni(rst_ni), .place_free_o(place_free), .place_take_i(place_take), .from_i(from), .refuse_i(refuse),
    .refuse_code_i(refuse_code), .put_i(put), .pending_i(pending), .get_i(serve), .get_addr_i(serve_addr), .get_bytes_i(serve_bytes),
    .write_done_i(write_done[1]), .write_error_i(write_error), .want_o(read_want[1]), .read_ready_i(read_ready[1]),
    .read_addr_o(read_addr[AddrBits+:AddrBits]), .read_len_o(read_len[15:8]), .take_o(take[1]), .read_i(read[1]), .read_data_i(rdata_i),
    .read_last_i(rlast_i), .read_error_i(read_error),
    .count_valid_o(count_valid), .count_ready_i(count_ready), .count_key_o(count_key), .count_window_o(count_window),
    .count_bytes_o(count_bytes),
    .tx_valid_o(tx_valid_o[1]), .tx_ready_i(tx_ready_i[1]), .tx_data_o(tx_data_o[StreamBits+:StreamBits]), .tx_last_o(tx_last_o[1]),
    .tx_dst_o(tx_dst_o[DstBits+:DstBits]), .memory_errors_o(service_errors), .quiescent_o(service_quiescent)
  );

  always_comb begin
    refused_o = '0;
    for (int unsigned c = 0; c < 4; c = c + 1) refused_o[c] = refuse && 32'(refuse_code) == c + 1;
  end
  // Two errors at a time are counted one after the other.
  logic [7:0] errors_q;
  assign memory_error_o = errors_q != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) errors_q <= '0;
    else errors_q <= errors_q + 8'(initiator_errors) + 8'(service_errors) - 8'(memory_error_o);
  end

  assign quiescent_o = initiator_quiescent && target_quiescent && service_quiescent && windows_quiescent && writes_quiescent &&
                       errors_q == '0;

  wire unused = &{1'b0, rx_src_i[DstBits+:DstBits]};

endmodule

`default_nettype wire
