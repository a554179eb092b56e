// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The flits of one input port: a FIFO queue for each of its NumVcs VCs, in one memory, which is read with the clock. With
// ReadCycles 0 the first flit of each VC lies in a register, and the memory fills that when it leaves (hw_packet_queue); up to
// SmallWords places, which are flip-flops or LUT RAM in any case, the memory is read without a clock instead.
//
// Latency: a flit written in cycle t counts from t+1 on. The flit that is popped in cycle t is on pop_data_o in t (ReadCycles 0)
// or in t+1 (1). Throughput: one flit in and one out per cycle, of the same VC or of different ones.
// Combinational paths: push_*, pop_* -> next_valid_o; with ReadCycles 0 pop_vc_i -> pop_data_o.
// Assumes: the upstream router holds credits, so a full queue is never written; only a valid VC is popped.
// Guarantees: each queue keeps the order of its flits; none is lost or copied. With VotesTop the highest bit lies there three times, and
// what two of them say comes out.
// Reference: Dally & Towles, "Principles and Practices of Interconnection Networks", section 17.1.
module hw_flit_store #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // flits, VC 0 in the low 16 bits
  parameter int unsigned ReadCycles = 0,                 // from pop to data: 0 or 1
  parameter int unsigned SmallWords = 64,
  parameter bit VotesTop = 1'b0,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  input  wire logic                         push_i,
  input  wire logic [VcWidth-1:0]           push_vc_i,
  input  wire logic [FlitBits-1:0]          push_data_i,
  output logic [NumVcs-1:0]                 valid_o,       // the VC holds a flit
  output logic [NumVcs-1:0]                 next_valid_o,  // valid_o in the next cycle
  input  wire logic                         pop_i,
  input  wire logic [VcWidth-1:0]           pop_vc_i,
  output logic [FlitBits-1:0]               pop_data_o
);

  if (NumVcs == 0 || FlitBits == 0) begin : gen_bad_size
    $error("hw_flit_store: NumVcs and FlitBits must be set");
  end

  // First memory address of a VC; first_flit(NumVcs) is the size of the memory.
  function automatic int unsigned first_flit(input int unsigned vc);
    first_flit = 0;
    for (int unsigned i = 0; i < NumVcs; i = i + 1) begin
      if (i < vc) first_flit = first_flit + {16'b0, VcDepths[i*16+:16]};
    end
  endfunction

  localparam int unsigned Words = first_flit(NumVcs);
  localparam int unsigned AddrWidth = Words > 1 ? $clog2(Words) : 1;

  localparam bit Prefetched = ReadCycles == 0 && Words > SmallWords;
  localparam int unsigned StoredBits = FlitBits + (VotesTop ? 2 : 0);
  logic [StoredBits-1:0] pushed, popped;
  assign pushed = StoredBits'({{2{push_data_i[FlitBits-1]}}, push_data_i});
  if (VotesTop) begin : gen_vote
    logic [2:0] votes;
    assign votes = popped[StoredBits-1-:3];
    assign pop_data_o = {(votes[0] && votes[1]) || (votes[2] && votes[1:0] != '0), popped[FlitBits-2:0]};
  end else begin : gen_no_vote
    assign pop_data_o = popped;
  end

  logic [NumVcs*AddrWidth-1:0] write_place, read_place;

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    localparam int unsigned Depth = {16'b0, VcDepths[v*16+:16]};
    localparam int unsigned IndexWidth = Depth > 1 ? $clog2(Depth) : 1;
    localparam bit [IndexWidth-1:0] Last = IndexWidth'(Depth - 1);
    localparam bit Wraps = Depth == 1 << IndexWidth;  // an index goes from Last to 0 by itself

    logic [IndexWidth-1:0] write_q, read_q, read_next;
    logic push, pop, valid_q;
    assign push = push_i && push_vc_i == VcWidth'(v);
    assign pop = pop_i && pop_vc_i == VcWidth'(v);
    assign read_next = !Wraps && read_q == Last ? '0 : read_q + IndexWidth'(1);
    assign valid_o[v] = valid_q;
    assign next_valid_o[v] = push || (valid_q && !(pop && read_next == write_q));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        write_q <= '0;
        read_q <= '0;
        valid_q <= 1'b0;
      end else begin
        if (push) write_q <= !Wraps && write_q == Last ? '0 : write_q + IndexWidth'(1);
        if (pop) read_q <= read_next;
        valid_q <= next_valid_o[v];
      end
    end

    localparam bit [AddrWidth-1:0] Base = AddrWidth'(first_flit(v));
    if (first_flit(v) % (1 << IndexWidth) == 0) begin : gen_aligned
      assign write_place[v*AddrWidth+:AddrWidth] = Base | AddrWidth'(write_q);
      assign read_place[v*AddrWidth+:AddrWidth] = Base | AddrWidth'(read_q);
    end else begin : gen_added
      assign write_place[v*AddrWidth+:AddrWidth] = Base + AddrWidth'(write_q);
      assign read_place[v*AddrWidth+:AddrWidth] = Base + AddrWidth'(read_q);
    end

    `HW_ASSUME(a_credits_prevent_overflow, !(push && valid_q && write_q == read_q))
  end

  if (Prefetched) begin : gen_prefetched
    logic [NumVcs-1:0] queued, unused_second_valid, unused_bad, unused_second_bad;
    logic [NumVcs*StoredBits-1:0] first_flits, unused_second;
    hw_packet_queue #(.NumVcs(NumVcs), .Width(StoredBits), .Depths(VcDepths)) u_queue (
      .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push_i), .push_vc_i(push_vc_i), .push_data_i(pushed),
      .valid_o(queued), .first_o(first_flits), .second_valid_o(unused_second_valid), .second_o(unused_second),
      .bad_o(unused_bad), .second_bad_o(unused_second_bad), .pop_i(pop_i), .pop_vc_i(pop_vc_i)
    );
    always_comb begin
      popped = '0;
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (pop_vc_i == VcWidth'(v)) popped = popped | first_flits[v*StoredBits+:StoredBits];
      end
    end
    wire unused = &{1'b0, unused_second_valid, unused_second, unused_bad, unused_second_bad, queued, write_place, read_place};
  end else begin : gen_memory
    logic [AddrWidth-1:0] write_addr, read_addr;
    always_comb begin
      write_addr = '0;
      read_addr = '0;
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (push_vc_i == VcWidth'(v)) write_addr = write_addr | write_place[v*AddrWidth+:AddrWidth];
        if (pop_vc_i == VcWidth'(v)) read_addr = read_addr | read_place[v*AddrWidth+:AddrWidth];
      end
    end

    hw_ram_1r1w #(.Words(Words), .Width(StoredBits), .ReadCycles(ReadCycles)) u_ram (
      .clk_i(clk_i), .rst_ni(rst_ni), .write_i(push_i), .write_addr_i(write_addr), .write_data_i(pushed),
      .read_i(pop_i), .read_addr_i(read_addr), .read_data_o(popped)
    );
  end

  `HW_ASSERT(a_pop_only_valid, !pop_i || valid_o[pop_vc_i])

endmodule

`default_nettype wire
