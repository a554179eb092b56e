// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The routings of a dragonfly, for one input port: minimal, Valiant through a random group or router,
// and the adaptive choice between minimal and Valiant paths (UGAL-L, UGAL-LE, DGB, EDGB, PAR, and the
// ideal UGAL-G).
//
// The source router draws NumMinimal minimal and NumNonminimal non-minimal paths, weighs each by the
// queue of its first port times its hops, and takes the best minimal one where
//   q_m * (H_m + contention) <= max(0, q_n + learned bias) * H_n + bias.
// The choice, and the intermediate that comes with it, is written into the head flit and holds. With
// Reconsider, routers of the source group ask again while the packet is minimal (PAR).
// hw_dragonfly_paths knows the paths. A decision holds.
//
// Random bits: two states of hw_random per drawn path; drawn only where a decision is made.
// Latency: RouteCycles, from req_* to rsp_*; throughput: one question per cycle. Where registers (|)
// are:
//   0: question, links, paths, estimates, choice
//   1: question, links | paths, estimates, choice
//   2: question | links, paths | estimates, choice
//   3: question | links, paths | estimates | choice
//   4: question | links | paths | estimates | choice
// ctx_count_i and ctx_bias_i belong to the question; ctx_queue_i is read where the paths are known.
// Combinational paths: with RouteCycles 0 req_*, ctx_* -> rsp_*, decision_o; with 1 ctx_queue_i ->
// rsp_*, decision_o; mode_i and bias_i -> rsp_*, decision_o; else none.
// Assumes: destinations that exist. Guarantees: moves of the proved relation, in every mode.
// Reference: Kim et al. 2008 (dragonfly, UGAL); Jiang et al. 2009 (PAR); Chaulagain & Yuan 2024,
// algorithms 1 and 2; relation `dragonfly` of the generator.
module hw_route_compute_dragonfly #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned CountWidth = 1,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned StateWidth = 1,         // class, via router, via group; 1 where MIN keeps none
  parameter int unsigned InPort = 0,
  parameter int unsigned CoordWidth = 0,         // of a coordinate in coord_i: {group, router}
  parameter int unsigned NumRouters = 0,         // a
  parameter int unsigned NumGroups = 0,          // g
  parameter int unsigned GlobalPorts = 0,        // h
  parameter int unsigned Links = 1,              // between two groups
  parameter int unsigned Columns = 0,            // NumRouters: fully connected group
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter int unsigned DstRouterLsb = 0,       // fields of the head flit
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SlotLsb = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned StateLsb = 0,
  parameter bit [NumVcs*4-1:0] VcSteps = '0,     // step of each VC
  parameter int unsigned NumSteps = 1,
  parameter bit [NumSteps*NumVcs-1:0] StepVcs = '0,  // VCs of each step
  parameter bit TakesMinimal = 1'b1,             // both: adaptive
  parameter bit TakesNonminimal = 1'b0,
  parameter bit ThroughRouter = 1'b1,            // intermediate router, else group
  parameter bit Reconsider = 1'b0,
  parameter int unsigned NumMinimal = 1,
  parameter int unsigned NumNonminimal = 1,
  parameter bit OneTwo = 1'b0,                   // hops count 1 : 2, else as the path has them
  parameter bit Oracle = 1'b0,                   // simulation only: all queues of a path
  parameter int unsigned RouteCycles = 0,        // 0 to 4
  localparam int unsigned EstimateWidth = QueueWidth + 7,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned DecisionWidth = 2 + QueueWidth + EstimateWidth + CountWidth + 16
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,
  input  wire logic [2*CoordWidth-1:0]         coord_i,      // static: where this router stands
  // Configuration
  input  wire logic                            load_seed_i,
  input  wire logic [31:0]                     seed_i,
  input  wire logic [1:0]                      mode_i,       // hw_ugal_pkg
  input  wire logic [15:0]                     bias_i,       // flits x hops, signed
  // Question
  input  wire logic                            req_valid_i,
  input  wire logic [VcWidth-1:0]              req_vc_i,
  input  wire logic [RouteBits-1:0]            req_bits_i,
  // Context: queues; contention factor of the destination group, and its learned bias, flits, signed
  input  wire logic [NumPorts*QueueWidth-1:0]  ctx_queue_i,
  input  wire logic [CountWidth-1:0]           ctx_count_i,
  input  wire logic [15:0]                     ctx_bias_i,
  // Answer
  output logic                                 rsp_valid_o,
  output logic [VcWidth-1:0]                   rsp_vc_o,
  output logic [PortWidth-1:0]                 rsp_port_o,
  output logic [NumVcs-1:0]                    rsp_vcs_o,
  output logic [StateWidth-1:0]                rsp_state_o,
  output logic [RouteBits-1:0]                 rsp_bits_o,   // the question's req_bits_i
  // A choice was made: {learned bias, contention factor, estimate of the minimal path, its queue,
  // non-minimal, valid}
  output logic [DecisionWidth-1:0]             decision_o
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
  localparam bit Decides = TakesNonminimal && (FromTerminal || (Reconsider && FromLocal));
  localparam bit Draws = Decides || Links > 1;
  localparam int unsigned NumPaths = NumMinimal > NumNonminimal ? NumMinimal : NumNonminimal;
  localparam int unsigned NumValues = 2 * NumPaths;
  localparam int unsigned QuestionWidth = 1 + VcWidth + CountWidth + 16 + RouteBits;
  // Where RouteCycles places registers.
  localparam bit AfterQuestion = RouteCycles >= 2, AfterLinks = RouteCycles == 1 || RouteCycles == 4;
  localparam bit AfterPaths = RouteCycles >= 2, AfterEstimates = RouteCycles >= 3;

  if (NumPorts == 0 || NumVcs == 0 || NumRouters == 0 || NumGroups < 2 || GlobalPorts == 0 || Columns == 0) begin : gen_unset
    $error("hw_route_compute_dragonfly: NumPorts, NumVcs, NumRouters, NumGroups, GlobalPorts and Columns must be set");
  end
  if (RouteCycles > 4) begin : gen_bad_latency
    $error("hw_route_compute_dragonfly: RouteCycles must be 0 to 4");
  end

  // Random bits -------------------------------------------------------------------------------------------------
  logic [NumValues*32-1:0] random;
  logic draw;

  if (Draws) begin : gen_random
    hw_random #(.NumValues(NumValues), .Salt(32'(64'h9e3779b9 * (64'(InPort) + 64'd1)))) u_random (
      .clk_i(clk_i), .rst_ni(rst_ni), .load_i(load_seed_i), .seed_i(seed_i), .advance_i(draw),
      .values_o(random)
    );
  end else begin : gen_no_random
    assign random = '0;
    wire unused_random = &{1'b0, load_seed_i, seed_i, draw};
  end

  // The question of each stage, and what stands in its head flit ----------------------------------------------------
  typedef struct packed {
    logic                  deciding;                     // between minimal and non-minimal paths
    logic [VcWidth-1:0]    vc;
    logic [CountWidth-1:0] count;
    logic [15:0]           bias;
    logic [RouteBits-1:0]  bits;
  } question_t;

  question_t question, asked, linked, path, rsp;
  logic asked_valid, linked_valid, path_valid, rsp_valid, deciding;

  function automatic logic [R-1:0] dst_of(input logic [RouteBits-1:0] bits);
    dst_of = R'(32'(64'(bits) >> DstRouterLsb) & ((1 << RouterBits) - 1));
  endfunction
  function automatic logic [G-1:0] dst_group_of(input logic [RouteBits-1:0] bits);
    dst_group_of = G'(32'(64'(bits) >> DstGroupLsb) & ((1 << GroupWidth) - 1));
  endfunction
  function automatic logic [1:0] class_of(input logic [RouteBits-1:0] bits);
    class_of = TakesNonminimal ? 2'(64'(bits) >> StateLsb) : hw_dragonfly_class_pkg::Undecided;
  endfunction
  function automatic logic [R-1:0] via_of(input logic [RouteBits-1:0] bits);
    via_of = TakesNonminimal ? R'(32'(64'(bits) >> (StateLsb + 2)) & ((1 << RouterBits) - 1)) : '0;
  endfunction
  function automatic logic [G-1:0] via_group_of(input logic [RouteBits-1:0] bits);
    via_group_of = TakesNonminimal ? G'(32'(64'(bits) >> (StateLsb + 2 + RouterBits)) & ((1 << GroupWidth) - 1)) : '0;
  endfunction

  wire logic [R-1:0] here = R'(coord_i[0+:CoordWidth]);
  wire logic [G-1:0] group = G'(coord_i[CoordWidth+:CoordWidth]);
  assign deciding = Decides && req_valid_i && class_of(req_bits_i) == hw_dragonfly_class_pkg::Undecided
      && dst_group_of(req_bits_i) != group;
  assign draw = req_valid_i && (deciding || Links > 1) && dst_group_of(req_bits_i) != group;

  assign question = {deciding, req_vc_i, ctx_count_i, ctx_bias_i, req_bits_i};

  hw_pipe_register #(.Width(1), .Registered(AfterQuestion), .Cleared(1'b1)) u_asked_valid (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(req_valid_i), .data_o(asked_valid)
  );
  hw_pipe_register #(.Width(QuestionWidth), .Registered(AfterQuestion)) u_asked (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(question), .data_o(asked)
  );
  hw_pipe_register #(.Width(1), .Registered(AfterLinks), .Cleared(1'b1)) u_linked_valid (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(asked_valid), .data_o(linked_valid)
  );
  hw_pipe_register #(.Width(QuestionWidth), .Registered(AfterLinks)) u_linked (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(asked), .data_o(linked)
  );
  hw_pipe_register #(.Width(1), .Registered(AfterPaths), .Cleared(1'b1)) u_path_valid (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(linked_valid), .data_o(path_valid)
  );
  hw_pipe_register #(.Width(QuestionWidth), .Registered(AfterPaths)) u_path (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(linked), .data_o(path)
  );
  hw_pipe_register #(.Width(1), .Registered(AfterEstimates), .Cleared(1'b1)) u_rsp_valid (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(path_valid), .data_o(rsp_valid)
  );
  hw_pipe_register #(.Width(QuestionWidth), .Registered(AfterEstimates)) u_rsp (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(path), .data_o(rsp)
  );

  // Draws: of each minimal path a link, of each non-minimal one a link, a group, and a router in it ------------------
  function automatic logic [7:0] drawn_link(input logic [15:0] bits);
    drawn_link = 8'((32'(bits) * Links) >> 16);
  endfunction

  logic [NumMinimal*8-1:0] draw_min_start, min_start;
  logic [NumNonminimal*8-1:0] draw_non_start, non_start;
  logic [NumNonminimal*G-1:0] draw_group, drawn_number, drawn_group;  // number among the other groups; the group
  logic [NumNonminimal*R-1:0] draw_via, drawn_via;
  logic [31:0] stamp;

  always_comb begin
    draw_min_start = '0;
    draw_non_start = '0;
    draw_group = '0;
    draw_via = '0;
    if (draw) begin
      for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
        draw_min_start[i*8+:8] = drawn_link(random[(2*i+1)*32+:16]);
      end
    end
    if (deciding) begin
      for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
        draw_group[i*G+:G] = G'((32'(random[(2*i*32+16)+:16]) * (NumGroups - 2)) >> 16);
        draw_via[i*R+:R] = ThroughRouter ? R'((32'(random[2*i*32+:16]) * NumRouters) >> 16) : '0;
        draw_non_start[i*8+:8] = drawn_link(random[(2*i+1)*32+16+:16]);
      end
    end
  end

  hw_pipe_register #(.Width(NumMinimal * 8), .Registered(AfterQuestion)) u_min_draws (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(draw_min_start), .data_o(min_start)
  );
  hw_pipe_register #(.Width(NumNonminimal * (8 + G + R)), .Registered(AfterQuestion)) u_non_draws (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({draw_non_start, draw_group, draw_via}),
    .data_o({non_start, drawn_number, drawn_via})
  );

  // A group that is neither this one nor the destination's.
  logic [G-1:0] lower, upper;
  always_comb begin
    lower = group < dst_group_of(asked.bits) ? group : dst_group_of(asked.bits);
    upper = group < dst_group_of(asked.bits) ? dst_group_of(asked.bits) : group;
    drawn_group = drawn_number;
    if (asked.deciding) begin
      for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
        if (drawn_group[i*G+:G] >= lower) drawn_group[i*G+:G] = drawn_group[i*G+:G] + G'(1);
        if (drawn_group[i*G+:G] >= upper) drawn_group[i*G+:G] = drawn_group[i*G+:G] + G'(1);
      end
    end
  end
  hw_pipe_register #(.Width(32), .Registered(AfterQuestion)) u_stamp (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(Oracle ? random[31:0] : 32'd0), .data_o(stamp)
  );

  // Paths: to the destination's group, and on a detour to its group; in this group to the destination or the detour's router
  logic [PortWidth-1:0] near_port;
  logic own_link;                                        // this router has a link to the destination's group
  logic [NumMinimal*PortWidth-1:0] min_port;
  logic [NumMinimal*3-1:0] min_hops;
  logic [NumMinimal*EstimateWidth-1:0] min_queue;
  logic [NumMinimal*QueueWidth-1:0] min_first;           // queue of the first port
  logic [NumNonminimal*PortWidth-1:0] non_port;
  logic [NumNonminimal*4-1:0] non_hops;
  logic [NumNonminimal*EstimateWidth-1:0] non_queue;
  logic [NumNonminimal*R-1:0] non_via;
  logic [NumNonminimal*G-1:0] non_group;

  hw_dragonfly_paths #(
    .NumPorts(NumPorts), .QueueWidth(QueueWidth), .NumRouters(NumRouters), .NumGroups(NumGroups), .GlobalPorts(GlobalPorts),
    .Links(Links), .Columns(Columns), .Arrangement(Arrangement), .NumMinimal(NumMinimal), .NumNonminimal(NumNonminimal),
    .TakesNonminimal(TakesNonminimal), .ThroughRouter(ThroughRouter), .Oracle(Oracle), .LinksRegistered(AfterLinks),
    .PortsRegistered(AfterPaths)
  ) u_paths (
    .clk_i(clk_i), .rst_ni(rst_ni), .here_i(here), .group_i(group),
    .valid_i(asked_valid && dst_group_of(asked.bits) != group), .choice_i(asked.deciding),
    .free_i(!FromLocal || class_of(asked.bits) == hw_dragonfly_class_pkg::ToRouter),
    .to_group_i(class_of(asked.bits) == hw_dragonfly_class_pkg::ToGroup ? via_group_of(asked.bits) : dst_group_of(asked.bits)),
    .to_router_i(dst_of(asked.bits)),
    .near_i(dst_group_of(asked.bits) == group ? dst_of(asked.bits) : via_of(asked.bits)),
    .min_start_i(min_start), .non_start_i(non_start), .non_group_i(drawn_group), .non_via_i(drawn_via), .stamp_i(stamp),
    .queue_i(ctx_queue_i), .near_port_o(near_port), .own_link_o(own_link), .min_port_o(min_port), .min_hops_o(min_hops),
    .min_queue_o(min_queue), .min_first_o(min_first), .non_port_o(non_port), .non_hops_o(non_hops), .non_queue_o(non_queue), .non_group_o(non_group),
    .non_via_o(non_via)
  );

  // Estimates ------------------------------------------------------------------------------------------------------
  logic [NumMinimal*EstimateWidth-1:0] weigh_min, min_estimate;
  logic [NumNonminimal*EstimateWidth-1:0] weigh_non, non_estimate;

  if (Oracle) begin : gen_oracle
    assign weigh_min = min_queue;
    assign weigh_non = non_queue;
    wire unused_hops = &{1'b0, min_hops, non_hops, own_link};
  end else begin : gen_weights
    logic [6:0] weight;
    logic [CountWidth-1:0] extra;
    logic signed [BiasedWidth-1:0] biased;               // a non-minimal path's queue with the learned bias
    always_comb begin
      weigh_min = '0;
      weigh_non = '0;
      weight = '0;
      biased = '0;
      extra = own_link || path.count == '0 ? '0 : path.count - CountWidth'(1);
      if (path.deciding) begin
        for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
          weight = (OneTwo ? 7'd1 : 7'(min_hops[i*3+:3])) + 7'(extra);
          weigh_min[i*EstimateWidth+:EstimateWidth] = min_queue[i*EstimateWidth+:EstimateWidth] * EstimateWidth'(weight);
        end
        for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
          weight = OneTwo ? 7'd2 : 7'(non_hops[i*4+:4]);
          biased = $signed(BiasedWidth'(non_queue[i*EstimateWidth+:EstimateWidth])) + BiasedWidth'($signed(path.bias));
          if (biased > BiasedWidth'((1 << (QueueWidth + 2)) - 1)) biased = BiasedWidth'((1 << (QueueWidth + 2)) - 1);
          if (biased > 0) weigh_non[i*EstimateWidth+:EstimateWidth] = EstimateWidth'(biased) * EstimateWidth'(weight);
        end
      end
    end
  end

  // What the choice needs of the paths, in its stage.
  logic [PortWidth-1:0] rsp_near_port;
  logic [NumMinimal*PortWidth-1:0] rsp_min_port;
  logic [NumMinimal*QueueWidth-1:0] rsp_min_first;
  logic [NumNonminimal*PortWidth-1:0] rsp_non_port;
  logic [NumNonminimal*R-1:0] rsp_non_via;
  logic [NumNonminimal*G-1:0] rsp_non_group;

  localparam int unsigned WeighedMinWidth = PortWidth + NumMinimal * (PortWidth + QueueWidth + EstimateWidth);
  localparam int unsigned WeighedNonWidth = NumNonminimal * (PortWidth + R + G + EstimateWidth);
  hw_pipe_register #(.Width(WeighedMinWidth), .Registered(AfterEstimates)) u_weighed_min (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({near_port, min_port, min_first, weigh_min}),
    .data_o({rsp_near_port, rsp_min_port, rsp_min_first, min_estimate})
  );
  hw_pipe_register #(.Width(WeighedNonWidth), .Registered(AfterEstimates)) u_weighed_non (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({non_port, non_via, non_group, weigh_non}),
    .data_o({rsp_non_port, rsp_non_via, rsp_non_group, non_estimate})
  );

  // Choice ---------------------------------------------------------------------------------------------------------
  localparam int unsigned CompareWidth = EstimateWidth > 16 ? EstimateWidth + 2 : 18;
  logic signed [CompareWidth-1:0] bias;
  assign bias = CompareWidth'($signed(bias_i));

  logic nonminimal;
  logic [31:0] best_min, best_non;
  logic [EstimateWidth-1:0] least_min, least_non;

  always_comb begin
    best_min = '0;
    best_non = '0;
    least_min = min_estimate[0+:EstimateWidth];
    least_non = non_estimate[0+:EstimateWidth];
    nonminimal = 1'b0;
    if (rsp.deciding) begin
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
      if (TakesMinimal && mode_i == hw_ugal_pkg::AlwaysMinimal) nonminimal = 1'b0;
      if (TakesMinimal && mode_i == hw_ugal_pkg::AlwaysNonminimal) nonminimal = 1'b1;
    end
    decision_o = '0;
    if (rsp_valid && rsp.deciding && TakesMinimal) begin
      decision_o = {rsp.bias, rsp.count, least_min, rsp_min_first[best_min*QueueWidth+:QueueWidth], nonminimal, 1'b1};
    end
  end

  // Response -------------------------------------------------------------------------------------------------------
  logic [PortWidth-1:0] port;
  logic is_local, begins;                                // begins: a second way within this group
  logic [1:0] state, next;
  logic [R-1:0] next_via;
  logic [G-1:0] next_group;
  logic [3:0] step;

  assign state = class_of(rsp.bits);

  always_comb begin
    rsp_valid_o = rsp_valid;
    rsp_vc_o = rsp.vc;
    rsp_port_o = '0;
    rsp_vcs_o = '0;
    port = '0;
    is_local = 1'b0;
    begins = 1'b0;
    next = state;
    next_via = via_of(rsp.bits);
    next_group = via_group_of(rsp.bits);
    step = '0;
    if (rsp_valid) begin
      if (FromTerminal) next_group = group;              // minimal until decided otherwise
      if (dst_group_of(rsp.bits) == group) begin
        is_local = dst_of(rsp.bits) != here;
        port = is_local ? rsp_near_port
                        : PortWidth'(NetworkPorts + (32'(64'(rsp.bits) >> SlotLsb) & ((1 << SlotBits) - 1)));
        next = hw_dragonfly_class_pkg::Minimal;
      end else if (TakesNonminimal && state == hw_dragonfly_class_pkg::ToRouter && via_of(rsp.bits) != here) begin
        is_local = 1'b1;
        port = rsp_near_port;
      end else begin
        begins = FromLocal && TakesNonminimal && state == hw_dragonfly_class_pkg::ToRouter;
        port = rsp_min_port[best_min*PortWidth+:PortWidth];
        if (rsp.deciding && nonminimal) begin
          begins = FromLocal;
          port = rsp_non_port[best_non*PortWidth+:PortWidth];
          next_via = ThroughRouter ? rsp_non_via[best_non*R+:R] : '0;
          next_group = rsp_non_group[best_non*G+:G];
          next = hw_dragonfly_class_pkg::ToGroup;
        end else if (rsp.deciding) begin
          next = Reconsider ? hw_dragonfly_class_pkg::Undecided : hw_dragonfly_class_pkg::Minimal;
        end else if (TakesNonminimal && state == hw_dragonfly_class_pkg::ToRouter) begin
          next = hw_dragonfly_class_pkg::Minimal;
        end
        is_local = port < PortWidth'(LocalPorts);
        if (!is_local) begin
          next = next == hw_dragonfly_class_pkg::ToGroup && ThroughRouter ? hw_dragonfly_class_pkg::ToRouter
                                                                    : hw_dragonfly_class_pkg::Minimal;
        end
      end
      if (!FromTerminal) step = VcSteps[rsp.vc*4+:4];
      if (FromGlobal || (begins && is_local)) step = step + 4'd1;
      rsp_port_o = port;
      rsp_vcs_o = dst_group_of(rsp.bits) == group && dst_of(rsp.bits) == here ? NumVcs'(1) : StepVcs[step*NumVcs+:NumVcs];
    end
  end
  assign rsp_bits_o = rsp.bits;

  if (TakesNonminimal) begin : gen_state
    assign rsp_state_o = {next_group[GroupWidth-1:0], next_via[RouterBits-1:0], next};
  end else begin : gen_no_state
    assign rsp_state_o = '0;
    wire unused_state = &{1'b0, next, next_via, next_group};
  end

  wire unused = &{1'b0, random, next_via, next_group, rsp_non_via, rsp_non_group};

endmodule

`default_nettype wire
