// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Lets flits enter a link that is slower than the core: one flit each Num/Den core cycles, exactly
// in the long run.
//
// With IdleWait a flit that finds the link at rest waits for one flit time first, as if the link took it only when it is whole;
// a flit that comes while another waits or is sent follows it as always.
//
// Latency: from rest, if a flit is sent in cycle c and one is always waiting, the next ones are
//   sent in the cycles c + ceil(k * Num / Den), k = 1, 2, ... A flit that finds the link at rest is
//   never delayed; with IdleWait, if it waits from cycle w on, it is sent in cycle w + ceil(Num / Den) at the earliest.
// Throughput: Den flits in Num cycles; nothing is saved up while the link idles.
// Combinational paths: none; ready_o and at_rest_o come from a register alone.
// Assumes: send_i only with ready_o; Num >= Den >= 1.
// Guarantees: while at_rest_o is high and send_i low nothing changes, so the cycle may be skipped.
//   With Num == Den there is no state, and ready_o and at_rest_o are constant 1.
// Reference: Dally & Towles, Principles and Practices of Interconnection Networks, section 17.2
//   (switch speedup).
module hw_link_pacer #(
  parameter int unsigned Num = 0,
  parameter int unsigned Den = 0,
  parameter bit IdleWait = 1'b0
) (
  input  wire logic  clk_i,
  input  wire logic  rst_ni,

  input  wire logic  want_i,    // a flit waits, whether or not it may be sent; IdleWait only
  input  wire logic  send_i,    // a flit is sent in this cycle
  output logic       ready_o,   // a flit may be sent in this cycle
  output logic       at_rest_o  // no phase is left over from earlier flits
);

  if (Num == 0 || Den == 0 || Num < Den) begin : gen_bad_rate
    $error("hw_link_pacer: Num/Den is core cycles per flit and must be at least 1/1");
  end

  if (IdleWait) begin : gen_idle_wait
    localparam int unsigned DebtBits = $clog2(Num + 1) + 1;
    localparam logic signed [DebtBits-1:0] PerFlit = DebtBits'(Num);
    localparam logic signed [DebtBits-1:0] PerCycle = DebtBits'(Den);

    logic signed [DebtBits-1:0] debt_d, debt_q;
    logic started_q, started_d;  // the flit time of the flit that goes next is running
    logic over;

    assign over = debt_q[DebtBits-1] || (debt_q == '0);
    assign ready_o = started_q && over;
    assign at_rest_o = !started_q;

    always_comb begin
      debt_d = debt_q;
      started_d = want_i;
      if (send_i) debt_d = debt_q + (PerFlit - PerCycle);
      else if (!want_i) debt_d = '0;
      else if (!started_q) debt_d = PerFlit - PerCycle;
      else if (!over) debt_d = debt_q - PerCycle;
      if (send_i) started_d = 1'b1;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        debt_q <= '0;
        started_q <= 1'b0;
      end else begin
        debt_q <= debt_d;
        started_q <= started_d;
      end
    end

    `HW_ASSUME(a_send_only_when_ready, !send_i || ready_o)
  end else if (Num == Den) begin : gen_every_cycle
    assign ready_o = 1'b1;
    assign at_rest_o = 1'b1;
    wire unused_every_cycle = &{1'b0, clk_i, rst_ni, send_i, want_i};
  end else begin : gen_paced
    // Debt of the link in units of 1/Den core cycle: positive while the last flit still occupies
    // the wires; zero or negative when free, negative by the fraction of a cycle that the next flit
    // may start early.
    localparam int unsigned DebtBits = $clog2(Num + 1) + 1;
    localparam logic signed [DebtBits-1:0] PerFlit = DebtBits'(Num);
    localparam logic signed [DebtBits-1:0] PerCycle = DebtBits'(Den);

    logic signed [DebtBits-1:0] debt_d, debt_q;
    logic free;

    assign free = debt_q[DebtBits-1] || (debt_q == '0);
    assign ready_o = free;
    assign at_rest_o = (debt_q == '0);

    always_comb begin
      debt_d = '0;
      if (send_i) debt_d = debt_q + (PerFlit - PerCycle);
      else if (!free) debt_d = debt_q - PerCycle;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) debt_q <= '0;
      else debt_q <= debt_d;
    end

    `HW_ASSUME(a_send_only_when_ready, !send_i || ready_o)
    wire unused_want = &{1'b0, want_i};

    `HW_COVER(c_early_start, send_i && debt_q[DebtBits-1])
  end

endmodule

`default_nettype wire
