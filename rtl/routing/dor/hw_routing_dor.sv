// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Dimension-order routing on tori and meshes: hw_route_compute_dor at every input port.
//
// Latency 0 cycles, throughput one question per port and cycle; rsp_* depends combinationally on
// req_* and coord_i. Every question is answered as it comes; a decision holds. There is no state.
// Configuration words: 0, not read.
// Assumes: see hw_route_compute_dor. Guarantees: the relation's only move.
// Reference: Dally & Towles, sections 8.4.1 and 14.2.3; relation `dor` of the generator.
module hw_routing_dor #(
  // Of every family
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumNetworkPorts = 0,   // the lowest ports; the others are terminals
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumCands = 1,          // candidates of an answer
  parameter int unsigned SpaceWidth = 1,        // holds the largest depth of a VC
  parameter int unsigned QueueWidth = 1,        // bits of a port's queue metric
  parameter int unsigned RouteBits = 0,         // low bits of a head flit that routing reads
  parameter int unsigned StateWidth = 1,        // of a head flit's state that an answer writes
  parameter int unsigned NumCoords = 0,         // a router's coordinates, CoordWidth bits each
  parameter int unsigned CoordWidth = 0,
  parameter int unsigned NumCfg = 1,            // 32-bit configuration words
  parameter int unsigned NumCounters = 0,       // 32-bit words of counters_o
  parameter int unsigned FeedbackBits = 0,      // of a network port's reverse wires; bit 0: valid
  parameter int unsigned TraceBits = 0,
  // Of this family
  parameter bit Torus = 1'b0,
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,  // destination coordinates in the head flit
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter bit Balanced = 1'b0,                // datelines: see hw_route_compute_dor
  parameter int unsigned SlotLsb = 0,           // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,   // dateline class 0; a mesh has no other
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned FeedbackWidth = FeedbackBits > 0 ? NumNetworkPorts * FeedbackBits : 1,
  localparam int unsigned CountersWidth = NumCounters > 0 ? NumCounters * 32 : 1,
  localparam int unsigned TraceWidth = TraceBits > 0 ? TraceBits : 1
) (
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
  output logic [FeedbackWidth-1:0]                    in_feedback_o,
  input  wire logic [FeedbackWidth-1:0]               out_feedback_i,
  // Table window of the CSR block; a request holds until the acknowledge
  input  wire logic                                   table_req_i,
  input  wire logic                                   table_we_i,
  input  wire logic [31:0]                            table_addr_i,
  input  wire logic [31:0]                            table_wdata_i,
  output logic                                        table_ack_o,
  output logic [31:0]                                 table_rdata_o,
  // Status: counters of decisions; what is decided and learned, for checkers and trainers; idle:
  // without input, no state changes
  output logic [CountersWidth-1:0]                    counters_o,
  output logic [TraceWidth-1:0]                       trace_o,
  output logic                                        idle_o
);

  if (NumCands != 1 || NumCfg < 1) begin : gen_bad_shape
    $error("hw_routing_dor: NumCands must be 1, NumCfg at least 1");
  end
  if (NumCoords == 0 || NumNetworkPorts != 2 * NumCoords) begin : gen_bad_ports
    $error("hw_routing_dor: NumNetworkPorts must be twice NumCoords, and that be set");
  end
  if (FeedbackBits != 0 || NumCounters != 0 || TraceBits != 0) begin : gen_bad_extras
    $error("hw_routing_dor: there are no feedback, counters and trace");
  end

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    hw_route_compute_dor #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .RouteBits(RouteBits), .InPort(p),
      .NumDims(NumCoords), .CoordWidth(CoordWidth), .Torus(Torus), .Balanced(Balanced),
      .DimSizes(DimSizes), .DstLsbs(DstLsbs), .DstBits(DstBits), .SlotLsb(SlotLsb),
      .SlotBits(SlotBits), .EscapeVcs0(EscapeVcs0), .EscapeVcs1(EscapeVcs1)
    ) u_route (
      .coord_i(coord_i), .req_valid_i(req_valid_i[p]), .req_vc_i(req_vc_i[p*VcWidth+:VcWidth]),
      .req_bits_i(req_bits_i[p*RouteBits+:RouteBits]),
      .rsp_port_o(rsp_port_o[p*PortWidth+:PortWidth]), .rsp_vcs_o(rsp_vcs_o[p*NumVcs+:NumVcs])
    );
  end

  assign req_ready_o = '1;
  assign rsp_valid_o = req_valid_i;
  assign rsp_vc_o = req_vc_i;
  assign rsp_state_o = '0;

  // No feedback, no tables, no counters, no trace.
  assign in_feedback_o = '0;
  assign table_ack_o = 1'b0;
  assign table_rdata_o = '0;
  assign counters_o = '0;
  assign trace_o = '0;
  assign idle_o = 1'b1;

  wire unused = &{1'b0, clk_i, rst_ni, cfg_i, now_i, req_vc_i, space_i, buffer_space_i, queue_i,
                  in_valid_i, in_vc_i, in_credit_valid_i, in_credit_vc_i, out_valid_i, out_vc_i,
                  out_credit_valid_i, out_credit_vc_i, turn_valid_i, turn_vc_i, turn_out_vc_i,
                  out_feedback_i, table_req_i, table_we_i, table_addr_i, table_wdata_i};

endmodule

`default_nettype wire
