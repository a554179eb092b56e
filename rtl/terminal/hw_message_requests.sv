// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Sends request packets: the head of each from its queue, behind it the payload of a PUT, once the memory has given all of it. A
// packet whose payload came with an error is not sent; its ticket goes back.
//
// Latency: a GET that is queued in cycle c is offered in c+2, a PUT whose last word comes in c in c+1. Throughput: one beat per cycle,
//   across packets. Combinational paths: none from inputs to outputs but full_o of hw_ram_fifo, a register.
// Assumes: packet_i only while full_o is low; a burst for each PUT, in their order.
// Guarantees: packets in order, each whole.
module hw_message_requests #(
  parameter int unsigned StreamBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned DstBits = 0,
  parameter int unsigned WindowBits = 0,
  parameter int unsigned KeyBits = 0,
  parameter int unsigned OffsetBits = 0,
  parameter int unsigned OutstandingBits = 0,
  parameter int unsigned MessageLsb = 0,
  parameter int unsigned ModeLsb = 0,
  parameter int unsigned ModeBits = 0,
  parameter int unsigned Queue = 16,                   // packets
  localparam int unsigned FlitShift = $clog2(StreamBits / 8),
  localparam int unsigned BytesBits = `HW_MESSAGE_BYTES_BITS,
  localparam int unsigned TicketBits = `HW_MESSAGE_TICKET_BITS,
  localparam int unsigned FlitOffsetBits = OffsetBits - FlitShift,
  localparam int unsigned PacketBits = DstBits + 4 + BytesBits + TicketBits + WindowBits + KeyBits + FlitOffsetBits
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  // Heads
  output logic                        full_o,
  input  wire logic                   packet_i,
  input  wire logic [PacketBits-1:0]  packet_data_i,

  // Payload: the oldest burst of an hw_read_buffer
  input  wire logic                   whole_i,
  input  wire logic                   error_i,
  input  wire logic                   word_valid_i,
  input  wire logic [StreamBits-1:0]  word_i,
  output logic                        pop_o,
  output logic                        pop_last_o,

  // Requests that are not sent
  output logic                        fail_valid_o,
  input  wire logic                   fail_ready_i,
  output logic [TicketBits-1:0]       fail_ticket_o,

  // Stream into the network
  output logic                        tx_valid_o,
  input  wire logic                   tx_ready_i,
  output logic [StreamBits-1:0]       tx_data_o,
  output logic                        tx_last_o,
  output logic [DstBits-1:0]          tx_dst_o,
  output logic                        quiescent_o
);

  if (StreamBits < 8 || MaxFlits < 2) begin : gen_bad_packet
    $error("hw_message_requests: flits have whole bytes, packets a head and payload");
  end

  localparam int unsigned ModeWidth = (ModeBits > 0) ? ModeBits : 1;
  localparam int unsigned CountBits = $clog2(Queue + 1);

  logic empty, pop, get, inside_q, drops_q, head_goes, fails, word_last;
  logic [2:0] mode;
  logic [BytesBits-1:0] bytes;
  logic [TicketBits-1:0] ticket;
  logic [WindowBits-1:0] window;
  logic [KeyBits-1:0] key;
  logic [FlitOffsetBits-1:0] offset;
  logic [8:0] flits, left_q;
  logic [StreamBits-1:0] head;
  logic [CountBits-1:0] waiting;

  hw_ram_fifo #(.Width(PacketBits), .Depth(Queue)) u_heads (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(packet_i), .data_i(packet_data_i), .full_o(full_o),
    .pop_i(pop), .data_o({offset, key, window, ticket, bytes, mode, get, tx_dst_o}), .empty_o(empty), .count_o(waiting)
  );

  // The head stays in its queue until the packet is over.
  assign flits = 9'((32'(bytes) + StreamBits / 8 - 1) >> FlitShift);
  assign word_last = left_q == 9'd1;
  assign fail_valid_o = !empty && !inside_q && !get && whole_i && error_i;
  assign fail_ticket_o = ticket;
  assign tx_valid_o = inside_q ? !drops_q && word_valid_i : !empty && (get || (whole_i && !error_i));
  assign tx_data_o = inside_q ? word_i : head;
  assign tx_last_o = inside_q ? word_last : get;
  assign head_goes = !inside_q && tx_valid_o && tx_ready_i;
  assign fails = fail_valid_o && fail_ready_i;
  assign pop_o = inside_q && word_valid_i && (drops_q || tx_ready_i);
  assign pop_last_o = word_last;
  assign pop = (head_goes && get) || (pop_o && word_last);

  always_comb begin
    head = '0;
    head[MessageLsb] = get;
    head[`HW_MESSAGE_BYTES_LSB+:BytesBits] = bytes;
    head[`HW_MESSAGE_TICKET_LSB+:TicketBits] = ticket;
    head[`HW_MESSAGE_WINDOW_LSB+:WindowBits] = window;
    head[`HW_MESSAGE_KEY_LSB+:KeyBits] = key;
    head[`HW_MESSAGE_OFFSET_LSB+:FlitOffsetBits] = offset;
    if (ModeBits != 0) head[ModeLsb+:ModeWidth] = ModeWidth'(mode);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q <= 1'b0;
      drops_q <= 1'b0;
    end else begin
      if ((head_goes && !get) || fails) begin
        inside_q <= 1'b1;
        drops_q <= fails;
      end else if (pop_o && word_last) begin
        inside_q <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!inside_q) left_q <= flits;
    else if (pop_o) left_q <= left_q - 9'd1;
  end

  assign quiescent_o = waiting == '0;
  wire unused = &{1'b0, mode};

  `HW_ASSERT(a_payload_is_there, !inside_q || whole_i)

endmodule

`default_nettype wire
