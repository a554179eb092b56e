// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The smallest of some values of a Q-table, and the column that it is of; of equal ones the first. Every value of four is compared
// with every other of them at once, then the winners of the fours, and so on: a comparison and a choice for each power of four.
//
// Latency 0, combinational: all inputs -> all outputs.
// Checked by the tests of hw_q_agent.
module hw_q_best #(
  parameter int unsigned Num = 0,
  parameter int unsigned ValueBits = 0,
  parameter int unsigned ColBits = 0
) (
  input  wire logic [Num*ValueBits-1:0]  values_i,
  input  wire logic [Num*ColBits-1:0]    cols_i,
  output logic [ValueBits-1:0]           value_o,
  output logic [ColBits-1:0]             col_o
);

  if (Num == 0 || ValueBits == 0 || ColBits == 0) begin : gen_bad_shape
    $error("hw_q_best: Num, ValueBits and ColBits must be set");
  end

  logic [Num*ValueBits-1:0] value;  // of a group, in the slice of its first one
  logic [Num*ColBits-1:0] col;
  logic wins;
  logic [ValueBits-1:0] winner;
  logic [ColBits-1:0] winner_col;

  always_comb begin
    value = values_i;
    col = cols_i;
    {wins, winner, winner_col} = '0;
    for (int unsigned step = 1; step < Num; step = step * 4) begin
      for (int unsigned first = 0; first + step < Num; first = first + 4 * step) begin
        winner = '0;
        winner_col = '0;
        for (int unsigned i = first; i < Num && i < first + 4 * step; i = i + step) begin
          wins = 1'b1;
          for (int unsigned j = first; j < Num && j < first + 4 * step; j = j + step) begin
            if (j < i ? !(value[i*ValueBits+:ValueBits] < value[j*ValueBits+:ValueBits])
                      : j != i && value[j*ValueBits+:ValueBits] < value[i*ValueBits+:ValueBits]) wins = 1'b0;
          end
          if (wins) begin
            winner = winner | value[i*ValueBits+:ValueBits];
            winner_col = winner_col | col[i*ColBits+:ColBits];
          end
        end
        value[first*ValueBits+:ValueBits] = winner;
        col[first*ColBits+:ColBits] = winner_col;
      end
    end
  end

  assign value_o = value[ValueBits-1:0];
  assign col_o = col[ColBits-1:0];

endmodule

`default_nettype wire
