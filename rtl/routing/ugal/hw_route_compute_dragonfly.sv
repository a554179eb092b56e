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
// Random bits: two states of hw_random per drawn path, where one is drawn. HasModes: see hw_ugal_modes.
// Latency: RouteCycles, from req_* to rsp_*; throughput: one question per cycle. Where registers (|)
// are:
//   0: question, links, paths, estimates, choice
//   1: question, links | paths, estimates, choice
//   2: question | links, paths | estimates, choice
//   3: question | links, paths | estimates | choice
//   4: question | links | paths | estimates | choice
// ctx_count_i and ctx_bias_i belong to the question; ctx_queue_i and ctx_*_used_i are read where the paths are known.
// Combinational paths: with RouteCycles 0 req_*, ctx_* -> rsp_*, decision_o; with 1 ctx_queue_i, ctx_*_used_i ->
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
  parameter int unsigned ColumnLinks = 1,        // between two routers of a column
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter int unsigned DstRouterLsb = 0,       // fields of the head flit
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SlotLsb = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned StateLsb = 0,
  parameter bit [NumVcs*4-1:0] VcSteps = '0,     // step of each VC
  parameter int unsigned NumSteps = 1,
  parameter bit [NumSteps*NumVcs-1:0] StepVcs = '0,  // VCs of each step
  parameter bit HasModes = 1'b0,
  parameter int unsigned ModeLsb = 0,
  parameter bit [NumVcs-1:0] OrderVcs = '0,      // with HasModes, one of each step: see hw_dragonfly_move
  parameter bit TakesMinimal = 1'b1,             // both: adaptive
  parameter bit TakesNonminimal = 1'b0,
  parameter bit ThroughRouter = 1'b1,            // intermediate router, else group
  parameter bit Reconsider = 1'b0,
  parameter bit OwnVcs = 1'b0,                   // minimal paths have VCs of their own: see hw_dragonfly_move
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
  input  wire logic [(HasModes?96:16)-1:0]     bias_i,       // flits x hops, signed; with HasModes as hw_ugal_modes has them
  // Question
  input  wire logic                            req_valid_i,
  input  wire logic [VcWidth-1:0]              req_vc_i,
  input  wire logic [RouteBits-1:0]            req_bits_i,
  // Context: queues; contention factor of the destination group, and its learned bias, flits, signed
  input  wire logic [NumPorts*QueueWidth-1:0]  ctx_queue_i,
  input  wire logic [NumPorts*QueueWidth-1:0]  ctx_min_used_i,  // see hw_dragonfly_paths; with OwnVcs
  input  wire logic [NumPorts*QueueWidth-1:0]  ctx_non_used_i,
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

  localparam int unsigned G = hw_dragonfly_pkg::GroupBits, R = hw_dragonfly_pkg::RouterBits;
  localparam int unsigned C = 2;                          // bits that number the links between two routers of a column
  localparam int unsigned RouterBits = NumRouters > 1 ? $clog2(NumRouters) : 1, GroupWidth = $clog2(NumGroups);
  localparam int unsigned Rows = NumRouters / Columns, RowPorts = Columns - 1;
  localparam int unsigned LocalPorts = RowPorts + (Rows - 1) * ColumnLinks;
  localparam int unsigned NetworkPorts = LocalPorts + GlobalPorts;
  localparam bit FromTerminal = InPort >= NetworkPorts;
  localparam bit FromLocal = InPort < LocalPorts;
  localparam bit Decides = TakesNonminimal && (FromTerminal || (Reconsider && FromLocal));
  localparam bit Draws = Decides || Links > 1 || ColumnLinks > 1;
  localparam int unsigned QuestionWidth = 1 + VcWidth + CountWidth + 16 + RouteBits;
  // Where RouteCycles places registers.
  localparam bit AfterQuestion = RouteCycles >= 2, AfterLinks = RouteCycles == 1 || RouteCycles == 4;
  localparam bit AfterPaths = RouteCycles >= 2, AfterEstimates = RouteCycles >= 3;

  if (NumPorts == 0 || NumVcs == 0 || NumRouters == 0 || NumGroups < 2 || GlobalPorts == 0 || Columns == 0 || RouteCycles > 4) begin : gen_bad_shape
    $error("hw_route_compute_dragonfly: a size is not set, or RouteCycles is not 0 to 4");
  end

  // The question of each stage, and what stands in its head flit ----------------------------------------------------
  typedef struct packed {
    logic                  deciding;                     // between minimal and non-minimal paths
    logic [VcWidth-1:0]    vc;
    logic [CountWidth-1:0] count;
    logic [15:0]           bias;
    logic [RouteBits-1:0]  bits;
  } question_t;

  question_t question, asked, path, rsp;
  logic asked_valid, rsp_valid, deciding, draw;

  function automatic logic [R-1:0] dst_of(input logic [RouteBits-1:0] bits);
    dst_of = R'(32'(64'(bits) >> DstRouterLsb) & ((1 << RouterBits) - 1));
  endfunction
  function automatic logic [G-1:0] dst_group_of(input logic [RouteBits-1:0] bits);
    dst_group_of = G'(32'(64'(bits) >> DstGroupLsb) & ((1 << GroupWidth) - 1));
  endfunction
  // Port of the destination's terminal
  function automatic logic [PortWidth-1:0] terminal_of(input logic [RouteBits-1:0] bits);
    terminal_of = PortWidth'(NetworkPorts + (32'(64'(bits) >> SlotLsb) & ((1 << SlotBits) - 1)));
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

  wire logic [R-1:0] here = R'(coord_i[0+:RouterBits]);
  wire logic [G-1:0] group = G'(coord_i[CoordWidth+:CoordWidth]);
  assign deciding = Decides && req_valid_i && class_of(req_bits_i) == hw_dragonfly_class_pkg::Undecided && dst_group_of(req_bits_i) != group;
  assign draw = req_valid_i && ((deciding || Links > 1) && dst_group_of(req_bits_i) != group || ColumnLinks > 1);

  assign question = {deciding, req_vc_i, ctx_count_i, ctx_bias_i, req_bits_i};

  // Stage s + 1 comes after stage s, which begins with the question.
  localparam bit [3:0] Registered = {AfterEstimates, AfterPaths, AfterLinks, AfterQuestion};
  logic [4:0] valid_at;
  logic [5*QuestionWidth-1:0] question_at;
  assign valid_at[0] = req_valid_i;
  assign question_at[0+:QuestionWidth] = question;
  for (genvar s = 0; s < 4; s = s + 1) begin : gen_stage
    hw_pipe_register #(.Width(1), .Registered(Registered[s]), .Cleared(1'b1)) u_valid (
      .clk_i(clk_i), .rst_ni(rst_ni), .data_i(valid_at[s]), .data_o(valid_at[s+1])
    );
    hw_pipe_register #(.Width(QuestionWidth), .Registered(Registered[s])) u_question (
      .clk_i(clk_i), .rst_ni(rst_ni), .data_i(question_at[s*QuestionWidth+:QuestionWidth]),
      .data_o(question_at[(s+1)*QuestionWidth+:QuestionWidth])
    );
  end
  assign {rsp_valid, asked_valid} = {valid_at[4], valid_at[1]};
  assign asked = question_at[QuestionWidth+:QuestionWidth];
  assign {rsp, path} = question_at[3*QuestionWidth+:2*QuestionWidth];

  // Modes ----------------------------------------------------------------------------------------
  localparam int unsigned NumValues = (ColumnLinks > 1 ? 3 : 2) * (NumMinimal > NumNonminimal ? NumMinimal : NumNonminimal);
  logic hashed, first, ordered;
  logic [1:0] mode;
  logic [15:0] bias;
  logic [NumValues*32-1:0] hash;
  hw_ugal_modes #(
    .HasModes(HasModes), .RouteBits(RouteBits), .ModeLsb(ModeLsb), .DstBits(SlotLsb + SlotBits),
    .Place(InPort < RowPorts ? 1 : FromLocal ? 2 : 0), .NumValues(NumValues)
  ) u_modes (
    .control_i(mode_i), .bias_i(bias_i), .req_bits_i(req_bits_i), .hashed_o(hashed), .hash_o(hash),
    .rsp_bits_i(rsp.bits), .mode_o(mode), .bias_o(bias), .first_o(first), .ordered_o(ordered)
  );

  // Draws ----------------------------------------------------------------------------------------
  logic [NumMinimal*8-1:0] min_start;
  logic [NumNonminimal*8-1:0] non_start;
  logic [NumNonminimal*G-1:0] drawn_group;
  logic [NumNonminimal*R-1:0] drawn_via;
  logic [NumMinimal*C-1:0] min_copy;                     // of the links along a column
  logic [NumNonminimal*C-1:0] non_copy;
  logic [31:0] stamp;
  hw_dragonfly_draws #(
    .Draws(Draws), .Salt(32'(64'h9e3779b9 * (64'(InPort) + 64'd1))), .NumRouters(NumRouters),
    .NumGroups(NumGroups), .Links(Links), .ColumnLinks(ColumnLinks), .ThroughRouter(ThroughRouter),
    .NumMinimal(NumMinimal), .NumNonminimal(NumNonminimal), .Oracle(Oracle), .Registered(AfterQuestion)
  ) u_draws (
    .clk_i(clk_i), .rst_ni(rst_ni), .load_seed_i(load_seed_i), .seed_i(seed_i), .place_i(32'(coord_i)), .draw_i(draw),
    .deciding_i(deciding), .hashed_i(hashed), .hash_i(hash), .group_i(group), .drawn_deciding_i(asked.deciding),
    .drawn_dst_group_i(dst_group_of(asked.bits)), .min_start_o(min_start), .non_start_o(non_start), .non_group_o(drawn_group),
    .non_via_o(drawn_via), .min_copy_o(min_copy), .non_copy_o(non_copy), .stamp_o(stamp)
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
    .Links(Links), .Columns(Columns), .ColumnLinks(ColumnLinks), .Arrangement(Arrangement), .NumMinimal(NumMinimal),
    .NumNonminimal(NumNonminimal), .TakesNonminimal(TakesNonminimal), .ThroughRouter(ThroughRouter), .Oracle(Oracle),
    .OwnVcs(OwnVcs && Decides), .LinksRegistered(AfterLinks), .PortsRegistered(AfterPaths)
  ) u_paths (
    .clk_i(clk_i), .rst_ni(rst_ni), .here_i(here), .group_i(group),
    .valid_i(asked_valid && dst_group_of(asked.bits) != group), .choice_i(asked.deciding),
    .free_i(!FromLocal || class_of(asked.bits) == hw_dragonfly_class_pkg::ToRouter),
    .to_group_i(class_of(asked.bits) == hw_dragonfly_class_pkg::ToGroup ? via_group_of(asked.bits) : dst_group_of(asked.bits)),
    .to_router_i(dst_of(asked.bits)),
    .near_i(dst_group_of(asked.bits) == group ? dst_of(asked.bits) : via_of(asked.bits)),
    .min_start_i(min_start), .non_start_i(non_start), .min_copy_i(min_copy), .non_copy_i(non_copy),
    .non_group_i(drawn_group), .non_via_i(drawn_via), .stamp_i(stamp), .queue_i(ctx_queue_i),
    .min_used_i(ctx_min_used_i), .non_used_i(ctx_non_used_i), .near_port_o(near_port), .own_link_o(own_link),
    .min_port_o(min_port), .min_hops_o(min_hops), .min_queue_o(min_queue), .min_first_o(min_first), .non_port_o(non_port),
    .non_hops_o(non_hops), .non_queue_o(non_queue), .non_group_o(non_group), .non_via_o(non_via)
  );

  // Choice ---------------------------------------------------------------------------------------
  logic nonminimal;
  logic [PortWidth-1:0] rsp_near_port, best_min_port, best_non_port;
  logic [QueueWidth-1:0] best_min_first;
  logic [R-1:0] best_via;
  logic [G-1:0] best_group;
  logic [EstimateWidth-1:0] least_min;
  hw_pipe_register #(.Width(PortWidth), .Registered(AfterEstimates)) u_near (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(near_port), .data_o(rsp_near_port)
  );
  hw_ugal_choice #(
    .PortWidth(PortWidth), .QueueWidth(QueueWidth), .CountWidth(CountWidth), .TakesMinimal(TakesMinimal),
    .NumMinimal(NumMinimal), .NumNonminimal(NumNonminimal), .OneTwo(OneTwo), .Oracle(Oracle),
    .Registered(AfterEstimates)
  ) u_choice (
    .clk_i(clk_i), .rst_ni(rst_ni), .mode_i(mode), .bias_i(bias), .first_i(first), .weigh_i(path.deciding),
    .count_i(path.count), .learned_i(path.bias), .own_link_i(own_link), .min_port_i(min_port), .min_first_i(min_first),
    .min_hops_i(min_hops), .min_queue_i(min_queue), .non_port_i(non_port), .non_via_i(non_via), .non_group_i(non_group),
    .non_hops_i(non_hops), .non_queue_i(non_queue), .choose_i(rsp.deciding), .nonminimal_o(nonminimal),
    .min_port_o(best_min_port), .min_first_o(best_min_first), .least_min_o(least_min), .non_port_o(best_non_port),
    .non_via_o(best_via), .non_group_o(best_group)
  );

  assign decision_o = rsp_valid && rsp.deciding && TakesMinimal ? {rsp.bias, rsp.count, least_min, best_min_first, nonminimal, 1'b1} : '0;

  // Response -------------------------------------------------------------------------------------
  logic [1:0] next;
  logic [R-1:0] next_via;
  logic [G-1:0] next_group;
  hw_dragonfly_move #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .LocalPorts(LocalPorts), .FromTerminal(FromTerminal),
    .FromLocal(FromLocal), .VcSteps(VcSteps), .NumSteps(NumSteps), .StepVcs(StepVcs), .OrderVcs(OrderVcs),
    .TakesNonminimal(TakesNonminimal), .ThroughRouter(ThroughRouter), .Reconsider(Reconsider), .OwnVcs(OwnVcs)
  ) u_move (
    .valid_i(rsp_valid), .here_i(here), .group_i(group), .vc_i(rsp.vc), .dst_i(dst_of(rsp.bits)),
    .dst_group_i(dst_group_of(rsp.bits)), .terminal_i(terminal_of(rsp.bits)), .class_i(class_of(rsp.bits)),
    .via_i(via_of(rsp.bits)), .via_group_i(via_group_of(rsp.bits)),
    .ordered_i(ordered), .deciding_i(rsp.deciding), .nonminimal_i(nonminimal), .near_port_i(rsp_near_port),
    .min_port_i(best_min_port), .non_port_i(best_non_port), .non_via_i(best_via), .non_group_i(best_group),
    .port_o(rsp_port_o), .vcs_o(rsp_vcs_o), .class_o(next), .via_o(next_via), .group_o(next_group)
  );

  assign {rsp_valid_o, rsp_vc_o, rsp_bits_o} = {rsp_valid, rsp.vc, rsp.bits};

  if (TakesNonminimal) begin : gen_state
    assign rsp_state_o = {next_group[GroupWidth-1:0], next_via[RouterBits-1:0], next};
  end else begin : gen_no_state
    assign rsp_state_o = '0;
    wire unused_state = &{1'b0, next, next_via, next_group};
  end

  wire unused = &{1'b0, asked, path, rsp, next_via, next_group};

endmodule

`default_nettype wire
