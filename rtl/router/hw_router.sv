// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_channel.svh"
`include "hw_turns.svh"

// The router: input units, switch and output units. Routing is a plug beside it: one unit of rtl/routing is connected to rc_*, rsp_* and turn_* by whoever instantiates the router.
//
// Latency: head flit on the input pins in cycle t is on the output pins in cycle t + PipelineCycles at zero load, with a
// route computation of latency 0:
//   2: buffer write | route, fit, allocate, cross            3: buffer write | route | fit, allocate, cross
//   4: buffer write | route, fit | allocate | cross          5: buffer write | route | fit | allocate | cross
// where fit finds the output VCs with room for the packet. With 4 and 5 the switch is requested from registers.
// Throughput: one flit per port and cycle in each direction, limited by the link's CyclesPerFlit.
// Learning (TimeBits > 0): the head of a packet that leaves says in its reward field how many core cycles lie between its
// arrival on the input pins here and its arrival at the other end of the link. That needs this router's clock only.
// Combinational paths: rsp_* -> turn_*, else to internal registers only; every output to a channel is a register.
// Assumes: channels follow the credit protocol with the depths given; without Checks, a head flit's length field is true.
// Guarantees with Checks: whatever stands in a head, its packet leaves by a turn of TurnTable, with as many flits as its head says,
// or is dropped, with all of its flits, and reported once; no other packet waits for it.
// Guarantees: no flit is lost, copied or reordered within a VC; a packet enters a VC only where it fits (VCT, SAF).
// Reference: Dally & Towles, chapters 16 and 17; Kermani & Kleinrock 1979 (virtual cut-through).
module hw_router #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // of every input port here and downstream
  parameter int unsigned RouteBits = 0,                  // low bits of a head flit that routing reads
  parameter int unsigned LenLsb = 0,                     // length field within them; unused if MaxFlits is 1
  parameter int unsigned LenBits = 1,
  parameter int unsigned LenOffset = 0,                  // packet length in flits = field + LenOffset
  parameter int unsigned StateLsb = 0,
  parameter int unsigned StateBits = 0,                  // 0: routing never rewrites its state
  parameter int unsigned NumCands = 1,                   // candidates of a routing decision
  parameter int unsigned DorBias = 0,                    // see hw_input_unit; at most 2^SpaceWidth - 1
  parameter bit FirstFit = 1'b0,                         // see hw_input_unit, as Patient
  parameter bit Patient = 1'b0,
  parameter bit [NumPorts-1:0] LatePorts = {NumPorts{1'b1}},  // input ports that ask for routes late: see hw_packet_routes
  parameter int unsigned InFlight = 0,                   // of the others, questions without an answer
  parameter int unsigned TimeBits = 0,                   // of the field arrival; 0: no such fields
  parameter int unsigned ArrivalLsb = 0,
  parameter int unsigned RewardBits = TimeBits,
  parameter int unsigned RewardLsb = 0,
  parameter bit AccumulateAge = 1'b0,                    // see hw_reward
  parameter bit [NumPorts*16-1:0] LinkCycles = '0,       // latency of every port's link; for the reward
  parameter int unsigned Switching = hw_router_pkg::VirtualCutThrough,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter int unsigned OutputQueueFlits = 0,           // per output VC; 0 or 1: purely input-queued
  parameter bit OutputFirst = 1'b0,                      // allocator: 0 input-first, 1 output-first
  parameter bit [NumPorts*4-1:0] Weights = {NumPorts{4'd1}},  // of the input ports, 1 to 15: see hw_switch_allocator
  parameter bit [NumVcs*4-1:0] Ranks = '0,               // of the VCs' message classes: see hw_class_turns, as RankPackets, its Packets
  parameter int unsigned RankPackets = 1,
  parameter int unsigned Iterations = 1,
  parameter int unsigned Room = hw_router_pkg::PacketRoom,  // what a head finds in an output VC: see hw_output_port
  parameter bit HoldPacket = 1'b1,                       // crossbar and link packet by packet, else flit by flit, as wormhole always
  parameter bit Reserve = 1'b0,                          // a waiting head has an output VC reserved: see hw_head_reservation
  parameter int unsigned PipelineCycles = 2,             // 2 to 5; 4 and 5 not for wormhole
  parameter int unsigned CyclesPerFlitNum = 1,
  parameter int unsigned CyclesPerFlitDen = 1,
  parameter bit IdleWait = 1'b0,                         // see hw_link_pacer; with output queues
  parameter int unsigned SpaceWidth = 0,                 // holds the largest depth
  parameter int unsigned QueueMetric = hw_router_pkg::NoMetric,  // see hw_queue_meter
  parameter bit [NumPorts*16-1:0] FlightCycles = '0,     // of every port: two link latencies; for InFlightCorrected
  parameter int unsigned QueueWidth = 1,                 // bits of one port's metric
  parameter bit [NumPorts*NumVcs*NumPorts*NumVcs-1:0] TurnTable = {NumPorts*NumVcs*NumPorts*NumVcs{1'b1}},  // other turns are not wired
  parameter bit Checks = 1'b0,                           // packets that go nowhere are dropped: see hw_input_unit, as Poison
  parameter bit Poison = 1'b0,
  parameter int unsigned NumNetworkPorts = NumPorts,     // the lowest ports; the others are terminals
  parameter bit Marks = 1'b0,                            // see hw_congestion_marker, as MarkLsb
  parameter int unsigned MarkLsb = 0,
  parameter int unsigned MarkClasses = 1,                // its NumClasses
  parameter int unsigned NumFields = 1,                  // of a destination: see hw_head_check
  parameter bit [NumFields*8-1:0] FieldLsbs = '0,
  parameter bit [NumFields*8-1:0] FieldBits = '0,
  parameter bit [NumFields*16-1:0] FieldSizes = '0,
  parameter int unsigned ClassLsb = 0,                   // routing class, 0 where packets come from terminals
  parameter int unsigned ClassBits = 0,
  parameter bit [FlitBits-1:0] ParityMask = '0,          // bits of a head of which an even number is 1, no times among them; 0: none
  parameter int unsigned ParityLsb = 0,                  // of the parity bit, one of the mask
  parameter int unsigned HopLsb = 0,                     // links that a head has crossed, counted here
  parameter int unsigned HopBits = 0,                    // 0: no such field
  parameter int unsigned HopLimit = 0,                   // links; below 2^HopBits
  parameter bit Watched = 1'b0,                          // see hw_vc_watch
  parameter bit MemoryParity = 1'b0,                     // with Checks: see hw_input_unit
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned WantsBits = NumCands * (PortWidth + NumVcs), WaitBits = hw_router_pkg::WaitBits,
  localparam int unsigned StateWidth = StateBits > 0 ? StateBits : 1,
  localparam int unsigned TimeWidth = TimeBits > 0 ? TimeBits : 1
) (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_ni,
  input  wire logic [TimeWidth-1:0]                     now_i,        // core cycles, modulo 2^TimeBits
  input  wire logic [15:0]                              mark_i,       // see hw_congestion_marker
  // Incoming channels, one slice per port
  `HW_CHANNEL_RECEIVER(in, NumPorts),
  // Outgoing channels
  `HW_CHANNEL_SENDER(out, NumPorts),
  // Route computation: one request and one response per input port
  output logic [NumPorts-1:0]                           rc_valid_o,
  input  wire logic [NumPorts-1:0]                      rc_ready_i,
  output logic [NumPorts*VcWidth-1:0]                   rc_vc_o,
  output logic [NumPorts*RouteBits-1:0]                 rc_bits_o,
  output logic [NumPorts*NumVcs*SpaceWidth-1:0]         rc_space_o,   // context: space of every output VC, 0 where it is owned or closed
  output logic [NumPorts*NumVcs*SpaceWidth-1:0]         rc_buffer_space_o,  // context: the same, whoever owns the VC
  output logic [NumPorts*QueueWidth-1:0]                rc_queue_o,   // context: queue metric of every output port
  input  wire logic [NumPorts-1:0]                      rsp_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]              rsp_vc_i,
  input  wire logic [NumPorts*NumCands*PortWidth-1:0]   rsp_port_i,
  input  wire logic [NumPorts*NumCands*NumVcs-1:0]      rsp_vcs_i,
  input  wire logic [NumPorts*StateWidth-1:0]           rsp_state_i,
  // Per input port: the head flit of this VC crosses to this output VC; combinational
  output logic [NumPorts-1:0]                           turn_valid_o,
  output logic [NumPorts*VcWidth-1:0]                   turn_vc_o,
  output logic [NumPorts*VcWidth-1:0]                   turn_out_vc_o,
  // Per input port: a packet is dropped, why, and the low bits of its head
  output logic [NumPorts-1:0]                           drop_o,
  output logic [NumPorts*hw_drop_pkg::CauseBits-1:0]  drop_cause_o,
  output logic [NumPorts*RouteBits-1:0]                 drop_bits_o,
  // Per input port: the watchdog visits it, and what it finds: see hw_vc_watch
  input  wire logic [NumPorts-1:0]                      visit_i,
  input  wire logic [VcWidth-1:0]                       visit_vc_i,
  output logic [NumPorts-1:0]                           stuck_o,
  output logic [NumPorts*WaitBits-1:0]                  stuck_cause_o,
  output logic [NumPorts*WantsBits-1:0]                 stuck_wants_o,
  // Status
  output logic [NumPorts-1:0]                           stalled_o,    // the input port holds flits and sends none
  output logic                                          quiescent_o   // without input, no state changes
);

  if (NumPorts < 2 || NumVcs == 0 || FlitBits == 0 || MaxFlits == 0 || RouteBits == 0 || SpaceWidth == 0) begin : gen_bad_size
    $error("hw_router: NumPorts must be at least 2, and NumVcs, FlitBits, MaxFlits, RouteBits and SpaceWidth be set");
  end
  if (PipelineCycles < 2 || PipelineCycles > 5) begin : gen_bad_pipeline
    $error("hw_router: PipelineCycles must be 2 to 5");
  end

  // A wormhole packet may stop midway for want of credits. It must not keep the link then: the other VCs, the escape VCs among
  // them, would stop too, and the proof would not hold.
  localparam bit Hold = HoldPacket && MaxFlits > 1 && Switching != hw_router_pkg::Wormhole;

  // What the relation never does is not built.
  `HW_TURN_SETS(NumPorts, NumVcs, TurnTable)  // see hw_turn_monitor
  localparam bit [NumPorts*NumVcs*NumPorts-1:0] VcTurns = vc_turns();
  localparam bit [NumPorts*NumPorts-1:0] PortTurns = port_turns();
  `HW_TURN_RANK(NumPorts, PortTurns)

  localparam int unsigned GrantCycles = PipelineCycles >= 4 ? 1 : 0;  // from a grant to the crossbar

  logic [NumPorts*NumVcs-1:0] req_valid;
  logic [NumPorts*NumVcs*PortWidth-1:0] req_port;
  logic [NumPorts*NumVcs*VcWidth-1:0] req_out_vc;
  logic [NumPorts-1:0] grant, flit_head, flit_tail, busy, ready, idle, withdraw;
  logic [NumPorts*VcWidth-1:0] grant_vc;
  logic [NumPorts*SpaceWidth-1:0] flit_need, cross_need;
  logic [NumPorts*FlitBits-1:0] flit_data, cross_data, marked_data;
  logic [NumPorts-1:0] out_grant, out_grant_head, out_grant_more;
  logic [NumPorts*NumVcs-1:0] out_grant_vc;
  logic [NumPorts-1:0] cross_valid, cross_head, cross_tail;
  logic [NumPorts*VcWidth-1:0] cross_vc;
  logic switch_idle, marker_rests;
  logic [NumPorts*NumVcs*SpaceWidth-1:0] space, offered;
  logic [NumPorts*NumVcs-1:0] vc_free, room, flit_fits, vc_taken, collects;
  logic [VcWidth-1:0] look_vc;              // see hw_head_reservation, as the following
  logic [NumPorts*NumPorts*NumVcs-1:0] awaits, others;
  logic reservation_rests;

  assign rc_space_o = space;

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_in
    localparam int unsigned Turns = NumVcs * NumPorts * NumVcs;
    hw_input_unit #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .FlitBits(FlitBits), .MaxFlits(MaxFlits), .VcDepths(VcDepths),
      .SpaceWidth(SpaceWidth), .RouteBits(RouteBits), .LenLsb(LenLsb), .LenBits(LenBits), .LenOffset(LenOffset),
      .StateLsb(StateLsb), .StateBits(StateBits), .NumCands(NumCands), .DorBias(DorBias), .FirstFit(FirstFit), .Patient(Patient),
      .TimeBits(TimeBits), .ArrivalLsb(ArrivalLsb), .Switching(Switching), .Room(Room),
      .Late(LatePorts[p]), .InFlight(InFlight), .HoldPacket(Hold), .PipelineCycles(PipelineCycles),
      .Checks(Checks), .Poison(Poison), .NumFields(NumFields), .FieldLsbs(FieldLsbs), .FieldBits(FieldBits), .FieldSizes(FieldSizes),
      .ClassLsb(ClassLsb), .ClassBits(p < NumNetworkPorts ? 0 : ClassBits), .ParityMask(ParityMask), .ParityLsb(ParityLsb),
      .HopLsb(HopLsb), .HopBits(HopBits), .HopLimit(p < NumNetworkPorts ? HopLimit : 0), .Watched(Watched),
      .MemoryParity(MemoryParity)
    ) u_input (
      .clk_i(clk_i), .rst_ni(rst_ni), .turns_i(TurnTable[p*Turns+:Turns]), .now_i(now_i),
      .in_valid_i(in_valid_i[p]), .in_vc_i(in_vc_i[p*VcWidth+:VcWidth]),
      .in_head_i(in_head_i[p]), .in_tail_i(in_tail_i[p]), .in_data_i(in_data_i[p*FlitBits+:FlitBits]),
      .credit_valid_o(in_credit_valid_o[p]), .credit_vc_o(in_credit_vc_o[p*VcWidth+:VcWidth]),
      .rc_valid_o(rc_valid_o[p]), .rc_ready_i(rc_ready_i[p]), .rc_vc_o(rc_vc_o[p*VcWidth+:VcWidth]),
      .rc_bits_o(rc_bits_o[p*RouteBits+:RouteBits]),
      .rsp_valid_i(rsp_valid_i[p]), .rsp_vc_i(rsp_vc_i[p*VcWidth+:VcWidth]),
      .rsp_port_i(rsp_port_i[p*NumCands*PortWidth+:NumCands*PortWidth]),
      .rsp_vcs_i(rsp_vcs_i[p*NumCands*NumVcs+:NumCands*NumVcs]),
      .rsp_state_i(rsp_state_i[p*StateWidth+:StateWidth]),
      .space_i(offered), .room_i(room), .free_i(vc_free & ~others[p*NumPorts*NumVcs+:NumPorts*NumVcs]), .flow_i(flit_fits),
      .block_i(vc_taken | others[p*NumPorts*NumVcs+:NumPorts*NumVcs]), .look_vc_i(look_vc),
      .awaits_o(awaits[p*NumPorts*NumVcs+:NumPorts*NumVcs]),
      .req_valid_o(req_valid[p*NumVcs+:NumVcs]), .req_port_o(req_port[p*NumVcs*PortWidth+:NumVcs*PortWidth]),
      .req_out_vc_o(req_out_vc[p*NumVcs*VcWidth+:NumVcs*VcWidth]), .withdraw_o(withdraw[p]),
      .grant_i(grant[p]), .grant_vc_i(grant_vc[p*VcWidth+:VcWidth]),
      .flit_head_o(flit_head[p]), .flit_tail_o(flit_tail[p]), .flit_vc_o(turn_out_vc_o[p*VcWidth+:VcWidth]),
      .flit_need_o(flit_need[p*SpaceWidth+:SpaceWidth]), .flit_data_o(flit_data[p*FlitBits+:FlitBits]), .drop_o(drop_o[p]),
      .visit_i(visit_i[p]), .visit_vc_i(visit_vc_i), .stuck_o(stuck_o[p]), .stuck_cause_o(stuck_cause_o[p*WaitBits+:WaitBits]),
      .stuck_wants_o(stuck_wants_o[p*WantsBits+:WantsBits]),
      .drop_bits_o(drop_bits_o[p*RouteBits+:RouteBits]), .drop_cause_o(drop_cause_o[p*hw_drop_pkg::CauseBits+:hw_drop_pkg::CauseBits]), .busy_o(busy[p])
    );
    assign turn_valid_o[p] = grant[p] && flit_head[p];
    assign turn_vc_o[p*VcWidth+:VcWidth] = grant_vc[p*VcWidth+:VcWidth];
  end

  if (Reserve) begin : gen_reserve
    localparam int unsigned CyclesPerFlit = (CyclesPerFlitNum + CyclesPerFlitDen - 1) / CyclesPerFlitDen;
    wire any_busy = busy != '0;
    hw_head_reservation #(.NumPorts(NumPorts), .NumVcs(NumVcs), .Cycles(16 << $clog2(MaxFlits * CyclesPerFlit))) u_reservation (
      .clk_i(clk_i), .rst_ni(rst_ni), .busy_i(any_busy), .look_vc_o(look_vc), .awaits_i(awaits), .room_i(room),
      .reserved_o(others), .at_rest_o(reservation_rests)
    );
  end else begin : gen_no_reserve
    assign {look_vc, others} = '0;
    assign reservation_rests = 1'b1;
    wire unused_awaits = &{1'b0, awaits};
  end

  hw_switch #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .FlitBits(FlitBits), .SpaceWidth(SpaceWidth), .VcDepths(VcDepths), .TurnTable(TurnTable),
    .GrantCycles(GrantCycles), .Iterations(Iterations), .OutputFirst(OutputFirst), .Weights(Weights),
    .Ranks(Ranks), .RankPackets(RankPackets), .HoldPacket(Hold)
  ) u_switch (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i), .in_credit_valid_i(in_credit_valid_o),
    .req_valid_i(req_valid), .req_port_i(req_port), .req_out_vc_i(req_out_vc), .withdraw_i(withdraw),
    .ready_i(ready), .collects_i(collects),
    .grant_o(grant), .grant_vc_o(grant_vc),
    .flit_head_i(flit_head), .flit_tail_i(flit_tail), .flit_vc_i(turn_out_vc_o), .flit_need_i(flit_need), .flit_data_i(flit_data),
    .out_grant_valid_o(out_grant), .out_grant_vc_o(out_grant_vc), .out_grant_head_o(out_grant_head), .out_grant_more_o(out_grant_more),
    .out_valid_o(cross_valid), .out_head_o(cross_head), .out_tail_o(cross_tail), .out_vc_o(cross_vc), .out_need_o(cross_need),
    .out_data_o(cross_data), .idle_o(switch_idle)
  );

  hw_congestion_marker #(
    .NumPorts(NumPorts), .NumNetworkPorts(NumNetworkPorts), .NumVcs(NumVcs), .FlitBits(FlitBits), .Marks(Marks), .MarkLsb(MarkLsb),
    .NumClasses(MarkClasses)
  ) u_marker (
    .clk_i(clk_i), .rst_ni(rst_ni), .mark_i(mark_i), .req_valid_i(req_valid), .req_port_i(req_port), .free_i(vc_free & room),
    .head_i(cross_head), .vc_i(cross_vc), .data_i(cross_data), .data_o(marked_data), .at_rest_o(marker_rests)
  );

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_out
    hw_output_port #(
      .Inputs(rank(p, NumPorts) > 0 ? rank(p, NumPorts) : 1), .NumVcs(NumVcs), .FlitBits(FlitBits), .MaxFlits(MaxFlits), .VcDepths(VcDepths),
      .QueueFlits(OutputQueueFlits), .SpaceWidth(SpaceWidth), .LenLsb(LenLsb),
      .LenBits(LenBits), .LenOffset(LenOffset), .Switching(Switching), .GrantCycles(GrantCycles), .AdaptiveVcs(AdaptiveVcs),
      .Ranks(Ranks), .RankPackets(RankPackets), .HoldPacket(Hold), .Patient(Patient), .Room(Room), .CyclesPerFlitNum(CyclesPerFlitNum), .CyclesPerFlitDen(CyclesPerFlitDen), .IdleWait(IdleWait),
      .QueueMetric(QueueMetric), .FlightCycles(32'(FlightCycles[p*16+:16])), .QueueWidth(QueueWidth),
      .TimeBits(TimeBits), .ArrivalLsb(ArrivalLsb), .RewardBits(RewardBits), .RewardLsb(RewardLsb),
      .LinkCycles(32'(LinkCycles[p*16+:16])), .AccumulateAge(AccumulateAge)
    ) u_output (
      .clk_i(clk_i), .rst_ni(rst_ni), .now_i(now_i),
      .grant_valid_i(out_grant[p]), .grant_vc_i(out_grant_vc[p*NumVcs+:NumVcs]),
      .grant_head_i(out_grant_head[p]), .grant_more_i(out_grant_more[p]),
      .flit_valid_i(cross_valid[p]), .flit_head_i(cross_head[p]), .flit_tail_i(cross_tail[p]),
      .flit_vc_i(cross_vc[p*VcWidth+:VcWidth]), .flit_need_i(cross_need[p*SpaceWidth+:SpaceWidth]),
      .flit_data_i(marked_data[p*FlitBits+:FlitBits]),
      .ready_o(ready[p]), .space_o(space[p*NumVcs*SpaceWidth+:NumVcs*SpaceWidth]),
      .buffer_space_o(rc_buffer_space_o[p*NumVcs*SpaceWidth+:NumVcs*SpaceWidth]),
      .vc_free_o(vc_free[p*NumVcs+:NumVcs]), .room_o(room[p*NumVcs+:NumVcs]), .flit_fits_o(flit_fits[p*NumVcs+:NumVcs]), .vc_taken_o(vc_taken[p*NumVcs+:NumVcs]),
      .offered_o(offered[p*NumVcs*SpaceWidth+:NumVcs*SpaceWidth]), .collects_o(collects[p*NumVcs+:NumVcs]), .queue_o(rc_queue_o[p*QueueWidth+:QueueWidth]),
      `HW_CHANNEL_LANE(out, out, o, i, p),
      .idle_o(idle[p])
    );
  end

  if (!Checks) begin : gen_answers_are_wired
    hw_answer_monitor #(.NumPorts(NumPorts), .NumVcs(NumVcs), .NumCands(NumCands), .VcTurns(VcTurns), .TurnTable(TurnTable)) u_answer_monitor (
      .clk_i(clk_i), .rst_ni(rst_ni), .rsp_valid_i(rsp_valid_i), .rsp_vc_i(rsp_vc_i), .rsp_port_i(rsp_port_i), .rsp_vcs_i(rsp_vcs_i)
    );
  end

  assign stalled_o = busy & ~grant;
  assign quiescent_o = busy == '0 && switch_idle && in_credit_valid_o == '0 && idle == '1 && marker_rests && reservation_rests;

endmodule

`default_nettype wire
