// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Which routing mode the packets of a message take, from what the last messages met: adaptive, or adaptive with a high bias
// towards minimal paths (De Sensi et al. 2019, algorithm 1).
//
// Messages of up to threshold_i bytes, all together since the last decision, take the high bias, as latency is what counts for
// them. The next message decides: the counters of the last one under each mode give the time that it would take, see
// hw_mode_compare; those of the mode that is not in force count if they are younger than max_age_i samples and of a message of
// the same size to the same destination, otherwise they are estimated. Without any sample the mode stays; after reset it is adaptive.
// Whoever sends gives, once a message that decided has gone, by how much its counters have grown (sample_*).
//
// Latency: of a message that is taken in cycle t, rsp_valid_o is high in t+1 where it decides nothing, else within
//   4 (6 + 128/ChunkBits) + 4 cycles. Throughput: one message at a time; none and no sample is taken in between.
// Combinational paths: sample_valid_i -> msg_ready_o.
// Assumes: lambda_i and sigma_i are not 0.
// Guarantees: the decision of the algorithm with exact arithmetic; a sample without packets or flits changes nothing; one answer for
//   each message. Checked by a test that compares it with the algorithm in rational numbers, decision by decision.
// Reference: De Sensi, Di Girolamo, Hoefler, SC 2019, section 4.2; docs/reference/mode-selector.md.
module hw_mode_selector #(
  parameter int unsigned DstBits = 0,
  parameter int unsigned OutstandingBits = 10,   // 2^OutstandingBits packets may wait for their responses
  parameter int unsigned ChunkBits = 4           // of the multiplier: see hw_mode_compare
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  // Configuration words
  input  wire logic [31:0]         threshold_i,  // bytes
  input  wire logic [7:0]          lambda_i,     // sixteenths: latency of the adaptive mode over that of the high bias
  input  wire logic [7:0]          sigma_i,      // sixteenths: stalls of the high bias over those of the adaptive mode
  input  wire logic [7:0]          max_age_i,

  // Message
  input  wire logic                msg_valid_i,
  output logic                     msg_ready_o,
  input  wire logic [31:0]         msg_bytes_i,
  input  wire logic [DstBits-1:0]  msg_dst_i,
  input  wire logic                msg_get_i,    // requests carry no data
  input  wire logic                msg_alltoall_i,

  // Its mode: 0 ADAPTIVE_0, 1 ADAPTIVE_1 (in its place for all-to-all), 3 ADAPTIVE_3 (high bias)
  output logic                     rsp_valid_o,
  output logic [1:0]               rsp_mode_o,
  output logic                     rsp_decided_o,  // a sample is to follow

  // By how much the counters have grown with the last message that decided
  input  wire logic                sample_valid_i,
  output logic                     sample_ready_o,
  input  wire logic [31:0]         sample_latency_i,  // cycles, of all packets
  input  wire logic [31:0]         sample_packets_i,
  input  wire logic [31:0]         sample_stalls_i,   // cycles
  input  wire logic [31:0]         sample_flits_i,

  output logic                     quiescent_o
);

  if (DstBits == 0 || OutstandingBits < 2 || OutstandingBits > 20) begin : gen_bad_size
    $error("hw_mode_selector: DstBits must be at least 1, OutstandingBits 2 to 20");
  end

  localparam int unsigned Outstanding = 1 << OutstandingBits;
  localparam int unsigned PacketFlits = 5;       // of a full request packet: header and 64 bytes

  logic mode_q, deciding_q, start_q, alltoall_q; // mode_q: high bias
  logic [32:0] cumulative_q, cumulative;
  logic [31:0] bytes_q, alpha_q, flits_q;
  logic [DstBits-1:0] dst_q;
  logic rsp_valid_q, rsp_decided_q;
  logic [1:0] rsp_mode_q;
  logic take, decides, done, result, has_own, has_other;

  // Samples of both modes, the adaptive one's first
  logic [1:0] valid_q;
  logic [255:0] sample_q;
  logic [15:0] age_q;
  logic [63:0] sample_bytes_q;
  logic [2*DstBits-1:0] sample_dst_q;
  logic sample_taken;

  assign sample_ready_o = !deciding_q;
  assign msg_ready_o = !deciding_q && !sample_valid_i;
  assign sample_taken = sample_valid_i && sample_ready_o && sample_packets_i != '0 && sample_flits_i != '0;
  assign take = msg_valid_i && msg_ready_o;
  assign cumulative = cumulative_q + 33'(msg_bytes_i);
  assign decides = cumulative > 33'(threshold_i);
  assign has_own = valid_q[mode_q];
  assign has_other = valid_q[!mode_q] && age_q[32'(!mode_q)*8+:8] < max_age_i
      && sample_bytes_q[32'(!mode_q)*32+:32] == bytes_q && sample_dst_q[32'(!mode_q)*DstBits+:DstBits] == dst_q;

  wire logic [31:0] packets = 32'((33'(msg_bytes_i) + 33'd63) >> 6);

  hw_mode_compare #(.ChunkBits(ChunkBits)) u_compare (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start_q && has_own), .estimate_i(!has_other), .present_i(mode_q),
    .adaptive_i(sample_q[127:0]), .high_bias_i(sample_q[255:128]), .alpha_i(alpha_q), .flits_i(flits_q),
    .lambda_i(lambda_i), .sigma_i(sigma_i), .done_o(done), .high_bias_o(result)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mode_q <= 1'b0;
      deciding_q <= 1'b0;
      start_q <= 1'b0;
      cumulative_q <= '0;
      valid_q <= '0;
      age_q <= '0;
      rsp_valid_q <= 1'b0;
      rsp_mode_q <= '0;
      rsp_decided_q <= 1'b0;
    end else begin
      rsp_valid_q <= 1'b0;
      start_q <= 1'b0;
      if (take) begin
        cumulative_q <= decides ? '0 : cumulative;
        deciding_q <= decides;
        start_q <= decides;
        rsp_valid_q <= !decides;
        rsp_mode_q <= 2'd3;
        rsp_decided_q <= 1'b0;
      end
      if (done || (start_q && !has_own)) begin
        deciding_q <= 1'b0;
        if (done) mode_q <= result;
        rsp_valid_q <= 1'b1;
        rsp_mode_q <= (done ? result : mode_q) ? 2'd3 : {1'b0, alltoall_q};
        rsp_decided_q <= 1'b1;
      end
      if (sample_taken) begin
        valid_q[mode_q] <= 1'b1;
        age_q[32'(mode_q)*8+:8] <= '0;
        if (age_q[32'(!mode_q)*8+:8] != '1) age_q[32'(!mode_q)*8+:8] <= age_q[32'(!mode_q)*8+:8] + 8'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take && decides) begin
      bytes_q <= msg_bytes_i;
      dst_q <= msg_dst_i;
      alltoall_q <= msg_alltoall_i;
      // Latencies that the packets wait for, of which 2^OutstandingBits are under way at a time: half of one, and (packets - 1) /
      // Outstanding more, rounded up.
      alpha_q <= (packets + 32'(Outstanding / 2 + Outstanding - 2)) >> OutstandingBits;
      flits_q <= msg_get_i ? packets : packets * 32'(PacketFlits);
    end
    if (sample_taken) begin
      sample_q[32'(mode_q)*128+:128] <= {sample_flits_i, sample_stalls_i, sample_packets_i, sample_latency_i};
      sample_bytes_q[32'(mode_q)*32+:32] <= bytes_q;
      sample_dst_q[32'(mode_q)*DstBits+:DstBits] <= dst_q;
    end
  end

  assign {rsp_valid_o, rsp_mode_o, rsp_decided_o} = {rsp_valid_q, rsp_mode_q, rsp_decided_q};
  assign quiescent_o = !deciding_q && !rsp_valid_q;

  `HW_ASSUME(a_factors_not_zero, !(start_q && has_own) || (lambda_i != '0 && sigma_i != '0))
  `HW_ASSERT(a_no_answer_while_deciding, !(rsp_valid_q && deciding_q))

endmodule

`default_nettype wire
