// SPDX-License-Identifier: Apache-2.0
// Functions of constants: which turns of the proved relation are built, and how they are counted.
//
// `HW_TURN_SETS(NumPorts, NumVcs, TurnTable), TurnTable as hw_turn_monitor has it:
//   vc_turns()      per output VC the input ports whose packets may take it: bit
//                   (out_port * NumVcs + out_vc) * NumPorts + in_port
//   port_turns()    the same per output port: bit out_port * NumPorts + in_port
//   out_vcs(in)     the output VCs of an input port
//
// `HW_TURN_RANK(NumPorts, Turns), Turns as port_turns():
//   rank(out, in)   the input ports below `in` that Turns lets turn to `out`; rank(out, NumPorts) is the number of inputs of
//                   the output port
`ifndef HW_TURNS_SVH
`define HW_TURNS_SVH

`define HW_TURN_SETS(NumPorts, NumVcs, TurnTable) \
  function automatic logic [NumPorts*NumVcs*NumPorts-1:0] vc_turns(); \
    vc_turns = '0; \
    for (int unsigned i = 0; i < NumPorts * NumVcs; i = i + 1) begin \
      for (int unsigned o = 0; o < NumPorts * NumVcs; o = o + 1) begin \
        if (TurnTable[i*NumPorts*NumVcs+o]) vc_turns[o*NumPorts+i/NumVcs] = 1'b1; \
      end \
    end \
  endfunction \
  function automatic logic [NumPorts*NumPorts-1:0] port_turns(); \
    port_turns = '0; \
    for (int unsigned i = 0; i < NumPorts * NumVcs; i = i + 1) begin \
      for (int unsigned o = 0; o < NumPorts * NumVcs; o = o + 1) begin \
        if (TurnTable[i*NumPorts*NumVcs+o]) port_turns[o/NumVcs*NumPorts+i/NumVcs] = 1'b1; \
      end \
    end \
  endfunction \
  function automatic logic [NumPorts*NumVcs-1:0] out_vcs(input int unsigned in); \
    out_vcs = '0; \
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin \
      for (int unsigned o = 0; o < NumPorts * NumVcs; o = o + 1) begin \
        if (TurnTable[(in*NumVcs+v)*NumPorts*NumVcs+o]) out_vcs[o] = 1'b1; \
      end \
    end \
  endfunction

`define HW_TURN_RANK(NumPorts, Turns) \
  function automatic int unsigned rank(input int unsigned out, input int unsigned in); \
    rank = 0; \
    for (int unsigned i = 0; i < NumPorts; i = i + 1) begin \
      if (i < in && Turns[out*NumPorts+i]) rank = rank + 1; \
    end \
  endfunction

`endif
