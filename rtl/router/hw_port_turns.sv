// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// Turns of the input ports at an output port: it goes round its VCs, and for each of them round the input ports that ask for it.
//
// A turn is one packet, or up to Weight packets of an input port that presses, one behind the other: a link that is asked for
// by more than it carries is shared by those weights. An input port that has nothing to send loses its turn, so weights cost no
// bandwidth. One pointer for all VCs would let ports starve: where places come free VC by VC, grants of one VC would leave the
// pointer always at the same contender for the next.
//
// Latency: what is granted in cycle t counts from cycle t+1 on. Combinational paths: none. Without grants nothing changes.
// Assumes: an output VC takes the flits of one packet at a time, so the packet that its turns count is the one whose tail goes.
// Reference: Dally & Towles, sections 18.4 (weighted round-robin) and 19.3.1 (iSLIP: pointers move with grants of the first
// iteration only).
module hw_port_turns #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter bit [NumPorts*4-1:0] Weights = {NumPorts{4'd1}}  // packets in a turn of a port that presses, 1 to 15
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // The grant of the first iteration: input port and output VC, empty without one
  input  wire logic [NumPorts-1:0]           from_i,
  input  wire logic [NumVcs-1:0]             vc_i,
  input  wire logic                          tail_i,
  input  wire logic [NumPorts-1:0]           pressing_i,
  input  wire logic [NumVcs-1:0]             collects_i,     // a turn at the VC is one packet
  // Who goes first, as HW_ROUND_ROBIN_ONE_HOT takes it
  output logic [NumVcs-1:0]                  vcs_behind_o,
  output logic [NumVcs*NumPorts-1:0]         ins_behind_o   // per output VC
);

  if (NumPorts == 0 || NumVcs == 0) begin : gen_bad_size
    $error("hw_port_turns: NumPorts and NumVcs must be set");
  end

  `HW_ROUND_ROBIN_ONE_HOT(next_port, NumPorts)
  `HW_ROUND_ROBIN_ONE_HOT(next_vc, NumVcs)

  logic [NumVcs-1:0] vcs_behind_q;
  logic [NumVcs*NumPorts-1:0] ins_behind_q;
  logic [NumVcs*4-1:0] sent_q;                     // packets of the turn, of the port that has it
  logic [NumPorts-1:0] behind;
  logic [3:0] last;                                // packets before the last one of this port's turn
  logic presses;

  assign behind = next_port_behind(from_i);
  assign presses = (from_i & pressing_i) != '0 && (vc_i & collects_i) == '0;
  always_comb begin
    last = '0;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      if (from_i[p]) last = last | (Weights[p*4+:4] - 4'd1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vcs_behind_q <= '0;
    else if (from_i != '0) vcs_behind_q <= next_vc_behind(vc_i);
  end

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    logic [3:0] sent;
    logic ends;
    assign sent = ins_behind_q[v*NumPorts+:NumPorts] == (behind | from_i) ? sent_q[v*4+:4] : '0;
    assign ends = !presses || sent == last;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        ins_behind_q[v*NumPorts+:NumPorts] <= '0;
        sent_q[v*4+:4] <= '0;
      end else if (from_i != '0 && vc_i[v] && tail_i) begin
        ins_behind_q[v*NumPorts+:NumPorts] <= ends ? behind : behind | from_i;
        sent_q[v*4+:4] <= ends ? '0 : sent + 4'd1;
      end
    end
  end

  assign vcs_behind_o = vcs_behind_q;
  assign ins_behind_o = ins_behind_q;

endmodule

`default_nettype wire
