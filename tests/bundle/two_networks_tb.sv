// SPDX-License-Identifier: Apache-2.0
// Each terminal of two networks in one design sends a packet of one flit to the next one. The addresses come as EAST_ADDRESS and
// WEST_ADDRESS, terminal 0 in the low bits.
`define SIDE(N) \
  localparam integer N``_T = N``_pkg::NumTerminals; \
  localparam integer N``_F = N``_pkg::FlitBits; \
  localparam integer N``_U = N``_pkg::ClassBits + N``_pkg::DstBits; \
  reg  [N``_T-1:0] N``_valid = 0, N``_taken = 0; \
  wire [N``_T-1:0] N``_ready, N``_arrives, N``_error; \
  reg  [N``_T*N``_F-1:0] N``_data = 0; \
  reg  [N``_T*N``_U-1:0] N``_user = 0; \
  wire [N``_T*N``_F-1:0] N``_out; \
  integer N``_arrived = 0;

`define PINS(N) \
  .N``_s_tvalid_i(N``_valid), .N``_s_tready_o(N``_ready), .N``_s_tdata_i(N``_data), .N``_s_tuser_i(N``_user), \
  .N``_m_tvalid_o(N``_arrives), .N``_m_tdata_o(N``_out), .N``_error_o(N``_error)

`define START(N, ADDRESSES) \
  for (t = 0; t < N``_T; t = t + 1) begin \
    N``_valid[t] = 1'b1; \
    N``_data[t*N``_F+N``_F-1 -: 6] = t; \
    N``_user[t*N``_U +: N``_U] = ADDRESSES >> (((t + 1) % N``_T) * 16); \
  end

`define STEP(N) \
  for (t = 0; t < N``_T; t = t + 1) begin \
    if (N``_arrives[t]) begin \
      N``_arrived = N``_arrived + 1; \
      if (N``_out[t*N``_F+N``_F-1 -: 6] != (t + N``_T - 1) % N``_T) failures = failures + 1; \
    end \
  end \
  N``_taken = N``_valid & N``_ready; \
  if (N``_error !== 0) failures = failures + 1;

module two_networks_tb;
  reg clk = 1'b0;
  reg reset_n = 1'b0;
  wire rst_n;
  always #5 clk = !clk;
  integer t, cycle = 0, failures = 0;
  `SIDE(east)
  `SIDE(dragonfly_west)
  two_networks dut (.clk_i(clk), .rst_ni(reset_n), .rst_no(rst_n), `PINS(east), `PINS(dragonfly_west));

  initial begin
    repeat (4) @(posedge clk);
    #1 reset_n = 1'b1;
    wait (rst_n);
    `START(east, `EAST_ADDRESS)
    `START(dragonfly_west, `WEST_ADDRESS)
  end
  // Outputs are read before the edge, inputs change after it.
  always @(posedge clk) begin
    #1 east_valid = east_valid & ~east_taken;
    dragonfly_west_valid = dragonfly_west_valid & ~dragonfly_west_taken;
  end
  always @(negedge clk) if (rst_n) begin
    cycle = cycle + 1;
    `STEP(east)
    `STEP(dragonfly_west)
    if (cycle == 100) begin
      if (failures == 0 && east_arrived == east_T && dragonfly_west_arrived == dragonfly_west_T)
        $display("BOTH PASS: %0d and %0d packets", east_arrived, dragonfly_west_arrived);
      else $display("BOTH FAIL: %0d, %0d and %0d failures", east_arrived, dragonfly_west_arrived, failures);
      $finish;
    end
  end
endmodule
