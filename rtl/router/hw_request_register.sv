// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// The registers from which an input port requests the switch, where the router's pipeline has them (hw_input_unit with
// PipelineCycles 4 and 5).
//
// A head requests what was chosen for it in the cycle before, less what the grants of that cycle took (block_i); the flits
// behind it keep its port and VC, and behind its tail the next head may follow at once. Grants come late in the cycle, so little
// is decided by them: whether there is a request, and whether it is that of the packet behind.
// With HoldPacket an input port whose packet goes on requests nothing else.
//
// Latency: 1 cycle from want_* and behind_* to req_*. Throughput: new requests of all VCs in every cycle.
// Combinational paths: vcs_behind_i -> req_out_vc_o; else to internal registers only.
// Assumes: reset holds next_valid_i at 0 for a clock; a grant answers a request. want_* of an active VC is the packet behind its own.
module hw_request_register #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter bit TwoAhead = 1'b0,                         // packets of one flit: behind_* is the packet behind that of want_*
  parameter bit OneCandidate = 1'b0,                     // a waiting packet always wants the same port
  parameter bit HoldPacket = 1'b0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                          clk_i,
  input  wire logic [NumPorts*NumVcs-1:0]    out_vcs_i,    // static: output VCs that packets of this input port may take
  // What the packet at the head of each VC wants: an output port, and the set of its VCs that have room; none: nothing
  input  wire logic [NumVcs*PortWidth-1:0]   want_port_i,
  input  wire logic [NumVcs*NumVcs-1:0]      want_fit_i,
  // The same of the packet behind that of want_*, with TwoAhead
  input  wire logic [NumVcs*PortWidth-1:0]   behind_port_i,
  input  wire logic [NumVcs*NumVcs-1:0]      behind_fit_i,
  input  wire logic [NumVcs-1:0]             active_i,     // the VC's head has left, its tail has not
  input  wire logic [NumVcs-1:0]             next_valid_i, // the VC holds a flit in the next cycle
  input  wire logic [NumVcs-1:0]             vcs_behind_i, // VCs behind the last one that was taken: first choice in a set
  // The grants of this cycle
  input  wire logic [NumPorts*NumVcs-1:0]    block_i,      // no head may take the output VC in the next cycle
  input  wire logic                          grant_i,      // to this input port
  input  wire logic [VcWidth-1:0]            grant_vc_i,
  input  wire logic                          grant_tail_i,
  // Requests, one per VC
  output logic [NumVcs-1:0]                  req_valid_o,
  output logic [NumVcs*PortWidth-1:0]        req_port_o,
  output logic [NumVcs*VcWidth-1:0]          req_out_vc_o,
  output logic [NumVcs*NumVcs-1:0]           fit_o         // output VCs of each request
);

  if (NumPorts == 0 || NumVcs == 0) begin : gen_bad_size
    $error("hw_request_register: NumPorts and NumVcs must be set");
  end

  `HW_ROUND_ROBIN_ONE_HOT(pick_vc, NumVcs)

  // The VCs of a port that no head may take in the next cycle.
  function automatic logic [NumVcs-1:0] blocked(input logic [PortWidth-1:0] port, input logic [NumPorts*NumVcs-1:0] out_vcs,
                                                input logic [NumPorts*NumVcs-1:0] block);
    blocked = '0;
    for (int unsigned o = 0; o < NumPorts; o = o + 1) begin
      if (port == PortWidth'(o)) blocked = blocked | (block[o*NumVcs+:NumVcs] & out_vcs[o*NumVcs+:NumVcs]);
    end
  endfunction

  logic [NumVcs-1:0] req_q, req_d, granted, follows;  // follows: its tail leaves, so that the packet behind may request
  logic [NumVcs-1:0] goes_on;               // the packet whose head has left requests further
  logic [NumVcs*PortWidth-1:0] port_q;
  logic [NumVcs*NumVcs-1:0] fit_q, fit_d, want, behind;
  logic holds;                              // a packet keeps the input port in the next cycle

  assign granted = grant_i ? NumVcs'(1) << grant_vc_i : '0;
  assign follows = grant_tail_i ? granted : '0;
  assign holds = HoldPacket && (grant_i ? !grant_tail_i : active_i != '0);

  always_comb begin
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      want[v*NumVcs+:NumVcs] = want_fit_i[v*NumVcs+:NumVcs] & ~blocked(want_port_i[v*PortWidth+:PortWidth], out_vcs_i, block_i);
      behind[v*NumVcs+:NumVcs] =
          TwoAhead ? behind_fit_i[v*NumVcs+:NumVcs] & ~blocked(behind_port_i[v*PortWidth+:PortWidth], out_vcs_i, block_i) : '0;
      goes_on[v] = active_i[v] ? !follows[v] : granted[v] && !grant_tail_i;
      if (goes_on[v]) begin
        fit_d[v*NumVcs+:NumVcs] = active_i[v] ? fit_q[v*NumVcs+:NumVcs] : NumVcs'(1) << req_out_vc_o[v*VcWidth+:VcWidth];
      end else begin
        fit_d[v*NumVcs+:NumVcs] = TwoAhead && granted[v] ? behind[v*NumVcs+:NumVcs] : want[v*NumVcs+:NumVcs];
      end
      // Behind a packet of one flit that has just been chosen for, nothing has been chosen yet without TwoAhead.
      req_d[v] = next_valid_i[v] && (goes_on[v] || (fit_d[v*NumVcs+:NumVcs] != '0 && !holds
                                                     && (TwoAhead || active_i[v] || !granted[v])));
    end
  end

  always_ff @(posedge clk_i) begin
    req_q <= req_d;
    fit_q <= fit_d;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (TwoAhead && follows[v]) port_q[v*PortWidth+:PortWidth] <= behind_port_i[v*PortWidth+:PortWidth];
      else if (active_i[v] ? follows[v] : OneCandidate || !granted[v]) begin
        port_q[v*PortWidth+:PortWidth] <= want_port_i[v*PortWidth+:PortWidth];
      end
    end
  end

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_out_vc
    assign req_out_vc_o[v*VcWidth+:VcWidth] = pick_vc_index(pick_vc(fit_q[v*NumVcs+:NumVcs], vcs_behind_i));
  end
  assign req_valid_o = req_q;
  assign req_port_o = port_q;
  assign fit_o = fit_q;

endmodule

`default_nettype wire
