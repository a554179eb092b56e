// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// 64-bit counters of one router in a memory, and the elapsed core cycles that they refer to.
//
// Words 4p to 4p+3: flits in, flits out, packets out, cycles stalled of port p. 4 NumPorts: the sum over cycles of the flits
// buffered in the router. From there on the events, then the elapsed cycles, the last word. Each but the last has a short part in
// flip-flops, which counts; a pointer goes round, and a short part that is more than half full when its turn comes is added to its
// word. Elapsed cycles are a difference to now_i. What is read does not depend on how far the pointer has come, so cycles without
// events may be skipped.
//
// Latency: an event in cycle c is in what is read in cycle c+1; a read takes 2 to 4 cycles, a command 2 or 3, both until done.
// Throughput: every event of every cycle; at most every second cycle is a read's or a command's.
// Combinational paths: short parts, memory and now_i to read_data_o.
// Assumes: now_i advances by one each cycle (in skipped cycles too); read_i and command_i hold with what they ask until they are
//   done; read_word_i exists.
// Guarantees: no event is lost; what is read is exact at the cycle of read_done_o. A command acts at the end of the cycle of
//   command_done_o: a clear wins over the events of that cycle, a freeze does not. Frozen counters hold, elapsed cycles included.
// Reference: docs/reference/csr.md.
module hw_perf_counters #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned OccupancyBits = 0,
  parameter int unsigned NumEvents = 1,
  parameter int unsigned EventBits = 1,
  parameter int unsigned Bits = 64,        // of a counter; fewer in proofs
  localparam int unsigned NumCounters = 4 * NumPorts + 1 + NumEvents,
  localparam int unsigned WordBits = $clog2(NumCounters + 1)
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,

  // Router
  input  wire logic [Bits-1:0]                 now_i,
  input  wire logic [NumPorts-1:0]             flit_in_i,
  input  wire logic [NumPorts-1:0]             flit_out_i,
  input  wire logic [NumPorts-1:0]             packet_out_i,
  input  wire logic [NumPorts-1:0]             stall_i,
  input  wire logic [OccupancyBits-1:0]        occupancy_i,
  input  wire logic [NumEvents*EventBits-1:0]  event_i,          // how often each happens in this cycle

  // Command
  input  wire logic                            command_i,
  input  wire logic                            clear_i,          // all to zero
  input  wire logic                            freeze_i,         // hold, or go on
  output logic                                 command_done_o,
  output logic                                 frozen_o,

  // Read
  input  wire logic                            read_i,
  input  wire logic [WordBits-1:0]             read_word_i,
  output logic                                 read_done_o,
  output logic [Bits-1:0]                      read_data_o
);

  if (NumPorts == 0 || OccupancyBits == 0 || OccupancyBits > 32) begin : gen_bad_parameters
    $error("hw_perf_counters: NumPorts must be at least 1, OccupancyBits 1 to 32");
  end
  if (NumEvents == 0 || EventBits == 0 || EventBits > 32) begin : gen_bad_events
    $error("hw_perf_counters: NumEvents must be at least 1, EventBits 1 to 32");
  end

  localparam int unsigned TurnBits = $clog2(NumCounters);
  localparam logic [TurnBits-1:0] Last = TurnBits'(NumCounters - 1);
  localparam logic [WordBits-1:0] Elapsed = WordBits'(NumCounters);
  // A short part that is not half full at its turn waits for a round, and is added in the cycle after: reads and commands take every
  // second cycle at most.
  localparam int unsigned MostCycles = 2 * NumCounters + 1;

  // ---- First stage: whose word is read from the memory

  logic [TurnBits-1:0] turn_q;
  logic [WordBits-1:0] word;
  logic clearing_q;                      // from turn_q on words hold what was before the clear
  logic for_command, for_read, spill, clear;
  logic [NumCounters-1:0] half_full;

  // ---- Second stage: the word is there, with its short part

  logic [WordBits-1:0] word_q;
  logic spill_q, command_q, read_q, zero_q, elapsed_known_q, frozen_q;

  assign for_command = command_i && !command_q && !read_q;
  assign for_read = read_i && !command_i && !command_q && !read_q && !(spill_q && word_q == read_word_i);
  assign word = for_command ? Elapsed : for_read ? read_word_i : WordBits'(turn_q);
  assign spill = !for_command && !for_read && (half_full[turn_q] || clearing_q);
  assign clear = command_q && clear_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q <= '0;
      clearing_q <= 1'b1;
      spill_q <= 1'b0;
      command_q <= 1'b0;
      read_q <= 1'b0;
      elapsed_known_q <= 1'b0;
      frozen_q <= 1'b0;
    end else begin
      spill_q <= spill && !clear;
      command_q <= for_command;
      read_q <= for_read;
      if (clear) begin
        turn_q <= '0;
        clearing_q <= 1'b1;
      end else if (!for_command && !for_read) begin
        turn_q <= turn_q == Last ? '0 : turn_q + 1'b1;
        if (turn_q == Last) clearing_q <= 1'b0;
      end
      if (command_q) begin
        frozen_q <= freeze_i;
        elapsed_known_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (for_command || for_read || spill) begin
      word_q <= word;
      zero_q <= word == Elapsed ? !elapsed_known_q : clearing_q && word >= WordBits'(turn_q);
    end
  end

  // ---- Short parts: the first cycle after reset, and after a clear, begins them anew.

  logic [Bits-1:0] short_parts [0:NumCounters-1];  // where it is the word's, otherwise 0
  logic anew_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) anew_q <= 1'b1;
    else anew_q <= clear;
  end

  for (genvar c = 0; c < NumCounters; c = c + 1) begin : gen_counter
    localparam int unsigned MoreBits = c < 4 * NumPorts ? 1 : c == 4 * NumPorts ? OccupancyBits : EventBits;
    localparam int unsigned ShortBits = (MoreBits == 1 ? 0 : MoreBits) + $clog2(MostCycles) + 1;
    logic [MoreBits-1:0] more;
    logic [ShortBits-1:0] short_part;
    if (c > 4 * NumPorts) begin : gen_event
      assign more = event_i[(c-4*NumPorts-1)*EventBits+:EventBits];
    end else if (c == 4 * NumPorts) begin : gen_occupancy
      assign more = occupancy_i;
    end else if (c % 4 == 0) begin : gen_flit_in
      assign more = flit_in_i[c/4];
    end else if (c % 4 == 1) begin : gen_flit_out
      assign more = flit_out_i[c/4];
    end else if (c % 4 == 2) begin : gen_packet_out
      assign more = packet_out_i[c/4];
    end else begin : gen_stall
      assign more = stall_i[c/4];
    end
    hw_short_counter #(.MoreBits(MoreBits), .MostCycles(MostCycles)) u_short (
      .clk_i, .rst_ni, .anew_i(anew_q || (spill_q && 32'(word_q) == c)), .hold_i(frozen_q), .more_i(more),
      .half_full_o(half_full[c]), .short_o(short_part)
    );
    assign short_parts[c] = 32'(word_q) == c ? Bits'(short_part) : '0;
  end

  // ---- Word and short part. Elapsed cycles of running counters are now_i more than their word.

  logic [Bits-1:0] from_memory, short_part, more_cycles;
  logic thaw, stop;

  always_comb begin
    short_part = '0;
    for (int unsigned c = 0; c < NumCounters; c = c + 1) short_part = short_part | short_parts[c];
  end

  // A command's cycle is the last of the frozen or running time that it ends: less, or more, by now_i + 1.
  assign thaw = command_q && !freeze_i && (frozen_q || clear_i);
  assign stop = command_q && freeze_i && !frozen_q && !clear_i;
  assign more_cycles = thaw ? ~now_i : stop || (read_q && !frozen_q) ? now_i : '0;
  assign read_data_o = (zero_q || clear ? '0 : from_memory) + (word_q == Elapsed ? more_cycles : short_part) + Bits'(stop);
  assign read_done_o = read_q;
  assign command_done_o = command_q;
  assign frozen_o = frozen_q;

  hw_ram_1r1w #(.Words(NumCounters + 1), .Width(Bits)) u_words (
    .clk_i, .rst_ni,
    .write_i(spill_q || command_q), .write_addr_i(word_q), .write_data_i(read_data_o),
    .read_i(for_command || for_read || spill), .read_addr_i(word), .read_data_o(from_memory)
  );

  if (NumCounters + 1 < 2 ** WordBits) begin : gen_some_words
    `HW_ASSUME(a_word_exists, !read_i || read_word_i <= Elapsed)
  end
  `HW_ASSUME(a_command_holds, !command_q || command_i)
  `HW_ASSUME(a_read_holds, !read_q || read_i)
  `HW_COVER(c_event_at_clear, clear && flit_in_i != '0)

endmodule

`default_nettype wire
