// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// The routes of one input port's packets: asks route computation for each, and keeps the answer until the head leaves. An answer
// is a set of up to NumCands candidates {output port, set of output VCs}, and what routing writes into the head.
//
// Late 0: a packet is asked for when it arrives, whatever is before it in its VC, and the answers wait in the VC's order. So a
// VC sends packets as fast as they come, however long route computation takes. For routings that decide by the head alone.
// Late 1: a packet is asked for when the one before it in its VC has begun to leave, so that what is decided is as fresh as can
// be without a pause between packets that are longer than route computation takes; VCs take turns (round-robin).
//
// With Checks a head that comes with a cause is not routed: its answer is the cause, in the order of its VC. Late 1: it is not asked
// for; Late 0: the question is 0, an address that every network has, and the answer is not read. An answer without a candidate
// that is wired becomes the cause NoRoute. With MemoryParity a packet of which the queues' memories give anything back with bad parity
// is not asked for, or its answer not read: its cause is BadParity.
//
// Latency: a head on the input pins in cycle t is asked for in t+1, or later, and its route known from the cycle after the answer
// on; with Bypass in the cycle of the answer. Throughput: one question, one answer and one head that leaves per cycle; a VC's
// next packet is known in the cycle after a head has left. With Late 1 a VC has one packet asked for or known at a time.
// Combinational paths: rsp_* -> known_o, cand_*, state_o with Bypass; Late 1: whole_i -> rc_*.
// Assumes: every question is answered once, those of a VC in their order. Late 0: rc_ready_i is high, all questions are answered
// in their order, never more than InFlight of them later than in their own cycle.
// Guarantees: routes are known in the order of the VC's packets, each for the packet that it was asked for.
// Reference: Dally & Towles, sections 16.1 and 17.1.
module hw_packet_routes #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // flits
  parameter int unsigned RouteBits = 0,
  parameter int unsigned LenLsb = 0,                     // of the head's length field
  parameter int unsigned LenBits = 0,                    // 0: all packets are single flits
  parameter int unsigned LenOffset = 0,
  parameter int unsigned LengthBits = 1,                 // of a packet's length in flits
  parameter int unsigned StateBits = 0,
  parameter int unsigned NumCands = 1,
  parameter bit Late = 1'b1,
  parameter int unsigned InFlight = 0,                   // questions without an answer; with Late 0
  parameter bit Bypass = 1'b0,
  parameter bit ShowsSecond = 1'b0,                      // only with Late 0
  parameter bit Checks = 1'b0,
  parameter bit MemoryParity = 1'b0,                     // only with Checks
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned StateWidth = StateBits > 0 ? StateBits : 1,
  localparam int unsigned PortsWidth = NumCands * PortWidth,
  localparam int unsigned SetsWidth = NumCands * NumVcs,
  localparam int unsigned CauseBits = hw_drop_pkg::CauseBits
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [NumVcs*NumPorts*NumVcs-1:0] turns_i,  // static: of each VC, the output VCs that its packets may take
  // A head that arrives
  input  wire logic                          head_valid_i,
  input  wire logic [VcWidth-1:0]            head_vc_i,
  input  wire logic [RouteBits-1:0]          head_bits_i,
  input  wire logic [CauseBits-1:0]          head_cause_i, // why it goes nowhere; with Checks
  input  wire logic [NumVcs-1:0]             whole_i,      // a packet that has not begun to leave may be asked for; with Late 1
  // Route computation
  output logic                               rc_valid_o,
  input  wire logic                          rc_ready_i,   // else the question is asked again, maybe another one
  output logic [VcWidth-1:0]                 rc_vc_o,
  output logic [RouteBits-1:0]               rc_bits_o,
  input  wire logic                          rsp_valid_i,
  input  wire logic [VcWidth-1:0]            rsp_vc_i,
  input  wire logic [PortsWidth-1:0]         rsp_port_i,
  input  wire logic [SetsWidth-1:0]          rsp_vcs_i,
  input  wire logic [StateWidth-1:0]         rsp_state_i,
  // The first packet of each VC whose head has not left
  output logic [NumVcs-1:0]                  known_o,      // its route is known
  output logic [NumVcs*PortsWidth-1:0]       cand_port_o,
  output logic [NumVcs*SetsWidth-1:0]        cand_vcs_o,
  output logic [NumVcs*StateWidth-1:0]       state_o,
  output logic [NumVcs*LengthBits-1:0]       length_o,     // flits
  output logic [NumVcs-1:0]                  refused_o,    // it goes nowhere
  output logic [NumVcs*CauseBits-1:0]        cause_o,      // why; registers
  // The packet behind it, with ShowsSecond
  output logic [NumVcs-1:0]                  second_known_o,
  output logic [NumVcs*PortsWidth-1:0]       second_port_o,
  output logic [NumVcs*SetsWidth-1:0]        second_vcs_o,
  // A head leaves, or is discarded
  input  wire logic                          leaves_i,
  input  wire logic [VcWidth-1:0]            leaves_vc_i
);

  localparam int unsigned LenWidth = LenBits > 0 ? LenBits : 1;
  // An answer is kept with the packet's length field; with Late 1 that stays beside it. Last of all its cause.
  localparam bit KeepsLength = LenBits > 0 && !Late;
  localparam int unsigned CauseWidth = Checks ? CauseBits : 0;
  localparam int unsigned StateAt = PortsWidth + SetsWidth;
  localparam int unsigned LengthAt = StateAt + StateBits;
  localparam int unsigned CauseAt = LengthAt + (KeepsLength ? LenBits : 0);
  localparam int unsigned AnswerBits = CauseAt + CauseWidth;

  if (ShowsSecond && Late) begin : gen_bad_second
    $error("hw_packet_routes: with Late 1 no second packet is known");
  end
  if (MemoryParity && !Checks) begin : gen_bad_parity
    $error("hw_packet_routes: MemoryParity needs Checks");
  end

  // Questions ---------------------------------------------------------------------------------------------------
  logic [NumVcs-1:0] decided;               // the first packet's answer is in the queue
  logic [LenWidth-1:0] rsp_length;          // of the packet that is answered; with KeepsLength
  logic [CauseBits-1:0] rsp_cause;          // its cause, whatever is answered; with Late 0
  logic [NumVcs*LenWidth-1:0] asked_length; // of the packet of each VC that is asked for or known; with Late 1
  logic refuses;                            // Late 1: a head with a cause takes the place of a question and of its answer
  logic [CauseBits-1:0] refuses_cause;
  if (Late) begin : gen_late
    `HW_ROUND_ROBIN_ONE_HOT(next_vc, NumVcs)
    logic [NumVcs-1:0] waits, asked_q, undecided, turn, behind_q, head_bad, unused_second, unused_second_bad;
    localparam int unsigned HeadBits = RouteBits + CauseWidth;
    logic [NumVcs*HeadBits-1:0] heads, unused_heads;
    logic [RouteBits+CauseBits-1:0] head;   // of the VC whose turn it is
    logic taken;                            // the question, or the head that is refused
    hw_packet_queue #(.NumVcs(NumVcs), .Width(HeadBits), .Depths(VcDepths), .Parity(MemoryParity)) u_heads (
      .clk_i(clk_i), .rst_ni(rst_ni), .push_i(head_valid_i), .push_vc_i(head_vc_i),
      .push_data_i(HeadBits'({head_cause_i, head_bits_i})), .valid_o(waits), .first_o(heads), .second_valid_o(unused_second),
      .second_o(unused_heads), .bad_o(head_bad), .second_bad_o(unused_second_bad), .pop_i(taken), .pop_vc_i(rc_vc_o)
    );
    always_comb begin
      undecided = waits & whole_i & ~asked_q & ~decided;
      turn = '0;
      head = '0;
      if (undecided != '0) begin
        turn = next_vc(undecided, behind_q);
        for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
          if (turn[v]) begin
            head = head | (RouteBits + CauseBits)'(heads[v*HeadBits+:HeadBits]);
            if (head_bad[v]) head[RouteBits+:CauseBits] = hw_drop_pkg::BadParity;
          end
        end
      end
    end
    assign rc_vc_o = next_vc_index(turn);
    assign rc_bits_o = head[RouteBits-1:0];
    assign refuses_cause = head[RouteBits+:CauseBits];
    assign rc_valid_o = undecided != '0 && refuses_cause == '0;
    assign refuses = Checks && refuses_cause != '0 && !rsp_valid_i;
    assign taken = refuses || (rc_valid_o && rc_ready_i);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        asked_q <= '0;
        behind_q <= '0;
      end else begin
        for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
          if (rsp_valid_i && rsp_vc_i == VcWidth'(v)) asked_q[v] <= 1'b0;
          else if (rc_valid_o && rc_ready_i && turn[v]) asked_q[v] <= 1'b1;
        end
        if (taken) behind_q <= next_vc_behind(turn);
      end
    end
    if (LenBits > 0) begin : gen_length
      for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
        logic [LenBits-1:0] length_q;
        logic asks;
        assign asks = rc_valid_o && turn[v];
        always_ff @(posedge clk_i) if (asks) length_q <= rc_bits_o[LenLsb+:LenBits];
        assign asked_length[v*LenBits+:LenBits] = Bypass && asks ? rc_bits_o[LenLsb+:LenBits] : length_q;
      end
    end else begin : gen_no_length
      assign asked_length = '0;
    end
    assign rsp_length = '0;
    assign rsp_cause = '0;
    wire unused_late = &{1'b0, unused_second, unused_heads, unused_second_bad, rsp_cause};
  end else begin : gen_early
    logic valid_q;
    logic [VcWidth-1:0] vc_q;
    logic [RouteBits-1:0] bits_q;
    logic [CauseBits-1:0] cause_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= head_valid_i;
    end
    always_ff @(posedge clk_i) begin
      if (head_valid_i) begin
        vc_q <= head_vc_i;
        bits_q <= Checks && head_cause_i != '0 ? '0 : head_bits_i;
        cause_q <= Checks ? head_cause_i : '0;
      end
    end
    assign rc_valid_o = valid_q;
    assign rc_vc_o = vc_q;
    assign rc_bits_o = bits_q;
    // What is known of the packet before it is answered: {cause, length field}
    localparam int unsigned NoteBits = CauseBits + LenWidth;
    logic [NoteBits-1:0] note_q;
    assign note_q = {cause_q, bits_q[(KeepsLength ? LenLsb : 0)+:LenWidth]};
    if ((KeepsLength || Checks) && InFlight > 0) begin : gen_notes
      // A place more than there are questions: the last of them is pushed in the cycle in which the first is popped.
      logic waits, note_bad, unused_second, unused_second_bad;
      logic [NoteBits-1:0] note, unused_note;
      hw_packet_queue #(.NumVcs(1), .Width(NoteBits), .Depths(16'(InFlight + 1)), .Parity(MemoryParity)) u_notes (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(valid_q), .push_vc_i(1'b0), .push_data_i(note_q),
        .valid_o(waits), .first_o(note), .second_valid_o(unused_second), .second_o(unused_note),
        .bad_o(note_bad), .second_bad_o(unused_second_bad), .pop_i(rsp_valid_i), .pop_vc_i(1'b0)
      );
      assign rsp_cause = !waits ? cause_q : note_bad ? hw_drop_pkg::BadParity : note[LenWidth+:CauseBits];
      assign rsp_length = waits ? note[LenWidth-1:0] : note_q[LenWidth-1:0];
      wire unused = &{1'b0, unused_second, unused_note, unused_second_bad};
    end else begin : gen_note
      assign {rsp_cause, rsp_length} = note_q;
    end
    assign refuses = 1'b0;
    assign refuses_cause = '0;
    assign asked_length = '0;
    wire unused_early = &{1'b0, whole_i, rc_ready_i, rsp_length, rsp_cause, refuses_cause};
    `HW_ASSUME(a_every_question_is_taken, !rc_valid_o || rc_ready_i)
  end

  // Answers -----------------------------------------------------------------------------------------------------
  logic [AnswerBits-1:0] rsp;
  logic [CauseBits-1:0] cause;
  logic wired;                              // the answer has a candidate
  logic [NumVcs-1:0] behind, answer_bad, second_bad;
  logic [NumVcs*AnswerBits-1:0] answers, second_answers;
  always_comb begin
    wired = 1'b0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      for (int unsigned k = 0; k < NumCands; k = k + 1) begin
        for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
          if (rsp_vc_i == VcWidth'(v) && rsp_port_i[k*PortWidth+:PortWidth] == PortWidth'(p)
              && (rsp_vcs_i[k*NumVcs+:NumVcs] & turns_i[(v*NumPorts+p)*NumVcs+:NumVcs]) != '0) wired = 1'b1;
        end
      end
    end
  end
  assign cause = refuses ? refuses_cause : rsp_cause != '0 ? rsp_cause : wired ? '0 : hw_drop_pkg::NoRoute;
  assign rsp = AnswerBits'({cause, (CauseAt)'({rsp_length, (LengthAt)'({rsp_state_i, rsp_vcs_i, rsp_port_i})})});
  hw_packet_queue #(
    .NumVcs(NumVcs), .Width(AnswerBits), .Depths(Late ? {NumVcs{16'd1}} : VcDepths), .ShowsSecond(ShowsSecond),
    .Parity(MemoryParity)
  ) u_answers (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(rsp_valid_i || refuses), .push_vc_i(refuses ? rc_vc_o : rsp_vc_i), .push_data_i(rsp),
    .valid_o(decided), .first_o(answers), .second_valid_o(behind), .second_o(second_answers), .bad_o(answer_bad),
    .second_bad_o(second_bad), .pop_i(leaves_i), .pop_vc_i(leaves_vc_i)
  );

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    logic answered, passes;                 // the answer of this cycle is used at once, for the first packet
    logic [AnswerBits-1:0] answer, second;
    logic first_refused, second_refused;    // among the answers
    assign answered = Bypass && rsp_valid_i && rsp_vc_i == VcWidth'(v) && (!Checks || rsp_cause == '0);
    assign passes = answered && !decided[v];
    assign answer = Bypass && !decided[v] ? rsp : answers[v*AnswerBits+:AnswerBits];
    assign known_o[v] = (decided[v] && !first_refused) || passes;
    assign refused_o[v] = decided[v] && first_refused;
    if (Checks) begin : gen_cause
      assign cause_o[v*CauseBits+:CauseBits] =
          answer_bad[v] ? hw_drop_pkg::BadParity : answers[v*AnswerBits+CauseAt+:CauseBits];
      assign first_refused = cause_o[v*CauseBits+:CauseBits] != '0;
      assign second_refused = second_bad[v] || second_answers[v*AnswerBits+CauseAt+:CauseBits] != '0;
    end else begin : gen_no_cause
      assign cause_o[v*CauseBits+:CauseBits] = '0;
      assign first_refused = 1'b0;
      assign second_refused = 1'b0;
    end
    assign cand_port_o[v*PortsWidth+:PortsWidth] = answer[0+:PortsWidth];
    assign cand_vcs_o[v*SetsWidth+:SetsWidth] = answer[PortsWidth+:SetsWidth];
    assign second = behind[v] ? second_answers[v*AnswerBits+:AnswerBits] : rsp;
    assign second_known_o[v] = ShowsSecond && ((behind[v] && !second_refused) || (answered && decided[v] && !behind[v]));
    assign second_port_o[v*PortsWidth+:PortsWidth] = second[0+:PortsWidth];
    assign second_vcs_o[v*SetsWidth+:SetsWidth] = second[PortsWidth+:SetsWidth];
    if (StateBits > 0) begin : gen_state
      assign state_o[v*StateWidth+:StateWidth] = answer[StateAt+:StateWidth];
    end else begin : gen_no_state
      assign state_o[v*StateWidth+:StateWidth] = '0;
    end
    if (LenBits == 0) begin : gen_single
      assign length_o[v*LengthBits+:LengthBits] = LengthBits'(1);
    end else if (KeepsLength) begin : gen_kept
      assign length_o[v*LengthBits+:LengthBits] = LengthBits'(answer[LengthAt+:LenWidth]) + LengthBits'(LenOffset);
    end else begin : gen_asked
      assign length_o[v*LengthBits+:LengthBits] = LengthBits'(asked_length[v*LenWidth+:LenWidth]) + LengthBits'(LenOffset);
    end
    wire unused = &{1'b0, answer, second, second_refused};
  end
  wire unused = &{1'b0, rsp_state_i, asked_length, rsp_length, head_cause_i, cause, answer_bad, second_bad};

  `HW_ASSERT(a_only_a_known_head_leaves, !leaves_i || known_o[leaves_vc_i] || refused_o[leaves_vc_i])

endmodule

`default_nettype wire
