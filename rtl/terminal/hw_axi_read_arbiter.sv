// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The read channels of an AXI4 master for two clients, whose ids are 0 and 1. Who has asked takes what comes.
//
// Latency: of a burst that is accepted in cycle c, AR is there in c+1; a word passes at once, to both clients, of which read_o tells
//   the one that it is for. Throughput: a burst and a word a cycle. Fairness: client 0 first, then in turns.
// Combinational paths: rvalid_i, rid_i, rresp_i, take_i -> read_o, error_o, rready_o; want_i -> ready_o. None to AXI.
// Assumes: clients have reserved the places for what they ask for, so that take_i and rready_o are always high.
module hw_axi_read_arbiter #(
  parameter int unsigned AddrBits = 0
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [1:0]             want_i,
  output logic [1:0]                  ready_o,
  input  wire logic [2*AddrBits-1:0]  addr_i,
  input  wire logic [15:0]            len_i,
  input  wire logic [1:0]             take_i,      // of the client that would wait the channel would be kept
  output logic [1:0]                  read_o,
  output logic                        error_o,

  output logic [1:0]                  arid_o,
  output logic [AddrBits-1:0]         araddr_o,
  output logic [7:0]                  arlen_o,
  output logic                        arvalid_o,
  input  wire logic                   arready_i,
  input  wire logic [1:0]             rid_i,
  input  wire logic [1:0]             rresp_i,
  input  wire logic                   rvalid_i,
  output logic                        rready_o
);

  if (AddrBits == 0) begin : gen_bad_address
    $error("hw_axi_read_arbiter: AddrBits must be at least 1");
  end

  logic client, last_q, valid_q, id_q;
  logic [AddrBits-1:0] addr_q;
  logic [7:0] len_q;

  // A request goes into the register of AR once that is free. The memory's arready_i leads to registers alone.
  assign client = want_i == 2'b11 ? !last_q : want_i[1];
  assign ready_o = valid_q ? 2'b00 : {client, !client};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      last_q <= 1'b1;
    end else if (valid_q) begin
      valid_q <= !arready_i;
    end else if (want_i != '0) begin
      valid_q <= 1'b1;
      last_q <= client;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!valid_q) begin
      id_q <= client;
      addr_q <= addr_i[32'(client)*AddrBits+:AddrBits];
      len_q <= len_i[32'(client)*8+:8];
    end
  end

  assign {arid_o, araddr_o, arlen_o, arvalid_o} = {1'b0, id_q, addr_q, len_q, valid_q};
  assign rready_o = take_i == 2'b11;
  assign read_o = {rvalid_i && rready_o && rid_i[0], rvalid_i && rready_o && !rid_i[0]};
  assign error_o = rresp_i[1];
  wire unused = &{1'b0, rid_i[1], rresp_i[0]};

  `HW_ASSUME(a_nobody_keeps_the_channel, rready_o)
  `HW_ASSUME(a_only_own_ids, !rvalid_i || !rid_i[1])

endmodule

`default_nettype wire
