// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Responses to the requests of others: of those that were refused, of PUTs that are written, of GETs with their data. It has the places
// for responses: one is taken with a request, and free again when its response has gone into the network.
//
// A GET is read from memory when there is a place for all of its data (hw_read_buffer), so it holds no channel of the memory while its
// response waits for the network.
//
// Latency: a refusal in cycle c is offered in c+1, a GET whose last word comes in c in c+1; a PUT is counted in the cycle after its B and
//   offered 2 cycles later. Throughput: one beat per cycle. Fairness: responses with data and without in turns.
// Combinational paths: none from inputs to outputs but count_ready_i, read_ready_i to queues.
// Assumes: refuse_i, put_i, get_i for a request whose place has been taken, once.
// Guarantees: one response for each request.
module hw_message_service #(
  parameter int unsigned StreamBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned DstBits = 0,
  parameter int unsigned AddrBits = 0,
  parameter int unsigned WindowBits = 0,
  parameter int unsigned KeyBits = 0,
  parameter int unsigned OutstandingBits = 0,
  parameter int unsigned MessageLsb = 0,
  parameter int unsigned ModeLsb = 0,
  parameter int unsigned ModeBits = 0,
  parameter int unsigned Places = 16,
  localparam int unsigned FlitShift = $clog2(StreamBits / 8),
  localparam int unsigned BytesBits = `HW_MESSAGE_BYTES_BITS,
  localparam int unsigned TicketBits = `HW_MESSAGE_TICKET_BITS,
  localparam int unsigned CodeBits = hw_message_pkg::CodeBits,
  localparam int unsigned FromBits = DstBits + TicketBits + 3
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  // Requests: see hw_message_target
  output logic                               place_free_o,
  input  wire logic                          place_take_i,
  input  wire logic [FromBits-1:0]           from_i,
  input  wire logic                          refuse_i,
  input  wire logic [CodeBits-1:0]           refuse_code_i,
  input  wire logic                          put_i,
  input  wire logic [FromBits+KeyBits+WindowBits+BytesBits-1:0] pending_i,
  input  wire logic                          get_i,
  input  wire logic [AddrBits-1:0]           get_addr_i,
  input  wire logic [BytesBits-1:0]          get_bytes_i,

  // Memory
  input  wire logic                          write_done_i,
  input  wire logic                          write_error_i,
  output logic                               want_o,
  input  wire logic                          read_ready_i,
  output logic [AddrBits-1:0]                read_addr_o,
  output logic [7:0]                         read_len_o,
  output logic                               take_o,
  input  wire logic                          read_i,
  input  wire logic [StreamBits-1:0]         read_data_i,
  input  wire logic                          read_last_i,
  input  wire logic                          read_error_i,

  // Counted writes: see hw_message_windows
  output logic                               count_valid_o,
  input  wire logic                          count_ready_i,
  output logic [KeyBits-1:0]                 count_key_o,
  output logic [WindowBits-1:0]              count_window_o,
  output logic [BytesBits-1:0]               count_bytes_o,

  // Stream into the network
  output logic                               tx_valid_o,
  input  wire logic                          tx_ready_i,
  output logic [StreamBits-1:0]              tx_data_o,
  output logic                               tx_last_o,
  output logic [DstBits-1:0]                 tx_dst_o,

  output logic [1:0]                         memory_errors_o,   // in the cycle before
  output logic                               quiescent_o
);

  localparam int unsigned Payload = MaxFlits - 1;
  localparam int unsigned Words = (2 * Payload > 32) ? 2 * Payload + 1 : 32;
  localparam int unsigned FlitBytes = StreamBits / 8;
  localparam int unsigned BeatBits = $clog2(Payload + 1);
  localparam int unsigned PlaceBits = $clog2(Places + 1);
  localparam int unsigned ModeWidth = (ModeBits > 0) ? ModeBits : 1;

  logic [PlaceBits-1:0] places_q;
  logic sent;                                          // the last flit of a response
  assign place_free_o = 32'(places_q) != Places;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) places_q <= '0;
    else if (place_take_i != sent) places_q <= place_take_i ? places_q + 1'b1 : places_q - 1'b1;
  end

  // ---- PUT: written, then counted, then answered

  logic done_empty, done_error, finish, answer_empty, answer_pop;
  logic [FromBits-1:0] put_from, answer_from;
  logic [CodeBits-1:0] answer_code;
  logic [4:0] unused_full;
  logic [1:0] unused_empty;
  logic [5*PlaceBits-1:0] unused_count;

  hw_fifo #(.Width(FromBits + KeyBits + WindowBits + BytesBits), .Depth(Places)) u_pending (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(put_i), .data_i(pending_i), .full_o(unused_full[0]),
    .pop_i(finish), .data_o({put_from, count_key_o, count_window_o, count_bytes_o}), .empty_o(unused_empty[0]), .count_o(unused_count[0*PlaceBits+:PlaceBits])
  );
  hw_fifo #(.Width(1), .Depth(Places)) u_done (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(write_done_i), .data_i(write_error_i), .full_o(unused_full[1]),
    .pop_i(finish), .data_o(done_error), .empty_o(done_empty), .count_o(unused_count[1*PlaceBits+:PlaceBits])
  );
  assign count_valid_o = !done_empty && !done_error && !refuse_i;
  assign finish = !done_empty && !refuse_i && (done_error || count_ready_i);
  hw_fifo #(.Width(FromBits + CodeBits), .Depth(Places)) u_answers (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(refuse_i || finish),
    .data_i(refuse_i ? {from_i, refuse_code_i}
                     : {put_from, done_error ? hw_message_pkg::MemoryError : hw_message_pkg::Done}), .full_o(unused_full[2]),
    .pop_i(answer_pop), .data_o({answer_from, answer_code}), .empty_o(answer_empty), .count_o(unused_count[2*PlaceBits+:PlaceBits])
  );

  // ---- GET: read when its data have a place, then answered

  logic get_empty, ask, room, whole, burst_error, word_valid, word_pop, word_last, buffer_quiescent;
  logic [FromBits-1:0] get_from, data_from;
  logic [BytesBits-1:0] get_bytes, data_bytes;
  logic [8:0] get_flits, data_flits, left_q;
  logic [StreamBits-1:0] word;

  hw_fifo #(.Width(FromBits + AddrBits + BytesBits), .Depth(Places)) u_gets (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(get_i), .data_i({from_i, get_addr_i, get_bytes_i}), .full_o(unused_full[3]),
    .pop_i(ask), .data_o({get_from, read_addr_o, get_bytes}), .empty_o(get_empty), .count_o(unused_count[3*PlaceBits+:PlaceBits])
  );
  assign want_o = !get_empty && room;
  assign ask = want_o && read_ready_i;
  assign get_flits = 9'((32'(get_bytes) + FlitBytes - 1) >> FlitShift);
  assign read_len_o = 8'(get_flits - 9'd1);
  hw_fifo #(.Width(FromBits + BytesBits), .Depth(Places)) u_asked (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(ask), .data_i({get_from, get_bytes}), .full_o(unused_full[4]),
    .pop_i(word_pop && word_last), .data_o({data_from, data_bytes}), .empty_o(unused_empty[1]), .count_o(unused_count[4*PlaceBits+:PlaceBits])
  );
  hw_read_buffer #(.Width(StreamBits), .MaxBeats(Payload), .Depth(Words), .Bursts(Places)) u_data (
    .clk_i(clk_i), .rst_ni(rst_ni), .room_o(room), .reserve_i(ask), .beats_i(BeatBits'(get_flits)),
    .take_o(take_o), .read_i(read_i), .read_data_i(read_data_i), .read_last_i(read_last_i), .read_error_i(read_error_i),
    .whole_o(whole), .error_o(burst_error), .valid_o(word_valid), .data_o(word), .pop_i(word_pop), .pop_last_i(word_last),
    .quiescent_o(buffer_quiescent)
  );

  // ---- Into the network: a response at a time

  logic inside_q, fails_q, turn_q, data, chosen_q, head_goes;  // turn_q: data come next, if there is both
  logic [FromBits-1:0] from;
  logic [CodeBits-1:0] code;
  logic [StreamBits-1:0] head;

  // A head that is offered stays.
  assign data = chosen_q ? turn_q : (answer_empty || (whole && turn_q));
  assign from = data ? data_from : answer_from;
  assign code = !data ? answer_code : burst_error ? hw_message_pkg::MemoryError : hw_message_pkg::Done;
  assign data_flits = 9'((32'(data_bytes) + FlitBytes - 1) >> FlitShift);
  assign word_last = left_q == 9'd1;
  assign tx_valid_o = inside_q ? word_valid && !fails_q : (whole || !answer_empty);
  // Of the last word, what the GET asked for: what lies behind it is nobody's.
  logic [StreamBits-1:0] asked_for;
  assign asked_for = word_last && data_bytes[FlitShift-1:0] != '0 ? ~({StreamBits{1'b1}} << {data_bytes[FlitShift-1:0], 3'd0}) : '1;
  assign tx_data_o = inside_q ? word & asked_for : head;
  assign tx_last_o = inside_q ? word_last : !data || burst_error;
  assign tx_dst_o = from[DstBits-1:0];
  assign head_goes = !inside_q && tx_valid_o && tx_ready_i;
  assign word_pop = inside_q && word_valid && (fails_q || tx_ready_i);
  assign answer_pop = head_goes && !data;
  assign sent = tx_valid_o && tx_ready_i && tx_last_o;
  always_comb begin
    head = '0;
    head[MessageLsb+:CodeBits] = code;
    head[`HW_MESSAGE_TICKET_LSB+:TicketBits] = from[DstBits+:TicketBits];
    if (ModeBits != 0) head[ModeLsb+:ModeWidth] = ModeWidth'(from[DstBits+TicketBits+:3]);
  end
  logic [1:0] memory_errors_q;
  assign memory_errors_o = memory_errors_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q <= 1'b0;
      fails_q <= 1'b0;
      turn_q <= 1'b0;
      chosen_q <= 1'b0;
      memory_errors_q <= '0;
    end else begin
      if (head_goes) begin
        inside_q <= data;
        fails_q <= data && burst_error;
        turn_q <= !data;
        chosen_q <= 1'b0;
      end else if (!inside_q && tx_valid_o) begin
        turn_q <= data;
        chosen_q <= 1'b1;
      end else if (word_pop && word_last) begin
        inside_q <= 1'b0;
      end
      memory_errors_q <= 2'(finish && done_error) + 2'(head_goes && data && burst_error);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!inside_q) left_q <= data_flits;
    else if (word_pop) left_q <= left_q - 9'd1;
  end

  assign quiescent_o = places_q == '0 && !inside_q && buffer_quiescent && memory_errors_q == '0;
  wire unused = &{1'b0, unused_full, unused_empty, unused_count, from};

  `HW_ASSERT(a_places_are_taken_first, !sent || places_q != '0)
  `HW_ASSUME(a_place_is_free, !place_take_i || place_free_o)
  `HW_COVER(c_all_places, !place_free_o)

endmodule

`default_nettype wire
