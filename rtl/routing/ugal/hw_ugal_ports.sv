// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The route computations of a dragonfly's router: hw_route_compute_dragonfly at every input port.
//
// Latency, throughput and combinational paths: see there. Every question is taken as it comes.
// Configuration words: 0 {31: the generators take the seed while it is set, 1:0 mode, see
// hw_ugal_pkg}, 1 seed, 2 bias (signed, flits x hops); with HasModes the bias of Adaptive0, and 3 {31:16 of Adaptive3, 15:0 of
// Adaptive2}, 4 {31:16 of Adaptive1 after a hop along a row, 15:0 at the source}, 5 {15:0 after one along a column}; words that are
// not there are 0.
// Reference: see hw_route_compute_dragonfly.
module hw_ugal_ports #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned StateWidth = 1,         // class, via router, via group; with Learning more
  parameter int unsigned CoordWidth = 0,
  parameter int unsigned NumCfg = 1,
  // See hw_route_compute_dragonfly
  parameter int unsigned NumRouters = 0,
  parameter int unsigned NumGroups = 0,
  parameter int unsigned GlobalPorts = 0,
  parameter int unsigned Links = 1,
  parameter int unsigned Columns = 0,
  parameter int unsigned ColumnLinks = 1,
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter int unsigned DstRouterLsb = 0,
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SlotLsb = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned StateLsb = 0,
  parameter bit [NumVcs*4-1:0] VcSteps = '0,
  parameter int unsigned NumSteps = 1,
  parameter bit [NumSteps*NumVcs-1:0] StepVcs = '0,
  parameter bit [NumVcs-1:0] OrderVcs = '0,
  parameter bit TakesMinimal = 1'b1,
  parameter bit TakesNonminimal = 1'b0,
  parameter bit ThroughRouter = 1'b1,
  parameter bit Reconsider = 1'b0,
  parameter bit OwnVcs = 1'b0,                   // minimal paths have VCs of their own: see hw_dragonfly_move
  parameter int unsigned NumMinimal = 1,
  parameter int unsigned NumNonminimal = 1,
  parameter bit OneTwo = 1'b0,
  parameter bit Oracle = 1'b0,
  parameter int unsigned RouteCycles = 0,
  parameter bit HasModes = 1'b0,                 // of packets: see hw_ugal_modes
  parameter int unsigned ModeLsb = 0,
  parameter bit Contention = 1'b0,               // there are contention factors; no modes then
  parameter int unsigned StampBits = 0,          // of a time in the head flit; 0: no feedback there
  parameter int unsigned LatencyBits = 0,        // of the latency there
  localparam int unsigned CountWidth = Contention ? $clog2(NumRouters + 1) : 1,
  localparam int unsigned EstimateWidth = QueueWidth + 7,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned WayWidth = StampBits > 0 ? StateWidth - StampBits - LatencyBits - 2 : StateWidth,
  localparam int unsigned DecisionWidth = 2 + QueueWidth + EstimateWidth + CountWidth + 16
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  input  wire logic [2*CoordWidth-1:0]            coord_i,     // static
  input  wire logic [NumCfg*32-1:0]               cfg_i,
  // Questions and context, one slice per input port but for the queues, which are output ports'
  input  wire logic [NumPorts-1:0]                req_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]        req_vc_i,
  input  wire logic [NumPorts*RouteBits-1:0]      req_bits_i,
  input  wire logic [NumPorts*QueueWidth-1:0]     queue_i,
  input  wire logic [NumPorts*QueueWidth-1:0]     min_used_i,  // see hw_dragonfly_paths
  input  wire logic [NumPorts*QueueWidth-1:0]     non_used_i,
  input  wire logic [NumPorts*CountWidth-1:0]     count_i,     // contention factors
  input  wire logic [NumPorts*16-1:0]             bias_i,      // learned bias
  // Answers
  output logic [NumPorts-1:0]                     rsp_valid_o,
  output logic [NumPorts*VcWidth-1:0]             rsp_vc_o,
  output logic [NumPorts*PortWidth-1:0]           rsp_port_o,
  output logic [NumPorts*NumVcs-1:0]              rsp_vcs_o,
  output logic [NumPorts*WayWidth-1:0]            rsp_way_o,   // class, via router, via group
  output logic [NumPorts*RouteBits-1:0]           rsp_bits_o,  // the questions' req_bits_i
  output logic [NumPorts*DecisionWidth-1:0]       decision_o
);

  if (StampBits > 0 && StateWidth <= StampBits + LatencyBits + 2) begin : gen_bad_state
    $error("hw_ugal_ports: StateWidth must hold two times and more");
  end

  if (HasModes && (Contention || StampBits > 0)) begin : gen_bad_modes
    $error("hw_ugal_ports: modes go with neither contention factors nor a learned bias");
  end

  logic [31:0] seed;
  logic [(HasModes?96:16)-1:0] bias;             // as hw_ugal_modes has them
  if (NumCfg > 1) begin : gen_seed
    assign seed = cfg_i[32+:32];
  end else begin : gen_no_seed
    assign seed = '0;
  end
  if (NumCfg > 2) begin : gen_bias
    assign bias[0+:16] = cfg_i[64+:16];
  end else begin : gen_no_bias
    assign bias[0+:16] = '0;
  end
  if (HasModes) begin : gen_biases
    assign bias[16+:64] = cfg_i[96+:64];
    assign bias[80+:16] = NumCfg > 5 ? 16'(cfg_i >> 160) : '0;
  end

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    hw_route_compute_dragonfly #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .QueueWidth(QueueWidth), .CountWidth(CountWidth),
      .RouteBits(RouteBits), .StateWidth(WayWidth), .InPort(p), .CoordWidth(CoordWidth),
      .NumRouters(NumRouters), .NumGroups(NumGroups), .GlobalPorts(GlobalPorts), .Links(Links),
      .Columns(Columns), .ColumnLinks(ColumnLinks), .Arrangement(Arrangement), .DstRouterLsb(DstRouterLsb),
      .DstGroupLsb(DstGroupLsb), .SlotLsb(SlotLsb), .SlotBits(SlotBits), .StateLsb(StateLsb),
      .VcSteps(VcSteps), .NumSteps(NumSteps), .StepVcs(StepVcs), .HasModes(HasModes), .ModeLsb(ModeLsb), .OrderVcs(OrderVcs), .TakesMinimal(TakesMinimal),
      .TakesNonminimal(TakesNonminimal), .ThroughRouter(ThroughRouter), .Reconsider(Reconsider),
      .OwnVcs(OwnVcs),
      .NumMinimal(NumMinimal), .NumNonminimal(NumNonminimal), .OneTwo(OneTwo), .Oracle(Oracle),
      .RouteCycles(RouteCycles)
    ) u_route (
      .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .load_seed_i(cfg_i[31]), .seed_i(seed),
      .mode_i(cfg_i[1:0]), .bias_i(bias), .req_valid_i(req_valid_i[p]),
      .req_vc_i(req_vc_i[p*VcWidth+:VcWidth]), .req_bits_i(req_bits_i[p*RouteBits+:RouteBits]),
      .ctx_queue_i(queue_i), .ctx_min_used_i(min_used_i), .ctx_non_used_i(non_used_i),
      .ctx_count_i(count_i[p*CountWidth+:CountWidth]),
      .ctx_bias_i(bias_i[p*16+:16]), .rsp_valid_o(rsp_valid_o[p]),
      .rsp_vc_o(rsp_vc_o[p*VcWidth+:VcWidth]), .rsp_port_o(rsp_port_o[p*PortWidth+:PortWidth]),
      .rsp_vcs_o(rsp_vcs_o[p*NumVcs+:NumVcs]), .rsp_state_o(rsp_way_o[p*WayWidth+:WayWidth]),
      .rsp_bits_o(rsp_bits_o[p*RouteBits+:RouteBits]),
      .decision_o(decision_o[p*DecisionWidth+:DecisionWidth])
    );
  end

  wire unused = &{1'b0, cfg_i};

endmodule

`default_nettype wire
