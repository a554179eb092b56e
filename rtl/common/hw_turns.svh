// SPDX-License-Identifier: Apache-2.0
// `HW_TURN_RANK(NumPorts, Turns) declares a function of constants: how the input ports of an output port are counted.
//
//   rank(out, in)   the input ports below `in` that Turns lets turn to `out`
//
// Turns: bit out * NumPorts + in. rank(out, NumPorts) is the number of inputs of the output port.
`ifndef HW_TURNS_SVH
`define HW_TURNS_SVH

`define HW_TURN_RANK(NumPorts, Turns) \
  function automatic int unsigned rank(input int unsigned out, input int unsigned in); \
    rank = 0; \
    for (int unsigned i = 0; i < NumPorts; i = i + 1) begin \
      if (i < in && Turns[out*NumPorts+i]) rank = rank + 1; \
    end \
  endfunction

`endif
