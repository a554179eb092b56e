// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// The Q-table of one router: for each row (what a packet is bound for) and column (network port), the time that a packet is
// expected to take through that port, and the unit that learns it from the feedback of the routers behind the ports.
//
// A feedback word {target, row} from column c moves that value towards the target, as hw_q_update has it.
//
// After reset the table is written, a row per cycle for NumRows cycles, with init_values_i; feedback waits meanwhile.
// Latency: decisions: the cycle after; an update is written 3 cycles after its word was served; a CSR access is acknowledged 3
//   cycles after it was. A word that comes in cycle t is served in t+1 at the earliest, so it counts for decisions from t+4 on.
// Throughput: NumReads decisions and one update per cycle; one update every third cycle if only one entry gets feedback. A CSR
//   access takes the place of one update, at most every fourth cycle.
// Fairness: columns round-robin: a word at the head of its FIFO waits for at most one word of each other column, for at most
//   two cycles behind an update of the same entry, and for CSR accesses. A CSR access waits for at most two cycles.
// Combinational paths: none from inputs to outputs.
// Assumes: rows and columns that exist; no decision for a row that is not initialised yet (init_row_o comes by in order); a CSR
//   request holds, unchanged, until the acknowledge, which ends it: it may be followed at once by the next.
// Guarantees: updates of an entry are in the order in which their words came, each on top of the one before, none lost. A word
//   that finds its FIFO full (FifoDepth words, none served in this cycle) is dropped and counted; a full FIFO holds up
//   nothing else. Words that come under freeze_i are dropped and not counted; those that came before still count.
// Without input and with idle_o high nothing changes.
// With Parity a value has a parity bit in each copy. Where it is wrong, a decision reads infinity instead and the value is written anew
// in all copies from that of the updates (hw_q_mend); an update takes the target for the new value; a CSR read, and a value that is
// wrong in both, leave infinity. flips_o tells once of each: {found by an update or the CSR, by a decision}.
// Reference: Kang, Wang & Lan, "Q-adaptive", HPDC 2021, section 4 (two-level table, equation of the update with alpha and
//   beta); departures in docs/reference/learning.md.
module hw_q_table #(
  parameter int unsigned NumRows = 0,
  parameter int unsigned NumCols = 0,
  parameter int unsigned NumReads = 1,                   // agents that decide by it, each from a copy
  parameter int unsigned ValueBits = 18,
  parameter int unsigned FifoDepth = 2,
  parameter bit Parity = 1'b0,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1,
  localparam int unsigned ColBits = NumCols > 1 ? $clog2(NumCols) : 1
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_ni,
  // CSR: step sizes, 2^-16; evaluate the table without learning
  input  wire logic [15:0]                             alpha_i,
  input  wire logic [15:0]                             beta_i,
  input  wire logic                                    freeze_i,
  // Initialisation: the values of row init_row_o, in the same cycle
  output logic                                         init_o,
  output logic [RowBits-1:0]                           init_row_o,
  input  wire logic [NumCols*ValueBits-1:0]            init_values_i,
  // Decisions, a slice per agent: the row's values, with every write up to and including the cycle of the read; they hold until
  // the next
  input  wire logic [NumReads-1:0]                     read_valid_i,
  input  wire logic [NumReads*RowBits-1:0]             read_row_i,
  output logic [NumReads*NumCols*ValueBits-1:0]        read_values_o,
  // Feedback of each column: {target, row}
  input  wire logic [NumCols-1:0]                      feedback_valid_i,
  input  wire logic [NumCols*(ValueBits+RowBits)-1:0]  feedback_i,
  // CSR: one word of the table
  input  wire logic                                    csr_req_i,
  input  wire logic                                    csr_we_i,
  input  wire logic [RowBits-1:0]                      csr_row_i,
  input  wire logic [ColBits-1:0]                      csr_col_i,
  input  wire logic [ValueBits-1:0]                    csr_wdata_i,
  output logic                                         csr_ack_o,
  output logic [ValueBits-1:0]                         csr_rdata_o,
  // Counters, modulo 2^32
  output logic [31:0]                                  updates_o,
  output logic [31:0]                                  dropped_o,
  // The update written in this cycle
  output logic                                         write_valid_o,
  output logic [RowBits-1:0]                           write_row_o,
  output logic [ColBits-1:0]                           write_col_o,
  output logic [ValueBits-1:0]                         write_target_o,
  // Values found with bad parity, and where, in the halves alike; 0 without Parity
  output logic [1:0]                                   flips_o,
  output logic [2*RowBits-1:0]                         flip_rows_o,
  output logic [2*ColBits-1:0]                         flip_cols_o,
  // Status
  output logic                                         idle_o
);

  localparam int unsigned WordBits = ValueBits + RowBits;

  if (NumRows == 0 || NumCols == 0 || NumReads == 0 || ValueBits < 2 || FifoDepth == 0) begin : gen_bad_shape
    $error("hw_q_table: NumRows, NumCols, NumReads and FifoDepth must be at least 1, ValueBits 2");
  end

  // ---- Initialisation

  logic init_q;
  logic [RowBits-1:0] init_row_q;
  assign init_o = init_q;
  assign init_row_o = init_row_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      init_q <= 1'b1;
      init_row_q <= '0;
    end else if (init_q) begin
      if (init_row_q == RowBits'(NumRows - 1)) init_q <= 1'b0;
      else init_row_q <= init_row_q + RowBits'(1);
    end
  end

  // ---- Stage 0: one FIFO, or the CSR, is served and its row read.

  logic [NumCols*WordBits-1:0] oldest;          // word of each FIFO
  logic [NumCols-1:0] push, pending;            // FIFOs that have one
  logic [NumCols-1:0] behind_q;                 // the columns behind the last one that was served
  logic csr, mend, any, serve;
  logic csr_busy, mend_valid, mend_new, mend_busy, mend_done, mend_idle;  // one is on its way; a value is to be written anew
  logic [RowBits-1:0] mend_row, next_row;
  logic [NumCols*RowBits-1:0] rows;             // that may be served, of each column
  logic [NumCols-1:0] mend_column, turn, column, popped;
  logic [NumCols-1:0] held;                     // the entry of that row is being written
  logic [WordBits-1:0] word;

  `HW_ROUND_ROBIN_ONE_HOT(next_column, NumCols)

  assign csr = !init_q && csr_req_i && !csr_busy;
  assign mend = !init_q && !csr && mend_valid && !mend_busy;
  assign any = !init_q && (csr || mend || pending != '0);
  assign next_row = mend ? mend_row : csr_row_i;
  for (genvar c = 0; c < NumCols; c = c + 1) begin : gen_row
    assign rows[c*RowBits+:RowBits] = csr || mend ? next_row : oldest[c*WordBits+:RowBits];
  end

  always_comb begin
    turn = '0;
    column = '0;
    word = '0;
    if (csr || mend) begin
      column = mend ? mend_column : NumCols'(1) << csr_col_i;
      word = {csr_wdata_i, next_row};
    end else if (any) begin
      turn = next_column(pending, behind_q);
      column = turn;
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (turn[c]) word = word | oldest[c*WordBits+:WordBits];
      end
    end
    serve = any && (column & held) == '0;
    popped = turn & ~held;
  end

  assign push = freeze_i ? '0 : feedback_valid_i;

  hw_q_feedback_fifos #(.NumCols(NumCols), .WordBits(WordBits), .FifoDepth(FifoDepth)) u_fifos (
    .clk_i, .rst_ni, .push_i(push), .words_i(feedback_i), .pop_i(popped), .valid_o(pending), .oldest_o(oldest), .dropped_o(dropped_o)
  );

  logic [31:0] updates_q;
  assign updates_o = updates_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      behind_q <= '0;
      updates_q <= '0;
    end else begin
      if (popped != '0) behind_q <= next_column_behind(turn);
      if (write_valid_o) updates_q <= updates_q + 32'd1;
    end
  end

  // ---- Stages 1 to 3

  logic [NumCols*ValueBits-1:0] update_values, write_values;
  logic [NumCols-1:0] write_cols, update_bad, end_column;
  logic [RowBits-1:0] write_row;
  logic [ValueBits-1:0] value;
  logic write, bad, update_idle;

  hw_q_update #(.NumRows(NumRows), .NumCols(NumCols), .ValueBits(ValueBits)) u_update (
    .clk_i, .rst_ni, .alpha_i, .beta_i, .valid_i(serve), .csr_i(csr), .mend_i(mend), .write_i(!csr || csr_we_i),
    .row_i(word[RowBits-1:0]), .column_i(column), .target_i(word[WordBits-1:RowBits]),
    .values_i(update_values), .bad_i(update_bad), .look_rows_i(rows), .held_o(held),
    .csr_busy_o(csr_busy), .mend_busy_o(mend_busy), .idle_o(update_idle),
    .csr_o(csr_ack_o), .mend_o(mend_done), .update_o(write_valid_o), .write_o(write), .bad_o(bad), .row_o(write_row_o),
    .column_o(end_column), .target_o(write_target_o), .old_o(csr_rdata_o), .value_o(value)
  );
  assign write_col_o = next_column_index(end_column);

  always_comb begin
    {write_cols, write_row, write_values} = '0;
    if (init_q) begin
      write_cols = '1;
      write_row = init_row_q;
      write_values = init_values_i;
    end else if (write) begin
      write_cols = end_column;
      write_row = write_row_o;
      write_values = {NumCols{value}};
    end
  end

  // ---- Memories, and what is found in them with bad parity

  hw_q_copies #(.NumRows(NumRows), .NumCols(NumCols), .NumReads(NumReads), .ValueBits(ValueBits), .Parity(Parity)) u_copies (
    .clk_i, .rst_ni, .write_cols_i(write_cols), .write_row_i(write_row), .write_values_i(write_values),
    .read_valid_i, .read_row_i, .read_values_o, .update_valid_i(serve), .update_row_i(word[RowBits-1:0]),
    .update_values_o(update_values), .update_bad_o(update_bad), .mend_valid_o(mend_valid), .mend_new_o(mend_new),
    .mend_row_o(mend_row), .mend_column_o(mend_column), .mend_done_i(mend_done), .idle_o(mend_idle)
  );

  assign flips_o = Parity ? {bad, mend_new} : '0;
  assign flip_rows_o = {write_row_o, mend_row};
  assign flip_cols_o = {write_col_o, next_column_index(mend_column)};
  assign idle_o = !init_q && pending == '0 && update_idle && mend_idle;

`ifdef HW_CHECKS
  logic [NumCols-1:0] bad_rows;
  always_comb begin
    bad_rows = '0;
    if (feedback_valid_i != '0) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        bad_rows[c] = feedback_valid_i[c] && 32'(feedback_i[c*WordBits+:RowBits]) >= NumRows;
      end
    end
  end
`endif
  `HW_ASSUME(a_feedback_row_exists, bad_rows == '0)
  `HW_ASSUME(a_csr_word_exists, !csr_req_i || (32'(csr_row_i) < NumRows && 32'(csr_col_i) < NumCols))
  `HW_ASSUME(a_csr_request_holds, !csr_busy || csr_req_i)
  `HW_COVER(c_waits_for_entry, any && !serve)

endmodule

`default_nettype wire
