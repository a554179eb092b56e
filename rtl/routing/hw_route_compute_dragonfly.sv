// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The routings of a dragonfly: minimal, Valiant through a random group or router, and the adaptive choice between minimal
// and Valiant paths (UGAL-L, UGAL-LE, DGB, EDGB, PAR, and the ideal UGAL-G).
//
// The source router draws NumMinimal minimal and NumNonminimal non-minimal paths, weighs each by the queue of its first
// port times its hops, and takes the best minimal one where
//   q_m * (H_m + contention) <= max(0, q_n + learned bias) * H_n + bias.
// The choice, and the intermediate that comes with it, is written into the head flit and holds. With Reconsider, routers
// of the source group ask again while the packet is minimal (PAR). A router with a link of its own to the group that a
// packet must reach takes that link; otherwise one of the Links links is drawn.
//
// Random bits: two states of hw_random per drawn path; drawn only where a decision is made.
// Latency 0 cycles, initiation interval 1: rsp_* depends combinationally on req_*, ctx_* and registers. A decision holds.
// Configuration words: 0 {31: load the seed, 1:0 mode (0 adaptive, 1 always minimal, 2 always non-minimal)}, 1 seed,
// 2 bias (signed, flits x hops). The modes are subsets of the proved relation.
// Reference: Kim et al. 2008 (dragonfly, UGAL); Jiang et al. 2009 (PAR); Chaulagain & Yuan 2024, algorithms 1 and 2;
// relation `dragonfly` (gen/routing/dragonfly.cpp).
module hw_route_compute_dragonfly #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned SpaceWidth = 0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned CountWidth = 1,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned StateWidth = 1,                  // class, via router, via group; 1 where MIN keeps none
  parameter int unsigned InPort = 0,
  parameter int unsigned NumCfg = 1,                      // 32-bit configuration words
  parameter int unsigned NumCands = 1,
  parameter int unsigned CoordWidth = 0,                  // of a coordinate in coord_i: {group, router}
  parameter int unsigned NumRouters = 0,                  // a
  parameter int unsigned NumGroups = 0,                   // g
  parameter int unsigned GlobalPorts = 0,                 // h
  parameter int unsigned Links = 1,                       // between two groups
  parameter int unsigned Columns = 0,                     // NumRouters: fully connected group
  parameter int unsigned Arrangement = 0,                 // see hw_dragonfly_pkg
  parameter int unsigned DstRouterLsb = 0,                // fields of the head flit
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SlotLsb = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned StateLsb = 0,
  parameter bit [NumVcs*4-1:0] VcSteps = '0,              // step of each VC
  parameter int unsigned NumSteps = 1,
  parameter bit [NumSteps*NumVcs-1:0] StepVcs = '0,       // VCs of each step
  parameter bit TakesMinimal = 1'b1,                      // both: adaptive
  parameter bit TakesNonminimal = 1'b0,
  parameter bit ThroughRouter = 1'b1,                     // intermediate router, else group
  parameter bit Reconsider = 1'b0,
  parameter int unsigned NumMinimal = 1,
  parameter int unsigned NumNonminimal = 1,
  parameter bit OneTwo = 1'b0,                            // hops count 1 : 2, else as the path has them
  parameter bit Oracle = 1'b0,                            // simulation only: all queues of the path, not the first
  localparam int unsigned EstimateWidth = QueueWidth + 7,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned DecisionWidth = 2 + QueueWidth + EstimateWidth + CountWidth + 16
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [2*CoordWidth-1:0]                coord_i,     // static: where this router stands
  input  wire logic [NumCfg*32-1:0]                   cfg_i,       // CSR configuration words
  // Request
  input  wire logic                                   req_valid_i,
  input  wire logic [VcWidth-1:0]                     req_vc_i,
  input  wire logic [RouteBits-1:0]                   req_bits_i,
  // Context
  input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  ctx_space_i,
  input  wire logic [NumPorts*QueueWidth-1:0]         ctx_queue_i,
  input  wire logic [CountWidth-1:0]                  ctx_count_i, // contention factor of the destination group
  input  wire logic [15:0]                            ctx_bias_i,  // learned bias of that group, flits, signed
  // Response
  output logic                                        rsp_valid_o,
  output logic [VcWidth-1:0]                          rsp_vc_o,
  output logic [NumCands*PortWidth-1:0]               rsp_port_o,
  output logic [NumCands*NumVcs-1:0]                  rsp_vcs_o,
  output logic [StateWidth-1:0]                       rsp_state_o,
  // A choice was made: {learned bias, contention factor, estimate of the minimal path, its queue, non-minimal, valid}
  output logic [DecisionWidth-1:0]                    decision_o
);

  localparam int unsigned G = hw_dragonfly_pkg::GroupBits;
  localparam int unsigned R = 6;                          // bits of a router's number in its group
  localparam int unsigned RouterBits = NumRouters > 1 ? $clog2(NumRouters) : 1;
  localparam int unsigned GroupWidth = $clog2(NumGroups);
  localparam int unsigned Rows = NumRouters / Columns;
  localparam int unsigned RowPorts = Columns - 1;
  localparam int unsigned LocalPorts = RowPorts + Rows - 1;
  localparam int unsigned NetworkPorts = LocalPorts + GlobalPorts;
  localparam int unsigned BiasedWidth = QueueWidth > 13 ? QueueWidth + 4 : 17;
  localparam bit FromTerminal = InPort >= NetworkPorts;
  localparam bit FromLocal = InPort < LocalPorts;
  localparam bit FromGlobal = !FromTerminal && !FromLocal;
  localparam bit AlongRow = InPort < RowPorts;
  localparam bit Decides = TakesNonminimal && (FromTerminal || (Reconsider && FromLocal));
  localparam bit Draws = Decides || Links > 1;
  localparam int unsigned NumPaths = NumMinimal > NumNonminimal ? NumMinimal : NumNonminimal;
  localparam int unsigned NumValues = 2 * NumPaths;
  // Division by a constant: exact for links up to 1024 and routers up to 64.
  localparam int unsigned PerPort = (65536 + GlobalPorts - 1) / GlobalPorts;
  localparam int unsigned PerColumn = (65536 + Columns - 1) / Columns;

  if (NumPorts == 0 || NumVcs == 0 || NumRouters == 0 || NumGroups < 2 || GlobalPorts == 0 || Columns == 0) begin : gen_unset
    $error("hw_route_compute_dragonfly: NumPorts, NumVcs, NumRouters, NumGroups, GlobalPorts and Columns must be set");
  end
  if (NumCands != 1) begin : gen_bad_cands
    $error("hw_route_compute_dragonfly: NumCands must be 1");
  end
  if (NumRouters > 64 || GlobalPorts > 16 || NumRouters * GlobalPorts > 1024) begin : gen_bad_size
    $error("hw_route_compute_dragonfly: at most 64 routers with 16 global ports");
  end

  // Random bits -------------------------------------------------------------------------------------------------
  logic [NumValues*32-1:0] random;
  logic draw;

  if (Draws) begin : gen_random
    hw_random #(.NumValues(NumValues), .Salt(32'(64'h9e3779b9 * (64'(InPort) + 64'd1)))) u_random (
      .clk_i(clk_i), .rst_ni(rst_ni), .load_i(cfg_i[31]),
      .seed_i(NumCfg > 1 ? cfg_i[(NumCfg>1?32:0)+:32] : 32'd0), .advance_i(draw), .values_o(random)
    );
  end else begin : gen_no_random
    assign random = '0;
    wire unused_random = &{1'b0, draw};
  end

  // Paths -------------------------------------------------------------------------------------------------------
  function automatic logic [R-1:0] row(input logic [R-1:0] router);
    row = R'((32'(router) * PerColumn) >> 16);
  endfunction
  function automatic logic [R-1:0] column(input logic [R-1:0] router);
    column = R'(32'(router) - 32'(row(router)) * Columns);
  endfunction

  // Local port on the way to another router of the group: along the row first.
  function automatic logic [PortWidth-1:0] local_port(input logic [R-1:0] from, input logic [R-1:0] to);
    if (Columns == NumRouters) begin
      local_port = PortWidth'(to) - PortWidth'(to < from ? 0 : 1);
    end else if (column(from) != column(to)) begin
      local_port = PortWidth'(column(to)) - PortWidth'(column(to) < column(from) ? 0 : 1);
    end else begin
      local_port = PortWidth'(RowPorts) + PortWidth'(row(to)) - PortWidth'(row(to) < row(from) ? 0 : 1);
    end
  endfunction

  function automatic logic [2:0] local_hops(input logic [R-1:0] from, input logic [R-1:0] to);
    if (Columns == NumRouters) local_hops = from != to ? 3'd1 : 3'd0;
    else local_hops = 3'(column(from) != column(to)) + 3'(row(from) != row(to));
  endfunction

  // Number of the group's global port, over all its routers, of link `copy` between two groups.
  function automatic logic [15:0] link(input logic [G-1:0] from, input logic [G-1:0] to, input logic [7:0] copy);
    link = 16'(32'(copy) * (NumGroups - 1))
         + 16'(hw_dragonfly_pkg::position(2'(Arrangement), G'(NumGroups), from, to));
  endfunction
  function automatic logic [R-1:0] gateway(input logic [15:0] number);
    gateway = R'((32'(number) * PerPort) >> 16);
  endfunction
  function automatic logic [PortWidth-1:0] global_port(input logic [15:0] number);
    global_port = PortWidth'(LocalPorts + 32'(number) - 32'(gateway(number)) * GlobalPorts);
  endfunction

  // The link to take from a router: one of its own, else the first that lies ahead, counted from `start`. Within a group
  // a way goes along the row, then along the column; `free`: no local hop lies behind.
  function automatic logic [7:0] choose_link(input logic [R-1:0] at, input logic [G-1:0] group, input logic [G-1:0] to,
                                             input logic [7:0] start, input logic free);
    logic [7:0] copy;
    logic own, ahead;
    logic [R-1:0] there;
    own = 1'b0;
    ahead = 1'b0;
    choose_link = start;
    for (int unsigned i = 0; i < Links; i = i + 1) begin
      copy = 8'(32'(start) + i < Links ? 32'(start) + i : 32'(start) + i - Links);
      there = gateway(link(group, to, copy));
      if (there == at && !own) begin
        own = 1'b1;
        choose_link = copy;
      end else if (!own && !ahead && (free || column(there) == column(at))) begin
        ahead = 1'b1;
        choose_link = copy;
      end
    end
  endfunction

  function automatic logic [7:0] drawn_link(input logic [15:0] bits);
    drawn_link = 8'((32'(bits) * Links) >> 16);
  endfunction

  // Request -----------------------------------------------------------------------------------------------------
  logic [R-1:0] here, dst, via;
  logic [G-1:0] group, dst_group, via_group;
  logic [1:0] state;

  always_comb begin
    here = R'(coord_i[0+:CoordWidth]);
    group = G'(coord_i[CoordWidth+:CoordWidth]);
    dst = R'(req_bits_i[DstRouterLsb+:RouterBits]);
    dst_group = G'(req_bits_i[DstGroupLsb+:GroupWidth]);
    state = hw_dragonfly_class_pkg::Undecided;
    via = '0;
    via_group = '0;
    if (TakesNonminimal) begin
      state = 2'(64'(req_bits_i) >> StateLsb);
      via = R'(32'(64'(req_bits_i) >> (StateLsb + 2)) & ((1 << RouterBits) - 1));
      via_group = G'(32'(64'(req_bits_i) >> (StateLsb + 2 + RouterBits)) & ((1 << GroupWidth) - 1));
    end
  end

  // Candidates: paths that the source router draws -----------------------------------------------------------------
  logic deciding;
  logic [NumMinimal*8-1:0] min_link;
  logic [NumMinimal*3-1:0] min_hops;
  logic [NumMinimal*PortWidth-1:0] min_port;
  logic [NumNonminimal*8-1:0] non_link;
  logic [NumNonminimal*4-1:0] non_hops;
  logic [NumNonminimal*PortWidth-1:0] non_port;
  logic [NumNonminimal*R-1:0] non_via;
  logic [NumNonminimal*G-1:0] non_group;
  logic own_link;                                        // this router has a link to the destination's group

  logic [15:0] number;
  logic [7:0] pick;
  logic [R-1:0] at;
  logic [G-1:0] lower, upper, drawn;

  always_comb begin
    deciding = Decides && req_valid_i && state == hw_dragonfly_class_pkg::Undecided && dst_group != group;
    draw = req_valid_i && (deciding || Links > 1) && dst_group != group;
    min_link = '0;
    min_hops = '0;
    min_port = '0;
    non_link = '0;
    non_hops = '0;
    non_port = '0;
    non_via = '0;
    non_group = '0;
    own_link = 1'b0;
    number = '0;
    pick = '0;
    at = '0;
    lower = '0;
    upper = '0;
    drawn = '0;
    if (deciding) begin
      for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
        pick = choose_link(here, group, dst_group, drawn_link(random[(2*i+1)*32+:16]), FromTerminal);
        number = link(group, dst_group, pick);
        at = gateway(number);
        if (at == here) own_link = 1'b1;
        min_link[i*8+:8] = pick;
        min_port[i*PortWidth+:PortWidth] = at == here ? global_port(number) : local_port(here, at);
        min_hops[i*3+:3] = local_hops(here, at) + 3'd1 + local_hops(gateway(link(dst_group, group, pick)), dst);
      end
      for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
        // A group that is neither this one nor the destination's, and a router in it.
        lower = group < dst_group ? group : dst_group;
        upper = group < dst_group ? dst_group : group;
        drawn = G'((32'(random[(2*i*32+16)+:16]) * (NumGroups - 2)) >> 16);
        if (drawn >= lower) drawn = drawn + G'(1);
        if (drawn >= upper) drawn = drawn + G'(1);
        non_group[i*G+:G] = drawn;
        non_via[i*R+:R] = ThroughRouter ? R'((32'(random[2*i*32+:16]) * NumRouters) >> 16) : '0;
        pick = choose_link(here, group, drawn, drawn_link(random[(2*i+1)*32+16+:16]), 1'b1);
        number = link(group, drawn, pick);
        non_link[i*8+:8] = pick;
        at = gateway(number);
        non_port[i*PortWidth+:PortWidth] = at == here ? global_port(number) : local_port(here, at);
        non_hops[i*4+:4] = {1'b0, local_hops(here, at)} + 4'd1;
        at = gateway(link(drawn, group, pick));
        if (ThroughRouter) begin
          non_hops[i*4+:4] = non_hops[i*4+:4] + 4'(local_hops(at, non_via[i*R+:R]));
          at = non_via[i*R+:R];
        end
        pick = choose_link(at, drawn, dst_group, '0, 1'b1);
        non_hops[i*4+:4] = non_hops[i*4+:4] + 4'(local_hops(at, gateway(link(drawn, dst_group, pick)))) + 4'd1
            + 4'(local_hops(gateway(link(dst_group, drawn, pick)), dst));
      end
    end
  end

  // Choice --------------------------------------------------------------------------------------------------------
  logic [NumMinimal*EstimateWidth-1:0] min_estimate;
  logic [NumNonminimal*EstimateWidth-1:0] non_estimate;

  if (Oracle) begin : gen_oracle
    for (genvar i = 0; i < NumMinimal; i = i + 1) begin : gen_minimal
      hw_sim_global_queues #(.Width(EstimateWidth), .NumRouters(NumRouters)) u_queues (
        .valid_i(deciding), .stamp_i(random[31:0]), .from_i({group, here}), .via_i({dst_group, dst}),
        .to_i({dst_group, dst}), .link_i(min_link[i*8+:8]), .queue_o(min_estimate[i*EstimateWidth+:EstimateWidth])
      );
    end
    for (genvar i = 0; i < NumNonminimal; i = i + 1) begin : gen_nonminimal
      hw_sim_global_queues #(.Width(EstimateWidth), .NumRouters(NumRouters)) u_queues (
        .valid_i(deciding), .stamp_i(random[31:0]), .from_i({group, here}),
        .via_i({non_group[i*G+:G], non_via[i*R+:R]}), .to_i({dst_group, dst}), .link_i(non_link[i*8+:8]),
        .queue_o(non_estimate[i*EstimateWidth+:EstimateWidth])
      );
    end
    wire unused_context = &{1'b0, ctx_queue_i, ctx_count_i, min_hops, non_hops, own_link};
  end else begin : gen_queues
    logic [6:0] weight;
    logic [CountWidth-1:0] extra;
    logic signed [BiasedWidth-1:0] biased;               // a non-minimal path's queue with the learned bias
    always_comb begin
      min_estimate = '0;
      non_estimate = '0;
      weight = '0;
      biased = '0;
      extra = own_link || ctx_count_i == '0 ? '0 : ctx_count_i - CountWidth'(1);
      if (deciding) begin
        for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
          weight = (OneTwo ? 7'd1 : 7'(min_hops[i*3+:3])) + 7'(extra);
          min_estimate[i*EstimateWidth+:EstimateWidth] =
              EstimateWidth'(ctx_queue_i[min_port[i*PortWidth+:PortWidth]*QueueWidth+:QueueWidth]) * EstimateWidth'(weight);
        end
        for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
          weight = OneTwo ? 7'd2 : 7'(non_hops[i*4+:4]);
          biased = $signed(BiasedWidth'(ctx_queue_i[non_port[i*PortWidth+:PortWidth]*QueueWidth+:QueueWidth]))
              + BiasedWidth'($signed(ctx_bias_i));
          if (biased > BiasedWidth'((1 << (QueueWidth + 2)) - 1)) biased = BiasedWidth'((1 << (QueueWidth + 2)) - 1);
          if (biased > 0) non_estimate[i*EstimateWidth+:EstimateWidth] = EstimateWidth'(biased) * EstimateWidth'(weight);
        end
      end
    end
    wire unused_links = &{1'b0, non_link};
  end

  localparam int unsigned CompareWidth = EstimateWidth > 16 ? EstimateWidth + 2 : 18;
  logic signed [CompareWidth-1:0] bias;
  assign bias = NumCfg > 2 ? CompareWidth'($signed(cfg_i[(NumCfg>2?64:0)+:16])) : '0;

  logic nonminimal;
  logic [31:0] best_min, best_non;
  logic [EstimateWidth-1:0] least_min, least_non;

  always_comb begin
    best_min = '0;
    best_non = '0;
    least_min = min_estimate[0+:EstimateWidth];
    least_non = non_estimate[0+:EstimateWidth];
    nonminimal = 1'b0;
    if (deciding) begin
      for (int unsigned i = 1; i < NumMinimal; i = i + 1) begin
        if (min_estimate[i*EstimateWidth+:EstimateWidth] < least_min) begin
          least_min = min_estimate[i*EstimateWidth+:EstimateWidth];
          best_min = i;
        end
      end
      for (int unsigned i = 1; i < NumNonminimal; i = i + 1) begin
        if (non_estimate[i*EstimateWidth+:EstimateWidth] < least_non) begin
          least_non = non_estimate[i*EstimateWidth+:EstimateWidth];
          best_non = i;
        end
      end
      nonminimal = !TakesMinimal
          || $signed(CompareWidth'(least_min)) > $signed(CompareWidth'(least_non)) + bias;
      if (TakesMinimal && cfg_i[1:0] == 2'd1) nonminimal = 1'b0;
      if (TakesMinimal && cfg_i[1:0] == 2'd2) nonminimal = 1'b1;
    end
    decision_o = '0;
    if (deciding && TakesMinimal) begin
      decision_o = {ctx_bias_i, ctx_count_i, least_min,
                    ctx_queue_i[min_port[best_min*PortWidth+:PortWidth]*QueueWidth+:QueueWidth], nonminimal, 1'b1};
    end
  end

  // Response ------------------------------------------------------------------------------------------------------
  logic [PortWidth-1:0] port;
  logic is_local, begins;                                // begins: a second way within this group
  logic [1:0] next;
  logic [R-1:0] next_via;
  logic [G-1:0] next_group;
  logic [3:0] step;
  logic [15:0] out_number;
  logic [G-1:0] target;

  always_comb begin
    rsp_valid_o = req_valid_i;
    rsp_vc_o = req_vc_i;
    rsp_port_o = '0;
    rsp_vcs_o = '0;
    port = '0;
    is_local = 1'b0;
    begins = 1'b0;
    next = state;
    next_via = via;
    next_group = via_group;
    step = '0;
    out_number = '0;
    target = dst_group;
    if (req_valid_i) begin
      if (FromTerminal) next_group = group;              // minimal until decided otherwise
      if (dst_group == group) begin
        is_local = dst != here;
        port = is_local ? local_port(here, dst)
                        : PortWidth'(NetworkPorts + (32'(64'(req_bits_i) >> SlotLsb) & ((1 << SlotBits) - 1)));
        next = hw_dragonfly_class_pkg::Minimal;
      end else if (TakesNonminimal && state == hw_dragonfly_class_pkg::ToRouter && via != here) begin
        is_local = 1'b1;
        port = local_port(here, via);
      end else begin
        begins = FromLocal && TakesNonminimal && state == hw_dragonfly_class_pkg::ToRouter;
        if (TakesNonminimal && state == hw_dragonfly_class_pkg::ToGroup) target = via_group;
        if (deciding && nonminimal) begin
          begins = FromLocal;
          port = non_port[best_non*PortWidth+:PortWidth];
          next_via = non_via[best_non*R+:R];
          next_group = non_group[best_non*G+:G];
          next = hw_dragonfly_class_pkg::ToGroup;
        end else if (deciding) begin
          port = min_port[best_min*PortWidth+:PortWidth];
          next = Reconsider ? hw_dragonfly_class_pkg::Undecided : hw_dragonfly_class_pkg::Minimal;
        end else begin
          out_number = link(group, target, choose_link(here, group, target, drawn_link(random[32+:16]),
                                                       !FromLocal || begins));
          port = gateway(out_number) == here ? global_port(out_number) : local_port(here, gateway(out_number));
          if (TakesNonminimal && state == hw_dragonfly_class_pkg::ToRouter) next = hw_dragonfly_class_pkg::Minimal;
        end
        is_local = port < PortWidth'(LocalPorts);
        if (!is_local) begin
          next = next == hw_dragonfly_class_pkg::ToGroup && ThroughRouter ? hw_dragonfly_class_pkg::ToRouter
                                                                    : hw_dragonfly_class_pkg::Minimal;
        end
      end
      if (!FromTerminal) step = VcSteps[req_vc_i*4+:4];
      if (FromGlobal || (begins && is_local)) step = step + 4'd1;
      rsp_port_o = port;
      rsp_vcs_o = dst_group == group && dst == here ? NumVcs'(1) : StepVcs[step*NumVcs+:NumVcs];
    end
  end

  if (TakesNonminimal) begin : gen_state
    assign rsp_state_o = {next_group[GroupWidth-1:0], next_via[RouterBits-1:0], next};
  end else begin : gen_no_state
    assign rsp_state_o = '0;
    wire unused_state = &{1'b0, next, next_via, next_group};
  end

  wire unused = &{1'b0, clk_i, rst_ni, cfg_i, ctx_space_i, ctx_queue_i, ctx_count_i, ctx_bias_i, req_bits_i, coord_i, random, AlongRow,
                  best_min, best_non, non_via, non_group, min_link, own_link, next_via, next_group};

endmodule

`default_nettype wire
