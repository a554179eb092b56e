// SPDX-License-Identifier: Apache-2.0
// Parameters of every module of a terminal that writes heads: what packets look like. Part of the parameter list; `HW_PACKET_PARAMETERS
// of hw_terminal.svh hands them on.
parameter int unsigned FlitBits = 0,           // on the channel
parameter bit Poison = 1'b0,                   // its top bit says that a flit is made up, or a tail that of a broken packet; no stream has it
parameter int unsigned MaxFlits = 0,
parameter int unsigned MinFlits = 1,
parameter int unsigned BufferPackets = 2,      // of the longest ones, in the store of a stream into the network
// Place of the fields in the head flit; width 0 of length and routing class: there is none
parameter int unsigned DstLsb = 0,
parameter int unsigned DstBits = 0,
parameter int unsigned LenLsb = 0,
parameter int unsigned LenBits = 0,
parameter int unsigned LenOffset = 0,          // the field holds flits - LenOffset
parameter int unsigned ClassLsb = 0,           // of the routing class
parameter int unsigned ClassBits = 0,
parameter int unsigned SrcLsb = 0,
parameter int unsigned SrcBits = 0,
parameter int unsigned MsgLsb = 0,
parameter int unsigned MsgBits = 0,
parameter int unsigned IdLsb = 0,
parameter int unsigned IdBits = 0,
parameter int unsigned KeepBits = 0,           // bytes of a beat, where streams have TKEEP; 0: they have not
parameter int unsigned BytesLsb = 0,           // of the number of bytes of the tail that are the packet's, less 1; $clog2(KeepBits) bits
parameter bit [FlitBits-1:0] ParityMask = '0,  // bits of a head of which an even number is 1; 0: no parity
parameter int unsigned ParityLsb = 0,          // of the parity bit, one of the mask and of no field
parameter int unsigned NumFields = 1,          // of a destination: see hw_head_check
parameter bit [NumFields*8-1:0] FieldLsbs = '0,
parameter bit [NumFields*8-1:0] FieldBits = '0,
parameter bit [NumFields*16-1:0] FieldSizes = '0,
localparam int unsigned StreamBits = FlitBits - 32'(Poison),  // of a beat
