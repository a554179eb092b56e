// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"

// One output port of an input-queued router: the space of every downstream VC, and the register that drives the link.
// There is no local queue: of hw_queue_meter's metrics, LocalQueue is 0, and UsedCredits and Both are the same.
//
// Under virtual cut-through and store-and-forward a head flit reserves room for its whole packet, so the flits behind it
// never wait for credits; under wormhole every flit takes one credit, and a VC of AdaptiveVcs is offered to a new packet
// only when its downstream buffer is empty (Duato's condition for adaptive wormhole routing).
//
// Latency: a flit that comes in cycle t is on the output pins in cycle t+1. It comes in the cycle of its grant, or one later
// with GrantCycles 1; the owner of a VC is known from the grant, the space from the flit.
// Throughput: one flit per link cycle (CyclesPerFlitNum / CyclesPerFlitDen core cycles).
// Combinational paths: grant_* -> vc_taken_o; with GrantCycles 1 flit_* -> space_o, buffer_space_o, vc_free_o; every other
// output is derived from registers only.
// Assumes: flits are granted only while ready_o, heads only within space_o; credits come once per flit.
// Guarantees: never more flits in flight to a VC than its buffer holds; packets of one VC are not interleaved.
// Reference: Dally & Towles, section 13.3 (credit-based flow control); Duato, Yalamanchili & Ni, section 3.1.
module hw_output_unit #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // of the downstream buffers
  parameter int unsigned SpaceWidth = 0,
  parameter int unsigned Switching = hw_router_pkg::VirtualCutThrough,
  parameter bit HoldPacket = 1'b0,                       // packet by packet: see vc_taken_o
  parameter int unsigned GrantCycles = 0,                // from a grant to its flit: 0 or 1; 1 not for wormhole
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,           // wormhole only
  parameter int unsigned CyclesPerFlitNum = 1,
  parameter int unsigned CyclesPerFlitDen = 1,
  parameter int unsigned QueueMetric = hw_router_pkg::NoMetric,  // see hw_queue_meter
  parameter int unsigned FlightCycles = 0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned TimeBits = 0,                   // see hw_reward; 0: no reward
  parameter int unsigned ArrivalLsb = 0,
  parameter int unsigned RewardBits = TimeBits,
  parameter int unsigned RewardLsb = 0,
  parameter int unsigned LinkCycles = 0,
  parameter bit AccumulateAge = 1'b0,                    // see hw_reward
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned TimeWidth = TimeBits > 0 ? TimeBits : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [TimeWidth-1:0]          now_i,        // core cycles, modulo 2^TimeBits
  // The switch's grant for this port; head and more only where it is valid
  input  wire logic                          grant_valid_i,
  input  wire logic [NumVcs-1:0]             grant_vc_i,    // one bit
  input  wire logic                          grant_head_i,  // of a head
  input  wire logic                          grant_more_i,  // of a flit that is not the tail
  // From the crossbar
  input  wire logic                          flit_valid_i,
  input  wire logic                          flit_head_i,
  input  wire logic                          flit_tail_i,
  input  wire logic [VcWidth-1:0]            flit_vc_i,
  input  wire logic [SpaceWidth-1:0]         flit_need_i,  // what a head reserves
  input  wire logic [FlitBits-1:0]           flit_data_i,
  // To the switch requests
  output logic                               ready_o,      // the link takes a flit
  output logic [NumVcs*SpaceWidth-1:0]       space_o,      // for a new packet; 0 where the VC is owned
  output logic [NumVcs*SpaceWidth-1:0]       buffer_space_o,  // the same, owned or not: a lower bound of what comes free
  output logic [NumVcs-1:0]                  vc_free_o,    // space_o is not 0
  output logic [NumVcs-1:0]                  flit_fits_o,  // wormhole: one more flit fits
  output logic [NumVcs-1:0]                  vc_taken_o,   // no head may take the VC in the next cycle, after this cycle's grant
  // To route computation
  output logic [QueueWidth-1:0]              queue_o,      // flits of all VCs by QueueMetric
  // Downstream channel
  `HW_CHANNEL_SENDER(out, 1),
  // Status
  output logic                               idle_o        // nothing here changes without an input
);

  if (NumVcs == 0 || FlitBits == 0 || MaxFlits == 0 || SpaceWidth == 0) begin : gen_bad_size
    $error("hw_output_unit: NumVcs, FlitBits, MaxFlits and SpaceWidth must be set");
  end
  if (GrantCycles > 1 || (GrantCycles == 1 && Switching == hw_router_pkg::Wormhole)) begin : gen_bad_grant
    $error("hw_output_unit: GrantCycles must be 0 or 1, and 0 under wormhole switching");
  end

  localparam bit SingleFlit = MaxFlits == 1;
  localparam bit Wormhole = Switching == hw_router_pkg::Wormhole;

  logic [NumVcs*SpaceWidth-1:0] depth;
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_depth
    assign depth[v*SpaceWidth+:SpaceWidth] = SpaceWidth'(VcDepths[v*16+:16]);
  end

  logic [NumVcs*SpaceWidth-1:0] space_q, space, left;
  logic [NumVcs-1:0] owned_q;
  logic pacer_ready, pacer_at_rest, meter_at_rest;
  logic [FlitBits-1:0] sent_data;

  logic [SpaceWidth-1:0] taken;               // places that the flit takes
  assign taken = Wormhole || SingleFlit ? SpaceWidth'(1) : flit_head_i ? flit_need_i : '0;

  always_comb begin
    left = space_q;
    if (flit_valid_i) begin
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (flit_vc_i == VcWidth'(v)) left[v*SpaceWidth+:SpaceWidth] = space_q[v*SpaceWidth+:SpaceWidth] - taken;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      space_q <= depth;
    end else if (out_credit_valid_i || flit_valid_i) begin
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        space_q[v*SpaceWidth+:SpaceWidth] <=
            left[v*SpaceWidth+:SpaceWidth] + SpaceWidth'(out_credit_valid_i && out_credit_vc_i == VcWidth'(v));
      end
    end
  end

  if (SingleFlit) begin : gen_single
    assign owned_q = '0;
    logic [NumVcs-1:0] last_place;
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_last_place
      assign last_place[v] = space[v*SpaceWidth+:SpaceWidth] >> 1 == '0;
    end
    assign vc_taken_o = grant_valid_i ? grant_vc_i & last_place : '0;  // a flit beside this one needs a place, too
    wire unused_marks = &{1'b0, grant_head_i, grant_more_i};
    wire unused_single = &{1'b0, flit_need_i};
  end else begin : gen_multi
    logic [NumVcs-1:0] owned_d;
    always_comb begin
      owned_d = owned_q;
      if (grant_valid_i) owned_d = (owned_q & ~grant_vc_i) | (grant_more_i ? grant_vc_i : '0);
      vc_taken_o = owned_d | (grant_head_i ? grant_vc_i : '0);
      if (HoldPacket) vc_taken_o = {NumVcs{grant_more_i || (owned_q != '0 && !grant_valid_i)}} | (grant_head_i ? grant_vc_i : '0);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) owned_q <= '0;
      else owned_q <= owned_d;
    end
  end

  // A flit that was granted in the cycle before takes its place now.
  assign space = GrantCycles > 0 ? left : space_q;

  always_comb begin
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      flit_fits_o[v] = space[v*SpaceWidth+:SpaceWidth] != '0;
      vc_free_o[v] = flit_fits_o[v] && !owned_q[v]
          && (!Wormhole || !AdaptiveVcs[v]
              || space[v*SpaceWidth+:SpaceWidth] == depth[v*SpaceWidth+:SpaceWidth]);
      space_o[v*SpaceWidth+:SpaceWidth] = vc_free_o[v] ? space[v*SpaceWidth+:SpaceWidth] : '0;
    end
  end

  logic out_valid_q;
  assign out_valid_o = out_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_valid_q <= 1'b0;
    else out_valid_q <= flit_valid_i;
  end

  logic [VcWidth-1:0] out_vc_q;
  logic out_head_q, out_tail_q;
  logic [FlitBits-1:0] out_data_q;
  assign out_vc_o = out_vc_q;
  assign out_head_o = out_head_q;
  assign out_tail_o = out_tail_q;
  assign out_data_o = out_data_q;

  always_ff @(posedge clk_i) begin
    if (flit_valid_i) begin
      out_vc_q <= flit_vc_i;
      out_head_q <= flit_head_i;
      out_tail_q <= flit_tail_i;
      out_data_q <= sent_data;
    end
  end

  hw_reward #(
    .FlitBits(FlitBits), .TimeBits(TimeBits), .ArrivalLsb(ArrivalLsb), .RewardBits(RewardBits), .RewardLsb(RewardLsb),
    .LinkCycles(LinkCycles), .Accumulate(AccumulateAge)
  ) u_reward (
    .now_i(now_i), .head_i(flit_head_i), .data_i(flit_data_i), .data_o(sent_data)
  );

  hw_link_pacer #(.Num(CyclesPerFlitNum), .Den(CyclesPerFlitDen)) u_pacer (
    .clk_i(clk_i), .rst_ni(rst_ni), .want_i(1'b0), .send_i(grant_valid_i), .ready_o(pacer_ready), .at_rest_o(pacer_at_rest)
  );

  hw_queue_meter #(
    .NumVcs(NumVcs), .VcDepths(VcDepths),
    .QueueMetric(QueueMetric == hw_router_pkg::LocalQueue ? hw_router_pkg::NoMetric : QueueMetric), .FlightCycles(FlightCycles), .QueueWidth(QueueWidth)
  ) u_meter (
    .clk_i(clk_i), .rst_ni(rst_ni), .enter_i(flit_valid_i), .send_i(flit_valid_i), .credit_i(out_credit_valid_i),
    .queue_o(queue_o), .at_rest_o(meter_at_rest)
  );

  assign ready_o = pacer_ready;
  assign buffer_space_o = space;
  assign idle_o = pacer_at_rest && meter_at_rest && !out_valid_q;

  `HW_ASSUME(a_no_credit_beyond_depth,
             !out_credit_valid_i || space_q[out_credit_vc_i*SpaceWidth+:SpaceWidth]
                                != depth[out_credit_vc_i*SpaceWidth+:SpaceWidth])
  `HW_ASSERT(a_reserves_only_space,
             !(flit_valid_i && flit_head_i) || space_q[flit_vc_i*SpaceWidth+:SpaceWidth] >= flit_need_i)
  `HW_ASSERT(a_head_takes_a_free_vc, !grant_valid_i || grant_head_i == ((owned_q & grant_vc_i) == '0))

endmodule

`default_nettype wire
