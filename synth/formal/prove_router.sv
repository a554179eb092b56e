// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_router, between upstream routers that keep to the credit protocol, route computations that answer anything at
// any time, and buffers downstream that give up their flits at any time: a head leaves only for a VC where its whole packet
// (a flit, under wormhole switching) has room, counting the credits that had come before its grant; no flit leaves without
// room, so no buffer downstream overflows; the packets of an output VC are whole, each of one input VC, and not interleaved.
// With `closed` what the modules assume of one another is proved, too.
//
// Bit 0 of a head is its length less one. Bit 1 of a flit tells whether it came from one input VC, chosen freely.
module prove_router #(
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned Switching = hw_router_pkg::VirtualCutThrough,
  parameter int unsigned PipelineCycles = 0,
  parameter int unsigned NumCands = 1,
  parameter bit HoldPacket = 1'b1,
  parameter int unsigned Room = hw_router_pkg::PacketRoom,
  parameter bit Late = 1'b1,
  parameter int unsigned NumSenders = 2,      // ports that receive flits
  localparam int unsigned NumPorts = 2,
  localparam int unsigned SpaceWidth = 2,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned PortVcs = NumPorts * NumVcs
) (
  input wire logic                          clk_i,
  input wire logic [NumPorts-1:0]           in_valid_i,
  input wire logic [NumPorts*VcWidth-1:0]   in_vc_i,
  input wire logic [NumPorts-1:0]           in_head_i,
  input wire logic [NumPorts-1:0]           in_tail_i,
  input wire logic [NumPorts-1:0]           in_bit_i,
  input wire logic [NumPorts-1:0]           credit_valid_i,
  input wire logic [NumPorts*VcWidth-1:0]   credit_vc_i,
  input wire logic [NumPorts-1:0]           rc_ready_i,
  input wire logic [NumPorts-1:0]           rsp_valid_i,
  input wire logic [NumPorts*VcWidth-1:0]   rsp_vc_i,
  input wire logic [NumPorts*NumCands-1:0]  rsp_port_i,
  input wire logic [NumPorts*NumCands*NumVcs-1:0] rsp_vcs_i,
  input wire logic [PortVcs-1:0]            chosen_i     // one bit
);

  localparam bit Wormhole = Switching == hw_router_pkg::Wormhole;
  localparam int unsigned GrantToPins = PipelineCycles >= 4 ? 2 : 1;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [NumPorts-1:0] in_credit_valid, out_valid, out_head, out_tail, rc_valid;
  logic [NumPorts*VcWidth-1:0] in_credit_vc, out_vc, rc_vc;
  logic [NumPorts*2-1:0] in_data, out_data;
  logic [PortVcs-1:0] chosen_q;
  always_ff @(posedge clk_i) if (!rst_ni) chosen_q <= chosen_i;

  hw_router #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .FlitBits(2), .MaxFlits(MaxFlits), .VcDepths(VcDepths), .RouteBits(1),
    .LenLsb(0), .LenBits(1), .LenOffset(1), .NumCands(NumCands), .Switching(Switching), .HoldPacket(HoldPacket), .Room(Room),
    .LatePorts({NumPorts{Late}}), .InFlight(2), .PipelineCycles(PipelineCycles), .SpaceWidth(SpaceWidth)
  ) u_dut (
    .clk_i, .rst_ni, .now_i(1'b0), .in_valid_i, .in_vc_i, .in_head_i, .in_tail_i, .in_data_i(in_data),
    .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_head_o(out_head), .out_tail_o(out_tail), .out_data_o(out_data),
    .out_credit_valid_i(credit_valid_i), .out_credit_vc_i(credit_vc_i),
    .rc_valid_o(rc_valid), .rc_ready_i, .rc_vc_o(rc_vc), .rc_bits_o(), .rc_space_o(), .rc_buffer_space_o(), .rc_queue_o(),
    .rsp_valid_i, .rsp_vc_i, .rsp_port_i, .rsp_vcs_i, .rsp_state_i({NumPorts{1'b0}}),
    .turn_valid_o(), .turn_vc_o(), .turn_out_vc_o(), .stalled_o(), .quiescent_o()
  );

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    logic [NumVcs-1:0] mine;
    for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
      localparam logic [2:0] Depth = VcDepths[v*16+:3];
      // Upstream: flits that have not come back as credits, and those still to come of the packet under way.
      logic come, back, question, answer, more_q;
      logic [2:0] inside_q, asked_q;
      assign come = in_valid_i[p] && in_vc_i[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign back = in_credit_valid[p] && in_credit_vc[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign question = rc_valid[p] && rc_ready_i[p] && rc_vc[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign answer = rsp_valid_i[p] && rsp_vc_i[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign mine[v] = come && chosen_q[p*NumVcs+v];
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          inside_q <= '0;
          more_q <= 1'b0;
          asked_q <= '0;
        end else begin
          inside_q <= inside_q + 3'(come) - 3'(back);
          if (come) more_q <= !in_tail_i[p];
          asked_q <= asked_q + 3'(question) - 3'(answer);
        end
      end
      // Downstream: the same of the output VC.
      logic leave, credit, open_q, chosen_packet_q;
      logic [2:0] used_q, recent, need;
      logic [GrantToPins-1:0] credit_q;
      assign leave = out_valid[p] && out_vc[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign credit = credit_valid_i[p] && credit_vc_i[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign need = out_head[p] && !Wormhole && MaxFlits > 1 ? 3'(out_data[2*p]) + 3'd1 : 3'd1;
      always_comb begin
        recent = '0;
        for (int unsigned i = 0; i < GrantToPins; i = i + 1) recent = recent + 3'(credit_q[i]);
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          used_q <= '0;
          open_q <= 1'b0;
          credit_q <= '0;
        end else begin
          used_q <= used_q + 3'(leave) - 3'(credit);
          credit_q <= GrantToPins'({credit_q, credit});
          if (leave) open_q <= !out_tail[p];
          if (leave) chosen_packet_q <= out_data[2*p+1];
        end
      end
      always @(posedge clk_i) begin
        if (rst_ni) begin
          assume (!come || inside_q < Depth);
          assume (!come || in_head_i[p] == !more_q);
          assume (!come || in_tail_i[p] == (MaxFlits == 1 || more_q || !in_bit_i[p]));
          assume (!answer || asked_q != '0 || question);
          assume (Late || asked_q + 3'(question) - 3'(answer) <= 3'd2);
          assume (!credit || used_q != '0);
          assert (used_q <= Depth);
          if (leave) begin
            assert (used_q + recent + need <= Depth);
            assert (out_head[p] == !open_q);
            assert (out_tail[p] == (MaxFlits == 1 || open_q || !out_data[2*p]));
            assert (!open_q || out_data[2*p+1] == chosen_packet_q);
            cover (3'(used_q + recent + need) == Depth && (Depth == 3'd1 || recent != '0) && out_data[2*p+1]);
            if (MaxFlits > 1) cover (open_q && out_data[2*p+1]);
          end
        end
      end
    end
    assign in_data[2*p+:2] = {mine != '0, in_bit_i[p]};
    always @(posedge clk_i) begin
      assume (!in_valid_i[p] || (rst_ni && p < NumSenders && 32'(in_vc_i[p*VcWidth+:VcWidth]) < NumVcs));
      assume (!credit_valid_i[p] || 32'(credit_vc_i[p*VcWidth+:VcWidth]) < NumVcs);
      assume (Late || rc_ready_i[p]);
      assume (!rsp_valid_i[p] || 32'(rsp_vc_i[p*VcWidth+:VcWidth]) < NumVcs);
    end
  end

  always @(posedge clk_i) assume ((chosen_i & (chosen_i - PortVcs'(1))) == '0);

endmodule

`default_nettype wire
