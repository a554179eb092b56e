// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// Turns of the input ports at an output port: it goes round its VCs, those of a class that goes first before others (hw_class_turns), and for
// each of them round the input ports that ask for it.
//
// A turn is one packet, or up to Weight packets of an input port that presses, one behind the other: a link that is asked for
// by more than it carries is shared by those weights. An input port that has nothing to send loses its turn, so weights cost no
// bandwidth. One pointer for all VCs would let ports starve: where places come free VC by VC, grants of one VC would leave the
// pointer always at the same contender for the next.
//
// Latency: what is granted in cycle t counts from cycle t+1 on. Combinational paths: none. Without grants nothing changes.
// Heads count, on the VC that they asked for, which need not be the one that they take: by the first the next turn is decided.
// Assumes: an output VC takes the flits of one packet at a time, so nobody else asks for it before the tail.
// Reference: Dally & Towles, sections 18.4 (weighted round-robin) and 19.3.1 (iSLIP: pointers move with grants of the first
// iteration only).
module hw_port_turns #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter bit [NumPorts*4-1:0] Weights = {NumPorts{4'd1}},  // packets in a turn of a port that presses, 1 to 15
  parameter bit [NumVcs*4-1:0] Ranks = '0,     // see hw_class_turns, as RankPackets, which is its Packets
  parameter int unsigned RankPackets = 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // The grant of the first iteration: input port and output VC, empty without one
  input  wire logic [NumPorts-1:0]           from_i,
  input  wire logic [NumVcs-1:0]             vc_i,
  input  wire logic                          head_i,         // of its flit; 0 without a grant
  input  wire logic [NumVcs-1:0]             asked_i,        // VCs that are asked for
  input  wire logic [NumPorts-1:0]           pressing_i,
  input  wire logic [NumVcs-1:0]             collects_i,     // a turn at the VC is one packet
  // Who goes first
  output logic [NumVcs*NumVcs-1:0]           vcs_ahead_o,   // as HW_LEAST_RECENT takes it
  output logic [NumVcs*NumPorts-1:0]         ins_behind_o   // per output VC, as HW_ROUND_ROBIN_ONE_HOT takes it
);

  if (NumPorts == 0 || NumVcs == 0) begin : gen_bad_size
    $error("hw_port_turns: NumPorts and NumVcs must be set");
  end

  `HW_ROUND_ROBIN_ONE_HOT(next_port, NumPorts)

  logic [NumVcs*NumPorts-1:0] ins_behind_q;
  logic [NumPorts-1:0] ports_behind;
  logic [NumVcs-1:0] granted_vc;

  assign ports_behind = next_port_behind(from_i);

  assign granted_vc = from_i != '0 ? vc_i : '0;
  hw_class_turns #(.Members(NumVcs), .Ranks(Ranks), .Packets(RankPackets)) u_vcs (
    .clk_i(clk_i), .rst_ni(rst_ni), .request_i(asked_i), .granted_i(granted_vc), .head_i(head_i), .ahead_o(vcs_ahead_o)
  );

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    logic [3:0] sent_q;                            // packets of the turn
    logic [NumPorts-1:0] turn;                     // the port that has it, the first one of those behind
    logic [NumPorts-1:0] keeps;                    // who is to keep it, or to have it longer, if it is granted now
    logic kept;
    assign turn = ins_behind_q[v*NumPorts+:NumPorts] & ~(ins_behind_q[v*NumPorts+:NumPorts] << 1);
    // All of it is known before the grant, which comes late in its cycle and only chooses.
    always_comb begin
      for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
        keeps[p] = Weights[p*4+:4] > 4'd1 && pressing_i[p] && !collects_i[v]
            && !(turn[p] && sent_q == Weights[p*4+:4] - 4'd1);
      end
    end
    assign kept = (from_i & keeps) != '0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        ins_behind_q[v*NumPorts+:NumPorts] <= '0;
        sent_q <= '0;
      end else if (vc_i[v] && head_i) begin
        ins_behind_q[v*NumPorts+:NumPorts] <= ports_behind | (from_i & keeps);
        sent_q <= !kept ? '0 : (from_i & turn) != '0 ? sent_q + 4'd1 : 4'd1;
      end
    end
  end

  assign ins_behind_o = ins_behind_q;

endmodule

`default_nettype wire
