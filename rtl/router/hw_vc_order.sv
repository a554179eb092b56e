// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// The order in which the VCs of an input port ask for the switch: the one that was served least recently goes first.
//
// Yield 1: a VC that asked and was not granted stands back, so that the port asks for another output in the next cycle, until
// the port is served. A VC that has been overtaken three times, by VCs that were served more recently than it, does not stand
// back any more: it is due. So a VC that keeps asking is served after finitely many grants to its port.
//
// Latency: what is served in cycle t counts from cycle t+1 on. Combinational paths: none; ahead_o is a register with Yield,
// else it depends on registers only. Without requests nothing changes.
// Reference: Dally & Towles, section 18.5 (matrix arbiter: least recently served).
module hw_vc_order #(
  parameter int unsigned NumVcs = 0,
  parameter bit Yield = 1'b0
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,
  input  wire logic [NumVcs-1:0]        request_i,
  input  wire logic [NumVcs-1:0]        tried_i,    // the VC that asks in this cycle; at most one
  input  wire logic [NumVcs-1:0]        served_i,   // the VC that is granted; at most one
  output logic [NumVcs*NumVcs-1:0]      ahead_o     // of each VC: those that go ahead of it
);

  if (NumVcs == 0) begin : gen_bad_size
    $error("hw_vc_order: NumVcs must be set");
  end

  `HW_LEAST_RECENT(first_vc, NumVcs)

  logic [NumVcs*NumVcs-1:0] order_q, order_d;

  assign order_d = served_i != '0 ? first_vc_served(order_q, served_i) : order_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) order_q <= first_vc_served({NumVcs*NumVcs{1'b1}}, '0);
    else order_q <= order_d;
  end

  if (Yield) begin : gen_yield
    localparam logic [1:0] Overtaken = 2'd3;
    logic [NumVcs*NumVcs-1:0] ahead_q, older;
    logic [NumVcs*2-1:0] overtaken_q;
    logic [NumVcs-1:0] lost_q, lost_d, due;

    assign older = first_vc_ahead(order_q, '0);
    assign lost_d = served_i != '0 ? '0 : lost_q | tried_i;
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
      logic passed;                                  // another VC is served that this one goes ahead of
      assign due[v] = overtaken_q[v*2+:2] == Overtaken;
      always_comb begin
        passed = 1'b0;
        for (int unsigned w = 0; w < NumVcs; w = w + 1) begin
          if (served_i[w] && older[w*NumVcs+v]) passed = request_i[v];
        end
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) overtaken_q[v*2+:2] <= '0;
        else if (served_i[v]) overtaken_q[v*2+:2] <= '0;
        else if (passed && !due[v]) overtaken_q[v*2+:2] <= overtaken_q[v*2+:2] + 2'd1;
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        lost_q <= '0;
        ahead_q <= first_vc_ahead(first_vc_served({NumVcs*NumVcs{1'b1}}, '0), '0);
      end else begin
        lost_q <= lost_d;
        ahead_q <= first_vc_ahead(order_d, ~lost_d | due);
      end
    end
    assign ahead_o = ahead_q;
  end else begin : gen_in_order
    assign ahead_o = first_vc_ahead(order_q, '0);
    wire unused = &{1'b0, request_i, tried_i};
  end

endmodule

`default_nettype wire
