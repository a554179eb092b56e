// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// One node of the network on an FPGA: the tile of the bundle (router, CSR block, network interface), its reset, its coordinates
// from straps, and a word per link and cycle for serial cores. Around it goes the board's top: clocks, transceivers, host.
//
// Reset: asserted at once, released on clk_i when every link is up. Straps are read while it is asserted. A link that goes down
// later does not reset the node: flits and credits on it are lost, link_lost_o stays high, and all boards must be reset.
// Streams are held until enable_i: the host raises it on all boards after ready_o of all. Until then no flit is sent, so
// none arrives at a board that is still in reset.
//
// Word of link p, both directions: {credit_vc, credit_valid, data, tail, head, vc, valid}. A serial core, and the crossing
// between its clock and clk_i, must deliver every word that has valid or credit_valid, in order, and none twice.
//
// Latency: none beyond the tile's own link registers. rx_word_i goes to the router's input units unregistered.
module fpga_node #(
  localparam int unsigned NumLinks = fpga_torus_pkg::NumNetworkPorts,
  localparam int unsigned FlitBits = fpga_torus_pkg::FlitBits,
  localparam int unsigned VcWidth = fpga_torus_pkg::NumVcs > 1 ? $clog2(fpga_torus_pkg::NumVcs) : 1,
  localparam int unsigned UserBits = fpga_torus_pkg::ClassBits + fpga_torus_pkg::DstBits,
  localparam int unsigned CoordBits = fpga_torus_pkg::CoordBits,
  localparam int unsigned WordBits = FlitBits + 2 * VcWidth + 4
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,                       // asynchronous; of all boards together
  input  wire logic [CoordBits-1:0] coord_strap_i,
  input  wire logic [NumLinks-1:0] link_up_i,     // synchronous to clk_i; of the serial cores
  input  wire logic enable_i,                     // synchronous to clk_i
  output logic ready_o,                           // out of reset
  output logic link_lost_o,

  output logic [NumLinks*WordBits-1:0] tx_word_o,
  input  wire logic [NumLinks*WordBits-1:0] rx_word_i,

  // The terminal: AXI4-Stream
  input  wire logic s_tvalid_i,
  output logic s_tready_o,
  input  wire logic [FlitBits-1:0] s_tdata_i,
  input  wire logic s_tlast_i,
  input  wire logic [UserBits-1:0] s_tuser_i,
  output logic m_tvalid_o,
  input  wire logic m_tready_i,
  output logic [FlitBits-1:0] m_tdata_o,
  output logic m_tlast_o,
  output logic [UserBits-1:0] m_tuser_o,
  output logic ni_error_o,
  output logic irq_o,

  // Registers of the node: AXI4-Lite
  input  wire logic csr_awvalid_i,
  output logic csr_awready_o,
  input  wire logic [15:0] csr_awaddr_i,
  input  wire logic csr_wvalid_i,
  output logic csr_wready_o,
  input  wire logic [31:0] csr_wdata_i,
  input  wire logic [3:0] csr_wstrb_i,
  output logic csr_bvalid_o,
  input  wire logic csr_bready_i,
  output logic [1:0] csr_bresp_o,
  input  wire logic csr_arvalid_i,
  output logic csr_arready_o,
  input  wire logic [15:0] csr_araddr_i,
  output logic csr_rvalid_o,
  input  wire logic csr_rready_i,
  output logic [31:0] csr_rdata_o,
  output logic [1:0] csr_rresp_o
);

  logic started_q, link_lost_q;

  (* ASYNC_REG = "TRUE" *) logic [CoordBits-1:0] strap_q;
  logic [CoordBits-1:0] coord_q;
  logic released, node_rst_n;

  // The end of the reset, in step with clk_i; the constraints name its registers.
  hw_reset_sync #(.Stages(2)) u_reset (.clk_i(clk_i), .rst_ni(rst_ni), .rst_no(released));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      link_lost_q <= 1'b0;
    end else begin
      if (released && (&link_up_i)) started_q <= 1'b1;
      if (started_q && !(&link_up_i)) link_lost_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    strap_q <= coord_strap_i;
    if (!started_q) coord_q <= strap_q;
  end

  assign node_rst_n = started_q;
  assign ready_o = started_q;
  assign link_lost_o = link_lost_q;

  logic [NumLinks-1:0] in_valid, in_head, in_tail, in_credit_valid;
  logic [NumLinks-1:0] out_valid, out_head, out_tail, out_credit_valid;
  logic [NumLinks*VcWidth-1:0] in_vc, in_credit_vc, out_vc, out_credit_vc;
  logic [NumLinks*FlitBits-1:0] in_data, out_data;

  // Flits and credits of a cable: ours to the neighbour in a word, the neighbour's to us in another.
  for (genvar p = 0; p < NumLinks; p++) begin : gen_link
    assign tx_word_o[p*WordBits+:WordBits] = {
      in_credit_vc[p*VcWidth+:VcWidth], in_credit_valid[p], out_data[p*FlitBits+:FlitBits],
      out_tail[p], out_head[p], out_vc[p*VcWidth+:VcWidth], out_valid[p]
    };
    assign {out_credit_vc[p*VcWidth+:VcWidth], out_credit_valid[p], in_data[p*FlitBits+:FlitBits],
            in_tail[p], in_head[p], in_vc[p*VcWidth+:VcWidth], in_valid[p]} = rx_word_i[p*WordBits+:WordBits];
  end

  logic [63:0] now;
  hw_cycle_counter u_now (.clk_i(clk_i), .rst_ni(node_rst_n), .now_o(now));

  logic tile_ready;
  assign s_tready_o = tile_ready && enable_i;

  fpga_torus_tile u_tile (
    .clk_i(clk_i), .rst_ni(node_rst_n), .coord_i(coord_q), .now_i(now),
    .in_valid_i(in_valid), .in_vc_i(in_vc), .in_head_i(in_head), .in_tail_i(in_tail), .in_data_i(in_data),
    .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_head_o(out_head), .out_tail_o(out_tail), .out_data_o(out_data),
    .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc),
    .s_tvalid_i(s_tvalid_i && enable_i), .s_tready_o(tile_ready), .s_tdata_i(s_tdata_i), .s_tlast_i(s_tlast_i),
    .s_tuser_i(s_tuser_i), .s_abort_i(1'b0),  // what sends is reset with the node
    .m_tvalid_o(m_tvalid_o), .m_tready_i(m_tready_i), .m_tdata_o(m_tdata_o), .m_tlast_o(m_tlast_o), .m_tuser_o(m_tuser_o),
    .ni_error_o(ni_error_o), .irq_o(irq_o),
    .csr_awprot_i(3'h0), .csr_arprot_i(3'h0),
    .csr_awvalid_i(csr_awvalid_i), .csr_awready_o(csr_awready_o), .csr_awaddr_i(csr_awaddr_i),
    .csr_wvalid_i(csr_wvalid_i), .csr_wready_o(csr_wready_o), .csr_wdata_i(csr_wdata_i), .csr_wstrb_i(csr_wstrb_i),
    .csr_bvalid_o(csr_bvalid_o), .csr_bready_i(csr_bready_i), .csr_bresp_o(csr_bresp_o),
    .csr_arvalid_i(csr_arvalid_i), .csr_arready_o(csr_arready_o), .csr_araddr_i(csr_araddr_i),
    .csr_rvalid_o(csr_rvalid_o), .csr_rready_i(csr_rready_i), .csr_rdata_o(csr_rdata_o), .csr_rresp_o(csr_rresp_o)
  );

endmodule

`default_nettype wire
