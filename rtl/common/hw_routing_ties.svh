// SPDX-License-Identifier: Apache-2.0
// What a routing unit does with ports of hw_routing_ports.svh that it has no use for. Written at
// module level, without a semicolon.
//
//   `HW_ROUTING_NO_FEEDBACK  nothing goes back to the routers upstream
//   `HW_ROUTING_NO_TABLE     the table window never acknowledges
//   `HW_ROUTING_NO_COUNTERS  there are no counters of decisions
//   `HW_ROUTING_NO_TRACE     checkers and trainers hear nothing
//   `HW_ROUTING_NO_FLIPS     no memory has parity
//   `HW_ROUTING_UNREAD       inputs may stay unread; in every unit
//   `HW_ONE_PORT_UNREAD      the same for the ports and parameters of a one-port computation
`ifndef HW_ROUTING_TIES_SVH
`define HW_ROUTING_TIES_SVH

`define HW_ROUTING_NO_FEEDBACK \
  if (FeedbackBits != 0) begin : gen_bad_feedback \
    $error("this routing unit has no feedback: FeedbackBits must be 0"); \
  end \
  assign in_feedback_o = '0;

`define HW_ROUTING_NO_TABLE \
  assign table_ack_o = 1'b0; \
  assign table_rdata_o = '0;

`define HW_ROUTING_NO_COUNTERS \
  if (NumCounters != 0) begin : gen_bad_counters \
    $error("this routing unit has no counters: NumCounters must be 0"); \
  end \
  assign counters_o = '0;

`define HW_ROUTING_NO_TRACE \
  if (TraceBits != 0) begin : gen_bad_trace \
    $error("this routing unit has no trace: TraceBits must be 0"); \
  end \
  assign trace_o = '0;

`define HW_ROUTING_NO_FLIPS \
  if (NumFlips != 0) begin : gen_bad_flips \
    $error("this routing unit has no memory with parity: NumFlips must be 0"); \
  end \
  assign flips_o = '0; \
  assign flip_word_o = '0;

`define HW_ROUTING_UNREAD \
  wire unused_ports = &{1'b0, clk_i, rst_ni, coord_i, cfg_i, now_i, req_valid_i, req_vc_i, \
                        req_bits_i, space_i, buffer_space_i, queue_i, in_valid_i, in_vc_i, \
                        in_credit_valid_i, in_credit_vc_i, out_valid_i, out_vc_i, \
                        out_credit_valid_i, out_credit_vc_i, turn_valid_i, turn_vc_i, \
                        turn_out_vc_i, out_feedback_i, table_req_i, table_we_i, table_addr_i, \
                        table_wdata_i};

`define HW_ONE_PORT_UNREAD \
  wire unused_ports = &{1'b0, clk_i, rst_ni, coord_i, cfg_i, now_i, req_valid_i, req_vc_i, \
                        req_bits_i, space_i, queue_i, InPort[0], NumNetworkPorts[0]};

`endif
