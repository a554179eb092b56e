// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_head_reservation, whatever else waits: a head that comes to the last VC of the last input port and stays has its output
// VC reserved for Cycles / 2 - 1 cycles on end before NumPorts * NumVcs * (Cycles + 1) + 1 cycles are over; its own input port may take the VC,
// the others may not. No reservation lasts longer than that, and without heads none begins.
module prove_head_reservation #(
  parameter int unsigned Cycles = 0
) (
  input wire logic       clk_i,
  input wire logic       stays_i,               // the head is there, and does not leave
  input wire logic [1:0] to_i,                  // VC of output port 1 that it waits for, and another one
  input wire logic [7:0] awaits_i,              // of other heads
  input wire logic [3:0] room_i
);

  localparam int unsigned Bound = 4 * (Cycles + 1) + 1;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic look_vc, at_rest, busy;
  assign busy = stays_i || awaits_i != '0;
  logic [1:0] to_q;
  logic [7:0] awaits, reserved;
  always_comb begin
    awaits = awaits_i;
    if (look_vc) awaits[7:4] = stays_i ? {to_q, 2'b00} : 4'b0000;
  end

  hw_head_reservation #(.NumPorts(2), .NumVcs(2), .Cycles(Cycles)) u_reservation (
    .clk_i, .rst_ni, .busy_i(busy), .look_vc_o(look_vc), .awaits_i(awaits), .room_i, .reserved_o(reserved),
    .at_rest_o(at_rest)
  );

  logic [1:0] first;                            // what it waits for first
  logic mine, served_q;
  assign first = to_q[0] ? 2'b01 : 2'b10;
  assign mine = stays_i && (reserved[3:2] & first) != '0 && reserved[7:4] == '0;
  logic [7:0] age_q, run_q, any_q;
  logic [2:0] empty_q;
  logic [1:0] room_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !stays_i) begin
      to_q <= to_i == '0 ? 2'b10 : to_i;
      {age_q, run_q, served_q} <= '0;
    end else begin
      age_q <= age_q + 8'(age_q != '1);
      run_q <= mine ? run_q + 8'd1 : 8'd0;
      served_q <= served_q || (mine && 32'(run_q) == Cycles / 2 - 2);
    end
    room_q <= room_i[1:0];
    any_q <= rst_ni && reserved != '0 ? any_q + 8'(any_q != '1) : 8'd0;
    empty_q <= rst_ni && !stays_i && awaits_i == '0 ? (empty_q == '1 ? '1 : empty_q + 3'd1) : '0;
  end

  always @(posedge clk_i) begin
    // A candidate is of one output port.
    assume ((awaits_i[1:0] == '0 || awaits_i[3:2] == '0) && (awaits_i[5:4] == '0 || awaits_i[7:6] == '0));
    if (rst_ni) begin
      a_served: assert (served_q || 32'(age_q) < Bound);
      a_no_longer: assert (32'(any_q) < Cycles / 2);
      a_none_for_none: assert (empty_q < 3'd3 || (reserved == '0 && at_rest));
      a_port_with_room_alone: assert (reserved[1:0] != 2'b11 || room_q != '0);
      cover (32'(age_q) == Bound - 2 && !served_q);
      cover (served_q);
    end
  end

endmodule

`default_nettype wire
