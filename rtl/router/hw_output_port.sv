// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"

// One output port of the router: hw_queued_output_unit where there are queues, else hw_output_unit. Beside it what Room asks for,
// where packets have several flits and switching is not wormhole:
//   LongestRoom: a VC is free only where the longest packet has room, so that all packets that wait for it ask for it at once, and
//     none is passed for want of places: the turns of the allocator decide.
//   CollectedRoom: VCs collect room for long packets (hw_room_collector). They are closed meanwhile: space_o is 0.
//
// Latency, throughput, combinational paths, what it assumes and guarantees: as the unit that is built. Besides: packets do not
// wait in this router for 7/8 of the clock that their heads are stamped by (see hw_reward).
// Reference: Dally & Towles, sections 13.3 and 17.2.
module hw_output_port #(
  parameter int unsigned Inputs = 1,                     // input ports that may send here
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // of the downstream buffers
  parameter int unsigned QueueFlits = 0,                 // of each VC's queue here; 0 or 1: there is none
  parameter int unsigned SpaceWidth = 0,
  parameter int unsigned LenLsb = 0,
  parameter int unsigned LenBits = 1,
  parameter int unsigned LenOffset = 0,
  parameter int unsigned Switching = hw_router_pkg::VirtualCutThrough,
  parameter int unsigned GrantCycles = 0,                // see hw_output_unit
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter bit HoldPacket = 1'b0,
  parameter bit [NumVcs*4-1:0] Ranks = '0,               // see hw_queued_output_unit, as RankPackets
  parameter int unsigned RankPackets = 1,
  parameter bit Patient = 1'b0,                          // see hw_candidate_choice
  parameter int unsigned Room = hw_router_pkg::PacketRoom,
  parameter int unsigned ShareBits = 4,                  // see hw_room_collector
  parameter int unsigned CyclesPerFlitNum = 1,
  parameter int unsigned CyclesPerFlitDen = 1,
  parameter bit IdleWait = 1'b0,                         // see hw_link_pacer
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
  output logic                               ready_o,      // the link, or the queue, takes a flit
  output logic [NumVcs*SpaceWidth-1:0]       space_o,      // for a new packet; 0 where the VC is owned or closed
  output logic [NumVcs*SpaceWidth-1:0]       buffer_space_o,  // the same, owned or not: a lower bound of what comes free
  output logic [NumVcs-1:0]                  vc_free_o,    // space_o is not 0; with LongestRoom: and room_o
  output logic [NumVcs-1:0]                  room_o,       // owned or not: room for the longest packet, a flit under wormhole
  output logic [NumVcs-1:0]                  flit_fits_o,  // wormhole: one more flit fits
  output logic [NumVcs-1:0]                  vc_taken_o,   // see hw_output_unit
  output logic [NumVcs*SpaceWidth-1:0]       offered_o,    // buffer_space_o, but 0 where patient packets must not wait
  output logic [NumVcs-1:0]                  collects_o,   // see hw_room_collector
  // To route computation
  output logic [QueueWidth-1:0]              queue_o,      // flits of all VCs by QueueMetric
  // Downstream channel
  `HW_CHANNEL_SENDER(out, 1),
  // Status
  output logic                               idle_o        // nothing here changes without an input
);

  logic [NumVcs*SpaceWidth-1:0] space;      // of the unit, as the following
  logic [NumVcs-1:0] vc_free, vc_taken;
  logic idle;

  if (QueueFlits > 1) begin : gen_queued
    hw_queued_output_unit #(
      .NumVcs(NumVcs), .FlitBits(FlitBits), .MaxFlits(MaxFlits), .VcDepths(VcDepths), .QueueFlits(QueueFlits),
      .SpaceWidth(SpaceWidth), .LenLsb(LenLsb), .LenBits(LenBits), .LenOffset(LenOffset),
      .Switching(Switching), .GrantCycles(GrantCycles), .AdaptiveVcs(AdaptiveVcs), .HoldPacket(HoldPacket), .Ranks(Ranks),
      .RankPackets(RankPackets), .CyclesPerFlitNum(CyclesPerFlitNum), .CyclesPerFlitDen(CyclesPerFlitDen), .IdleWait(IdleWait),
      .QueueMetric(QueueMetric), .FlightCycles(FlightCycles), .QueueWidth(QueueWidth),
      .TimeBits(TimeBits), .ArrivalLsb(ArrivalLsb), .RewardBits(RewardBits), .RewardLsb(RewardLsb),
      .LinkCycles(LinkCycles), .AccumulateAge(AccumulateAge)
    ) u_output (
      .space_o(space), .vc_free_o(vc_free), .vc_taken_o(vc_taken), .idle_o(idle), .*
    );
  end else begin : gen_direct
    hw_output_unit #(
      .NumVcs(NumVcs), .FlitBits(FlitBits), .MaxFlits(MaxFlits), .VcDepths(VcDepths), .SpaceWidth(SpaceWidth),
      .Switching(Switching), .GrantCycles(GrantCycles), .AdaptiveVcs(AdaptiveVcs), .HoldPacket(HoldPacket),
      .CyclesPerFlitNum(CyclesPerFlitNum), .CyclesPerFlitDen(CyclesPerFlitDen),
      .QueueMetric(QueueMetric), .FlightCycles(FlightCycles), .QueueWidth(QueueWidth),
      .TimeBits(TimeBits), .ArrivalLsb(ArrivalLsb), .RewardBits(RewardBits), .RewardLsb(RewardLsb),
      .LinkCycles(LinkCycles), .AccumulateAge(AccumulateAge)
    ) u_output (
      .space_o(space), .vc_free_o(vc_free), .vc_taken_o(vc_taken), .idle_o(idle), .*
    );
  end

  localparam bit Lengths = MaxFlits > 1 && Switching != hw_router_pkg::Wormhole;  // packets need room for several flits
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_room
    localparam int unsigned Depth = QueueFlits > 1 ? QueueFlits : {16'b0, VcDepths[v*16+:16]};
    localparam int unsigned Longest = !Lengths ? 1 : MaxFlits < Depth ? MaxFlits : Depth;
    assign room_o[v] = buffer_space_o[v*SpaceWidth+:SpaceWidth] >= SpaceWidth'(Longest);
  end

  if (Lengths && Room == hw_router_pkg::CollectedRoom) begin : gen_collects
    logic [NumVcs-1:0] closed, closes;
    logic at_rest;
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
      assign space_o[v*SpaceWidth+:SpaceWidth] = closed[v] ? '0 : space[v*SpaceWidth+:SpaceWidth];
      // A closed VC may open only when others have turned to their escapes.
      assign offered_o[v*SpaceWidth+:SpaceWidth] = Patient && closed[v] ? '0 : buffer_space_o[v*SpaceWidth+:SpaceWidth];
    end
    hw_room_collector #(.NumVcs(NumVcs), .Inputs(Inputs), .ShareBits(ShareBits)) u_collector (
      .clk_i(clk_i), .rst_ni(rst_ni), .room_i(room_o), .head_vc_i(grant_vc_i & {NumVcs{grant_valid_i && grant_head_i}}),
      .collects_o(collects_o), .closed_o(closed), .closes_o(closes), .at_rest_o(at_rest)
    );
    assign vc_free_o = vc_free & ~closed;
    assign vc_taken_o = vc_taken | closes;
    assign idle_o = idle && at_rest;
    `HW_ASSERT(a_no_head_takes_a_closed_vc, !(grant_valid_i && grant_head_i) || (grant_vc_i & closed) == '0)
  end else begin : gen_offers_all
    assign space_o = space;
    assign vc_free_o = Lengths && Room == hw_router_pkg::LongestRoom ? vc_free & room_o : vc_free;
    assign vc_taken_o = vc_taken;
    assign idle_o = idle;
    assign collects_o = '0;
    assign offered_o = buffer_space_o;
  end

  `HW_ASSERT(a_longest_fits, !Lengths || Room != hw_router_pkg::LongestRoom || !(grant_valid_i && grant_head_i) || (grant_vc_i & ~room_o) == '0)
  `HW_ASSUME(a_waits_end_before_the_clock_comes_round, !(flit_valid_i && flit_head_i && TimeBits > RewardBits)
             || TimeWidth'(now_i - flit_data_i[ArrivalLsb+:TimeWidth]) < (TimeBits > 3 ? TimeWidth'(7 << (TimeBits - 3)) : '1))

endmodule

`default_nettype wire
