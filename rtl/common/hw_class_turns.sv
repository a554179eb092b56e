// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// Turns of the members of an arbiter: message classes in the order of their ranks, 0 first, in bounded rows; round-robin among the members of a
// class. With equal ranks it is round-robin among all of them.
//
// Between a rank and those behind it (higher numbers) the former goes first, until `Packets` of its packets have been granted while one behind
// it asked; then those behind it go first, until one of them is granted.
//
// Latency: what is granted in cycle t counts from t+1 on. Throughput: a grant a cycle. Combinational paths: none. Without grants nothing changes.
// Assumes: who is granted is the first one of those that ask, by ahead_o.
// Guarantees: at most Packets packets of a rank begin one after the other while one behind it asks. So where one of rank r asks steadily, one of
// that rank begins after at most (Packets + 1)^r - 1 packets of ranks ahead of it; after twice as many, if there are ranks behind r, which may
// have their turn between. Both are proved, and reached (synth/formal/prove_class_turns.sv).
// Reference: Dally & Towles, sections 18.3 (fixed priority) and 18.4 (weighted round-robin, which bounds it here).
module hw_class_turns #(
  parameter int unsigned Members = 0,
  parameter bit [Members*4-1:0] Ranks = '0,              // of each member's class, from 0 on without gaps
  parameter int unsigned Packets = 1,                    // 1 to 255
  localparam int unsigned OrderBits = Members * Members
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic [Members-1:0]    request_i,
  input  wire logic [Members-1:0]    granted_i,    // at most one
  input  wire logic                  head_i,       // of its packet
  output logic [OrderBits-1:0]       ahead_o       // of each member: those that go ahead of it, as HW_LEAST_RECENT takes it
);

  if (Members == 0 || Packets == 0 || Packets > 255) begin : gen_bad_size
    $error("hw_class_turns: Members must be at least 1, and Packets 1 to 255");
  end

  `HW_ROUND_ROBIN_ONE_HOT(next, Members)

  function automatic int unsigned last_rank();
    last_rank = 0;
    for (int unsigned m = 0; m < Members; m = m + 1) begin
      if ({28'b0, Ranks[m*4+:4]} > last_rank) last_rank = {28'b0, Ranks[m*4+:4]};
    end
  endfunction

  localparam int unsigned Levels = last_rank();    // ranks that have others behind them
  localparam int unsigned LevelBits = Levels > 0 ? Levels : 1;

  // Who goes ahead of whom by class.
  function automatic [OrderBits-1:0] by_class(input logic [LevelBits-1:0] yields);
    by_class = '0;
    for (int unsigned i = 0; i < Members; i = i + 1) begin
      for (int unsigned j = 0; j < Members; j = j + 1) begin
        for (int unsigned r = 0; r < LevelBits; r = r + 1) begin
          if ({28'b0, Ranks[j*4+:4]} == r && {28'b0, Ranks[i*4+:4]} > r) by_class[i*Members+j] = !yields[r];
          if ({28'b0, Ranks[i*4+:4]} == r && {28'b0, Ranks[j*4+:4]} > r) by_class[i*Members+j] = yields[r];
        end
      end
    end
  endfunction

  // The members of every rank have their turns apart.
  logic [Members-1:0] behind_q, peers;             // peers: of the rank of the one that is granted
  always_comb begin
    for (int unsigned m = 0; m < Members; m = m + 1) begin
      peers[m] = 1'b0;
      for (int unsigned g = 0; g < Members; g = g + 1) begin
        if (Ranks[g*4+:4] == Ranks[m*4+:4] && granted_i[g]) peers[m] = 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) behind_q <= '0;
    else behind_q <= (next_behind(granted_i) & peers) | (behind_q & ~peers);
  end

  logic [LevelBits-1:0] yields;                    // the rank lets those behind it go first
  for (genvar r = 0; r < Levels; r = r + 1) begin : gen_rank
    localparam int unsigned CountBits = $clog2(Packets + 1);
    logic [Members-1:0] own, later;
    for (genvar m = 0; m < Members; m = m + 1) begin : gen_member
      assign own[m] = 32'(Ranks[m*4+:4]) == r;
      assign later[m] = 32'(Ranks[m*4+:4]) > r;
    end
    logic passes, goes;                            // a packet of the rank begins while one behind asks; one behind begins
    logic [CountBits-1:0] passed_q;                // packets that have passed since one behind began
    assign passes = head_i && (granted_i & own) != '0 && (request_i & later) != '0;
    assign goes = head_i && (granted_i & later) != '0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) passed_q <= '0;
      else if (goes) passed_q <= '0;
      else if (passes) passed_q <= passed_q + CountBits'(1);
    end
    assign yields[r] = passed_q == CountBits'(Packets);
    `HW_ASSERT(a_no_class_goes_for_ever, !(passes && passed_q == CountBits'(Packets)))
    `HW_COVER(c_class_yields, yields[r] && goes)
  end
  if (Levels == 0) begin : gen_one_rank
    assign yields = '0;
    wire unused = &{1'b0, head_i, request_i};
  end

  assign ahead_o = next_ahead(behind_q, by_class(yields));

  `HW_ASSUME(a_one_is_granted_at_a_time, $onehot0(granted_i))

endmodule

`default_nettype wire
