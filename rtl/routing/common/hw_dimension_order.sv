// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Dimension order on tori and meshes, for one input port: the offset in dimension 0 is
// reduced to zero first, then the next.
//
// One candidate: the port of that dimension, with the VCs of the packet's dateline class. Classic
// datelines: class 0 while the rest of the way in this dimension crosses the wraparound channel,
// class 1 else (Dally & Seitz). Balanced datelines: a packet that does not cross it at all may use
// both classes, until it once takes class 1.
//
// Latency 0 cycles, throughput one question per cycle: rsp_* depends combinationally on req_* and
// coord_i. Without a question rsp_* is 0.
// Assumes: coordinates of routers that exist. Guarantees: the answer is the relation's only move.
// Reference: Dally & Towles, sections 8.4.1 and 14.2.3.
module hw_dimension_order #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned InPort = 0,             // the input port that this instance serves
  parameter int unsigned NumDims = 0,
  parameter int unsigned CoordWidth = 0,         // bits of a coordinate in coord_i, at most 6
  parameter bit Torus = 1'b0,
  parameter bit Balanced = 1'b0,
  parameter bit [NumDims*8-1:0] DimSizes = '0,
  parameter bit [NumDims*8-1:0] DstLsbs = '0,    // destination coordinates in the head flit
  parameter bit [NumDims*8-1:0] DstBits = '0,
  parameter int unsigned SlotLsb = 0,            // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,    // dateline class 0; a mesh has no other
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic [NumDims*CoordWidth-1:0]  coord_i,     // static: where this router stands
  // Question
  input  wire logic                           req_valid_i,
  input  wire logic [VcWidth-1:0]             req_vc_i,
  input  wire logic [RouteBits-1:0]           req_bits_i,
  // Answer, in the same cycle
  output logic [PortWidth-1:0]                rsp_port_o,
  output logic [NumVcs-1:0]                   rsp_vcs_o
);

  if (NumPorts == 0 || NumVcs == 0 || NumDims == 0) begin : gen_bad_size
    $error("hw_dimension_order: NumPorts, NumVcs and NumDims must be set");
  end

  logic found, plus, wraps, continues, crossed;
  logic [5:0] from, to;

  always_comb begin
    rsp_port_o = '0;
    rsp_vcs_o = '0;
    found = 1'b0;
    plus = 1'b0;
    wraps = 1'b0;
    continues = 1'b0;
    crossed = 1'b0;
    from = '0;
    to = '0;
    if (req_valid_i) begin
      for (int unsigned d = 0; d < NumDims; d = d + 1) begin
        from = 6'(coord_i[d*CoordWidth+:CoordWidth]);
        to = 6'(64'(req_bits_i) >> DstLsbs[d*8+:8]) & 6'((8'd1 << DstBits[d*8+:8]) - 8'd1);
        if (!found && from != to) begin
          found = 1'b1;
          plus = hw_ring_pkg::plus(Torus, DimSizes[d*8+:7], from, to);
          wraps = hw_ring_pkg::wraps(plus, from, to);
          rsp_port_o = PortWidth'(2 * d + (plus ? 0 : 1));
          if (!Torus || wraps) begin
            rsp_vcs_o = EscapeVcs0;
          end else if (!Balanced) begin
            rsp_vcs_o = EscapeVcs1;
          end else begin
            // It came in from the side opposite to where it goes: it continues in this dimension.
            continues = InPort == (plus ? 2 * d + 1 : 2 * d);
            crossed = plus ? from == 6'd0 : from == 6'(DimSizes[d*8+:8] - 8'd1);
            rsp_vcs_o = EscapeVcs0 | EscapeVcs1;
            if (continues && (crossed || !EscapeVcs0[req_vc_i])) rsp_vcs_o = EscapeVcs1;
          end
        end
      end
      if (!found) begin
        rsp_port_o = PortWidth'(2 * NumDims
                                + (32'(64'(req_bits_i) >> SlotLsb) & ((1 << SlotBits) - 1)));
        rsp_vcs_o = NumVcs'(1);
      end
    end
  end

  wire unused = &{1'b0, req_bits_i, req_vc_i, continues, crossed, InPort[0], EscapeVcs0,
                  EscapeVcs1};

endmodule

`default_nettype wire
