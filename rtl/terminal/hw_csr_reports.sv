// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What the registers say of the packets that the router has dropped and its terminals' interfaces have refused, of a VC that is stuck,
// and of the word that was found with bad parity last.
//
// The words of the stuck VC are those of the first report since software cleared the event's bit in STATUS, so that all of them are of
// one VC: whoever wants the next one clears the bit again. Reports come once in Cycles cycles for each VC (hw_stuck_watch).
//
// Latency: 0 from word_i; a report of cycle c is read from c+1 on. Combinational paths: word_i, drop*_i, refus*_i -> data_o.
module hw_csr_reports #(
  parameter int unsigned NumEvents = 0,
  parameter int unsigned DropCauses = 0,   // for which packets are dropped; 0: none is
  parameter int unsigned DropBits = 16,    // of a number of drops
  parameter int unsigned RefusalCauses = 0,  // for which interfaces refuse packets; 0: it is not told
  parameter int unsigned StuckWords = 0,   // of a report of hw_stuck_watch; 0: there is none
  parameter int unsigned Flips = 0,        // 1: tables have parity
  localparam int unsigned DropsWidth = DropCauses > 0 ? DropCauses * DropBits : DropBits,
  localparam int unsigned RefusalsWidth = RefusalCauses > 0 ? RefusalCauses * DropBits : DropBits,
  localparam int unsigned StuckWidth = StuckWords > 0 ? StuckWords * 32 : 32
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  // See hw_csr: events of this cycle, their bits in STATUS
  input  wire logic [NumEvents-1:0]   event_i,
  input  wire logic [NumEvents-1:0]   status_i,
  input  wire logic [DropsWidth-1:0]  drops_i,
  input  wire logic [31:0]            dropped_i,
  input  wire logic [63:0]            dropped_head_i,
  input  wire logic [RefusalsWidth-1:0] refusals_i,
  input  wire logic [63:0]            refused_i,
  input  wire logic [StuckWidth-1:0]  stuck_i,        // new with the event VcStuck
  input  wire logic [31:0]            flip_word_i,    // new with the event MemoryFlip
  // A word address, and what is there
  input  wire logic [31:0]            word_i,
  output logic                        known_o,
  output logic                        wide_o,         // of 64 bits, from the low word's address on; the high word is not told
  output logic [63:0]                 data_o
);

  if (NumEvents == 0 || (StuckWords > 0 && NumEvents <= hw_csr_pkg::VcStuck)
      || Flips > 1 || (Flips > 0 && NumEvents <= hw_csr_pkg::MemoryFlip)) begin : gen_bad_events
    $error("hw_csr_reports: NumEvents must be set, with VcStuck among them for StuckWords, and MemoryFlip for Flips, which is 0 or 1");
  end

  logic [StuckWidth-1:0] stuck;
  logic [31:0] flipped;
  if (StuckWords > 0) begin : gen_stuck
    logic [StuckWidth-1:0] stuck_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) stuck_q <= '0;
      else if (event_i[hw_csr_pkg::VcStuck] && !status_i[hw_csr_pkg::VcStuck]) stuck_q <= stuck_i;
    end
    assign stuck = stuck_q;
  end else begin : gen_no_stuck
    assign stuck = '0;
  end
  if (Flips > 0) begin : gen_flips
    logic [31:0] flipped_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) flipped_q <= '0;
      else if (event_i[hw_csr_pkg::MemoryFlip]) flipped_q <= flip_word_i;
    end
    assign flipped = flipped_q;
  end else begin : gen_no_flips
    assign flipped = '0;
  end

  logic is_refused;  // two words of one packet
  assign is_refused = RefusalCauses != 0 && word_i[31:1] == hw_csr_pkg::Refused[31:1];
  assign wide_o = (DropCauses != 0 && word_i[31:1] == hw_csr_pkg::DroppedHead[31:1]) || is_refused;

  always_comb begin
    known_o = wide_o;
    data_o = is_refused ? refused_i : wide_o ? dropped_head_i : '0;
    if (DropCauses != 0 && word_i == hw_csr_pkg::Dropped) begin
      known_o = 1'b1;
      data_o = 64'(dropped_i);
    end
    for (int unsigned d = 0; d < DropsWidth / DropBits; d = d + 1) begin
      if (DropCauses != 0 && word_i == hw_csr_pkg::Drops + d) begin
        known_o = 1'b1;
        data_o = 64'(drops_i[d*DropBits+:DropBits]);
      end
    end
    for (int unsigned d = 0; d < RefusalsWidth / DropBits; d = d + 1) begin
      if (RefusalCauses != 0 && word_i == hw_csr_pkg::Refusals + d) begin
        known_o = 1'b1;
        data_o = 64'(refusals_i[d*DropBits+:DropBits]);
      end
    end
    for (int unsigned w = 0; w < StuckWidth / 32; w = w + 1) begin
      if (StuckWords != 0 && word_i == (w == 0 ? hw_csr_pkg::Stuck : hw_csr_pkg::WaitsFor + w - 1)) begin
        known_o = 1'b1;
        data_o = 64'(stuck[w*32+:32]);
      end
    end
    if (Flips != 0 && word_i == hw_csr_pkg::Flipped) begin
      known_o = 1'b1;
      data_o = 64'(flipped);
    end
  end

  wire unused_reports = &{1'b0, clk_i, rst_ni, event_i, status_i, drops_i, dropped_i, dropped_head_i, refusals_i,
                           refused_i, stuck_i, flip_word_i};

endmodule

`default_nettype wire
