// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_output_unit and hw_link_pipe, between any crossbar that keeps to the protocol and a buffer that gives up its
// flits at any time: for each VC, space + flits still to come of the packet that has reserved + flits on the way + flits in
// the buffer + credits on the way = depth, in every cycle; so the space is never negative or above the depth, the buffer
// never overflows, and no flit or credit is lost or made up.
module prove_credits #(
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned Switching = hw_router_pkg::VirtualCutThrough,
  parameter int unsigned Latency = 0,
  parameter int unsigned GrantCycles = 0,
  localparam int unsigned SpaceWidth = 3,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input wire logic                   clk_i,
  // The crossbar's grant; its flit comes GrantCycles later
  input wire logic                   grant_valid_i,
  input wire logic                   grant_head_i,
  input wire logic                   grant_tail_i,
  input wire logic [VcWidth-1:0]     grant_vc_i,
  input wire logic [SpaceWidth-1:0]  need_i,      // flits of the packet
  input wire logic                   pop_i,       // the buffer gives up a flit
  input wire logic [VcWidth-1:0]     pop_vc_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  localparam bit Wormhole = Switching == hw_router_pkg::Wormhole;

  logic ready, out_valid, out_head, out_tail, credit_valid, down_valid;
  logic [NumVcs*SpaceWidth-1:0] space, buffer_space;
  logic [NumVcs-1:0] vc_free, flit_fits, vc_taken;
  logic [VcWidth-1:0] out_vc, credit_vc, down_vc;

  logic flit_valid, flit_head, flit_tail;
  logic [VcWidth-1:0] flit_vc;
  logic [SpaceWidth-1:0] flit_need;
  logic [SpaceWidth-1:0] need;
  assign need = Wormhole ? SpaceWidth'(1) : need_i;
  if (GrantCycles == 0) begin : gen_flit_with_grant
    assign {flit_valid, flit_head, flit_tail, flit_vc, flit_need} = {grant_valid_i, grant_head_i, grant_tail_i, grant_vc_i, need};
  end else begin : gen_flit_after_grant
    always_ff @(posedge clk_i) begin
      flit_valid <= rst_ni && grant_valid_i;
      {flit_head, flit_tail, flit_vc, flit_need} <= {grant_head_i, grant_tail_i, grant_vc_i, need};
    end
  end

  hw_output_unit #(
    .NumVcs(NumVcs), .FlitBits(1), .MaxFlits(MaxFlits), .VcDepths(VcDepths), .SpaceWidth(SpaceWidth), .Switching(Switching),
    .GrantCycles(GrantCycles)
  ) u_output (
    .clk_i, .rst_ni, .now_i(1'b0), .grant_valid_i, .grant_vc_i(NumVcs'(1) << grant_vc_i),
    .grant_head_i(grant_valid_i && grant_head_i), .grant_more_i(grant_valid_i && !grant_tail_i),
    .flit_valid_i(flit_valid), .flit_head_i(flit_head), .flit_tail_i(flit_tail), .flit_vc_i(flit_vc), .flit_need_i(flit_need),
    .flit_data_i(1'b0),
    .ready_o(ready), .space_o(space), .buffer_space_o(buffer_space), .vc_free_o(vc_free),
    .flit_fits_o(flit_fits), .vc_taken_o(vc_taken), .queue_o(),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_head_o(out_head), .out_tail_o(out_tail), .out_data_o(),
    .out_credit_valid_i(credit_valid), .out_credit_vc_i(credit_vc), .idle_o()
  );
  hw_link_pipe #(.NumVcs(NumVcs), .FlitBits(1), .Latency(Latency)) u_link (
    .clk_i, .rst_ni, .up_valid_i(out_valid), .up_vc_i(out_vc), .up_head_i(out_head), .up_tail_i(out_tail), .up_data_i(1'b0),
    .up_credit_valid_o(credit_valid), .up_credit_vc_o(credit_vc),
    .down_valid_o(down_valid), .down_vc_o(down_vc), .down_head_o(), .down_tail_o(), .down_data_o(),
    .down_credit_valid_i(pop_i), .down_credit_vc_i(pop_vc_i)
  );

  // Per VC: flits that its packet still has to send, flits in its buffer, and what is on the way in the crossbar, the output
  // register and the link's stages, as the last cycles' events tell.
  logic [NumVcs*8-1:0] left_q, buffered_q;
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    logic send, arrive, pop;
    logic [Latency+GrantCycles:0] sent_q;
    logic [Latency-1:0] popped_q;
    logic [7:0] flying, returning, reserved, buffered, left_v;
    logic [SpaceWidth-1:0] seen;
    assign send = grant_valid_i && 32'(grant_vc_i) == v;
    assign arrive = down_valid && 32'(down_vc) == v;
    assign pop = pop_i && 32'(pop_vc_i) == v;
    assign left_v = left_q[v*8+:8];
    assign buffered = buffered_q[v*8+:8];
    assign seen = buffer_space[v*SpaceWidth+:SpaceWidth];
    assign reserved = Wormhole ? 8'd0 : left_v;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        left_q[v*8+:8] <= '0;
        buffered_q[v*8+:8] <= '0;
        sent_q <= '0;
        popped_q <= '0;
      end else begin
        if (send) left_q[v*8+:8] <= (grant_head_i ? 8'(need_i) : left_v) - 8'd1;
        buffered_q[v*8+:8] <= buffered + 8'(arrive) - 8'(pop);
        sent_q <= (Latency+GrantCycles+1)'({sent_q, send});
        popped_q <= Latency'({popped_q, pop});
      end
    end
    always_comb begin
      flying = '0;
      returning = '0;
      for (int unsigned i = 0; i <= Latency + GrantCycles; i = i + 1) flying = flying + 8'(sent_q[i]);
      for (int unsigned i = 0; i < Latency; i = i + 1) returning = returning + 8'(popped_q[i]);
    end
    always @(posedge clk_i) begin
      if (rst_ni) begin
        assert (16'(seen) + 16'(reserved) + 16'(flying) + 16'(buffered) + 16'(returning) == VcDepths[v*16+:16]);
        assert (32'(left_v) < MaxFlits);
        assert (left_v == '0 || space[v*SpaceWidth+:SpaceWidth] == '0);
        assert (grant_valid_i || MaxFlits == 1 || vc_taken[v] == (left_v != '0));
        assert (arrive == sent_q[Latency+GrantCycles] && (credit_valid && 32'(credit_vc) == v) == popped_q[Latency-1]);
        cover (seen == '0 && 16'(buffered) == VcDepths[v*16+:16]);
        cover ((reserved != '0 || Wormhole) && buffered != '0 && returning != '0);
      end
    end
  end

  logic [7:0] left;
  assign left = left_q[grant_vc_i*8+:8];

  always @(posedge clk_i) begin
    if (rst_ni) begin
      // What the crossbar owes: whole packets of at most MaxFlits flits, not interleaved in a VC, only where there is room.
      if (grant_valid_i) begin
        assume (ready && 32'(grant_vc_i) < NumVcs && grant_head_i == (left == '0));
        assume (!grant_head_i || (need_i != '0 && 32'(need_i) <= MaxFlits));
        assume (grant_tail_i == (grant_head_i ? need_i == SpaceWidth'(1) : left == 8'd1));
        if (Wormhole) assume (grant_head_i ? vc_free[grant_vc_i] : flit_fits[grant_vc_i]);
        else assume (!grant_head_i || space[grant_vc_i*SpaceWidth+:SpaceWidth] >= need_i);
      end
      // What the buffer owes: it gives up only what it has.
      assume (!pop_i || (32'(pop_vc_i) < NumVcs && buffered_q[pop_vc_i*8+:8] != '0));
    end
  end

endmodule

`default_nettype wire
