// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_output_port, with Room LongestRoom or CollectedRoom, and the turns of hw_switch_allocator: a packet of the longest length waits for a
// VC, its input port asks for that whenever it may, the other input ports ask with packets of any lengths whenever they like, and
// press as they like; the buffer downstream gives up its flits at any time. At most MaxPasses packets take the VC before it, however few
// places are free at a time. A VC whose buffer has drained is open, so that none is closed for ever.
module prove_room #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned Depth = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned GrantCycles = 0,
  parameter int unsigned Room = 0,
  parameter bit [NumPorts*4-1:0] Weights = {NumPorts{4'd1}},
  parameter int unsigned MaxPasses = 0,
  parameter int unsigned Reached = 0                 // as many are met
) (
  input wire logic                       clk_i,
  input wire logic [NumPorts-1:1]        asks_i,
  input wire logic [(NumPorts-1)*2-1:0]  lengths_i,
  input wire logic [NumPorts-1:0]        pressing_i,
  input wire logic                       credit_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [NumPorts-1:0] request, grant, out_valid;
  logic [1:0] space, need, flit_need, left_q;
  logic vc_free, vc_taken, collects, idle, head, tail, flit_valid, flit_head, flit_tail, owned_q, ready;
  logic [NumPorts-1:0] owner_q;

  // Requests are registers in front of the allocator with GrantCycles 1, less what the grants of the cycle before took.
  logic [NumPorts-1:0] fits, asks_q;
  logic [NumPorts*2-1:0] lengths, lengths_q;
  assign lengths = {lengths_i, 2'(MaxFlits)};
  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_in
    assign fits[p] = vc_free && space >= lengths[p*2+:2] && (p == 0 || asks_i[p < 1 ? 1 : p]);
    assign request[p] = owned_q ? owner_q[p] : GrantCycles > 0 ? asks_q[p] : fits[p];
  end
  always_ff @(posedge clk_i) begin
    asks_q <= fits & ~{NumPorts{vc_taken}};
    lengths_q <= lengths;
  end

  hw_switch_allocator #(.NumPorts(NumPorts), .NumVcs(1), .HoldPacket(1'b1), .Weights(Weights)) u_allocator (
    .clk_i, .rst_ni, .req_valid_i(request), .req_port_i({NumPorts*(NumPorts > 2 ? 2 : 1){1'b0}}), .req_out_vc_i({NumPorts{1'b0}}),
    .withdraw_i({NumPorts{1'b0}}), .ready_i({NumPorts{ready}}), .collects_i({{NumPorts-1{1'b0}}, collects}), .head_i({NumPorts{!owned_q}}), .tail_i({NumPorts{tail}}), .pressing_i,
    .grant_o(grant), .grant_vc_o(), .out_valid_o(out_valid), .out_sel_o(), .out_from_o(), .out_vc_o()
  );

  always_comb begin
    need = '0;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      if (grant[p]) need = need | (GrantCycles > 0 ? lengths_q[p*2+:2] : lengths[p*2+:2]);
    end
    head = out_valid[0] && !owned_q;
    tail = (owned_q ? left_q : need) == 2'd1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) owned_q <= 1'b0;
    else if (out_valid[0]) owned_q <= !tail;
    if (out_valid[0]) begin
      owner_q <= grant;
      left_q <= (owned_q ? left_q : need) - 2'd1;
    end
  end

  hw_pipe_register #(.Width(1), .Registered(GrantCycles > 0), .Cleared(1'b1)) u_valid (
    .clk_i, .rst_ni, .data_i(out_valid[0]), .data_o(flit_valid)
  );
  hw_pipe_register #(.Width(4), .Registered(GrantCycles > 0)) u_flit (
    .clk_i, .rst_ni, .data_i({head, tail, need}), .data_o({flit_head, flit_tail, flit_need})
  );

  hw_output_port #(
    .Inputs(NumPorts), .NumVcs(1), .FlitBits(1), .MaxFlits(MaxFlits), .VcDepths(16'(Depth)), .SpaceWidth(2),
    .GrantCycles(GrantCycles), .HoldPacket(1'b1), .Room(Room), .ShareBits(2)
  ) u_port (
    .clk_i, .rst_ni, .now_i(1'b0), .grant_valid_i(out_valid[0]), .grant_vc_i(1'b1), .grant_head_i(head),
    .grant_more_i(out_valid[0] && !tail), .flit_valid_i(flit_valid), .flit_head_i(flit_head), .flit_tail_i(flit_tail),
    .flit_vc_i(1'b0), .flit_need_i(flit_need), .flit_data_i(1'b0), .ready_o(ready), .space_o(space), .buffer_space_o(),
    .vc_free_o(vc_free), .room_o(), .flit_fits_o(), .vc_taken_o(vc_taken), .offered_o(), .collects_o(collects), .queue_o(),
    .out_valid_o(), .out_vc_o(), .out_head_o(), .out_tail_o(), .out_data_o(), .out_credit_valid_i(credit_i),
    .out_credit_vc_i(1'b0), .idle_o(idle)
  );

  logic [7:0] passes_q;
  logic [2:0] there_q;                    // flits sent whose credits have not come back
  logic [1:0] drained_q;                  // cycles without them and without grants
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      passes_q <= '0;
      there_q <= '0;
      drained_q <= '0;
    end else begin
      if (head) passes_q <= grant[0] ? '0 : passes_q + 8'd1;
      there_q <= there_q + 3'(flit_valid) - 3'(credit_i);
      drained_q <= there_q != '0 || out_valid[0] || flit_valid ? '0 : drained_q == '1 ? '1 : drained_q + 2'd1;
    end
  end

  always @(posedge clk_i) begin
    assume (!credit_i || (rst_ni && there_q != '0));
    for (int unsigned p = 0; p < NumPorts; p = p + 1) assume (lengths[p*2+:2] != '0 && 32'(lengths[p*2+:2]) <= MaxFlits);
    if (rst_ni) begin
      a_passed_by_no_more: assert (32'(passes_q) <= MaxPasses);
      a_drained_is_open: assert (drained_q != '1 || vc_free);
      cover (32'(passes_q) == Reached);
      cover (Room == hw_router_pkg::LongestRoom ? !vc_free && space != '0 : collects && !vc_free && space == '0 && !owned_q);
    end
  end

endmodule

`default_nettype wire
