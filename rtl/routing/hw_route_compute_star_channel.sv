// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Star-channel routing on tori and meshes: fully adaptive minimal, with dimension-order as escape.
//
// Candidate d (d < NumDims): the port of dimension d, if the packet has an offset there, with the adaptive VCs.
// The last candidate: the dimension-order port with the escape VCs of the packet's dateline class. A packet may return
// from an escape VC to the adaptive ones. At the destination router the last candidate is the terminal's port.
//
// Latency 0 cycles, initiation interval 1: rsp_* depends combinationally on req_*. The set of candidates holds; which of
// them is taken is chosen again in every cycle by the input unit, so a packet can turn to its escape VC at any time.
// Reference: Gravano et al. 1994 (*-channels); Duato 1993; Dally & Towles, section 14.2.4; relation `star_channel`.
module hw_route_compute_star_channel #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned SpaceWidth = 0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned CountWidth = 1,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned StateWidth = 1,
  parameter int unsigned InPort = 0,                     // not used by this algorithm
  parameter int unsigned NumCfg = 1,                      // 32-bit configuration words
  parameter int unsigned NumCands = 0,
  parameter int unsigned NumDims = 0,
  parameter int unsigned CoordWidth = 0,                 // bits of a coordinate in coord_i, at most 6
  parameter bit Torus = 1'b0,
  parameter bit Balanced = 1'b0,                         // not used: the escape channels have classic datelines
  parameter bit [NumDims*8-1:0] DimSizes = '0,
  parameter bit [NumDims*8-1:0] DstLsbs = '0,            // destination coordinates in the head flit
  parameter bit [NumDims*8-1:0] DstBits = '0,
  parameter int unsigned SlotLsb = 0,                    // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,            // dateline class 0; a mesh has no other
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned DecisionWidth = 2 + QueueWidth + QueueWidth + 7 + CountWidth + 16
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [NumDims*CoordWidth-1:0]          coord_i,     // static: where this router stands
  input  wire logic [NumCfg*32-1:0]                   cfg_i,       // CSR configuration words
  // Request
  input  wire logic                                   req_valid_i,
  input  wire logic [VcWidth-1:0]                     req_vc_i,
  input  wire logic [RouteBits-1:0]                   req_bits_i,
  // Context
  input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  ctx_space_i,
  input  wire logic [NumPorts*QueueWidth-1:0]         ctx_queue_i, // not used, as ctx_count_i
  input  wire logic [CountWidth-1:0]                  ctx_count_i,
  input  wire logic [15:0]                            ctx_bias_i,
  // Response
  output logic                                        rsp_valid_o,
  output logic [VcWidth-1:0]                          rsp_vc_o,
  output logic [NumCands*PortWidth-1:0]               rsp_port_o,
  output logic [NumCands*NumVcs-1:0]                  rsp_vcs_o,
  output logic [StateWidth-1:0]                       rsp_state_o,
  output logic [DecisionWidth-1:0]                    decision_o   // 0: no choice between minimal and non-minimal
);

  localparam int unsigned Escape = NumDims;              // the last candidate

  if (NumCands != NumDims + 1) begin : gen_bad_cands
    $error("hw_route_compute_star_channel: NumCands must be NumDims + 1");
  end

  // Routing mode, bit 0 of configuration word 0: 1 leaves the escape candidate alone, plain dimension-order routing
  // on the escape VCs. A subset of the proved relation, so it may change while packets are under way.
  logic escape_only;
  assign escape_only = cfg_i[0];

  logic found, plus, wraps;
  logic [5:0] from, to;

  always_comb begin
    rsp_valid_o = req_valid_i;
    rsp_vc_o = req_vc_i;
    rsp_port_o = '0;
    rsp_vcs_o = '0;
    rsp_state_o = '0;
    found = 1'b0;
    plus = 1'b0;
    wraps = 1'b0;
    from = '0;
    to = '0;
    if (req_valid_i) begin
      for (int unsigned d = 0; d < NumDims; d = d + 1) begin
        from = 6'(coord_i[d*CoordWidth+:CoordWidth]);
        to = 6'(64'(req_bits_i) >> DstLsbs[d*8+:8]) & 6'((8'd1 << DstBits[d*8+:8]) - 8'd1);
        if (from != to) begin
          plus = hw_ring_pkg::plus(Torus, DimSizes[d*8+:7], from, to);
          wraps = hw_ring_pkg::wraps(plus, from, to);
          rsp_port_o[d*PortWidth+:PortWidth] = PortWidth'(2 * d + (plus ? 0 : 1));
          rsp_vcs_o[d*NumVcs+:NumVcs] = escape_only ? '0 : AdaptiveVcs;
          if (!found) begin
            found = 1'b1;
            rsp_port_o[Escape*PortWidth+:PortWidth] = PortWidth'(2 * d + (plus ? 0 : 1));
            rsp_vcs_o[Escape*NumVcs+:NumVcs] = !Torus || wraps ? EscapeVcs0 : EscapeVcs1;
          end
        end
      end
      if (!found) begin
        rsp_port_o[Escape*PortWidth+:PortWidth] =
            PortWidth'(2 * NumDims + (32'(64'(req_bits_i) >> SlotLsb) & ((1 << SlotBits) - 1)));
        rsp_vcs_o[Escape*NumVcs+:NumVcs] = NumVcs'(1);
      end
    end
  end

  assign decision_o = '0;

  wire unused = &{1'b0, clk_i, rst_ni, cfg_i, ctx_space_i, ctx_queue_i, ctx_count_i, ctx_bias_i, req_bits_i, Torus, Balanced, InPort[0]};

endmodule

`default_nettype wire
