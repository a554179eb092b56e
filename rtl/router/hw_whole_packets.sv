// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Which VCs of an input port hold a packet up to its tail that has not begun to leave: the packets that store-and-forward switching
// lets go. Without Counts all do.
//
// Latency: a tail or a head of cycle t counts from t+1 on. Combinational paths: none.
module hw_whole_packets #(
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // flits
  parameter bit Counts = 1'b0,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                tail_i,        // a tail arrives
  input  wire logic [VcWidth-1:0]  tail_vc_i,
  input  wire logic                leaves_i,      // a head leaves, or is discarded
  input  wire logic [VcWidth-1:0]  leaves_vc_i,
  output logic [NumVcs-1:0]        whole_o
);

  if (NumVcs == 0) begin : gen_bad_size
    $error("hw_whole_packets: NumVcs must be set");
  end

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    if (Counts) begin : gen_counts
      localparam int unsigned CountWidth = $clog2({16'b0, VcDepths[v*16+:16]} + 1);
      logic [CountWidth-1:0] count_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          count_q <= '0;
        end else begin
          count_q <= count_q + CountWidth'(tail_i && tail_vc_i == VcWidth'(v))
                   - CountWidth'(leaves_i && leaves_vc_i == VcWidth'(v));
        end
      end
      assign whole_o[v] = count_q != '0;
    end else begin : gen_all
      assign whole_o[v] = 1'b1;
    end
  end

  if (!Counts) begin : gen_unread
    wire unused = &{1'b0, clk_i, rst_ni, tail_i, tail_vc_i, leaves_i, leaves_vc_i};
  end

endmodule

`default_nettype wire
