// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The watchdog of a router: visits one VC of one input port after the other (hw_vc_watch), all of them once in Cycles cycles, and
// reports those that are stuck. The place of the visit is the low part of the time, so nothing here counts.
//
// Bound: a flit that is the first of its VC and does not move is reported at most 2 Cycles cycles after it came to be the first, and
// again every Cycles cycles while it stays; one that moves within fewer than Cycles cycles never is.
//
// Words of a report, as the registers STUCK and WAITS_FOR have them: {8'h0, VC, input port, cause}, 8 bits each; then of each
// candidate {16 bits of output VCs, 8'h0, 8 bits of output port}.
//
// Latency: what is found in cycle t is on report_o in t+1, for one cycle; words_o keep it until the next report.
// Combinational paths: none. Assumes: now_i counts cycles. Guarantees: where no VC holds a flit nothing but the visit changes.
module hw_stuck_watch #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumCands = 1,
  parameter int unsigned Cycles = 0,                     // a power of two, at least twice the places of all ports and VCs
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned CandBits = PortWidth + NumVcs,
  localparam int unsigned WaitBits = hw_router_pkg::WaitBits
) (
  input  wire logic                                  clk_i,
  input  wire logic                                  rst_ni,
  input  wire logic [63:0]                           now_i,
  // Per input port: its visit, and what that finds
  output logic [NumPorts-1:0]                        visit_o,
  output logic [VcWidth-1:0]                         visit_vc_o,
  input  wire logic [NumPorts-1:0]                   stuck_i,
  input  wire logic [NumPorts*WaitBits-1:0]          cause_i,
  input  wire logic [NumPorts*NumCands*CandBits-1:0] wants_i,
  output logic                                       report_o,
  output logic [(1+NumCands)*32-1:0]                 words_o
);

  localparam int unsigned PlaceBits = PortWidth + VcWidth;
  localparam int unsigned TimeBits = $clog2(Cycles);

  if (NumPorts == 0 || NumVcs == 0 || Cycles != 1 << TimeBits || TimeBits <= PlaceBits) begin : gen_bad_size
    $error("hw_stuck_watch: NumPorts and NumVcs must be set, Cycles be a power of two above 2^%0d", PlaceBits);
  end

  logic visit_q, report_q;
  logic [PlaceBits-1:0] place_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      visit_q <= 1'b0;
      place_q <= '0;
      report_q <= 1'b0;
    end else begin
      visit_q <= now_i[TimeBits-1:PlaceBits] == '0;
      place_q <= now_i[PlaceBits-1:0];
      report_q <= stuck_i != '0;
    end
  end
  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_visit
    assign visit_o[p] = visit_q && place_q[PlaceBits-1:VcWidth] == PortWidth'(p);
  end
  assign visit_vc_o = place_q[VcWidth-1:0];
  assign report_o = report_q;

  // At most one port is visited; the others give zeros.
  logic [WaitBits-1:0] cause;
  logic [NumCands*CandBits-1:0] wants;
  logic [(1+NumCands)*32-1:0] words_q, words;
  always_comb begin
    cause = '0;
    wants = '0;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      cause = cause | cause_i[p*WaitBits+:WaitBits];
      wants = wants | wants_i[p*NumCands*CandBits+:NumCands*CandBits];
    end
    words[31:0] = {8'h0, 8'(place_q[VcWidth-1:0]), 8'(place_q[PlaceBits-1:VcWidth]), 8'(cause)};
    for (int unsigned k = 0; k < NumCands; k = k + 1) begin
      words[32*(k+1)+:32] = {16'(wants[k*CandBits+PortWidth+:NumVcs]), 16'(wants[k*CandBits+:PortWidth])};
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) words_q <= '0;
    else if (stuck_i != '0) words_q <= words;
  end
  assign words_o = words_q;

  wire unused = &{1'b0, now_i};

  `HW_ASSUME(a_only_the_visited_port, (stuck_i & ~visit_o) == '0)

endmodule

`default_nettype wire
