// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A terminal that sends without end and checks what it receives. Words of a pseudo-random sequence are the flits, and the first
// word of a packet its length as well; whoever knows the sender's seed knows every beat. The network keeps the order of packets.
//
// Latency: a wrong beat shows on error_o in the next cycle, for ever. Throughput: a beat per cycle sent, 15 of 16 cycles received.
// Combinational paths: none. Assumes: packets arrive in the order in which their sender sent them.
module packet_station #(
  parameter bit [31:0] Seed = '0,
  parameter bit [31:0] PeerSeed = '0,
  parameter bit [fpga_pair_pkg::DstBits-1:0] Peer = '0,  // the address to which it sends, and from which it receives
  parameter int unsigned BlinkBit = 0,                   // of the count of packets, which alive_o shows
  localparam int unsigned FlitBits = fpga_pair_pkg::FlitBits,
  localparam int unsigned DstBits = fpga_pair_pkg::DstBits,
  localparam int unsigned UserBits = fpga_pair_pkg::ClassBits + DstBits
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  // Into the network: AXI4-Stream
  output logic                      s_tvalid_o,
  input  wire logic                 s_tready_i,
  output logic [FlitBits-1:0]       s_tdata_o,
  output logic                      s_tlast_o,
  output logic [UserBits-1:0]       s_tuser_o,
  // Out of the network
  input  wire logic                 m_tvalid_i,
  output logic                      m_tready_o,
  input  wire logic [FlitBits-1:0]  m_tdata_i,
  input  wire logic                 m_tlast_i,
  input  wire logic [UserBits-1:0]  m_tuser_i,
  // Status
  output logic                      alive_o,
  output logic                      error_o
);

  if (FlitBits != 32 || fpga_pair_pkg::MaxFlits != 4) begin : gen_bad_network
    $error("packet_station: flits are the 32 bits of a word, packets have up to 4 of them");
  end

  // Bits of a head that are not the network's
  localparam bit [FlitBits-1:0] Payload = {FlitBits{1'b1}} << fpga_pair_pkg::HeaderBits;

  logic started_q;                          // the sequences have begun: see hw_random
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) started_q <= 1'b0;
    else started_q <= 1'b1;
  end

  // Sent ----------------------------------------------------------------------------------------------------------
  logic sends;
  logic [1:0] to_send_q, to_send;           // beats behind this one; as the last beat left it
  logic send_head_q;
  hw_random #(.Salt(Seed)) u_sent (
    .clk_i(clk_i), .rst_ni(rst_ni), .load_i(1'b0), .seed_i('0), .place_i('0), .advance_i(sends), .values_o(s_tdata_o)
  );
  assign s_tvalid_o = started_q;
  assign sends = s_tvalid_o && s_tready_i;
  assign to_send = send_head_q ? s_tdata_o[1:0] : to_send_q;
  assign s_tlast_o = to_send == '0;
  assign s_tuser_o = UserBits'(Peer);

  // Received ------------------------------------------------------------------------------------------------------
  logic receives, right;
  logic [FlitBits-1:0] expected;
  logic [1:0] to_come_q, to_come;
  logic come_head_q;
  logic [3:0] pause_q;
  logic [BlinkBit:0] packets_q;
  hw_random #(.Salt(PeerSeed)) u_expected (
    .clk_i(clk_i), .rst_ni(rst_ni), .load_i(1'b0), .seed_i('0), .place_i('0), .advance_i(receives), .values_o(expected)
  );
  assign m_tready_o = pause_q != '0;
  assign receives = m_tvalid_i && m_tready_o;
  assign to_come = come_head_q ? expected[1:0] : to_come_q;
  assign right = ((m_tdata_i ^ expected) & (come_head_q ? Payload : {FlitBits{1'b1}})) == '0 && m_tlast_i == (to_come == '0)
                 && m_tuser_i == UserBits'(Peer);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      to_send_q <= '0;
      send_head_q <= 1'b1;
      to_come_q <= '0;
      come_head_q <= 1'b1;
      pause_q <= '0;
      packets_q <= '0;
      error_o <= 1'b0;
    end else begin
      pause_q <= pause_q + 4'd1;
      if (sends) begin
        to_send_q <= to_send - 2'd1;
        send_head_q <= s_tlast_o;
      end
      if (receives) begin
        to_come_q <= to_come - 2'd1;
        come_head_q <= to_come == '0;
        if (to_come == '0) packets_q <= packets_q + (BlinkBit + 1)'(1);
        if (!right) error_o <= 1'b1;
      end
    end
  end
  assign alive_o = packets_q[BlinkBit];

endmodule

`default_nettype wire
