// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"

// Ejection half of a terminal: a router's output channel in, AXI4-Stream packets out.
//
// One flit is one beat, header included. m_tuser_o = {message class, source}, taken from the head
// flit and constant during the packet; the source is laid out as in the header. With Poison a bit above them is the flit's own:
// 1 where it is made up, and on the tail of every packet that is broken. With KeepBits the beat's TKEEP is above all: of the last beat the
// bytes that the head says, else all.
//
// Latency: a flit on the input pins in cycle t is on the stream in cycle t+1 if the queue was
//   empty; a beat accepted in cycle t+1 has its credit on the pins in cycle t+2.
// Throughput: one flit per cycle, with EjectDepth at least 2 and the credit round trip covered.
// Combinational paths: none from inputs to outputs.
// Assumes: the channel uses only VC 0, packets are not interleaved, and the sender starts with
//   EjectDepth credits. Deadlock freedom of the network assumes that m_tready_i comes in the end.
// Guarantees: flits leave unchanged and in order; m_tlast_o is the tail flit. With ParityMask a packet whose head has odd parity
//   there is discarded up to its tail, a flit per cycle, and raises bad_parity_o for one cycle; with Poison a packet with a poisoned tail
//   is handed over as it comes, and raises broken_o for one cycle.
// Reference: Dally & Towles, Principles and Practices of Interconnection Networks, chapter 20.
module hw_ejection_unit #(
  parameter int unsigned NumVcs = 0,      // of the channel's wires; only VC 0 is used
  parameter int unsigned FlitBits = 0,
  parameter int unsigned EjectDepth = 0,  // flits
  parameter int unsigned SrcLsb = 0,
  parameter int unsigned SrcBits = 0,
  parameter int unsigned MsgLsb = 0,
  parameter int unsigned MsgBits = 0,
  parameter bit [FlitBits-1:0] ParityMask = '0,  // 0: no parity
  parameter bit Poison = 1'b0,            // the top bit of a flit says that it is made up, or a tail that its packet is broken
  parameter int unsigned KeepBits = 0,    // see hw_packet_parameters.svh, as BytesLsb
  parameter int unsigned BytesLsb = 0,
  localparam int unsigned StreamBits = FlitBits - 32'(Poison),
  localparam int unsigned MarkBits = 32'(Poison),
  localparam int unsigned VcWidth = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  // Channel from the router
  `HW_CHANNEL_RECEIVER(ej, 1),

  // AXI4-Stream master
  output logic                        m_tvalid_o,
  input  wire logic                   m_tready_i,
  output logic [StreamBits-1:0]       m_tdata_o,
  output logic                        m_tlast_o,
  output logic [KeepBits+MarkBits+MsgBits+SrcBits-1:0] m_tuser_o,

  // Status
  output logic                        bad_parity_o,
  output logic                        broken_o,
  output logic                        quiescent_o
);

  if (NumVcs == 0 || FlitBits == 0) begin : gen_bad_channel
    $error("hw_ejection_unit: NumVcs and FlitBits must be at least 1");
  end
  if (EjectDepth == 0) begin : gen_bad_depth
    $error("hw_ejection_unit: EjectDepth must be at least 1 flit");
  end
  if (SrcBits == 0 || MsgBits == 0) begin : gen_bad_fields
    $error("hw_ejection_unit: source and message class need a width");
  end
  if (SrcLsb + SrcBits > StreamBits || MsgLsb + MsgBits > StreamBits) begin : gen_bad_places
    $error("hw_ejection_unit: header fields leave the flit");
  end

  logic empty, full, pop, head, credit_q;
  logic [$clog2(EjectDepth+1)-1:0] count;
  logic [MsgBits+SrcBits-1:0] user, user_q;
  logic [FlitBits-1:0] flit;

  hw_fifo #(.Width(FlitBits + 2), .Depth(EjectDepth)) u_flits (
    .clk_i, .rst_ni,
    .push_i(ej_valid_i), .data_i({ej_head_i, ej_tail_i, ej_data_i}), .full_o(full),
    .pop_i(pop), .data_o({head, m_tlast_o, flit}), .empty_o(empty), .count_o(count)
  );

  logic bad, discards;                // the head's parity is odd; its packet does not leave
  assign m_tdata_o = flit[StreamBits-1:0];
  assign bad = head && ^(flit & ParityMask);
  if (ParityMask != '0) begin : gen_parity
    logic rest_q, bad_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        rest_q <= 1'b0;
        bad_q <= 1'b0;
      end else begin
        bad_q <= pop && bad;
        if (pop) rest_q <= discards && !m_tlast_o;
      end
    end
    assign discards = rest_q || bad;
    assign bad_parity_o = bad_q;
  end else begin : gen_no_parity
    assign discards = 1'b0;
    assign bad_parity_o = 1'b0;
    wire unused = &{1'b0, bad};
  end

  assign pop = !empty && (m_tready_i || discards);
  assign user = {m_tdata_o[MsgLsb+:MsgBits], m_tdata_o[SrcLsb+:SrcBits]};
  assign m_tvalid_o = !empty && !discards;
  if (Poison) begin : gen_poison
    logic broken_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) broken_q <= 1'b0;
      else broken_q <= pop && !discards && m_tlast_o && flit[FlitBits-1];
    end
    assign broken_o = broken_q;
    assign m_tuser_o[MarkBits+MsgBits+SrcBits-1:0] = {flit[FlitBits-1], head ? user : user_q};
  end else begin : gen_no_poison
    assign broken_o = 1'b0;
    assign m_tuser_o[MsgBits+SrcBits-1:0] = head ? user : user_q;
  end
  if (KeepBits > 0) begin : gen_keep
    localparam int unsigned BytesBits = KeepBits > 1 ? $clog2(KeepBits) : 1;
    logic [BytesBits-1:0] bytes, bytes_q;
    assign bytes = head ? flit[BytesLsb+:BytesBits] : bytes_q;
    always_ff @(posedge clk_i) if (pop && head) bytes_q <= bytes;
    assign m_tuser_o[MarkBits+MsgBits+SrcBits+:KeepBits] = m_tlast_o ? ~({KeepBits{1'b1}} << 1 << bytes) : '1;
  end
  assign ej_credit_valid_o = credit_q;
  assign ej_credit_vc_o = '0;
  assign quiescent_o = count == '0 && !credit_q && !bad_parity_o && !broken_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) credit_q <= 1'b0;
    else credit_q <= pop;
  end

  always_ff @(posedge clk_i) begin
    if (pop && head) user_q <= user;
  end

`ifdef HW_CHECKS
  logic inside_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) inside_q <= 1'b0;
    else if (ej_valid_i) inside_q <= !ej_tail_i;
  end
`endif
  wire unused_checked = &{1'b0, ej_vc_i, full};
  `HW_ASSUME(a_only_vc_0, !ej_valid_i || ej_vc_i == '0)
  `HW_ASSUME(a_credit_was_held, !(ej_valid_i && full))
  `HW_ASSUME(a_packets_not_interleaved, !ej_valid_i || ej_head_i == !inside_q)
  `HW_COVER(c_stalled, m_tvalid_o && !m_tready_i)

endmodule

`default_nettype wire
