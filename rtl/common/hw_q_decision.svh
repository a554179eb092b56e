// SPDX-License-Identifier: Apache-2.0
// `HW_Q_DECISION declares decision_t: what hw_q_agent says of an answer, for counters and checkers.
// In scope: PortWidth, TimeBits, ValueBits and FeedbackBits.
`ifndef HW_Q_DECISION_SVH
`define HW_Q_DECISION_SVH

`define HW_Q_DECISION \
  typedef struct packed { \
    logic [ValueBits-1:0]    best;           /* value of the best port */ \
    logic [ValueBits-1:0]    minimal_value; \
    logic                    saturated;      /* the feedback is too large for a value */ \
    logic                    explored; \
    logic [FeedbackBits-1:0] feedback;       /* {value, row, valid} for the router upstream */ \
    logic [TimeBits-1:0]     reward; \
    logic [PortWidth-1:0]    port;           /* the answer */ \
    logic [PortWidth-1:0]    other;          /* a random local port */ \
    logic [PortWidth-1:0]    random;         /* a random port */ \
    logic [PortWidth-1:0]    minimal;        /* port of the minimal path */ \
    logic                    explores;       /* if the random port may be taken */ \
    logic                    narrow; \
    logic [1:0]              mode;           /* hw_q_pkg */ \
    logic                    valid; \
  } decision_t;

`endif
