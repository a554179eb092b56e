// SPDX-License-Identifier: Apache-2.0
// The routing unit around a one-port computation: parameters, ports and body, all that follows the
// name of the module. The computation's module is given by macros, which are gone afterwards:
//
//   `define HW_ONE_PORT my_route                 the computation
//   `define HW_ONE_PORT_OWN .Bias(3), .Far(8),   its own parameters, each with a comma behind it
//   `define HW_ONE_PORT_CYCLES 0                 from a question to its answer
//   module my_routing
//   `include "hw_one_port_unit.svh"
//
// Latency HW_ONE_PORT_CYCLES, throughput one question per port and cycle; every question is taken
// as it comes. Combinational paths: with latency 0 those of the computation, else none.
// There are no feedback, tables, counters and trace.
// Assumes: see hw_one_port_ports.svh. Guarantees: as many answers as questions, in their order.
`include "hw_routing_ties.svh"
#(
  `include "hw_routing_parameters.svh"
  `include "hw_routing_widths.svh"
) (
  `include "hw_routing_ports.svh"
);

  localparam int unsigned AnswerCycles = `HW_ONE_PORT_CYCLES;

  if (NumPorts == 0 || NumVcs == 0 || RouteBits == 0 || NumCoords == 0) begin : gen_bad_size
    $error("routing unit: NumPorts, NumVcs, RouteBits and NumCoords must be set");
  end

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    `HW_ONE_PORT #(
      .NumPorts(NumPorts), .NumNetworkPorts(NumNetworkPorts), .NumVcs(NumVcs),
      .NumCands(NumCands), .SpaceWidth(SpaceWidth), .QueueWidth(QueueWidth),
      .RouteBits(RouteBits), .StateWidth(StateWidth), .NumCoords(NumCoords),
      .CoordWidth(CoordWidth), .NumCfg(NumCfg), `HW_ONE_PORT_OWN
      .InPort(p)
    ) u_route (
      .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .cfg_i(cfg_i), .now_i(now_i),
      .req_valid_i(req_valid_i[p]), .req_vc_i(req_vc_i[p*VcWidth+:VcWidth]),
      .req_bits_i(req_bits_i[p*RouteBits+:RouteBits]), .space_i(space_i), .queue_i(queue_i),
      .rsp_port_o(rsp_port_o[p*NumCands*PortWidth+:NumCands*PortWidth]),
      .rsp_vcs_o(rsp_vcs_o[p*NumCands*NumVcs+:NumCands*NumVcs]),
      .rsp_state_o(rsp_state_o[p*StateWidth+:StateWidth])
    );
  end

  assign req_ready_o = '1;

  // Which ports get an answer, and for which VC
  if (AnswerCycles == 0) begin : gen_at_once
    assign rsp_valid_o = req_valid_i;
    assign rsp_vc_o = req_vc_i;
    assign idle_o = 1'b1;
  end else begin : gen_later
    logic [AnswerCycles*NumPorts-1:0] asked_q;           // the last questions, the youngest lowest
    logic [AnswerCycles*NumPorts*VcWidth-1:0] vc_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) asked_q <= '0;
      else asked_q <= (AnswerCycles*NumPorts)'({asked_q, req_valid_i});
    end
    always_ff @(posedge clk_i) vc_q <= (AnswerCycles*NumPorts*VcWidth)'({vc_q, req_vc_i});
    assign rsp_valid_o = asked_q[(AnswerCycles-1)*NumPorts+:NumPorts];
    assign rsp_vc_o = vc_q[(AnswerCycles-1)*NumPorts*VcWidth+:NumPorts*VcWidth];
    assign idle_o = asked_q == '0;
  end

  `HW_ROUTING_NO_FEEDBACK
  `HW_ROUTING_NO_TABLE
  `HW_ROUTING_NO_COUNTERS
  `HW_ROUTING_NO_TRACE
  `HW_ROUTING_NO_FLIPS
  `HW_ROUTING_UNREAD

endmodule

`undef HW_ONE_PORT
`undef HW_ONE_PORT_OWN
`undef HW_ONE_PORT_CYCLES
