// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// The routings of a dragonfly that go minimally, through a random group or router, or choose
// between the two: route computations of all ports (hw_ugal_ports), contention counters and the
// bias that is learned from latencies where the routing has them, and counters of the choices.
//
// Latency: RouteCycles from req_* to rsp_*; throughput: one question per port and cycle, taken as
// it comes. Combinational paths: with RouteCycles below 2 see hw_route_compute_dragonfly;
// table_req_i -> table_ack_o; table_addr_i -> table_rdata_o. A decision holds.
// Configuration words: 0 {31: the generators take the seed while it is set, 1:0 mode, see
// hw_ugal_pkg}, 1 seed, 2 {15:0 bias, signed, flits x hops}, 3 {15:0 window of the contention
// counters, cycles}, 4 {5:4 what they count, 3:0 threshold}, 5 {15:0 learning rate}; with HasModes 3 to 5 are biases, see
// hw_ugal_ports; the first NumCfg of them.
// With OwnVcs hw_ugal_vcs_used tells what paths of either kind hold behind a port where both begin.
// Counters (adaptive routings): see hw_decision_counters.
// Table window, read only: 0 to 5 the counters; with Contention GroupTable + 2g the contention
// factor of group g, GroupTable + 2g + 1 its active routers. An access takes a cycle.
// Assumes: destinations that exist; with Contention a fully connected group.
// Guarantees: moves of the proved relation, in every mode and with every configuration (checked by `hopwise verify`).
// Reference: Kim et al. 2008; Jiang et al. 2009; Chaulagain & Yuan 2024; relation `dragonfly`.
module hw_routing_ugal #(
  `include "hw_routing_parameters.svh"
  // Of this family
  parameter int unsigned NumRouters = 0,        // a
  parameter int unsigned NumGroups = 0,         // g
  parameter int unsigned GlobalPorts = 0,       // h
  parameter int unsigned Links = 1,             // between two groups
  parameter int unsigned Columns = 0,           // NumRouters: fully connected group
  parameter int unsigned ColumnLinks = 1,       // between two routers of a column
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter int unsigned DstRouterLsb = 0,      // fields of the head flit
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SrcGroupLsb = 0,       // with Contention or StampBits
  parameter int unsigned SlotLsb = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned StateLsb = 0,
  parameter bit [NumVcs*4-1:0] VcSteps = '0,    // step of each VC
  parameter int unsigned NumSteps = 1,
  parameter bit [NumSteps*NumVcs-1:0] StepVcs = '0,  // VCs of each step
  parameter bit [NumVcs-1:0] OrderVcs = '0,     // with HasModes: one of each, in each message class
  parameter bit TakesMinimal = 1'b1,            // both: adaptive
  parameter bit TakesNonminimal = 1'b0,
  parameter bit ThroughRouter = 1'b1,           // intermediate router, else group
  parameter bit Reconsider = 1'b0,
  parameter bit OwnVcs = 1'b0,                   // minimal paths have VCs of their own: see hw_dragonfly_move
  parameter int unsigned NumMinimal = 1,
  parameter int unsigned NumNonminimal = 1,
  parameter bit OneTwo = 1'b0,                  // hops count 1 : 2, else as the path has them
  parameter bit Oracle = 1'b0,                  // simulation only: all queues of a path
  parameter int unsigned RouteCycles = 0,       // 0 to 4
  parameter bit HasModes = 1'b0,                // packets have modes
  parameter int unsigned ModeLsb = 0,           // of mode, flow label and, up to RouteBits, source
  parameter bit Contention = 1'b0,              // has contention counters
  parameter int unsigned GroupTable = 6,        // its first word in the table window
  parameter int unsigned StampBits = 0,         // of a time in the head flit; 0: learns no bias
  parameter int unsigned LatencyBits = 0,       // of a latency that comes back, with StampBits
  parameter int unsigned BiasMax = 0,           // flits
  `include "hw_routing_widths.svh"
) (
  `include "hw_routing_ports.svh"
);

  localparam int unsigned RouterBits = NumRouters > 1 ? $clog2(NumRouters) : 1;
  localparam int unsigned GroupWidth = NumGroups > 1 ? $clog2(NumGroups) : 1;
  localparam int unsigned CountWidth = Contention ? $clog2(NumRouters + 1) : 1;
  localparam int unsigned DecisionWidth = 2 + QueueWidth + QueueWidth + 7 + CountWidth + 16;
  localparam int unsigned WayWidth = StampBits > 0 ? StateWidth - StampBits - LatencyBits - 2 : StateWidth;
  localparam bit Adaptive = TakesMinimal && TakesNonminimal;
  localparam bit Learning = StampBits > 0;
  localparam int unsigned Sums = 6;             // words of the counters

  if (NumCands != 1 || NumCoords != 2) begin : gen_bad_shape
    $error("hw_routing_ugal: NumCands must be 1, NumCoords 2");
  end
  if (GroupTable < Sums) begin : gen_bad_base
    $error("hw_routing_ugal: GroupTable must lie behind the counters");
  end
  if (NumCounters != (Adaptive ? Sums : 0)) begin : gen_bad_counters
    $error("hw_routing_ugal: NumCounters must be 6 for adaptive routings, else 0");
  end
  if (OwnVcs && (!Adaptive || Oracle)) begin : gen_bad_own
    $error("hw_routing_ugal: OwnVcs is for adaptive routings that see queues of their own router");
  end
  if (HasModes && (!Adaptive || NumCfg < (Reconsider && Columns < NumRouters ? 6 : 5))) begin : gen_bad_modes
    $error("hw_routing_ugal: modes are for adaptive routings, with biases in words 3 to 5");
  end
  if ((Contention || Learning) && (!Adaptive || NumCfg < (Learning ? 6 : 5))) begin : gen_bad_cfg
    $error("hw_routing_ugal: counters and bias are for adaptive routings, in words 3 to 5");
  end

  logic [NumPorts*CountWidth-1:0] count;
  logic [NumPorts*16-1:0] bias;
  logic [NumPorts*WayWidth-1:0] way;
  logic [NumPorts*RouteBits-1:0] answered;      // the questions that rsp_* belong to
  logic [NumPorts*DecisionWidth-1:0] decision;
  logic [NumPorts*QueueWidth-1:0] min_used, non_used;
  logic decisions_at_rest, contention_at_rest;

  hw_ugal_ports #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .QueueWidth(QueueWidth), .RouteBits(RouteBits),
    .StateWidth(StateWidth), .CoordWidth(CoordWidth), .NumCfg(NumCfg), .NumRouters(NumRouters),
    .NumGroups(NumGroups), .GlobalPorts(GlobalPorts), .Links(Links), .Columns(Columns), .ColumnLinks(ColumnLinks),
    .Arrangement(Arrangement), .DstRouterLsb(DstRouterLsb), .DstGroupLsb(DstGroupLsb),
    .SlotLsb(SlotLsb), .SlotBits(SlotBits), .StateLsb(StateLsb), .VcSteps(VcSteps),
    .NumSteps(NumSteps), .StepVcs(StepVcs), .OrderVcs(OrderVcs), .TakesMinimal(TakesMinimal),
    .TakesNonminimal(TakesNonminimal), .ThroughRouter(ThroughRouter), .Reconsider(Reconsider),
    .OwnVcs(OwnVcs),
    .NumMinimal(NumMinimal), .NumNonminimal(NumNonminimal), .OneTwo(OneTwo), .Oracle(Oracle),
    .RouteCycles(RouteCycles), .HasModes(HasModes), .ModeLsb(ModeLsb), .Contention(Contention), .StampBits(StampBits), .LatencyBits(LatencyBits)
  ) u_ports (
    .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .cfg_i(cfg_i), .req_valid_i(req_valid_i),
    .req_vc_i(req_vc_i), .req_bits_i(req_bits_i), .queue_i(queue_i), .min_used_i(min_used),
    .non_used_i(non_used), .count_i(count),
    .bias_i(bias), .rsp_valid_o(rsp_valid_o), .rsp_vc_o(rsp_vc_o), .rsp_port_o(rsp_port_o),
    .rsp_vcs_o(rsp_vcs_o), .rsp_way_o(way), .rsp_bits_o(answered), .decision_o(decision)
  );
  assign req_ready_o = '1;

  // What paths of either kind hold behind the local ports, where minimal ones have VCs of their own --
  if (OwnVcs) begin : gen_used
    localparam int unsigned Minimal = Reconsider ? 0 : NumSteps - 2, Nonminimal = Reconsider ? 1 : 0;  // steps of first hops
    hw_ugal_vcs_used #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .LocalPorts(NumNetworkPorts - GlobalPorts), .QueueWidth(QueueWidth),
      .MinVcs(StepVcs[Minimal*NumVcs+:NumVcs]), .NonVcs(StepVcs[Nonminimal*NumVcs+:NumVcs])
    ) u_used (
      .clk_i(clk_i), .rst_ni(rst_ni), .out_valid_i(out_valid_i), .out_vc_i(out_vc_i), .out_credit_valid_i(out_credit_valid_i),
      .out_credit_vc_i(out_credit_vc_i), .min_used_o(min_used), .non_used_o(non_used)
    );
  end else begin : gen_no_used
    assign min_used = '0;
    assign non_used = '0;
  end

  // Contention factors ----------------------------------------------------------------------------
  logic [31:0] table_groups;                    // the word of the groups that is asked for
  if (Contention) begin : gen_contention
    logic [NumRouters-1:0] active;
    logic [CountWidth-1:0] factor;
    logic [31:0] word;
    assign word = table_addr_i - GroupTable;
    hw_ugal_contention #(
      .NumPorts(NumPorts), .NumNetworkPorts(NumNetworkPorts), .RouteBits(RouteBits),
      .NumRouters(NumRouters), .NumGroups(NumGroups), .DstGroupLsb(DstGroupLsb),
      .SrcGroupLsb(SrcGroupLsb)
    ) u_contention (
      .clk_i(clk_i), .rst_ni(rst_ni), .group_i(coord_i[CoordWidth+:GroupWidth]),
      .threshold_i(cfg_i[4*32+:4]), .window_i(cfg_i[3*32+:16]), .mode_i(cfg_i[4*32+4+:2]),
      .req_valid_i(req_valid_i), .req_bits_i(req_bits_i), .count_o(count),
      .csr_valid_i(table_req_i && table_addr_i >= GroupTable),
      .csr_group_i(word[1+:GroupWidth]), .csr_active_o(active), .csr_count_o(factor),
      .at_rest_o(contention_at_rest)
    );
    assign table_groups = table_addr_i[0] ? 32'(active) : 32'(factor);
    wire unused_word = &{1'b0, word};
  end else begin : gen_no_contention
    assign count = '0;
    assign table_groups = '0;
    assign contention_at_rest = 1'b1;
  end

  // Learned bias ----------------------------------------------------------------------------------
  if (Learning) begin : gen_bias
    hw_ugal_bias #(
      .NumPorts(NumPorts), .NumNetworkPorts(NumNetworkPorts), .RouteBits(RouteBits),
      .NumRouters(NumRouters), .NumGroups(NumGroups), .DstRouterLsb(DstRouterLsb),
      .DstGroupLsb(DstGroupLsb), .SrcGroupLsb(SrcGroupLsb), .StateLsb(StateLsb),
      .StampBits(StampBits), .LatencyBits(LatencyBits), .BiasMax(BiasMax)
    ) u_bias (
      .clk_i(clk_i), .rst_ni(rst_ni), .router_i(coord_i[0+:RouterBits]),
      .group_i(coord_i[CoordWidth+:GroupWidth]), .rate_i(cfg_i[5*32+:16]),
      .now_i(now_i[StampBits-1:0]), .req_valid_i(req_valid_i), .req_bits_i(req_bits_i),
      .bias_o(bias), .rsp_valid_i(rsp_valid_o), .rsp_bits_i(answered), .rsp_way_i(way),
      .rsp_state_o(rsp_state_o)
    );
  end else begin : gen_no_bias
    assign bias = '0;
    assign rsp_state_o = way;
    wire unused_answered = &{1'b0, answered};
  end

  // Counters and table window ---------------------------------------------------------------------
  if (Adaptive) begin : gen_counters
    logic table_ready_q;
    logic [31:0] rdata;
    hw_decision_counters #(
      .NumPorts(NumPorts), .QueueWidth(QueueWidth), .EstimateWidth(QueueWidth + 7),
      .CountWidth(CountWidth)
    ) u_counters (
      .clk_i(clk_i), .rst_ni(rst_ni), .decision_i(decision), .sums_o(counters_o),
      .at_rest_o(decisions_at_rest)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) table_ready_q <= 1'b0;
      else table_ready_q <= table_req_i && !table_ready_q;
    end
    always_comb begin
      rdata = '0;
      if (table_addr_i < Sums) rdata = counters_o[table_addr_i[2:0]*32+:32];
      else if (table_addr_i >= GroupTable) rdata = table_groups;
    end
    assign table_ack_o = table_ready_q && table_req_i;
    assign table_rdata_o = rdata;
  end else begin : gen_no_counters
    assign decisions_at_rest = 1'b1;
    assign counters_o = '0;
    assign table_ack_o = 1'b0;
    assign table_rdata_o = '0;
    wire unused_decision = &{1'b0, decision, table_groups};
  end

  assign idle_o = decisions_at_rest && contention_at_rest;

  `HW_ROUTING_NO_FEEDBACK
  `HW_ROUTING_NO_TRACE
  `HW_ROUTING_NO_FLIPS
  `HW_ROUTING_UNREAD
  wire unused = &{1'b0, SrcGroupLsb[0], BiasMax[0]};

endmodule

`default_nettype wire
