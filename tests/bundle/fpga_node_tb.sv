// SPDX-License-Identifier: Apache-2.0
// Four boards of a 2x2 torus, cabled with different lengths, whose links come up one after the other. Every board sends packets of
// four flits to every other one; each flit says where it is from and where it goes.
module fpga_node_tb;
  localparam integer F = fpga_torus_pkg::FlitBits;
  localparam integer U = fpga_torus_pkg::ClassBits + fpga_torus_pkg::DstBits;
  localparam integer W = F + 2 * $clog2(fpga_torus_pkg::NumVcs) + 4;
  localparam integer Packets = 60;  // of each board
  localparam integer Longest = 64;  // cycles of a cable

  reg clk = 1'b0, rst_n = 1'b0, enable = 1'b0;
  always #5 clk = !clk;
  integer cycle = 0;

  wire [4*W-1:0] tx [0:3];
  wire [4*W-1:0] rx [0:3];
  wire [3:0] ready, lost, error, s_ready, m_valid, m_last;
  wire [F-1:0] m_data [0:3];
  reg [3:0] s_valid = 0;
  reg [1:0] target [0:3];
  integer sent [0:3];
  integer beat [0:3];
  integer arrived = 0, failures = 0;
  reg [3:0] up = 0;

  for (genvar b = 0; b < 4; b++) begin : gen_board
    wire [U-1:0] user;
    wire aw, w, bv, ar, rv, irq;
    wire [1:0] br, rr;
    wire [31:0] rd;
    fpga_node u_node (
      .clk_i(clk), .rst_ni(rst_n), .coord_strap_i(2'(b)), .link_up_i({4{up[b]}}), .enable_i(enable), .ready_o(ready[b]),
      .link_lost_o(lost[b]), .tx_word_o(tx[b]), .rx_word_i(rx[b]), .s_tvalid_i(s_valid[b]), .s_tready_o(s_ready[b]),
      .s_tdata_i({2'(b), target[b], {(F-4){1'b0}}}), .s_tlast_i(beat[b] == 3), .s_tuser_i(U'(target[b])),
      .m_tvalid_o(m_valid[b]), .m_tready_i(1'b1), .m_tdata_o(m_data[b]), .m_tlast_o(m_last[b]), .m_tuser_o(user),
      .ni_error_o(error[b]), .irq_o(irq), .csr_awvalid_i(1'b0), .csr_awready_o(aw), .csr_awaddr_i(16'h0), .csr_wvalid_i(1'b0),
      .csr_wready_o(w), .csr_wdata_i(32'h0), .csr_wstrb_i(4'h0), .csr_bvalid_o(bv), .csr_bready_i(1'b1), .csr_bresp_o(br),
      .csr_arvalid_i(1'b0), .csr_arready_o(ar), .csr_araddr_i(16'h0), .csr_rvalid_o(rv), .csr_rready_i(1'b1),
      .csr_rdata_o(rd), .csr_rresp_o(rr));
    // Port p of a board is cabled with port p ^ 1 of its neighbour in dimension p / 2.
    for (genvar p = 0; p < 4; p++) begin : gen_cable
      localparam integer Length = 3 + 17 * p + 2 * b;
      reg [W-1:0] cable_q [0:Longest-1];
      integer i;
      initial for (i = 0; i < Longest; i = i + 1) cable_q[i] = 0;
      always @(posedge clk) begin
        for (i = Longest - 1; i > 0; i = i - 1) cable_q[i] <= cable_q[i-1];
        cable_q[0] <= tx[b ^ (1 << (p / 2))][(p^1)*W+:W];
      end
      assign rx[b][p*W+:W] = cable_q[Length-1];
    end
  end

  integer t;
  initial begin
    for (t = 0; t < 4; t = t + 1) begin
      sent[t] = 0;
      beat[t] = 0;
      target[t] = 2'((t + 1) % 4);
    end
    repeat (4) @(posedge clk);
    #1 rst_n = 1'b1;
    for (t = 0; t < 4; t = t + 1) begin
      repeat (9) @(posedge clk);
      #1 up[t] = 1'b1;
      if (ready[3]) failures = failures + 1;
    end
    s_valid = 4'b1111;
    repeat (9) @(posedge clk);
    if (ready != 4'b1111 || arrived != 0) failures = failures + 1;
    #1 enable = 1'b1;
  end

  // Outputs are read before the edge, inputs change after it.
  reg [3:0] taken = 0;
  always @(posedge clk) begin
    #1;
    for (t = 0; t < 4; t = t + 1) begin
      if (taken[t]) begin
        beat[t] = (beat[t] + 1) % 4;
        if (beat[t] == 0) begin
          sent[t] = sent[t] + 1;
          target[t] = 2'((t + 1 + sent[t] % 3) % 4);
          if (sent[t] == Packets) s_valid[t] = 1'b0;
        end
      end
    end
  end
  always @(negedge clk) begin
    cycle = cycle + 1;
    taken = s_valid & s_ready;
    for (t = 0; t < 4; t = t + 1) begin
      if (m_valid[t]) begin
        arrived = arrived + 1;
        if (m_data[t][F-3-:2] != 2'(t)) failures = failures + 1;
      end
    end
    if (rst_n && (error != 0 || lost != 0)) failures = failures + 1;
    if (arrived == 4 * Packets * 4 || cycle == 20000) begin
      if (failures == 0 && arrived == 4 * Packets * 4) $display("BOARDS PASS: %0d flits in %0d cycles", arrived, cycle);
      else $display("BOARDS FAIL: %0d flits, %0d failures", arrived, failures);
      $finish;
    end
  end
endmodule
