// SPDX-License-Identifier: Apache-2.0
// The example of two routers on a board, as a person would look at it: every light that tells of traffic changes, the one that
// tells of errors stays dark.
module fpga_pair_tb;
  reg clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;
  wire [2:0] alive;
  wire error;
  fpga_pair #(.BlinkBit(5)) u_board (.clk_i(clk), .rst_ni(rst_n), .alive_o(alive), .error_o(error));

  reg [2:0] shown = 0;
  integer changes [0:2];
  integer i, cycle;
  initial begin
    for (i = 0; i < 3; i = i + 1) changes[i] = 0;
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    for (cycle = 0; cycle < 20000; cycle = cycle + 1) begin
      @(negedge clk);
      for (i = 0; i < 3; i = i + 1) if (alive[i] !== shown[i]) changes[i] = changes[i] + 1;
      shown = alive;
    end
    $display("LIGHTS change %0d %0d %0d times, error %b", changes[0], changes[1], changes[2], error);
    $finish;
  end
endmodule
