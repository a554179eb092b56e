// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// The registers from which an input port requests the switch, where the router's pipeline has them (hw_input_unit with
// PipelineCycles 4 and 5).
//
// A head requests what was chosen for it in the cycle before, less what the grants of that cycle took (block_i); the flits
// behind it keep its port and VC. Grants come late in the cycle, so little is decided by them: whether there is a request.
// With HoldPacket an input port whose packet goes on requests nothing else.
//
// Latency: 1 cycle from want_* to req_*. Throughput: new requests of all VCs in every cycle; the VC that a head has taken is
// requested again in the cycle after the next.
// Combinational paths: vcs_behind_i -> req_out_vc_o; else to internal registers only.
// Assumes: reset holds next_valid_i at 0 for a clock; nothing is wanted for an active VC; a grant answers a request.
module hw_request_register #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
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

  logic [NumVcs-1:0] req_q, req_d, granted, blocked;
  logic [NumVcs*PortWidth-1:0] port_q;
  logic [NumVcs*NumVcs-1:0] fit_q, fit_d;
  logic holds;                              // a packet keeps the input port in the next cycle

  assign granted = grant_i ? NumVcs'(1) << grant_vc_i : '0;
  assign holds = HoldPacket && (grant_i ? !grant_tail_i : active_i != '0);

  always_comb begin
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      blocked = '0;
      if (want_fit_i[v*NumVcs+:NumVcs] != '0) begin
        for (int unsigned o = 0; o < NumPorts; o = o + 1) begin
          if (want_port_i[v*PortWidth+:PortWidth] == PortWidth'(o)) begin
            blocked = blocked | (block_i[o*NumVcs+:NumVcs] & out_vcs_i[o*NumVcs+:NumVcs]);
          end
        end
      end
      fit_d[v*NumVcs+:NumVcs] = want_fit_i[v*NumVcs+:NumVcs] & ~blocked;
      req_d[v] = next_valid_i[v]
          && (granted[v] ? !grant_tail_i : active_i[v] || (!holds && fit_d[v*NumVcs+:NumVcs] != '0));
      if (granted[v]) fit_d[v*NumVcs+:NumVcs] = NumVcs'(1) << req_out_vc_o[v*VcWidth+:VcWidth];
      if (active_i[v]) fit_d[v*NumVcs+:NumVcs] = fit_q[v*NumVcs+:NumVcs];
    end
  end

  always_ff @(posedge clk_i) begin
    req_q <= req_d;
    fit_q <= fit_d;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (!active_i[v] && (OneCandidate || !granted[v])) port_q[v*PortWidth+:PortWidth] <= want_port_i[v*PortWidth+:PortWidth];
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
