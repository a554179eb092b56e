// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// The requests of an input port in a router whose pipeline has no registers for them (hw_input_unit with PipelineCycles 2 and 3):
// a head asks for what is chosen for it in this cycle, the flits behind it for the VC that it took.
//
// Latency: 0. Combinational paths: want_*, here_i, active_i, flow_i -> req_*.
// Assumes: a grant answers a request.
module hw_request_direct #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter bit SingleFlit = 1'b0,
  parameter bit Wormhole = 1'b0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                          clk_i,
  // What the packet at the head of each VC wants: an output port, and the set of its VCs that have room; none: nothing
  input  wire logic [NumVcs*PortWidth-1:0]   want_port_i,
  input  wire logic [NumVcs*NumVcs-1:0]      want_fit_i,
  input  wire logic [NumVcs-1:0]             here_i,       // the VC has a flit to send
  input  wire logic [NumVcs-1:0]             active_i,     // the VC's head has left, its tail has not
  input  wire logic [NumPorts*NumVcs-1:0]    flow_i,       // wormhole: a credit for the VC's owner
  // The head that leaves in this cycle, to which VC
  input  wire logic                          leaves_i,
  input  wire logic [VcWidth-1:0]            leaves_vc_i,
  input  wire logic [VcWidth-1:0]            leaves_to_i,
  // Requests, one per VC
  output logic [NumVcs-1:0]                  req_valid_o,
  output logic [NumVcs*PortWidth-1:0]        req_port_o,
  output logic [NumVcs*VcWidth-1:0]          req_out_vc_o  // the lowest VC of that port that would do
);

  if (NumPorts == 0 || NumVcs == 0) begin : gen_bad_size
    $error("hw_request_direct: NumPorts and NumVcs must be set");
  end

  `HW_ROUND_ROBIN(lowest_vc, NumVcs, VcWidth)

  logic [NumVcs*PortWidth-1:0] active_port;
  logic [NumVcs*VcWidth-1:0] active_vc;

  always_comb begin
    req_valid_o = '0;
    req_port_o = want_port_i;
    req_out_vc_o = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (here_i[v]) begin
        if (!SingleFlit && active_i[v]) begin
          req_port_o[v*PortWidth+:PortWidth] = active_port[v*PortWidth+:PortWidth];
          req_out_vc_o[v*VcWidth+:VcWidth] = active_vc[v*VcWidth+:VcWidth];
          req_valid_o[v] = !Wormhole || flow_i[active_port[v*PortWidth+:PortWidth]*NumVcs + 32'(active_vc[v*VcWidth+:VcWidth])];
        end else begin
          req_out_vc_o[v*VcWidth+:VcWidth] = lowest_vc(want_fit_i[v*NumVcs+:NumVcs], '0);
          req_valid_o[v] = want_fit_i[v*NumVcs+:NumVcs] != '0;
        end
      end
    end
  end

  if (SingleFlit) begin : gen_single
    assign active_port = '0;
    assign active_vc = '0;
    wire unused_leaves = &{1'b0, clk_i, leaves_i, leaves_vc_i, leaves_to_i};
  end else begin : gen_multi
    logic [NumVcs*PortWidth-1:0] active_port_q;
    logic [NumVcs*VcWidth-1:0] active_vc_q;
    always_ff @(posedge clk_i) begin
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (leaves_i && leaves_vc_i == VcWidth'(v)) begin
          active_port_q[v*PortWidth+:PortWidth] <= req_port_o[v*PortWidth+:PortWidth];
          active_vc_q[v*VcWidth+:VcWidth] <= leaves_to_i;
        end
      end
    end
    assign active_port = active_port_q;
    assign active_vc = active_vc_q;
  end

  wire unused = &{1'b0, active_i, flow_i};

endmodule

`default_nettype wire
