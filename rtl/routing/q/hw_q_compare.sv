// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// First step of hw_q_agent's comparison: which columns of a table's row a question may take, what
// they cost, and the best of every PartCols of them.
//
// Latency 0, combinational: all inputs -> all outputs. Without valid_i the outputs do not matter.
// With Queues a column costs the time that the flits queued at its port take on the link, too.
// Of equal values the lowest column's counts; a part without a column to take says infinity.
module hw_q_compare #(
  parameter int unsigned NumCols = 0,
  parameter int unsigned LocalCols = 0,         // see hw_q_agent
  parameter int unsigned PartCols = 1,          // columns of a part, a power of two or all
  parameter int unsigned ValueBits = 18,
  parameter int unsigned FractionBits = 7,
  parameter bit Admissible = 1'b0,
  parameter bit Queues = 1'b0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned FlitCycles = 1,        // core cycles of a flit on a link, 2^-4
  localparam int unsigned ColBits = NumCols > 1 ? $clog2(NumCols) : 1,
  localparam int unsigned Parts = (NumCols + PartCols - 1) / PartCols
) (
  input  wire logic [NumCols-1:0]             connected_i,     // static
  // Question, and the row of the table
  input  wire logic                           valid_i,
  input  wire logic [1:0]                     mode_i,          // hw_q_pkg
  input  wire logic                           narrow_i,
  input  wire logic [ColBits-1:0]             minimal_i,       // columns whose values are asked for
  input  wire logic [ColBits-1:0]             other_i,
  input  wire logic [NumCols*ValueBits-1:0]   values_i,
  input  wire logic [NumCols*QueueWidth-1:0]  queue_i,         // flits; Queues only
  // The best of each part, and its column; the values of the two columns
  output logic [Parts*ValueBits-1:0]          part_value_o,
  output logic [Parts*ColBits-1:0]            part_col_o,
  output logic [ValueBits-1:0]                minimal_value_o,
  output logic [ValueBits-1:0]                other_value_o
);

  if (NumCols == 0 || PartCols == 0) begin : gen_bad_shape
    $error("hw_q_compare: NumCols and PartCols must be set");
  end

  localparam logic [ValueBits-1:0] Infinity = {ValueBits{1'b1}};
  localparam bit [NumCols-1:0] Local = NumCols'((64'd1 << LocalCols) - 64'd1);

  logic [NumCols*ValueBits-1:0] value;
  logic [NumCols-1:0] known;             // columns that the best is taken of
  logic [NumCols*ValueBits-1:0] best;    // of a group of columns, in the slice of its first one
  logic [NumCols*ColBits-1:0] best_col;

  // A value and the time that the flits queued at the port take on its link, saturating.
  function automatic logic [ValueBits-1:0] with_queue(input logic [ValueBits-1:0] learned,
                                                      input logic [QueueWidth-1:0] flits);
    logic [63:0] sum;
    sum = 64'(learned) + (((64'(flits) * FlitCycles) << FractionBits) >> 4);
    with_queue = sum >= 64'(Infinity) ? Infinity : ValueBits'(sum);
  endfunction

  always_comb begin
    value = values_i;
    known = '0;
    best = {NumCols{Infinity}};
    best_col = '0;
    minimal_value_o = '0;
    other_value_o = '0;
    if (valid_i) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (Queues) begin
          value[c*ValueBits+:ValueBits] =
              with_queue(values_i[c*ValueBits+:ValueBits], queue_i[c*QueueWidth+:QueueWidth]);
        end
        known[c] = connected_i[c];
        if (narrow_i) known[c] = connected_i[c] && (!Local[c] || minimal_i == ColBits'(c));
        else if (Admissible && mode_i == hw_q_pkg::Minimal) known[c] = minimal_i == ColBits'(c);
        else if (Admissible && mode_i == hw_q_pkg::Detour) known[c] = Local[c];
      end
      // In pairs, pairs of pairs, and so on, within each part.
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        if (known[c]) best[c*ValueBits+:ValueBits] = value[c*ValueBits+:ValueBits];
        best_col[c*ColBits+:ColBits] = ColBits'(c);
        if (minimal_i == ColBits'(c)) minimal_value_o = minimal_value_o | value[c*ValueBits+:ValueBits];
        if (other_i == ColBits'(c)) other_value_o = other_value_o | value[c*ValueBits+:ValueBits];
      end
      for (int unsigned step = 1; step < PartCols; step = step * 2) begin
        for (int unsigned c = 0; c + step < NumCols; c = c + 2 * step) begin
          if (best[(c+step)*ValueBits+:ValueBits] < best[c*ValueBits+:ValueBits]) begin
            best[c*ValueBits+:ValueBits] = best[(c+step)*ValueBits+:ValueBits];
            best_col[c*ColBits+:ColBits] = best_col[(c+step)*ColBits+:ColBits];
          end
        end
      end
    end
    for (int unsigned p = 0; p < Parts; p = p + 1) begin
      part_value_o[p*ValueBits+:ValueBits] = best[p*PartCols*ValueBits+:ValueBits];
      part_col_o[p*ColBits+:ColBits] = best_col[p*PartCols*ColBits+:ColBits];
    end
  end

  wire unused = &{1'b0, queue_i};

endmodule

`default_nettype wire
