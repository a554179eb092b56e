// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Marks the heads of packets that leave for a terminal which too many send to. Of each terminal's output and message class a counter goes
// up in a cycle in which at least mark_i[7:0] input ports request it for packets of the class, and down in one in which fewer do though a head could go; packets are marked while it
// stands at mark_i[15:8]. A request is made only where there is room behind the output, so many of them are the end of a tree of packets
// that wait, not a branch of it; while a packet crosses, or the link is behind, nobody can ask, and the counter holds.
//
// Latency: combinational from data_i to data_o, whose mark depends on a register. What is requested in cycle t counts in t+1.
// Combinational paths: head_i, data_i -> data_o. Cost: for each terminal and class a comparator of the requests' ports and a counter of 8 bits.
// Assumes: the field is 0 in heads that come in; mark_i changes seldom: a counter above a new limit comes down to it.
// Guarantees: flits to other routers, and those that are no heads, pass as they are. Without Marks nothing is built.
// Reference: Ramakrishnan & Jain, SIGCOMM 1988 (a bit that routers set); De Sensi et al., SC 2020 (Slingshot: congestion at endpoints).
module hw_congestion_marker #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumNetworkPorts = NumPorts,     // the lowest ports; the others are terminals
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter bit Marks = 1'b0,
  parameter int unsigned MarkLsb = 0,
  parameter int unsigned NumClasses = 1,                 // message classes: each has NumVcs / NumClasses VCs, in their order
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                                  clk_i,
  input  wire logic                                  rst_ni,
  input  wire logic [15:0]                           mark_i,       // configuration: {cycles, input ports}
  input  wire logic [NumPorts*NumVcs-1:0]            req_valid_i,  // of the VCs of the input ports
  input  wire logic [NumPorts*NumVcs*PortWidth-1:0]  req_port_i,
  input  wire logic [NumPorts*NumVcs-1:0]            free_i,       // of the VCs of the outputs: any head could go; to terminals on the first of a class
  input  wire logic [NumPorts-1:0]                   head_i,       // of the flit that crosses to each output
  input  wire logic [NumPorts*VcWidth-1:0]           vc_i,         // its VC behind the output
  input  wire logic [NumPorts*FlitBits-1:0]          data_i,
  output logic [NumPorts*FlitBits-1:0]               data_o,
  output logic                                       at_rest_o     // no counter changes without requests
);

  if (NumPorts == 0 || NumVcs == 0 || FlitBits <= MarkLsb || NumClasses == 0 || NumVcs % NumClasses != 0) begin : gen_bad_size
    $error("hw_congestion_marker: NumPorts and NumVcs must be set, NumVcs be a multiple of NumClasses, and MarkLsb lie in the flit");
  end

  localparam int unsigned Own = NumVcs / NumClasses;     // VCs of a class
  logic [NumPorts-1:0] rests;
  assign at_rest_o = rests == '1;

  for (genvar o = 0; o < NumPorts; o = o + 1) begin : gen_output
    if (Marks && o >= NumNetworkPorts) begin : gen_terminal
      logic [NumClasses-1:0] marks, at_rest;
      for (genvar c = 0; c < NumClasses; c = c + 1) begin : gen_class
        logic [7:0] wants, count_q;
        logic [NumPorts-1:0] want;
        always_comb begin
          want = '0;
          wants = '0;
          for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
            for (int unsigned v = c * Own; v < (c + 1) * Own; v = v + 1) begin
              if (req_valid_i[p*NumVcs+v] && req_port_i[(p*NumVcs+v)*PortWidth+:PortWidth] == PortWidth'(o)) want[p] = 1'b1;
            end
            wants = wants + 8'(want[p]);
          end
        end
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) count_q <= '0;
          else if (wants >= mark_i[7:0] && count_q < mark_i[15:8]) count_q <= count_q + 8'd1;
          else if (((wants < mark_i[7:0] && free_i[o*NumVcs+c*Own]) || count_q > mark_i[15:8]) && count_q != '0) count_q <= count_q - 8'd1;
        end
        assign at_rest[c] = count_q == '0;
        assign marks[c] = (NumClasses == 1 || vc_i[o*VcWidth+:VcWidth] == VcWidth'(c * Own)) && count_q >= mark_i[15:8];
      end
      assign rests[o] = at_rest == '1;
      always_comb begin
        data_o[o*FlitBits+:FlitBits] = data_i[o*FlitBits+:FlitBits];
        if (head_i[o] && marks != '0) data_o[o*FlitBits+MarkLsb] = 1'b1;
      end
      `HW_ASSERT(a_heads_alone_are_marked, head_i[o] || data_o[o*FlitBits+:FlitBits] == data_i[o*FlitBits+:FlitBits])
    end else begin : gen_other
      assign rests[o] = 1'b1;
      assign data_o[o*FlitBits+:FlitBits] = data_i[o*FlitBits+:FlitBits];
    end
  end

  wire unused = &{1'b0, clk_i, rst_ni, mark_i, req_valid_i, req_port_i, free_i, head_i, vc_i};

endmodule

`default_nettype wire
