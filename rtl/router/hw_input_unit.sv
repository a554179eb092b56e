// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// One input port of the router: its flits, the routes of its packets, and its requests to the switch.
//
// The flits of every VC wait in hw_flit_store, the routes of their packets in hw_packet_routes. Of the candidates of a VC's first
// packet hw_candidate_choice chooses anew in every cycle what is requested. Where requests start from registers
// (hw_request_register) the packet behind one that leaves is chosen for, too, so that it requests in the cycle after the tail's
// grant: packets of one VC follow each other without a pause, but for one cycle behind a packet of one flit where others have
// more.
//
// Where routing learns, the head flit notes when it arrived here (TimeBits).
//
// Latency: a head flit on the input pins in cycle t requests the switch in cycle t+1 (PipelineCycles 2, with a route
// computation of latency 0), t+2 (3 and 4) or t+3 (5). Its data come with the grant, or in the next cycle (4 and 5).
// Throughput: one flit in, one flit out, one routing decision per cycle; for Late see hw_packet_routes.
// Combinational paths: with PipelineCycles 2 or 3 space_i, free_i, rsp_* -> req_*, and with 2 rc_* ->
// rsp_* -> req_*; with 4 or 5 requests start from registers, and block_i tells them of the grants in between.
// grant_* -> flit_*.
// Assumes: a grant only answers a request of the same cycle; the space downstream shrinks only by this router's grants;
// an accepted question (rc_valid_o, rc_ready_i) is answered once, questions of a VC in their order; an answer names only
// output VCs of out_vcs_i (no others are wired); the length in a head is that of its packet.
// Guarantees: a head flit requests an output VC only where the whole packet fits (VCT, SAF) or a flit fits (wormhole).
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
  parameter bit Late = 1'b1,                             // see hw_packet_routes, as InFlight
  parameter int unsigned InFlight = 0,
  parameter bit HoldPacket = 1'b0,                       // packet by packet; with PipelineCycles 4 and 5, else see the allocator
  parameter int unsigned PipelineCycles = 2,             // see hw_router; 4 and 5 not for wormhole
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned StateWidth = StateBits > 0 ? StateBits : 1,
  localparam int unsigned TimeWidth = TimeBits > 0 ? TimeBits : 1
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [NumPorts*NumVcs-1:0]             out_vcs_i,    // static: output VCs that its packets may take
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
  input  wire logic [NumPorts*NumVcs-1:0]             free_i,       // no other packet owns it, and there is space
  input  wire logic [NumPorts*NumVcs-1:0]             flow_i,       // wormhole: a credit for the VC's owner
  input  wire logic [NumPorts*NumVcs-1:0]             block_i,      // no head may take the output VC in the next cycle
  // Switch requests, one per VC
  output logic [NumVcs-1:0]                           req_valid_o,
  output logic [NumVcs*PortWidth-1:0]                 req_port_o,
  output logic [NumVcs*VcWidth-1:0]                   req_out_vc_o, // the lowest VC of that port that would do
  input  wire logic                                   grant_i,
  input  wire logic [VcWidth-1:0]                     grant_vc_i,
  // The granted flit
  output logic                                        flit_head_o,
  output logic                                        flit_tail_o,
  output logic [VcWidth-1:0]                          flit_vc_o,    // output VC
  output logic [SpaceWidth-1:0]                       flit_need_o,  // flits that a head reserves downstream
  output logic [FlitBits-1:0]                         flit_data_o,  // with PipelineCycles 4 and 5 in the next cycle
  // Status
  output logic                                        busy_o        // a flit is buffered
);

  localparam bit SingleFlit = MaxFlits == 1;
  localparam bit Wormhole = Switching == hw_router_pkg::Wormhole;
  localparam bit StoreAndForward = Switching == hw_router_pkg::StoreAndForward;
  localparam bit RequestRegistered = PipelineCycles >= 4;
  localparam bit Bypass = PipelineCycles == 2 || PipelineCycles == 4;  // an answer is used in the cycle in which it comes
  localparam bit TwoAhead = SingleFlit && RequestRegistered && !Late;  // choose for a packet and the one behind it
  localparam int unsigned LengthBits = $clog2(MaxFlits + 1);

  if (RequestRegistered && Wormhole) begin : gen_bad_pipeline
    $error("hw_input_unit: wormhole switching needs PipelineCycles 2 or 3");
  end
  if (Patient && (!FirstFit || Wormhole)) begin : gen_bad_patience
    $error("hw_input_unit: Patient needs FirstFit, and room for the whole packet (not wormhole)");
  end

  `HW_ROUND_ROBIN(lowest_vc, NumVcs, VcWidth)
  `HW_ROUND_ROBIN_ONE_HOT(turn_vc, NumVcs)

  // Flits -------------------------------------------------------------------------------------------------------
  logic [NumVcs-1:0] here, next_here;       // the VC holds a flit, and does in the next cycle
  logic [NumVcs-1:0] active_q;              // its first flit is not a head: the head has left
  logic [FlitBits-1:0] pop_data, push_data;
  logic head_leaves;
  assign head_leaves = grant_i && flit_head_o;

  always_comb begin
    push_data = in_data_i;
    if (TimeBits > 0 && in_valid_i && in_head_i) push_data[ArrivalLsb+:TimeWidth] = now_i;
  end

  hw_flit_store #(
    .NumVcs(NumVcs), .FlitBits(FlitBits), .VcDepths(VcDepths), .ReadCycles(RequestRegistered ? 1 : 0)
  ) u_flits (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(in_valid_i), .push_vc_i(in_vc_i), .push_data_i(push_data),
    .valid_o(here), .next_valid_o(next_here), .pop_i(grant_i), .pop_vc_i(grant_vc_i), .pop_data_o(pop_data)
  );

  // Packets of each VC that have not begun to leave, and are here up to their tails.
  logic [NumVcs-1:0] whole;
  if (StoreAndForward && !SingleFlit) begin : gen_whole
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
      localparam int unsigned CountWidth = $clog2({16'b0, VcDepths[v*16+:16]} + 1);
      logic [CountWidth-1:0] count_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) count_q <= '0;
        else begin
          count_q <= count_q + CountWidth'(in_valid_i && in_tail_i && in_vc_i == VcWidth'(v))
                   - CountWidth'(head_leaves && grant_vc_i == VcWidth'(v));
        end
      end
      assign whole[v] = count_q != '0;
    end
  end else begin : gen_cut_through
    assign whole = '1;
  end

  // Routes ------------------------------------------------------------------------------------------------------
  logic [NumVcs-1:0] known, second_known;
  logic [NumVcs*NumCands*PortWidth-1:0] cand_port, second_port;
  logic [NumVcs*NumCands*NumVcs-1:0] cand_vcs, second_vcs;
  logic [NumVcs*StateWidth-1:0] state;
  logic [NumVcs*LengthBits-1:0] lengths;

  hw_packet_routes #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .VcDepths(VcDepths), .RouteBits(RouteBits), .LenLsb(LenLsb),
    .LenBits(SingleFlit ? 0 : LenBits), .LenOffset(LenOffset), .LengthBits(LengthBits), .StateBits(StateBits),
    .NumCands(NumCands), .Late(Late), .InFlight(InFlight), .Bypass(Bypass), .ShowsSecond(TwoAhead)
  ) u_routes (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .head_valid_i(in_valid_i && in_head_i), .head_vc_i(in_vc_i), .head_bits_i(push_data[RouteBits-1:0]), .whole_i(whole),
    .rc_valid_o(rc_valid_o), .rc_ready_i(rc_ready_i), .rc_vc_o(rc_vc_o), .rc_bits_o(rc_bits_o),
    .rsp_valid_i(rsp_valid_i), .rsp_vc_i(rsp_vc_i), .rsp_port_i(rsp_port_i), .rsp_vcs_i(rsp_vcs_i), .rsp_state_i(rsp_state_i),
    .known_o(known), .cand_port_o(cand_port), .cand_vcs_o(cand_vcs), .state_o(state), .length_o(lengths),
    .second_known_o(second_known), .second_port_o(second_port), .second_vcs_o(second_vcs),
    .leaves_i(head_leaves), .leaves_vc_i(grant_vc_i)
  );

  // Requests ----------------------------------------------------------------------------------------------------
  logic [NumVcs*SpaceWidth-1:0] need;       // places that a VC's first waiting packet needs downstream
  logic [NumVcs*PortWidth-1:0] want_port, behind_port;  // what it wants, and what the one behind it wants (TwoAhead)
  logic [NumVcs*NumVcs-1:0] want_fit, behind_fit;
  logic [NumVcs-1:0] choosing;              // VCs whose first waiting packet may be chosen for
  logic [NumVcs*NumVcs-1:0] fit;            // the VCs that the packet may be granted in this cycle
  logic [NumVcs-1:0] vcs_behind_q;          // the VCs behind the last one taken: spreads packets over those of a class

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_need
    assign need[v*SpaceWidth+:SpaceWidth] =
        SingleFlit || Wormhole ? SpaceWidth'(1) : SpaceWidth'(lengths[v*LengthBits+:LengthBits]);
  end

  assign choosing = RequestRegistered ? known & whole : known & whole & ~active_q;

  hw_candidate_choice #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .SpaceWidth(SpaceWidth), .NumCands(NumCands), .DorBias(DorBias), .FirstFit(FirstFit),
    .Patient(Patient), .SingleFlit(SingleFlit), .LateOwners(RequestRegistered)
  ) u_choice (
    .out_vcs_i(out_vcs_i), .known_i(choosing), .cand_port_i(cand_port), .cand_vcs_i(cand_vcs),
    .need_i(need), .space_i(space_i), .free_i(free_i),
    .want_port_o(want_port), .want_fit_o(want_fit)
  );

  if (TwoAhead) begin : gen_two_ahead
    hw_candidate_choice #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .SpaceWidth(SpaceWidth), .NumCands(NumCands), .DorBias(DorBias),
      .FirstFit(FirstFit), .Patient(Patient), .SingleFlit(1'b1), .LateOwners(1'b1)
    ) u_behind (
      .out_vcs_i(out_vcs_i), .known_i(second_known), .cand_port_i(second_port), .cand_vcs_i(second_vcs), .need_i(need),
      .space_i(space_i), .free_i(free_i), .want_port_o(behind_port), .want_fit_o(behind_fit)
    );
  end else begin : gen_one_ahead
    assign behind_port = '0;
    assign behind_fit = '0;
    wire unused_second = &{1'b0, second_known, second_port, second_vcs};
  end

  if (RequestRegistered) begin : gen_registered
    hw_request_register #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .TwoAhead(TwoAhead), .OneCandidate(NumCands == 1 && !TwoAhead), .HoldPacket(HoldPacket)
    ) u_request (
      .clk_i(clk_i), .out_vcs_i(out_vcs_i), .want_port_i(want_port), .want_fit_i(want_fit), .behind_port_i(behind_port),
      .behind_fit_i(behind_fit), .active_i(active_q), .next_valid_i(next_here),
      .vcs_behind_i(vcs_behind_q), .block_i(block_i), .grant_i(grant_i), .grant_vc_i(grant_vc_i), .grant_tail_i(flit_tail_o),
      .req_valid_o(req_valid_o), .req_port_o(req_port_o), .req_out_vc_o(req_out_vc_o), .fit_o(fit)
    );
  end else begin : gen_at_once
    logic [NumVcs*PortWidth-1:0] active_port_q;
    logic [NumVcs*VcWidth-1:0] active_vc_q;
    assign fit = want_fit;
    always_comb begin
      req_valid_o = '0;
      req_port_o = want_port;
      req_out_vc_o = '0;
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (here[v]) begin
          if (!SingleFlit && active_q[v]) begin
            req_port_o[v*PortWidth+:PortWidth] = active_port_q[v*PortWidth+:PortWidth];
            req_out_vc_o[v*VcWidth+:VcWidth] = active_vc_q[v*VcWidth+:VcWidth];
            req_valid_o[v] = !Wormhole || flow_i[active_port_q[v*PortWidth+:PortWidth]*NumVcs
                                                 +32'(active_vc_q[v*VcWidth+:VcWidth])];
          end else begin
            req_out_vc_o[v*VcWidth+:VcWidth] = lowest_vc(fit[v*NumVcs+:NumVcs], '0);
            req_valid_o[v] = fit[v*NumVcs+:NumVcs] != '0;
          end
        end
      end
    end
    if (SingleFlit) begin : gen_single
      assign active_port_q = '0;
      assign active_vc_q = '0;
    end else begin : gen_multi
      always_ff @(posedge clk_i) begin
        for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
          if (head_leaves && grant_vc_i == VcWidth'(v)) begin
            active_port_q[v*PortWidth+:PortWidth] <= req_port_o[v*PortWidth+:PortWidth];
            active_vc_q[v*VcWidth+:VcWidth] <= flit_vc_o;
          end
        end
      end
    end
    wire unused_registered = &{1'b0, block_i, next_here, HoldPacket, behind_port, behind_fit};
  end

  // The granted flit --------------------------------------------------------------------------------------------
  logic [NumVcs-1:0] last;                  // the VC's first flit is a tail
  if (SingleFlit) begin : gen_no_active
    assign active_q = '0;
    assign last = '1;
    wire unused_lengths = &{1'b0, lengths};
  end else begin : gen_active
    logic [LengthBits-1:0] left [0:NumVcs-1];    // flits of the packet that are still here or to come
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
      logic [LengthBits-1:0] left_q;
      assign left[v] = active_q[v] ? left_q : lengths[v*LengthBits+:LengthBits];
      assign last[v] = left[v] == LengthBits'(1);
      always_ff @(posedge clk_i) if (grant_i && grant_vc_i == VcWidth'(v)) left_q <= left[v] - LengthBits'(1);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) active_q <= '0;
      else if (grant_i) begin
        for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
          if (grant_vc_i == VcWidth'(v)) active_q[v] <= !last[v];
        end
      end
    end
  end

  always_comb begin
    flit_head_o = SingleFlit || !active_q[grant_vc_i];
    flit_tail_o = SingleFlit || last[grant_vc_i];
    flit_need_o = '0;
    flit_vc_o = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (grant_vc_i == VcWidth'(v)) begin
        flit_need_o = need[v*SpaceWidth+:SpaceWidth];
        flit_vc_o = !RequestRegistered && flit_head_o ? turn_vc_index(turn_vc(fit[v*NumVcs+:NumVcs], vcs_behind_q))
                                                      : req_out_vc_o[v*VcWidth+:VcWidth];
      end
    end
  end

  if (StateBits > 0) begin : gen_state
    logic [StateWidth:0] rewrite, flit_rewrite;  // whether, and what the head says from here on
    always_comb begin
      rewrite = '0;
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (grant_vc_i == VcWidth'(v)) rewrite = {flit_head_o, state[v*StateWidth+:StateWidth]};
      end
    end
    hw_pipe_register #(.Width(StateWidth + 1), .Registered(RequestRegistered)) u_rewrite (
      .clk_i(clk_i), .rst_ni(rst_ni), .data_i(rewrite), .data_o(flit_rewrite)
    );
    always_comb begin
      flit_data_o = pop_data;
      if (flit_rewrite[StateWidth]) flit_data_o[StateLsb+:StateWidth] = flit_rewrite[StateWidth-1:0];
    end
  end else begin : gen_no_state
    assign flit_data_o = pop_data;
    wire unused_state = &{1'b0, state};
  end

  logic credit_valid_q;
  logic [VcWidth-1:0] credit_vc_q;
  assign credit_valid_o = credit_valid_q;
  assign credit_vc_o = credit_vc_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vcs_behind_q <= '0;
      credit_valid_q <= 1'b0;
    end else begin
      if (head_leaves) vcs_behind_q <= turn_vc_behind(NumVcs'(1) << flit_vc_o);
      credit_valid_q <= grant_i;
    end
  end
  always_ff @(posedge clk_i) if (grant_i) credit_vc_q <= grant_vc_i;

  assign busy_o = here != '0;

  wire unused = &{1'b0, now_i, flow_i, in_tail_i};

  `HW_ASSERT(a_grant_answers_a_request, !grant_i || req_valid_o[grant_vc_i])
  `HW_ASSERT(a_head_fits, !head_leaves || fit[grant_vc_i*NumVcs+:NumVcs] != '0)

`ifdef HW_CHECKS
  if (!SingleFlit) begin : gen_lengths_are_true
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
