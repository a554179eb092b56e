// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The queue length of one output port, over all its VCs, for adaptive routing.
//
//   QueueMetric            queue_o counts the flits that
//   0 NoMetric             nothing: queue_o is 0, no hardware
//   1 LocalQueue           crossed into the output queue and have not entered the link
//   2 UsedCredits          entered the link and whose credit has not come back
//   3 Both                 crossed and whose credit has not come back: 1 + 2, BookSim's used credits, which takes a credit
//                          when a flit crosses
//   4 InFlightCorrected    3 without the flits that entered the link in the last FlightCycles cycles, never negative: with
//                          two link latencies, what stands in queues and not on wires
//
// Flits count when they move, not when their head reserves room, so the value is exact for any packet length.
//
// Latency: what happens in cycle t is in queue_o in cycle t+1; a flit sent in t is in flight in t+1 to t+FlightCycles.
// Throughput: one flit in, one flit out and one credit per cycle.
// Combinational paths: none; every output is a register or derived from registers only.
// Assumes: a flit is sent in or after the cycle in which it crosses, and its credit comes after that.
// Guarantees: while at_rest_o is high and no input is, nothing changes.
// Reference: Singh, Load-balanced routing in interconnection networks (Stanford 2005; UGAL compares queue lengths); Won
// et al., Overcoming far-end congestion in large-scale networks (HPCA 2015; InFlightCorrected).
module hw_queue_meter #(
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // of the downstream buffers
  parameter int unsigned QueueFlits = 0,                 // of each VC's output queue; 0: there is none
  parameter int unsigned QueueMetric = hw_router_pkg::NoMetric,
  parameter int unsigned FlightCycles = 0,               // InFlightCorrected: two link latencies; 0: nothing is in flight
  parameter int unsigned QueueWidth = 1                  // holds the largest value
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  // Flits and credits, of any VC
  input  wire logic                   enter_i,           // a flit crosses into the output unit
  input  wire logic                   send_i,            // a flit enters the link
  input  wire logic                   credit_i,          // a credit comes back
  // Status
  output logic [QueueWidth-1:0]       queue_o,
  output logic                        at_rest_o          // no flit is in flight
);

  function automatic int unsigned max_queue(input int unsigned metric);
    max_queue = metric == hw_router_pkg::UsedCredits ? 0 : NumVcs * QueueFlits;
    for (int unsigned i = 0; i < NumVcs; i = i + 1) begin
      if (metric != hw_router_pkg::LocalQueue) max_queue = max_queue + 32'(VcDepths[i*16+:16]);
    end
  endfunction

  if (NumVcs == 0 || QueueWidth == 0) begin : gen_bad_size
    $error("hw_queue_meter: NumVcs and QueueWidth must be set");
  end
  if (QueueMetric > hw_router_pkg::InFlightCorrected) begin : gen_bad_metric
    $error("hw_queue_meter: QueueMetric must be one of hw_router_pkg");
  end
  if (QueueMetric != hw_router_pkg::NoMetric && QueueWidth < $clog2(max_queue(QueueMetric) + 1)) begin : gen_bad_width
    $error("hw_queue_meter: QueueWidth must hold the port's queues and downstream buffers");
  end

  if (QueueMetric == hw_router_pkg::NoMetric) begin : gen_none
    assign queue_o = '0;
    assign at_rest_o = 1'b1;
    wire unused_none = &{1'b0, clk_i, rst_ni, enter_i, send_i, credit_i};
  end else if (QueueMetric != hw_router_pkg::InFlightCorrected || FlightCycles == 0) begin : gen_plain
    logic [QueueWidth-1:0] queue_q;
    logic up, down;
    assign up = QueueMetric == hw_router_pkg::UsedCredits ? send_i : enter_i;
    assign down = QueueMetric == hw_router_pkg::LocalQueue ? send_i : credit_i;
    assign at_rest_o = 1'b1;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) queue_q <= '0;
      else if (up != down) queue_q <= up ? queue_q + QueueWidth'(1) : queue_q - QueueWidth'(1);
    end
    assign queue_o = queue_q;

    wire unused_plain = &{1'b0, enter_i, send_i, credit_i};

    `HW_ASSUME(a_only_what_came_leaves, up || !down || queue_q != '0)
  end else begin : gen_corrected
    // One signed count is both: up when a flit crosses, down when it enters the link, up again when it has had the time
    // of the round trip, down with its credit. A credit that is faster than the round trip makes it negative.
    localparam int unsigned FlightWidth = $clog2(FlightCycles + 1);
    localparam int unsigned CountWidth = (QueueWidth > FlightWidth ? QueueWidth : FlightWidth) + 1;

    logic [FlightCycles-1:0] flight_q;  // bit i: a flit entered the link i + 1 cycles ago
    logic [CountWidth-1:0] count_q;
    logic landed;
    assign landed = flight_q[FlightCycles-1];
    assign at_rest_o = flight_q == '0;
    assign queue_o = count_q[CountWidth-1] ? '0 : count_q[QueueWidth-1:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        flight_q <= '0;
        count_q <= '0;
      end else begin
        flight_q <= FlightCycles'({flight_q, send_i});
        count_q <= count_q + CountWidth'(enter_i) - CountWidth'(send_i) + CountWidth'(landed) - CountWidth'(credit_i);
      end
    end

    `HW_ASSUME(a_only_what_came_leaves, $signed(count_q) >= -$signed(CountWidth'(FlightCycles)))
    `HW_COVER(c_faster_than_the_round_trip, count_q[CountWidth-1])
  end

endmodule

`default_nettype wire
