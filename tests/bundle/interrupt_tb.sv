// SPDX-License-Identifier: Apache-2.0
`default_nettype none
// Terminal 1 of a ring of two routers offers packets that are too long, or, with +broken, two whose streams break off, or, with +aborted,
// two in whose middle it is reset. What the CSR blocks of both routers say of them.
module interrupt_tb;
  localparam integer Flit = ring2_pkg::FlitBits, User = ring2_pkg::ClassBits + ring2_pkg::DstBits;

  reg clk = 0, reset_n = 0, broken, aborted, abort = 0;
  reg [Flit-1:0] data;  // of the first beat
  wire rst_n;
  reg [1:0] tvalid = 0, tlast = 0;
  reg awvalid = 0, wvalid = 0, arvalid = 0;
  reg [16:0] address = 0;
  reg [31:0] wdata = 0;
  wire [1:0] tready, mvalid, mlast, error, bresp, rresp, irq;
  wire [2*Flit-1:0] mdata;
  wire [2*User-1:0] muser;
  wire awready, wready, bvalid, arready, rvalid;
  wire [31:0] rdata;
  integer failures = 0;

  ring2_top dut (
    .clk_i(clk), .rst_ni(reset_n), .rst_no(rst_n), .s_tvalid_i(tvalid), .s_tready_o(tready), .s_tdata_i({data, {Flit{1'b0}}}), .s_tlast_i(tlast),
    .s_tuser_i({User'(1), User'(0)}), .s_abort_i({abort, 1'b0}), .m_tvalid_o(mvalid), .m_tready_i(2'b11), .m_tdata_o(mdata), .m_tlast_o(mlast), .m_tuser_o(muser),
    .ni_error_o(error), .csr_awvalid_i(awvalid), .csr_awready_o(awready), .csr_awaddr_i(address), .csr_awprot_i(3'h7),
    .csr_wvalid_i(wvalid), .csr_wready_o(wready), .csr_wdata_i(wdata), .csr_wstrb_i(4'hf), .csr_bvalid_o(bvalid),
    .csr_bready_i(1'b1), .csr_bresp_o(bresp), .csr_arvalid_i(arvalid), .csr_arready_o(arready), .csr_araddr_i(address),
    .csr_arprot_i(3'h7), .csr_rvalid_o(rvalid), .csr_rready_i(1'b1), .csr_rdata_o(rdata), .csr_rresp_o(rresp), .irq_o(irq));

  always #5 clk = !clk;

  task write(input [16:0] at, input [31:0] data);
    @(negedge clk) {awvalid, wvalid, address, wdata} = {2'b11, at, data};
    @(negedge clk) {awvalid, wvalid} = 0;  // ready at rest
    while (!bvalid) @(negedge clk);
    if (bresp != 0) failures = failures + 1;
    @(negedge clk);
  endtask

  task expect_read(input [16:0] at, input [31:0] data);
    @(negedge clk) {arvalid, address} = {1'b1, at};
    @(negedge clk) arvalid = 0;
    while (!rvalid) @(negedge clk);
    if (rresp != 0 || rdata != data) begin
      $display("register %h reads %h, not %h", at, rdata, data);
      failures = failures + 1;
    end
    @(negedge clk);
  endtask

  task expect_irq(input [1:0] wanted);
    if (irq !== wanted) begin
      $display("irq is %b, not %b", irq, wanted);
      failures = failures + 1;
    end
  endtask

  integer i, beats, cause;  // of each packet
  initial begin
    broken = $test$plusargs("broken");
    aborted = $test$plusargs("aborted");
    beats = broken || aborted ? 1 : ring2_pkg::MaxFlits + 1;
    cause = broken || aborted ? 7 : 2;
    data = broken ? (ring2_pkg::MaxFlits - ring2_pkg::LenOffset) << ring2_pkg::LenLsb : 0;
    repeat (4) @(negedge clk);
    reset_n = 1;
    wait (rst_n);
    write(17'h10074, 1);  // MASK of router 1
    expect_irq(2'b00);
    for (i = 0; i < 2 * beats; i = i + 1) begin  // two packets, each of a flit too many, or too few
      @(negedge clk) {tvalid, tlast} = {2'b10, !aborted && i % beats == beats - 1, 1'b0};
      while (!tready[1]) @(negedge clk);
      if (aborted) begin
        @(negedge clk) {tvalid, abort} = 3'b001;
        @(negedge clk) abort = 0;
      end
    end
    @(negedge clk) tvalid = 0;
    repeat (20) @(negedge clk);
    expect_irq(2'b10);
    expect_read(17'h10070, broken ? 9 : 1);  // the other end has them, as PACKET_BROKEN
    expect_read(17'h10100, 2);
    expect_read(17'h00070, 0);
    expect_read(17'h100a0, cause);  // REFUSED, at its only stream
    expect_read(17'h100a4, 1);      // REFUSED_USER
    expect_read(17'h10300, 0);      // REFUSALS
    expect_read(17'h10304, cause == 2 ? 2 : 0);
    expect_read(17'h10308, cause == 7 ? 2 : 0);
    expect_read(17'h000a0, 0);
    expect_read(17'h00304, 0);
    write(17'h10070, 1);
    expect_irq(2'b00);
    expect_read(17'h10070, broken ? 8 : 0);
    expect_read(17'h10100, 2);
    $display("INTERRUPT %s", failures == 0 ? "PASS" : "FAIL");
    $finish;
  end
endmodule
`default_nettype wire
