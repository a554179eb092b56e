// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_dragonfly_links, for every place in the network, every question and whatever is drawn: nothing is answered that
// is not asked for; the links that are taken exist and lead to the group that was asked
// for; a router that has a link of its own takes it.
module prove_dragonfly_links #(
  parameter int unsigned NumGroups = 0,
  parameter int unsigned GlobalPorts = 0,
  parameter int unsigned Links = 1,
  parameter int unsigned Routers = 0,          // of a group
  parameter int unsigned Columns = 0,
  parameter int unsigned Arrangement = 0,
  localparam int unsigned G = hw_dragonfly_pkg::GroupBits,
  localparam int unsigned R = 7,
  localparam int unsigned SlotWidth = GlobalPorts > 1 ? $clog2(GlobalPorts) : 1
) (
  input wire logic          clk_i,
  input wire logic          valid_i,
  input wire logic          choice_i,
  input wire logic          free_i,
  input wire logic [R-1:0]  here_i,
  input wire logic [G-1:0]  group_i,
  input wire logic [G-1:0]  to_group_i,
  input wire logic [G-1:0]  non_group_i,
  input wire logic [R-1:0]  non_via_i,
  input wire logic [7:0]    min_start_i,
  input wire logic [7:0]    non_start_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [7:0] min_link_o, non_link_o;
  logic [R-1:0] min_leave_o, min_enter_o, non_leave_o, non_enter_o, non_via_o, non_second_o, non_last_o;
  logic [SlotWidth-1:0] min_slot_o, non_slot_o;
  logic [G-1:0] non_group_o;
  hw_dragonfly_links #(
    .NumGroups(NumGroups), .GlobalPorts(GlobalPorts), .Links(Links), .Columns(Columns), .Arrangement(2'(Arrangement)),
    .SlotWidth(SlotWidth), .TakesNonminimal(1'b1)
  ) u_dut (
    .clk_i, .rst_ni, .valid_i, .choice_i, .free_i, .here_i, .group_i, .to_group_i, .min_start_i, .non_start_i, .non_group_i,
    .non_via_i, .min_link_o, .min_leave_o, .min_slot_o, .min_enter_o, .non_link_o, .non_leave_o, .non_slot_o, .non_enter_o,
    .non_group_o, .non_via_o, .non_second_o, .non_last_o
  );

  // The group behind a global port of this group, which has link `copy` to it: the inverse of what the module computes.
  function automatic logic [G-1:0] behind(input logic [R-1:0] router, input logic [SlotWidth-1:0] slot, input logic [7:0] copy);
    behind = hw_dragonfly_pkg::group_at(2'(Arrangement), G'(NumGroups), group_i,
                                        G'(32'(router) * GlobalPorts + 32'(slot) - 32'(copy) * (NumGroups - 1)));
  endfunction

  logic own;                                   // this router has a link to that group
  logic [31:0] first;                          // number of the first global port that has that copy
  always_comb begin
    own = 1'b0;
    for (int unsigned copy = 0; copy < Links; copy = copy + 1) begin
      for (int unsigned s = 0; s < GlobalPorts; s = s + 1) begin
        first = copy * (NumGroups - 1);
        if (32'(here_i) * GlobalPorts + s >= first && 32'(here_i) * GlobalPorts + s < first + NumGroups - 1
            && behind(here_i, SlotWidth'(s), 8'(copy)) == to_group_i) own = 1'b1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      m_here: assume (32'(here_i) < Routers && 32'(non_via_i) < Routers);
      m_groups: assume (32'(group_i) < NumGroups && 32'(to_group_i) < NumGroups && 32'(non_group_i) < NumGroups);
      m_ways: assume (group_i != to_group_i && non_group_i != group_i && non_group_i != to_group_i);
      m_draws: assume (32'(min_start_i) < Links && 32'(non_start_i) < Links);
      a_minimal_only_if_asked: assert (valid_i || {min_link_o, min_leave_o, min_slot_o, min_enter_o} == '0);
      a_nonminimal_only_if_asked: assert (choice_i || {non_link_o, non_leave_o, non_slot_o, non_enter_o, non_group_o, non_via_o,
                                                       non_second_o, non_last_o, min_enter_o} == '0);
      a_link_exists: assert (32'(min_link_o) < Links && 32'(min_leave_o) < Routers && 32'(min_slot_o) < GlobalPorts
                             && 32'(non_link_o) < Links && 32'(non_leave_o) < Routers && 32'(non_slot_o) < GlobalPorts);
      a_minimal_leads_there: assert (!valid_i || behind(min_leave_o, min_slot_o, min_link_o) == to_group_i);
      a_own_link_goes_first: assert (!(valid_i && own) || min_leave_o == here_i);
      a_nonminimal_leads_there: assert (!choice_i || behind(non_leave_o, non_slot_o, non_link_o) == non_group_o);
      c_own: cover (valid_i && min_leave_o == here_i);
      c_other: cover (valid_i && min_leave_o != here_i);
    end
  end

endmodule

`default_nettype wire
