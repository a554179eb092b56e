// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// 64-bit performance counters of one router, and the elapsed core cycles that they refer to.
//
// Per port: flits in, flits out, packets out, cycles stalled. Per router: the sum over cycles of
// the flits buffered in it. Elapsed cycles are the difference of now_i to its value at the last
// clear, so nothing here counts while the router is idle, and idle cycles may be skipped.
//
// Latency: an event in cycle c is readable in cycle c+1.
// Throughput: one event per port and kind, and one read, per cycle.
// Combinational paths: read_*_i and now_i to read_data_o.
// Assumes: now_i advances by one each cycle (in skipped cycles too), read_port_i < NumPorts.
// Guarantees: frozen counters hold, and so do elapsed cycles; clear_i wins over an event of the
//   same cycle.
module hw_perf_counters #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned OccupancyBits = 0,
  localparam int unsigned PortBits = (NumPorts > 1) ? $clog2(NumPorts) : 1
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,

  // Router
  input  wire logic [63:0]               now_i,
  input  wire logic [NumPorts-1:0]       flit_in_i,
  input  wire logic [NumPorts-1:0]       flit_out_i,
  input  wire logic [NumPorts-1:0]       packet_out_i,
  input  wire logic [NumPorts-1:0]       stall_i,
  input  wire logic [OccupancyBits-1:0]  occupancy_i,

  // Control
  input  wire logic                      clear_i,   // all to zero at the end of this cycle
  input  wire logic                      freeze_i,  // hold from this cycle on

  // Read: kind 0 flits in, 1 flits out, 2 packets out, 3 stalled, of a port; 4 elapsed,
  // 5 occupancy
  input  wire logic                      read_i,
  input  wire logic [2:0]                read_kind_i,
  input  wire logic [PortBits-1:0]       read_port_i,
  output logic [63:0]                    read_data_o
);

  if (NumPorts == 0 || OccupancyBits == 0 || OccupancyBits > 32) begin : gen_bad_parameters
    $error("hw_perf_counters: NumPorts must be at least 1, OccupancyBits 1 to 32");
  end

  logic [63:0] occupancy_q, base_q, stop_q;
  logic frozen_q;
  logic [63:0] port_data [0:NumPorts-1];   // the counter that is read, where it is this port's

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    logic [63:0] flit_in_q, flit_out_q, packet_out_q, stall_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        flit_in_q <= '0;
        flit_out_q <= '0;
        packet_out_q <= '0;
        stall_q <= '0;
      end else if (clear_i) begin
        flit_in_q <= '0;
        flit_out_q <= '0;
        packet_out_q <= '0;
        stall_q <= '0;
      end else if (!freeze_i) begin
        if (flit_in_i[p]) flit_in_q <= flit_in_q + 64'd1;
        if (flit_out_i[p]) flit_out_q <= flit_out_q + 64'd1;
        if (packet_out_i[p]) packet_out_q <= packet_out_q + 64'd1;
        if (stall_i[p]) stall_q <= stall_q + 64'd1;
      end
    end
    always_comb begin
      port_data[p] = '0;
      if (read_i && 32'(read_port_i) == p) begin
        case (read_kind_i)
          3'd0: port_data[p] = flit_in_q;
          3'd1: port_data[p] = flit_out_q;
          3'd2: port_data[p] = packet_out_q;
          default: port_data[p] = stall_q;
        endcase
      end
    end
  end

  // Elapsed = (frozen ? stop : now) - base: the cycles whose events are in the counters. Thawing
  // moves the base by the time spent frozen. The base is zero at reset: time starts with now_i.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      occupancy_q <= '0;
      base_q <= '0;
      stop_q <= '0;
      frozen_q <= 1'b0;
    end else begin
      if (clear_i) begin
        occupancy_q <= '0;
      end else if (!freeze_i && occupancy_i != '0) begin
        occupancy_q <= occupancy_q + 64'(occupancy_i);
      end
      if (clear_i || freeze_i != frozen_q) begin
        frozen_q <= freeze_i;
        if (freeze_i && !frozen_q) stop_q <= now_i;
        if (clear_i && freeze_i) base_q <= frozen_q ? stop_q : now_i;
        else if (clear_i) base_q <= now_i + 64'd1;
        else if (!freeze_i) base_q <= base_q + (now_i - stop_q);
      end
    end
  end

  always_comb begin
    read_data_o = '0;
    if (read_i) begin
      case (read_kind_i)
        3'd0, 3'd1, 3'd2, 3'd3: begin
          for (int unsigned p = 0; p < NumPorts; p = p + 1) read_data_o = read_data_o | port_data[p];
        end
        3'd4: read_data_o = (frozen_q ? stop_q : now_i) - base_q;
        3'd5: read_data_o = occupancy_q;
        default: read_data_o = '0;
      endcase
    end
  end

  `HW_ASSUME(a_read_port_exists, !read_i || read_kind_i > 3'd3 || 32'(read_port_i) < NumPorts)
  `HW_COVER(c_event_at_clear, clear_i && flit_in_i != '0)

endmodule

`default_nettype wire
