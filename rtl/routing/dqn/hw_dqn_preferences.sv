// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The ports that an agent of DQN-Routing prefers, for every destination: those of its latest valuation, the best first.
//
// A valuation of all ports replaces what is known of its destination: the port of the largest value (of equal values the lowest
// port), and those behind it whose value is at least 1 - 2^-MarginShift of it (MarginShift 0: all). A question reads the best Ranks
// of them, without those that not_i names.
//
// Latency: a question of cycle t is answered in t+1, a valuation counts from the cycle behind it. Throughput: one of either per cycle,
// the valuation first. In the first Words cycles after reset nothing is known, and nothing is learned.
// Combinational paths: write_i -> ready_o; write_i, values_i -> entry_o; not_i -> ports_o, known_o.
// Assumes: addresses below Words; values above 0 are times of which the larger is better.
// Guarantees: the ports of an answer differ, exist, and are known from the first on.
// Reference: docs/reference/routing-dqn.md (preferences).
module hw_dqn_preferences #(
  parameter int unsigned NumActions = 0,                 // network ports
  parameter int unsigned Words = 0,                      // destinations
  parameter int unsigned Ranks = 0,                      // ports of an answer, at most NumActions
  parameter int unsigned MarginShift = 0,                // at most 15
  localparam int unsigned AddrWidth = Words > 1 ? $clog2(Words) : 1,
  localparam int unsigned ActionBits = NumActions > 1 ? $clog2(NumActions) : 1,
  localparam int unsigned Stored = Ranks < NumActions ? Ranks + 1 : NumActions,  // not_i may name one
  localparam int unsigned EntryBits = Stored * (ActionBits + 1)
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  // A valuation; what is kept of it: {port, it is preferred} of each rank, the best in the lowest bits
  input  wire logic                        write_i,
  input  wire logic [AddrWidth-1:0]        write_addr_i,
  input  wire logic [NumActions*24-1:0]    values_i,     // signed
  output logic [EntryBits-1:0]             entry_o,
  // A question
  output logic                             ready_o,
  input  wire logic                        read_i,       // only with ready_o
  input  wire logic [AddrWidth-1:0]        read_addr_i,
  // In the cycle behind it
  input  wire logic [NumActions-1:0]       not_i,
  output logic [Ranks*ActionBits-1:0]      ports_o,
  output logic [Ranks-1:0]                 known_o,
  output logic                             blank_o,      // no valuation yet: there is nothing to refuse
  output logic                             idle_o        // nothing changes without input
);

  if (NumActions == 0 || Words == 0 || Ranks == 0 || Ranks > NumActions || MarginShift > 15) begin : gen_bad_size
    $error("hw_dqn_preferences: NumActions and Words must be set, Ranks 1 to NumActions, MarginShift at most 15");
  end

  // The order of a valuation --------------------------------------------------------------------------------------------
  logic [NumActions*NumActions-1:0] ahead;              // [a][b]: b is preferred to a
  logic [23:0] best, value, other;
  logic [NumActions-1:0] close;                          // to the best
  logic [ActionBits:0] place;

  always_comb begin
    ahead = '0;
    best = '0;
    close = '0;
    entry_o = '0;
    value = '0;
    other = '0;
    place = '0;
    for (int unsigned a = 0; a < NumActions; a = a + 1) begin
      value = values_i[a*24+:24];
      for (int unsigned b = 0; b < NumActions; b = b + 1) begin
        other = values_i[b*24+:24];
        ahead[a*NumActions+b] = $signed(other) > $signed(value) || (other == value && b < a);
      end
      if (ahead[a*NumActions+:NumActions] == '0) best = best | value;
    end
    for (int unsigned a = 0; a < NumActions; a = a + 1) begin
      value = values_i[a*24+:24];
      close[a] = MarginShift == 0 || ahead[a*NumActions+:NumActions] == '0
                 || (!best[23] && $signed(value) >= $signed(best - (best >> MarginShift)));
      place = '0;
      for (int unsigned b = 0; b < NumActions; b = b + 1) place = place + (ActionBits + 1)'(ahead[a*NumActions+b]);
      for (int unsigned r = 0; r < Stored; r = r + 1) begin
        if (place == (ActionBits + 1)'(r)) begin
          entry_o[r*(ActionBits+1)+:ActionBits+1] = entry_o[r*(ActionBits+1)+:ActionBits+1] | {ActionBits'(a), close[a]};
        end
      end
    end
  end

  // The memory, empty after reset ---------------------------------------------------------------------------------------
  logic [AddrWidth-1:0] clear_q;
  logic clearing_q, blank_q;                             // blank_q: the question came before the memory was empty
  logic [EntryBits-1:0] entry;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= '0;
      clearing_q <= 1'b1;
      blank_q <= 1'b1;
    end else begin
      if (clearing_q) clear_q <= clear_q + AddrWidth'(1);
      if (clear_q == AddrWidth'(Words - 1)) clearing_q <= 1'b0;
      if (read_i) blank_q <= clearing_q;
    end
  end

  logic write, read;
  logic [AddrWidth-1:0] write_addr;
  logic [EntryBits-1:0] new_entry;
  assign write = clearing_q || write_i;
  assign write_addr = clearing_q ? clear_q : write_addr_i;
  assign new_entry = clearing_q ? '0 : entry_o;
  assign read = read_i && !clearing_q;
  hw_ram_1r1w #(.Words(Words), .Width(EntryBits)) u_entries (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(write), .write_addr_i(write_addr), .write_data_i(new_entry), .read_i(read),
    .read_addr_i(read_addr_i), .read_data_o(entry)
  );
  assign ready_o = !write_i;
  assign idle_o = !clearing_q;

  // What a question is answered -----------------------------------------------------------------------------------------
  logic [ActionBits-1:0] port;
  logic [$clog2(Stored+1)-1:0] found;

  always_comb begin
    blank_o = blank_q || !entry[0];                      // the best port is always preferred
    ports_o = '0;
    known_o = '0;
    port = '0;
    found = '0;
    for (int unsigned r = 0; r < Stored; r = r + 1) begin
      port = entry[r*(ActionBits+1)+1+:ActionBits];
      if (!blank_q && entry[r*(ActionBits+1)] && 32'(port) < NumActions && (not_i & (NumActions'(1) << port)) == '0) begin
        for (int unsigned k = 0; k < Ranks; k = k + 1) begin
          if (found == ($clog2(Stored+1))'(k)) begin
            ports_o[k*ActionBits+:ActionBits] = port;
            known_o[k] = 1'b1;
          end
        end
        found = found + ($clog2(Stored+1))'(1);
      end
    end
  end

  `HW_ASSUME(a_read_only_when_ready, !read_i || ready_o)
  `HW_ASSERT(a_known_from_the_first_on, (known_o & (known_o + Ranks'(1))) == '0)
  `HW_COVER(c_write_while_empty, write_i && !clearing_q)

endmodule

`default_nettype wire
