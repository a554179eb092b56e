// SPDX-License-Identifier: Apache-2.0
// `HW_DQN_PROPOSAL declares proposal_t, what hw_dqn_proposer hands to hw_dqn_agent about a question that it has answered.
//
// Where it stands there are PortWidth, VcWidth, InfoBits, TrackBits, NumActions, ActionBits and NumInputs.
// `HW_DQN_PROPOSAL_BITS is its width.
`ifndef HW_DQN_PROPOSAL_SVH
`define HW_DQN_PROPOSAL_SVH

`define HW_DQN_PROPOSAL_BITS \
  (PortWidth + VcWidth + InfoBits + TrackBits + 2 * NumActions + ActionBits + NumInputs * 8 + 46)

`define HW_DQN_PROPOSAL \
  typedef struct packed { \
    logic [PortWidth-1:0] port;  /* asks */ \
    logic [VcWidth-1:0] vc; \
    logic [InfoBits-1:0] info; \
    logic from_terminal; \
    logic [TrackBits-1:0] up; \
    logic [15:0] age; \
    logic [15:0] needs;  /* flits of room */ \
    logic [7:0] distance; \
    logic [NumActions-1:0] closer; \
    logic [NumActions-1:0] allowed; \
    logic explores; \
    logic [ActionBits-1:0] random; \
    logic [3:0] version; \
    logic [NumInputs*8-1:0] obs; \
  } proposal_t;

`endif
