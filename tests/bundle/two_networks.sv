// SPDX-License-Identifier: Apache-2.0
// Two networks of one design, `east` and `dragonfly_west`; and a bench in which each terminal sends a packet to the next.
`default_nettype none

`define STREAMS(N) \
  input  wire logic [N``_pkg::NumTerminals-1:0] N``_s_tvalid_i, \
  output wire logic [N``_pkg::NumTerminals-1:0] N``_s_tready_o, \
  input  wire logic [N``_pkg::NumTerminals*N``_pkg::FlitBits-1:0] N``_s_tdata_i, \
  input  wire logic [N``_pkg::NumTerminals*(N``_pkg::ClassBits+N``_pkg::DstBits)-1:0] N``_s_tuser_i, \
  output wire logic [N``_pkg::NumTerminals-1:0] N``_m_tvalid_o, \
  output wire logic [N``_pkg::NumTerminals*N``_pkg::FlitBits-1:0] N``_m_tdata_o, \
  output wire logic [N``_pkg::NumTerminals-1:0] N``_error_o

`define NETWORK(N) \
  wire logic [N``_pkg::NumTerminals-1:0] N``_last; \
  wire logic [N``_pkg::NumTerminals*(N``_pkg::ClassBits+N``_pkg::DstBits)-1:0] N``_user; \
  wire logic N``_awready, N``_wready, N``_bvalid, N``_arready, N``_rvalid; \
  wire logic [1:0] N``_bresp, N``_rresp; \
  wire logic [N``_pkg::NumRouters-1:0] N``_irq; \
  wire logic [31:0] N``_rdata; \
  N``_top u_``N ( \
    .clk_i(clk_i), .rst_ni(rst_ni), .rst_no(N``_rst_n), .s_tvalid_i(N``_s_tvalid_i), .s_tready_o(N``_s_tready_o), .s_tdata_i(N``_s_tdata_i), \
    .s_tlast_i({N``_pkg::NumTerminals{1'b1}}), .s_tuser_i(N``_s_tuser_i), .s_abort_i({N``_pkg::NumTerminals{1'b0}}), .m_tvalid_o(N``_m_tvalid_o), \
    .m_tready_i({N``_pkg::NumTerminals{1'b1}}), .m_tdata_o(N``_m_tdata_o), .m_tlast_o(N``_last), .m_tuser_o(N``_user), \
    .ni_error_o(N``_error_o), .csr_awvalid_i(1'b0), .csr_awready_o(N``_awready), \
    .csr_awaddr_i({N``_pkg::CsrAddrBits{1'b0}}), .csr_awprot_i(3'h0), .csr_wvalid_i(1'b0), .csr_wready_o(N``_wready), .csr_wdata_i(32'h0), \
    .csr_wstrb_i(4'h0), .csr_bvalid_o(N``_bvalid), .csr_bready_i(1'b1), .csr_bresp_o(N``_bresp), .csr_arvalid_i(1'b0), \
    .csr_arready_o(N``_arready), .csr_araddr_i({N``_pkg::CsrAddrBits{1'b0}}), .csr_arprot_i(3'h0), .irq_o(N``_irq), .csr_rvalid_o(N``_rvalid), \
    .csr_rready_i(1'b1), .csr_rdata_o(N``_rdata), .csr_rresp_o(N``_rresp) \
  ); \
  wire unused_``N = &{1'b0, N``_last, N``_user, N``_awready, N``_wready, N``_bvalid, N``_arready, N``_rvalid, N``_bresp, \
                      N``_rresp, N``_rdata, N``_irq};

module two_networks (
  input wire logic clk_i,
  input wire logic rst_ni,
  `STREAMS(east),
  `STREAMS(dragonfly_west),
  output wire logic rst_no                      // both are out of reset
);
  wire logic east_rst_n, dragonfly_west_rst_n;
  assign rst_no = east_rst_n && dragonfly_west_rst_n;
  `NETWORK(east)
  `NETWORK(dragonfly_west)
endmodule
`default_nettype wire
