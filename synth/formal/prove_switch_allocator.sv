// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_switch_allocator, for any requests: what is granted was requested and not withdrawn, of an output port that is ready; no output
// port and no input port is given twice, and both sides name the same pairs; with HoldPacket a packet keeps its output port
// until its tail. With Fair, for packets of one flit, requests that stay and outputs that are always ready: a request waits for
// at most Wait cycles, whoever presses and wherever turns are of one packet.
module prove_switch_allocator #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned Iterations = 1,
  parameter bit OutputFirst = 1'b0,
  parameter bit HoldPacket = 1'b0,
  parameter bit [NumPorts*4-1:0] Weights = {NumPorts{4'd1}},
  parameter bit Fair = 1'b0,
  parameter int unsigned Wait = 0,
  parameter int unsigned Longest = 0,               // a wait that every request can meet
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input wire logic                                  clk_i,
  input wire logic [NumPorts*NumVcs-1:0]            req_valid_i,
  input wire logic [NumPorts*NumVcs*PortWidth-1:0]  req_port_i,
  input wire logic [NumPorts*NumVcs*VcWidth-1:0]    req_out_vc_i,
  input wire logic [NumPorts-1:0]                   withdraw_i,
  input wire logic [NumPorts-1:0]                   ready_i,
  input wire logic [NumPorts-1:0]                   tail_i,
  input wire logic [NumPorts-1:0]                   pressing_i,
  input wire logic [NumPorts*NumVcs-1:0]            collects_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [NumPorts-1:0] grant, out_valid;
  logic [NumPorts-1:0] heads;
  logic [NumPorts*VcWidth-1:0] grant_vc;
  logic [NumPorts*PortWidth-1:0] out_sel;

  hw_switch_allocator #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Iterations(Iterations), .OutputFirst(OutputFirst), .HoldPacket(HoldPacket),
    .Weights(Weights)
  ) u_dut (
    .clk_i, .rst_ni, .req_valid_i, .req_port_i, .req_out_vc_i, .withdraw_i, .ready_i, .head_i(heads), .tail_i, .pressing_i, .collects_i,
    .grant_o(grant), .grant_vc_o(grant_vc), .out_valid_o(out_valid), .out_sel_o(out_sel), .out_from_o(), .out_vc_o()
  );

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_in
    logic [VcWidth-1:0] vc;
    logic [PortWidth-1:0] port;
    logic inside_q;                     // a packet of this input port has sent its head and not its tail
    logic [VcWidth-1:0] inside_vc_q;
    logic [PortWidth-1:0] inside_port_q;
    assign heads[p] = !inside_q;
    assign vc = grant_vc[p*VcWidth+:VcWidth];
    assign port = req_port_i[(p*NumVcs+32'(vc))*PortWidth+:PortWidth];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) inside_q <= 1'b0;
      else if (grant[p]) begin
        inside_q <= HoldPacket && !tail_i[p];
        inside_vc_q <= vc;
        inside_port_q <= port;
      end
    end
    always @(posedge clk_i) begin
      if (rst_ni) begin
        // The rest of a packet asks for the port of its head.
        assume (!inside_q || req_port_i[(p*NumVcs+32'(inside_vc_q))*PortWidth+:PortWidth] == inside_port_q);
        if (grant[p]) begin
          assert (32'(vc) < NumVcs && req_valid_i[p*NumVcs+32'(vc)] && ready_i[port] && !withdraw_i[p]);
          assert (out_valid[port] && 32'(out_sel[port*PortWidth+:PortWidth]) == p);
          assert (!inside_q || vc == inside_vc_q);
        end
        if (HoldPacket) cover (inside_q && grant != '0 && !grant[p] && req_valid_i[p*NumVcs+:NumVcs] != '0);
      end
    end
    // An output port that is held by this input port goes to no other one.
    for (genvar o = 0; o < NumPorts; o = o + 1) begin : gen_held
      always @(posedge clk_i) begin
        if (rst_ni) assert (!(inside_q && 32'(inside_port_q) == o && out_valid[o]) || 32'(out_sel[o*PortWidth+:PortWidth]) == p);
      end
    end
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
      localparam int unsigned R = p * NumVcs + v;
      logic wins, waits_q;
      logic [PortWidth+VcWidth-1:0] ask, asked_q;
      logic [7:0] waited_q;
      assign wins = grant[p] && 32'(vc) == v;
      assign ask = {req_port_i[R*PortWidth+:PortWidth], req_out_vc_i[R*VcWidth+:VcWidth]};
      always_ff @(posedge clk_i) begin
        asked_q <= ask;
        waits_q <= rst_ni && req_valid_i[R] && !wins;
        if (!rst_ni || !req_valid_i[R] || wins) waited_q <= '0;
        else waited_q <= waited_q + 8'd1;
      end
      always @(posedge clk_i) begin
        if (rst_ni) begin
          assume (32'(req_port_i[R*PortWidth+:PortWidth]) < NumPorts && 32'(req_out_vc_i[R*VcWidth+:VcWidth]) < NumVcs);
          if (Fair) assume (ready_i == '1 && withdraw_i == '0 && tail_i == '1 && (!waits_q || (req_valid_i[R] && ask == asked_q)));
          assert (!Fair || 32'(waited_q) <= Wait);
          if (Fair) cover (waited_q == 8'(Longest) && wins);
        end
      end
    end
  end

  for (genvar o = 0; o < NumPorts; o = o + 1) begin : gen_out
    logic [PortWidth-1:0] from;
    assign from = out_sel[o*PortWidth+:PortWidth];
    always @(posedge clk_i) begin
      if (rst_ni && out_valid[o]) begin
        assert (32'(from) < NumPorts && grant[from]);
        assert (32'(req_port_i[(32'(from)*NumVcs+32'(grant_vc[from*VcWidth+:VcWidth]))*PortWidth+:PortWidth]) == o);
      end
    end
  end

endmodule

`default_nettype wire
