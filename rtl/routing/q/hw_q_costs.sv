// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What the columns of a Q-table's row cost a question of hw_q_agent: infinity those that it may not take.
//
// Latency 0, combinational: all inputs -> all outputs. Without valid_i the outputs do not matter.
// With Queues a column costs the time that the flits queued at its port take on the link, too; costs from infinity on are one.
module hw_q_costs #(
  parameter int unsigned NumCols = 0,
  parameter int unsigned LocalCols = 0,         // see hw_q_agent
  parameter int unsigned ValueBits = 18,
  parameter int unsigned FractionBits = 7,
  parameter bit Admissible = 1'b0,
  parameter bit Queues = 1'b0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned FlitCycles = 1,        // core cycles of a flit on a link, 2^-4
  localparam int unsigned ColBits = NumCols > 1 ? $clog2(NumCols) : 1,
  localparam int unsigned CostBits = ValueBits + 1
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
  // From 2^ValueBits - 1 on: infinity
  output logic [NumCols*CostBits-1:0]         costs_o,
  output logic [ValueBits-1:0]                minimal_o,       // of the two columns, whether they may be taken or not
  output logic [ValueBits-1:0]                other_o
);

  if (NumCols == 0) begin : gen_bad_shape
    $error("hw_q_costs: NumCols must be set");
  end

  localparam logic [ValueBits-1:0] Infinity = {ValueBits{1'b1}};
  localparam bit [NumCols-1:0] Local = NumCols'((64'd1 << LocalCols) - 64'd1);

  logic known;                           // the column may be taken
  logic [CostBits-1:0] cost, minimal, other;

  // The time that the flits queued at a port take on its link, at most Infinity.
  function automatic logic [ValueBits-1:0] queue_time(input logic [QueueWidth-1:0] flits);
    logic [63:0] long;
    long = ((64'(flits) * FlitCycles) << FractionBits) >> 4;
    queue_time = long >= 64'(Infinity) ? Infinity : ValueBits'(long);
  endfunction

  always_comb begin
    cost = '0;
    known = 1'b0;
    costs_o = {NumCols{1'b0, Infinity}};
    minimal = '0;
    other = '0;
    if (valid_i) begin
      for (int unsigned c = 0; c < NumCols; c = c + 1) begin
        cost = CostBits'(values_i[c*ValueBits+:ValueBits]);
        if (Queues) cost = cost + CostBits'(queue_time(queue_i[c*QueueWidth+:QueueWidth]));
        known = connected_i[c];
        if (narrow_i) known = connected_i[c] && (!Local[c] || minimal_i == ColBits'(c));
        else if (Admissible && mode_i == hw_q_pkg::Minimal) known = minimal_i == ColBits'(c);
        else if (Admissible && mode_i == hw_q_pkg::Detour) known = Local[c];
        if (known) costs_o[c*CostBits+:CostBits] = cost;
        if (minimal_i == ColBits'(c)) minimal = minimal | cost;
        if (other_i == ColBits'(c)) other = other | cost;
      end
    end
  end
  assign minimal_o = minimal[ValueBits-1:0] | {ValueBits{minimal[ValueBits]}};
  assign other_o = other[ValueBits-1:0] | {ValueBits{other[ValueBits]}};

  wire unused = &{1'b0, queue_i};

endmodule

`default_nettype wire
