// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Star-channel routing on tori and meshes, for one input port: fully adaptive minimal, with
// dimension-order as escape.
//
// Candidate d (d < NumDims): the port of dimension d, if the packet has an offset there, with the
// adaptive VCs. The last candidate: the dimension-order port with the escape VCs of the packet's
// dateline class (classic datelines). A packet may return from an escape VC to the adaptive ones.
// At the destination router the last candidate is the terminal's port.
//
// Latency 0 cycles, throughput one question per cycle: rsp_* depends combinationally on req_*,
// coord_i and escape_only_i. Without a question rsp_* is 0. Which of the candidates is taken is
// chosen again in every cycle by the input unit, so a packet can turn to its escape VC at any time.
// Assumes: coordinates of routers that exist. Guarantees: the candidates are the relation's moves;
// with escape_only_i, which may change at any time, the escape alone.
// Reference: Gravano et al. 1994 (*-channels); Duato 1993; Dally & Towles, section 14.2.4; relation
// `star_channel`.
module hw_route_compute_star_channel #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned NumDims = 0,
  parameter int unsigned CoordWidth = 0,         // bits of a coordinate in coord_i, at most 6
  parameter bit Torus = 1'b0,
  parameter bit [NumDims*8-1:0] DimSizes = '0,
  parameter bit [NumDims*8-1:0] DstLsbs = '0,    // destination coordinates in the head flit
  parameter bit [NumDims*8-1:0] DstBits = '0,
  parameter int unsigned SlotLsb = 0,            // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,    // dateline class 0; a mesh has no other
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  localparam int unsigned NumCands = NumDims + 1,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1
) (
  input  wire logic [NumDims*CoordWidth-1:0]  coord_i,       // static: where this router stands
  input  wire logic                           escape_only_i,
  // Question
  input  wire logic                           req_valid_i,
  input  wire logic [RouteBits-1:0]           req_bits_i,
  // Answer, in the same cycle
  output logic [NumCands*PortWidth-1:0]       rsp_port_o,
  output logic [NumCands*NumVcs-1:0]          rsp_vcs_o
);

  localparam int unsigned Escape = NumDims;      // the last candidate

  if (NumPorts == 0 || NumVcs == 0 || NumDims == 0) begin : gen_bad_size
    $error("hw_route_compute_star_channel: NumPorts, NumVcs and NumDims must be set");
  end

  logic found, plus, wraps;
  logic [5:0] from, to;

  always_comb begin
    rsp_port_o = '0;
    rsp_vcs_o = '0;
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
          rsp_vcs_o[d*NumVcs+:NumVcs] = escape_only_i ? '0 : AdaptiveVcs;
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

  wire unused = &{1'b0, req_bits_i, wraps};

endmodule

`default_nettype wire
