// SPDX-License-Identifier: Apache-2.0
// Parameters of every module of a terminal that sends on the channel to its router; the head of its parameter list. `HW_CHANNEL_PARAMETERS
// of hw_terminal.svh hands on those that hw_packet_parameters.svh has not.
`include "hw_packet_parameters.svh"
parameter int unsigned NumVcs = 0,             // of all message classes
parameter int unsigned VcSelect = 0,           // 0: any VC with room, 1: that of the destination, 2: that for packets of mode InOrder (hw_mode_pkg)
parameter int unsigned ModeLsb = 0,            // of the routing mode in the head flit, with VcSelect 2
parameter int unsigned NeedWhole = 1,          // 1: room is for the whole packet, 0: for a flit
parameter logic [NumVcs*16-1:0] VcDepths = '0,  // flits that VC v of the router's port holds
parameter int unsigned PauseCycles = 0,        // 0: packets are stored up to their tails; else see hw_cut_through_store
parameter int unsigned CyclesPerFlitNum = 1,
parameter int unsigned CyclesPerFlitDen = 1,
