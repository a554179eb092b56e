// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Which links the paths of hw_dragonfly_paths take between groups, and the routers at their ends.
//
// A router with a link of its own to the group that a path goes to takes that link; otherwise the drawn one of the Links links,
// or the next that lies ahead: within a group a way goes along the row, then along the column.
//
// Latency: one cycle with Registered, else 0; throughput: one question per cycle.
// Combinational paths: none with Registered, else all inputs -> all outputs.
// Guarantees: without valid_i or choice_i what is not asked for is 0.
// Reference: Kim et al. 2008 (dragonfly); relation `dragonfly` (gen/routing/dragonfly.cpp).
module hw_dragonfly_links #(
  parameter int unsigned NumGroups = 0,                  // g
  parameter int unsigned GlobalPorts = 0,                // h
  parameter int unsigned Links = 1,                      // between two groups
  parameter int unsigned Columns = 0,                    // of a group's routers
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter int unsigned SlotWidth = 0,                  // holds a global port's number
  parameter int unsigned NumMinimal = 1,
  parameter int unsigned NumNonminimal = 1,
  parameter bit TakesNonminimal = 1'b0,
  parameter bit ThroughRouter = 1'b1,                    // intermediate router, else group
  parameter bit Registered = 1'b0,
  localparam int unsigned G = hw_dragonfly_pkg::GroupBits,
  localparam int unsigned R = hw_dragonfly_pkg::RouterBits
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  input  wire logic [R-1:0]                        here_i,         // static: where this router stands
  input  wire logic [G-1:0]                        group_i,
  // Question: see hw_dragonfly_paths
  input  wire logic                                valid_i,
  input  wire logic                                choice_i,       // with non-minimal paths
  input  wire logic                                free_i,         // no local hop lies behind
  input  wire logic [G-1:0]                        to_group_i,
  // What is drawn: links, and routers in groups that are neither this one nor to_group_i
  input  wire logic [NumMinimal*8-1:0]             min_start_i,
  input  wire logic [NumNonminimal*8-1:0]          non_start_i,
  input  wire logic [NumNonminimal*G-1:0]          non_group_i,
  input  wire logic [NumNonminimal*R-1:0]          non_via_i,
  // Minimal paths
  output logic [NumMinimal*8-1:0]                  min_link_o,
  output logic [NumMinimal*R-1:0]                  min_leave_o,    // the router of this group that has the link
  output logic [NumMinimal*SlotWidth-1:0]          min_slot_o,     // among its global ports
  output logic [NumMinimal*R-1:0]                  min_enter_o,    // the router at the link's other end
  // Non-minimal paths
  output logic [NumNonminimal*8-1:0]               non_link_o,
  output logic [NumNonminimal*R-1:0]               non_leave_o,
  output logic [NumNonminimal*SlotWidth-1:0]       non_slot_o,
  output logic [NumNonminimal*R-1:0]               non_enter_o,
  output logic [NumNonminimal*G-1:0]               non_group_o,    // the intermediate group
  output logic [NumNonminimal*R-1:0]               non_via_o,      // its router from which the way to to_group_i begins
  output logic [NumNonminimal*R-1:0]               non_second_o,   // its router with the link to to_group_i
  output logic [NumNonminimal*R-1:0]               non_last_o      // the router at that link's other end
);

  // Division by a constant: exact for links up to 1024 and routers up to 128.
  localparam int unsigned PerPort = (65536 + GlobalPorts - 1) / GlobalPorts;
  localparam int unsigned PerColumn = (65536 + Columns - 1) / Columns;

  if (NumGroups < 2 || GlobalPorts == 0 || Columns == 0 || SlotWidth == 0) begin : gen_unset
    $error("hw_dragonfly_links: NumGroups, GlobalPorts, Columns and SlotWidth must be set");
  end

  function automatic logic [R-1:0] column_of(input logic [R-1:0] router);
    column_of = R'(32'(router) - ((32'(router) * PerColumn) >> 16) * Columns);
  endfunction

  // Number of the group's global port, over all its routers, of link `copy` between two groups.
  function automatic logic [15:0] link(input logic [G-1:0] from, input logic [G-1:0] to, input logic [7:0] copy);
    link = 16'(32'(copy) * (NumGroups - 1))
         + 16'(hw_dragonfly_pkg::position(Arrangement, G'(NumGroups), from, to));
  endfunction
  function automatic logic [R-1:0] gateway(input logic [15:0] number);
    gateway = R'((32'(number) * PerPort) >> 16);
  endfunction
  // Of the gateway's global ports the one with that link.
  function automatic logic [SlotWidth-1:0] slot(input logic [15:0] number);
    slot = SlotWidth'(32'(number) - 32'(gateway(number)) * GlobalPorts);
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
    for (int unsigned n = 0; n < Links; n = n + 1) begin
      copy = 8'(32'(start) + n < Links ? 32'(start) + n : 32'(start) + n - Links);
      there = gateway(link(group, to, copy));
      if (there == at && !own) begin
        own = 1'b1;
        choose_link = copy;
      end else if (!own && !ahead && (free || column_of(there) == column_of(at))) begin
        ahead = 1'b1;
        choose_link = copy;
      end
    end
  endfunction

  logic [NumMinimal*8-1:0] min_link;
  logic [NumMinimal*R-1:0] min_leave, min_enter;
  logic [NumMinimal*SlotWidth-1:0] min_slot;
  logic [NumNonminimal*8-1:0] non_link;
  logic [NumNonminimal*R-1:0] non_leave, non_enter, non_via, non_second, non_last;
  logic [NumNonminimal*SlotWidth-1:0] non_slot;
  logic [NumNonminimal*G-1:0] non_group;
  logic [15:0] number;
  logic [7:0] pick;
  logic [R-1:0] at;
  logic [G-1:0] through;

  always_comb begin
    min_link = '0;
    min_leave = '0;
    min_slot = '0;
    min_enter = '0;
    non_link = '0;
    non_leave = '0;
    non_slot = '0;
    non_enter = '0;
    non_group = '0;
    non_via = '0;
    non_second = '0;
    non_last = '0;
    number = '0;
    pick = '0;
    at = '0;
    through = '0;
    if (valid_i) begin
      for (int unsigned i = 0; i < NumMinimal; i = i + 1) begin
        pick = choose_link(here_i, group_i, to_group_i, min_start_i[i*8+:8], free_i);
        number = link(group_i, to_group_i, pick);
        min_link[i*8+:8] = pick;
        min_leave[i*R+:R] = gateway(number);
        min_slot[i*SlotWidth+:SlotWidth] = slot(number);
        if (choice_i) min_enter[i*R+:R] = gateway(link(to_group_i, group_i, pick));
      end
    end
    if (TakesNonminimal && choice_i) begin
      non_group = non_group_i;
      for (int unsigned i = 0; i < NumNonminimal; i = i + 1) begin
        through = non_group_i[i*G+:G];
        pick = choose_link(here_i, group_i, through, non_start_i[i*8+:8], 1'b1);
        number = link(group_i, through, pick);
        non_link[i*8+:8] = pick;
        non_leave[i*R+:R] = gateway(number);
        non_slot[i*SlotWidth+:SlotWidth] = slot(number);
        at = gateway(link(through, group_i, pick));
        non_enter[i*R+:R] = at;
        if (ThroughRouter) at = non_via_i[i*R+:R];
        non_via[i*R+:R] = at;
        pick = choose_link(at, through, to_group_i, '0, 1'b1);
        non_second[i*R+:R] = gateway(link(through, to_group_i, pick));
        non_last[i*R+:R] = gateway(link(to_group_i, through, pick));
      end
    end
  end

  hw_pipe_register #(.Width(NumMinimal * (8 + 2 * R + SlotWidth)), .Registered(Registered)) u_minimal (
    .clk_i(clk_i), .rst_ni(rst_ni), .data_i({min_link, min_leave, min_slot, min_enter}),
    .data_o({min_link_o, min_leave_o, min_slot_o, min_enter_o})
  );
  hw_pipe_register #(.Width(NumNonminimal * (8 + 5 * R + SlotWidth + G)), .Registered(Registered)) u_nonminimal (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .data_i({non_link, non_leave, non_slot, non_enter, non_group, non_via, non_second, non_last}),
    .data_o({non_link_o, non_leave_o, non_slot_o, non_enter_o, non_group_o, non_via_o, non_second_o, non_last_o})
  );

endmodule

`default_nettype wire
