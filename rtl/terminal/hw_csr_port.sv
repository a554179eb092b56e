// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The AXI4-Lite slave of a CSR block: takes requests, shows them until they are done, and answers.
//
// Latency: the last channel of a request accepted in cycle c, it is shown in c+1 until done; the response is on the pins in the
//   cycle after that. Throughput: one read and one write every two cycles, independent of each other.
// Combinational paths: every output is a register, or a register and a compare.
// Assumes: AXI4-Lite rules; a request is done only while it is shown.
// Guarantees: the five channels wait for each other only as AXI demands (a response for its request). A read that is refused
//   carries 0. Bits 1:0 of addresses, AWPROT and ARPROT are ignored. Checked by the tests of hw_csr, with random pauses.
// Reference: ARM IHI 0022E, part B (AXI4-Lite).
module hw_csr_port #(
  parameter int unsigned AddrBits = 0
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  // AXI4-Lite slave
  input  wire logic                 s_awvalid_i,
  output logic                      s_awready_o,
  input  wire logic [AddrBits-1:0]  s_awaddr_i,
  input  wire logic [2:0]           s_awprot_i,
  input  wire logic                 s_wvalid_i,
  output logic                      s_wready_o,
  input  wire logic [31:0]          s_wdata_i,
  input  wire logic [3:0]           s_wstrb_i,
  output logic                      s_bvalid_o,
  input  wire logic                 s_bready_i,
  output logic [1:0]                s_bresp_o,
  input  wire logic                 s_arvalid_i,
  output logic                      s_arready_o,
  input  wire logic [AddrBits-1:0]  s_araddr_i,
  input  wire logic [2:0]           s_arprot_i,
  output logic                      s_rvalid_o,
  input  wire logic                 s_rready_i,
  output logic [31:0]               s_rdata_o,
  output logic [1:0]                s_rresp_o,

  // The write that is worked on: word address, data, bits that are written; the ok of its end
  output logic                      write_o,
  output logic [31:0]               write_word_o,
  output logic [31:0]               write_data_o,
  output logic [3:0]                write_strobe_o,
  input  wire logic                 write_done_i,
  input  wire logic                 write_ok_i,

  // The read that is worked on
  output logic                      read_o,
  output logic [31:0]               read_word_o,
  input  wire logic                 read_done_i,
  input  wire logic                 read_ok_i,
  input  wire logic [31:0]          read_data_i
);

  if (AddrBits < 14 || AddrBits > 32) begin : gen_bad_address
    $error("hw_csr_port: AddrBits must be 14 to 32");
  end

  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;

  logic aw_full_q, w_full_q, ar_full_q, bvalid_q, rvalid_q;
  logic [AddrBits-3:0] aw_q, ar_q;
  logic [31:0] wdata_q, rdata_q;
  logic [3:0] wstrb_q;
  logic [1:0] bresp_q, rresp_q;

  assign s_awready_o = !aw_full_q;
  assign s_wready_o = !w_full_q;
  assign s_arready_o = !ar_full_q;
  assign s_bvalid_o = bvalid_q;
  assign s_bresp_o = bresp_q;
  assign s_rvalid_o = rvalid_q;
  assign s_rdata_o = rdata_q;
  assign s_rresp_o = rresp_q;

  assign write_o = aw_full_q && w_full_q && !bvalid_q;
  assign write_word_o = 32'(aw_q);
  assign write_data_o = wdata_q;
  assign write_strobe_o = wstrb_q;
  assign read_o = ar_full_q && !rvalid_q;
  assign read_word_o = 32'(ar_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_full_q <= 1'b0;
      w_full_q <= 1'b0;
      ar_full_q <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
    end else begin
      aw_full_q <= aw_full_q ? !write_done_i : s_awvalid_i;
      w_full_q <= w_full_q ? !write_done_i : s_wvalid_i;
      ar_full_q <= ar_full_q ? !read_done_i : s_arvalid_i;
      bvalid_q <= bvalid_q ? !s_bready_i : write_done_i;
      rvalid_q <= rvalid_q ? !s_rready_i : read_done_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (s_awvalid_i && !aw_full_q) aw_q <= s_awaddr_i[AddrBits-1:2];
    if (s_arvalid_i && !ar_full_q) ar_q <= s_araddr_i[AddrBits-1:2];
    if (s_wvalid_i && !w_full_q) begin
      wdata_q <= s_wdata_i;
      wstrb_q <= s_wstrb_i;
    end
    if (write_done_i) bresp_q <= write_ok_i ? Okay : SlvErr;
    if (read_done_i) begin
      rdata_q <= read_ok_i ? read_data_i : '0;
      rresp_q <= read_ok_i ? Okay : SlvErr;
    end
  end

  wire unused = &{1'b0, s_awaddr_i[1:0], s_araddr_i[1:0], s_awprot_i, s_arprot_i};

  `HW_ASSUME(a_shown_write_is_done, !write_done_i || write_o)
  `HW_ASSUME(a_shown_read_is_done, !read_done_i || read_o)

endmodule

`default_nettype wire
