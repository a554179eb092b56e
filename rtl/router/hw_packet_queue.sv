// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// NumVcs FIFO queues: what an input port notes of the packets of each VC (a length, a head, a decision), or the flits of the VCs of a
// port.
//
// The first word of every VC is shown, and with ShowsSecond the one behind it. They lie in registers, all others in one RAM,
// from which a register is filled when a word leaves.
//
// With Parity a word lies in the RAM with a bit that makes its number of ones even; bad_o says which first words came out of it with an
// odd one, second_bad_o which second ones. Words in registers are not looked at.
//
// Latency: a word pushed in cycle t into an empty queue is shown in t+1. Throughput: one push and one pop per cycle, of the same
// VC or of different ones.
// Combinational paths: none; pop_* comes late, and chooses among what is there. Without ShowsSecond the word shown in the cycle
// after a pop comes from the RAM's output; with it first_o is a register.
// Assumes: never more words than Depths; pop only from a queue that shows a word, or in the cycle of its push into an empty one:
// then the word passes by.
// Guarantees: each queue keeps the order of its words; none is lost or copied.
module hw_packet_queue #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned Width = 0,
  parameter bit [NumVcs*16-1:0] Depths = '0,             // words, VC 0 in the low 16 bits
  parameter bit ShowsSecond = 1'b0,
  parameter bit Parity = 1'b0,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,
  input  wire logic                     push_i,
  input  wire logic [VcWidth-1:0]       push_vc_i,
  input  wire logic [Width-1:0]         push_data_i,
  output logic [NumVcs-1:0]             valid_o,
  output logic [NumVcs*Width-1:0]       first_o,
  output logic [NumVcs-1:0]             second_valid_o,  // 0 without ShowsSecond
  output logic [NumVcs*Width-1:0]       second_o,
  output logic [NumVcs-1:0]             bad_o,           // 0 without Parity, as second_bad_o
  output logic [NumVcs-1:0]             second_bad_o,
  input  wire logic                     pop_i,
  input  wire logic [VcWidth-1:0]       pop_vc_i
);

  if (NumVcs == 0 || Width == 0) begin : gen_bad_size
    $error("hw_packet_queue: NumVcs and Width must be set");
  end

  localparam int unsigned Registers = ShowsSecond ? 2 : 1;  // words of a VC that are not in the RAM

  // A VC's words in the RAM: what is not in registers, or all, where that saves the adders of a size that is no power of two.
  function automatic int unsigned places(input int unsigned depth);
    places = depth <= Registers ? 0 : (depth & (depth - 1)) == 0 ? depth : depth - Registers;
  endfunction

  // First RAM address of a VC; first_word(NumVcs) is the size of the RAM.
  function automatic int unsigned first_word(input int unsigned vc);
    first_word = 0;
    for (int unsigned i = 0; i < NumVcs; i = i + 1) begin
      if (i < vc) first_word = first_word + places({16'b0, Depths[i*16+:16]});
    end
  endfunction

  localparam int unsigned Words = first_word(NumVcs) > 0 ? first_word(NumVcs) : 1;
  localparam int unsigned AddrWidth = Words > 1 ? $clog2(Words) : 1;

  logic [NumVcs-1:0] read, write;                // the VC's part of the RAM
  logic [NumVcs*AddrWidth-1:0] read_addr, write_addr;
  logic [Width-1:0] ram_data;
  logic ram_bad;

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    localparam int unsigned Depth = {16'b0, Depths[v*16+:16]};
    localparam int unsigned Places = places(Depth);

    logic push, pop, valid_q, behind, full, ram_holds;  // full: all registers have a word
    logic enters;                                // the RAM keeps the word that is written; it is written whatever leaves
    logic [Width-1:0] first_q;
    assign push = push_i && push_vc_i == VcWidth'(v);
    assign pop = pop_i && pop_vc_i == VcWidth'(v);
    assign valid_o[v] = valid_q;
    assign write[v] = Places > 0 && push && full;
    assign enters = write[v] && (!pop || ram_holds);
    assign read[v] = pop && ram_holds;

    logic pending_q;                             // the RAM's output is the word behind those in registers
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q <= 1'b0;
        pending_q <= 1'b0;
      end else begin
        valid_q <= pop ? behind || (push && valid_q) : valid_q || push;
        pending_q <= read[v];
      end
    end

    // Words in registers that were bad in the RAM
    logic bad_q, second_bad_q;
    if (!Parity) begin : gen_no_parity
      assign {bad_q, second_bad_q, bad_o[v], second_bad_o[v]} = '0;
      wire unused_parity = &{1'b0, bad_q, second_bad_q, ram_bad};
    end else begin : gen_parity
      assign bad_o[v] = !ShowsSecond && pending_q ? ram_bad : bad_q;
      assign second_bad_o[v] = ShowsSecond && (pending_q ? ram_bad : second_bad_q);
      always_ff @(posedge clk_i) begin
        if (ShowsSecond) begin
          if (pop || (push && !valid_q)) bad_q <= behind && second_bad_o[v];
          if (pending_q && !pop) second_bad_q <= ram_bad;
          else if (push && (pop || !behind)) second_bad_q <= 1'b0;
        end else begin
          second_bad_q <= 1'b0;
          if (pop) bad_q <= 1'b0;
          else if (pending_q) bad_q <= ram_bad;
          else if (push && !valid_q) bad_q <= 1'b0;
        end
      end
    end

    if (ShowsSecond) begin : gen_second
      logic second_valid_q;
      logic [Width-1:0] second_q, second;
      assign second = pending_q ? ram_data : second_q;
      assign behind = second_valid_q;
      assign full = second_valid_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) second_valid_q <= 1'b0;
        else second_valid_q <= pop ? ram_holds || (push && second_valid_q) : second_valid_q || (push && valid_q);
      end
      always_ff @(posedge clk_i) begin
        if (pop || (push && !valid_q)) first_q <= second_valid_q ? second : push_data_i;
        if (pending_q && !pop) second_q <= ram_data;
        else if (push && (pop || !second_valid_q)) second_q <= push_data_i;
      end
      assign first_o[v*Width+:Width] = first_q;
      assign second_valid_o[v] = second_valid_q;
      assign second_o[v*Width+:Width] = second;
    end else begin : gen_first
      assign behind = ram_holds;
      assign full = valid_q;
      always_ff @(posedge clk_i) begin
        if (pop) first_q <= push_data_i;
        else if (pending_q) first_q <= ram_data;
        else if (push && !valid_q) first_q <= push_data_i;
      end
      assign first_o[v*Width+:Width] = pending_q ? ram_data : first_q;
      assign second_valid_o[v] = 1'b0;
      assign second_o[v*Width+:Width] = '0;
    end

    if (Places > 0) begin : gen_places
      localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1;
      localparam bit [PlaceWidth-1:0] Last = PlaceWidth'(Places - 1);
      localparam bit Wraps = Places == 1 << PlaceWidth;  // an index goes from Last to 0 by itself
      logic [PlaceWidth-1:0] write_q, read_q, read_next;
      logic holds_q;
      assign read_next = !Wraps && read_q == Last ? '0 : read_q + PlaceWidth'(1);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          write_q <= '0;
          read_q <= '0;
          holds_q <= 1'b0;
        end else begin
          if (enters) write_q <= !Wraps && write_q == Last ? '0 : write_q + PlaceWidth'(1);
          if (read[v]) read_q <= read_next;
          holds_q <= enters || (read[v] ? read_next != write_q : holds_q);
        end
      end
      assign ram_holds = holds_q;
      localparam bit [AddrWidth-1:0] Base = AddrWidth'(first_word(v));
      if (first_word(v) % (1 << PlaceWidth) == 0) begin : gen_aligned
        assign read_addr[v*AddrWidth+:AddrWidth] = Base | AddrWidth'(read_q);
        assign write_addr[v*AddrWidth+:AddrWidth] = Base | AddrWidth'(write_q);
      end else begin : gen_added
        assign read_addr[v*AddrWidth+:AddrWidth] = Base + AddrWidth'(read_q);
        assign write_addr[v*AddrWidth+:AddrWidth] = Base + AddrWidth'(write_q);
      end
      `HW_ASSUME(a_place_for_every_word, !(enters && holds_q && write_q == read_q))
    end else begin : gen_no_places
      assign ram_holds = 1'b0;
      assign read_addr[v*AddrWidth+:AddrWidth] = '0;
      assign write_addr[v*AddrWidth+:AddrWidth] = '0;
      `HW_ASSUME(a_place_for_every_word, !push || pop || !(Depth > 1 ? full : valid_q))
      wire unused_enters = &{1'b0, enters};
    end

    `HW_ASSUME(a_pop_of_a_word, !pop || valid_q || push)
  end

  if (first_word(NumVcs) > 0) begin : gen_ram
    logic [AddrWidth-1:0] from, to;
    logic any_read, any_write;
    assign any_read = read != '0;
    assign any_write = write != '0;
    always_comb begin
      from = '0;
      to = '0;
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (pop_vc_i == VcWidth'(v)) from = from | read_addr[v*AddrWidth+:AddrWidth];
        if (push_vc_i == VcWidth'(v)) to = to | write_addr[v*AddrWidth+:AddrWidth];
      end
    end
    localparam int unsigned WordBits = Width + (Parity ? 1 : 0);
    logic [WordBits-1:0] ram_word;
    hw_ram_1r1w #(.Words(Words), .Width(WordBits)) u_ram (
      .clk_i(clk_i), .rst_ni(rst_ni), .write_i(any_write), .write_addr_i(to), .write_data_i(WordBits'({^push_data_i, push_data_i})),
      .read_i(any_read), .read_addr_i(from), .read_data_o(ram_word)
    );
    assign ram_data = ram_word[Width-1:0];
    assign ram_bad = Parity && ^ram_word;
  end else begin : gen_no_ram
    assign ram_data = '0;
    assign ram_bad = 1'b0;
    wire unused_ram = &{1'b0, read, write, read_addr, write_addr};
  end

endmodule

`default_nettype wire
