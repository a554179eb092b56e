// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The action of the largest value among those that are allowed; of equal values the lowest action's counts.
//
// Latency: none; outputs depend combinationally on inputs, through ceil(log2(NumActions)) comparisons.
// Guarantees: best_o and value_o mean nothing where any_o is low.
module hw_dqn_argmax #(
  parameter int unsigned NumActions = 0,
  parameter int unsigned ValueBits = 24,
  localparam int unsigned ActionBits = NumActions > 1 ? $clog2(NumActions) : 1
) (
  input  wire logic [NumActions*ValueBits-1:0]  values_i,    // signed
  input  wire logic [NumActions-1:0]            allowed_i,
  output logic [ActionBits-1:0]                 best_o,
  output logic [ValueBits-1:0]                  value_o,
  output logic                                  any_o
);

  if (NumActions == 0) begin : gen_bad_actions
    $error("hw_dqn_argmax: NumActions must be set");
  end

  // A tree: node n is the better of nodes 2n+1 and 2n+2; the actions are the leaves, in order.
  localparam int unsigned Leaves = 2 ** $clog2(NumActions);
  localparam int unsigned NodeBits = ValueBits + ActionBits;   // {value, action}

  logic [(2*Leaves-1)*NodeBits-1:0] nodes;
  logic [2*Leaves-2:0] valid;
  logic [NodeBits-1:0] low, high;
  logic take_high;

  always_comb begin
    nodes = '0;
    valid = '0;
    low = '0;
    high = '0;
    take_high = 1'b0;
    if (allowed_i != '0) begin
      for (int unsigned a = 0; a < NumActions; a = a + 1) begin
        nodes[(Leaves-1+a)*NodeBits+:NodeBits] = {values_i[a*ValueBits+:ValueBits], ActionBits'(a)};
        valid[Leaves-1+a] = allowed_i[a];
      end
      for (int unsigned n = 0; n + 1 < Leaves; n = n + 1) begin
        low = nodes[(2*(Leaves-2-n)+1)*NodeBits+:NodeBits];
        high = nodes[(2*(Leaves-2-n)+2)*NodeBits+:NodeBits];
        take_high = !valid[2*(Leaves-2-n)+1]
                    || (valid[2*(Leaves-2-n)+2]
                        && $signed(high[NodeBits-1:ActionBits]) > $signed(low[NodeBits-1:ActionBits]));
        nodes[(Leaves-2-n)*NodeBits+:NodeBits] = take_high ? high : low;
        valid[Leaves-2-n] = valid[2*(Leaves-2-n)+1] || valid[2*(Leaves-2-n)+2];
      end
    end
  end

  assign {value_o, best_o} = nodes[NodeBits-1:0];
  assign any_o = valid[0];

endmodule

`default_nettype wire
