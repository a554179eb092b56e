// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Counts the packets that resets of single routers lose at a node: those whose head is in the router when it is reset, and those that
// guards of its ports discard. A packet is lost where its head is lost, so each is counted once in the network; one whose head
// has gone on is cut short, and arrives broken.
//
// Latency: a loss of cycle t counts from t+1 on, a router's contents from the second cycle of the reset on. Throughput: all ports in every cycle.
// Combinational paths: none. Assumes: fewer than 2^InsideBits packets are in the router.
module hw_reset_losses #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumGuards = NumPorts,  // whose losses are counted: of the ports, and of terminals
  parameter int unsigned InsideBits = 0,
  parameter int unsigned CountBits = 16
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  reset_i,    // see hw_node_reset
  // Heads of each port that enter the router, that leave it, and that it drops
  input  wire logic [NumPorts-1:0]   enters_i,
  input  wire logic [NumPorts-1:0]   leaves_i,
  input  wire logic [NumPorts-1:0]   drops_i,
  // See hw_link_guard
  input  wire logic [NumPorts-1:0]   lost_in_i,
  input  wire logic [NumGuards-1:0]  lost_out_i,
  output logic [CountBits-1:0]       lost_o      // modulo 2^CountBits
);

  if (NumPorts == 0 || InsideBits == 0 || CountBits == 0) begin : gen_bad_size
    $error("hw_reset_losses: NumPorts, InsideBits and CountBits must be set");
  end

  localparam int unsigned MoreBits = $clog2(NumPorts + NumGuards + 1);  // of a number in a cycle
  localparam int unsigned ChangeBits = $clog2(2 * NumPorts + 1) + 1;     // signed

  logic [InsideBits-1:0] inside_q, inside_d;
  logic [CountBits-1:0] lost_q, lost_d;
  logic [MoreBits-1:0] more;
  logic signed [ChangeBits-1:0] change;
  logic moves;

  assign moves = {enters_i, leaves_i, drops_i, lost_in_i, lost_out_i} != '0;

  always_comb begin
    more = '0;
    change = '0;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      change = change + ChangeBits'(enters_i[p]) - ChangeBits'(leaves_i[p]) - ChangeBits'(drops_i[p]);
      more = more + MoreBits'(lost_in_i[p]);
    end
    for (int unsigned g = 0; g < NumGuards; g = g + 1) more = more + MoreBits'(lost_out_i[g]);
    inside_d = (reset_i ? '0 : inside_q) + InsideBits'(change);
    lost_d = lost_q + (reset_i ? CountBits'(inside_q) : '0) + CountBits'(more);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q <= '0;
      lost_q <= '0;
    end else if (reset_i || moves) begin
      inside_q <= inside_d;
      lost_q <= lost_d;
    end
  end

  assign lost_o = lost_q;

endmodule

`default_nettype wire
