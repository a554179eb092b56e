// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Which VCs of an input port hold a packet up to its tail that has not begun to leave: the packets that store-and-forward switching
// lets go. Without Counts all do. A packet of which MaxFlits flits have come without a tail counts as one, too: it has a false length,
// and may be longer than its VC, whose places it would hold for ever.
//
// Latency: a flit or a head of cycle t counts from t+1 on. Combinational paths: none.
// Assumes: VcDepths are at least MaxFlits.
module hw_whole_packets #(
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // flits
  parameter int unsigned MaxFlits = 0,                   // 0: every tail comes in time
  parameter bit Counts = 1'b0,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                flit_i,        // a flit arrives
  input  wire logic                tail_i,        // it is a tail
  input  wire logic [VcWidth-1:0]  flit_vc_i,
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
      logic comes, whole;                          // a flit of the VC, and a packet is whole with it
      assign comes = flit_i && flit_vc_i == VcWidth'(v);
      if (MaxFlits > 0) begin : gen_bound
        localparam int unsigned ComeWidth = $clog2(MaxFlits + 1);
        logic [ComeWidth-1:0] come_q;              // flits of the packet that comes in, at most MaxFlits
        assign whole = comes && (come_q == ComeWidth'(MaxFlits - 1) || (tail_i && come_q != ComeWidth'(MaxFlits)));
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) come_q <= '0;
          else if (comes && tail_i) come_q <= '0;
          else if (comes && come_q != ComeWidth'(MaxFlits)) come_q <= come_q + ComeWidth'(1);
        end
      end else begin : gen_no_bound
        assign whole = comes && tail_i;
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          count_q <= '0;
        end else begin
          count_q <= count_q + CountWidth'(whole) - CountWidth'(leaves_i && leaves_vc_i == VcWidth'(v));
        end
      end
      assign whole_o[v] = count_q != '0;
    end else begin : gen_all
      assign whole_o[v] = 1'b1;
    end
  end

  if (!Counts) begin : gen_unread
    wire unused = &{1'b0, clk_i, rst_ni, flit_i, tail_i, flit_vc_i, leaves_i, leaves_vc_i};
  end

endmodule

`default_nettype wire
