// SPDX-License-Identifier: Apache-2.0
// The wires of a channel: their names, widths and directions, described here and nowhere else.
// Ports of modules follow from these macros, the emitter reads them (gen/emit/channel.cpp), and
// through it the models that the engine runs have a pin for each wire.
//
// A module that uses the macros has VcWidth and FlitBits. A channel NAME of N lanes is N channels
// side by side, lane p in the p-th slice of each vector.
//
// FORWARD wires, suffix F, go with the flits: `valid` says that there is one, the others are of it.
// REVERSE wires, suffix R, go back to the flits' sender: a credit for one place of a VC's buffer.
// One wire a line.
`ifndef HW_CHANNEL_SVH
`define HW_CHANNEL_SVH

`define HW_CHANNEL(NAME, N, FORWARD, F, REVERSE, R) \
  FORWARD [(N)-1:0]           NAME``_valid_``F, \
  FORWARD [(N)*VcWidth-1:0]   NAME``_vc_``F, \
  FORWARD [(N)-1:0]           NAME``_head_``F, \
  FORWARD [(N)-1:0]           NAME``_tail_``F, \
  FORWARD [(N)*FlitBits-1:0]  NAME``_data_``F, \
  REVERSE [(N)-1:0]           NAME``_credit_valid_``R, \
  REVERSE [(N)*VcWidth-1:0]   NAME``_credit_vc_``R

// Ports of a module that receives the flits of a channel, and of one that sends them.
`define HW_CHANNEL_RECEIVER(NAME, N) `HW_CHANNEL(NAME, N, input wire logic, i, output logic, o)
`define HW_CHANNEL_SENDER(NAME, N) `HW_CHANNEL(NAME, N, output logic, o, input wire logic, i)

// Connects the one-lane channel PORT of an instance to lane P of the channel NAME of the module
// around it; F and R as above, the same on both.
`define HW_CHANNEL_LANE(PORT, NAME, F, R, P) \
  .PORT``_valid_``F(NAME``_valid_``F[P]), \
  .PORT``_vc_``F(NAME``_vc_``F[(P)*VcWidth+:VcWidth]), \
  .PORT``_head_``F(NAME``_head_``F[P]), \
  .PORT``_tail_``F(NAME``_tail_``F[P]), \
  .PORT``_data_``F(NAME``_data_``F[(P)*FlitBits+:FlitBits]), \
  .PORT``_credit_valid_``R(NAME``_credit_valid_``R[P]), \
  .PORT``_credit_vc_``R(NAME``_credit_vc_``R[(P)*VcWidth+:VcWidth])

// All of a flit but `valid`: what a pipeline carries.
`define HW_CHANNEL_FLIT(NAME, F) {NAME``_vc_``F, NAME``_head_``F, NAME``_tail_``F, NAME``_data_``F}

// Feedback that goes back beside the credits of network ports, where routing learns: WIDTH is
// FeedbackBits a lane; bit 0 of each: valid.
`define HW_CHANNEL_FEEDBACK(NAME, WIDTH, REVERSE, R) \
  REVERSE [(WIDTH)-1:0]  NAME``_feedback_``R

`endif
