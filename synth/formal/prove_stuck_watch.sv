// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_stuck_watch with the hw_vc_watch of one of two input ports, whatever comes and leaves: a VC is reported only if its
// first flit has stayed for Cycles cycles; one that stays is reported after at most 2 Cycles, and again at most Cycles later; and a
// report names its port, its VC and a cause.
module prove_stuck_watch #(
  parameter int unsigned Cycles = 0,
  parameter int unsigned NumVcs = 0,
  localparam int unsigned Bits = $clog2(2 * Cycles) + 1
) (
  input wire logic               clk_i,
  input wire logic [NumVcs-1:0]  arrives_i,
  input wire logic               moves_i,
  input wire logic               moves_vc_i,
  input wire logic [NumVcs-1:0]  known_i,
  input wire logic [NumVcs-1:0]  active_i,
  input wire logic [NumVcs-1:0]  requests_i,
  input wire logic [3:0]         room_i,
  input wire logic [3:0]         free_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [63:0] now_q;
  logic [NumVcs-1:0] here_q, left;
  logic [1:0] visit;
  logic visit_vc, stuck, report;
  logic [hw_router_pkg::WaitBits-1:0] cause;
  logic [2:0] wants;
  logic [63:0] words;
  assign left = moves_i ? (NumVcs'(1) << moves_vc_i) & here_q : '0;
  always @(posedge clk_i) begin
    now_q <= rst_ni ? now_q + 64'd1 : '0;
    here_q <= rst_ni ? (here_q & ~left) | arrives_i : '0;
  end

  logic [7:0] turns;
  logic [1:0] found, whole, ports, req_ports, req_vcs;
  logic [3:0] sets;
  logic [5:0] causes, all_wants;
  logic moves, visited;
  assign visited = visit[1];
  assign turns = '1;
  assign whole = '1;
  assign ports = 2'b10;
  assign req_ports = 2'b01;
  assign req_vcs = 2'b10;
  assign sets = 4'b0111;
  assign found = {stuck, 1'b0};
  assign causes = {cause, 3'b0};
  assign all_wants = {wants, 3'b0};
  assign moves = left != '0;
  hw_stuck_watch #(.NumPorts(2), .NumVcs(NumVcs), .Cycles(Cycles)) u_scan (
    .clk_i(clk_i), .rst_ni(rst_ni), .now_i(now_q), .visit_o(visit), .visit_vc_o(visit_vc), .stuck_i(found),
    .cause_i(causes), .wants_i(all_wants), .report_o(report), .words_o(words)
  );
  hw_vc_watch #(.NumPorts(2), .NumVcs(NumVcs)) u_watch (
    .clk_i(clk_i), .rst_ni(rst_ni), .turns_i(turns), .visit_i(visited), .visit_vc_i(visit_vc), .stuck_o(stuck), .cause_o(cause),
    .wants_o(wants), .here_i(here_q), .moves_i(moves), .moves_vc_i(moves_vc_i), .whole_i(whole), .known_i(known_i),
    .active_i(active_i), .cand_port_i(ports), .cand_vcs_i(sets), .req_valid_i(requests_i), .req_port_i(req_ports),
    .req_out_vc_i(req_vcs), .room_i(room_i), .free_i(free_i)
  );

  // Per VC: for how many cycles its first flit has stayed, up to the cycle before the last one; the same since it was reported, and
  // whether it has been.
  logic [NumVcs-1:0] reported, moved, late, latest, again_q;
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    logic [Bits-1:0] stays_q, before_q, silent_q;
    logic of_this;                          // the report is not of a flit that has just left
    assign of_this = reported[v] && stays_q != '0;
    always @(posedge clk_i) begin
      before_q <= stays_q;
      if (!rst_ni || !here_q[v] || left[v]) begin
        stays_q <= '0;
        silent_q <= '0;
        again_q[v] <= 1'b0;
      end else begin
        if (stays_q != '1) stays_q <= stays_q + 1'b1;
        silent_q <= of_this ? Bits'(1) : silent_q + 1'b1;
        again_q[v] <= again_q[v] || of_this;
      end
    end
    assign reported[v] = report && words[31:16] == 16'(v) && words[15:8] == 8'd1 && words[7:0] != 8'd0;
    assign moved[v] = before_q < Bits'(Cycles);
    assign late[v] = silent_q >= (again_q[v] ? Bits'(Cycles) : Bits'(2 * Cycles));
    assign latest[v] = silent_q == Bits'(2 * Cycles);
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      a_stays: assert ((reported & moved) == '0);
      a_reported: assert ((late & ~reported) == '0);
      a_named: assert (!report || reported != '0);
      c_latest: cover ((reported & latest) != '0);
      c_again: cover ((reported & again_q) != '0);
    end
  end

endmodule

`default_nettype wire
