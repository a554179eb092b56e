// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Takes descriptors from the host, refuses those that are wrong, and gives the others a mode and a slot.
//
// A descriptor is bad whose destination the network does not have or is this terminal, of no bytes, whose addresses are not multiples
// of a flit's bytes, or which leaves what an offset or an address can say. With `auto` and ModeSelector the mode is that of
// hw_mode_selector, otherwise the descriptor's.
//
// Latency: a descriptor that is taken in cycle t is offered in t+3, with a decision of the selector later. Throughput: one each 2 cycles.
// Combinational paths: none from inputs to outputs but those of hw_message_slots.
// Guarantees: descriptors in order; a bad one ends with BadDescriptor, and nothing else happens. Checked by tests/rtl_messages.
module hw_message_descriptors #(
  parameter int unsigned StreamBits = 0,
  parameter int unsigned DstLsb = 0,
  parameter int unsigned DstBits = 0,
  parameter int unsigned AddrBits = 0,
  parameter int unsigned WindowBits = 0,
  parameter int unsigned KeyBits = 0,
  parameter int unsigned OffsetBits = 0,
  parameter int unsigned TagBits = 0,
  parameter int unsigned OutstandingBits = 0,
  parameter int unsigned NumFields = 1,
  parameter bit [NumFields*8-1:0] FieldLsbs = '0,
  parameter bit [NumFields*8-1:0] FieldBits = '0,
  parameter bit [NumFields*16-1:0] FieldSizes = '0,
  parameter bit ModeSelector = 1'b0,
  localparam int unsigned DescBits = `HW_MESSAGE_DESC_BITS
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [DstBits-1:0]     self_i,
  input  wire logic [31:0]            sel_threshold_i,
  input  wire logic [7:0]             sel_lambda_i,
  input  wire logic [7:0]             sel_sigma_i,
  input  wire logic [7:0]             sel_max_age_i,

  // Host
  input  wire logic                   desc_valid_i,
  output logic                        desc_ready_o,
  input  wire logic [DescBits-1:0]    desc_i,

  // Slot
  output logic                        offers_o,        // a message that is not bad, whether or not anybody takes it
  output logic                        open_valid_o,
  input  wire logic                   open_ready_i,
  output logic [TagBits-1:0]          tag_o,
  output logic                        decides_o,
  output logic                        bad_o,

  // Message, while its slot is opened, unless it is bad
  input  wire logic                   next_ready_i,    // who takes it can do so
  output logic [DstBits-1:0]          dst_o,
  output logic                        get_o,
  output logic [2:0]                  mode_o,
  output logic [31:0]                 bytes_o,
  output logic [AddrBits-1:0]         addr_o,
  output logic [WindowBits-1:0]       window_o,
  output logic [KeyBits-1:0]          key_o,
  output logic [OffsetBits-1:0]       offset_o,

  // What the counters of the interface see, and when a message that decided is over
  input  wire logic                   flit_sent_i,
  input  wire logic                   stalled_i,
  input  wire logic                   rsp_i,
  input  wire logic [31:0]            rsp_latency_i,
  input  wire logic                   decided_over_i,
  output logic                        bad_descriptor_o,
  output logic                        quiescent_o
);

  localparam int unsigned FlitShift = $clog2(StreamBits / 8);

  if (StreamBits < 8 || DstBits == 0 || AddrBits < 33 || OffsetBits > 32) begin : gen_bad_widths
    $error("hw_message_descriptors: AddrBits must be at least 33, OffsetBits at most 32, flits of whole bytes");
  end

  typedef enum logic [1:0] {Empty, Judge, Ask, Offer} state_e;
  state_e state_q;
  logic valid, take, bad, bad_q, decides_q, auto, alltoall, given;
  logic [DescBits-1:0] desc, desc_q;
  logic [2:0] mode, mode_q;
  logic [StreamBits-1:0] head;
  logic [hw_drop_pkg::CauseBits-1:0] cause;

  hw_skid_buffer #(.Width(DescBits)) u_host (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(desc_valid_i), .ready_o(desc_ready_o), .data_i(desc_i),
    .valid_o(valid), .ready_i(take), .data_o(desc)
  );
  assign given = open_valid_o && open_ready_i && (bad_q || next_ready_i);
  assign take = valid && (state_q == Empty || given);
  assign {tag_o, offset_o, key_o, window_o, addr_o, bytes_o, alltoall, auto, mode, get_o, dst_o} = desc_q;

  assign head = StreamBits'(dst_o) << DstLsb;
  hw_head_check #(
    .FlitBits(StreamBits), .NumFields(NumFields), .FieldLsbs(FieldLsbs), .FieldBits(FieldBits), .FieldSizes(FieldSizes),
    .DstLsb(DstLsb), .DstBits(DstBits)
  ) u_check (
    .head_i(head), .cause_o(cause)
  );
  assign bad = cause != hw_drop_pkg::NoCause || dst_o == self_i || bytes_o == '0 ||
               addr_o[FlitShift-1:0] != '0 || offset_o[FlitShift-1:0] != '0 ||
               34'(offset_o) + 34'(bytes_o) > (34'd1 << OffsetBits) ||
               (AddrBits + 1)'(addr_o) + (AddrBits + 1)'(bytes_o) > {1'b1, AddrBits'(0)};

  logic asks, answered, answer_decides, selector_quiescent;
  logic [2:0] answer;
  assign asks = state_q == Judge && auto && !bad;
  if (ModeSelector) begin : gen_selector
    logic ready, pending_q, sample, sample_ready;
    logic [1:0] answer_mode;
    logic [127:0] sample_data;
    hw_mode_selector #(.DstBits(DstBits), .OutstandingBits(OutstandingBits)) u_selector (
      .clk_i(clk_i), .rst_ni(rst_ni), .threshold_i(sel_threshold_i), .lambda_i(sel_lambda_i), .sigma_i(sel_sigma_i),
      .max_age_i(sel_max_age_i), .msg_valid_i(state_q == Ask && !pending_q), .msg_ready_o(ready), .msg_bytes_i(bytes_o),
      .msg_dst_i(dst_o), .msg_get_i(get_o), .msg_alltoall_i(alltoall),
      .rsp_valid_o(answered), .rsp_mode_o(answer_mode), .rsp_decided_o(answer_decides),
      .sample_valid_i(sample), .sample_ready_o(sample_ready), .sample_latency_i(sample_data[31:0]),
      .sample_packets_i(sample_data[63:32]), .sample_stalls_i(sample_data[95:64]), .sample_flits_i(sample_data[127:96]),
      .quiescent_o(selector_quiescent)
    );
    hw_mode_sampler #(.SumBits(32)) u_sampler (
      .clk_i(clk_i), .rst_ni(rst_ni), .flit_sent_i(flit_sent_i), .stalled_i(stalled_i), .rsp_i(rsp_i), .rsp_latency_i(rsp_latency_i),
      .decided_over_i(decided_over_i), .sample_valid_o(sample), .sample_ready_i(sample_ready), .sample_o(sample_data)
    );
    assign answer = {1'b0, answer_mode};
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) pending_q <= 1'b0;
      else if (state_q == Ask) pending_q <= (pending_q || ready) && !answered;
    end
  end else begin : gen_no_selector
    assign {answered, answer_decides, answer, selector_quiescent} = {1'b1, 1'b0, mode, 1'b1};
    wire unused = &{1'b0, sel_threshold_i, sel_lambda_i, sel_sigma_i, sel_max_age_i, alltoall, flit_sent_i, stalled_i, rsp_i,
                    rsp_latency_i, decided_over_i, OutstandingBits[0]};
  end

  logic bad_descriptor_q;
  assign bad_descriptor_o = bad_descriptor_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Empty;
      bad_descriptor_q <= 1'b0;
    end else begin
      bad_descriptor_q <= state_q == Judge && bad;
      if (take) state_q <= Judge;
      else if (asks) state_q <= Ask;
      else if (state_q == Judge || (state_q == Ask && answered)) state_q <= Offer;
      else if (given) state_q <= Empty;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) desc_q <= desc;
    if (state_q == Judge) begin
      bad_q <= bad;
      mode_q <= mode;
      decides_q <= 1'b0;
    end
    if (state_q == Ask && answered) begin
      mode_q <= answer;
      decides_q <= answer_decides;
    end
  end

  assign offers_o = state_q == Offer && !bad_q;
  assign open_valid_o = state_q == Offer && (bad_q || next_ready_i);
  assign {decides_o, bad_o, mode_o} = {decides_q, bad_q, mode_q};
  assign quiescent_o = state_q == Empty && !valid && !bad_descriptor_q && selector_quiescent;

endmodule

`default_nettype wire
