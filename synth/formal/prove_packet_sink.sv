// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_packet_sink, beside VCs whose flits come at any time and whose tail marks say anything: it discards a refused head,
// and all flits behind the last flit of a packet up to its tail, and nothing else; it makes up flits exactly from a tail that comes
// too early to the last flit that its packet owes; and a flit to be discarded waits for at most 2 * NumVcs cycles.
// A port is withdrawn in the slot of a discarded flit, and in the cycle behind a flit whose mark ends the truth of its length; never
// else.
//
// The harness knows the tail mark in the cycle of the pop, the module ReadCycles later.
module prove_packet_sink #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned ReadCycles = 0,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input wire logic               clk_i,
  input wire logic [NumVcs-1:0]  comes_i,     // a flit, where there is none
  input wire logic [NumVcs-1:0]  refused_i,
  input wire logic               grant_i,
  input wire logic [VcWidth-1:0] grant_vc_i,
  input wire logic               last_i,      // of the granted flit
  input wire logic               tail_i       // of the flit that is popped
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic slot, slot_head, tail_q, pop_tail, made_up, padded_q, withdraw, surprise_q;
  logic [VcWidth-1:0] slot_vc;
  logic [NumVcs-1:0] moved_q;                // its flit was popped in the cycle before
  logic [NumVcs-1:0] drains, pad, next_drains, next_pad, here_q;
  assign pop_tail = ReadCycles > 0 ? tail_q : tail_i;
  always_ff @(posedge clk_i) tail_q <= tail_i;

  hw_packet_sink #(.NumVcs(NumVcs), .ReadCycles(ReadCycles)) u_dut (
    .clk_i, .rst_ni, .here_i(here_q), .refused_i, .grant_i, .grant_vc_i, .grant_last_i(last_i), .pop_tail_i(pop_tail),
    .slot_o(slot), .slot_head_o(slot_head), .slot_vc_o(slot_vc), .withdraw_o(withdraw), .drains_o(drains),
    .next_drains_o(next_drains), .pad_o(pad), .next_pad_o(next_pad), .made_up_o(made_up)
  );

  // What must happen to each VC
  logic [NumVcs-1:0] rest_q, rest_d, short_q, short_d, granted, discarded, refused_q;
  assign granted = grant_i ? NumVcs'(1) << grant_vc_i : '0;
  assign discarded = slot ? NumVcs'(1) << slot_vc : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      here_q <= '0;
      rest_q <= '0;
      short_q <= '0;
      refused_q <= '0;
      padded_q <= 1'b0;
    end else begin
      here_q <= (here_q & ~discarded & ~(granted & ~short_q)) | comes_i;
      refused_q <= refused_i & ~(slot_head ? discarded : '0);
      padded_q <= (granted & short_q) != '0;
      rest_q <= rest_d;
      short_q <= short_d;
    end
  end
  always_comb begin
    rest_d = rest_q;
    short_d = short_q;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (discarded[v]) rest_d[v] = !tail_i;
      if (granted[v] && !short_q[v]) begin
        rest_d[v] = last_i && !tail_i;
        short_d[v] = !last_i && tail_i;
      end
      if (granted[v] && short_q[v]) short_d[v] = !last_i;
    end
  end
  always_ff @(posedge clk_i) moved_q <= granted | discarded;
  // The length's word was broken in the cycle before.
  always_ff @(posedge clk_i) surprise_q <= rst_ni && ((rest_d & ~rest_q) | (short_d & ~short_q)) != '0;

  localparam int unsigned Bound = 2 * NumVcs;
  localparam int unsigned WaitBits = $clog2(Bound + 2);
  logic [NumVcs*WaitBits-1:0] wait_q;
  logic [NumVcs-1:0] too_long;
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_wait
    always_ff @(posedge clk_i) begin
      if (!rst_ni || discarded[v] || !here_q[v] || !(rest_q[v] || refused_i[v])) wait_q[v*WaitBits+:WaitBits] <= '0;
      else wait_q[v*WaitBits+:WaitBits] <= wait_q[v*WaitBits+:WaitBits] + WaitBits'(1);
    end
    assign too_long[v] = wait_q[v*WaitBits+:WaitBits] > WaitBits'(Bound);
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      // A refused packet is the first of its VC, and stays refused until its head is taken.
      a_refused_holds: assume ((refused_q & ~refused_i) == '0);
      a_refused_is_first: assume ((refused_i & short_q) == '0);
      a_grant_of_a_flit: assume ((granted & ~(here_q | short_q)) == '0);
      a_no_grant_to_what_is_discarded: assume ((granted & (drains | refused_i)) == '0 && !(withdraw && grant_i));
      a_vc_exists: assume (!grant_i || 32'(grant_vc_i) < NumVcs);
      a_withdraws: assert (withdraw == (slot || (ReadCycles > 0 && surprise_q)));
      // Behind the cycle in which nothing was granted all is known.
      a_rest: assert (((drains ^ rest_q) & ~(ReadCycles > 0 ? moved_q : '0)) == '0);
      a_no_grant_of_the_rest: assert ((granted & rest_q) == '0);
      a_made_up: assert (withdraw || pad == short_q);
      a_next_rest: assert (next_drains == (ReadCycles > 0 ? rest_q : rest_d));
      a_next_made_up: assert (next_pad == (ReadCycles > 0 ? short_q : short_q | short_d));
      a_made_up_is_said: assert (made_up == (ReadCycles > 0 ? padded_q : (granted & short_q) != '0));
      a_discards_what_goes_nowhere: assert ((discarded & ~(here_q & (rest_q | refused_i))) == '0);
      a_head: assert (!slot || slot_head == ((discarded & rest_q) == '0));
      a_does_not_wait: assert (too_long == '0);
      c_head: cover (slot_head);
      c_made_up: cover ((granted & short_q) != '0);
      c_rest: cover ((discarded & rest_q) != '0);
    end
  end

endmodule

`default_nettype wire
