// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// Star-channel routing on tori and meshes, for one input port: fully adaptive minimal, with
// dimension-order as escape.
//
// Candidate d (d < NumCoords): the port of dimension d, if the packet has an offset there, with the
// adaptive VCs. The last candidate: the dimension-order port with the escape VCs of the packet's
// dateline class (classic datelines). A packet may return from an escape VC to the adaptive ones.
// At the destination router the last candidate is the terminal's port.
//
// Latency 0 cycles, throughput one question per cycle: rsp_* depends combinationally on req_*,
// coord_i and cfg_i. Without a question rsp_* is 0. Which of the candidates is taken is
// chosen again in every cycle by the input unit, so a packet can turn to its escape VC at any time.
// Configuration words: 0 {0: the escape candidate alone, plain dimension order on the escape VCs: a
// subset of the proved relation, so it may change while packets are under way}.
// Modes: InOrder takes the escape candidate alone, on one VC; any other is adaptive.
// Assumes: coordinates of routers that exist. Guarantees: the candidates are the relation's moves.
// Reference: Gravano et al. 1994 (*-channels); Duato 1993; Dally & Towles, section 14.2.4; relation
// `star_channel`.
module hw_route_compute_star_channel #(
  `include "hw_one_port_parameters.svh"
  // Of this family
  parameter bit Torus = 1'b0,
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,  // destination coordinates in the head flit
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter int unsigned SlotLsb = 0,           // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,   // dateline class 0; a mesh has no other
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter bit HasModes = 1'b0,                // packets have modes,
  parameter int unsigned ModeLsb = 0,           // here in the head flit
  parameter bit [NumVcs-1:0] OrderVcs = '0,     // one escape VC of each class, for packets that keep their order
  `include "hw_one_port_widths.svh"
) (
  `include "hw_one_port_ports.svh"
);

  localparam int unsigned Escape = NumCoords;   // the last candidate

  if (NumPorts == 0 || NumVcs == 0 || NumCoords == 0) begin : gen_bad_size
    $error("hw_route_compute_star_channel: NumPorts, NumVcs and NumCoords must be set");
  end
  if (NumCands != NumCoords + 1 || NumNetworkPorts != 2 * NumCoords) begin : gen_bad_shape
    $error("hw_route_compute_star_channel: NumCands or NumNetworkPorts do not fit NumCoords");
  end

  logic found, plus, wraps, ordered;
  if (HasModes) begin : gen_modes
    assign ordered = req_bits_i[ModeLsb+:3] == hw_mode_pkg::InOrder;
  end else begin : gen_no_modes
    assign ordered = 1'b0;
  end
  logic [5:0] from, to;

  assign rsp_state_o = '0;

  always_comb begin
    rsp_port_o = '0;
    rsp_vcs_o = '0;
    found = 1'b0;
    plus = 1'b0;
    wraps = 1'b0;
    from = '0;
    to = '0;
    if (req_valid_i) begin
      for (int unsigned d = 0; d < NumCoords; d = d + 1) begin
        from = 6'(coord_i[d*CoordWidth+:CoordWidth]);
        to = 6'(64'(req_bits_i) >> DstLsbs[d*8+:8]) & 6'((8'd1 << DstBits[d*8+:8]) - 8'd1);
        if (from != to) begin
          plus = hw_ring_pkg::plus(Torus, DimSizes[d*8+:7], from, to);
          wraps = hw_ring_pkg::wraps(plus, from, to);
          rsp_port_o[d*PortWidth+:PortWidth] = PortWidth'(2 * d + (plus ? 0 : 1));
          rsp_vcs_o[d*NumVcs+:NumVcs] = cfg_i[0] || ordered ? '0 : AdaptiveVcs;
          if (!found) begin
            found = 1'b1;
            rsp_port_o[Escape*PortWidth+:PortWidth] = PortWidth'(2 * d + (plus ? 0 : 1));
            rsp_vcs_o[Escape*NumVcs+:NumVcs] = !Torus || wraps ? EscapeVcs0 : EscapeVcs1;
            if (ordered) rsp_vcs_o[Escape*NumVcs+:NumVcs] = rsp_vcs_o[Escape*NumVcs+:NumVcs] & OrderVcs;
          end
        end
      end
      if (!found) begin
        rsp_port_o[Escape*PortWidth+:PortWidth] =
            PortWidth'(2 * NumCoords + (32'(64'(req_bits_i) >> SlotLsb) & ((1 << SlotBits) - 1)));
        rsp_vcs_o[Escape*NumVcs+:NumVcs] = NumVcs'(1);
      end
    end
  end

  `HW_ONE_PORT_UNREAD
  wire unused = &{1'b0, wraps, OrderVcs};

endmodule

`default_nettype wire
