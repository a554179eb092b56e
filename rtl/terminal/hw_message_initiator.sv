// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_message.svh"

// Own messages of a message interface, from their descriptors to their completions: requests out, responses in.
//
// Combinational paths, assumptions, guarantees: those of the modules inside, which hw_message_interface lists. Of a descriptor that is taken
// in cycle t the first AR, or the head of a GET, is there in t+5, with Flows in t+6. An id of a request is free again when the response has
// come or the time is over.
//
// With Flows a request's flits make a debt with hw_congestion_throttle when the request is made, so that no more of them are on their way
// than its rate allows; hw_message_turns keeps messages to stopped destinations aside.
module hw_message_initiator #(
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
  parameter int unsigned Flows = 0,                    // of congestion control: see hw_congestion_throttle; 0: none
  localparam int unsigned StopBits = (Flows > 0) ? Flows : 1,
  localparam int unsigned DescBits = `HW_MESSAGE_DESC_BITS,
  localparam int unsigned CplBits = `HW_MESSAGE_CPL_BITS
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
  input  wire logic                        desc_valid_i,
  output logic                             desc_ready_o,
  input  wire logic [DescBits-1:0]         desc_i,
  output logic                             cpl_valid_o,
  input  wire logic                        cpl_ready_i,
  output logic [CplBits-1:0]               cpl_o,

  // Memory: see hw_axi_read_arbiter, hw_axi_write_arbiter
  output logic                             want_o,
  input  wire logic                        read_ready_i,
  output logic [AddrBits-1:0]              read_addr_o,
  output logic [7:0]                       read_len_o,
  output logic                             take_o,
  input  wire logic                        read_i,
  input  wire logic [StreamBits-1:0]       read_data_i,
  input  wire logic                        read_last_i,
  input  wire logic                        read_error_i,
  output logic                             write_want_o,
  input  wire logic                        write_ready_i,
  output logic [AddrBits-1:0]              write_addr_o,
  output logic [7:0]                       write_len_o,
  output logic [StreamBits/8-1:0]          write_last_strb_o,
  output logic                             word_valid_o,
  output logic [StreamBits-1:0]            word_o,
  input  wire logic                        pop_i,
  input  wire logic                        write_done_i,
  input  wire logic                        write_error_i,

  // Streams: requests into the network, responses out of it
  output logic                             tx_valid_o,
  input  wire logic                        tx_ready_i,
  output logic [StreamBits-1:0]            tx_data_o,
  output logic                             tx_last_o,
  output logic [DstBits-1:0]               tx_dst_o,
  input  wire logic                        rx_valid_i,
  output logic                             rx_ready_o,
  input  wire logic [StreamBits-1:0]       rx_data_i,
  input  wire logic                        rx_last_i,

  // Congestion control: configuration, notifications that come, destinations that no message should begin for
  input  wire logic [63:0]                 congestion_i,
  input  wire logic                        note_valid_i,
  input  wire logic [DstBits-1:0]          note_dst_i,
  output logic [StopBits-1:0]              stop_valid_o,
  output logic [StopBits*DstBits-1:0]      stop_dst_o,

  // What the channel does with requests
  input  wire logic                        head_sent_i,
  input  wire logic [OutstandingBits-1:0]  head_id_i,
  input  wire logic                        flit_sent_i,
  input  wire logic                        stalled_i,

  // Events to count
  output logic                             rsp_o,
  output logic [31:0]                      rsp_latency_o,
  output logic [1:0]                       memory_errors_o,
  output logic                             bad_descriptor_o,
  output logic                             timeout_o,
  output logic                             late_o,
  output logic                             throttles_o,      // there are rates, which change with time
  output logic                             quiescent_o       // nothing is under way
);

  localparam int unsigned FlitShift = $clog2(StreamBits / 8);
  localparam int unsigned BytesBits = `HW_MESSAGE_BYTES_BITS;
  localparam int unsigned TicketBits = `HW_MESSAGE_TICKET_BITS;
  localparam int unsigned CodeBits = hw_message_pkg::CodeBits;
  localparam int unsigned EntryBits = SlotBits + 1 + AddrBits - FlitShift + BytesBits;
  localparam int unsigned PacketBits = DstBits + 4 + BytesBits + TicketBits + WindowBits + KeyBits + OffsetBits - FlitShift;
  localparam int unsigned Payload = MaxFlits - 1;
  localparam int unsigned Words = (2 * Payload > 64) ? 2 * Payload + 1 : 64;   // of the payload of PUTs that are under way
  localparam int unsigned Bursts = 16;

  localparam int unsigned MessageBits = `HW_MESSAGE_STATE_BITS;

  logic offers, open_valid, open_ready, slot_free, decides, bad, decided_over, next_ready, get;
  logic [SlotBits-1:0] slot, account_slot;
  logic [TagBits-1:0] tag;
  logic [DstBits-1:0] dst;
  logic [2:0] mode;
  logic [31:0] bytes, account_bytes, now, sent;
  logic [AddrBits-1:0] addr;
  logic [WindowBits-1:0] window;
  logic [KeyBits-1:0] key;
  logic [OffsetBits-1:0] offset;
  logic account_valid, account_ready;
  logic [CodeBits-1:0] account_status;
  logic descriptors_quiescent, slots_quiescent, packets_quiescent, requests_quiescent, ids_quiescent, arrivals_quiescent;

  hw_message_descriptors #(
    .StreamBits(StreamBits), .DstLsb(DstLsb), .DstBits(DstBits), .AddrBits(AddrBits), .WindowBits(WindowBits), .KeyBits(KeyBits),
    .OffsetBits(OffsetBits), .TagBits(TagBits), .OutstandingBits(OutstandingBits), .NumFields(NumFields), .FieldLsbs(FieldLsbs),
    .FieldBits(FieldBits), .FieldSizes(FieldSizes), .ModeSelector(ModeSelector)
  ) u_descriptors (
    .clk_i(clk_i), .rst_ni(rst_ni), .self_i(self_i), .sel_threshold_i(sel_threshold_i), .sel_lambda_i(sel_lambda_i),
    .sel_sigma_i(sel_sigma_i), .sel_max_age_i(sel_max_age_i),
    .desc_valid_i(desc_valid_i), .desc_ready_o(desc_ready_o), .desc_i(desc_i),
    .offers_o(offers), .open_valid_o(open_valid), .open_ready_i(open_ready), .tag_o(tag), .decides_o(decides), .bad_o(bad), .next_ready_i(next_ready),
    .dst_o(dst), .get_o(get), .mode_o(mode), .bytes_o(bytes), .addr_o(addr), .window_o(window), .key_o(key), .offset_o(offset),
    .flit_sent_i(flit_sent_i), .stalled_i(stalled_i), .rsp_i(rsp_o), .rsp_latency_i(rsp_latency_o), .decided_over_i(decided_over),
    .bad_descriptor_o(bad_descriptor_o), .quiescent_o(descriptors_quiescent)
  );

  hw_message_slots #(.SlotBits(SlotBits), .TagBits(TagBits)) u_slots (
    .clk_i(clk_i), .rst_ni(rst_ni), .free_o(slot_free), .slot_o(slot),
    .open_valid_i(open_valid), .open_ready_o(open_ready), .open_tag_i(tag), .open_mode_i(mode), .open_bytes_i(bytes),
    .open_decides_i(decides), .open_bad_i(bad),
    .account_valid_i(account_valid), .account_ready_o(account_ready), .account_slot_i(account_slot),
    .account_bytes_i(account_bytes), .account_status_i(account_status),
    .cpl_valid_o(cpl_valid_o), .cpl_ready_i(cpl_ready_i), .cpl_tag_o(cpl_o[TagBits-1:0]), .cpl_status_o(cpl_o[TagBits+:3]),
    .cpl_bytes_o(cpl_o[TagBits+3+:32]), .cpl_mode_o(cpl_o[TagBits+35+:3]), .decided_over_o(decided_over),
    .quiescent_o(slots_quiescent)
  );

  // ---- The message that packets are made of

  logic packets_ready, take_aside, asks, go, aside, turns_quiescent;
  logic [MessageBits-1:0] message, own_message, aside_message;
  logic [8:0] packet_flits;
  assign message = take_aside ? aside_message : {offset, key, window, addr, bytes, slot, mode, get, dst};
  if (Flows > 0) begin : gen_congestion
    logic throttle_quiescent;
    hw_message_turns #(
      .DstBits(DstBits), .AddrBits(AddrBits), .WindowBits(WindowBits), .KeyBits(KeyBits), .OffsetBits(OffsetBits), .SlotBits(SlotBits),
      .ModeBits(ModeBits), .Flows(Flows)
    ) u_turns (
      .clk_i(clk_i), .rst_ni(rst_ni), .stop_valid_i(stop_valid_o), .stop_dst_i(stop_dst_o),
      .asks_i(asks), .message_i(own_message), .go_o(go), .aside_o(aside),
      .ready_i(packets_ready), .new_valid_i(offers && open_ready), .new_ready_o(next_ready), .take_o(take_aside),
      .message_o(aside_message), .quiescent_o(turns_quiescent)
    );
    hw_congestion_throttle #(.DstBits(DstBits), .MaxFlits(MaxFlits), .Flows(Flows), .SentBits(9)) u_throttle (
      .clk_i(clk_i), .rst_ni(rst_ni), .congestion_i(congestion_i), .note_valid_i(note_valid_i), .note_dst_i(note_dst_i),
      .sent_flits_i(packet_flits), .sent_dst_i(own_message[DstBits-1:0]), .stop_valid_o(stop_valid_o), .stop_dst_o(stop_dst_o),
      .quiescent_o(throttle_quiescent)
    );
    assign throttles_o = !throttle_quiescent;
  end else begin : gen_no_congestion
    assign next_ready = packets_ready;
    assign {take_aside, go, aside, aside_message, stop_valid_o, stop_dst_o} = '0;
    assign {throttles_o, turns_quiescent} = 2'b01;
    wire unused_congestion = &{1'b0, congestion_i, note_valid_i, note_dst_i, offers, asks, own_message, packet_flits};
  end

  logic ticket_valid, take_ticket, room, packet, packets_full, whole, burst_error, payload_valid, payload_pop, payload_last;
  logic fail_valid, fail_ready, rsp_valid, rsp_ready, lookup_wait, over, failed, read_buffer_quiescent;
  logic [TicketBits-1:0] ticket, fail_ticket, rsp_ticket;
  logic [EntryBits-1:0] entry, over_entry;
  logic [PacketBits-1:0] packet_data;
  logic [StreamBits-1:0] payload;
  hw_message_packets #(
    .StreamBits(StreamBits), .MaxFlits(MaxFlits), .DstBits(DstBits), .AddrBits(AddrBits), .WindowBits(WindowBits), .KeyBits(KeyBits),
    .OffsetBits(OffsetBits), .OutstandingBits(OutstandingBits), .SlotBits(SlotBits), .Asks(Flows > 0)
  ) u_packets (
    .clk_i(clk_i), .rst_ni(rst_ni), .ready_o(packets_ready), .take_i(take_aside || (open_valid && open_ready && !bad)),
    .message_i(message), .asks_o(asks), .go_i(go), .aside_i(aside), .message_o(own_message), .ticket_valid_i(ticket_valid), .take_ticket_o(take_ticket), .ticket_i(ticket), .entry_o(entry),
    .room_i(room), .want_o(want_o), .read_ready_i(read_ready_i), .read_addr_o(read_addr_o),
    .read_len_o(read_len_o), .full_i(packets_full), .packet_o(packet), .packet_data_o(packet_data),
    .packet_flits_o(packet_flits), .quiescent_o(packets_quiescent)
  );

  hw_read_buffer #(.Width(StreamBits), .MaxBeats(Payload), .Depth(Words), .Bursts(Bursts)) u_payload (
    .clk_i(clk_i), .rst_ni(rst_ni), .room_o(room), .reserve_i(want_o && read_ready_i),
    .beats_i($clog2(Payload + 1)'(32'(read_len_o) + 1)),
    .take_o(take_o), .read_i(read_i), .read_data_i(read_data_i), .read_last_i(read_last_i), .read_error_i(read_error_i),
    .whole_o(whole), .error_o(burst_error), .valid_o(payload_valid), .data_o(payload), .pop_i(payload_pop),
    .pop_last_i(payload_last), .quiescent_o(read_buffer_quiescent)
  );

  hw_message_requests #(
    .StreamBits(StreamBits), .MaxFlits(MaxFlits), .DstBits(DstBits), .WindowBits(WindowBits), .KeyBits(KeyBits),
    .OffsetBits(OffsetBits), .OutstandingBits(OutstandingBits), .MessageLsb(MessageLsb), .ModeLsb(ModeLsb), .ModeBits(ModeBits)
  ) u_requests (
    .clk_i(clk_i), .rst_ni(rst_ni), .full_o(packets_full), .packet_i(packet), .packet_data_i(packet_data),
    .whole_i(whole), .error_i(burst_error), .word_valid_i(payload_valid), .word_i(payload), .pop_o(payload_pop),
    .pop_last_o(payload_last), .fail_valid_o(fail_valid), .fail_ready_i(fail_ready), .fail_ticket_o(fail_ticket),
    .tx_valid_o(tx_valid_o), .tx_ready_i(tx_ready_i), .tx_data_o(tx_data_o), .tx_last_o(tx_last_o),
    .tx_dst_o(tx_dst_o), .quiescent_o(requests_quiescent)
  );

  hw_message_ids #(.OutstandingBits(OutstandingBits), .EntryBits(EntryBits)) u_ids (
    .clk_i(clk_i), .rst_ni(rst_ni), .timeout_i(timeout_i), .now_o(now),
    .ticket_valid_o(ticket_valid), .ticket_o(ticket), .take_i(take_ticket), .entry_i(entry),
    .head_sent_i(head_sent_i), .head_id_i(head_id_i),
    .fail_valid_i(fail_valid), .fail_ready_o(fail_ready), .fail_ticket_i(fail_ticket),
    .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready), .rsp_ticket_i(rsp_ticket),
    .over_o(over), .late_o(late_o), .timeout_o(timeout_o), .failed_o(failed), .entry_o(over_entry), .sent_o(sent),
    .wait_i(lookup_wait), .quiescent_o(ids_quiescent)
  );

  hw_message_arrivals #(
    .StreamBits(StreamBits), .MaxFlits(MaxFlits), .AddrBits(AddrBits), .OutstandingBits(OutstandingBits), .SlotBits(SlotBits),
    .MessageLsb(MessageLsb)
  ) u_arrivals (
    .clk_i(clk_i), .rst_ni(rst_ni), .now_i(now),
    .rx_valid_i(rx_valid_i), .rx_ready_o(rx_ready_o), .rx_data_i(rx_data_i), .rx_last_i(rx_last_i),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_ticket_o(rsp_ticket), .wait_o(lookup_wait),
    .over_i(over), .late_i(late_o), .timeout_i(timeout_o), .failed_i(failed), .entry_i(over_entry), .sent_i(sent),
    .want_o(write_want_o), .write_ready_i(write_ready_i), .write_addr_o(write_addr_o), .write_len_o(write_len_o),
    .write_last_strb_o(write_last_strb_o), .word_valid_o(word_valid_o), .word_o(word_o),
    .pop_i(pop_i), .done_i(write_done_i), .done_error_i(write_error_i),
    .account_valid_o(account_valid), .account_ready_i(account_ready), .account_slot_o(account_slot),
    .account_bytes_o(account_bytes), .account_status_o(account_status),
    .rsp_o(rsp_o), .latency_o(rsp_latency_o), .memory_errors_o(memory_errors_o), .quiescent_o(arrivals_quiescent)
  );

  assign quiescent_o = descriptors_quiescent && slots_quiescent && packets_quiescent && turns_quiescent && requests_quiescent && ids_quiescent &&
                       arrivals_quiescent && read_buffer_quiescent;
  wire unused = &{1'b0, slot_free};

endmodule

`default_nettype wire
