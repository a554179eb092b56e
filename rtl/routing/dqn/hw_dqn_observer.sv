// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// What an agent of DQN-Routing sees: for a head flit at hand, one byte for each input of its network, lowest first:
//   x_d       coordinate of this router, 0 to 255 over the ring, for each dimension;
//   dx_d      offset of the destination, 0 at half the ring (or, with Coordinates, its coordinate), scaled alike;
//   size      flits of the packet, of MaxFlits;
//   local_p   flits in the adaptive VCs of input port p, of their depth, for each network port;
//   remote_p  flits on their way to, or in, the adaptive VCs behind output port p: those sent whose credit is not back.
// Also the shortest distance from here, and the ports that shorten it.
//
// Occupancies are counted at the pins of the channels: a flit counts in input port p from the cycle after it came until the
// cycle after its credit was sent (a cycle after it left the buffer), and for output port p in the same way.
//
// Latency: 0 cycles from bits_i. Combinational paths: bits_i, coord_i -> all outputs but those of occupancy.
// Guarantees: occupancies are at most the sum of the depths where the channels follow the credit protocol.
// Reference: Lonardo, DQN-Routing, section 3 (13 inputs on a 2-D torus); docs/reference/routing-dqn.md.
module hw_dqn_observer #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumDims = 0,
  parameter int unsigned CoordWidth = 0,                 // bits of a coordinate in coord_i, at most 6
  parameter bit [NumDims*8-1:0] DimSizes = '0,
  parameter bit [NumDims*8-1:0] DstLsbs = '0,            // destination coordinates in the head flit
  parameter bit [NumDims*8-1:0] DstBits = '0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned LenLsb = 0,                     // length field of the head flit; unused if MaxFlits is 1
  parameter int unsigned LenBits = 1,
  parameter int unsigned LenOffset = 0,
  parameter int unsigned MaxFlits = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter bit Coordinates = 1'b0,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned Links = 2 * NumDims,           // network ports
  localparam int unsigned NumInputs = 6 * NumDims + 1
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  input  wire logic [NumDims*CoordWidth-1:0]  coord_i,   // static: where this router stands
  // Pins of the channels, one slice per port
  input  wire logic [NumPorts-1:0]            in_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]    in_vc_i,
  input  wire logic [NumPorts-1:0]            in_credit_valid_i,   // that this router sends
  input  wire logic [NumPorts*VcWidth-1:0]    in_credit_vc_i,
  input  wire logic [NumPorts-1:0]            out_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]    out_vc_i,
  input  wire logic [NumPorts-1:0]            out_credit_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]    out_credit_vc_i,
  // The head flit at hand, and what is seen
  input  wire logic [RouteBits-1:0]           bits_i,
  output logic [NumInputs*8-1:0]              obs_o,
  output logic [15:0]                         flits_o,   // of the packet
  output logic [7:0]                          distance_o,
  output logic [Links-1:0]                    closer_o
);

  if (NumPorts < Links || NumVcs == 0 || NumDims == 0 || RouteBits == 0 || MaxFlits == 0) begin : gen_bad_size
    $error("hw_dqn_observer: NumPorts, NumVcs, NumDims, RouteBits and MaxFlits must be set");
  end

  // Flits that the adaptive VCs of one port hold.
  function automatic int unsigned adaptive_depth();
    adaptive_depth = 0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (AdaptiveVcs[v]) adaptive_depth = adaptive_depth + 32'(VcDepths[v*16+:16]);
    end
  endfunction
  localparam int unsigned AllFlits = adaptive_depth();
  localparam int unsigned CountBits = $clog2(AllFlits + 1) + (AllFlits == 0 ? 1 : 0);
  localparam int unsigned SizeScale = 255 * 256 / (MaxFlits == 0 ? 1 : MaxFlits);
  localparam int unsigned CountScale = 255 * 256 / (AllFlits == 0 ? 1 : AllFlits);

  if (AllFlits == 0) begin : gen_bad_depth
    $error("hw_dqn_observer: the adaptive VCs must have places");
  end

  // Occupancies -------------------------------------------------------------------------------------------------------
  logic [Links*CountBits-1:0] local_d, local_q, remote_d, remote_q;

  always_comb begin
    local_d = local_q;
    remote_d = remote_q;
    for (int unsigned p = 0; p < Links; p = p + 1) begin
      local_d[p*CountBits+:CountBits] = local_q[p*CountBits+:CountBits]
          + CountBits'(in_valid_i[p] && AdaptiveVcs[in_vc_i[p*VcWidth+:VcWidth]])
          - CountBits'(in_credit_valid_i[p] && AdaptiveVcs[in_credit_vc_i[p*VcWidth+:VcWidth]]);
      remote_d[p*CountBits+:CountBits] = remote_q[p*CountBits+:CountBits]
          + CountBits'(out_valid_i[p] && AdaptiveVcs[out_vc_i[p*VcWidth+:VcWidth]])
          - CountBits'(out_credit_valid_i[p] && AdaptiveVcs[out_credit_vc_i[p*VcWidth+:VcWidth]]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      local_q <= '0;
      remote_q <= '0;
    end else begin
      local_q <= local_d;
      remote_q <= remote_d;
    end
  end

  // Of all places, in 1/255; `scale` is 255 * 256 / places.
  function automatic logic [7:0] share(input logic [15:0] flits, input logic [15:0] scale);
    logic [31:0] product;
    product = {8'd0, 24'((32'(flits) * 32'(scale)) >> 8)};
    share = product > 32'd255 ? 8'd255 : product[7:0];
  endfunction

  // The head flit -----------------------------------------------------------------------------------------------------
  if (MaxFlits == 1) begin : gen_one_flit
    assign flits_o = 16'd1;
  end else begin : gen_flits
    assign flits_o = 16'(bits_i[LenLsb+:LenBits]) + 16'(LenOffset);
  end

  logic [Links*7-1:0] steps;             // for each dimension: forwards, backwards
  logic [NumDims*8-1:0] here, there;     // scaled to 0 to 255

  for (genvar d = 0; d < NumDims; d = d + 1) begin : gen_dim
    localparam logic [7:0] Size = DimSizes[d*8+:8];
    localparam logic [7:0] Half = 8'(32'(Size) / 2);
    localparam logic [7:0] Scale = 8'(255 / (32'(Size) > 1 ? 32'(Size) - 1 : 1));
    localparam int unsigned Bits = 32'(DstBits[d*8+:8]);
    logic [7:0] from, to, ahead, shifted;
    always_comb begin
      from = 8'(coord_i[d*CoordWidth+:CoordWidth]);
      to = 8'(bits_i[32'(DstLsbs[d*8+:8])+:Bits]);
      ahead = to >= from ? to - from : to + Size - from;
      shifted = ahead + Half >= Size ? ahead + Half - Size : ahead + Half;
      here[d*8+:8] = from * Scale;
      there[d*8+:8] = (Coordinates ? to : shifted) * Scale;
      steps[(2*d)*7+:7] = ahead[6:0];
      steps[(2*d+1)*7+:7] = ahead == 8'd0 ? 7'd0 : 7'(Size - ahead);
    end
    wire unused_dim = &{1'b0, ahead, shifted};
  end

  logic [7:0] plus, minus;

  always_comb begin
    obs_o = '0;
    obs_o[2*NumDims*8+:8] = share(flits_o, 16'(SizeScale));
    for (int unsigned d = 0; d < NumDims; d = d + 1) begin
      obs_o[d*8+:8] = here[d*8+:8];
      obs_o[(NumDims+d)*8+:8] = there[d*8+:8];
    end
    for (int unsigned p = 0; p < Links; p = p + 1) begin
      obs_o[(2*NumDims+1+p)*8+:8] = share(16'(local_q[p*CountBits+:CountBits]), 16'(CountScale));
      obs_o[(2*NumDims+1+Links+p)*8+:8] = share(16'(remote_q[p*CountBits+:CountBits]), 16'(CountScale));
    end
  end

  always_comb begin
    distance_o = '0;
    closer_o = '0;
    plus = '0;
    minus = '0;
    for (int unsigned d = 0; d < NumDims; d = d + 1) begin
      plus = {1'b0, steps[(2*d)*7+:7]};
      minus = {1'b0, steps[(2*d+1)*7+:7]};
      distance_o = distance_o + (plus < minus ? plus : minus);
      closer_o[2*d] = plus != 8'd0 && plus <= minus;
      closer_o[2*d+1] = minus != 8'd0 && minus <= plus;
    end
  end

  wire unused = &{1'b0, in_valid_i, in_vc_i, in_credit_valid_i, in_credit_vc_i, out_valid_i, out_vc_i, out_credit_valid_i,
                  out_credit_vc_i, bits_i, LenLsb[0], LenBits[0], LenOffset[0]};

`ifdef HW_CHECKS
  logic [Links-1:0] over;
  always_comb begin
    for (int unsigned p = 0; p < Links; p = p + 1) begin
      over[p] = 32'(local_q[p*CountBits+:CountBits]) > AllFlits || 32'(remote_q[p*CountBits+:CountBits]) > AllFlits;
    end
  end
`endif
  `HW_ASSERT(a_occupancy_within_depth, over == '0)

endmodule

`default_nettype wire
