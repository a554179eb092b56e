// SPDX-License-Identifier: Apache-2.0
// Parameters of modules of a message interface that read or write descriptors, windows or heads. Part of a parameter list; `HW_MESSAGE_PARAMETERS of hw_message.svh hands them on.
parameter int unsigned AddrBits = 40,          // of the memory, in bytes
parameter int unsigned WindowBits = 10,
parameter int unsigned KeyBits = 8,
parameter int unsigned OffsetBits = 20,        // of an offset into a window, in bytes
parameter int unsigned TagBits = 16,
parameter int unsigned OutstandingBits = 10,   // 2^OutstandingBits requests may be without response
parameter int unsigned SlotBits = 4,           // 2^SlotBits messages are under way at a time
parameter int unsigned MessageLsb = 0,         // of the message interface's fields in a head
parameter int unsigned ModeBits = 0,           // 3, or 0: heads have no mode
