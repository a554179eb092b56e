// SPDX-License-Identifier: Apache-2.0

// Word addresses of the registers of hw_message_csr, and what several modules know of them.
// Written from gen/spec/message_csr_map.hpp by the tests of emit (docs/reference/message-registers.md).
package hw_message_csr_pkg;

  localparam logic [31:0] Id               = 32'h0;  // "HOPM"
  localparam logic [31:0] Version          = 32'h1;  // of this map: major in the high half, minor in the low
  localparam logic [31:0] Self             = 32'h2;  // address of this terminal
  localparam logic [31:0] Sizes            = 32'h3;  // of the interface
  localparam logic [31:0] Status           = 32'h4;  // what there is now
  localparam logic [31:0] Mask             = 32'h5;  // bits of STATUS that raise `irq_o`
  localparam logic [31:0] Room             = 32'h6;  // of the queues
  localparam logic [31:0] Control          = 32'h8;  // of counters and events
  localparam logic [31:0] Cpl              = 32'ha;  // the oldest completion; 0: there is none
  localparam logic [31:0] CplBytes         = 32'hb;  // its bytes that are done
  localparam logic [31:0] Evt              = 32'hc;  // the oldest event; 0: there is none
  localparam logic [31:0] Pop              = 32'hd;  // reads 0
  localparam logic [31:0] DescDst          = 32'h10;  // destination: address of a terminal
  localparam logic [31:0] DescOp           = 32'h11;  // what is to be done
  localparam logic [31:0] DescBytes        = 32'h12;  // bytes
  localparam logic [31:0] DescLocal        = 32'h14;  // local address
  localparam logic [31:0] DescWindow       = 32'h16;  // window of the destination
  localparam logic [31:0] DescOffset       = 32'h17;  // offset into the window, bytes
  localparam logic [31:0] DescTag          = 32'h18;  // tag; writing it pushes the descriptor, and without room is refused
  localparam logic [31:0] Timeout          = 32'h1c;  // cycles that a request waits for its response; 0: for ever
  localparam logic [31:0] SelThreshold     = 32'h1d;  // of the mode selector: bytes between two decisions
  localparam logic [31:0] SelFactors       = 32'h1e;  // of the mode selector
  localparam logic [31:0] WinAccess        = 32'h20;  // who may do what
  localparam logic [31:0] WinBase          = 32'h22;  // address of its first byte
  localparam logic [31:0] WinSize          = 32'h24;  // bytes
  localparam logic [31:0] WinExpect        = 32'h25;  // bytes with which it closes and there is an event; 0: it stays open
  localparam logic [31:0] WinIndex         = 32'h26;  // which one; writing it pushes the window, and without room is refused
  localparam logic [31:0] Counter          = 32'h40;  // counter c of the last snapshot

  localparam logic [31:0] IdValue          = 32'h484f504d;  // "HOPM"
  localparam logic [31:0] VersionValue     = 32'h10002;  // of the map
  localparam logic [31:0] unused = Id ^ Version ^ Self ^ Sizes ^ Status ^ Mask ^ Room ^ Control ^ Cpl ^ CplBytes ^ Evt ^ Pop ^ DescDst ^ DescOp ^ DescBytes ^ DescLocal ^ DescWindow ^ DescOffset ^ DescTag ^ Timeout ^ SelThreshold ^ SelFactors ^ WinAccess ^ WinBase ^ WinSize ^ WinExpect ^ WinIndex ^ Counter ^ IdValue ^ VersionValue;

endpackage
