// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What the Q-table of a dragonfly's router holds before it has learned: for every port the time without other traffic from
// this router's input buffer, through that port and minimally on, to where the value ends: the first router of the
// destination group (TwoLevel), or the destination router. Infinity where a port is not connected.
//
// With Optimistic, as the paper's authors have it: the global link where it leads to the destination group, else the
// global and a local link, whatever the port. All but the direct port then look better than they are and are tried.
//
// Combinational: row_i -> values_o. Times are in units of the table's fraction.
// Reference: Kang, Wang & Lan, HPDC 2021, section 4 (theoretical packet delivery time without congestion).
module hw_q_start_dragonfly #(
  parameter int unsigned CoordWidth = 0,                  // of a coordinate in coord_i: {group, router}
  parameter int unsigned NumRouters = 0,                  // a
  parameter int unsigned NumGroups = 0,                   // g
  parameter int unsigned GlobalPorts = 0,                 // h
  parameter int unsigned Terminals = 1,                   // p
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter bit TwoLevel = 1'b1,
  parameter bit Optimistic = 1'b0,
  parameter int unsigned LocalTime = 0,                   // of a hop: router and link
  parameter int unsigned GlobalTime = 0,
  parameter int unsigned NumRows = 0,
  parameter int unsigned ValueBits = 0,
  localparam int unsigned NumCols = NumRouters > 0 ? NumRouters - 1 + GlobalPorts : 1,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1
) (
  input  wire logic [2*CoordWidth-1:0]       coord_i,
  input  wire logic [RowBits-1:0]            row_i,
  output logic [NumCols*ValueBits-1:0]       values_o,
  output logic [NumCols-1:0]                 connected_o  // does not depend on row_i
);

  if (NumRouters == 0 || NumGroups == 0 || GlobalPorts == 0 || NumRows == 0 || ValueBits == 0) begin : gen_bad_size
    $error("hw_q_start_dragonfly: NumRouters, NumGroups, GlobalPorts, NumRows and ValueBits must be set");
  end

  localparam int unsigned G = hw_dragonfly_pkg::GroupBits;
  localparam int unsigned R = hw_dragonfly_pkg::RouterBits;
  localparam int unsigned PerRow = TwoLevel ? Terminals : NumRouters;
  localparam int unsigned LocalPorts = NumRouters - 1;
  localparam int unsigned T = ValueBits + 3;              // a sum of up to five hops, none above a value
  localparam logic [T-1:0] Most = {4'd0, {(ValueBits - 1){1'b1}}} << 1;
  localparam logic [T-1:0] LocalHop = 64'(LocalTime) > 64'(Most) ? Most : T'(LocalTime);
  localparam logic [T-1:0] GlobalHop = 64'(GlobalTime) > 64'(Most) ? Most : T'(GlobalTime);

  logic [R-1:0] here, dst, to;
  logic [15:0] number;                                    // of a global port in its group
  logic [G-1:0] group, dst_group, to_group;
  logic [T-1:0] sum;

  // The router of `from` that has the link to another group.
  function automatic logic [R-1:0] gateway(input logic [G-1:0] from, input logic [G-1:0] other);
    gateway = R'(32'(hw_dragonfly_pkg::position(Arrangement, G'(NumGroups), from, other)) / GlobalPorts);
  endfunction

  always_comb begin
    here = R'(coord_i[0+:CoordWidth]);
    group = G'(coord_i[CoordWidth+:CoordWidth]);
    dst_group = G'(32'(row_i) / PerRow);
    dst = R'(32'(row_i) % PerRow);
    values_o = '1;
    connected_o = '0;
    to = '0;
    to_group = '0;
    number = '0;
    sum = '0;
    for (int unsigned c = 0; c < NumCols; c = c + 1) begin
      if (c < LocalPorts) begin
        connected_o[c] = 1'b1;
        to = R'(c) < here ? R'(c) : R'(c + 1);
        to_group = group;
        sum = LocalHop;
      end else begin
        number = 16'(32'(here) * GlobalPorts + c - LocalPorts);
        connected_o[c] = 32'(number) < NumGroups - 1;
        to_group = hw_dragonfly_pkg::group_at(Arrangement, G'(NumGroups), group, G'(number));
        to = gateway(to_group, group);
        sum = GlobalHop;
      end
      // On from router `to` of group `to_group`.
      if (to_group != dst_group) begin
        if (to != gateway(to_group, dst_group)) sum = sum + LocalHop;
        sum = sum + GlobalHop;
        if (!TwoLevel && gateway(dst_group, to_group) != dst) sum = sum + LocalHop;
      end else if (!TwoLevel && to != dst) begin
        sum = sum + LocalHop;
      end
      if (Optimistic) begin
        sum = GlobalHop + LocalHop;
        if (c >= LocalPorts && to_group == dst_group) sum = GlobalHop;
        if (!TwoLevel && dst_group == group) sum = c < LocalPorts ? LocalHop + LocalHop : GlobalHop + GlobalHop;
      end
      if (connected_o[c]) values_o[c*ValueBits+:ValueBits] = sum > Most ? ValueBits'(Most) : ValueBits'(sum);
    end
  end

endmodule

`default_nettype wire
