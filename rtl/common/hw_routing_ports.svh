// SPDX-License-Identifier: Apache-2.0
// Ports of every routing unit. See hw_routing_parameters.svh. What a unit does not have it ties off
// with the macros of hw_routing_ties.svh.
`include "hw_channel.svh"
input  wire logic                                   clk_i,
input  wire logic                                   rst_ni,
// Static: where this router stands, and the configuration words of the CSR block
input  wire logic [NumCoords*CoordWidth-1:0]        coord_i,
input  wire logic [NumCfg*32-1:0]                   cfg_i,
input  wire logic [63:0]                            now_i,          // core cycles since reset
// Questions, one slice per input port: VC and head flit of a packet; they hold until ready
input  wire logic [NumPorts-1:0]                    req_valid_i,
output logic [NumPorts-1:0]                         req_ready_o,
input  wire logic [NumPorts*VcWidth-1:0]            req_vc_i,
input  wire logic [NumPorts*RouteBits-1:0]          req_bits_i,
// Context: the flits that a new packet may have in every output VC, 0 where another packet owns
// the VC; the same, owned or not; the queue metric of every output port
input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  space_i,
input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  buffer_space_i,
input  wire logic [NumPorts*QueueWidth-1:0]         queue_i,
// Channels, as on the router's pins: flits that come and credits that are sent for them, flits
// that leave and credits that come back
input  wire logic [NumPorts-1:0]                    in_valid_i,
input  wire logic [NumPorts*VcWidth-1:0]            in_vc_i,
input  wire logic [NumPorts-1:0]                    in_credit_valid_i,
input  wire logic [NumPorts*VcWidth-1:0]            in_credit_vc_i,
input  wire logic [NumPorts-1:0]                    out_valid_i,
input  wire logic [NumPorts*VcWidth-1:0]            out_vc_i,
input  wire logic [NumPorts-1:0]                    out_credit_valid_i,
input  wire logic [NumPorts*VcWidth-1:0]            out_credit_vc_i,
// Answers, one slice per input port: candidates, each a port and VCs of it
output logic [NumPorts-1:0]                         rsp_valid_o,
output logic [NumPorts*VcWidth-1:0]                 rsp_vc_o,
output logic [NumPorts*NumCands*PortWidth-1:0]      rsp_port_o,
output logic [NumPorts*NumCands*NumVcs-1:0]         rsp_vcs_o,
output logic [NumPorts*StateWidth-1:0]              rsp_state_o,
// Per input port: the head flit of this VC crosses to this output VC
input  wire logic [NumPorts-1:0]                    turn_valid_i,
input  wire logic [NumPorts*VcWidth-1:0]            turn_vc_i,
input  wire logic [NumPorts*VcWidth-1:0]            turn_out_vc_i,
// Feedback on the reverse wires of network ports: to the routers before this one, and from those
// after it
`HW_CHANNEL_FEEDBACK(in, FeedbackWidth, output logic, o),
`HW_CHANNEL_FEEDBACK(out, FeedbackWidth, input wire logic, i),
// Table window of the CSR block; a request holds until the acknowledge
input  wire logic                                   table_req_i,
input  wire logic                                   table_we_i,
input  wire logic [31:0]                            table_addr_i,
input  wire logic [31:0]                            table_wdata_i,
output logic                                        table_ack_o,
output logic [31:0]                                 table_rdata_o,
// Status: counters of decisions; what is decided and learned, for checkers and trainers; words of
// tables that are found with bad parity in this cycle, a bit each, and the table address of one of
// them; idle: without input, no state changes
output logic [CountersWidth-1:0]                    counters_o,
output logic [TraceWidth-1:0]                       trace_o,
output logic [FlipsWidth-1:0]                       flips_o,
output logic [31:0]                                 flip_word_o,
output logic                                        idle_o
