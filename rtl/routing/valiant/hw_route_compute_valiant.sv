// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// Valiant's routing on tori and meshes, for one input port: dimension order to a random router,
// then to the destination, each way on VCs of its own. The router where a packet is injected draws
// the intermediate and writes it into the head flit.
//
// Latency 0 cycles, throughput one question per cycle: rsp_* depends combinationally on req_*,
// coord_i and the generator's register. Without a question rsp_* is 0. A decision holds.
// Random bits: two states of hw_random per question from a terminal, drawn with the question.
// Configuration words: 0 {31: the generator takes the seed while it is set}, 1 seed.
// Assumes: coordinates of routers that exist. Guarantees: the answer is a move of the relation.
// Reference: Valiant & Brebner 1981; Dally & Towles, section 9.1; relation `valiant`.
module hw_route_compute_valiant #(
  `include "hw_one_port_parameters.svh"
  // Of this family
  parameter bit Torus = 1'b0,
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,  // destination coordinates in the head flit
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter int unsigned SlotLsb = 0,           // destination terminal slot
  parameter int unsigned SlotBits = 0,
  parameter bit [NumCoords*8-1:0] ViaLsbs = '0,  // intermediate ones, as wide as the destination's
  parameter int unsigned StateLsb = 0,          // class, then the via coordinates
  parameter bit [4*NumVcs-1:0] WayVcs = '0,     // {second way, first way} x dateline class {1, 0}
  `include "hw_one_port_widths.svh"
) (
  `include "hw_one_port_ports.svh"
);

  localparam bit FromTerminal = InPort >= 2 * NumCoords;
  localparam logic [1:0] FirstWay = 2'd1, SecondWay = 2'd2;

  if (NumPorts == 0 || NumVcs == 0 || NumCoords == 0) begin : gen_bad_size
    $error("hw_route_compute_valiant: NumPorts, NumVcs and NumCoords must be set");
  end
  if (NumCands != 1 || NumCfg < 2 || NumNetworkPorts != 2 * NumCoords) begin : gen_bad_shape
    $error("hw_route_compute_valiant: NumCands, NumCfg or NumNetworkPorts do not fit");
  end

  logic [63:0] random;
  if (FromTerminal) begin : gen_random
    hw_random #(.NumValues(2), .Salt(32'(64'h9e3779b9 * (64'(InPort) + 64'd1)))) u_random (
      .clk_i(clk_i), .rst_ni(rst_ni), .load_i(cfg_i[31]), .seed_i(cfg_i[63:32]),
      .place_i(32'(coord_i)),
      .advance_i(req_valid_i), .values_o(random)
    );
  end else begin : gen_no_random
    assign random = '0;
  end

  // The intermediate: drawn where the packet is injected, else read.
  logic [NumCoords*6-1:0] via;
  logic there;                                           // the second way begins or goes on
  logic found, plus, wraps;
  logic [5:0] from, to, dst;
  logic [StateWidth-1:0] state;

  always_comb begin
    rsp_port_o = '0;
    rsp_vcs_o = '0;
    via = '0;
    there = 1'b1;
    found = 1'b0;
    plus = 1'b0;
    wraps = 1'b0;
    from = '0;
    to = '0;
    dst = '0;
    state = '0;
    if (req_valid_i) begin
      state = StateWidth'(64'(req_bits_i) >> StateLsb);
      for (int unsigned d = 0; d < NumCoords; d = d + 1) begin
        via[d*6+:6] = 6'(64'(req_bits_i) >> ViaLsbs[d*8+:8])
                      & 6'((8'd1 << DstBits[d*8+:8]) - 8'd1);
        if (FromTerminal) begin
          via[d*6+:6] = 6'((32'(random[d*16+:16]) * 32'(DimSizes[d*8+:8])) >> 16);
        end
        if (via[d*6+:6] != 6'(coord_i[d*CoordWidth+:CoordWidth])) there = 1'b0;
        if (FromTerminal) begin
          state = (state & ~(StateWidth'((8'd1 << DstBits[d*8+:8]) - 8'd1)
                             << (ViaLsbs[d*8+:8] - 8'(StateLsb))))
              | (StateWidth'(via[d*6+:6]) << (ViaLsbs[d*8+:8] - 8'(StateLsb)));
        end
      end
      if (!FromTerminal && state[1:0] == SecondWay) there = 1'b1;
      for (int unsigned d = 0; d < NumCoords; d = d + 1) begin
        from = 6'(coord_i[d*CoordWidth+:CoordWidth]);
        dst = 6'(64'(req_bits_i) >> DstLsbs[d*8+:8]) & 6'((8'd1 << DstBits[d*8+:8]) - 8'd1);
        to = there ? dst : via[d*6+:6];
        if (!found && from != to) begin
          found = 1'b1;
          plus = hw_ring_pkg::plus(Torus, DimSizes[d*8+:7], from, to);
          wraps = hw_ring_pkg::wraps(plus, from, to);
          rsp_port_o = PortWidth'(2 * d + (plus ? 0 : 1));
          rsp_vcs_o = WayVcs[(there ? 2 : 0)*NumVcs+(!Torus || wraps ? 0 : NumVcs)+:NumVcs];
        end
      end
      if (!found) begin
        rsp_port_o = PortWidth'(2 * NumCoords
                                + (32'(64'(req_bits_i) >> SlotLsb) & ((1 << SlotBits) - 1)));
        rsp_vcs_o = NumVcs'(1);
      end
      state[1:0] = there ? SecondWay : FirstWay;
    end
    rsp_state_o = state;
  end

  `HW_ONE_PORT_UNREAD
  wire unused = &{1'b0, random, wraps};

endmodule

`default_nettype wire
