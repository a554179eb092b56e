// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_dqn_argmax: the result is allowed and no allowed action has a larger value; of equal ones it is the lowest.
// Combinational, so that one step is all there is.
module prove_dqn_argmax #(
  parameter int unsigned NumActions = 0,
  parameter int unsigned ValueBits = 24,
  localparam int unsigned ActionBits = NumActions > 1 ? $clog2(NumActions) : 1
) (
  input wire logic                             clk_i,
  input wire logic [NumActions*ValueBits-1:0]  values_i,
  input wire logic [NumActions-1:0]            allowed_i
);

  logic [ActionBits-1:0] best;
  logic [ValueBits-1:0] value;
  logic any;

  hw_dqn_argmax #(.NumActions(NumActions), .ValueBits(ValueBits)) u_dut (
    .values_i, .allowed_i, .best_o(best), .value_o(value), .any_o(any)
  );

  logic [NumActions-1:0] beaten, tied;
  for (genvar a = 0; a < NumActions; a = a + 1) begin : gen_action
    assign beaten[a] = !allowed_i[a] || $signed(values_i[a*ValueBits+:ValueBits]) < $signed(value);
    assign tied[a] = allowed_i[a] && values_i[a*ValueBits+:ValueBits] == value;
  end

  always @(posedge clk_i) begin
    a_any: assert (any == (allowed_i != '0));
    if (any) begin
      a_allowed: assert (32'(best) < NumActions && allowed_i[best]);
      a_value: assert (value == values_i[best*ValueBits+:ValueBits]);
      a_largest: assert ((beaten | tied) == '1);
      a_lowest_of_equals: assert ((tied & ((NumActions'(1) << best) - NumActions'(1))) == '0);
      c_tie: cover (tied == '1);
      c_last_and_negative: cover (32'(best) == NumActions - 1 && value[ValueBits-1] && allowed_i == '1);
    end
  end

endmodule

`default_nettype wire
