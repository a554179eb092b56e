// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The paths from a router of a dragonfly that a packet may take: to a group, minimal ones over links that are drawn, and
// non-minimal ones through drawn groups or routers; and the way to a router of its own group.
//
// A path is known by its first port, its hops from router to router, and the queue at that port. A router with a link of its
// own to the group that a path goes to takes that link; otherwise the drawn one of the Links links, or the next that lies
// ahead (hw_dragonfly_links): within a group a way goes along the row, then along the column.
//
// Latency: one cycle each for LinksRegistered (which links, and who has their ends) and PortsRegistered (ports, hops, queues),
// else 0; throughput: one question per cycle.
// Combinational paths: none with PortsRegistered; with LinksRegistered alone queue_i and *_used_i -> *_first_o, *_queue_o; else
// all inputs -> all outputs. queue_i and *_used_i are read with the ports.
// Reference: Kim et al. 2008 (dragonfly); relation `dragonfly` (gen/routing/dragonfly.cpp).
module hw_dragonfly_paths #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned QueueWidth = 1,
  parameter int unsigned NumRouters = 0,                 // a
  parameter int unsigned NumGroups = 0,                  // g
  parameter int unsigned GlobalPorts = 0,                // h
  parameter int unsigned Links = 1,                      // between two groups
  parameter int unsigned Columns = 0,                    // NumRouters: fully connected group
  parameter int unsigned ColumnLinks = 1,                // between two routers of a column
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter int unsigned NumMinimal = 1,
  parameter int unsigned NumNonminimal = 1,
  parameter bit TakesNonminimal = 1'b0,
  parameter bit ThroughRouter = 1'b1,                    // intermediate router, else group
  parameter bit Oracle = 1'b0,                           // simulation only: all queues of a path, not the first
  parameter bit OwnVcs = 1'b0,                           // minimal paths have VCs of their own; one path of each kind
  parameter bit LinksRegistered = 1'b0,
  parameter bit PortsRegistered = 1'b0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned G = hw_dragonfly_pkg::GroupBits,
  localparam int unsigned C = 2,                         // bits that number the links between two routers of a column
  localparam int unsigned R = hw_dragonfly_pkg::RouterBits
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  input  wire logic [R-1:0]                        here_i,         // static: where this router stands
  input  wire logic [G-1:0]                        group_i,
  // Question: a way to router to_router_i of another group; near_port_o does not need valid_i
  input  wire logic                                valid_i,
  input  wire logic                                choice_i,       // with non-minimal paths
  input  wire logic                                free_i,         // no local hop lies behind
  input  wire logic [G-1:0]                        to_group_i,
  input  wire logic [R-1:0]                        to_router_i,
  input  wire logic [R-1:0]                        near_i,         // a router of this group, for near_port_o
  // What is drawn: links between groups and along a column, and routers in groups that are neither this one nor to_group_i;
  // near_port_o takes the first minimal path's link along a column
  input  wire logic [NumMinimal*8-1:0]             min_start_i,
  input  wire logic [NumNonminimal*8-1:0]          non_start_i,
  input  wire logic [NumMinimal*C-1:0]             min_copy_i,
  input  wire logic [NumNonminimal*C-1:0]          non_copy_i,
  input  wire logic [NumNonminimal*G-1:0]          non_group_i,
  input  wire logic [NumNonminimal*R-1:0]          non_via_i,
  input  wire logic [31:0]                         stamp_i,        // for the oracle
  // Queue of every port, flits; with OwnVcs what stands behind it of the VCs on which paths of either kind begin
  input  wire logic [NumPorts*QueueWidth-1:0]      queue_i,
  input  wire logic [NumPorts*QueueWidth-1:0]      min_used_i,
  input  wire logic [NumPorts*QueueWidth-1:0]      non_used_i,
  // Paths
  output logic [PortWidth-1:0]                     near_port_o,
  output logic                                     own_link_o,     // this router has a link to to_group_i
  output logic [NumMinimal*PortWidth-1:0]          min_port_o,
  output logic [NumMinimal*3-1:0]                  min_hops_o,
  output logic [NumMinimal*QueueWidth-1:0]         min_first_o,    // queue at the first port
  output logic [NumMinimal*(QueueWidth+7)-1:0]     min_queue_o,    // the same, that of all ports (Oracle), or of its VCs where
                                                                   // the other path begins at the same port (OwnVcs)
  output logic [NumNonminimal*PortWidth-1:0]       non_port_o,
  output logic [NumNonminimal*4-1:0]               non_hops_o,
  output logic [NumNonminimal*(QueueWidth+7)-1:0]  non_queue_o,
  output logic [NumNonminimal*G-1:0]               non_group_o,
  output logic [NumNonminimal*R-1:0]               non_via_o
);

  localparam int unsigned Rows = NumRouters / Columns;
  localparam int unsigned RowPorts = Columns - 1;
  localparam int unsigned LocalPorts = RowPorts + (Rows - 1) * ColumnLinks;
  localparam int unsigned SumWidth = QueueWidth + 7;      // of the queues of a path
  // Division by a constant: exact for routers up to 128.
  localparam int unsigned PerColumn = (65536 + Columns - 1) / Columns;

  if (NumPorts == 0 || NumRouters == 0 || NumGroups < 2 || GlobalPorts == 0 || Columns == 0) begin : gen_unset
    $error("hw_dragonfly_paths: NumPorts, NumRouters, NumGroups, GlobalPorts and Columns must be set");
  end
  if (NumRouters > 128 || GlobalPorts > 16 || NumRouters * GlobalPorts > 1024 || Links > 256
      || ColumnLinks > 4) begin : gen_bad_size
    $error("hw_dragonfly_paths: at most 128 routers, 16 global ports of each, 1024 of a group, 256 links, 4 column links");
  end

  if (OwnVcs && (!TakesNonminimal || NumMinimal != 1 || NumNonminimal != 1)) begin : gen_bad_own
    $error("hw_dragonfly_paths: OwnVcs is for one path of each kind");
  end

  // Arithmetic of groups --------------------------------------------------------------------------------------
  function automatic logic [R-1:0] row(input logic [R-1:0] router);
    row = R'((32'(router) * PerColumn) >> 16);
  endfunction
  function automatic logic [R-1:0] column(input logic [R-1:0] router);
    column = R'(32'(router) - 32'(row(router)) * Columns);
  endfunction

  // Local port on the way to another router of the group: along the row first. `copy`: of the links along the column.
  function automatic logic [PortWidth-1:0] local_port(input logic [R-1:0] from, input logic [R-1:0] to,
                                                      input logic [C-1:0] copy);
    if (Columns == NumRouters) begin
      local_port = PortWidth'(to) - PortWidth'(to < from ? 0 : 1);
    end else if (column(from) != column(to)) begin
      local_port = PortWidth'(column(to)) - PortWidth'(column(to) < column(from) ? 0 : 1);
    end else begin
      local_port = PortWidth'(row(to)) - PortWidth'(row(to) < row(from) ? 0 : 1);
      local_port = PortWidth'(RowPorts) + local_port * PortWidth'(ColumnLinks) + PortWidth'(copy);
    end
  endfunction

  function automatic logic [2:0] local_hops(input logic [R-1:0] from, input logic [R-1:0] to);
    if (Columns == NumRouters) local_hops = from != to ? 3'd1 : 3'd0;
    else local_hops = 3'(column(from) != column(to)) + 3'(row(from) != row(to));
  endfunction

  // Port on the way to the gateway `leave`, and over its link.
  function automatic logic [PortWidth-1:0] first_port(input logic [R-1:0] from, input logic [R-1:0] leave,
                                                      input logic [PortWidth-1:0] number, input logic [C-1:0] copy);
    first_port = leave == from ? PortWidth'(LocalPorts) + number : local_port(from, leave, copy);
  endfunction

  // Links: the routers at the ends of every link of a path ---------------------------------------------------------
  typedef struct packed {
    logic         valid, choice;
    logic [R-1:0] near_router, to_router;
    logic [G-1:0] to_group;
    logic [31:0]  stamp;
  } ends_t;

  localparam int unsigned EndsWidth = 2 + 2 * R + G + 32;

  ends_t ends_d, ends;
  logic [NumMinimal*8-1:0] min_link;
  logic [NumMinimal*R-1:0] min_leave, min_enter;
  logic [NumMinimal*PortWidth-1:0] min_slot;
  logic [NumNonminimal*8-1:0] non_link;
  logic [NumNonminimal*R-1:0] non_leave, non_enter, non_via, non_second, non_last;
  logic [NumNonminimal*PortWidth-1:0] non_slot;
  logic [NumNonminimal*G-1:0] non_group;

  assign ends_d = {valid_i, choice_i, near_i, to_router_i, to_group_i, stamp_i};
  hw_pipe_register #(.Width(EndsWidth), .Registered(LinksRegistered)) u_ends (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(ends_d), .data_o(ends)
  );

  logic [NumMinimal*C-1:0] min_copy;
  logic [NumNonminimal*C-1:0] non_copy;
  hw_pipe_register #(.Width((NumMinimal + NumNonminimal) * C), .Registered(LinksRegistered && ColumnLinks > 1)) u_copies (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({min_copy_i, non_copy_i}), .data_o({min_copy, non_copy})
  );

  hw_dragonfly_links #(
    .NumGroups(NumGroups), .GlobalPorts(GlobalPorts), .Links(Links), .Columns(Columns), .Arrangement(Arrangement),
    .SlotWidth(PortWidth), .NumMinimal(NumMinimal), .NumNonminimal(NumNonminimal), .TakesNonminimal(TakesNonminimal),
    .ThroughRouter(ThroughRouter), .Registered(LinksRegistered)
  ) u_links (
    .clk_i(clk_i), .rst_ni(rst_ni), .here_i(here_i), .group_i(group_i), .valid_i(valid_i), .choice_i(choice_i),
    .free_i(free_i), .to_group_i(to_group_i), .min_start_i(min_start_i), .non_start_i(non_start_i),
    .non_group_i(non_group_i), .non_via_i(non_via_i),
    .min_link_o(min_link), .min_leave_o(min_leave), .min_slot_o(min_slot), .min_enter_o(min_enter),
    .non_link_o(non_link), .non_leave_o(non_leave), .non_slot_o(non_slot), .non_enter_o(non_enter),
    .non_group_o(non_group), .non_via_o(non_via), .non_second_o(non_second), .non_last_o(non_last)
  );

  // Ports, hops and queues -----------------------------------------------------------------------------------------
  localparam int unsigned MinWidth = 1 + NumMinimal * (PortWidth + 3 + QueueWidth + SumWidth);
  localparam int unsigned NonWidth = NumNonminimal * (PortWidth + 4 + SumWidth + G + R);

  logic own_link;
  logic [PortWidth-1:0] near_port;
  logic [NumMinimal*PortWidth-1:0] min_port;
  logic [NumMinimal*3-1:0] min_hops;
  logic [NumMinimal*QueueWidth-1:0] min_first;
  logic [NumMinimal*SumWidth-1:0] min_queue;
  logic [NumNonminimal*PortWidth-1:0] non_port;
  logic [NumNonminimal*4-1:0] non_hops;
  logic [NumNonminimal*SumWidth-1:0] non_queue;

  assign near_port = local_port(here_i, ends.near_router, min_copy[0+:C]);

  always_comb begin
    own_link = 1'b0;
    min_port = '0;
    min_hops = '0;
    non_port = '0;
    non_hops = '0;
    if (ends.valid) begin
      for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
        own_link = own_link || min_leave[i*R+:R] == here_i;
        min_port[i*PortWidth+:PortWidth] = first_port(here_i, min_leave[i*R+:R], min_slot[i*PortWidth+:PortWidth],
                                                      min_copy[i*C+:C]);
        if (ends.choice) begin
          min_hops[i*3+:3] = local_hops(here_i, min_leave[i*R+:R]) + 3'd1 + local_hops(min_enter[i*R+:R], ends.to_router);
        end
      end
    end
    if (TakesNonminimal && ends.choice) begin
      for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
        non_port[i*PortWidth+:PortWidth] = first_port(here_i, non_leave[i*R+:R], non_slot[i*PortWidth+:PortWidth],
                                                      non_copy[i*C+:C]);
        non_hops[i*4+:4] = 4'(local_hops(here_i, non_leave[i*R+:R])) + 4'd2
            + 4'(local_hops(non_enter[i*R+:R], non_via[i*R+:R])) + 4'(local_hops(non_via[i*R+:R], non_second[i*R+:R]))
            + 4'(local_hops(non_last[i*R+:R], ends.to_router));
      end
    end
  end

  always_comb begin
    min_first = '0;
    for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
      if (TakesNonminimal && ends.choice) begin
        min_first[i*QueueWidth+:QueueWidth] = queue_i[32'(min_port[i*PortWidth+:PortWidth])*QueueWidth+:QueueWidth];
      end
    end
  end

  if (Oracle) begin : gen_oracle
    for (genvar i = 0; i < NumMinimal; i = i + 1) begin : gen_minimal
      hw_sim_global_queues #(.Width(SumWidth), .NumRouters(NumRouters), .NumberBits(R), .RouterBits(G + R)) u_queues (
        .valid_i(ends.choice), .stamp_i(ends.stamp), .from_i({group_i, here_i}), .via_i({ends.to_group, ends.to_router}),
        .to_i({ends.to_group, ends.to_router}), .link_i(min_link[i*8+:8]), .queue_o(min_queue[i*SumWidth+:SumWidth])
      );
    end
    for (genvar i = 0; i < NumNonminimal; i = i + 1) begin : gen_nonminimal
      hw_sim_global_queues #(.Width(SumWidth), .NumRouters(NumRouters), .NumberBits(R), .RouterBits(G + R)) u_queues (
        .valid_i(ends.choice), .stamp_i(ends.stamp), .from_i({group_i, here_i}), .via_i({non_group[i*G+:G], non_via[i*R+:R]}),
        .to_i({ends.to_group, ends.to_router}), .link_i(non_link[i*8+:8]), .queue_o(non_queue[i*SumWidth+:SumWidth])
      );
    end
  end else if (OwnVcs) begin : gen_own
    logic [QueueWidth-1:0] of_min, of_non;
    always_comb begin
      of_min = min_first;
      of_non = queue_i[32'(non_port)*QueueWidth+:QueueWidth];
      if (min_port == non_port) begin
        of_min = min_used_i[32'(min_port)*QueueWidth+:QueueWidth];
        of_non = non_used_i[32'(min_port)*QueueWidth+:QueueWidth];
      end
      min_queue = ends.choice ? SumWidth'(of_min) : '0;
      non_queue = ends.choice ? SumWidth'(of_non) : '0;
    end
    wire unused_oracle = &{1'b0, ends.stamp, ends.to_group, min_link, non_link};
  end else begin : gen_queues
    always_comb begin
      min_queue = '0;
      non_queue = '0;
      if (TakesNonminimal && ends.choice) begin
        for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
          min_queue[i*SumWidth+:SumWidth] = SumWidth'(min_first[i*QueueWidth+:QueueWidth]);
        end
        for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
          non_queue[i*SumWidth+:SumWidth] = SumWidth'(queue_i[32'(non_port[i*PortWidth+:PortWidth])*QueueWidth+:QueueWidth]);
        end
      end
    end
    wire unused_oracle = &{1'b0, ends.stamp, ends.to_group, min_link, non_link};
  end

  wire unused_used = &{1'b0, min_used_i, non_used_i};

  hw_pipe_register #(.Width(PortWidth), .Registered(PortsRegistered)) u_near (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i(near_port), .data_o(near_port_o)
  );
  hw_pipe_register #(.Width(MinWidth), .Registered(PortsRegistered)) u_min_paths (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({own_link, min_port, min_hops, min_first, min_queue}),
    .data_o({own_link_o, min_port_o, min_hops_o, min_first_o, min_queue_o})
  );
  hw_pipe_register #(.Width(NonWidth), .Registered(PortsRegistered)) u_non_paths (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({non_port, non_hops, non_queue, non_group, non_via}),
    .data_o({non_port_o, non_hops_o, non_queue_o, non_group_o, non_via_o})
  );

endmodule

`default_nettype wire
