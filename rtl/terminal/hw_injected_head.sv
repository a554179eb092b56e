// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Makes the head flit of a packet from the first beat of its stream: the fields that the network owns (destination, length, routing
// class, source, message class, packet id, bytes of the tail) are written over the beat, every other bit passes. The length and the bytes are
// left 0: who knows them puts them in, and turns the parity bit by what that changes. So a bit that flips while the packet is stored is
// found by the first router.
//
// Combinational. s_tuser_i = {message class, destination}; cause_o says what is wrong with the destination (hw_drop_pkg).
module hw_injected_head #(
  `include "hw_packet_parameters.svh"
  localparam int unsigned BytesBits = KeepBits > 1 ? $clog2(KeepBits) : 1,
  localparam int unsigned CauseBits = hw_drop_pkg::CauseBits
) (
  input  wire logic [StreamBits-1:0]       s_tdata_i,
  input  wire logic [MsgBits+DstBits-1:0]  s_tuser_i,
  input  wire logic [SrcBits-1:0]          src_i,
  input  wire logic [IdBits-1:0]           id_i,
  output logic [StreamBits-1:0]            head_o,
  output logic [CauseBits-1:0]             cause_o
);

  function automatic [StreamBits-1:0] field_mask(input int lsb, input int bits);
    field_mask = '0;
    for (int i = 0; i < StreamBits; i = i + 1) begin
      if (i >= lsb && i < lsb + bits) field_mask[i] = 1'b1;
    end
  endfunction

  localparam logic [StreamBits-1:0] Owned =
      field_mask(DstLsb, DstBits) | field_mask(LenLsb, LenBits) | field_mask(ClassLsb, ClassBits) |
      field_mask(SrcLsb, SrcBits) | field_mask(MsgLsb, MsgBits) | field_mask(IdLsb, IdBits) |
      field_mask(BytesLsb, KeepBits > 1 ? BytesBits : 0);

  if (StreamBits == 0) begin : gen_bad_flit
    $error("hw_injected_head: a beat must have a bit");
  end
  if (MinFlits == 0 || MaxFlits < MinFlits || LenOffset > MinFlits) begin : gen_bad_packet
    $error("hw_injected_head: 1 <= MinFlits <= MaxFlits and LenOffset <= MinFlits must hold");
  end
  if (BufferPackets < 2) begin : gen_bad_buffer
    $error("hw_injected_head: BufferPackets must be at least 2");
  end
  if (DstBits == 0 || SrcBits == 0 || MsgBits == 0 || IdBits == 0) begin : gen_bad_fields
    $error("hw_injected_head: destination, source, message class and packet id need a width");
  end
  if (DstBits > 32 || IdBits > 32) begin : gen_bad_widths
    $error("hw_injected_head: destination and packet id have at most 32 bits");
  end
  if (32'($countones(Owned)) !=
      DstBits + LenBits + ClassBits + SrcBits + MsgBits + IdBits + (KeepBits > 1 ? BytesBits : 0)) begin : gen_bad_places
    $error("hw_injected_head: header fields overlap or leave the flit");
  end
  if (LenBits != 0 && LenBits < $clog2(MaxFlits - LenOffset + 1)) begin : gen_bad_length
    $error("hw_injected_head: the length field is too narrow for MaxFlits");
  end

  if (ParityMask != '0 && (!ParityMask[ParityLsb] || Owned[ParityLsb])) begin : gen_bad_parity
    $error("hw_injected_head: the parity bit must be one of ParityMask and of no field");
  end

  always_comb begin
    head_o = s_tdata_i & ~Owned;
    head_o[DstLsb+:DstBits] = s_tuser_i[DstBits-1:0];
    head_o[MsgLsb+:MsgBits] = s_tuser_i[DstBits+:MsgBits];
    head_o[SrcLsb+:SrcBits] = src_i;
    head_o[IdLsb+:IdBits] = id_i;
    if (ParityMask != '0) begin
      head_o[ParityLsb] = 1'b0;
      head_o[ParityLsb] = ^(head_o & ParityMask[StreamBits-1:0]);
    end
  end

  hw_head_check #(
    .FlitBits(StreamBits), .NumFields(NumFields), .FieldLsbs(FieldLsbs), .FieldBits(FieldBits), .FieldSizes(FieldSizes),
    .DstLsb(DstLsb), .DstBits(DstBits)
  ) u_check (
    .head_i(head_o), .cause_o(cause_o)
  );

endmodule

`default_nettype wire
