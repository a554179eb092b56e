// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_channel.svh"

// Two nodes and the link between them: guards, and what resets one of them alone. Lane 0 is one node, lane 1 the other.
module hw_link_guard_bench #(
  parameter int unsigned NumVcs = 3,
  parameter int unsigned FlitBits = 33,
  parameter int unsigned SpaceWidth = 4,
  parameter int unsigned Latency = 1,
  parameter int unsigned ResetCycles = 2 * Latency,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [1:0]  request_i,
  output logic [1:0]       node_rst_no,
  `HW_CHANNEL_SENDER(to, 2),
  `HW_CHANNEL_RECEIVER(from, 2),
  output logic [1:0]       lost_in_o,
  output logic [1:0]       lost_out_o,
  output logic [1:0]       idle_o
);

  logic [1:0] reset;
  // Beside each node: what it gets and what it gives
  logic [1:0] near_valid, near_head, near_tail, near_credit_valid;
  logic [2*VcWidth-1:0] near_vc, near_credit_vc;
  logic [2*FlitBits-1:0] near_data;
  logic [1:0] far_valid, far_head, far_tail, far_credit_valid;
  logic [2*VcWidth-1:0] far_vc, far_credit_vc;
  logic [2*FlitBits-1:0] far_data;

  for (genvar n = 0; n < 2; n = n + 1) begin : gen_node
    hw_node_reset #(.Cycles(ResetCycles)) u_reset (
      .clk_i(clk_i), .rst_ni(rst_ni), .request_i(request_i[n]), .rst_no(node_rst_no[n]), .reset_o(reset[n])
    );
    hw_link_guard #(.NumVcs(NumVcs), .FlitBits(FlitBits), .SpaceWidth(SpaceWidth)) u_guard (
      .clk_i(clk_i), .rst_ni(node_rst_no[n]), .reset_i(reset[n]),
      .in_valid_i(far_valid[n]), .in_vc_i(far_vc[n*VcWidth+:VcWidth]), .in_head_i(far_head[n]), .in_tail_i(far_tail[n]),
      .in_data_i(far_data[n*FlitBits+:FlitBits]),
      .in_credit_valid_o(far_credit_valid[n]), .in_credit_vc_o(far_credit_vc[n*VcWidth+:VcWidth]),
      .out_valid_o(near_valid[n]), .out_vc_o(near_vc[n*VcWidth+:VcWidth]), .out_head_o(near_head[n]), .out_tail_o(near_tail[n]),
      .out_data_o(near_data[n*FlitBits+:FlitBits]),
      .out_credit_valid_i(near_credit_valid[n]), .out_credit_vc_i(near_credit_vc[n*VcWidth+:VcWidth]),
      `HW_CHANNEL_LANE(to, to, o, i, n), `HW_CHANNEL_LANE(from, from, i, o, n),
      .lost_in_o(lost_in_o[n]), .lost_out_o(lost_out_o[n]), .idle_o(idle_o[n])
    );
    hw_link_pipe #(.NumVcs(NumVcs), .FlitBits(FlitBits), .Latency(Latency)) u_link (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .up_valid_i(near_valid[n]), .up_vc_i(near_vc[n*VcWidth+:VcWidth]), .up_head_i(near_head[n]), .up_tail_i(near_tail[n]),
      .up_data_i(near_data[n*FlitBits+:FlitBits]),
      .up_credit_valid_o(near_credit_valid[n]), .up_credit_vc_o(near_credit_vc[n*VcWidth+:VcWidth]),
      .down_valid_o(far_valid[1-n]), .down_vc_o(far_vc[(1-n)*VcWidth+:VcWidth]), .down_head_o(far_head[1-n]), .down_tail_o(far_tail[1-n]),
      .down_data_o(far_data[(1-n)*FlitBits+:FlitBits]),
      .down_credit_valid_i(far_credit_valid[1-n]), .down_credit_vc_i(far_credit_vc[(1-n)*VcWidth+:VcWidth])
    );
  end

endmodule

`default_nettype wire
