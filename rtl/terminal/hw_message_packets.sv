// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Cuts messages into request packets. For each it takes a ticket, writes what the response is for into the table, asks the memory for
// the payload of a PUT, and queues the head.
//
// A packet has as much payload as fits, but none crosses a multiple of 4 KiB in the memory of either side, as no burst of AXI4 does.
// The memory is asked only when there is a place for what it gives. With Asks it asks before each packet whether it may make it, or
// puts the message aside: see hw_message_turns.
//
// Latency: of a message that is taken in cycle t, the first packet is made in t+1 at the earliest, with Asks in t+2; the next message is
//   taken in the cycle behind the last one. Throughput: a packet each cycle (GET; with Asks each second one), each second one (PUT).
// Combinational paths: *_ready_i, room_i, ticket_valid_i -> packet_o, packet_flits_o, take_ticket_o, want_o; aside_i -> ready_o.
// Guarantees: packets cover every byte of a message once, in order.
module hw_message_packets #(
  parameter int unsigned StreamBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned DstBits = 0,
  parameter int unsigned AddrBits = 0,
  parameter int unsigned WindowBits = 0,
  parameter int unsigned KeyBits = 0,
  parameter int unsigned OffsetBits = 0,
  parameter int unsigned OutstandingBits = 0,
  parameter int unsigned SlotBits = 0,
  parameter bit Asks = 1'b0,
  localparam int unsigned FlitShift = $clog2(StreamBits / 8),
  localparam int unsigned BytesBits = `HW_MESSAGE_BYTES_BITS,
  localparam int unsigned TicketBits = `HW_MESSAGE_TICKET_BITS,
  localparam int unsigned EntryBits = SlotBits + 1 + AddrBits - FlitShift + BytesBits,
  localparam int unsigned MessageBits = `HW_MESSAGE_STATE_BITS,
  localparam int unsigned PacketBits = DstBits + 4 + BytesBits + TicketBits + WindowBits + KeyBits + OffsetBits - FlitShift
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  // Messages
  output logic                        ready_o,
  input  wire logic                   take_i,
  input  wire logic [MessageBits-1:0] message_i,

  // With Asks: before a packet of the message, which may go or is put aside as it stands
  output logic                        asks_o,
  input  wire logic                   go_i,
  input  wire logic                   aside_i,
  output logic [MessageBits-1:0]      message_o,

  // Ticket, and what is written beside it
  input  wire logic                   ticket_valid_i,
  output logic                        take_ticket_o,
  input  wire logic [TicketBits-1:0]  ticket_i,
  output logic [EntryBits-1:0]        entry_o,         // {slot, GET, local address in flits, bytes}

  // Payload of a PUT
  input  wire logic                   room_i,
  output logic                        want_o,
  input  wire logic                   read_ready_i,
  output logic [AddrBits-1:0]         read_addr_o,
  output logic [7:0]                  read_len_o,

  // Packets: {offset in flits, key, window, ticket, bytes, mode, GET, destination}
  input  wire logic                   full_i,
  output logic                        packet_o,
  output logic [PacketBits-1:0]       packet_data_o,
  output logic [8:0]                  packet_flits_o,  // 0 where there is none
  output logic                        quiescent_o
);

  localparam int unsigned PacketBytes = (MaxFlits - 1) * (StreamBits / 8);
  localparam int unsigned PageBits = 12;

  if (MaxFlits < 2 || PacketBytes > (1 << PageBits) || MaxFlits > 257) begin : gen_bad_packet
    $error("hw_message_packets: a packet has 1 to 256 flits of payload and at most 4096 bytes of it");
  end

  logic active_q, get_q, made, may;
  logic [2:0] mode_q;
  logic [SlotBits-1:0] slot_q;
  logic [DstBits-1:0] dst_q;
  logic [31:0] left_q;
  logic [AddrBits-1:0] addr_q;
  logic [WindowBits-1:0] window_q;
  logic [KeyBits-1:0] key_q;
  logic [OffsetBits-1:0] offset_q;
  localparam logic [PageBits:0] Page = {1'b1, PageBits'(0)};
  logic [PageBits-1:0] local_place, remote_place, place;     // within pages; of the one that ends first
  logic [PageBits:0] room, bytes;                            // up to 4096
  logic last;                                                // packet of the message
  logic [8:0] flits;

  // Bytes up to the next page on either side, of the packet, of the message: the least counts. Whether the message ends is found beside
  // what is the least.
  assign local_place = addr_q[PageBits-1:0];
  assign remote_place = offset_q[PageBits-1:0];
  assign place = local_place > remote_place ? local_place : remote_place;
  assign room = 32'(place) > 32'(Page) - PacketBytes ? Page - {1'b0, place} : (PageBits + 1)'(PacketBytes);
  assign last = left_q <= PacketBytes && 32'(left_q[PageBits:0]) + 32'(local_place) <= 32'(Page) &&
                32'(left_q[PageBits:0]) + 32'(remote_place) <= 32'(Page);
  assign bytes = last ? left_q[PageBits:0] : room;
  // Behind a packet that is not the last one, after which nobody asks: whole pages change by one at most, and do not wait for the sum.
  logic [PageBits:0] local_end, remote_end, left_low;
  logic borrows;
  assign local_end = {1'b0, local_place} + room;
  assign remote_end = {1'b0, remote_place} + room;
  assign {borrows, left_low} = {1'b0, left_q[PageBits:0]} - {1'b0, room};
  assign flits = 9'((32'(bytes) + StreamBits / 8 - 1) >> FlitShift);

  logic goes;
  if (Asks) begin : gen_asks
    logic goes_q;                                            // the next packet may be made
    assign goes = goes_q;
    assign asks_o = active_q && !goes_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) goes_q <= 1'b0;
      else if (take_i || made) goes_q <= 1'b0;
      else if (go_i) goes_q <= 1'b1;
    end
  end else begin : gen_goes
    assign goes = 1'b1;
    assign asks_o = 1'b0;
    wire unused = &{1'b0, go_i};
  end

  assign may = active_q && goes && ticket_valid_i && !full_i;
  assign want_o = may && !get_q && room_i;
  assign made = may && (get_q || (room_i && read_ready_i));
  assign ready_o = !active_q || aside_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) active_q <= 1'b0;
    else if (ready_o) active_q <= take_i;
    else if (made && last) active_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      {offset_q, key_q, window_q, addr_q, left_q, slot_q, mode_q, get_q, dst_q} <= message_i;
    end else if (made) begin
      left_q <= {borrows ? left_q[31:PageBits+1] - 1'b1 : left_q[31:PageBits+1], left_low};
      addr_q <= {local_end[PageBits] ? addr_q[AddrBits-1:PageBits] + 1'b1 : addr_q[AddrBits-1:PageBits], local_end[PageBits-1:0]};
      offset_q <= {remote_end[PageBits] ? offset_q[OffsetBits-1:PageBits] + 1'b1 : offset_q[OffsetBits-1:PageBits], remote_end[PageBits-1:0]};
    end
  end

  assign message_o = {offset_q, key_q, window_q, addr_q, left_q, slot_q, mode_q, get_q, dst_q};
  assign take_ticket_o = made;
  assign entry_o = {slot_q, get_q, addr_q[AddrBits-1:FlitShift], bytes[BytesBits-1:0]};
  assign read_addr_o = addr_q;
  assign read_len_o = 8'(flits - 9'd1);
  assign packet_o = made;
  assign packet_data_o = {offset_q[OffsetBits-1:FlitShift], key_q, window_q, ticket_i, bytes[BytesBits-1:0], mode_q, get_q, dst_q};
  assign packet_flits_o = !made ? '0 : get_q ? 9'd1 : flits + 9'd1;
  assign quiescent_o = !active_q;

  `HW_ASSUME(a_take_when_ready, !take_i || ready_o)
  `HW_ASSUME(a_aside_when_it_asks, !(aside_i || go_i) || asks_o)
  `HW_ASSERT(a_last_packet_has_the_rest, !made || last == (left_q == 32'(bytes)))
  `HW_ASSERT(a_packets_have_bytes, !made || (bytes != '0 && 32'(bytes) <= PacketBytes))
  `HW_COVER(c_cut_at_a_page, made && 32'(bytes) < PacketBytes && !last)

endmodule

`default_nettype wire
