// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Which source a terminal notifies next: the first of which a marked packet comes once the last notification has gone and gap_i cycles have
// passed. Marks that come meanwhile are forgotten, so that taking packets never waits for sending.
//
// Latency: of a mark in cycle t there is a notification in t+1. Throughput: one in gap_i + 2 cycles.
// Combinational paths: none. Fairness: of the sources, that of the most marked packets is notified most.
// Assumes: note_ready_i does not depend on note_valid_o for ever.
// Guarantees: a notification stays until it is taken. While quiescent_o is high nothing changes without input. Checked by a test that
// compares it with hopwise::engine::Notifier in every cycle.
// Reference: docs/reference/congestion.md.
module hw_congestion_notifier #(
  parameter int unsigned SrcBits = 0
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [11:0]         gap_i,          // configuration, cycles

  input  wire logic                mark_valid_i,   // a marked packet came
  input  wire logic [SrcBits-1:0]  mark_src_i,

  output logic                     note_valid_o,
  input  wire logic                note_ready_i,
  output logic [SrcBits-1:0]       note_dst_o,

  output logic                     quiescent_o
);

  if (SrcBits == 0) begin : gen_bad_size
    $error("hw_congestion_notifier: SrcBits must be at least 1");
  end

  logic pending_q, take;
  logic [11:0] timer_q;
  logic [SrcBits-1:0] dst_q;

  assign take = mark_valid_i && !pending_q && timer_q == '0;
  assign note_valid_o = pending_q;
  assign note_dst_o = dst_q;
  assign quiescent_o = !pending_q && timer_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      timer_q <= '0;
    end else begin
      if (take) pending_q <= 1'b1;
      else if (note_ready_i) pending_q <= 1'b0;
      if (pending_q && note_ready_i) timer_q <= gap_i;
      else if (timer_q != '0) timer_q <= timer_q - 12'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) dst_q <= mark_src_i;
  end

endmodule

`default_nettype wire
