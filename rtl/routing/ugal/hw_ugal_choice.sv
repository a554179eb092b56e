// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The adaptive choice of a dragonfly's routings: weighs minimal and non-minimal paths by queues and
// hops, and takes the best minimal one where
//   q_m * (H_m + contention) <= max(0, q_n + learned bias) * H_n + bias.
//
// Latency: one cycle with Registered, between the estimates and the choice, else 0; throughput: one
// choice per cycle. Combinational paths: choose_i, first_i, mode_i, bias_i -> all outputs; without Registered
// all inputs -> all outputs.
// Of equal estimates the first path's counts. With Oracle the queues are all that counts.
// Reference: Jiang et al. 2009; Chaulagain & Yuan 2024, algorithms 1 and 2.
module hw_ugal_choice #(
  parameter int unsigned PortWidth = 1,
  parameter int unsigned QueueWidth = 0,
  parameter int unsigned CountWidth = 1,
  parameter bit TakesMinimal = 1'b1,            // else all is non-minimal
  parameter int unsigned NumMinimal = 1,
  parameter int unsigned NumNonminimal = 1,
  parameter bit OneTwo = 1'b0,                  // hops count 1 : 2, else as the path has them
  parameter bit Oracle = 1'b0,
  parameter bit Registered = 1'b0,
  localparam int unsigned EstimateWidth = QueueWidth + 7,
  localparam int unsigned G = hw_dragonfly_pkg::GroupBits,
  localparam int unsigned R = hw_dragonfly_pkg::RouterBits
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_ni,
  // Of the packet that chooses
  input  wire logic [1:0]                              mode_i,         // hw_ugal_pkg
  input  wire logic [15:0]                             bias_i,         // flits x hops, signed
  input  wire logic                                    first_i,        // the first path of each kind, whatever the queues
  // Paths, as hw_dragonfly_paths has them; contention factor and learned bias (flits, signed) of the destination's group
  input  wire logic                                    weigh_i,
  input  wire logic [CountWidth-1:0]                   count_i,
  input  wire logic [15:0]                             learned_i,
  input  wire logic                                    own_link_i,     // this router's to that group
  input  wire logic [NumMinimal*PortWidth-1:0]         min_port_i,
  input  wire logic [NumMinimal*QueueWidth-1:0]        min_first_i,
  input  wire logic [NumMinimal*3-1:0]                 min_hops_i,
  input  wire logic [NumMinimal*EstimateWidth-1:0]     min_queue_i,
  input  wire logic [NumNonminimal*PortWidth-1:0]      non_port_i,
  input  wire logic [NumNonminimal*R-1:0]              non_via_i,
  input  wire logic [NumNonminimal*G-1:0]              non_group_i,
  input  wire logic [NumNonminimal*4-1:0]              non_hops_i,
  input  wire logic [NumNonminimal*EstimateWidth-1:0]  non_queue_i,
  // Choice, and the best path of each kind; without choose_i the first
  input  wire logic                                    choose_i,
  output logic                                         nonminimal_o,
  output logic [PortWidth-1:0]                         min_port_o,
  output logic [QueueWidth-1:0]                        min_first_o,
  output logic [EstimateWidth-1:0]                     least_min_o,    // its estimate
  output logic [PortWidth-1:0]                         non_port_o,
  output logic [R-1:0]                                 non_via_o,
  output logic [G-1:0]                                 non_group_o
);

  if (QueueWidth == 0) begin : gen_unset
    $error("hw_ugal_choice: QueueWidth must be set");
  end

  localparam int unsigned BiasedWidth = QueueWidth > 13 ? QueueWidth + 4 : 17;

  // Estimates ------------------------------------------------------------------------------------
  logic [NumMinimal*EstimateWidth-1:0] weigh_min, min_estimate;
  logic [NumNonminimal*EstimateWidth-1:0] weigh_non, non_estimate;

  if (Oracle) begin : gen_oracle
    assign weigh_min = min_queue_i;
    assign weigh_non = non_queue_i;
    wire unused_hops = &{1'b0, min_hops_i, non_hops_i, own_link_i};
  end else begin : gen_weights
    logic [6:0] weight;
    logic [CountWidth-1:0] extra;
    logic signed [BiasedWidth-1:0] biased;               // a non-minimal path's queue with the learned bias
    always_comb begin
      weigh_min = '0;
      weigh_non = '0;
      weight = '0;
      biased = '0;
      extra = own_link_i || count_i == '0 ? '0 : count_i - CountWidth'(1);
      if (weigh_i) begin
        for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
          weight = (OneTwo ? 7'd1 : 7'(min_hops_i[i*3+:3])) + 7'(extra);
          weigh_min[i*EstimateWidth+:EstimateWidth] = min_queue_i[i*EstimateWidth+:EstimateWidth] * EstimateWidth'(weight);
        end
        for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
          weight = OneTwo ? 7'd2 : 7'(non_hops_i[i*4+:4]);
          biased = $signed(BiasedWidth'(non_queue_i[i*EstimateWidth+:EstimateWidth])) + BiasedWidth'($signed(learned_i));
          if (biased > BiasedWidth'((1 << (QueueWidth + 2)) - 1)) biased = BiasedWidth'((1 << (QueueWidth + 2)) - 1);
          if (biased > 0) weigh_non[i*EstimateWidth+:EstimateWidth] = EstimateWidth'(biased) * EstimateWidth'(weight);
        end
      end
    end
  end

  logic [NumMinimal*PortWidth-1:0] min_port;
  logic [NumMinimal*QueueWidth-1:0] min_first;
  logic [NumNonminimal*PortWidth-1:0] non_port;
  logic [NumNonminimal*R-1:0] non_via;
  logic [NumNonminimal*G-1:0] non_group;
  hw_pipe_register #(.Width(NumMinimal * (EstimateWidth + PortWidth + QueueWidth)), .Registered(Registered)) u_min (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({weigh_min, min_port_i, min_first_i}),
    .data_o({min_estimate, min_port, min_first})
  );
  hw_pipe_register #(.Width(NumNonminimal * (EstimateWidth + PortWidth + R + G)), .Registered(Registered)) u_non (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({weigh_non, non_port_i, non_via_i, non_group_i}),
    .data_o({non_estimate, non_port, non_via, non_group})
  );

  // Choice ---------------------------------------------------------------------------------------
  localparam int unsigned CompareWidth = EstimateWidth > 16 ? EstimateWidth + 2 : 18;
  logic signed [CompareWidth-1:0] bias;
  assign bias = CompareWidth'($signed(bias_i));

  logic [EstimateWidth-1:0] least_non;
  logic [31:0] best_min, best_non;              // numbers of paths

  assign min_port_o = min_port[best_min*PortWidth+:PortWidth];
  assign min_first_o = min_first[best_min*QueueWidth+:QueueWidth];
  assign non_port_o = non_port[best_non*PortWidth+:PortWidth];
  assign non_via_o = non_via[best_non*R+:R];
  assign non_group_o = non_group[best_non*G+:G];

  always_comb begin
    best_min = '0;
    best_non = '0;
    least_min_o = min_estimate[0+:EstimateWidth];
    least_non = non_estimate[0+:EstimateWidth];
    nonminimal_o = 1'b0;
    if (choose_i) begin
      for (int unsigned i = 1; i < NumMinimal; i = i + 1) begin
        if (!first_i && min_estimate[i*EstimateWidth+:EstimateWidth] < least_min_o) begin
          least_min_o = min_estimate[i*EstimateWidth+:EstimateWidth];
          best_min = i;
        end
      end
      for (int unsigned i = 1; i < NumNonminimal; i = i + 1) begin
        if (!first_i && non_estimate[i*EstimateWidth+:EstimateWidth] < least_non) begin
          least_non = non_estimate[i*EstimateWidth+:EstimateWidth];
          best_non = i;
        end
      end
      nonminimal_o = !TakesMinimal
          || $signed(CompareWidth'(least_min_o)) > $signed(CompareWidth'(least_non)) + bias;
      if (TakesMinimal && mode_i == hw_ugal_pkg::AlwaysMinimal) nonminimal_o = 1'b0;
      if (TakesMinimal && mode_i == hw_ugal_pkg::AlwaysNonminimal) nonminimal_o = 1'b1;
    end
  end

endmodule

`default_nettype wire
