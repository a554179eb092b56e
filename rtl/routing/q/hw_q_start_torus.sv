// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What the Q-table of a torus' router holds before it has learned: for every port the time without other traffic from this
// router's input buffer, through that port and minimally on, to the destination router's. With Optimistic every port
// of a row gets the best one's value.
//
// Combinational: row_i -> values_o. Times are in units of the table's fraction.
// Reference: Boyan & Littman 1993.
module hw_q_start_torus #(
  parameter int unsigned NumDims = 0,
  parameter int unsigned CoordWidth = 0,
  parameter bit [NumDims*8-1:0] DimSizes = '0,
  parameter bit [NumDims*8-1:0] DstBits = '0,            // of each coordinate in a row's number
  parameter bit Optimistic = 1'b0,
  parameter bit [NumDims*32-1:0] HopTimes = '0,          // of a hop in each dimension: router and link
  parameter int unsigned NumRows = 0,
  parameter int unsigned ValueBits = 0,
  localparam int unsigned NumCols = 2 * NumDims,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1
) (
  input  wire logic [NumDims*CoordWidth-1:0] coord_i,
  input  wire logic [RowBits-1:0]            row_i,
  output logic [NumCols*ValueBits-1:0]       values_o
);

  if (NumDims == 0 || NumRows == 0 || ValueBits == 0) begin : gen_bad_size
    $error("hw_q_start_torus: NumDims, NumRows and ValueBits must be set");
  end

  localparam logic [ValueBits-1:0] Most = {{(ValueBits - 1){1'b1}}, 1'b0};

  logic [7:0] shift, size, from, to, ahead;
  logic [NumDims*8-1:0] distance;                        // hops in each dimension
  logic [39:0] all, sum, least;

  // The shorter way round a ring.
  function automatic logic [7:0] around(input logic [7:0] steps, input logic [7:0] ring);
    around = {1'b0, steps[6:0]} > ring - steps ? ring - steps : steps;
  endfunction

  always_comb begin
    shift = '0;
    size = '0;
    from = '0;
    to = '0;
    ahead = '0;
    distance = '0;
    all = '0;
    least = '1;
    for (int unsigned d = 0; d < NumDims; d = d + 1) begin
      size = DimSizes[d*8+:8];
      from = 8'(coord_i[d*CoordWidth+:CoordWidth]);
      to = 8'(32'(row_i) >> shift) & ((8'd1 << DstBits[d*8+:8]) - 8'd1);
      shift = shift + DstBits[d*8+:8];
      if (to >= size) to = '0;                           // no such router
      ahead = to >= from ? to - from : size + to - from;
      distance[d*8+:8] = around(ahead, size);
      all = all + 40'(distance[d*8+:8]) * 40'(HopTimes[d*32+:32]);
    end
    shift = '0;
    sum = '0;
    values_o = '0;
    for (int unsigned c = 0; c < NumCols; c = c + 1) begin
      size = DimSizes[(c/2)*8+:8];
      from = 8'(coord_i[(c/2)*CoordWidth+:CoordWidth]);
      to = 8'(32'(row_i) >> shift) & ((8'd1 << DstBits[(c/2)*8+:8]) - 8'd1);
      if (c % 2 == 1) shift = shift + DstBits[(c/2)*8+:8];
      if (to >= size) to = '0;
      // Port 2d leads to the next coordinate, port 2d + 1 to the one before.
      if (c % 2 == 0) from = from + 8'd1 == size ? '0 : from + 8'd1;
      else from = from == '0 ? size - 8'd1 : from - 8'd1;
      ahead = to >= from ? to - from : size + to - from;
      sum = all + (40'(around(ahead, size)) + 40'd1 - 40'(distance[(c/2)*8+:8])) * 40'(HopTimes[(c/2)*32+:32]);
      if (sum < least) least = sum;
      values_o[c*ValueBits+:ValueBits] = sum > 40'(Most) ? Most : ValueBits'(sum);
    end
    if (Optimistic) values_o = {NumCols{least > 40'(Most) ? Most : ValueBits'(least)}};
  end

endmodule

`default_nettype wire
