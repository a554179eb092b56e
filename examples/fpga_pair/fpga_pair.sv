// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A whole network on a board with a clock and a few LEDs: two routers, a station at each that sends to the other and checks what
// arrives, and a reader of one of the registers.
//
// alive_o[0], [1]: bit BlinkBit of the packets that have arrived at a station. alive_o[2]: bit BlinkBit of the flits that router 0
// has sent to router 1, as its CSR block says. error_o: a beat was wrong, a packet or an access was refused; until the next reset.
//
// Reset: rst_ni, asynchronous; the network synchronises it. Where flip-flops begin at 0, as on an iCE40, the first two cycles are a
// reset without it.
module fpga_pair #(
  parameter int unsigned BlinkBit = 21      // a few changes a second at 12 MHz
) (
  input  wire logic   clk_i,
  input  wire logic   rst_ni,
  output logic [2:0]  alive_o,
  output logic        error_o
);

  localparam int unsigned FlitBits = fpga_pair_pkg::FlitBits;
  localparam int unsigned UserBits = fpga_pair_pkg::ClassBits + fpga_pair_pkg::DstBits;
  localparam int unsigned AddrBits = fpga_pair_pkg::CsrAddrBits;
  localparam bit [AddrBits-1:0] FlitsOut = AddrBits'('h2008);  // of port 0 of router 0: see fpga_pair_csr.h

  logic rst_n;                              // as the network has it
  logic [1:0] s_tvalid, s_tready, s_tlast, m_tvalid, m_tready, m_tlast, ni_error, irq, wrong;
  logic [2*FlitBits-1:0] s_tdata, m_tdata;
  logic [2*UserBits-1:0] s_tuser, m_tuser;
  logic arvalid_q, arready, rvalid;
  logic [31:0] rdata, flits_q;
  logic [1:0] rresp, unused_bresp;
  logic unused_awready, unused_wready, unused_bvalid;

  for (genvar t = 0; t < 2; t = t + 1) begin : gen_station
    packet_station #(.Seed(32'h1234 + t), .PeerSeed(32'h1235 - t), .Peer(fpga_pair_pkg::DstBits'(1 - t)), .BlinkBit(BlinkBit)) u_station (
      .clk_i(clk_i), .rst_ni(rst_n),
      .s_tvalid_o(s_tvalid[t]), .s_tready_i(s_tready[t]), .s_tdata_o(s_tdata[t*FlitBits+:FlitBits]), .s_tlast_o(s_tlast[t]),
      .s_tuser_o(s_tuser[t*UserBits+:UserBits]),
      .m_tvalid_i(m_tvalid[t]), .m_tready_o(m_tready[t]), .m_tdata_i(m_tdata[t*FlitBits+:FlitBits]), .m_tlast_i(m_tlast[t]),
      .m_tuser_i(m_tuser[t*UserBits+:UserBits]),
      .alive_o(alive_o[t]), .error_o(wrong[t])
    );
  end

  fpga_pair_top u_network (
    .clk_i(clk_i), .rst_ni(rst_ni), .rst_no(rst_n),
    .s_tvalid_i(s_tvalid), .s_tready_o(s_tready), .s_tdata_i(s_tdata), .s_tlast_i(s_tlast), .s_tuser_i(s_tuser), .s_abort_i(2'b00),
    .m_tvalid_o(m_tvalid), .m_tready_i(m_tready), .m_tdata_o(m_tdata), .m_tlast_o(m_tlast), .m_tuser_o(m_tuser),
    .ni_error_o(ni_error), .irq_o(irq),
    .csr_awvalid_i(1'b0), .csr_awready_o(unused_awready), .csr_awaddr_i('0), .csr_awprot_i('0),
    .csr_wvalid_i(1'b0), .csr_wready_o(unused_wready), .csr_wdata_i('0), .csr_wstrb_i('0),
    .csr_bvalid_o(unused_bvalid), .csr_bready_i(1'b1), .csr_bresp_o(unused_bresp),
    .csr_arvalid_i(arvalid_q), .csr_arready_o(arready), .csr_araddr_i(FlitsOut), .csr_arprot_i('0),
    .csr_rvalid_o(rvalid), .csr_rready_i(1'b1), .csr_rdata_o(rdata), .csr_rresp_o(rresp)
  );

  // The register is read again and again.
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      arvalid_q <= 1'b1;
      flits_q <= '0;
      error_o <= 1'b0;
    end else begin
      if (arvalid_q && arready) arvalid_q <= 1'b0;
      else if (rvalid) arvalid_q <= 1'b1;
      if (rvalid) flits_q <= rdata;
      if (wrong != '0 || ni_error != '0 || (rvalid && rresp != '0)) error_o <= 1'b1;
    end
  end
  assign alive_o[2] = flits_q[BlinkBit];

  wire unused = &{1'b0, irq, unused_awready, unused_wready, unused_bvalid, unused_bresp, flits_q};

endmodule

`default_nettype wire
