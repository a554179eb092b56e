// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Requests of other terminals, as they arrive: each is judged by its window before its payload is taken. Those that are refused
// have a response at once; a PUT is written to memory, counted by its window, and has its response then; a GET goes on to be served.
//
// A request is taken only when a place for its response is free (places_i), so no one waits here for the network but heads. A write
// begins when all of its packet is here: the memory's write channel never waits for the network.
//
// Latency: a PUT whose tail comes in cycle c wants the write channel in c+2; its response is there 4 cycles after B. Throughput: one beat
//   per cycle, across packets. Combinational paths: none from inputs to outputs but count_ready_i, places_i -> registers.
// Assumes: a PUT has as much payload as its head says, as the interfaces of all terminals are alike.
// Guarantees: nothing outside of an open window with the request's key and right is read or written; nothing of a refused request is. Checked by tests/rtl_messages.
module hw_message_target #(
  parameter int unsigned StreamBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned DstBits = 0,
  parameter int unsigned AddrBits = 0,
  parameter int unsigned WindowBits = 0,
  parameter int unsigned KeyBits = 0,
  parameter int unsigned OffsetBits = 0,
  parameter int unsigned OutstandingBits = 0,
  parameter int unsigned MessageLsb = 0,
  parameter int unsigned ModeLsb = 0,
  parameter int unsigned ModeBits = 0,
  parameter int unsigned Places = 16,                  // requests that are here at a time
  localparam int unsigned FlitShift = $clog2(StreamBits / 8),
  localparam int unsigned BytesBits = `HW_MESSAGE_BYTES_BITS,
  localparam int unsigned TicketBits = `HW_MESSAGE_TICKET_BITS,
  localparam int unsigned CodeBits = hw_message_pkg::CodeBits,
  localparam int unsigned PageBits = 12,
  localparam int unsigned FromBits = DstBits + TicketBits + 3   // who asked: source, ticket, mode
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  // Stream from the network
  input  wire logic                          rx_valid_i,
  output logic                               rx_ready_o,
  input  wire logic [StreamBits-1:0]         rx_data_i,
  input  wire logic                          rx_last_i,
  input  wire logic [DstBits-1:0]            rx_src_i,

  // Places for responses
  input  wire logic                          place_free_i,
  output logic                               place_take_o,

  // Its window: see hw_message_windows
  output logic                               ask_o,
  output logic [WindowBits-1:0]              ask_window_o,
  input  wire logic                          asked_i,
  input  wire logic                          open_i,
  input  wire logic                          may_write_i,
  input  wire logic                          may_read_i,
  input  wire logic [KeyBits-1:0]            key_i,
  input  wire logic [AddrBits-PageBits-1:0]  base_i,
  input  wire logic [31:0]                   size_i,

  // PUT: write channel, and what is behind it
  output logic                               want_o,
  input  wire logic                          write_ready_i,
  output logic [AddrBits-1:0]                write_addr_o,
  output logic [7:0]                         write_len_o,
  output logic [StreamBits/8-1:0]            write_last_strb_o,
  output logic                               word_valid_o,
  output logic [StreamBits-1:0]              word_o,
  input  wire logic                          pop_i,
  output logic                               put_o,         // a packet is on its way to memory, as pending_o says
  output logic [FromBits+KeyBits+WindowBits+BytesBits-1:0] pending_o,

  // Refused
  output logic                               refuse_o,
  output logic [CodeBits-1:0]                refuse_code_o,
  output logic [FromBits-1:0]                from_o,        // of put_o, refuse_o, get_o

  // GET
  output logic                               get_o,
  output logic [AddrBits-1:0]                get_addr_o,
  output logic [BytesBits-1:0]               get_bytes_o,
  output logic                               quiescent_o
);

  localparam int unsigned Payload = MaxFlits - 1;
  localparam int unsigned Words = (2 * Payload > 16) ? 2 * Payload : 16;
  localparam int unsigned FlitBytes = StreamBits / 8;
  localparam int unsigned FlitOffsetBits = OffsetBits - FlitShift;
  localparam int unsigned ModeWidth = (ModeBits > 0) ? ModeBits : 1;

  // ---- A beat at a time in a register; a head waits in it for its window

  logic valid_q, last_q, head_q, inside_q, leaves, accepts, head_comes, words_full, commands_full, crosses_page_q;
  logic [StreamBits-1:0] beat_q;
  logic [OffsetBits:0] end_in_window_q;                // with head_q, as crosses_page_q: of what it reads or writes, in bytes
  logic [PageBits:0] end_in_page;
  logic [DstBits-1:0] src_q;

  assign rx_ready_o = !valid_q || leaves;
  assign accepts = rx_valid_i && rx_ready_o;
  assign head_comes = accepts && !inside_q;
  assign ask_o = head_comes || (valid_q && head_q && !leaves);
  assign ask_window_o = head_comes ? rx_data_i[`HW_MESSAGE_WINDOW_LSB+:WindowBits] : beat_q[`HW_MESSAGE_WINDOW_LSB+:WindowBits];
  assign leaves = valid_q && (head_q ? asked_i && place_free_i && !commands_full : !words_full);
  assign place_take_o = leaves && head_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      inside_q <= 1'b0;
      head_q <= 1'b0;
      last_q <= 1'b0;
    end else begin
      valid_q <= accepts || (valid_q && !leaves);
      if (accepts) begin
        inside_q <= !rx_last_i;
        head_q <= !inside_q;
        last_q <= rx_last_i;
      end
    end
  end
  assign end_in_page = {1'b0, rx_data_i[`HW_MESSAGE_OFFSET_LSB+:PageBits-FlitShift], FlitShift'(0)} +
                       (PageBits + 1)'(rx_data_i[`HW_MESSAGE_BYTES_LSB+:BytesBits]);
  always_ff @(posedge clk_i) begin
    if (accepts) begin
      beat_q <= rx_data_i;
      src_q <= rx_src_i;
      end_in_window_q <= {1'b0, rx_data_i[`HW_MESSAGE_OFFSET_LSB+:FlitOffsetBits], FlitShift'(0)} +
                         (OffsetBits + 1)'(rx_data_i[`HW_MESSAGE_BYTES_LSB+:BytesBits]);
      crosses_page_q <= end_in_page > {1'b1, PageBits'(0)};
    end
  end

  // ---- Judgement of a head, kept for its payload

  logic is_get, get, refused, refused_q;
  logic [2:0] mode;
  logic [BytesBits-1:0] bytes, bytes_q;
  logic [FlitOffsetBits-1:0] flit_offset;
  logic [OffsetBits-1:0] offset;
  logic [CodeBits-1:0] code, code_q;
  logic [FromBits-1:0] from, from_q;
  logic [WindowBits-1:0] window_q, window;
  logic [KeyBits-1:0] key_q, key;                      // that the request brought
  logic [AddrBits-1:0] addr, addr_q, head_addr;

  assign is_get = beat_q[MessageLsb];
  assign flit_offset = beat_q[`HW_MESSAGE_OFFSET_LSB+:FlitOffsetBits];
  assign offset = {flit_offset, FlitShift'(0)};
  logic wraps;                                         // the window goes beyond the end of memory, there
  assign {wraps, head_addr} = {1'b0, base_i, PageBits'(0)} + (AddrBits + 1)'(offset);
  assign mode = (ModeBits != 0) ? 3'(beat_q[ModeLsb+:ModeWidth]) : '0;
  always_comb begin
    code = code_q;
    bytes = bytes_q;
    window = window_q;
    key = key_q;
    from = from_q;
    addr = addr_q;
    get = 1'b0;
    if (head_q) begin
      bytes = beat_q[`HW_MESSAGE_BYTES_LSB+:BytesBits];
      window = beat_q[`HW_MESSAGE_WINDOW_LSB+:WindowBits];
      key = beat_q[`HW_MESSAGE_KEY_LSB+:KeyBits];
      from = {mode, beat_q[`HW_MESSAGE_TICKET_LSB+:TicketBits], src_q};
      addr = head_addr;
      get = is_get;
      code = !open_i                                                        ? hw_message_pkg::Closed
             : key_i != key                                                 ? hw_message_pkg::BadKey
             : !(is_get ? may_read_i : may_write_i)                         ? hw_message_pkg::Forbidden
             : (33'(end_in_window_q) > 33'(size_i) || crosses_page_q || wraps) ? hw_message_pkg::OutOfBounds
                                                                            : hw_message_pkg::Done;
    end
  end
  always_ff @(posedge clk_i) begin
    if (leaves && head_q) begin
      code_q <= code;
      bytes_q <= bytes;
      window_q <= window;
      key_q <= key;
      from_q <= from;
      addr_q <= addr;
      refused_q <= code != hw_message_pkg::Done;
    end
  end

  // ---- What becomes of it, with its last flit

  logic commands_empty;
  logic [8:0] flits;
  logic [BytesBits-1:0] command_bytes, last_bytes;
  logic [$clog2(Words+1)-1:0] words_count;
  logic [$clog2(Places+1)-1:0] commands_count;
  logic words_empty;
  assign refused = code != hw_message_pkg::Done;
  assign refuse_o = leaves && last_q && refused;
  assign put_o = leaves && last_q && !refused && !get;
  assign get_o = leaves && last_q && !refused && get;
  assign refuse_code_o = code;
  assign from_o = from;
  assign pending_o = {from, key, window, bytes};
  assign {get_addr_o, get_bytes_o} = {addr, bytes};

  hw_ram_fifo #(.Width(StreamBits), .Depth(Words)) u_words (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(leaves && !head_q && !refused_q), .data_i(beat_q), .full_o(words_full),
    .pop_i(pop_i), .data_o(word_o), .empty_o(words_empty), .count_o(words_count)
  );
  hw_fifo #(.Width(AddrBits + BytesBits), .Depth(Places)) u_commands (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(put_o), .data_i({addr, bytes}), .full_o(commands_full),
    .pop_i(want_o && write_ready_i), .data_o({write_addr_o, command_bytes}), .empty_o(commands_empty), .count_o(commands_count)
  );
  assign want_o = !commands_empty;
  assign flits = 9'((32'(command_bytes) + FlitBytes - 1) >> FlitShift);
  assign last_bytes = BytesBits'(32'(command_bytes) - ((32'(flits) - 32'd1) << FlitShift));
  assign write_len_o = 8'(flits - 9'd1);
  assign write_last_strb_o = ~({(StreamBits/8){1'b1}} << last_bytes);
  assign word_valid_o = !words_empty;
  assign quiescent_o = !valid_q && !inside_q && words_count == '0 && commands_count == '0;

`ifdef HW_CHECKS
  logic [8:0] payload_q;
  always_ff @(posedge clk_i) if (leaves) payload_q <= head_q ? '0 : payload_q + 9'd1;
`endif
  `HW_ASSUME(a_payload_as_said, !(put_o || (refuse_o && !get)) || (!head_q && 32'(payload_q) + 1 == (32'(bytes) + FlitBytes - 1) >> FlitShift))
  `HW_COVER(c_head_waits_for_a_place, valid_q && head_q && asked_i && !place_free_i)

endmodule

`default_nettype wire
