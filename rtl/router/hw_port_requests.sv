// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// What an input port requests of the switch: hw_candidate_choice for the first waiting packet of each VC, and the requests behind
// it, in registers (hw_request_register, PipelineCycles 4 and 5) or at once (hw_request_direct).
//
// With TwoAhead the packet behind the first one is chosen for, too, so that packets of one flit follow each other.
//
// Latency: 0, or 1 with registers. Combinational paths: all inputs -> req_* without registers; else none.
// Assumes: see hw_input_unit. Guarantees: requests are for output VCs of turns_i that have room.
module hw_port_requests #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned SpaceWidth = 0,
  parameter int unsigned NumCands = 1,
  parameter int unsigned DorBias = 0,                    // see hw_candidate_choice, as FirstFit and Patient
  parameter bit FirstFit = 1'b0,
  parameter bit Patient = 1'b0,
  parameter bit SingleFlit = 1'b0,
  parameter bit OneNeed = 1'b0,                          // see hw_candidate_choice
  parameter bit Wormhole = 1'b0,
  parameter bit Registered = 1'b0,
  parameter bit TwoAhead = 1'b0,
  parameter bit HoldPacket = 1'b0,                       // see hw_request_register
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [NumVcs*NumPorts*NumVcs-1:0]      turns_i,      // static: of each VC, the output VCs that its packets may take
  // The first waiting packet of each VC, and the one behind it (TwoAhead)
  input  wire logic [NumVcs-1:0]                      known_i,      // it is there with its candidates
  input  wire logic [NumVcs*NumCands*PortWidth-1:0]   cand_port_i,
  input  wire logic [NumVcs*NumCands*NumVcs-1:0]      cand_vcs_i,
  input  wire logic [NumVcs*SpaceWidth-1:0]           need_i,       // places that it needs downstream
  input  wire logic [NumVcs-1:0]                      second_known_i,
  input  wire logic [NumVcs*NumCands*PortWidth-1:0]   second_port_i,
  input  wire logic [NumVcs*NumCands*NumVcs-1:0]      second_vcs_i,
  // The flits of each VC
  input  wire logic [NumVcs-1:0]                      here_i,       // there is one to be sent
  input  wire logic [NumVcs-1:0]                      next_here_i,  // there is one in the next cycle
  input  wire logic [NumVcs-1:0]                      active_i,     // a head has left, its tail has not
  // See hw_head_reservation
  input  wire logic [VcWidth-1:0]                     look_vc_i,
  output logic [NumPorts*NumVcs-1:0]                  awaits_o,     // last candidate of that VC's head; none where it leaves or has none
  // Output VCs: see hw_input_unit
  input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  space_i,
  input  wire logic [NumPorts*NumVcs-1:0]             room_i,
  input  wire logic [NumPorts*NumVcs-1:0]             free_i,
  input  wire logic [NumPorts*NumVcs-1:0]             flow_i,
  input  wire logic [NumPorts*NumVcs-1:0]             block_i,
  // Requests
  output logic [NumVcs-1:0]                           req_valid_o,
  output logic [NumVcs*PortWidth-1:0]                 req_port_o,
  output logic [NumVcs*VcWidth-1:0]                   req_out_vc_o,
  // The flit that is granted, and the output VC that it takes
  input  wire logic                                   grant_i,
  input  wire logic [VcWidth-1:0]                     grant_vc_i,
  input  wire logic                                   grant_head_i,
  input  wire logic                                   grant_tail_i,
  output logic [VcWidth-1:0]                          grant_to_o
);

  if (NumPorts == 0 || NumVcs == 0 || SpaceWidth == 0) begin : gen_bad_size
    $error("hw_port_requests: NumPorts, NumVcs and SpaceWidth must be set");
  end

  `HW_ROUND_ROBIN_ONE_HOT(turn_vc, NumVcs)

  logic [NumPorts*NumVcs-1:0] wired;        // the output VCs of any of its VCs
  always_comb begin
    wired = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) wired = wired | turns_i[v*NumPorts*NumVcs+:NumPorts*NumVcs];
  end

  logic [NumVcs*PortWidth-1:0] want_port, behind_port;  // what the first packet wants, and what the one behind it wants (TwoAhead)
  logic [NumVcs*NumVcs-1:0] want_fit, behind_fit;
  logic [NumVcs*NumVcs-1:0] fit;            // the VCs that the packet may be granted in this cycle
  logic [NumVcs-1:0] vcs_behind_q;          // the VCs behind the last one taken: spreads packets over those of a class
  logic head_leaves;
  assign head_leaves = grant_i && grant_head_i;

  hw_candidate_choice #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .SpaceWidth(SpaceWidth), .NumCands(NumCands), .DorBias(DorBias), .FirstFit(FirstFit),
    .Patient(Patient), .OneNeed(OneNeed), .LateOwners(Registered)
  ) u_choice (
    .turns_i(turns_i), .known_i(known_i), .cand_port_i(cand_port_i), .cand_vcs_i(cand_vcs_i), .need_i(need_i), .space_i(space_i),
    .room_i(room_i), .free_i(free_i), .want_port_o(want_port), .want_fit_o(want_fit)
  );

  always_comb begin
    awaits_o = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (look_vc_i == VcWidth'(v) && known_i[v] && !active_i[v] && !(head_leaves && grant_vc_i == VcWidth'(v))) begin
        for (int unsigned c = v * NumCands; c < (v + 1) * NumCands; c = c + 1) begin
          if (cand_vcs_i[c*NumVcs+:NumVcs] != '0) begin
            for (int unsigned o = 0; o < NumPorts; o = o + 1) begin
              awaits_o[o*NumVcs+:NumVcs] = cand_port_i[c*PortWidth+:PortWidth] == PortWidth'(o) ? cand_vcs_i[c*NumVcs+:NumVcs] : '0;
            end
          end
        end
      end
    end
  end

  if (TwoAhead) begin : gen_two_ahead
    hw_candidate_choice #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .SpaceWidth(SpaceWidth), .NumCands(NumCands), .DorBias(DorBias),
      .FirstFit(FirstFit), .Patient(Patient), .OneNeed(1'b1), .LateOwners(1'b1)
    ) u_behind (
      .turns_i(turns_i), .known_i(second_known_i), .cand_port_i(second_port_i), .cand_vcs_i(second_vcs_i), .need_i(need_i),
      .space_i(space_i), .room_i(room_i), .free_i(free_i), .want_port_o(behind_port), .want_fit_o(behind_fit)
    );
  end else begin : gen_one_ahead
    assign behind_port = '0;
    assign behind_fit = '0;
    wire unused_second = &{1'b0, second_known_i, second_port_i, second_vcs_i};
  end

  if (Registered) begin : gen_registered
    hw_request_register #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .TwoAhead(TwoAhead), .OneCandidate(NumCands == 1 && !TwoAhead), .HoldPacket(HoldPacket)
    ) u_request (
      .clk_i(clk_i), .out_vcs_i(wired), .want_port_i(want_port), .want_fit_i(want_fit), .behind_port_i(behind_port),
      .behind_fit_i(behind_fit), .active_i(active_i), .next_valid_i(next_here_i), .vcs_behind_i(vcs_behind_q), .block_i(block_i),
      .grant_i(grant_i), .grant_vc_i(grant_vc_i), .grant_tail_i(grant_tail_i), .req_valid_o(req_valid_o), .req_port_o(req_port_o),
      .req_out_vc_o(req_out_vc_o), .fit_o(fit)
    );
    wire unused_direct = &{1'b0, here_i, flow_i};
  end else begin : gen_direct
    hw_request_direct #(.NumPorts(NumPorts), .NumVcs(NumVcs), .SingleFlit(SingleFlit), .Wormhole(Wormhole)) u_request (
      .clk_i(clk_i), .want_port_i(want_port), .want_fit_i(want_fit), .here_i(here_i), .active_i(active_i), .flow_i(flow_i),
      .leaves_i(head_leaves), .leaves_vc_i(grant_vc_i), .leaves_to_i(grant_to_o), .req_valid_o(req_valid_o), .req_port_o(req_port_o),
      .req_out_vc_o(req_out_vc_o)
    );
    assign fit = want_fit;
    wire unused_registered = &{1'b0, block_i, next_here_i, grant_tail_i, HoldPacket, behind_port, behind_fit, wired};
  end

  always_comb begin
    grant_to_o = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (grant_vc_i == VcWidth'(v)) begin
        grant_to_o = !Registered && grant_head_i ? turn_vc_index(turn_vc(fit[v*NumVcs+:NumVcs], vcs_behind_q))
                                                 : req_out_vc_o[v*VcWidth+:VcWidth];
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vcs_behind_q <= '0;
    else if (head_leaves) vcs_behind_q <= turn_vc_behind(NumVcs'(1) << grant_to_o);
  end

  `HW_ASSERT(a_grant_answers_a_request, !grant_i || req_valid_o[grant_vc_i])
  `HW_ASSERT(a_head_fits, !head_leaves || fit[grant_vc_i*NumVcs+:NumVcs] != '0)

endmodule

`default_nettype wire
