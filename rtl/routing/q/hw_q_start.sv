// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The values that a Q-table starts from, on a torus or a dragonfly: hw_q_start_torus or
// hw_q_start_dragonfly; and the network ports that lead to a router.
//
// Combinational: row_i -> values_o. Times are in units of the table's fraction.
// Reference: see these.
module hw_q_start #(
  parameter int unsigned NumNetworkPorts = 0,
  parameter int unsigned NumCoords = 0,
  parameter int unsigned CoordWidth = 0,
  parameter int unsigned NumRows = 0,
  parameter int unsigned ValueBits = 0,
  parameter bit Optimistic = 1'b0,
  parameter bit Dragonfly = 1'b0,                // else a torus
  // Of a torus
  parameter bit [NumCoords*8-1:0] DimSizes = '0,
  parameter bit [NumCoords*8-1:0] DstBits = '0,
  parameter bit [NumCoords*32-1:0] HopTimes = '0,
  // Of a dragonfly
  parameter int unsigned NumRouters = 0,
  parameter int unsigned NumGroups = 0,
  parameter int unsigned GlobalPorts = 0,
  parameter int unsigned Terminals = 1,
  parameter logic [1:0] Arrangement = hw_dragonfly_pkg::Absolute,
  parameter bit TwoLevel = 1'b1,
  parameter int unsigned LocalTime = 0,
  parameter int unsigned GlobalTime = 0,
  localparam int unsigned RowBits = NumRows > 1 ? $clog2(NumRows) : 1
) (
  input  wire logic [NumCoords*CoordWidth-1:0]       coord_i,     // static
  input  wire logic [RowBits-1:0]                    row_i,
  output logic [NumNetworkPorts*ValueBits-1:0]       values_o,
  output logic [NumNetworkPorts-1:0]                 connected_o  // does not depend on row_i
);

  localparam int unsigned Links = Dragonfly ? NumRouters - 1 + GlobalPorts : 2 * NumCoords;
  if (NumNetworkPorts != Links) begin : gen_bad_ports
    $error("hw_q_start: NumNetworkPorts does not fit the topology");
  end

  if (Dragonfly) begin : gen_dragonfly
    hw_q_start_dragonfly #(
      .CoordWidth(CoordWidth), .NumRouters(NumRouters), .NumGroups(NumGroups),
      .GlobalPorts(GlobalPorts), .Terminals(Terminals), .Arrangement(Arrangement),
      .TwoLevel(TwoLevel), .Optimistic(Optimistic), .LocalTime(LocalTime),
      .GlobalTime(GlobalTime), .NumRows(NumRows), .ValueBits(ValueBits)
    ) u_start (
      .coord_i(coord_i), .row_i(row_i), .values_o(values_o), .connected_o(connected_o)
    );
  end else begin : gen_torus
    hw_q_start_torus #(
      .NumDims(NumCoords), .CoordWidth(CoordWidth), .DimSizes(DimSizes), .DstBits(DstBits),
      .Optimistic(Optimistic), .HopTimes(HopTimes), .NumRows(NumRows), .ValueBits(ValueBits)
    ) u_start (
      .coord_i(coord_i), .row_i(row_i), .values_o(values_o)
    );
    assign connected_o = '1;
  end

endmodule

`default_nettype wire
