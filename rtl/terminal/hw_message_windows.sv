// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Windows: what peers may write and read, and counted writes. Each has a key, a place in memory and rights; `expect` bytes are to
// come, and when so many have been written there is an event, and the window closes. So no table of messages is needed, and packets may
// arrive in any order. What was judged before the window was opened again under another key, and is written later, counts for nothing.
//
// The host opens a window (or closes it) with win_i; its fields are in rtl/common/hw_message.svh. A base is a multiple of 4 KiB, its
// low bits are not read. A window that expects nothing stays open.
//
// Latency: the window that is asked for in cycle c is there in c+1 if asked_o is high then; bytes that are counted in cycle c close
//   it in c+1, with the event in c+3. For the first 2^WindowBits cycles after reset windows are being closed and none is
//   taken; requests are served 7 cycles later, when what has waited in the host's queues is open.
// Throughput: a question per cycle, but for the window that is written then; a count each 2 cycles.
// Combinational paths: count_window_i -> count_ready_o; ask_window_i -> asked_o in the cycle after.
// Assumes: the host takes the event of a window before it opens it again, otherwise events, and with them writes, wait for it.
// Guarantees: one event for each window that has expected something, once all of it is written, and none of what is written behind a
//   close. Checked by tests/rtl_messages.
module hw_message_windows #(
  parameter int unsigned AddrBits = 0,
  parameter int unsigned WindowBits = 0,
  parameter int unsigned KeyBits = 0,
  parameter int unsigned CountBits = 0,                // of the bytes of a packet
  localparam int unsigned WinBits = `HW_MESSAGE_WIN_BITS,
  localparam int unsigned PageBits = 12
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  // Host
  input  wire logic                          win_valid_i,
  output logic                               win_ready_o,
  input  wire logic [WindowBits-1:0]         win_index_i,
  input  wire logic [WinBits-1:0]            win_i,
  output logic                               evt_valid_o,
  input  wire logic                          evt_ready_i,
  output logic [WindowBits-1:0]              evt_o,

  // Question
  input  wire logic                          ask_i,
  input  wire logic [WindowBits-1:0]         ask_window_i,
  output logic                               asked_o,
  output logic                               open_o,
  output logic                               may_write_o,
  output logic                               may_read_o,
  output logic [KeyBits-1:0]                 key_o,
  output logic [AddrBits-PageBits-1:0]       base_o,
  output logic [31:0]                        size_o,

  // Bytes are written
  input  wire logic                          count_valid_i,
  output logic                               count_ready_o,
  input  wire logic [WindowBits-1:0]         count_window_i,
  input  wire logic [KeyBits-1:0]            count_key_i,    // that the window had when the packet was judged
  input  wire logic [CountBits-1:0]          count_bytes_i,
  output logic                               quiescent_o
);

  if (WindowBits == 0 || KeyBits == 0 || CountBits == 0 || CountBits > 32 || AddrBits <= PageBits) begin : gen_bad_widths
    $error("hw_message_windows: widths must be at least 1, CountBits at most 32, AddrBits more than 12");
  end

  localparam int unsigned Windows = 1 << WindowBits;
  localparam int unsigned RightsBits = 3 + KeyBits + AddrBits - PageBits + 32;

  logic clearing_q, host_room, host_valid, host, counting_q, closes, ends, evt_full, evt_empty, reads_expect, asks;
  logic [WindowBits-1:0] clear_q, host_window, window_q, write_window;
  logic [WinBits-1:0] word;
  logic host_open, host_write, host_read;
  logic [KeyBits-1:0] host_key;
  logic [AddrBits-1:0] host_base;
  logic [31:0] host_size, host_expect, left, bytes_q;
  logic [KeyBits-1:0] left_key, key_q;                 // the window's, and the packet's
  logic [WindowBits:0] events;
  logic [2:0] settle_q;                                // cycles since the clearing
  logic serves;

  // Requests that have come early wait for the clearing, as windows do, and 7 cycles more: the 4 windows that may wait in hw_message_csr
  // and those here are open before any of them is judged.
  assign win_ready_o = host_room && !clearing_q;
  hw_skid_buffer #(.Width(WindowBits + WinBits)) u_host (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(win_valid_i && !clearing_q), .ready_o(host_room), .data_i({win_index_i, win_i}),
    .valid_o(host_valid), .ready_i(host), .data_o({host_window, word})
  );
  assign {host_expect, host_size, host_base, host_key, host_read, host_write, host_open} = word;

  // Who writes: what clears after reset, then a count, then the host.
  assign host = host_valid && !clearing_q && !counting_q;
  assign ends = left <= bytes_q;
  assign closes = counting_q && left != '0 && ends && left_key == key_q;
  assign write_window = clearing_q ? clear_q : counting_q ? window_q : host_window;

  assign asks = ask_i && serves && !((host || closes) && write_window == ask_window_i);
  hw_ram_1r1w #(.Words(Windows), .Width(RightsBits)) u_rights (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(clearing_q || host || closes), .write_addr_i(write_window),
    .write_data_i(host ? {host_open, host_write, host_read, host_key, host_base[AddrBits-1:PageBits], host_size} : RightsBits'(0)),
    .read_i(asks), .read_addr_i(ask_window_i), .read_data_o({open_o, may_write_o, may_read_o, key_o, base_o, size_o})
  );
  assign serves = settle_q == '1;
  logic asked_q;
  assign asked_o = asked_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= 1'b0;
    else asked_q <= asks;
  end

  // A count reads what is still to come, and writes what is left a cycle later. Events have room, or the host has been slow.
  assign count_ready_o = serves && !counting_q && !evt_full && !(host && host_window == count_window_i);
  assign reads_expect = count_valid_i && count_ready_o;
  hw_ram_1r1w #(.Words(Windows), .Width(KeyBits + 32)) u_expect (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(clearing_q || host || (counting_q && left_key == key_q)), .write_addr_i(write_window),
    .write_data_i(host ? {host_key, host_open ? host_expect : 32'd0} : {left_key, (clearing_q || ends) ? 32'd0 : left - bytes_q}),
    .read_i(reads_expect), .read_addr_i(count_window_i), .read_data_o({left_key, left})
  );
  always_ff @(posedge clk_i) begin
    if (reads_expect) begin
      window_q <= count_window_i;
      key_q <= count_key_i;
      bytes_q <= 32'(count_bytes_i);
    end
  end

  hw_ram_fifo #(.Width(WindowBits), .Depth(Windows)) u_events (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(closes), .data_i(window_q), .full_o(evt_full),
    .pop_i(evt_ready_i && !evt_empty), .data_o(evt_o), .empty_o(evt_empty), .count_o(events)
  );
  assign evt_valid_o = !evt_empty;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      clear_q <= '0;
      counting_q <= 1'b0;
      settle_q <= '0;
    end else begin
      if (clearing_q) clear_q <= clear_q + 1'b1;
      if (clear_q == '1) clearing_q <= 1'b0;
      if (!clearing_q && !serves) settle_q <= settle_q + 3'd1;
      counting_q <= reads_expect;
    end
  end

  assign quiescent_o = serves && !counting_q && !host_valid && events == '0;
  wire unused = &{1'b0, host_base[PageBits-1:0]};

  `HW_COVER(c_more_than_expected, closes && left < bytes_q)

endmodule

`default_nettype wire
