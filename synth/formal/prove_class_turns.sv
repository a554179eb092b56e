// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_round_robin.svh"

// Proves of hw_class_turns, with who is granted chosen by its order: while a member asks, at most `(Packets + 1)^r - 1` packets of
// ranks ahead of its rank r begin before one of rank r, or twice as many where a rank stands behind r, which may have its turn
// between; and where packets are of one flit, each of the other members of its rank begins once at most before it does.
module prove_class_turns #(
  parameter int unsigned Members = 0,
  parameter bit [Members*4-1:0] Ranks = '0,
  parameter int unsigned Packets = 1,
  parameter bit SingleFlits = 1'b0,
  localparam int unsigned IndexWidth = $clog2(Members)
) (
  input wire logic                   clk_i,
  input wire logic [Members-1:0]     request_i,
  input wire logic                   goes_i,   // one of those that ask is granted
  input wire logic                   head_i,
  input wire logic [IndexWidth-1:0]  one_i     // the member that is watched
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  `HW_LEAST_RECENT(first, Members)

  logic [Members*Members-1:0] ahead;
  logic [Members-1:0] granted;
  assign granted = goes_i ? first(request_i, ahead) : '0;

  hw_class_turns #(.Members(Members), .Ranks(Ranks), .Packets(Packets)) u_turns (
    .clk_i, .rst_ni, .request_i, .granted_i(granted), .head_i, .ahead_o(ahead)
  );

  function automatic int unsigned rank_of(input int unsigned member);
    rank_of = 32'(Ranks[member*4+:4]);
  endfunction

  // Of a rank: the packets of ranks ahead that may begin before one of it.
  function automatic int unsigned bound_of(input int unsigned rank);
    int unsigned last;
    last = 0;
    bound_of = 1;
    for (int unsigned m = 0; m < Members; m = m + 1) if (rank_of(m) > last) last = rank_of(m);
    for (int unsigned r = 0; r < rank; r = r + 1) bound_of = bound_of * (Packets + 1);
    bound_of = (bound_of - 1) * (rank == last ? 1 : 2);
  endfunction

  logic [IndexWidth-1:0] one_q;
  logic asks_q;
  logic [7:0] passed_q, peers_q;               // packets of ranks ahead, of its own rank, since it asks
  logic [Members-1:0] earlier, same;           // members of ranks ahead of the one's; others of its rank
  logic [7:0] bound, others;
  always_comb begin
    bound = '0;
    others = '0;
    for (int unsigned m = 0; m < Members; m = m + 1) begin
      earlier[m] = 1'b0;
      same[m] = 1'b0;
      for (int unsigned o = 0; o < Members; o = o + 1) begin
        if (32'(one_q) == o) begin
          earlier[m] = rank_of(m) < rank_of(o);
          same[m] = rank_of(m) == rank_of(o) && m != o;
          bound = 8'(bound_of(rank_of(o)));
        end
      end
      others = others + 8'(same[m]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      one_q <= one_i;
      asks_q <= 1'b0;
      passed_q <= '0;
      peers_q <= '0;
    end else begin
      asks_q <= request_i[one_q] && !(granted[one_q] && head_i);
      if (!request_i[one_q] || (granted[one_q] && head_i)) begin
        passed_q <= '0;
        peers_q <= '0;
      end else if (head_i) begin
        if ((granted & same) != '0) begin
          passed_q <= '0;
          peers_q <= peers_q + 8'd1;
        end else if ((granted & earlier) != '0) begin
          passed_q <= passed_q + 8'd1;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    assume (32'(one_i) < Members);
    if (SingleFlits) assume (head_i);
    if (rst_ni) begin
      assume (request_i[one_q] || !asks_q);            // who asks keeps asking until its packet begins
      a_one: assert ($onehot0(granted) && (granted & ~request_i) == '0);
      a_somebody: assert (!goes_i || request_i == '0 || granted != '0);
      a_ranks_ahead: assert (passed_q <= bound);
      a_peers: assert (!SingleFlits || peers_q <= others);
    end
  end

  for (genvar m = 0; m < Members; m = m + 1) begin : gen_member
    if (bound_of(rank_of(m)) != 0) begin : gen_waits
      always @(posedge clk_i) if (rst_ni) cover (32'(one_q) == m && passed_q == bound && granted[m] && head_i);
    end
  end

endmodule

`default_nettype wire
