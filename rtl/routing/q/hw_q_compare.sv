// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The cheapest column of a Q-table's row for a question of hw_q_agent: what the columns cost (hw_q_costs), the best of every four,
// and the best of these (hw_q_best).
//
// Latency: a cycle where Registered: the best of every four are registers. Throughput: a row per cycle.
// Combinational paths: none where Registered, else all inputs -> all outputs.
// Of equal costs the lowest column's counts; where all are infinite col_o is any.
module hw_q_compare #(
  parameter int unsigned NumCols = 0,
  parameter int unsigned LocalCols = 0,         // see hw_q_agent
  parameter int unsigned ValueBits = 18,
  parameter int unsigned FractionBits = 7,
  parameter bit Admissible = 1'b0,
  parameter bit Queues = 1'b0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned FlitCycles = 1,        // core cycles of a flit on a link, 2^-4
  parameter int unsigned TagBits = 1,
  parameter bit Registered = 1'b1,
  localparam int unsigned ColBits = NumCols > 1 ? $clog2(NumCols) : 1
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  input  wire logic [NumCols-1:0]             connected_i,     // static
  // Question, and the row of the table
  input  wire logic                           valid_i,
  input  wire logic [TagBits-1:0]             tag_i,           // comes out with the result
  input  wire logic [1:0]                     mode_i,          // hw_q_pkg
  input  wire logic                           narrow_i,
  input  wire logic [ColBits-1:0]             minimal_i,       // columns whose values are asked for
  input  wire logic [ColBits-1:0]             other_i,
  input  wire logic [NumCols*ValueBits-1:0]   values_i,
  input  wire logic [NumCols*QueueWidth-1:0]  queue_i,         // flits; Queues only
  // The best column, and the values of the two columns
  output logic                                valid_o,
  output logic [TagBits-1:0]                  tag_o,
  output logic [ColBits-1:0]                  col_o,
  output logic [ValueBits-1:0]                value_o,
  output logic [ValueBits-1:0]                minimal_o,
  output logic [ValueBits-1:0]                other_o,
  output logic                                idle_o           // nothing is on its way
);

  if (NumCols == 0) begin : gen_bad_shape
    $error("hw_q_compare: NumCols must be set");
  end

  localparam int unsigned CostBits = ValueBits + 1;
  localparam int unsigned Parts = (NumCols + 3) / 4;
  localparam int unsigned Rest = TagBits + 2 * ValueBits;      // what goes along with the comparison
  localparam int unsigned PartsBits = Rest + Parts * (CostBits + ColBits);

  // What the columns cost
  logic [ValueBits-1:0] minimal, other;
  logic [NumCols*CostBits-1:0] costs;

  hw_q_costs #(
    .NumCols(NumCols), .LocalCols(LocalCols), .ValueBits(ValueBits), .FractionBits(FractionBits), .Admissible(Admissible),
    .Queues(Queues), .QueueWidth(QueueWidth), .FlitCycles(FlitCycles)
  ) u_costs (
    .connected_i, .valid_i, .mode_i, .narrow_i, .minimal_i, .other_i, .values_i, .queue_i,
    .costs_o(costs), .minimal_o(minimal), .other_o(other)
  );

  // The best of every four
  logic [Parts*CostBits-1:0] part_cost;
  logic [Parts*ColBits-1:0] part_col;
  logic [PartsBits-1:0] parts_d, parts_q;

  for (genvar p = 0; p < Parts; p = p + 1) begin : gen_part
    localparam int unsigned Num = NumCols - 4 * p < 4 ? NumCols - 4 * p : 4;
    logic [Num*ColBits-1:0] cols;
    for (genvar c = 0; c < Num; c = c + 1) begin : gen_col
      assign cols[c*ColBits+:ColBits] = ColBits'(4 * p + c);
    end
    hw_q_best #(.Num(Num), .ValueBits(CostBits), .ColBits(ColBits)) u_best (
      .values_i(costs[4*p*CostBits+:Num*CostBits]), .cols_i(cols),
      .value_o(part_cost[p*CostBits+:CostBits]), .col_o(part_col[p*ColBits+:ColBits])
    );
  end
  assign parts_d = {tag_i, minimal, other, part_col, part_cost};
  if (Registered) begin : gen_stage
    logic valid_q;
    logic [PartsBits-1:0] data_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= valid_i;
    end
    always_ff @(posedge clk_i) if (valid_i) data_q <= parts_d;
    assign valid_o = valid_q;
    assign parts_q = data_q;
  end else begin : gen_no_stage
    assign valid_o = valid_i;
    assign parts_q = parts_d;
  end

  // The best of these
  logic [CostBits-1:0] best;

  hw_q_best #(.Num(Parts), .ValueBits(CostBits), .ColBits(ColBits)) u_best (
    .values_i(parts_q[Parts*CostBits-1:0]), .cols_i(parts_q[Parts*CostBits+:Parts*ColBits]), .value_o(best), .col_o
  );
  assign value_o = best[ValueBits-1:0] | {ValueBits{best[ValueBits]}};
  assign {tag_o, minimal_o, other_o} = parts_q[PartsBits-1-:Rest];
  assign idle_o = !valid_i && !valid_o;

  wire unused = &{1'b0, clk_i, rst_ni};

endmodule

`default_nettype wire
