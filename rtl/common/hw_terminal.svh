// SPDX-License-Identifier: Apache-2.0
// How modules of a terminal hand on their parameters to those inside: all of hw_packet_parameters.svh but MsgBits, which congestion
// control widens; and what hw_terminal_parameters.svh has besides.
`ifndef HW_TERMINAL_SVH
`define HW_TERMINAL_SVH

`define HW_PACKET_PARAMETERS \
  .FlitBits(FlitBits), .Poison(Poison), .MaxFlits(MaxFlits), .MinFlits(MinFlits), .BufferPackets(BufferPackets), \
  .DstLsb(DstLsb), .DstBits(DstBits), .LenLsb(LenLsb), .LenBits(LenBits), .LenOffset(LenOffset), \
  .ClassLsb(ClassLsb), .ClassBits(ClassBits), .SrcLsb(SrcLsb), .SrcBits(SrcBits), .MsgLsb(MsgLsb), \
  .IdLsb(IdLsb), .IdBits(IdBits), .KeepBits(KeepBits), .BytesLsb(BytesLsb), .ParityMask(ParityMask), .ParityLsb(ParityLsb), \
  .NumFields(NumFields), .FieldLsbs(FieldLsbs), .FieldBits(FieldBits), .FieldSizes(FieldSizes)

`define HW_CHANNEL_PARAMETERS \
  .NumVcs(NumVcs), .VcSelect(VcSelect), .ModeLsb(ModeLsb), .NeedWhole(NeedWhole), .PauseCycles(PauseCycles), \
  .VcDepths(VcDepths), .CyclesPerFlitNum(CyclesPerFlitNum), .CyclesPerFlitDen(CyclesPerFlitDen)

`endif
