// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// hw_dqn_argmax beside a plain search, with the clock that benches and proofs want.
module hw_dqn_argmax_bench #(
  parameter int unsigned NumActions = 0,
  parameter int unsigned ValueBits = 24,
  localparam int unsigned ActionBits = NumActions > 1 ? $clog2(NumActions) : 1
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,
  input  wire logic [NumActions*ValueBits-1:0]  values_i,
  input  wire logic [NumActions-1:0]            allowed_i,
  output logic [ActionBits-1:0]                 best_o,
  output logic [ValueBits-1:0]                  value_o,
  output logic                                  any_o,
  output logic                                  right_o
);

  hw_dqn_argmax #(.NumActions(NumActions), .ValueBits(ValueBits)) u_argmax (
    .values_i, .allowed_i, .best_o, .value_o, .any_o
  );

  logic [ActionBits-1:0] best;
  logic [ValueBits-1:0] value;
  logic any;

  always_comb begin
    best = '0;
    value = '0;
    any = 1'b0;
    for (int unsigned a = 0; a < NumActions; a = a + 1) begin
      if (allowed_i[a] && (!any || $signed(values_i[a*ValueBits+:ValueBits]) > $signed(value))) begin
        best = ActionBits'(a);
        value = values_i[a*ValueBits+:ValueBits];
        any = 1'b1;
      end
    end
    right_o = any_o == any && (!any || (best_o == best && value_o == value));
  end

  // A register, so that the assertion is about a cycle of the clock and the bench has one.
  logic right_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) right_q <= 1'b1;
    else right_q <= right_o;
  end
  `HW_ASSERT(a_best_is_the_first_of_the_largest, right_o && right_q)

endmodule

`default_nettype wire
