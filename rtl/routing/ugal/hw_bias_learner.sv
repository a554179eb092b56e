// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The learned bias of DGB: for every destination group, by how many flits a non-minimal path is made to look longer
// (above 0) or shorter (below 0), from the latencies that packets have met.
//
// Feedback rides on packets. A router that packets arrive at keeps, for each group they come from, the latest latency over
// a minimal and over a non-minimal path. A packet that leaves for another group takes one of the two latencies of that
// group's packets along (of a non-minimal path, those of the intermediate group): each latency is told once, to a group the
// two kinds in turn. The router in which the packet ends or turns reads it. A router that has read both kinds for a group
// since its last step moves that bias by
//   rate * (non-minimal latency - minimal latency)
// within -BiasMax and BiasMax / 2, about the deepest VC times the hops of a minimal path over those of a non-minimal one: a
// full VC on the minimal path always outweighs an empty non-minimal one. A bias is rounded to flits where it is used. One
// sample and one reading are taken per cycle; what comes beside is dropped, there is more where it comes from.
//
// Cost: stamp and feedback in the head flit (StampBits + LatencyBits + 2 bits), no wire and no packet of its own.
// Latency: lookups and what is attached: combinational, from memory; a sample or reading of cycle t counts from t+2 on.
// Throughput: one lookup and one attachment per terminal and cycle. At rest nothing changes without an input.
// Assumes: latencies below 7/8 of 2^StampBits core cycles. Latencies from 2^LatencyBits on count as the longest.
// Reference: Kasan et al., "Dynamic global adaptive routing in high-radix networks", ISCA 2022 (gradient step); Chaulagain &
// Yuan, ICS 2024 (rates). Departures: docs/reference/routing-ugal.md.
module hw_bias_learner #(
  parameter int unsigned NumPorts = 0,                   // input ports that packets arrive at
  parameter int unsigned NumTerminals = 0,               // ports that packets leave from
  parameter int unsigned NumGroups = 0,
  parameter int unsigned StampBits = 18,
  parameter int unsigned LatencyBits = 14,               // at most StampBits
  parameter int unsigned BiasMax = 256,                  // flits, below 32768
  localparam int unsigned GroupWidth = $clog2(NumGroups),
  localparam int unsigned FeedbackBits = LatencyBits + 2 // {latency, non-minimal, valid}
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  input  wire logic [15:0]                         rate_i,        // CSR: flits per core cycle, 2^-16
  input  wire logic [StampBits-1:0]                now_i,
  // Packets that end here, and those that end or turn here
  input  wire logic [NumPorts-1:0]                 end_valid_i,
  input  wire logic [NumPorts-1:0]                 turn_valid_i,
  input  wire logic [NumPorts*GroupWidth-1:0]      from_group_i,
  input  wire logic [NumPorts*StampBits-1:0]       stamp_i,       // when it was injected
  input  wire logic [NumPorts-1:0]                 nonminimal_i,
  input  wire logic [NumPorts*FeedbackBits-1:0]    feedback_i,
  // Bias of a destination group, flits, signed; 0 where not valid
  input  wire logic [NumTerminals-1:0]             look_valid_i,
  input  wire logic [NumTerminals*GroupWidth-1:0]  look_group_i,
  output logic [NumTerminals*16-1:0]               look_bias_o,
  // Feedback for a packet to a group
  input  wire logic [NumTerminals-1:0]             take_valid_i,
  input  wire logic [NumTerminals*GroupWidth-1:0]  take_group_i,
  output logic [NumTerminals*FeedbackBits-1:0]     take_feedback_o
);

  localparam int unsigned Fraction = 12;
  localparam int unsigned BiasBits = 16 + Fraction;
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1;

  if (NumPorts == 0 || NumTerminals == 0 || NumGroups < 2) begin : gen_bad_shape
    $error("hw_bias_learner: NumPorts, NumTerminals at least 1, NumGroups 2");
  end

  // Latest latencies of what came from each group, and of what went there as it was told.
  logic [LatencyBits-1:0] came_min_mem [NumGroups];
  logic [LatencyBits-1:0] came_non_mem [NumGroups];
  logic [NumGroups-1:0] came_min_q, came_non_q;          // valid: not told yet
  logic [LatencyBits-1:0] went_min_mem [NumGroups];
  logic [LatencyBits-1:0] went_non_mem [NumGroups];
  logic [NumGroups-1:0] went_min_q, went_non_q;          // read since the last step
  logic signed [BiasBits-1:0] bias_mem [NumGroups];      // half a flit more, so that flooring it rounds
  logic [NumGroups-1:0] bias_q;                          // valid: else 0
  logic [NumGroups-1:0] kind_q;                          // the kind to attach next

  // The sample and the reading of this cycle: the first port from start_q on.
  logic sample, reading;
  logic [PortWidth-1:0] sample_port, reading_port, start_q;
  logic [NumPorts-1:0] readings;

  always_comb begin
    sample = end_valid_i != '0;
    sample_port = '0;
    readings = '0;
    reading_port = '0;
    if (turn_valid_i != '0) begin
      for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
        readings[p] = turn_valid_i[p] && feedback_i[p*FeedbackBits];
      end
    end
    reading = readings != '0;
    if (sample || reading) begin
      for (int unsigned i = NumPorts; i > 0; i = i - 1) begin
        if (end_valid_i[i-1]) sample_port = PortWidth'(i - 1);
        if (readings[i-1]) reading_port = PortWidth'(i - 1);
      end
      for (int unsigned i = NumPorts; i > 0; i = i - 1) begin
        if (end_valid_i[i-1] && PortWidth'(i - 1) >= start_q) sample_port = PortWidth'(i - 1);
        if (readings[i-1] && PortWidth'(i - 1) >= start_q) reading_port = PortWidth'(i - 1);
      end
    end
  end

  logic sample_q, sample_kind_q, reading_q, reading_kind_q;
  logic [GroupWidth-1:0] sample_group_q, reading_group_q;
  logic [LatencyBits-1:0] sample_latency_q, reading_latency_q;
  logic [StampBits-1:0] elapsed;
  logic too_long;
  always_comb begin
    elapsed = now_i - stamp_i[sample_port*StampBits+:StampBits];
    too_long = (32'(elapsed) >> LatencyBits) != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sample_q <= 1'b0;
      reading_q <= 1'b0;
      start_q <= '0;
    end else begin
      sample_q <= sample;
      reading_q <= reading;
      if (sample || reading) start_q <= start_q == PortWidth'(NumPorts - 1) ? '0 : start_q + PortWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (sample) begin
      sample_kind_q <= nonminimal_i[sample_port];
      sample_group_q <= from_group_i[sample_port*GroupWidth+:GroupWidth];
      sample_latency_q <= too_long ? {LatencyBits{1'b1}} : LatencyBits'(elapsed);
    end
    if (reading) begin
      reading_kind_q <= feedback_i[reading_port*FeedbackBits+1];
      reading_group_q <= from_group_i[reading_port*GroupWidth+:GroupWidth];
      reading_latency_q <= feedback_i[reading_port*FeedbackBits+2+:LatencyBits];
    end
  end

  // What a packet to each group takes along, and whether one does.
  logic [NumGroups-1:0] tell_min, tell_non, told;
  assign tell_non = came_non_q & (kind_q | ~came_min_q);
  assign tell_min = came_min_q & ~tell_non;

  // Gradient step
  logic [LatencyBits-1:0] reported_min, reported_non;
  logic both;
  logic signed [LatencyBits:0] difference;
  logic signed [BiasBits+LatencyBits:0] product;
  logic signed [BiasBits:0] moved;
  logic signed [BiasBits-1:0] old_bias, new_bias;
  localparam logic signed [BiasBits:0] Half = (BiasBits + 1)'(1 << (Fraction - 1));
  localparam logic signed [BiasBits:0] Most = Half + (BiasBits + 1)'(BiasMax << (Fraction - 1));
  localparam logic signed [BiasBits:0] Least = Half - (BiasBits + 1)'(BiasMax << Fraction);

  always_comb begin
    reported_min = '0;
    reported_non = '0;
    both = 1'b0;
    difference = '0;
    product = '0;
    moved = '0;
    old_bias = '0;
    new_bias = '0;
    if (reading_q) begin
      both = reading_kind_q ? went_min_q[reading_group_q] : went_non_q[reading_group_q];
      reported_min = reading_kind_q ? went_min_mem[reading_group_q] : reading_latency_q;
      reported_non = reading_kind_q ? reading_latency_q : went_non_mem[reading_group_q];
      difference = $signed({1'b0, reported_non}) - $signed({1'b0, reported_min});
      product = (BiasBits + LatencyBits + 1)'(difference) * (BiasBits + LatencyBits + 1)'($signed({1'b0, rate_i}));
      old_bias = bias_q[reading_group_q] ? bias_mem[reading_group_q] : BiasBits'(Half);
      moved = (BiasBits + 1)'(old_bias) + (BiasBits + 1)'(product >>> (16 - Fraction));
      new_bias = moved > Most ? BiasBits'(Most) : moved < Least ? BiasBits'(Least) : BiasBits'(moved);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      came_min_q <= '0;
      came_non_q <= '0;
      went_min_q <= '0;
      went_non_q <= '0;
      bias_q <= '0;
      kind_q <= '0;
    end else begin
      came_min_q <= came_min_q & ~(told & tell_min);
      came_non_q <= came_non_q & ~(told & tell_non);
      kind_q <= (kind_q | (told & tell_min)) & ~(told & tell_non);
      if (sample_q && sample_kind_q) came_non_q[sample_group_q] <= 1'b1;
      if (sample_q && !sample_kind_q) came_min_q[sample_group_q] <= 1'b1;
      if (reading_q && reading_kind_q) went_non_q[reading_group_q] <= !both;
      if (reading_q && !reading_kind_q) went_min_q[reading_group_q] <= !both;
      if (reading_q && both) begin
        bias_q[reading_group_q] <= 1'b1;
        if (reading_kind_q) went_min_q[reading_group_q] <= 1'b0;
        else went_non_q[reading_group_q] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (sample_q && sample_kind_q) came_non_mem[sample_group_q] <= sample_latency_q;
    if (sample_q && !sample_kind_q) came_min_mem[sample_group_q] <= sample_latency_q;
    if (reading_q && reading_kind_q) went_non_mem[reading_group_q] <= reading_latency_q;
    if (reading_q && !reading_kind_q) went_min_mem[reading_group_q] <= reading_latency_q;
    if (reading_q && both) bias_mem[reading_group_q] <= new_bias;
  end

  // Lookups
  logic [GroupWidth-1:0] look, take;

  always_comb begin
    look_bias_o = '0;
    look = '0;
    for (int unsigned t = 0; t < NumTerminals; t = t + 1) begin
      if (look_valid_i[t]) begin
        look = look_group_i[t*GroupWidth+:GroupWidth];
        if (bias_q[look]) look_bias_o[t*16+:16] = 16'(bias_mem[look] >>> Fraction);
      end
    end
  end

  always_comb begin
    take_feedback_o = '0;
    told = '0;
    take = '0;
    for (int unsigned t = 0; t < NumTerminals; t = t + 1) begin
      if (take_valid_i[t]) begin
        take = take_group_i[t*GroupWidth+:GroupWidth];
        told = told | (NumGroups'(1) << take);
        take_feedback_o[t*FeedbackBits+:FeedbackBits] = {tell_non[take] ? came_non_mem[take] : came_min_mem[take], tell_non[take],
                                                         tell_non[take] || tell_min[take]};
      end
    end
  end

  `HW_ASSUME(a_packets_arrive_before_the_clock_comes_round, !sample || elapsed[StampBits-1:StampBits-3] != 3'b111)

endmodule

`default_nettype wire
