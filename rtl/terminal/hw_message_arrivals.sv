// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Responses that arrive: taken at once, looked up in the table of requests, accounted for to their messages. The data of a GET are
// written to memory first.
//
// A response sinks: whatever the network does, it is taken in bounded time, as all that it needs are the memory's write channel and a
// place in its queue here, which memory and table empty. Accounts of timeouts and failures of own requests go the same way.
//
// Latency: from the last flit in cycle c to the account of a PUT c+4. Throughput: one beat per cycle, a response each 3 cycles.
// Combinational paths: none from inputs to outputs but those of the write arbiter and of the account.
// Assumes: a response to a GET that is done has the bytes that were asked for, as the interfaces of all terminals are alike.
// Guarantees: data of late responses go nowhere.
module hw_message_arrivals #(
  parameter int unsigned StreamBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned AddrBits = 0,
  parameter int unsigned OutstandingBits = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned MessageLsb = 0,
  parameter int unsigned Writes = 8,                   // bursts that wait for B
  localparam int unsigned FlitShift = $clog2(StreamBits / 8),
  localparam int unsigned BytesBits = `HW_MESSAGE_BYTES_BITS,
  localparam int unsigned TicketBits = `HW_MESSAGE_TICKET_BITS,
  localparam int unsigned EntryBits = SlotBits + 1 + AddrBits - FlitShift + BytesBits,
  localparam int unsigned CodeBits = hw_message_pkg::CodeBits
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [31:0]            now_i,

  // Stream from the network
  input  wire logic                   rx_valid_i,
  output logic                        rx_ready_o,
  input  wire logic [StreamBits-1:0]  rx_data_i,
  input  wire logic                   rx_last_i,

  // Table of requests: see hw_message_ids
  output logic                        rsp_valid_o,
  input  wire logic                   rsp_ready_i,
  output logic [TicketBits-1:0]       rsp_ticket_o,
  output logic                        wait_o,
  input  wire logic                   over_i,
  input  wire logic                   late_i,
  input  wire logic                   timeout_i,
  input  wire logic                   failed_i,
  input  wire logic [EntryBits-1:0]   entry_i,
  input  wire logic [31:0]            sent_i,

  // Write channel
  output logic                        want_o,
  input  wire logic                   write_ready_i,
  output logic [AddrBits-1:0]         write_addr_o,
  output logic [7:0]                  write_len_o,
  output logic [StreamBits/8-1:0]     write_last_strb_o,
  output logic                        word_valid_o,
  output logic [StreamBits-1:0]       word_o,
  input  wire logic                   pop_i,
  input  wire logic                   done_i,
  input  wire logic                   done_error_i,

  // Account
  output logic                        account_valid_o,
  input  wire logic                   account_ready_i,
  output logic [SlotBits-1:0]         account_slot_o,
  output logic [31:0]                 account_bytes_o,
  output logic [CodeBits-1:0]         account_status_o,

  // Counters
  output logic                        rsp_o,
  output logic [31:0]                 latency_o,
  output logic [1:0]                  memory_errors_o,     // in the cycle before
  output logic                        quiescent_o
);

  localparam int unsigned Payload = MaxFlits - 1;
  localparam int unsigned Words = (2 * Payload > 16) ? 2 * Payload : 16;
  localparam int unsigned Responses = 8;
  localparam int unsigned FlitBytes = StreamBits / 8;

  // ---- From the network: payload to one queue, what the packet is to another

  logic inside_q, words_full, words_empty, word_pop, takes, rsp_full, rsp_empty, rsp_pop, rsp_data, rsp_has_data;
  logic [CodeBits-1:0] code_q, code, rsp_code;
  logic [TicketBits-1:0] ticket_q, ticket;
  logic [8:0] beats_q, rsp_beats;
  logic [31:0] rsp_time;
  logic [$clog2(Words+1)-1:0] words_count;
  logic [$clog2(Responses+1)-1:0] rsp_count;

  assign rx_ready_o = !words_full && !rsp_full;
  assign takes = rx_valid_i && rx_ready_o;
  assign code = inside_q ? code_q : rx_data_i[MessageLsb+:CodeBits];
  assign ticket = inside_q ? ticket_q : rx_data_i[`HW_MESSAGE_TICKET_LSB+:TicketBits];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) inside_q <= 1'b0;
    else if (takes) inside_q <= !rx_last_i;
  end
  always_ff @(posedge clk_i) begin
    if (takes) begin
      code_q <= code;
      ticket_q <= ticket;
      beats_q <= inside_q ? beats_q + 9'd1 : 9'd0;
    end
  end
  hw_ram_fifo #(.Width(StreamBits), .Depth(Words)) u_words (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(takes && inside_q), .data_i(rx_data_i), .full_o(words_full),
    .pop_i(word_pop), .data_o(word_o), .empty_o(words_empty), .count_o(words_count)
  );
  hw_fifo #(.Width(CodeBits + TicketBits + 9 + 32), .Depth(Responses)) u_responses (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(takes && rx_last_i),
    .data_i({code, ticket, inside_q ? beats_q + 9'd1 : 9'd0, now_i}), .full_o(rsp_full),
    .pop_i(rsp_pop), .data_o({rsp_code, rsp_ticket_o, rsp_beats, rsp_time}), .empty_o(rsp_empty), .count_o(rsp_count)
  );

  // ---- What the table says of it, a cycle after it is asked

  logic asked_q, held_q, entry_get, writes, drops, account_own;
  logic [SlotBits-1:0] entry_slot;
  logic [AddrBits-FlitShift-1:0] entry_addr;
  logic [BytesBits-1:0] entry_bytes;
  logic [CodeBits-1:0] status;

  assign rsp_valid_o = !rsp_empty;
  assign {entry_slot, entry_get, entry_addr, entry_bytes} = entry_i;
  assign status = timeout_i ? hw_message_pkg::TimedOut : failed_i ? hw_message_pkg::MemoryError : rsp_code;
  assign rsp_has_data = rsp_beats != '0;
  assign rsp_data = over_i && asked_q && entry_get && rsp_has_data;
  assign rsp_pop = asked_q;
  assign rsp_o = over_i && asked_q;
  assign latency_o = rsp_time - sent_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= 1'b0;
    else asked_q <= rsp_valid_o && rsp_ready_i;
  end

  // One result waits at most: its data are to be written (writes) or thrown away (drops), or it is to be accounted for.
  logic write_q, drop_q, account_q, drop_pop;
  logic [SlotBits-1:0] slot_q;
  logic [AddrBits-FlitShift-1:0] addr_q;
  logic [BytesBits-1:0] bytes_q;
  logic [CodeBits-1:0] status_q;
  logic [8:0] left_q;
  logic wait_full, wait_empty, done_empty, done_error, write_account, unused_done_full;
  logic [SlotBits-1:0] wait_slot;
  logic [BytesBits-1:0] wait_bytes;
  logic [$clog2(Writes+1)-1:0] wait_count, done_count;

  assign writes = rsp_data;
  assign drops = asked_q && rsp_has_data && !writes;
  assign account_own = over_i && !writes;
  assign held_q = write_q || drop_q || account_q;
  assign wait_o = held_q || over_i || drops;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= 1'b0;
      drop_q <= 1'b0;
      account_q <= 1'b0;
    end else begin
      write_q <= writes || (write_q && !(want_o && write_ready_i));
      drop_q <= drops || (drop_q && !(drop_pop && left_q == 9'd1));
      account_q <= account_own || (account_q && !(account_ready_i && !write_account));
    end
  end
  always_ff @(posedge clk_i) begin
    if (over_i || drops) begin
      slot_q <= entry_slot;
      addr_q <= entry_addr;
      bytes_q <= entry_bytes;
      status_q <= status;
      left_q <= rsp_beats;
    end else if (drop_pop) begin
      left_q <= left_q - 9'd1;
    end
  end

  // ---- Writes of data

  logic [8:0] flits;
  logic [BytesBits-1:0] last_bytes;                    // of the last word
  assign flits = 9'((32'(bytes_q) + FlitBytes - 1) >> FlitShift);
  assign last_bytes = BytesBits'(32'(bytes_q) - ((32'(flits) - 32'd1) << FlitShift));
  assign want_o = write_q && !wait_full;
  assign write_addr_o = {addr_q, FlitShift'(0)};
  assign write_len_o = 8'(flits - 9'd1);
  assign write_last_strb_o = ~({(StreamBits/8){1'b1}} << last_bytes);
  // Words of the write that is under way come first; those that are dropped come behind it.
  logic [8:0] writing_q;                               // words that the write channel is still to take
  assign word_valid_o = !words_empty && writing_q != '0;
  assign drop_pop = drop_q && writing_q == '0 && !words_empty;
  assign word_pop = pop_i || drop_pop;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) writing_q <= '0;
    else writing_q <= writing_q + (want_o && write_ready_i ? flits : 9'd0) - 9'(pop_i);
  end

  hw_fifo #(.Width(SlotBits + BytesBits), .Depth(Writes)) u_waiting (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(want_o && write_ready_i), .data_i({slot_q, bytes_q}), .full_o(wait_full),
    .pop_i(write_account && account_ready_i), .data_o({wait_slot, wait_bytes}), .empty_o(wait_empty), .count_o(wait_count)
  );
  hw_fifo #(.Width(1), .Depth(Writes)) u_done (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(done_i), .data_i(done_error_i), .full_o(unused_done_full),
    .pop_i(write_account && account_ready_i), .data_o(done_error), .empty_o(done_empty), .count_o(done_count)
  );

  assign write_account = !done_empty;
  assign account_valid_o = write_account || account_q;
  assign account_slot_o = write_account ? wait_slot : slot_q;
  assign account_bytes_o = write_account ? 32'(wait_bytes) : 32'(bytes_q);
  assign account_status_o = !write_account ? status_q : done_error ? hw_message_pkg::MemoryError : hw_message_pkg::Done;

  logic [1:0] memory_errors_q;
  assign memory_errors_o = memory_errors_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) memory_errors_q <= '0;
    else memory_errors_q <= 2'(failed_i) + 2'(done_i && done_error_i);
  end
  assign quiescent_o = words_count == '0 && rsp_count == '0 && !inside_q && !asked_q && !held_q && wait_count == '0 && memory_errors_q == '0;
  wire unused = &{1'b0, unused_done_full, done_count, wait_empty, late_i};

  `HW_ASSUME(a_data_as_asked, !writes || (32'(rsp_beats) == (32'(entry_bytes) + FlitBytes - 1) >> FlitShift))
  `HW_ASSUME(a_data_where_done, !(over_i && asked_q && entry_get && rsp_code == hw_message_pkg::Done) || rsp_has_data)
  `HW_ASSERT(a_answers_of_writes, !write_account || !wait_empty)
  `HW_COVER(c_data_of_a_late_response, drops && late_i)

endmodule

`default_nettype wire
