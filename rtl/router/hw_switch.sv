// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_turns.svh"

// The switch between input and output units: the allocator, the crossbar for flits, a second one for what goes with them, and the
// registers between grant and crossing.
//
// Latency: grants answer requests in the same cycle; the flit of a grant crosses in this cycle, or in the next one with GrantCycles 1.
// Throughput: one flit per input and output port and cycle.
// Combinational paths: req_* -> grant_*, out_grant_*; flit_* -> out_grant_*; flit_data_i -> out_data_o; with GrantCycles 0 req_*, flit_* ->
// out_valid_o, out_head_o, out_tail_o, out_vc_o, out_need_o, out_data_o.
// Assumes: flit_* of an input port are of the VC that is granted, in the cycle of the grant, and flit_data_i in the cycle in which the
// flit crosses; as hw_switch_allocator.
// Guarantees: heads make turns of TurnTable only, as checked by hw_turn_monitor; no other crosspoints are built.
// Reference: Dally & Towles, sections 17.1 and 19.3.
module hw_switch #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned SpaceWidth = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // of every input port
  parameter bit [NumPorts*NumVcs*NumPorts*NumVcs-1:0] TurnTable = {NumPorts*NumVcs*NumPorts*NumVcs{1'b1}},
  parameter int unsigned GrantCycles = 0,                // from a grant to the crossbar: 0 or 1
  parameter int unsigned Iterations = 1,                 // see hw_switch_allocator, as the following
  parameter bit OutputFirst = 1'b0,
  parameter bit [NumPorts*4-1:0] Weights = {NumPorts{4'd1}},
  parameter bit [NumVcs*4-1:0] Ranks = '0,
  parameter int unsigned RankPackets = 1,
  parameter bit HoldPacket = 1'b0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_ni,
  // The input ports' channels, for hw_port_pressure
  input  wire logic [NumPorts-1:0]                     in_valid_i,
  input  wire logic [NumPorts-1:0]                     in_credit_valid_i,
  // Requests, and who is granted: see hw_switch_allocator
  input  wire logic [NumPorts*NumVcs-1:0]              req_valid_i,
  input  wire logic [NumPorts*NumVcs*PortWidth-1:0]    req_port_i,
  input  wire logic [NumPorts*NumVcs*VcWidth-1:0]      req_out_vc_i,
  input  wire logic [NumPorts-1:0]                     withdraw_i,
  input  wire logic [NumPorts-1:0]                     ready_i,
  input  wire logic [NumPorts*NumVcs-1:0]              collects_i,
  output logic [NumPorts-1:0]                          grant_o,
  output logic [NumPorts*VcWidth-1:0]                  grant_vc_o,
  // Per input port: the granted flit
  input  wire logic [NumPorts-1:0]                     flit_head_i,
  input  wire logic [NumPorts-1:0]                     flit_tail_i,
  input  wire logic [NumPorts*VcWidth-1:0]             flit_vc_i,    // output VC
  input  wire logic [NumPorts*SpaceWidth-1:0]          flit_need_i,
  input  wire logic [NumPorts*FlitBits-1:0]            flit_data_i,
  // Per output port: the grant; VC, head and more only where it is valid
  output logic [NumPorts-1:0]                          out_grant_valid_o,
  output logic [NumPorts*NumVcs-1:0]                   out_grant_vc_o,    // one bit
  output logic [NumPorts-1:0]                          out_grant_head_o,  // of a head
  output logic [NumPorts-1:0]                          out_grant_more_o,  // of a flit that is not the tail
  // Per output port: the flit that crosses
  output logic [NumPorts-1:0]                          out_valid_o,
  output logic [NumPorts-1:0]                          out_head_o,
  output logic [NumPorts-1:0]                          out_tail_o,
  output logic [NumPorts*VcWidth-1:0]                  out_vc_o,
  output logic [NumPorts*SpaceWidth-1:0]               out_need_o,
  output logic [NumPorts*FlitBits-1:0]                 out_data_o,
  // Status
  output logic                                         idle_o             // nothing here changes without an input
);

  if (NumPorts == 0 || NumVcs == 0 || FlitBits == 0 || SpaceWidth == 0 || GrantCycles > 1) begin : gen_bad_size
    $error("hw_switch: NumPorts, NumVcs, FlitBits and SpaceWidth must be set, and GrantCycles be 0 or 1");
  end

  `HW_TURN_SETS(NumPorts, NumVcs, TurnTable)
  localparam bit [NumPorts*NumVcs*NumPorts-1:0] VcTurns = vc_turns();
  localparam bit [NumPorts*NumPorts-1:0] PortTurns = port_turns();
  localparam int unsigned SideBits = 2 + VcWidth + SpaceWidth;  // cross beside the flit itself

  logic [NumPorts-1:0] pressing, grant_valid;
  logic [NumPorts*PortWidth-1:0] grant_sel, grant_rank, cross_sel;  // the input port of an output port, and its number among those
  logic [NumPorts*NumPorts-1:0] grant_from;
  logic [NumPorts*NumVcs-1:0] asked_vc;
  logic [NumPorts*SideBits-1:0] in_side, cross_side, out_side;

  hw_port_pressure #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .VcDepths(VcDepths), .Measured(Weights != {NumPorts{4'd1}})
  ) u_pressure (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i), .in_credit_valid_i(in_credit_valid_i), .pressing_o(pressing)
  );

  hw_switch_allocator #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Turns(VcTurns), .Iterations(Iterations), .OutputFirst(OutputFirst), .Weights(Weights),
    .Ranks(Ranks), .RankPackets(RankPackets), .HoldPacket(HoldPacket && GrantCycles == 0)  // else input and output units hold
  ) u_allocator (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_valid_i(req_valid_i), .req_port_i(req_port_i), .req_out_vc_i(req_out_vc_i),
    .withdraw_i(withdraw_i), .ready_i(ready_i), .collects_i(collects_i), .head_i(flit_head_i), .tail_i(flit_tail_i),
    .pressing_i(pressing), .grant_o(grant_o), .grant_vc_o(grant_vc_o),
    .out_valid_o(grant_valid), .out_sel_o(grant_sel), .out_from_o(grant_from), .out_vc_o(asked_vc)
  );

  // What the grants mean to the output ports, late in their cycle: selected by the grants themselves, not by an index. With
  // registered requests the VC is the one that was asked for.
  assign out_grant_valid_o = grant_valid;
  for (genvar o = 0; o < NumPorts; o = o + 1) begin : gen_grant
    assign out_grant_vc_o[o*NumVcs+:NumVcs] =
        GrantCycles > 0 ? asked_vc[o*NumVcs+:NumVcs] : NumVcs'(1) << out_side[o*SideBits+2+:VcWidth];
    assign out_grant_head_o[o] = (grant_from[o*NumPorts+:NumPorts] & flit_head_i) != '0;
    assign out_grant_more_o[o] = (grant_from[o*NumPorts+:NumPorts] & ~flit_tail_i) != '0;
  end

  // The crossbar counts the inputs of each of its outputs.
  `HW_TURN_RANK(NumPorts, PortTurns)
  always_comb begin
    grant_rank = '0;
    for (int unsigned o = 0; o < NumPorts; o = o + 1) begin
      if (grant_valid[o]) begin
        for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
          if (grant_from[o*NumPorts+p]) begin
            grant_rank[o*PortWidth+:PortWidth] = grant_rank[o*PortWidth+:PortWidth] | PortWidth'(rank(o, p));
          end
        end
      end
    end
  end

  // From the grants to the crossbar.
  hw_pipe_register #(.Width(NumPorts), .Registered(GrantCycles > 0), .Cleared(1'b1)) u_cross_valid (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(grant_valid), .data_o(out_valid_o)
  );
  hw_pipe_register #(.Width(NumPorts * (PortWidth + SideBits)), .Registered(GrantCycles > 0)) u_cross (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({grant_rank, in_side}), .data_o({cross_sel, cross_side})
  );

  hw_crossbar #(.NumPorts(NumPorts), .Width(FlitBits), .Turns(PortTurns)) u_crossbar (
    .data_i(flit_data_i), .sel_i(cross_sel), .data_o(out_data_o)
  );
  hw_crossbar #(.NumPorts(NumPorts), .Width(SideBits), .Turns(PortTurns)) u_crossbar_side (
    .data_i(cross_side), .sel_i(cross_sel), .data_o(out_side)
  );

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_side
    assign in_side[p*SideBits+:SideBits] =
        {flit_need_i[p*SpaceWidth+:SpaceWidth], flit_vc_i[p*VcWidth+:VcWidth], flit_tail_i[p], flit_head_i[p]};
    assign {out_need_o[p*SpaceWidth+:SpaceWidth], out_vc_o[p*VcWidth+:VcWidth], out_tail_o[p], out_head_o[p]} =
        out_side[p*SideBits+:SideBits];
  end

  logic [NumPorts*VcWidth-1:0] in_vc_of, out_vc_of;
  for (genvar o = 0; o < NumPorts; o = o + 1) begin : gen_turns
    assign in_vc_of[o*VcWidth+:VcWidth] = grant_vc_o[32'(grant_sel[o*PortWidth+:PortWidth])*VcWidth+:VcWidth];
    assign out_vc_of[o*VcWidth+:VcWidth] = flit_vc_i[32'(grant_sel[o*PortWidth+:PortWidth])*VcWidth+:VcWidth];
  end
  hw_turn_monitor #(.NumPorts(NumPorts), .NumVcs(NumVcs), .TurnTable(TurnTable)) u_turn_monitor (
    .clk_i(clk_i), .rst_ni(rst_ni), .head_i(out_grant_head_o), .in_port_i(grant_sel), .in_vc_i(in_vc_of), .out_vc_i(out_vc_of)
  );

  assign idle_o = pressing == '0 && (GrantCycles == 0 || out_valid_o == '0);

endmodule

`default_nettype wire
