// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A hash of what tells the packets of a flow from those of others, in the place of random bits: the same key gives the same values,
// at every router.
//
// The low word of the key, and after a round the high one, go into a state of 32 bits; after three rounds more, values_o are
// the states of the next ones. A round is a step of xorshift32 as in hw_random, which is linear; a step that is not, of one AND, is
// between, so that keys that differ in one bit, whichever, differ in about half of the bits of every value, and in other bits for
// other keys. Latency 0, combinational, some XORs deep: key_i -> values_o.
// Reference: Marsaglia 2003 (xorshift); Daemen 1995 (the step chi).
module hw_flow_hash #(
  parameter int unsigned NumValues = 0
) (
  input  wire logic [63:0]              key_i,
  output logic [NumValues*32-1:0]       values_o
);

  if (NumValues == 0) begin : gen_unset
    $error("hw_flow_hash: NumValues must be set");
  end

  function automatic logic [31:0] mix(input logic [31:0] state);
    mix = state ^ (state << 13);
    mix = mix ^ (mix >> 17);
    mix = mix ^ (mix << 5);
  endfunction

  function automatic logic [31:0] chi(input logic [31:0] state);
    chi = state ^ (~{state[4:0], state[31:5]} & {state[10:0], state[31:11]});
  endfunction

  logic [31:0] x;
  always_comb begin
    x = mix(chi(mix(mix(mix(32'h9e3779b9 ^ key_i[31:0]) ^ key_i[63:32]))));
    for (int unsigned i = 0; i < NumValues; i = i + 1) begin
      x = mix(x);
      values_o[i*32+:32] = x;
    end
  end

endmodule

`default_nettype wire
