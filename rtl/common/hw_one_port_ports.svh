// SPDX-License-Identifier: Apache-2.0
// Ports of every one-port computation. See hw_one_port_parameters.svh.
//
// A question may come in every cycle. The answer comes AnswerCycles after it (see
// hw_one_port_unit.svh), 0: in the same cycle, with a combinational path from the question. State,
// such as that of a generator of random bits (hw_random), changes with questions alone.
// Without a question rsp_* does not matter. `HW_ONE_PORT_UNREAD lets inputs stay unread.
input  wire logic                                   clk_i,
input  wire logic                                   rst_ni,
// Static: where this router stands, and the configuration words of the CSR block
input  wire logic [NumCoords*CoordWidth-1:0]        coord_i,
input  wire logic [NumCfg*32-1:0]                   cfg_i,
input  wire logic [63:0]                            now_i,          // core cycles since reset
// Question: VC and head flit of a packet at this input port
input  wire logic                                   req_valid_i,
input  wire logic [VcWidth-1:0]                     req_vc_i,
input  wire logic [RouteBits-1:0]                   req_bits_i,
// Context: the flits that a new packet may have in every output VC, 0 where another packet owns
// the VC; the queue metric of every output port
input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  space_i,
input  wire logic [NumPorts*QueueWidth-1:0]         queue_i,
// Answer: candidates, each a port and VCs of it; the state for the head flit
output logic [NumCands*PortWidth-1:0]               rsp_port_o,
output logic [NumCands*NumVcs-1:0]                  rsp_vcs_o,
output logic [StateWidth-1:0]                       rsp_state_o
