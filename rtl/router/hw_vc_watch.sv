// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Notices that the first flit of a VC of an input port does not move, and tells what it waits for.
//
// Each VC is visited from time to time. A visit marks a VC that holds a flit, a flit that leaves takes the mark away: a VC that is
// found with its mark has not moved since the visit before. One bit per VC, whatever the time.
//
// wants_o: candidates {output VCs, output port}, the first in the low bits, an empty set where there is none. A packet whose head has
// left has one, the output VC that it keeps; one without a route has none. cause_o, of hw_router_pkg: a head waits for an owner where
// one of its output VCs has room for any packet and is another's (or, wormhole and adaptive, is not empty), for the switch where one is
// free as well, else for room.
//
// Latency: 0. Throughput: a visit per cycle. Combinational paths: all inputs but moves_* -> all outputs.
// Assumes: moves_i only for a VC of here_i. Guarantees: a VC is stuck at a visit exactly if it held a flit at the visit before and none
// has left from that cycle on, to the one before this visit.
module hw_vc_watch #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumCands = 1,
  parameter bit Wormhole = 1'b0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned CandBits = PortWidth + NumVcs
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [NumVcs*NumPorts*NumVcs-1:0]      turns_i,      // static: see hw_input_unit
  // The visit
  input  wire logic                                   visit_i,
  input  wire logic [VcWidth-1:0]                     visit_vc_i,
  output logic                                        stuck_o,
  output logic [hw_router_pkg::WaitBits-1:0]          cause_o,      // NoWait and no candidates where it is not stuck
  output logic [NumCands*CandBits-1:0]                wants_o,
  // The VCs, and the flit that leaves
  input  wire logic [NumVcs-1:0]                      here_i,       // it holds a flit
  input  wire logic                                   moves_i,
  input  wire logic [VcWidth-1:0]                     moves_vc_i,
  // The first packet of each VC: see hw_input_unit and hw_port_requests
  input  wire logic [NumVcs-1:0]                      whole_i,
  input  wire logic [NumVcs-1:0]                      known_i,
  input  wire logic [NumVcs-1:0]                      active_i,
  input  wire logic [NumVcs*NumCands*PortWidth-1:0]   cand_port_i,
  input  wire logic [NumVcs*NumCands*NumVcs-1:0]      cand_vcs_i,
  input  wire logic [NumVcs-1:0]                      req_valid_i,
  input  wire logic [NumVcs*PortWidth-1:0]            req_port_i,
  input  wire logic [NumVcs*VcWidth-1:0]              req_out_vc_i,
  // Output VCs
  input  wire logic [NumPorts*NumVcs-1:0]             room_i,
  input  wire logic [NumPorts*NumVcs-1:0]             free_i
);

  if (NumPorts == 0 || NumVcs == 0) begin : gen_bad_size
    $error("hw_vc_watch: NumPorts and NumVcs must be set");
  end

  logic [NumVcs-1:0] mark_q, visited, left;
  assign visited = visit_i ? NumVcs'(1) << visit_vc_i : '0;
  assign left = moves_i ? NumVcs'(1) << moves_vc_i : '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mark_q <= '0;
    else mark_q <= (mark_q | (visited & here_i)) & ~left;
  end
  assign stuck_o = (visited & mark_q) != '0;

  // The VC that is visited, gates alone.
  logic whole, known, active, requests, open, room;   // open: a candidate is free and has room; room: one has room
  logic [NumCands*PortWidth-1:0] ports;
  logic [NumCands*NumVcs-1:0] sets;
  logic [PortWidth-1:0] kept_port;
  logic [VcWidth-1:0] kept_vc;
  logic [NumPorts*NumVcs-1:0] wired;
  logic [NumVcs-1:0] set, of_port;
  always_comb begin
    {whole, known, active, requests, ports, sets, kept_port, kept_vc, wired} = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (visit_vc_i == VcWidth'(v)) begin
        {whole, known, active, requests} = {whole_i[v], known_i[v], active_i[v], req_valid_i[v]};
        ports = cand_port_i[v*NumCands*PortWidth+:NumCands*PortWidth];
        sets = cand_vcs_i[v*NumCands*NumVcs+:NumCands*NumVcs];
        kept_port = req_port_i[v*PortWidth+:PortWidth];
        kept_vc = req_out_vc_i[v*VcWidth+:VcWidth];
        wired = turns_i[v*NumPorts*NumVcs+:NumPorts*NumVcs];
      end
    end
    {open, room, wants_o, set, of_port} = '0;
    for (int unsigned k = 0; k < NumCands; k = k + 1) begin
      set = '0;
      for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
        of_port = ports[k*PortWidth+:PortWidth] == PortWidth'(p) ? sets[k*NumVcs+:NumVcs] & wired[p*NumVcs+:NumVcs] : '0;
        set = set | of_port;
        if ((of_port & room_i[p*NumVcs+:NumVcs]) != '0) room = 1'b1;
        if ((of_port & room_i[p*NumVcs+:NumVcs] & free_i[p*NumVcs+:NumVcs]) != '0) open = 1'b1;
      end
      if (stuck_o && !active && known && set != '0) wants_o[k*CandBits+:CandBits] = {set, ports[k*PortWidth+:PortWidth]};
    end
    if (stuck_o && active) wants_o[CandBits-1:0] = {NumVcs'(1) << kept_vc, kept_port};
    cause_o = hw_router_pkg::WaitRoom;
    if (!stuck_o) cause_o = hw_router_pkg::NoWait;
    else if (active) cause_o = Wormhole && !requests ? hw_router_pkg::WaitRoom : hw_router_pkg::WaitSwitch;
    else if (!whole) cause_o = hw_router_pkg::WaitTail;
    else if (!known) cause_o = hw_router_pkg::WaitRoute;
    else if (requests || open) cause_o = hw_router_pkg::WaitSwitch;
    else if (room) cause_o = hw_router_pkg::WaitOwner;
  end

  `HW_ASSUME(a_moves_what_is_here, (left & ~here_i) == '0)

endmodule

`default_nettype wire
