// SPDX-License-Identifier: Apache-2.0
// For techmap: the product of a signed A and a B of 16 bits that is not negative, by what is known of it alone: divided by
// 2^16 and rounded down it lies between 0 and A, and it is below 0 if A is and B is not 0.
//
// As a serial multiplier computes it: high = (high + A B[k]) / 2, rounded down, for each bit k, where the bit shifted out is bit
// k of the product. The same bounds hold of high after every step; a step is proved for any high within them.
(* techmap_celltype = "$mul" *)
module hw_product (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 0;
  parameter B_WIDTH = 0;
  parameter Y_WIDTH = 0;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  localparam W = Y_WIDTH - 16;

  genvar k;
  generate if (!A_SIGNED || A_WIDTH < W || B_WIDTH < 16) begin : other
    wire _TECHMAP_FAIL_ = 1;
  end else begin : steps
    // The sum of two of A's size fits
    \$assert fits (.A((&A[A_WIDTH-1:W-2] || !A[A_WIDTH-1:W-2]) && !(B >> 16)), .EN(1'b1));

    wire [17*W-1:0] high;               // before step 0 to 15, and after the last
    assign high[0+:W] = 0;
    for (k = 0; k < 16; k = k + 1) begin : bits
      wire [W-1:0] sum, next, any;
      wire none, next_within, any_within;
      assign sum = high[k*W+:W] + (B[k] ? A[W-1:0] : 0);
      assign next = {sum[W-1], sum[W-1:1]};
      assign none = !B[k:0];
      assign next_within = A[W-1] ? $signed(next) >= $signed(A[W-1:0]) && next[W-1] == !none && !(none && next)
                                  : next <= A[W-1:0];
      assign any_within = A[W-1] ? $signed(any) >= $signed(A[W-1:0]) && any[W-1] == !none && !(none && any)
                                 : any <= A[W-1:0];
      \$assert step (.A(next_within), .EN(1'b1));
      \$anyseq #(.WIDTH(W)) anything (.Y(any));
      \$assume within (.A(any_within), .EN(1'b1));
      assign high[(k+1)*W+:W] = any;
      assign Y[k] = sum[0];
    end
    assign Y[Y_WIDTH-1:16] = high[16*W+:W];
  end endgenerate
endmodule
