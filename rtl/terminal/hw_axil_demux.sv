// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// One AXI4-Lite port for the CSR blocks of all routers: the high address bits choose the router.
//
// Latency: two cycles more than the addressed slave in each direction. Throughput: one write and one read at a time,
// independent of each other. Combinational paths: none from master to slaves or back, but for the response data.
// Assumes: AXI4-Lite rules on both sides. Guarantees: an address beyond the last slave is answered with DECERR.
// Reference: ARM IHI 0022E, part B (AXI4-Lite).
module hw_axil_demux #(
  parameter int unsigned NumSlaves = 0,
  parameter int unsigned AddrBits = 16,                  // of each slave
  localparam int unsigned SelBits = NumSlaves > 1 ? $clog2(NumSlaves) : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // Master side; address = {slave, address within it}
  input  wire logic                          s_awvalid_i,
  output logic                               s_awready_o,
  input  wire logic [SelBits+AddrBits-1:0]   s_awaddr_i,
  input  wire logic [2:0]                    s_awprot_i,
  input  wire logic                          s_wvalid_i,
  output logic                               s_wready_o,
  input  wire logic [31:0]                   s_wdata_i,
  input  wire logic [3:0]                    s_wstrb_i,
  output logic                               s_bvalid_o,
  input  wire logic                          s_bready_i,
  output logic [1:0]                         s_bresp_o,
  input  wire logic                          s_arvalid_i,
  output logic                               s_arready_o,
  input  wire logic [SelBits+AddrBits-1:0]   s_araddr_i,
  input  wire logic [2:0]                    s_arprot_i,
  output logic                               s_rvalid_o,
  input  wire logic                          s_rready_i,
  output logic [31:0]                        s_rdata_o,
  output logic [1:0]                         s_rresp_o,
  // Slaves; addresses and data are shared
  output logic [NumSlaves-1:0]               m_awvalid_o,
  input  wire logic [NumSlaves-1:0]          m_awready_i,
  output logic [AddrBits-1:0]                m_awaddr_o,
  output logic [2:0]                         m_awprot_o,
  output logic [NumSlaves-1:0]               m_wvalid_o,
  input  wire logic [NumSlaves-1:0]          m_wready_i,
  output logic [31:0]                        m_wdata_o,
  output logic [3:0]                         m_wstrb_o,
  input  wire logic [NumSlaves-1:0]          m_bvalid_i,
  output logic [NumSlaves-1:0]               m_bready_o,
  input  wire logic [NumSlaves*2-1:0]        m_bresp_i,
  output logic [NumSlaves-1:0]               m_arvalid_o,
  input  wire logic [NumSlaves-1:0]          m_arready_i,
  output logic [AddrBits-1:0]                m_araddr_o,
  output logic [2:0]                         m_arprot_o,
  input  wire logic [NumSlaves-1:0]          m_rvalid_i,
  output logic [NumSlaves-1:0]               m_rready_o,
  input  wire logic [NumSlaves*32-1:0]       m_rdata_i,
  input  wire logic [NumSlaves*2-1:0]        m_rresp_i
);

  if (NumSlaves == 0) begin : gen_bad_slaves
    $error("hw_axil_demux: NumSlaves must be at least 1");
  end

  localparam logic [1:0] DecErr = 2'b11;

  // Write: both halves of the request are taken, sent to the slave, and its answer is passed back.
  logic aw_full_q, w_full_q;      // the half has been taken from the master
  logic aw_done_q, w_done_q;      // the slave has it
  logic b_full_q;
  logic [SelBits-1:0] w_sel_q, r_sel_q;
  logic w_mapped, r_mapped;
  logic w_sending, r_sending;

  assign w_mapped = 32'(w_sel_q) < NumSlaves;
  assign w_sending = aw_full_q && w_full_q && !b_full_q && w_mapped;
  assign s_awready_o = !aw_full_q;
  assign s_wready_o = !w_full_q;
  assign s_bvalid_o = b_full_q;

  // Read
  logic ar_full_q, ar_done_q, r_full_q;
  assign r_mapped = 32'(r_sel_q) < NumSlaves;
  assign r_sending = ar_full_q && !r_full_q && r_mapped;
  assign s_arready_o = !ar_full_q;
  assign s_rvalid_o = r_full_q;

  always_comb begin
    m_awvalid_o = '0;
    m_wvalid_o = '0;
    m_bready_o = '0;
    m_arvalid_o = '0;
    m_rready_o = '0;
    if (w_sending) begin
      m_awvalid_o[w_sel_q] = !aw_done_q;
      m_wvalid_o[w_sel_q] = !w_done_q;
      m_bready_o[w_sel_q] = 1'b1;
    end
    if (r_sending) begin
      m_arvalid_o[r_sel_q] = !ar_done_q;
      m_rready_o[r_sel_q] = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_full_q <= 1'b0;
      w_full_q <= 1'b0;
      aw_done_q <= 1'b0;
      w_done_q <= 1'b0;
      b_full_q <= 1'b0;
      ar_full_q <= 1'b0;
      ar_done_q <= 1'b0;
      r_full_q <= 1'b0;
    end else begin
      if (s_awvalid_i && s_awready_o) aw_full_q <= 1'b1;
      if (s_wvalid_i && s_wready_o) w_full_q <= 1'b1;
      if (w_sending && m_awready_i[w_sel_q]) aw_done_q <= 1'b1;
      if (w_sending && m_wready_i[w_sel_q]) w_done_q <= 1'b1;
      if (aw_full_q && w_full_q && !b_full_q && (!w_mapped || m_bvalid_i[w_sel_q])) b_full_q <= 1'b1;
      if (b_full_q && s_bready_i) begin
        aw_full_q <= 1'b0;
        w_full_q <= 1'b0;
        aw_done_q <= 1'b0;
        w_done_q <= 1'b0;
        b_full_q <= 1'b0;
      end
      if (s_arvalid_i && s_arready_o) ar_full_q <= 1'b1;
      if (r_sending && m_arready_i[r_sel_q]) ar_done_q <= 1'b1;
      if (ar_full_q && !r_full_q && (!r_mapped || m_rvalid_i[r_sel_q])) r_full_q <= 1'b1;
      if (r_full_q && s_rready_i) begin
        ar_full_q <= 1'b0;
        ar_done_q <= 1'b0;
        r_full_q <= 1'b0;
      end
    end
  end

  logic [AddrBits-1:0] m_awaddr_q, m_araddr_q;
  logic [31:0] m_wdata_q, s_rdata_q;
  logic [3:0] m_wstrb_q;
  logic [2:0] m_awprot_q, m_arprot_q;
  logic [1:0] s_bresp_q, s_rresp_q;
  assign m_awaddr_o = m_awaddr_q;
  assign m_awprot_o = m_awprot_q;
  assign m_arprot_o = m_arprot_q;
  assign m_wdata_o = m_wdata_q;
  assign m_wstrb_o = m_wstrb_q;
  assign s_bresp_o = s_bresp_q;
  assign m_araddr_o = m_araddr_q;
  assign s_rresp_o = s_rresp_q;
  assign s_rdata_o = s_rdata_q;

  always_ff @(posedge clk_i) begin
    if (s_awvalid_i && s_awready_o) begin
      w_sel_q <= s_awaddr_i[AddrBits+:SelBits];
      m_awaddr_q <= s_awaddr_i[AddrBits-1:0];
      m_awprot_q <= s_awprot_i;
    end
    if (s_wvalid_i && s_wready_o) begin
      m_wdata_q <= s_wdata_i;
      m_wstrb_q <= s_wstrb_i;
    end
    if (!b_full_q) s_bresp_q <= w_mapped ? m_bresp_i[w_sel_q*2+:2] : DecErr;
    if (s_arvalid_i && s_arready_o) begin
      r_sel_q <= s_araddr_i[AddrBits+:SelBits];
      m_araddr_q <= s_araddr_i[AddrBits-1:0];
      m_arprot_q <= s_arprot_i;
    end
    if (!r_full_q) begin
      s_rresp_q <= r_mapped ? m_rresp_i[r_sel_q*2+:2] : DecErr;
      s_rdata_q <= r_mapped ? m_rdata_i[r_sel_q*32+:32] : '0;
    end
  end

  `HW_ASSERT(a_one_write_at_a_time, $countones(m_awvalid_o) <= 1)

endmodule

`default_nettype wire
