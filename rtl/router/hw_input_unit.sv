// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// One input port of the router: its flits, the routes of its packets, and its requests to the switch.
//
// The flits of every VC wait in hw_flit_store, the routes of their packets in hw_packet_routes. Of the candidates of a VC's first
// packet hw_candidate_choice chooses anew in every cycle what is requested. Where requests start from registers
// (hw_request_register) the packet behind one that leaves is chosen for, too, so that it requests in the cycle after the tail's
// grant: packets of one VC follow each other without a pause, but for a cycle behind a packet of one flit where others have more.
//
// Where routing learns, the head flit notes when it arrived here (TimeBits).
//
// With Checks a packet that goes nowhere (hw_head_check, or an answer without a candidate that is wired) is discarded, and reported
// once (drop_*); a length that is false harms its packet only: see hw_packet_sink. What is written into heads: hw_head_rewrite.
// With MemoryParity so is one whose route was read with bad parity, and the store has each tail mark three times: a false one would make
// a packet of what is left of another. A bit of a head that flips there is found behind the link.
//
// Latency: a head flit on the input pins in cycle t requests the switch in cycle t+1 (PipelineCycles 2, with a route
// computation of latency 0), t+2 (3 and 4) or t+3 (5). Its data come with the grant, or in the next cycle (4 and 5).
// Throughput: one flit in, one flit out, one routing decision per cycle; for Late see hw_packet_routes.
// Combinational paths: with PipelineCycles 2 or 3 space_i, free_i, rsp_* -> req_*, and with 2 rc_* -> rsp_* -> req_*; with 4 or 5
// requests start from registers, and block_i tells them of the grants in between, withdraw_o from the flit store. grant_* -> flit_*.
// Assumes: a grant only answers a request of the same cycle; the space downstream shrinks only by this router's grants;
// an accepted question (rc_valid_o, rc_ready_i) is answered once, questions of a VC in their order. Without Checks: an answer has a
// candidate among turns_i (no others are wired), the length in a head is that of its packet.
// Guarantees: a head requests an output VC only where the whole packet fits (VCT, SAF) or a flit does (wormhole). Checked by assertions of hw_port_requests.
// Reference: Dally & Towles, sections 13.2 (virtual cut-through), 16.1 and 17.1.
module hw_input_unit #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter int unsigned SpaceWidth = 0,                 // bits of one VC's space
  parameter int unsigned RouteBits = 0,
  parameter int unsigned LenLsb = 0,                     // length field of the head flit; unused if MaxFlits is 1
  parameter int unsigned LenBits = 1,
  parameter int unsigned LenOffset = 0,
  parameter int unsigned StateLsb = 0,                   // routing state in the head flit
  parameter int unsigned StateBits = 0,                  // 0: routing never rewrites it
  parameter int unsigned NumCands = 1,
  parameter int unsigned DorBias = 0,                    // see hw_candidate_choice, as FirstFit and Patient
  parameter bit FirstFit = 1'b0,
  parameter bit Patient = 1'b0,                          // not wormhole
  parameter int unsigned TimeBits = 0,                   // 0: no time of arrival in the head flit
  parameter int unsigned ArrivalLsb = 0,
  parameter int unsigned Switching = 0,                  // 0 VCT, 1 SAF, 2 wormhole
  parameter int unsigned Room = 0,                       // 0 PacketRoom, 1 LongestRoom, 2 CollectedRoom: see hw_output_port
  parameter bit Late = 1'b1,                             // see hw_packet_routes, as InFlight
  parameter int unsigned InFlight = 0,
  parameter bit HoldPacket = 1'b0,                       // packet by packet; with PipelineCycles 4 and 5, else see the allocator
  parameter int unsigned PipelineCycles = 2,             // see hw_router; 4 and 5 not for wormhole
  parameter bit Poison = 1'b0,                           // made-up flits have their top bit set, which all else carries as data
  parameter bit Checks = 1'b0,                           // the fields that hw_head_check looks at:
  parameter int unsigned NumFields = 1,
  parameter bit [NumFields*8-1:0] FieldLsbs = '0,
  parameter bit [NumFields*8-1:0] FieldBits = '0,
  parameter bit [NumFields*16-1:0] FieldSizes = '0,
  parameter int unsigned ClassLsb = 0,
  parameter int unsigned ClassBits = 0,
  parameter bit [FlitBits-1:0] ParityMask = '0,          // 0: no parity
  parameter int unsigned ParityLsb = 0,                  // of the parity bit, one of the mask
  parameter int unsigned HopLsb = 0,
  parameter int unsigned HopBits = 0,                    // 0: hops are not counted
  parameter int unsigned HopLimit = 0,                   // 0: packets come from a terminal, and have none behind them
  parameter bit Watched = 1'b0,                          // a VC that does not move is found: see hw_vc_watch
  parameter bit MemoryParity = 1'b0,                     // only with Checks
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned StateWidth = StateBits > 0 ? StateBits : 1,
  localparam int unsigned TimeWidth = TimeBits > 0 ? TimeBits : 1,
  localparam int unsigned CauseBits = hw_drop_pkg::CauseBits,
  localparam int unsigned WantsBits = NumCands * (PortWidth + NumVcs)
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [NumVcs*NumPorts*NumVcs-1:0]      turns_i,      // static: of each VC, the output VCs that its packets may take
  input  wire logic [TimeWidth-1:0]                   now_i,        // core cycles, modulo 2^TimeBits
  // Upstream channel
  input  wire logic                                   in_valid_i,
  input  wire logic [VcWidth-1:0]                     in_vc_i,
  input  wire logic                                   in_head_i,
  input  wire logic                                   in_tail_i,
  input  wire logic [FlitBits-1:0]                    in_data_i,
  output logic                                        credit_valid_o,
  output logic [VcWidth-1:0]                          credit_vc_o,
  // Route computation
  output logic                                        rc_valid_o,
  input  wire logic                                   rc_ready_i,   // else the question is asked again, maybe another one
  output logic [VcWidth-1:0]                          rc_vc_o,
  output logic [RouteBits-1:0]                        rc_bits_o,
  input  wire logic                                   rsp_valid_i,
  input  wire logic [VcWidth-1:0]                     rsp_vc_i,
  input  wire logic [NumCands*PortWidth-1:0]          rsp_port_i,
  input  wire logic [NumCands*NumVcs-1:0]             rsp_vcs_i,    // empty set: no such candidate
  input  wire logic [StateWidth-1:0]                  rsp_state_i,
  // Every output VC: its downstream space, and whether a new packet may take it
  input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  space_i,
  input  wire logic [NumPorts*NumVcs-1:0]             room_i,       // owned or not: room for the longest packet, a flit under wormhole
  input  wire logic [NumPorts*NumVcs-1:0]             free_i,       // no other packet owns it, and there is space; with LongestRoom: room_i
  input  wire logic [NumPorts*NumVcs-1:0]             flow_i,       // wormhole: a credit for the VC's owner
  input  wire logic [NumPorts*NumVcs-1:0]             block_i,      // no head may take the output VC in the next cycle
  // Switch requests, one per VC
  output logic [NumVcs-1:0]                           req_valid_o,
  output logic [NumVcs*PortWidth-1:0]                 req_port_o,
  output logic [NumVcs*VcWidth-1:0]                   req_out_vc_o, // the lowest VC of that port that would do
  output logic                                        withdraw_o,   // late in the cycle: it asks for nothing, of no VC
  input  wire logic                                   grant_i,
  input  wire logic [VcWidth-1:0]                     grant_vc_i,
  // The granted flit
  output logic                                        flit_head_o,
  output logic                                        flit_tail_o,
  output logic [VcWidth-1:0]                          flit_vc_o,    // output VC
  output logic [SpaceWidth-1:0]                       flit_need_o,  // flits that a head reserves downstream
  output logic [FlitBits-1:0]                         flit_data_o,  // with PipelineCycles 4 and 5 in the next cycle
  // The watchdog: see hw_vc_watch
  input  wire logic                                   visit_i,
  input  wire logic [VcWidth-1:0]                     visit_vc_i,
  output logic                                        stuck_o,
  output logic [hw_router_pkg::WaitBits-1:0]          stuck_cause_o,
  output logic [WantsBits-1:0]                        stuck_wants_o,
  input  wire logic [VcWidth-1:0]                     look_vc_i,    // see hw_head_reservation, as the following
  output logic [NumPorts*NumVcs-1:0]                  awaits_o,
  // Status
  output logic                                        drop_o,       // a packet is dropped
  output logic [RouteBits-1:0]                        drop_bits_o,  // of its head
  output logic [CauseBits-1:0]                        drop_cause_o,
  output logic                                        busy_o        // a flit is buffered
);

  localparam bit SingleFlit = MaxFlits == 1;
  localparam bit Wormhole = Switching == hw_router_pkg::Wormhole;
  localparam bit OneNeed = SingleFlit || Wormhole || Room == hw_router_pkg::LongestRoom;  // see hw_candidate_choice
  localparam bit StoreAndForward = Switching == hw_router_pkg::StoreAndForward;
  localparam bit RequestRegistered = PipelineCycles >= 4;
  localparam bit Bypass = PipelineCycles == 2 || PipelineCycles == 4;  // an answer is used in the cycle in which it comes
  localparam bit TwoAhead = SingleFlit && RequestRegistered && !Late;  // choose for a packet and the one behind it
  localparam int unsigned LengthBits = $clog2(MaxFlits + 1);

  if ((RequestRegistered && Wormhole) || (Patient && (!FirstFit || Wormhole))) begin : gen_bad_pipeline
    $error("hw_input_unit: wormhole switching needs PipelineCycles 2 or 3; Patient needs FirstFit, and not wormhole");
  end

  // Flits -------------------------------------------------------------------------------------------------------
  localparam bit KeepsTail = Checks && !SingleFlit;
  localparam int unsigned StoreBits = FlitBits + (KeepsTail ? 1 : 0);
  logic [NumVcs-1:0] here, next_here;       // the VC holds a flit, and does in the next cycle
  logic [NumVcs-1:0] active, last;          // see hw_packet_progress
  logic [NumVcs*StateWidth-1:0] state;      // of each VC's first packet, as routing rewrites it
  logic [StoreBits-1:0] pop_flit;
  logic [FlitBits-1:0] pop_data, push_data, leaving;
  logic head_leaves, pop, pop_tail, made_up;
  logic [VcWidth-1:0] pop_vc;
  assign head_leaves = grant_i && flit_head_o;

  hw_head_rewrite #(
    .NumVcs(NumVcs), .FlitBits(FlitBits), .StateLsb(StateLsb), .StateBits(StateBits), .TimeBits(TimeBits), .ArrivalLsb(ArrivalLsb),
    .ParityMask(ParityMask), .ParityLsb(ParityLsb), .HopLsb(HopLsb), .HopBits(HopBits), .HopLimit(HopLimit),
    .Registered(RequestRegistered)
  ) u_heads (
    .clk_i(clk_i), .rst_ni(rst_ni), .now_i(now_i), .head_i(in_valid_i && in_head_i), .data_i(in_data_i), .kept_o(push_data),
    .grant_head_i(flit_head_o), .grant_vc_i(grant_vc_i), .state_i(state), .leaving_i(pop_data), .flit_o(leaving)
  );
  assign flit_data_o = leaving | (FlitBits'(Poison && made_up) << (FlitBits - 1));

  hw_flit_store #(
    .NumVcs(NumVcs), .FlitBits(StoreBits), .VcDepths(VcDepths), .ReadCycles(RequestRegistered ? 1 : 0), .VotesTop(MemoryParity && KeepsTail)
  ) u_flits (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(in_valid_i), .push_vc_i(in_vc_i), .push_data_i(StoreBits'({in_tail_i, push_data})),
    .valid_o(here), .next_valid_o(next_here), .pop_i(pop), .pop_vc_i(pop_vc), .pop_data_o(pop_flit)
  );
  assign pop_data = pop_flit[FlitBits-1:0];
  assign pop_tail = pop_flit[StoreBits-1];

  // What goes nowhere -------------------------------------------------------------------------------------------
  logic slot, slot_head;                    // nothing is requested, a flit is discarded
  logic [VcWidth-1:0] slot_vc;
  logic [NumVcs-1:0] whole, refused, drains, pad, next_drains, next_pad;
  logic [NumVcs*CauseBits-1:0] causes;
  logic [CauseBits-1:0] head_cause, slot_cause;
  if (Checks) begin : gen_sink
    hw_head_check #(
      .FlitBits(FlitBits), .NumFields(NumFields), .FieldLsbs(FieldLsbs), .FieldBits(FieldBits), .FieldSizes(FieldSizes),
      .MaxFlits(MaxFlits), .LenLsb(LenLsb), .LenBits(SingleFlit ? 0 : LenBits), .LenOffset(LenOffset), .ClassLsb(ClassLsb),
      .ClassBits(ClassBits), .ParityMask(ParityMask), .HopLsb(HopLsb), .HopBits(HopLimit > 0 ? HopBits : 0), .HopLimit(HopLimit)
    ) u_check (
      .head_i(in_data_i), .cause_o(head_cause)
    );
    hw_packet_sink #(.NumVcs(NumVcs), .SingleFlit(SingleFlit), .ReadCycles(RequestRegistered ? 1 : 0)) u_sink (
      .clk_i(clk_i), .rst_ni(rst_ni), .here_i(here), .refused_i(refused & whole & ~active), .grant_i(grant_i),
      .grant_vc_i(grant_vc_i), .grant_last_i(flit_tail_o), .pop_tail_i(pop_tail), .slot_o(slot), .slot_head_o(slot_head),
      .slot_vc_o(slot_vc), .withdraw_o(withdraw_o), .drains_o(drains), .next_drains_o(next_drains), .pad_o(pad),
      .next_pad_o(next_pad), .made_up_o(made_up)
    );
    assign slot_cause = causes[32'(slot_vc)*CauseBits+:CauseBits];
  end else begin : gen_no_sink
    assign {slot, slot_head, slot_vc, withdraw_o, drains, pad, next_drains, next_pad, made_up, head_cause, slot_cause} = '0;
    wire unused = &{1'b0, refused, causes, pop_tail};
  end
  assign drop_bits_o = pop_data[RouteBits-1:0];
  assign pop = slot || (grant_i && (pad & (NumVcs'(1) << grant_vc_i)) == '0);
  assign pop_vc = slot ? slot_vc : grant_vc_i;
  hw_pipe_register #(.Width(1), .Registered(RequestRegistered), .Cleared(1'b1))
    u_drop (.clk_i(clk_i), .rst_ni(rst_ni), .data_i(slot_head), .data_o(drop_o));
  hw_pipe_register #(.Width(CauseBits), .Registered(RequestRegistered))
    u_drop_cause (.clk_i(clk_i), .rst_ni(rst_ni), .data_i(slot_cause), .data_o(drop_cause_o));

  hw_whole_packets #(.NumVcs(NumVcs), .VcDepths(VcDepths), .MaxFlits(Checks ? MaxFlits : 0), .Counts(StoreAndForward && !SingleFlit)) u_whole (
    .clk_i(clk_i), .rst_ni(rst_ni), .flit_i(in_valid_i), .tail_i(in_tail_i), .flit_vc_i(in_vc_i), .leaves_i(head_leaves || slot_head),
    .leaves_vc_i(pop_vc), .whole_o(whole)
  );

  // Routes ------------------------------------------------------------------------------------------------------
  logic [NumVcs-1:0] known, second_known;
  logic [NumVcs*NumCands*PortWidth-1:0] cand_port, second_port;
  logic [NumVcs*NumCands*NumVcs-1:0] cand_vcs, second_vcs;
  logic [NumVcs*LengthBits-1:0] lengths;

  hw_packet_routes #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .VcDepths(VcDepths), .RouteBits(RouteBits), .LenLsb(LenLsb),
    .LenBits(SingleFlit ? 0 : LenBits), .LenOffset(LenOffset), .LengthBits(LengthBits), .StateBits(StateBits),
    .NumCands(NumCands), .Late(Late), .InFlight(InFlight), .Bypass(Bypass), .ShowsSecond(TwoAhead), .Checks(Checks), .MemoryParity(MemoryParity)
  ) u_routes (
    .clk_i(clk_i), .rst_ni(rst_ni), .turns_i(turns_i), .head_cause_i(head_cause), .refused_o(refused), .cause_o(causes),
    .head_valid_i(in_valid_i && in_head_i), .head_vc_i(in_vc_i), .head_bits_i(push_data[RouteBits-1:0]), .whole_i(whole),
    .rc_valid_o(rc_valid_o), .rc_ready_i(rc_ready_i), .rc_vc_o(rc_vc_o), .rc_bits_o(rc_bits_o),
    .rsp_valid_i(rsp_valid_i), .rsp_vc_i(rsp_vc_i), .rsp_port_i(rsp_port_i), .rsp_vcs_i(rsp_vcs_i), .rsp_state_i(rsp_state_i),
    .known_o(known), .cand_port_o(cand_port), .cand_vcs_o(cand_vcs), .state_o(state), .length_o(lengths),
    .second_known_o(second_known), .second_port_o(second_port), .second_vcs_o(second_vcs),
    .leaves_i(head_leaves || slot_head), .leaves_vc_i(pop_vc)
  );

  // Requests ----------------------------------------------------------------------------------------------------
  logic [NumVcs*SpaceWidth-1:0] need;       // places that a VC's first waiting packet needs downstream
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_need
    assign need[v*SpaceWidth+:SpaceWidth] =
        SingleFlit || Wormhole ? SpaceWidth'(1) : SpaceWidth'(lengths[v*LengthBits+:LengthBits]);
  end

  // The sink goes first: a VC with flits that go nowhere waits, and with withdraw_o all do.
  hw_port_requests #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .SpaceWidth(SpaceWidth), .NumCands(NumCands), .DorBias(DorBias), .FirstFit(FirstFit),
    .Patient(Patient), .SingleFlit(SingleFlit), .OneNeed(OneNeed), .Wormhole(Wormhole), .Registered(RequestRegistered), .TwoAhead(TwoAhead),
    .HoldPacket(HoldPacket)
  ) u_requests (
    .clk_i(clk_i), .rst_ni(rst_ni), .turns_i(turns_i),
    .known_i(RequestRegistered ? known & whole : known & whole & ~active), .cand_port_i(cand_port), .cand_vcs_i(cand_vcs),
    .need_i(need), .second_known_i(second_known), .second_port_i(second_port), .second_vcs_i(second_vcs), .here_i((here & ~drains) | pad),
    .next_here_i((next_here & ~next_drains) | next_pad), .active_i(active), .look_vc_i(look_vc_i), .awaits_o(awaits_o),
    .space_i(space_i), .room_i(room_i), .free_i(free_i), .flow_i(flow_i), .block_i(block_i), .req_valid_o(req_valid_o), .req_port_o(req_port_o), .req_out_vc_o(req_out_vc_o),
    .grant_i(grant_i), .grant_vc_i(grant_vc_i), .grant_head_i(flit_head_o), .grant_tail_i(flit_tail_o), .grant_to_o(flit_vc_o)
  );

  if (Watched) begin : gen_watch
    hw_vc_watch #(.NumPorts(NumPorts), .NumVcs(NumVcs), .NumCands(NumCands), .Wormhole(Wormhole)) u_watch (
      .clk_i(clk_i), .rst_ni(rst_ni), .turns_i(turns_i), .visit_i(visit_i), .visit_vc_i(visit_vc_i), .stuck_o(stuck_o),
      .cause_o(stuck_cause_o), .wants_o(stuck_wants_o), .here_i(here | pad), .moves_i(slot || grant_i), .moves_vc_i(pop_vc),
      .whole_i(whole), .known_i(known), .active_i(active), .cand_port_i(cand_port), .cand_vcs_i(cand_vcs), .req_valid_i(req_valid_o),
      .req_port_i(req_port_o), .req_out_vc_i(req_out_vc_o), .room_i(room_i), .free_i(free_i)
    );
  end else begin : gen_no_watch
    assign {stuck_o, stuck_cause_o, stuck_wants_o} = '0;
    wire unused_visit = &{1'b0, visit_i, visit_vc_i};
  end

  // The granted flit --------------------------------------------------------------------------------------------
  hw_packet_progress #(.NumVcs(NumVcs), .MaxFlits(MaxFlits)) u_progress (
    .clk_i(clk_i), .rst_ni(rst_ni), .length_i(lengths), .grant_i(grant_i), .grant_vc_i(grant_vc_i), .active_o(active), .last_o(last)
  );

  always_comb begin
    flit_head_o = SingleFlit || !active[grant_vc_i];
    flit_tail_o = SingleFlit || last[grant_vc_i];
    flit_need_o = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (grant_vc_i == VcWidth'(v)) flit_need_o = need[v*SpaceWidth+:SpaceWidth];
    end
  end

  hw_pipe_register #(.Width(1), .Cleared(1'b1)) u_credit (.clk_i(clk_i), .rst_ni(rst_ni), .data_i(pop), .data_o(credit_valid_o));
  logic [VcWidth-1:0] credit_vc_q;
  always_ff @(posedge clk_i) if (pop) credit_vc_q <= pop_vc;
  assign credit_vc_o = credit_vc_q;
  assign busy_o = (here | pad) != '0;

`ifdef HW_CHECKS
  if (!SingleFlit && !Checks) begin : gen_lengths_are_true
    logic [NumVcs*LengthBits-1:0] come_q;   // flits of the packet that is coming that are still to come
    logic [LengthBits-1:0] length;
    assign length = in_head_i ? LengthBits'(in_data_i[LenLsb+:LenBits]) + LengthBits'(LenOffset)
                              : come_q[in_vc_i*LengthBits+:LengthBits];
    always_ff @(posedge clk_i) if (in_valid_i) come_q[in_vc_i*LengthBits+:LengthBits] <= length - LengthBits'(1);
    `HW_ASSUME(a_length_is_true, !in_valid_i || in_tail_i == (length == LengthBits'(1)))
  end
`endif

endmodule

`default_nettype wire
