// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The write channels of an AXI4 master for two clients, whose ids are 2 and 3: bursts one behind the other, in turns.
//
// Latency: of a burst that is accepted in cycle c, AW is there in c+1, and its first word if the client has it. Throughput: a word per
//   cycle, across bursts. Fairness: in turns where both want.
// Combinational paths: want_i -> ready_o, word_valid_i -> pop_o, data_i -> wdata_o; wready_i -> pop_o, ready_o. From bvalid_i, bid_i,
//   bresp_i to done_o, error_o. None from AXI to AXI.
// Assumes: a client that wants has all words of its burst, or gets them in bounded time whatever the network does: nothing else keeps
//   the channel. Clients always take done_o.
// done_o of a client comes for each of its bursts, in order; wvalid_o and awvalid_o stay until they are answered.
module hw_axi_write_arbiter #(
  parameter int unsigned AddrBits = 0,
  parameter int unsigned DataBits = 0,
  localparam int unsigned StrbBits = DataBits / 8
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  input  wire logic [1:0]             want_i,
  output logic [1:0]                  ready_o,
  input  wire logic [2*AddrBits-1:0]  addr_i,
  input  wire logic [15:0]            len_i,       // words less one
  input  wire logic [2*StrbBits-1:0]  last_strb_i, // of the last word; all bytes of the others are written
  input  wire logic [1:0]             word_valid_i,
  input  wire logic [2*DataBits-1:0]  data_i,
  output logic [1:0]                  pop_o,
  output logic [1:0]                  done_o,
  output logic                        error_o,
  output logic                        quiescent_o, // no burst is on AW or W

  output logic [1:0]                  awid_o,
  output logic [AddrBits-1:0]         awaddr_o,
  output logic [7:0]                  awlen_o,
  output logic                        awvalid_o,
  input  wire logic                   awready_i,
  output logic [DataBits-1:0]         wdata_o,
  output logic [StrbBits-1:0]         wstrb_o,
  output logic                        wlast_o,
  output logic                        wvalid_o,
  input  wire logic                   wready_i,
  input  wire logic [1:0]             bid_i,
  input  wire logic [1:0]             bresp_i,
  input  wire logic                   bvalid_i,
  output logic                        bready_o
);

  if (AddrBits == 0 || DataBits < 8) begin : gen_bad_widths
    $error("hw_axi_write_arbiter: AddrBits must be at least 1, DataBits at least 8");
  end

  logic active_q, aw_q, client_q, client, take, word, ends;
  logic [AddrBits-1:0] addr_q;
  logic [7:0] len_q, left_q;
  logic [StrbBits-1:0] strb_q;

  assign word = wvalid_o && wready_i;
  assign ends = word && wlast_o;
  // The next burst begins when the last word of the one before goes, if its address has gone.
  assign client = want_i == 2'b11 ? !client_q : want_i[1];
  assign take = want_i != '0 && (!active_q || ends) && (!aw_q || awready_i);
  assign ready_o = take ? {client, !client} : 2'b00;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      aw_q <= 1'b0;
      client_q <= 1'b1;
    end else begin
      if (take) client_q <= client;
      active_q <= take || (active_q && !ends);
      aw_q <= take || (aw_q && !awready_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      addr_q <= addr_i[32'(client)*AddrBits+:AddrBits];
      len_q <= len_i[32'(client)*8+:8];
      strb_q <= last_strb_i[32'(client)*StrbBits+:StrbBits];
    end
    if (take) left_q <= len_i[32'(client)*8+:8];
    else if (word) left_q <= left_q - 8'd1;
  end

  assign {awid_o, awaddr_o, awlen_o, awvalid_o} = {1'b1, client_q, addr_q, len_q, aw_q};
  assign wlast_o = left_q == '0;
  assign wvalid_o = active_q && word_valid_i[client_q];
  assign wdata_o = data_i[32'(client_q)*DataBits+:DataBits];
  assign wstrb_o = wlast_o ? strb_q : '1;
  assign pop_o = word ? {client_q, !client_q} : 2'b00;
  assign bready_o = 1'b1;
  assign done_o = {bvalid_i && bid_i[0], bvalid_i && !bid_i[0]};
  assign error_o = bresp_i[1];
  assign quiescent_o = !active_q && !aw_q;
  wire unused = &{1'b0, bid_i[1], bresp_i[0]};

  `HW_ASSUME(a_only_own_ids, !bvalid_i || bid_i[1])

endmodule

`default_nettype wire
