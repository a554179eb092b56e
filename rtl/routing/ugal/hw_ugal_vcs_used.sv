// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The flits behind each local port of a dragonfly's router on the VCs on which minimal paths begin, and on those of non-minimal
// ones: they entered the link, and their credit has not come back. Packets on their way from an intermediate group are counted
// with those whose VCs they share. A global port leads to one group, so paths of both kinds never begin there together: 0.
//
// Latency: what happens in cycle t is in *_used_o in cycle t+1; throughput: one flit and one credit per port and cycle.
// Combinational paths: none. Assumes: credits come once per flit, after it; QueueWidth holds what the VCs downstream hold.
// Reference: the simulator of Kang et al. 2021 compares these, and the output queue, where both first hops are one port.
module hw_ugal_vcs_used #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned LocalPorts = 0,                 // the lowest ports
  parameter bit [NumVcs-1:0] MinVcs = '0,                // on which minimal paths begin
  parameter bit [NumVcs-1:0] NonVcs = '0,                // and non-minimal ones
  parameter int unsigned QueueWidth = 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,
  // Channels: flits that leave and credits that come back
  input  wire logic [NumPorts-1:0]             out_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]     out_vc_i,
  input  wire logic [NumPorts-1:0]             out_credit_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]     out_credit_vc_i,
  // Flits on each port's VCs
  output logic [NumPorts*QueueWidth-1:0]       min_used_o,
  output logic [NumPorts*QueueWidth-1:0]       non_used_o
);

  if (NumPorts == 0 || NumVcs == 0 || LocalPorts > NumPorts) begin : gen_bad_shape
    $error("hw_ugal_vcs_used: NumPorts and NumVcs must be set, LocalPorts at most NumPorts");
  end

  for (genvar p = 0; p < LocalPorts; p = p + 1) begin : gen_port
    logic [1:0] sent, freed;                             // {non-minimal, minimal}
    logic [2*QueueWidth-1:0] used_q;
    assign sent = out_valid_i[p] ? {NonVcs[out_vc_i[p*VcWidth+:VcWidth]], MinVcs[out_vc_i[p*VcWidth+:VcWidth]]} : '0;
    assign freed = out_credit_valid_i[p]
        ? {NonVcs[out_credit_vc_i[p*VcWidth+:VcWidth]], MinVcs[out_credit_vc_i[p*VcWidth+:VcWidth]]} : '0;
    for (genvar k = 0; k < 2; k = k + 1) begin : gen_kind
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) used_q[k*QueueWidth+:QueueWidth] <= '0;
        else used_q[k*QueueWidth+:QueueWidth] <= used_q[k*QueueWidth+:QueueWidth] + QueueWidth'(sent[k]) - QueueWidth'(freed[k]);
      end
      `HW_ASSUME(a_only_what_was_sent_comes_back, !freed[k] || used_q[k*QueueWidth+:QueueWidth] != '0)
      `HW_ASSUME(a_places_downstream, !sent[k] || freed[k] || used_q[k*QueueWidth+:QueueWidth] != '1)
    end
    assign {non_used_o[p*QueueWidth+:QueueWidth], min_used_o[p*QueueWidth+:QueueWidth]} = used_q;
  end
  if (LocalPorts < NumPorts) begin : gen_others
    assign min_used_o[NumPorts*QueueWidth-1:LocalPorts*QueueWidth] = '0;
    assign non_used_o[NumPorts*QueueWidth-1:LocalPorts*QueueWidth] = '0;
    wire unused = &{1'b0, out_valid_i, out_vc_i, out_credit_valid_i, out_credit_vc_i};
  end

endmodule

`default_nettype wire
