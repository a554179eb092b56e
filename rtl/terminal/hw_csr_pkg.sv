// SPDX-License-Identifier: Apache-2.0

// Word addresses of the registers of hw_csr, and what several modules know of them.
// Written from gen/spec/csr_map.hpp by the tests of emit (docs/reference/csr.md).
package hw_csr_pkg;

  localparam logic [31:0] Id               = 32'h0;  // "HOPW"
  localparam logic [31:0] Version          = 32'h1;  // of this map: major in the high half, minor in the low
  localparam logic [31:0] Hash             = 32'h2;  // hash of the network's configuration
  localparam logic [31:0] Coord            = 32'h4;  // coordinates of the router
  localparam logic [31:0] Ports            = 32'h6;  // ports of the router
  localparam logic [31:0] Vcs              = 32'h7;  // virtual channels of a port
  localparam logic [31:0] FlitBits         = 32'h8;  // bits of a flit
  localparam logic [31:0] MaxFlits         = 32'h9;  // longest packet, in flits
  localparam logic [31:0] CfgWords         = 32'ha;  // configuration words
  localparam logic [31:0] TableWords       = 32'hb;  // words behind the table window; 0: none
  localparam logic [31:0] Features         = 32'hc;  // what there is
  localparam logic [31:0] Control          = 32'h10;  // of the counters
  localparam logic [31:0] Elapsed          = 32'h12;  // core cycles that the counters cover
  localparam logic [31:0] Occupancy        = 32'h14;  // sum over these cycles of the flits buffered in the router
  localparam logic [31:0] TableAddr        = 32'h18;  // word address for the next access to TABLE_DATA
  localparam logic [31:0] TableData        = 32'h19;  // a word of the table; each access adds 1 to TABLE_ADDR
  localparam logic [31:0] Status           = 32'h1c;  // events that have happened
  localparam logic [31:0] Mask             = 32'h1d;  // events whose bit in STATUS raises `irq_o`
  localparam logic [31:0] Dropped          = 32'h20;  // the packet that the router dropped last
  localparam logic [31:0] DroppedHead      = 32'h22;  // its head flit: the low bits, as far as routing reads
  localparam logic [31:0] Stuck            = 32'h24;  // the first VC that was found stuck since VC_STUCK was cleared in STATUS
  localparam logic [31:0] Flipped          = 32'h26;  // word of the table window that was found with bad parity last; 0: none was
  localparam logic [31:0] Refused          = 32'h28;  // the packet that a terminal's network interface refused last
  localparam logic [31:0] RefusedUser      = 32'h29;  // `tuser` of its first beat, message class and destination, as REFUSED was read last
  localparam logic [31:0] Event            = 32'h40;  // how often event e was
  localparam logic [31:0] Drops            = 32'h80;  // packets that the router dropped for a cause, modulo 2^16; the first is cause 1
  localparam logic [31:0] WaitsFor         = 32'ha0;  // what that VC waits for: candidate k of its packet, or, as candidate 0, the output VC that its packet keeps
  localparam logic [31:0] Refusals         = 32'hc0;  // packets that network interfaces refused, modulo 2^16: r = 0 for bad destinations, 1 for bad lengths, 2 for those whose streams broke off
  localparam logic [31:0] Cfg              = 32'h400;  // configuration word w, on bits 32w to 32w+31 of `cfg_o`
  localparam logic [31:0] FlitsIn          = 32'h800;  // flits that came in at port p
  localparam logic [31:0] FlitsOut         = 32'h802;  // flits that left at port p
  localparam logic [31:0] PacketsOut       = 32'h804;  // packets that left at port p
  localparam logic [31:0] Stalled          = 32'h806;  // cycles in which port p was stalled

  localparam logic [31:0] IdValue          = 32'h484f5057;  // "HOPW"
  localparam logic [31:0] VersionValue     = 32'h20001;  // of the map
  localparam logic [31:0] PortStride       = 32'h10;  // words from a port's counters to the next's

  localparam logic [31:0] PacketRefused    = 32'h0;  // event
  localparam logic [31:0] PacketDropped    = 32'h1;  // event
  localparam logic [31:0] VcStuck          = 32'h2;  // event
  localparam logic [31:0] PacketBroken     = 32'h3;  // event
  localparam logic [31:0] MemoryFlip       = 32'h4;  // event
  localparam logic [31:0] unused = Id ^ Version ^ Hash ^ Coord ^ Ports ^ Vcs ^ FlitBits ^ MaxFlits ^ CfgWords ^ TableWords ^ Features ^ Control ^ Elapsed ^ Occupancy ^ TableAddr ^ TableData ^ Status ^ Mask ^ Dropped ^ DroppedHead ^ Stuck ^ Flipped ^ Refused ^ RefusedUser ^ Event ^ Drops ^ WaitsFor ^ Refusals ^ Cfg ^ FlitsIn ^ FlitsOut ^ PacketsOut ^ Stalled ^ IdValue ^ VersionValue ^ PortStride ^ PacketRefused ^ PacketDropped ^ VcStuck ^ PacketBroken ^ MemoryFlip;

endpackage
