// SPDX-License-Identifier: Apache-2.0
// The message interface's vocabulary: where its fields are in a head flit, which gen/topology/message_format.hpp describes too, the
// widths of its words for the host, and how its modules hand on their parameters.
//
// A ticket is {generation, id} of a request: the id tells apart those that wait for their responses at a time, the generation moves on
// whenever an id is free again.
`ifndef HW_MESSAGE_SVH
`define HW_MESSAGE_SVH

// All but MaxFlits, which has no footers: flits of a head and payload.
`define HW_MESSAGE_PARAMETERS \
  .StreamBits(StreamBits), .DstBits(DstBits), .AddrBits(AddrBits), .WindowBits(WindowBits), \
  .KeyBits(KeyBits), .OffsetBits(OffsetBits), .TagBits(TagBits), .OutstandingBits(OutstandingBits), .SlotBits(SlotBits), \
  .MessageLsb(MessageLsb), .ModeLsb(ModeLsb), .ModeBits(ModeBits)

// From bit 0 up: dst, op (1: GET), mode, auto, alltoall, bytes, local address, window, key, offset, tag.
`define HW_MESSAGE_DESC_BITS (DstBits + 38 + AddrBits + WindowBits + KeyBits + OffsetBits + TagBits)
// From bit 0 up: tag, status, bytes, mode.
`define HW_MESSAGE_CPL_BITS (TagBits + 38)
// From bit 0 up: open, may_write, may_read, key, base, size, expect.
`define HW_MESSAGE_WIN_BITS (3 + KeyBits + AddrBits + 64)

// A message under way, from bit 0 up: dst, GET, mode, slot, bytes to come, local address, window, key, offset.
`define HW_MESSAGE_STATE_BITS (DstBits + 4 + SlotBits + 32 + AddrBits + WindowBits + KeyBits + OffsetBits)

// Fields of a head, from MessageLsb up: code (a response's status; bit 0 of a request's: GET), bytes of payload that are meant, ticket;
// of requests alone window, key, offset in flits.
`define HW_MESSAGE_GENERATION_BITS 4
`define HW_MESSAGE_BYTES_BITS ($clog2((MaxFlits - 1) * (StreamBits / 8) + 1))
`define HW_MESSAGE_TICKET_BITS (OutstandingBits + `HW_MESSAGE_GENERATION_BITS)
`define HW_MESSAGE_BYTES_LSB (MessageLsb + hw_message_pkg::CodeBits)
`define HW_MESSAGE_TICKET_LSB (`HW_MESSAGE_BYTES_LSB + `HW_MESSAGE_BYTES_BITS)
`define HW_MESSAGE_WINDOW_LSB (`HW_MESSAGE_TICKET_LSB + `HW_MESSAGE_TICKET_BITS)
`define HW_MESSAGE_KEY_LSB (`HW_MESSAGE_WINDOW_LSB + WindowBits)
`define HW_MESSAGE_OFFSET_LSB (`HW_MESSAGE_KEY_LSB + KeyBits)

`endif
