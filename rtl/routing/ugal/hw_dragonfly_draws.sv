// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What a route computation of a dragonfly draws: of each minimal path a link, of each non-minimal
// one a link, a group that is neither this one nor the destination's, and a router in it; of each path
// one of the links between two routers of a column.
//
// Latency: one cycle with Registered, else 0; throughput: one draw per cycle.
// Combinational paths: group_i, drawn_* -> non_group_o; without Registered all inputs but the seed's
// -> outputs.
// Random bits: two states of hw_random per drawn path, three with ColumnLinks above 1; drawn with draw_i alone. In their place, with
// hashed_i, hash_i: that packet draws nothing.
// Assumes: deciding_i only with draw_i; drawn_* belong to the question of which the outputs are.
module hw_dragonfly_draws #(
  parameter bit Draws = 1'b0,                   // else there is no generator
  parameter bit [31:0] Salt = '0,
  parameter int unsigned NumRouters = 0,
  parameter int unsigned NumGroups = 0,
  parameter int unsigned Links = 1,             // between two groups
  parameter int unsigned ColumnLinks = 1,       // between two routers of a column
  parameter bit ThroughRouter = 1'b1,           // intermediate router, else group
  parameter int unsigned NumMinimal = 1,
  parameter int unsigned NumNonminimal = 1,
  parameter bit Oracle = 1'b0,                  // wants a stamp
  parameter bit Registered = 1'b0,
  localparam int unsigned NumPaths = NumMinimal > NumNonminimal ? NumMinimal : NumNonminimal,
  localparam int unsigned NumValues = (ColumnLinks > 1 ? 3 : 2) * NumPaths,
  localparam int unsigned G = hw_dragonfly_pkg::GroupBits,
  localparam int unsigned C = 2,                // bits of a link's number along a column
  localparam int unsigned R = hw_dragonfly_pkg::RouterBits
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic                        load_seed_i,
  input  wire logic [31:0]                 seed_i,
  input  wire logic [31:0]                 place_i,            // static: see hw_random
  // Question
  input  wire logic                        draw_i,
  input  wire logic                        deciding_i,         // draws non-minimal paths, too
  input  wire logic                        hashed_i,
  input  wire logic [NumValues*32-1:0]     hash_i,
  // The groups: this one, and the destination's of the question that is answered
  input  wire logic [G-1:0]                group_i,
  input  wire logic                        drawn_deciding_i,
  input  wire logic [G-1:0]                drawn_dst_group_i,
  // Draws
  output logic [NumMinimal*8-1:0]          min_start_o,
  output logic [NumNonminimal*8-1:0]       non_start_o,
  output logic [NumNonminimal*G-1:0]       non_group_o,
  output logic [NumNonminimal*R-1:0]       non_via_o,
  output logic [NumMinimal*C-1:0]          min_copy_o,
  output logic [NumNonminimal*C-1:0]       non_copy_o,
  output logic [31:0]                      stamp_o             // for the oracle
);

  if (NumRouters == 0 || NumGroups < 2) begin : gen_unset
    $error("hw_dragonfly_draws: NumRouters and NumGroups must be set");
  end

  logic [NumValues*32-1:0] drawn, random;
  assign random = hashed_i ? hash_i : drawn;

  if (Draws) begin : gen_random
    hw_random #(.NumValues(NumValues), .Salt(Salt)) u_random (
      .clk_i(clk_i), .rst_ni(rst_ni), .load_i(load_seed_i), .seed_i(seed_i), .place_i(place_i), .advance_i(draw_i && !hashed_i),
      .values_o(drawn)
    );
  end else begin : gen_no_random
    assign drawn = '0;
    wire unused_random = &{1'b0, load_seed_i, seed_i, place_i, draw_i};
  end

  function automatic logic [7:0] drawn_link(input logic [15:0] bits);
    drawn_link = 8'((32'(bits) * Links) >> 16);
  endfunction

  logic [NumMinimal*8-1:0] draw_min_start;
  logic [NumNonminimal*8-1:0] draw_non_start;
  logic [NumNonminimal*G-1:0] draw_group, drawn_number;  // numbers among the other groups
  logic [NumNonminimal*R-1:0] draw_via;

  always_comb begin
    draw_min_start = '0;
    draw_non_start = '0;
    draw_group = '0;
    draw_via = '0;
    if (draw_i) begin
      for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
        draw_min_start[i*8+:8] = drawn_link(random[(2*i+1)*32+:16]);
      end
    end
    if (deciding_i) begin
      for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
        draw_group[i*G+:G] = G'((32'(random[(2*i*32+16)+:16]) * (NumGroups - 2)) >> 16);
        draw_via[i*R+:R] = ThroughRouter ? R'((32'(random[2*i*32+:16]) * NumRouters) >> 16) : '0;
        draw_non_start[i*8+:8] = drawn_link(random[(2*i+1)*32+16+:16]);
      end
    end
  end

  hw_pipe_register #(.Width(NumMinimal * 8), .Registered(Registered)) u_min_draws (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(draw_min_start), .data_o(min_start_o)
  );
  hw_pipe_register #(.Width(NumNonminimal * (8 + G + R)), .Registered(Registered)) u_non_draws (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({draw_non_start, draw_group, draw_via}),
    .data_o({non_start_o, drawn_number, non_via_o})
  );
  hw_pipe_register #(.Width(32), .Registered(Registered)) u_stamp (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(Oracle ? random[31:0] : 32'd0), .data_o(stamp_o)
  );

  if (ColumnLinks > 1) begin : gen_copies
    logic [NumMinimal*C-1:0] draw_min_copy;
    logic [NumNonminimal*C-1:0] draw_non_copy;
    always_comb begin
      draw_min_copy = '0;
      draw_non_copy = '0;
      for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
        if (draw_i) draw_min_copy[i*C+:C] = C'((32'(random[(2*NumPaths+i)*32+:16]) * ColumnLinks) >> 16);
      end
      for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
        if (deciding_i) draw_non_copy[i*C+:C] = C'((32'(random[(2*NumPaths+i)*32+16+:16]) * ColumnLinks) >> 16);
      end
    end
    hw_pipe_register #(.Width((NumMinimal + NumNonminimal) * C), .Registered(Registered)) u_copies (
      .clk_i(clk_i), .rst_ni(rst_ni), .data_i({draw_min_copy, draw_non_copy}), .data_o({min_copy_o, non_copy_o})
    );
  end else begin : gen_one_copy
    assign min_copy_o = '0;
    assign non_copy_o = '0;
  end

  // The drawn group's number counts neither this group nor the destination's.
  logic [G-1:0] lower, upper;
  always_comb begin
    lower = group_i < drawn_dst_group_i ? group_i : drawn_dst_group_i;
    upper = group_i < drawn_dst_group_i ? drawn_dst_group_i : group_i;
    non_group_o = drawn_number;
    if (drawn_deciding_i) begin
      for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
        if (non_group_o[i*G+:G] >= lower) non_group_o[i*G+:G] = non_group_o[i*G+:G] + G'(1);
        if (non_group_o[i*G+:G] >= upper) non_group_o[i*G+:G] = non_group_o[i*G+:G] + G'(1);
      end
    end
  end

  wire unused = &{1'b0, random};

endmodule

`default_nettype wire
