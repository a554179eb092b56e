// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_perf_counters, as read through its port: what is frozen holds, elapsed cycles included; a clear wins over the
// events of its cycle; otherwise a counter of a port grows by its event, the occupancy by the flits, elapsed cycles by one.
//
// One counter, chosen freely, is watched all the time; for a number of cycles after reset.
module prove_perf_counters #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned OccupancyBits = 0,
  localparam int unsigned PortBits = NumPorts > 1 ? $clog2(NumPorts) : 1
) (
  input wire logic                      clk_i,
  input wire logic [NumPorts-1:0]       flit_in_i,
  input wire logic [NumPorts-1:0]       flit_out_i,
  input wire logic [NumPorts-1:0]       packet_out_i,
  input wire logic [NumPorts-1:0]       stall_i,
  input wire logic [OccupancyBits-1:0]  occupancy_i,
  input wire logic                      clear_i,
  input wire logic                      freeze_i,
  input wire logic [2:0]                kind_i,         // the counter that is watched
  input wire logic [PortBits-1:0]       port_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [63:0] now_i = '0;
  logic [2:0] kind_q;
  logic [PortBits-1:0] port_q;
  always_ff @(posedge clk_i) begin
    if (rst_ni) now_i <= now_i + 64'd1;
    if (!rst_ni) {kind_q, port_q} <= {kind_i % 3'd6, 32'(port_i) < NumPorts ? port_i : '0};
  end

  logic [63:0] read;
  hw_perf_counters #(.NumPorts(NumPorts), .OccupancyBits(OccupancyBits)) u_dut (
    .clk_i, .rst_ni, .now_i, .flit_in_i, .flit_out_i, .packet_out_i, .stall_i, .occupancy_i, .clear_i, .freeze_i,
    .read_i(1'b1), .read_kind_i(kind_q), .read_port_i(port_q), .read_data_o(read)
  );

  logic [63:0] more;
  always_comb begin
    case (kind_q)
      3'd0: more = 64'(flit_in_i[port_q]);
      3'd1: more = 64'(flit_out_i[port_q]);
      3'd2: more = 64'(packet_out_i[port_q]);
      3'd3: more = 64'(stall_i[port_q]);
      3'd4: more = 64'd1;
      default: more = 64'(occupancy_i);
    endcase
  end

  logic [63:0] expected_q;
  logic cleared_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) expected_q <= '0;
    else if (!freeze_i) expected_q <= expected_q + more;
    cleared_q <= clear_i && more != '0;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      a_watched_exists: assert (kind_q < 3'd6 && 32'(port_q) < NumPorts);
      a_counts: assert (read == expected_q);
      c_cleared: cover (cleared_q);
      c_frozen: cover (freeze_i && expected_q > 64'd2);
    end
  end

endmodule

`default_nettype wire
