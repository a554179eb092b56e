// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// How far the packet that leaves each VC of an input port has come: whether its head has left, and whether its next flit is the
// last, by the length in its head.
//
// Latency: a flit granted in cycle t counts from t+1 on. Combinational paths: length_i -> last_o.
// Assumes: the length of a VC's first waiting packet is there when its head is granted; it is not 0.
module hw_packet_progress #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned MaxFlits = 0,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned LengthBits = $clog2(MaxFlits + 1)
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [NumVcs*LengthBits-1:0]  length_i,   // of each VC's first packet whose head has not left
  input  wire logic                          grant_i,    // a flit of it, or of the packet before it, leaves
  input  wire logic [VcWidth-1:0]            grant_vc_i,
  output logic [NumVcs-1:0]                  active_o,   // the VC's head has left, its last flit has not
  output logic [NumVcs-1:0]                  last_o      // the VC's next flit is the last
);

  if (NumVcs == 0 || MaxFlits == 0) begin : gen_bad_size
    $error("hw_packet_progress: NumVcs and MaxFlits must be set");
  end

  if (MaxFlits == 1) begin : gen_single
    assign active_o = '0;
    assign last_o = '1;
    wire unused = &{1'b0, clk_i, rst_ni, length_i, grant_i, grant_vc_i};
  end else begin : gen_multi
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
      logic active_q, granted;
      logic [LengthBits-1:0] left, left_q;   // flits of the packet that have not left
      assign granted = grant_i && grant_vc_i == VcWidth'(v);
      assign left = active_q ? left_q : length_i[v*LengthBits+:LengthBits];
      assign active_o[v] = active_q;
      assign last_o[v] = left == LengthBits'(1);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) active_q <= 1'b0;
        else if (granted) active_q <= !last_o[v];
      end
      always_ff @(posedge clk_i) if (granted) left_q <= left - LengthBits'(1);
    end
  end

endmodule

`default_nettype wire
