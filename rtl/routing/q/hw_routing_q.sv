// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_routing_ties.svh"

// The routings that learn a table of delivery times, on tori and dragonflies: route computations of
// all ports (hw_q_ports), Banks agents (hw_q_agent) and as many tables (hw_q_table), the values that
// these start from (hw_q_start), and counters of the decisions.
//
// Bank b is an agent for the input ports p with p mod Banks = b, and the table of the columns c with
// c mod Banks = b, of which every agent reads a copy of its own.
// Feedback: with an answer goes, behind a register, {value, row, valid} to the router upstream;
// what the routers downstream say of a network port is for that column of the table.
// Latency: 0 cycles from req_* to rsp_* where nothing is asked, else TableCycles from the cycle in
// which the question is taken; throughput: a question and an update per cycle and bank, whose ports
// (columns) take turns.
// Combinational paths: req_*, coord_i -> req_ready_o, rsp_*; table_* -> table_ack_o, table_rdata_o.
// A decision holds.
// Configuration words: 0 {31: the generator takes the seed while it is set, 0: freeze, feedback
// that comes in is dropped}, 1 seed, 2 {31:16 rate upwards, 15:0 rate downwards}, 3 epsilon, 4
// {31:16 threshold of a detour, 15:0 threshold of the source}; see hw_q_agent and hw_q_table.
// Counters: those of hw_q_counters, updates of the table, dropped feedback words.
// Table window: words 0 to 7 the counters; TableBase + row * 2^ColBits + column a value, read and
// written.
// Trace, a slice per bank: {decision, target, column, row and valid of the update written, row and
// valid of the values compared}; see hw_q_agent and hw_q_table. With Parity above it {what the tables
// found with bad parity, a bit each; the last one's word in the table window}.
// Assumes: questions hold until ready; destinations that exist.
// Guarantees: moves of the proved relation, whatever the table says (checked by `hopwise verify`).
// Reference: Boyan & Littman 1993; Kang, Wang & Lan, HPDC 2021; docs/reference/routing-q.md.
module hw_routing_q #(
  `include "hw_routing_parameters.svh"
  // Of this family
  parameter int unsigned NumRows = 0,           // of the table
  parameter int unsigned TableBase = 0,         // its first word in the table window
  parameter int unsigned ValueBits = 0,
  parameter int unsigned FractionBits = 0,      // of a core cycle
  parameter int unsigned TimeBits = 0,          // of the reward in the head flit
  parameter int unsigned RewardLsb = 0,
  parameter int unsigned SlotLsb = 0,
  parameter int unsigned SlotBits = 0,
  parameter int unsigned MaxHops = 1,           // routers that decide
  parameter int unsigned TableCycles = 3,       // 2 or 3
  parameter int unsigned Banks = 1,             // at most NumNetworkPorts
  parameter bit Admissible = 1'b0,              // see hw_q_agent
  parameter bit Queues = 1'b0,
  parameter int unsigned FlitCycles = 1,
  parameter bit Optimistic = 1'b0,              // see hw_q_start_*
  parameter bit Parity = 1'b0,                  // of the table: see hw_q_table
  parameter bit Dragonfly = 1'b0,               // else a torus
  // On a torus: see hw_route_compute_q_torus and hw_q_start_torus
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstLsbs = '0,
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter int unsigned StateLsb = 0,
  parameter bit Balanced = 1'b0,
  parameter bit [NumVcs-1:0] EscapeVcs0 = '0,
  parameter bit [NumVcs-1:0] EscapeVcs1 = '0,
  parameter bit [NumVcs-1:0] AdaptiveVcs = '0,
  parameter bit [NumCoords*32-1:0] HopTimes = '0,
  // On a dragonfly: see hw_route_compute_q_dragonfly and hw_q_start_dragonfly
  parameter int unsigned NumRouters = 0,
  parameter int unsigned NumGroups = 0,
  parameter int unsigned GlobalPorts = 0,
  parameter int unsigned Terminals = 1,
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter int unsigned DstRouterLsb = 0,
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SrcSlotLsb = 0,
  parameter bit [NumVcs*4-1:0] VcSteps = '0,
  parameter int unsigned NumSteps = 1,
  parameter bit [NumSteps*NumVcs-1:0] StepVcs = '0,
  parameter bit TwoLevel = 1'b1,
  parameter bit LocalDetours = 1'b1,
  parameter bit Progressive = 1'b0,
  parameter int unsigned LocalTime = 0,
  parameter int unsigned GlobalTime = 0,
  `include "hw_routing_widths.svh"
) (
  `include "hw_routing_ports.svh"
);

  localparam int unsigned N = NumNetworkPorts;  // columns of the table
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1;
  localparam int unsigned ColBits = N > 1 ? $clog2(N) : 1;
  localparam int unsigned InfoBits = Dragonfly ? NumVcs : StateWidth + PortWidth + 2 * NumVcs;
  localparam int unsigned DecisionBits = 7 + 4 * PortWidth + TimeBits + FeedbackBits + 2 * ValueBits;
  localparam int unsigned Counters = 8;
  localparam int unsigned BankTrace = TraceBits / Banks;
  localparam logic [ValueBits-1:0] Infinity = {ValueBits{1'b1}};

  if (NumCands != (Dragonfly ? 1 : 2) || NumCfg != 5 || NumCounters != Counters) begin : gen_bad
    $error("hw_routing_q: NumCands must be 1 or, on a torus, 2, NumCfg 5, NumCounters 8");
  end
  if (FeedbackBits != 1 + RowBits + ValueBits
      || TraceBits != Banks * (2 + 2 * RowBits + ColBits + ValueBits + DecisionBits)
      || NumFlips != (Parity ? 2 * Banks : 0)) begin : gen_bad_widths
    $error("hw_routing_q: FeedbackBits, TraceBits or NumFlips do not fit the table");
  end
  if (TableBase < Counters || Banks == 0 || Banks > N) begin : gen_bad_base
    $error("hw_routing_q: TableBase must lie behind the counters, Banks be 1 to NumNetworkPorts");
  end

  // What the ports ask, one slice per input port, and the agents' answers, one per bank ----------
  logic [NumPorts-1:0] ask_valid, ask_ready, ask_narrow, ask_feedback, agent_valid;
  logic [Banks*NumPorts-1:0] bank_ready, bank_valid;
  logic [NumPorts*RowBits-1:0] ask_row;
  logic [NumPorts*2-1:0] ask_mode;
  logic [NumPorts*PortWidth-1:0] ask_minimal;
  logic [NumPorts*TimeBits-1:0] ask_reward;
  logic [NumPorts*InfoBits-1:0] ask_info;
  logic [Banks*VcWidth-1:0] agent_vc;
  logic [Banks*PortWidth-1:0] agent_port;
  logic [Banks*InfoBits-1:0] agent_info;
  logic [Banks*FeedbackBits-1:0] agent_feedback;
  logic [NumPorts*FeedbackBits-1:0] tell;

  hw_q_ports #(
    .NumPorts(NumPorts), .NumAgents(Banks), .NumVcs(NumVcs), .RouteBits(RouteBits), .StateWidth(StateWidth),
    .NumCoords(NumCoords), .CoordWidth(CoordWidth), .NumRows(NumRows), .ValueBits(ValueBits), .FractionBits(FractionBits),
    .TimeBits(TimeBits), .RewardLsb(RewardLsb), .SlotLsb(SlotLsb), .SlotBits(SlotBits), .MaxHops(MaxHops),
    .Dragonfly(Dragonfly), .DimSizes(DimSizes), .DstLsbs(DstLsbs), .DstBits(DstBits), .StateLsb(StateLsb),
    .Balanced(Balanced), .EscapeVcs0(EscapeVcs0), .EscapeVcs1(EscapeVcs1), .AdaptiveVcs(AdaptiveVcs), .NumRouters(NumRouters),
    .NumGroups(NumGroups), .GlobalPorts(GlobalPorts), .Terminals(Terminals), .Arrangement(Arrangement),
    .DstRouterLsb(DstRouterLsb), .DstGroupLsb(DstGroupLsb), .SrcSlotLsb(SrcSlotLsb), .VcSteps(VcSteps), .NumSteps(NumSteps),
    .StepVcs(StepVcs), .TwoLevel(TwoLevel), .LocalDetours(LocalDetours), .Progressive(Progressive)
  ) u_ports (
    .clk_i(clk_i), .rst_ni(rst_ni), .coord_i(coord_i), .req_valid_i(req_valid_i), .req_ready_o(req_ready_o),
    .req_vc_i(req_vc_i), .req_bits_i(req_bits_i), .ask_valid_o(ask_valid), .ask_ready_i(ask_ready), .ask_row_o(ask_row),
    .ask_mode_o(ask_mode), .ask_narrow_o(ask_narrow), .ask_minimal_o(ask_minimal), .ask_feedback_o(ask_feedback),
    .ask_reward_o(ask_reward), .ask_info_o(ask_info), .agent_valid_i(agent_valid), .agent_vc_i(agent_vc),
    .agent_port_i(agent_port), .agent_info_i(agent_info), .agent_feedback_i(agent_feedback), .rsp_valid_o(rsp_valid_o),
    .rsp_vc_o(rsp_vc_o), .rsp_port_o(rsp_port_o), .rsp_vcs_o(rsp_vcs_o), .rsp_state_o(rsp_state_o), .feedback_o(tell)
  );

  // What is told upstream -------------------------------------------------------------------------
  for (genvar c = 0; c < N; c = c + 1) begin : gen_tell
    hw_feedback_pipe #(.Width(FeedbackBits), .Latency(1)) u_tell (
      .clk_i(clk_i), .rst_ni(rst_ni), .down_feedback_i(tell[c*FeedbackBits+:FeedbackBits]),
      .up_feedback_o(in_feedback_o[c*FeedbackBits+:FeedbackBits])
    );
  end

  // What agents read and decide, what tables start from; their words in the table window ----------
  logic [Banks-1:0] read_valid, init, agents_idle, tables_idle, table_ack;
  logic [Banks*RowBits-1:0] read_row, init_row;
  logic [Banks*N*ValueBits-1:0] read_values;   // a row per agent
  logic [N*ValueBits-1:0] start_values;
  logic [N-1:0] connected;
  logic [Banks*DecisionBits-1:0] decisions;
  logic [Banks*ValueBits-1:0] table_value;
  logic [Banks*32-1:0] updates, dropped;
  logic in_table, counted, counters_ack_q;
  logic [2*Banks-1:0] flips;
  logic [2*Banks*32-1:0] flip_words;
  logic [31:0] word;
  logic [ValueBits-1:0] csr_wdata;             // what is too large for a value is infinity
  logic [191:0] decided;

  assign word = table_addr_i - TableBase;
  assign in_table = table_addr_i >= TableBase && 32'(word[ColBits-1:0]) < N;
  assign csr_wdata = table_wdata_i > 32'(Infinity) ? Infinity : table_wdata_i[ValueBits-1:0];

  hw_q_start #(
    .NumNetworkPorts(N), .NumCoords(NumCoords), .CoordWidth(CoordWidth), .NumRows(NumRows), .ValueBits(ValueBits),
    .Optimistic(Optimistic), .Dragonfly(Dragonfly), .DimSizes(DimSizes), .DstBits(DstBits), .HopTimes(HopTimes),
    .NumRouters(NumRouters), .NumGroups(NumGroups), .GlobalPorts(GlobalPorts), .Terminals(Terminals),
    .Arrangement(Arrangement), .TwoLevel(TwoLevel), .LocalTime(LocalTime), .GlobalTime(GlobalTime)
  ) u_start (
    .coord_i(coord_i), .row_i(init_row[RowBits-1:0]), .values_o(start_values), .connected_o(connected)
  );

  function automatic bit [NumPorts-1:0] ports_of(input int unsigned bank);
    for (int unsigned p = 0; p < NumPorts; p = p + 1) ports_of[p] = p % Banks == bank;
  endfunction

  for (genvar b = 0; b < Banks; b = b + 1) begin : gen_bank
    localparam int unsigned Cols = (N - b + Banks - 1) / Banks;
    localparam int unsigned BankColBits = Cols > 1 ? $clog2(Cols) : 1;
    logic compare_valid, write_valid;
    logic [RowBits-1:0] compare_row, write_row;
    logic [BankColBits-1:0] csr_col, write_col;
    logic [2*BankColBits-1:0] flip_cols;
    logic [2*RowBits-1:0] flip_rows;
    logic [ValueBits-1:0] write_target;
    // Of column i of this bank, column i * Banks + b of the router
    logic [Cols-1:0] feedback_valid, csr_cols;
    logic [Cols*(FeedbackBits-1)-1:0] feedback;
    logic [Cols*ValueBits-1:0] init_values;
    logic [Banks*Cols*ValueBits-1:0] values;

    for (genvar i = 0; i < Cols; i = i + 1) begin : gen_column
      localparam int unsigned C = i * Banks + b;
      assign feedback_valid[i] = out_feedback_i[C*FeedbackBits];
      assign feedback[i*(FeedbackBits-1)+:FeedbackBits-1] = out_feedback_i[C*FeedbackBits+1+:FeedbackBits-1];
      assign init_values[i*ValueBits+:ValueBits] = start_values[C*ValueBits+:ValueBits];
      assign csr_cols[i] = word[ColBits-1:0] == ColBits'(C);
      for (genvar r = 0; r < Banks; r = r + 1) begin : gen_reader
        assign read_values[(r*N+C)*ValueBits+:ValueBits] = values[(r*Cols+i)*ValueBits+:ValueBits];
      end
    end
    always_comb begin
      csr_col = '0;
      for (int unsigned i = 0; i < Cols; i = i + 1) begin
        if (csr_cols[i]) csr_col = csr_col | BankColBits'(i);
      end
    end

    hw_q_agent #(
      .NumPorts(NumPorts), .Ports(ports_of(b)), .NumCols(N), .LocalCols(Dragonfly ? NumRouters - 1 : 0), .NumRows(NumRows),
      .ValueBits(ValueBits), .FractionBits(FractionBits), .TimeBits(TimeBits), .VcWidth(VcWidth), .InfoBits(InfoBits),
      .Latency(TableCycles), .Salt(32'h9e3779b9 * (2 * b + 1)), .Admissible(Admissible), .Queues(Queues),
      .QueueWidth(QueueWidth), .FlitCycles(FlitCycles)
    ) u_agent (
      .clk_i(clk_i), .rst_ni(rst_ni), .epsilon_i(cfg_i[3*32+:32]), .threshold_source_i(cfg_i[4*32+:16]),
      .threshold_detour_i(cfg_i[4*32+16+:16]), .load_seed_i(cfg_i[31]), .seed_i(cfg_i[1*32+:32]), .place_i(32'(coord_i)),
      .connected_i(connected), .ask_valid_i(ask_valid), .ask_ready_o(bank_ready[b*NumPorts+:NumPorts]), .ask_vc_i(req_vc_i),
      .ask_row_i(ask_row), .ask_mode_i(ask_mode), .ask_narrow_i(ask_narrow), .ask_minimal_i(ask_minimal),
      .ask_feedback_i(ask_feedback), .ask_reward_i(ask_reward), .ask_info_i(ask_info), .table_ready_i(!init[0]),
      .read_valid_o(read_valid[b]), .read_row_o(read_row[b*RowBits+:RowBits]),
      .read_values_i(read_values[b*N*ValueBits+:N*ValueBits]), .queue_i(queue_i),
      .rsp_valid_o(bank_valid[b*NumPorts+:NumPorts]), .rsp_vc_o(agent_vc[b*VcWidth+:VcWidth]),
      .rsp_port_o(agent_port[b*PortWidth+:PortWidth]), .rsp_info_o(agent_info[b*InfoBits+:InfoBits]),
      .rsp_feedback_o(agent_feedback[b*FeedbackBits+:FeedbackBits]), .compare_valid_o(compare_valid),
      .compare_row_o(compare_row), .decision_o(decisions[b*DecisionBits+:DecisionBits]), .idle_o(agents_idle[b])
    );

    // With FifoDepth 2, one feedback word in half a million is dropped at a load of 0.8.
    hw_q_table #(
      .NumRows(NumRows), .NumCols(Cols), .NumReads(Banks), .ValueBits(ValueBits), .FifoDepth(3), .Parity(Parity)
    ) u_table (
      .clk_i(clk_i), .rst_ni(rst_ni), .alpha_i(cfg_i[2*32+:16]), .beta_i(cfg_i[2*32+16+:16]), .freeze_i(cfg_i[0]),
      .init_o(init[b]), .init_row_o(init_row[b*RowBits+:RowBits]), .init_values_i(init_values), .read_valid_i(read_valid),
      .read_row_i(read_row), .read_values_o(values), .feedback_valid_i(feedback_valid), .feedback_i(feedback),
      .csr_req_i(table_req_i && in_table && |csr_cols), .csr_we_i(table_we_i), .csr_row_i(word[ColBits+:RowBits]),
      .csr_col_i(csr_col), .csr_wdata_i(csr_wdata), .csr_ack_o(table_ack[b]),
      .csr_rdata_o(table_value[b*ValueBits+:ValueBits]), .updates_o(updates[b*32+:32]), .dropped_o(dropped[b*32+:32]),
      .write_valid_o(write_valid), .write_row_o(write_row), .write_col_o(write_col), .write_target_o(write_target),
      .flips_o(flips[2*b+:2]), .flip_rows_o(flip_rows), .flip_cols_o(flip_cols), .idle_o(tables_idle[b])
    );
    for (genvar h = 0; h < 2; h = h + 1) begin : gen_flip
      assign flip_words[(2*b+h)*32+:32] = TableBase + 32'({flip_rows[h*RowBits+:RowBits],
          ColBits'(32'(flip_cols[h*BankColBits+:BankColBits]) * Banks + b)});
    end

    assign trace_o[b*BankTrace+:BankTrace] = {
      decisions[b*DecisionBits+:DecisionBits], write_target, ColBits'(32'(write_col) * Banks + b), write_row, write_valid, compare_row, compare_valid};
  end

  always_comb begin
    ask_ready = '0;
    agent_valid = '0;
    for (int unsigned b = 0; b < Banks; b = b + 1) begin
      ask_ready = ask_ready | bank_ready[b*NumPorts+:NumPorts];
      agent_valid = agent_valid | bank_valid[b*NumPorts+:NumPorts];
    end
  end

  hw_q_counters #(
    .NumAgents(Banks), .NumPorts(NumPorts), .NumRows(NumRows), .ValueBits(ValueBits),
    .FractionBits(FractionBits), .TimeBits(TimeBits)
  ) u_counters (
    .clk_i(clk_i), .rst_ni(rst_ni), .decision_i(decisions), .sums_o(decided), .at_rest_o(counted)
  );

  logic [31:0] all_updates, all_dropped, rdata;
  always_comb begin
    all_updates = '0;
    all_dropped = '0;
    rdata = '0;
    flip_word_o = '0;
    for (int unsigned b = 0; b < Banks; b = b + 1) begin
      all_updates = all_updates + updates[b*32+:32];
      all_dropped = all_dropped + dropped[b*32+:32];
      if (flips[2*b]) flip_word_o = flip_words[2*b*32+:32];
      if (flips[2*b+1]) flip_word_o = flip_words[(2*b+1)*32+:32];
      if (table_ack[b]) rdata = rdata | 32'(table_value[b*ValueBits+:ValueBits]);
    end
    if (!in_table && table_addr_i < Counters) rdata = counters_o[table_addr_i[2:0]*32+:32];
  end
  assign flips_o = FlipsWidth'(flips);
  assign counters_o = {all_dropped, all_updates, decided};
  assign idle_o = &agents_idle && &tables_idle && counted;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) counters_ack_q <= 1'b0;
    else counters_ack_q <= table_req_i && !in_table && !counters_ack_q;
  end
  assign table_ack_o = in_table ? table_ack != '0 : counters_ack_q && table_req_i;
  assign table_rdata_o = rdata;

  `HW_ROUTING_UNREAD
  wire unused = &{1'b0, tell, word, init, init_row};

endmodule

`default_nettype wire
