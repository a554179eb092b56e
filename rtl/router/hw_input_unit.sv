// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// One input port of the router: VC buffers, the routing decision of every VC, and its requests to the switch.
//
// The head-of-line packets ask route computation one at a time (round-robin) and keep the answer: a set of up to
// NumCands candidates {output port, set of output VCs}. The candidates are held while the packet waits; which of them it
// requests is chosen anew in every cycle: the VC with the most space downstream, where the port of the last candidate (the
// escape, dimension order) has an advantage of DorBias flits; of equal ones the earlier candidate's. So a packet can turn to
// its escape VC in any cycle. With one candidate the VCs of its set take turns. With FirstFit the first candidate with room
// is requested instead. Patient packets wait for a VC of their first candidate that has room for them beside the packet
// that owns it now, and request nothing else meanwhile: that one has all its places downstream, so it leaves for sure.
//
// Where routing learns, the head flit notes when it arrived here (TimeBits).
//
// Latency: a head flit on the input pins in cycle t requests the switch in cycle t+1 (PipelineCycles 2, with a route
// computation of latency 0), t+2 (3 and 4) or t+3 (5). Its data come with the grant, or in the next cycle (4 and 5).
// Throughput: one flit in, one flit out, one routing decision per cycle.
// Combinational paths: with PipelineCycles 2 or 3 space_i, held_i, room_i, rsp_* -> req_*, and with 2 route bits -> rsp_* ->
// req_*; with 4 or 5 requests start from registers, and block_i tells them of the grants in between. grant_* -> flit_*.
// Assumes: a grant only answers a request of the same cycle; the space downstream shrinks only by this router's grants;
// an accepted question (rc_valid_o, rc_ready_i) is answered once, questions of a VC in their order; an answer names only
// output VCs of out_vcs_i (no others are wired).
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
  parameter int unsigned DorBias = 0,                    // space by which the last candidate's port is preferred
  parameter bit FirstFit = 1'b0,
  parameter bit Patient = 1'b0,                          // with FirstFit; not wormhole
  parameter int unsigned TimeBits = 0,                   // 0: no time of arrival in the head flit
  parameter int unsigned ArrivalLsb = 0,
  parameter int unsigned Switching = 0,                  // 0 VCT, 1 SAF, 2 wormhole
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
  // Downstream space of every output VC that a new packet may take, 0 where another packet owns the VC
  input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  space_i,
  input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  held_i,       // the same, owned or not; where NeedsHeld
  input  wire logic [NumPorts*NumVcs-1:0]             room_i,       // space is not 0
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
  localparam bit Wormhole = Switching == 2;
  localparam bit RouteRegistered = PipelineCycles == 3 || PipelineCycles == 5;  // candidates come from registers
  localparam bit RequestRegistered = PipelineCycles >= 4;                       // so do requests
  localparam bit NeedsSpace = SingleFlit ? NumCands > 1 : NumCands > 1 || !RequestRegistered;
  localparam bit NeedsHeld = Patient || (!SingleFlit && NumCands == 1 && RequestRegistered);

  if (RequestRegistered && Wormhole) begin : gen_bad_pipeline
    $error("hw_input_unit: wormhole switching needs PipelineCycles 2 or 3");
  end
  if (Patient && (!FirstFit || Wormhole)) begin : gen_bad_patience
    $error("hw_input_unit: Patient needs FirstFit, and room for the whole packet (not wormhole)");
  end

  `HW_ROUND_ROBIN(next_vc, NumVcs, VcWidth)
  `HW_ROUND_ROBIN_ONE_HOT(turn_vc, NumVcs)
  logic [NumVcs-1:0] hol_valid, next_valid, hol_head, hol_tail, hol_complete;
  logic [NumVcs*RouteBits-1:0] hol_bits;
  logic [FlitBits-1:0] pop_data, push_data;

  always_comb begin
    push_data = in_data_i;
    if (TimeBits > 0 && in_valid_i && in_head_i) push_data[ArrivalLsb+:TimeWidth] = now_i;
  end

  hw_vc_buffer #(
    .NumVcs(NumVcs), .FlitBits(FlitBits), .RouteBits(RouteBits), .VcDepths(VcDepths),
    .StoreAndForward(Switching == 1), .ReadCycles(RequestRegistered ? 1 : 0)
  ) u_vc_buffer (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .push_i(in_valid_i), .push_vc_i(in_vc_i), .push_head_i(in_head_i), .push_tail_i(in_tail_i),
    .push_data_i(push_data),
    .valid_o(hol_valid), .next_valid_o(next_valid), .head_o(hol_head), .tail_o(hol_tail), .route_bits_o(hol_bits),
    .complete_o(hol_complete),
    .pop_i(grant_i), .pop_vc_i(grant_vc_i), .pop_data_o(pop_data)
  );

  // Routing decisions ------------------------------------------------------------------------------------------
  logic [NumVcs-1:0] asked_q, asked_d;      // route computation has the question
  logic [NumVcs-1:0] decided_q, decided_d;  // cand_* hold the answer
  logic [NumVcs*NumCands*PortWidth-1:0] cand_port_q;
  logic [NumVcs*NumCands*NumVcs-1:0] cand_vcs_q;
  logic [NumVcs*StateWidth-1:0] state_q;
  logic [VcWidth-1:0] ask_start_q;
  logic [NumVcs-1:0] undecided;

  always_comb begin
    undecided = hol_valid & hol_head & hol_complete & ~asked_q & ~decided_q;
    rc_valid_o = undecided != '0;
    rc_vc_o = '0;
    rc_bits_o = '0;
    if (undecided != '0) begin
      rc_vc_o = next_vc(undecided, ask_start_q);
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (rc_vc_o == VcWidth'(v)) rc_bits_o = rc_bits_o | hol_bits[v*RouteBits+:RouteBits];
      end
    end
  end

  // Requests ----------------------------------------------------------------------------------------------------
  logic [NumVcs-1:0] active_q;              // the head has left, the rest follows it
  logic [NumVcs*PortWidth-1:0] want_port;   // the port of the candidate chosen for the packet at the head of a VC
  logic [NumVcs*NumVcs-1:0] want_fit;       // its VCs there that have room for the packet; none: it cannot go
  logic [NumVcs*NumVcs-1:0] fit;            // the VCs that the packet may be granted in this cycle
  logic [NumVcs-1:0] vcs_behind_q;          // the VCs behind the last one taken: spreads packets over those of a class

  // Flits that the packet at the head of a VC needs downstream before it may go.
  logic [SpaceWidth-1:0] need [0:NumVcs-1];
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_need
    if (SingleFlit || Wormhole) begin : gen_one
      assign need[v] = SpaceWidth'(1);
    end else begin : gen_length
      assign need[v] = SpaceWidth'(hol_bits[v*RouteBits+LenLsb+:LenBits]) + SpaceWidth'(LenOffset);
    end
  end

  logic [NumCands*PortWidth-1:0] cand_port;
  logic [NumCands*NumVcs-1:0] cand_vcs;
  logic [PortWidth-1:0] port;
  logic [NumVcs-1:0] fits;
  logic [NumVcs*SpaceWidth-1:0] port_space, port_held;
  logic [SpaceWidth:0] best, score;
  logic [SpaceWidth-1:0] most;
  logic [NumVcs-1:0] roomiest;
  logic known, waits;

  always_comb begin
    want_port = '0;
    want_fit = '0;
    cand_port = '0;
    cand_vcs = '0;
    port = '0;
    fits = '0;
    port_space = '0;
    port_held = '0;
    best = '0;
    score = '0;
    most = '0;
    roomiest = '0;
    known = 1'b0;
    waits = 1'b0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (hol_valid[v] && (SingleFlit || !active_q[v])) begin
        known = decided_q[v];
        cand_port = cand_port_q[v*NumCands*PortWidth+:NumCands*PortWidth];
        cand_vcs = cand_vcs_q[v*NumCands*NumVcs+:NumCands*NumVcs];
        if (!RouteRegistered && !decided_q[v] && rsp_valid_i && rsp_vc_i == VcWidth'(v)) begin
          known = 1'b1;
          cand_port = rsp_port_i;
          cand_vcs = rsp_vcs_i;
        end
        if (known) begin
          best = '0;
          waits = 1'b0;
          for (int unsigned k = 0; k < NumCands; k = k + 1) begin
            port = cand_port[k*PortWidth+:PortWidth];
            fits = '0;
            port_space = '0;
            port_held = '0;
            for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
              if (port == PortWidth'(p) && out_vcs_i[p*NumVcs+:NumVcs] != '0) begin
                if (SingleFlit) fits = fits | (cand_vcs[k*NumVcs+:NumVcs] & room_i[p*NumVcs+:NumVcs]);
                if (NeedsSpace) port_space = port_space | space_i[p*NumVcs*SpaceWidth+:NumVcs*SpaceWidth];
                if (NeedsHeld) port_held = port_held | held_i[p*NumVcs*SpaceWidth+:NumVcs*SpaceWidth];
              end
            end
            // A registered request of the only candidate asks whether the VC comes free from block_i, later in the cycle.
            if (!NeedsSpace) port_space = port_held;
            if (!SingleFlit) begin
              for (int unsigned w = 0; w < NumVcs; w = w + 1) begin
                fits[w] = cand_vcs[k*NumVcs+w] && port_space[w*SpaceWidth+:SpaceWidth] >= need[v];
              end
            end
            if (NumCands == 1 || FirstFit) begin
              if (k == 0 || (fits != '0 && want_fit[v*NumVcs+:NumVcs] == '0 && !waits)) begin
                want_port[v*PortWidth+:PortWidth] = port;
                want_fit[v*NumVcs+:NumVcs] = fits;
              end
              if (Patient && k == 0 && fits == '0) begin
                for (int unsigned w = 0; w < NumVcs; w = w + 1) begin
                  if (cand_vcs[w] && port_held[w*SpaceWidth+:SpaceWidth] >= need[v]) waits = 1'b1;
                end
              end
            end else if (fits != '0) begin
              // The VC with the most space among all candidates, with an advantage for the escape's direction.
              most = '0;
              roomiest = '0;
              for (int unsigned w = 0; w < NumVcs; w = w + 1) begin
                if (fits[w] && port_space[w*SpaceWidth+:SpaceWidth] > most) begin
                  most = port_space[w*SpaceWidth+:SpaceWidth];
                  roomiest = NumVcs'(1) << w;
                end
              end
              score = {1'b0, most};
              if (port == cand_port[(NumCands-1)*PortWidth+:PortWidth]) score = score + (SpaceWidth + 1)'(DorBias);
              if (score > best) begin
                best = score;
                want_port[v*PortWidth+:PortWidth] = port;
                want_fit[v*NumVcs+:NumVcs] = roomiest;
              end
            end
          end
        end
      end
    end
  end

  if (RequestRegistered) begin : gen_registered
    hw_request_register #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .OneCandidate(NumCands == 1), .HoldPacket(HoldPacket)
    ) u_request (
      .clk_i(clk_i), .out_vcs_i(out_vcs_i), .want_port_i(want_port), .want_fit_i(want_fit), .active_i(active_q), .next_valid_i(next_valid),
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
        if (hol_valid[v]) begin
          if (!SingleFlit && active_q[v]) begin
            req_port_o[v*PortWidth+:PortWidth] = active_port_q[v*PortWidth+:PortWidth];
            req_out_vc_o[v*VcWidth+:VcWidth] = active_vc_q[v*VcWidth+:VcWidth];
            req_valid_o[v] = !Wormhole || flow_i[active_port_q[v*PortWidth+:PortWidth]*NumVcs
                                                 +32'(active_vc_q[v*VcWidth+:VcWidth])];
          end else begin
            req_out_vc_o[v*VcWidth+:VcWidth] = next_vc(fit[v*NumVcs+:NumVcs], '0);
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
          if (grant_i && flit_head_o && grant_vc_i == VcWidth'(v)) begin
            active_port_q[v*PortWidth+:PortWidth] <= req_port_o[v*PortWidth+:PortWidth];
            active_vc_q[v*VcWidth+:VcWidth] <= flit_vc_o;
          end
        end
      end
    end
    wire unused_block = &{1'b0, block_i, next_valid, HoldPacket};
  end

  // The granted flit --------------------------------------------------------------------------------------------
  always_comb begin
    flit_head_o = SingleFlit || hol_head[grant_vc_i];
    flit_tail_o = SingleFlit || hol_tail[grant_vc_i];
    flit_need_o = need[grant_vc_i];
    flit_vc_o = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (grant_vc_i == VcWidth'(v)) begin
        flit_vc_o = !RequestRegistered && flit_head_o ? turn_vc_index(turn_vc(fit[v*NumVcs+:NumVcs], vcs_behind_q))
                                                      : req_out_vc_o[v*VcWidth+:VcWidth];
      end
    end
  end

  if (StateBits > 0) begin : gen_state
    logic [StateWidth-1:0] state [0:NumVcs-1];
    logic [StateWidth-1:0] new_state, flit_state;
    logic rewrite;
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
      assign state[v] = state_q[v*StateWidth+:StateWidth];
    end
    always_comb begin
      new_state = state[grant_vc_i];
      if (!RequestRegistered && !decided_q[grant_vc_i]) new_state = rsp_state_i;
    end
    if (RequestRegistered) begin : gen_later
      always_ff @(posedge clk_i) begin
        flit_state <= new_state;
        rewrite <= flit_head_o;
      end
    end else begin : gen_now
      assign flit_state = new_state;
      assign rewrite = flit_head_o;
    end
    always_comb begin
      flit_data_o = pop_data;
      if (rewrite) flit_data_o[StateLsb+:StateWidth] = flit_state;
    end
  end else begin : gen_no_state
    assign flit_data_o = pop_data;
    wire unused_state = &{1'b0, state_q};
  end

  always_comb begin
    asked_d = asked_q;
    decided_d = decided_q;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (rc_valid_o && rc_ready_i && rc_vc_o == VcWidth'(v)) asked_d[v] = 1'b1;
      if (rsp_valid_i && rsp_vc_i == VcWidth'(v)) begin
        asked_d[v] = 1'b0;
        decided_d[v] = 1'b1;
      end
      if (grant_i && flit_head_o && grant_vc_i == VcWidth'(v)) decided_d[v] = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= '0;
      decided_q <= '0;
      ask_start_q <= '0;
      vcs_behind_q <= '0;
      credit_valid_o <= 1'b0;
    end else begin
      asked_q <= asked_d;
      decided_q <= decided_d;
      if (rc_valid_o && rc_ready_i) ask_start_q <= rc_vc_o == VcWidth'(NumVcs - 1) ? '0 : rc_vc_o + VcWidth'(1);
      if (grant_i && flit_head_o) begin
        vcs_behind_q <= turn_vc_behind(NumVcs'(1) << flit_vc_o);
      end
      credit_valid_o <= grant_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (grant_i) credit_vc_o <= grant_vc_i;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (rsp_valid_i && rsp_vc_i == VcWidth'(v)) begin
        cand_port_q[v*NumCands*PortWidth+:NumCands*PortWidth] <= rsp_port_i;
        cand_vcs_q[v*NumCands*NumVcs+:NumCands*NumVcs] <= rsp_vcs_i;
        state_q[v*StateWidth+:StateWidth] <= rsp_state_i;
      end
    end
  end

  if (SingleFlit) begin : gen_no_active
    assign active_q = '0;
    wire unused_marks = &{1'b0, hol_head, hol_tail};
  end else begin : gen_active
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) active_q <= '0;
      else if (grant_i) begin
        for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
          if (grant_vc_i == VcWidth'(v)) active_q[v] <= !flit_tail_o;
        end
      end
    end
  end

  assign busy_o = hol_valid != '0;

  wire unused = &{1'b0, port_held, port_space, now_i, flow_i, room_i};

  `HW_ASSERT(a_grant_answers_a_request, !grant_i || req_valid_o[grant_vc_i])
  `HW_ASSERT(a_head_fits, !(grant_i && flit_head_o) || fit[grant_vc_i*NumVcs+:NumVcs] != '0)

endmodule

`default_nettype wire
