// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The contention that a dragonfly's router sees: hw_contention_counters over the questions of its
// input ports, and the factor of each terminal's destination group.
//
// Observed are packets of the group's own routers on their way to other groups, seen once each,
// when they ask for a route: over links when they arrive, from terminals when they are next. Rows:
// this router's terminals, then the other routers of the group, each over the local link from it;
// what comes over that link from another router is not counted.
//
// Latency: count_o combinational from req_*; a question counts from the next cycle on; csr_* a
// cycle. Throughput: all ports in every cycle. Without a question nothing changes once at_rest_o is
// high.
// Assumes: a fully connected group: local port r leads to the r-th of its other routers.
// Reference: Chaulagain & Yuan, ICS 2024, section 4.2.
module hw_ugal_contention #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumNetworkPorts = 0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned NumRouters = 0,         // of a group
  parameter int unsigned NumGroups = 0,
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SrcGroupLsb = 0,
  localparam int unsigned GroupWidth = NumGroups > 1 ? $clog2(NumGroups) : 1,
  localparam int unsigned CountWidth = $clog2(NumRouters + 1)
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,
  input  wire logic [GroupWidth-1:0]           group_i,       // static: this router's
  // Configuration: see hw_contention_counters
  input  wire logic [3:0]                      threshold_i,
  input  wire logic [15:0]                     window_i,
  input  wire logic [1:0]                      mode_i,
  // Questions; the factor that belongs to each, 0 at network ports
  input  wire logic [NumPorts-1:0]             req_valid_i,
  input  wire logic [NumPorts*RouteBits-1:0]   req_bits_i,
  output logic [NumPorts*CountWidth-1:0]       count_o,
  // CSR: see hw_contention_counters
  input  wire logic                            csr_valid_i,
  input  wire logic [GroupWidth-1:0]           csr_group_i,
  output logic [NumRouters-1:0]                csr_active_o,
  output logic [CountWidth-1:0]                csr_count_o,
  output logic                                 at_rest_o
);

  localparam int unsigned Terminals = NumPorts - NumNetworkPorts;
  localparam int unsigned Rows = Terminals + NumRouters - 1;

  if (NumPorts <= NumNetworkPorts || NumNetworkPorts < NumRouters) begin : gen_bad_ports
    $error("hw_ugal_contention: there must be terminals and global ports");
  end

  // The input port of a row.
  function automatic int unsigned port_of(input int unsigned row);
    port_of = row < Terminals ? NumNetworkPorts + row : row - Terminals;
  endfunction

  logic [Rows-1:0] observed;
  logic [Rows*GroupWidth-1:0] observed_group;
  logic [GroupWidth-1:0] to, from;
  logic [Terminals*CountWidth-1:0] count;

  always_comb begin
    observed = '0;
    observed_group = '0;
    to = '0;
    from = '0;
    if (req_valid_i != '0) begin
      for (int unsigned r = 0; r < Rows; r = r + 1) begin
        to = req_bits_i[port_of(r)*RouteBits+DstGroupLsb+:GroupWidth];
        from = req_bits_i[port_of(r)*RouteBits+SrcGroupLsb+:GroupWidth];
        observed[r] = req_valid_i[port_of(r)] && to != group_i
            && (r < Terminals || from == group_i);
        observed_group[r*GroupWidth+:GroupWidth] = to;
      end
    end
  end

  hw_contention_counters #(
    .NumRouters(NumRouters), .OwnRows(Terminals), .NumGroups(NumGroups), .NumLookups(Terminals)
  ) u_counters (
    .clk_i(clk_i), .rst_ni(rst_ni), .threshold_i(threshold_i), .window_i(window_i),
    .mode_i(mode_i), .obs_valid_i(observed), .obs_group_i(observed_group),
    .look_valid_i(observed[Terminals-1:0]),
    .look_group_i(observed_group[Terminals*GroupWidth-1:0]), .look_count_o(count),
    .csr_valid_i(csr_valid_i), .csr_group_i(csr_group_i),
    .csr_active_o(csr_active_o), .csr_count_o(csr_count_o), .at_rest_o(at_rest_o)
  );

  assign count_o = {count, {(NumNetworkPorts*CountWidth){1'b0}}};

  wire unused = &{1'b0, req_bits_i, req_valid_i};

endmodule

`default_nettype wire
