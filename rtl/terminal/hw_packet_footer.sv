// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Footers of packets, a flit behind the payload, that one side of a pair of streams does not know: packets that leave get one, which is
// 0; of those that come it is taken away, whatever it holds.
//
// Latency: none for packets that leave; a flit of those that come is passed on when the next one is there. Throughput: a beat per cycle,
//   and one for each footer.
// Combinational paths: tx_valid_i -> net_tx_valid_o, net_tx_ready_i -> tx_ready_o; net_rx_valid_i, net_rx_last_i -> rx_valid_o, rx_last_o;
//   rx_ready_i -> net_rx_ready_o.
// Assumes: valid stays high until ready, on both streams; packets that come have two flits and more.
// Guarantees: a packet of n flits on this side is one of n + 1 in the network, and the other way round; the same of valid as is assumed.
//   Checked by tests/rtl_messages.
// Reference: docs/reference/messages.md.
module hw_packet_footer #(
  parameter int unsigned Width = 0
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Packets that leave
  input  wire logic              tx_valid_i,
  output logic                   tx_ready_o,
  input  wire logic [Width-1:0]  tx_data_i,
  input  wire logic              tx_last_i,
  output logic                   net_tx_valid_o,
  input  wire logic              net_tx_ready_i,
  output logic [Width-1:0]       net_tx_data_o,
  output logic                   net_tx_last_o,

  // Packets that come
  input  wire logic              net_rx_valid_i,
  output logic                   net_rx_ready_o,
  input  wire logic [Width-1:0]  net_rx_data_i,
  input  wire logic              net_rx_last_i,
  output logic                   rx_valid_o,
  input  wire logic              rx_ready_i,
  output logic [Width-1:0]       rx_data_o,
  output logic                   rx_last_o,
  output logic                   quiescent_o
);

  if (Width == 0) begin : gen_bad_width
    $error("hw_packet_footer: Width must be at least 1");
  end

  logic footer_q;                                      // the next flit that leaves is one
  assign net_tx_valid_o = footer_q || tx_valid_i;
  assign net_tx_data_o = footer_q ? '0 : tx_data_i;
  assign net_tx_last_o = footer_q;
  assign tx_ready_o = net_tx_ready_i && !footer_q;

  logic held_q;                                        // a flit waits for the next one
  logic [Width-1:0] flit_q;
  assign rx_valid_o = held_q && net_rx_valid_i;
  assign rx_data_o = flit_q;
  assign rx_last_o = net_rx_last_i;
  assign net_rx_ready_o = !held_q || rx_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      footer_q <= 1'b0;
      held_q <= 1'b0;
    end else begin
      if (net_tx_valid_o && net_tx_ready_i) footer_q <= !footer_q && tx_last_i;
      if (net_rx_valid_i && net_rx_ready_o) held_q <= !net_rx_last_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (net_rx_valid_i && net_rx_ready_o) flit_q <= net_rx_data_i;
  end

  assign quiescent_o = !footer_q && !held_q;

  `HW_ASSUME(a_a_flit_before_each_footer, !(net_rx_valid_i && net_rx_last_i) || held_q)
  `HW_COVER(c_footer_waits, footer_q && !net_tx_ready_i)

endmodule

`default_nettype wire
