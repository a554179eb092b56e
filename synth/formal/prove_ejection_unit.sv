// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_channel.svh"

// Proves of hw_ejection_unit: a sender that starts with EjectDepth credits never finds its queue full and gets back one credit
// per beat; a beat that waits does not change (AXI4-Stream); m_tuser_o is constant during a packet. With Parity every packet begins with
// a head of even parity, each that came with another is reported once and gives back its credits. With Poison a packet whose tail is
// poisoned is marked there, and reported once. That flits leave unchanged and in
// order is prove_fifo's.
module prove_ejection_unit #(
  parameter int unsigned FlitBits = 0,
  parameter int unsigned EjectDepth = 0,
  parameter bit Parity = 1'b0,                   // over all bits of a head
  parameter bit Poison = 1'b0,
  localparam int unsigned NumVcs = 1,
  localparam int unsigned VcWidth = 1,
  localparam int unsigned CountBits = $clog2(EjectDepth + 1)
) (
  input wire logic                 clk_i,
  input wire logic                 send_i,       // if there is a credit
  input wire logic                 ej_tail_i,
  input wire logic [FlitBits-1:0]  ej_data_i,
  input wire logic                 m_tready_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic m_tvalid_o, m_tlast_o, bad_parity_o, broken_o, quiescent_o, ej_valid_i, ej_head_i, ej_vc_i, ej_credit_valid_o, ej_credit_vc_o;
  logic [FlitBits-32'(Poison)-1:0] m_tdata_o;
  logic [1+32'(Poison):0] m_tuser_o;
  logic [CountBits-1:0] credits_q;
  logic inside_q;
  assign ej_valid_i = rst_ni && send_i && credits_q != '0;
  assign ej_head_i = !inside_q;
  assign ej_vc_i = 1'b0;

  hw_ejection_unit #(
    .NumVcs(NumVcs), .FlitBits(FlitBits), .EjectDepth(EjectDepth), .SrcLsb(0), .SrcBits(1), .MsgLsb(1), .MsgBits(1),
    .ParityMask({FlitBits{Parity}}), .Poison(Poison)
  ) u_dut (.*);

  logic [CountBits-1:0] odd_q;                   // heads of odd parity that came and are not reported
  logic waits_q, began_q, breaks_q;              // a poisoned tail was taken
  logic [FlitBits-32'(Poison):0] waiting_q;
  logic [1:0] user_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      credits_q <= CountBits'(EjectDepth);
      inside_q <= 1'b0;
      odd_q <= '0;
      waits_q <= 1'b0;
      began_q <= 1'b0;
      breaks_q <= 1'b0;
    end else begin
      credits_q <= credits_q - CountBits'(ej_valid_i) + CountBits'(ej_credit_valid_o);
      odd_q <= odd_q + CountBits'(ej_valid_i && ej_head_i && ^ej_data_i) - CountBits'(bad_parity_o);
      if (ej_valid_i) inside_q <= !ej_tail_i;
      waits_q <= m_tvalid_o && !m_tready_i;
      if (m_tvalid_o && m_tready_i) began_q <= !m_tlast_o;
      breaks_q <= Poison && m_tvalid_o && m_tready_i && m_tlast_o && m_tuser_o[1+32'(Poison)];
    end
    waiting_q <= {m_tlast_o, m_tdata_o};
    if (m_tvalid_o) user_q <= m_tuser_o[1:0];
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      a_credits_between: assert (32'(credits_q) + 32'(ej_credit_valid_o) <= EjectDepth);
      a_credits_return: assert (!quiescent_o || 32'(credits_q) == EjectDepth);
      a_beat_waits: assert (!waits_q || (m_tvalid_o && {m_tlast_o, m_tdata_o} == waiting_q));
      a_user_is_constant: assert (!(m_tvalid_o && (began_q || waits_q)) || m_tuser_o[1:0] == user_q);
      a_packets_are_even: assert (!Parity || !m_tvalid_o || began_q || !(^m_tdata_o));
      a_reported_once: assert (!Parity || !quiescent_o || odd_q == '0);
      a_broken_is_reported: assert (broken_o == breaks_q);
      a_reported_truly: assert (!bad_parity_o || odd_q != '0);
      c_bad: cover (!Parity || bad_parity_o);
      c_full: cover (credits_q == '0 && !m_tready_i);
      c_long: cover (began_q && m_tvalid_o && m_tlast_o);
    end
  end

endmodule

`default_nettype wire
