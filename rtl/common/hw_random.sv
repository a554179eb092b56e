// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Pseudo-random bits: xorshift32 (Marsaglia 2003), period 2^32 - 1. Advances on request only, so that what is drawn
// depends on the requests before, not on time.
//
// values_o holds the next NumValues states; advance_i makes the last of them the present one.
// Latency 0, one request per cycle. Combinational paths: none from inputs; values_o from registers only.
// The state is loaded from seed_i in every cycle with load_i, and in the first cycle after reset, then with place_i mixed in: so
// routers that nobody has given a seed draw apart.
module hw_random #(
  parameter int unsigned NumValues = 1,
  parameter bit [31:0] Salt = '0                        // makes generators with one seed differ
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic                        load_i,
  input  wire logic [31:0]                 seed_i,
  input  wire logic [31:0]                 place_i,     // static: where this router stands
  input  wire logic                        advance_i,
  output logic [NumValues*32-1:0]          values_o
);

  logic loaded_q;
  logic [31:0] state_q;
  logic [31:0] start, place, x;

  // One bit of place_i is four of the state, far from each other: neighbours' first values have little in common.
  assign place = place_i ^ (place_i << 7) ^ (place_i << 14) ^ (place_i << 21);
  assign start = seed_i ^ Salt ^ (load_i ? '0 : place);

  always_comb begin
    x = state_q;
    for (int unsigned i = 0; i < NumValues; i = i + 1) begin
      x = x ^ (x << 13);
      x = x ^ (x >> 17);
      x = x ^ (x << 5);
      values_o[i*32+:32] = x;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loaded_q <= 1'b0;
      state_q <= 32'd1;
    end else begin
      loaded_q <= 1'b1;
      if (load_i || !loaded_q) state_q <= start == '0 ? 32'h9e3779b9 : start;
      else if (advance_i) state_q <= values_o[(NumValues-1)*32+:32];
    end
  end

endmodule

`default_nettype wire
