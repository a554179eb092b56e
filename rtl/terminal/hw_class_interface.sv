// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"
`include "hw_round_robin.svh"
`include "hw_terminal.svh"

// One terminal of a network with several message classes: for each an injection unit and an ejection unit, with a pair of
// AXI4-Streams of its own, on the two channels of a router's terminal port. A class that stands still holds up no other.
//
// Class c has the VCs from c * NumVcs / NumClasses on, of which the first is that of its ejection channel. Slices of streams are
// in the order of the classes. A packet is of the class of its stream: the class in s_tuser_i is not read,
// but for FlagBits above it.
//
// Latency: that of hw_injection_unit and hw_ejection_unit, one cycle more for flits to the router and two for credits to it.
// Throughput: one flit each CyclesPerFlitNum/CyclesPerFlitDen cycles, all classes together, and one credit a cycle.
// Combinational paths: none from inputs to outputs.
// Fairness: round-robin among classes, flit by flit, of injected flits and of credits for ejected ones; with Ranks injected flits by those, in
// turns of RankPackets flits.
// Assumes, guarantees: those of hw_injection_unit and hw_ejection_unit for each class, but that flits of packets of different
//   classes may alternate on a channel.
// Reference: Dally & Towles, section 14.3; docs/reference/terminal.md.
module hw_class_interface #(
  parameter int unsigned NumClasses = 0,
  parameter bit [NumClasses*4-1:0] Ranks = '0,           // see hw_class_turns, as RankPackets, which is its Packets
  parameter int unsigned RankPackets = 1,
  parameter int unsigned FlagBits = 0,                   // of the message class in heads and tuser, the highest: the stream's own
  // VcDepths: the same in every class
  `include "hw_terminal_parameters.svh"
  parameter int unsigned EjectDepth = 0,                 // flits, of each class
  localparam int unsigned InBits = KeepBits + MsgBits + DstBits, OutBits = KeepBits + 32'(Poison) + MsgBits + SrcBits,
  localparam int unsigned VcWidth = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_ni,
  // Static
  input  wire logic [SrcBits-1:0]                      src_i,
  `include "hw_class_streams.svh"
  output logic [NumClasses-1:0]                        stalled_o,   // a flit is there, and no credit for it
  output logic                                         quiescent_o
);

  if (NumClasses < 2 || NumVcs == 0 || NumVcs % NumClasses != 0) begin : gen_bad_size
    $error("hw_class_interface: NumClasses must be at least 2, NumVcs a multiple of it");
  end

  localparam int unsigned Own = NumVcs / NumClasses;     // VCs of a class
  localparam int unsigned OwnWidth = (Own > 1) ? $clog2(Own) : 1;
  localparam int unsigned UserBits = MsgBits + DstBits;
  localparam int unsigned OwedBits = 16;                 // credits that wait, at most the depth
  localparam int unsigned FlitWidth = OwnWidth + 2 + FlitBits;

  logic [NumClasses-1:0] stalled, want, turn, inj_quiescent, ej_quiescent, sent;
  logic [NumClasses-1:0] credit, owed, pay;              // credits for ejected flits: made, waiting, on the pins next
  logic [NumClasses*FlitWidth-1:0] flits;
  logic pacer_ready, pacer_at_rest, sends;

  `HW_ROUND_ROBIN_ONE_HOT(next_class, NumClasses)
  `HW_LEAST_RECENT(first_class, NumClasses)
  logic [NumClasses-1:0] paid_behind_q;
  logic [NumClasses*NumClasses-1:0] ahead;
  assign turn = pacer_ready ? first_class(want, ahead) : '0;
  assign sends = turn != '0;
  assign stalled_o = pacer_ready ? stalled : '0;
  assign pay = next_class(owed, paid_behind_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) paid_behind_q <= '0;
    else if (pay != '0) paid_behind_q <= next_class_behind(pay);
  end
  hw_class_turns #(.Members(NumClasses), .Ranks(Ranks), .Packets(RankPackets)) u_turns (
    .clk_i(clk_i), .rst_ni(rst_ni), .request_i(want), .granted_i(turn), .head_i(1'b1), .ahead_o(ahead)
  );

  hw_link_pacer #(.Num(CyclesPerFlitNum), .Den(CyclesPerFlitDen)) u_pacer (
    .clk_i(clk_i), .rst_ni(rst_ni), .want_i(1'b0), .send_i(sends), .ready_o(pacer_ready), .at_rest_o(pacer_at_rest)
  );

  for (genvar c = 0; c < NumClasses; c = c + 1) begin : gen_class
    logic [OwnWidth-1:0] inj_vc;
    logic [InBits-1:0] in_user;
    always_comb begin
      in_user = s_tuser_i[c*InBits+:InBits];
      in_user[DstBits+:MsgBits-FlagBits] = (MsgBits - FlagBits)'(c);
    end
    logic [FlitBits-1:0] inj_data;
    logic inj_head, inj_tail, unused_ej_vc;
    logic to_class, from_class;
    logic [OwedBits-1:0] owed_q;
    logic [VcWidth-1:0] credit_vc;                       // among the class's own
    assign credit_vc = inj_credit_vc_i - VcWidth'(c * Own);
    assign from_class = inj_credit_valid_i && 32'(credit_vc) < Own;
    hw_injection_unit #(
      `HW_PACKET_PARAMETERS, .MsgBits(MsgBits), .NumVcs(Own), .VcSelect(VcSelect), .ModeLsb(ModeLsb),
      .NeedWhole(NeedWhole), .PauseCycles(PauseCycles), .VcDepths(VcDepths[Own*16-1:0])
    ) u_injection (
      .clk_i(clk_i), .rst_ni(rst_ni), .src_i(src_i),
      .s_tvalid_i(s_tvalid_i[c]), .s_tready_o(s_tready_o[c]), .s_tdata_i(s_tdata_i[c*StreamBits+:StreamBits]),
      .s_tlast_i(s_tlast_i[c]), .s_tuser_i(in_user), .s_abort_i(s_abort_i[c]),
      .inj_valid_o(sent[c]), .inj_vc_o(inj_vc), .inj_head_o(inj_head), .inj_tail_o(inj_tail), .inj_data_o(inj_data),
      .inj_credit_valid_i(from_class), .inj_credit_vc_i(credit_vc[OwnWidth-1:0]),
      .want_o(want[c]), .turn_i(turn[c]), .stalled_o(stalled[c]), .error_o(error_o[c]),
      .error_cause_o(error_cause_o[c*hw_drop_pkg::CauseBits+:hw_drop_pkg::CauseBits]),
      .error_user_o(error_user_o[c*UserBits+:UserBits]), .quiescent_o(inj_quiescent[c])
    );
    assign flits[c*FlitWidth+:FlitWidth] = {inj_vc, inj_head, inj_tail, inj_data};

    assign to_class = ej_valid_i && ej_vc_i == VcWidth'(c * Own);
    hw_ejection_unit #(
      .NumVcs(1), .FlitBits(FlitBits), .EjectDepth(EjectDepth), .SrcLsb(SrcLsb), .SrcBits(SrcBits),
      .MsgLsb(MsgLsb), .MsgBits(MsgBits), .ParityMask(ParityMask), .Poison(Poison), .KeepBits(KeepBits), .BytesLsb(BytesLsb)
    ) u_ejection (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .ej_valid_i(to_class), .ej_vc_i(1'b0), .ej_head_i(ej_head_i), .ej_tail_i(ej_tail_i), .ej_data_i(ej_data_i),
      .ej_credit_valid_o(credit[c]), .ej_credit_vc_o(unused_ej_vc),
      .m_tvalid_o(m_tvalid_o[c]), .m_tready_i(m_tready_i[c]), .m_tdata_o(m_tdata_o[c*StreamBits+:StreamBits]),
      .m_tlast_o(m_tlast_o[c]), .m_tuser_o(m_tuser_o[c*OutBits+:OutBits]),
      .bad_parity_o(bad_parity_o[c]), .broken_o(broken_o[c]), .quiescent_o(ej_quiescent[c])
    );
    assign owed[c] = owed_q != '0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) owed_q <= '0;
      else if (credit[c] != pay[c]) owed_q <= credit[c] ? owed_q + OwedBits'(1) : owed_q - OwedBits'(1);
    end
    wire unused = &{1'b0, unused_ej_vc, credit_vc, s_tuser_i[c*InBits+DstBits+:MsgBits-FlagBits]};
    `HW_ASSERT(a_no_more_credits_than_places, 32'(owed_q) <= EjectDepth)
  end

  // At most one class has sent: its turn was its own.
  logic [FlitWidth-1:0] flit;
  logic [VcWidth-1:0] vc, paid_vc;
  always_comb begin
    flit = '0;
    vc = '0;
    paid_vc = '0;
    for (int unsigned c = 0; c < NumClasses; c = c + 1) begin
      if (sent[c]) begin
        flit = flit | flits[c*FlitWidth+:FlitWidth];
        vc = vc | VcWidth'(c * Own);
      end
      if (pay[c]) paid_vc = paid_vc | VcWidth'(c * Own);
    end
    vc = vc + VcWidth'(flit[FlitBits+2+:OwnWidth]);
  end

  logic inj_valid_q, paid_q;
  logic [VcWidth-1:0] inj_vc_q, paid_vc_q;
  logic [FlitBits+1:0] inj_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inj_valid_q <= 1'b0;
      paid_q <= 1'b0;
    end else begin
      inj_valid_q <= sent != '0;
      paid_q <= pay != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    inj_vc_q <= vc;
    inj_q <= flit[FlitBits+1:0];
    paid_vc_q <= paid_vc;
  end
  assign inj_valid_o = inj_valid_q;
  assign inj_vc_o = inj_vc_q;
  assign {inj_head_o, inj_tail_o, inj_data_o} = inj_q;
  assign ej_credit_valid_o = paid_q;
  assign ej_credit_vc_o = paid_vc_q;
  assign quiescent_o = inj_quiescent == '1 && ej_quiescent == '1 && sent == '0 && !inj_valid_q && owed == '0 && !paid_q &&
                       pacer_at_rest;

  `HW_ASSERT(a_one_class_at_a_time, $onehot0(sent))
  `HW_ASSUME(a_ejection_on_known_vcs, !ej_valid_i || 32'(ej_vc_i) % Own == 0)
  `HW_COVER(c_two_classes_want, $countones(want) > 1)

endmodule

`default_nettype wire
