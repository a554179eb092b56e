// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The virtual-channel buffers of one input port: NumVcs FIFO queues in one memory.
//
// Every VC shows the route bits and the head/tail marks of its head-of-line flit in registers, so that route
// computation and switch allocation of all VCs start from flip-flops; the memory needs one write port, one read port
// for the flit that leaves and one for the route bits of the flit behind it.
//
// Latency: a flit written in cycle t is visible at the head of its (empty) queue in cycle t+1.
// Throughput: one flit in and one flit out per cycle, of the same or of different VCs.
// Combinational paths: pop_vc_i -> pop_data_o.
// Assumes: the upstream router holds credits, so a full queue is never written; only a valid VC is popped.
// Guarantees: each queue keeps the order of its flits; none is lost or copied.
// Reference: Dally & Towles, "Principles and Practices of Interconnection Networks", section 17.1.
module hw_vc_buffer #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned RouteBits = 0,                  // low bits of a head flit that the router reads
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // flits, VC 0 in the low 16 bits
  parameter bit StoreAndForward = 1'b0,                  // complete_o follows whole packets, else it is all ones
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  // Write side: the upstream channel
  input  wire logic                         push_i,
  input  wire logic [VcWidth-1:0]           push_vc_i,
  input  wire logic                         push_head_i,
  input  wire logic                         push_tail_i,
  input  wire logic [FlitBits-1:0]          push_data_i,
  // Head of line of every VC
  output logic [NumVcs-1:0]                 valid_o,
  output logic [NumVcs-1:0]                 head_o,
  output logic [NumVcs-1:0]                 tail_o,
  output logic [NumVcs*RouteBits-1:0]       route_bits_o,
  output logic [NumVcs-1:0]                 complete_o,  // the head-of-line packet is here up to its tail
  // Read side: the flit that leaves
  input  wire logic                         pop_i,
  input  wire logic [VcWidth-1:0]           pop_vc_i,
  output logic [FlitBits-1:0]               pop_data_o
);

  // First memory address of a VC; first(NumVcs) is the size of the memory.
  function automatic int unsigned first(input int unsigned vc);
    first = 0;
    for (int unsigned i = 0; i < NumVcs; i = i + 1) begin
      if (i < vc) first = first + {16'b0, VcDepths[i*16+:16]};
    end
  endfunction

  localparam int unsigned Words = first(NumVcs);
  localparam int unsigned AddrWidth = Words > 1 ? $clog2(Words) : 1;

  if (NumVcs == 0 || FlitBits == 0 || RouteBits == 0) begin : gen_bad_size
    $error("hw_vc_buffer: NumVcs, FlitBits and RouteBits must be set");
  end
  if (RouteBits > FlitBits) begin : gen_bad_route
    $error("hw_vc_buffer: RouteBits must not exceed FlitBits");
  end

  logic [NumVcs*AddrWidth-1:0] first_addr, last_addr;
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_bounds
    assign first_addr[v*AddrWidth+:AddrWidth] = AddrWidth'(first(v));
    assign last_addr[v*AddrWidth+:AddrWidth] = AddrWidth'(first(v + 1) - 1);
  end

  logic [FlitBits-1:0] data_mem [0:Words-1];
  logic [1:0] mark_mem [0:Words-1];

  logic [NumVcs*AddrWidth-1:0] write_addr_q, read_addr_q;
  logic [NumVcs-1:0] valid_q, head_q, tail_q;
  logic [NumVcs*RouteBits-1:0] route_bits_q;

  logic [AddrWidth-1:0] write_addr, write_addr_next, read_addr, read_addr_next;
  logic pop_last;  // the popped flit is the only one of its queue
  logic refill;    // the queue that is popped shows its next flit from the memory
  logic bypass;    // the written flit becomes head of line at once

  always_comb begin
    write_addr = '0;
    write_addr_next = '0;
    bypass = 1'b0;
    if (push_i) begin
      write_addr = write_addr_q[push_vc_i*AddrWidth+:AddrWidth];
      write_addr_next = write_addr == last_addr[push_vc_i*AddrWidth+:AddrWidth]
          ? first_addr[push_vc_i*AddrWidth+:AddrWidth] : write_addr + AddrWidth'(1);
      bypass = !valid_q[push_vc_i] || (pop_i && pop_last && pop_vc_i == push_vc_i);
    end
  end

  // The route bits of the head of line are in registers: the memory's copy of them is not read again.
  always_comb begin
    read_addr = read_addr_q[pop_vc_i*AddrWidth+:AddrWidth];
    read_addr_next = read_addr == last_addr[pop_vc_i*AddrWidth+:AddrWidth]
        ? first_addr[pop_vc_i*AddrWidth+:AddrWidth] : read_addr + AddrWidth'(1);
    pop_last = read_addr_next == write_addr_q[pop_vc_i*AddrWidth+:AddrWidth];
    refill = pop_i && !pop_last;
    pop_data_o = data_mem[read_addr];
    pop_data_o[RouteBits-1:0] = route_bits_q[pop_vc_i*RouteBits+:RouteBits];
  end

  assign valid_o = valid_q;
  assign head_o = head_q;
  assign tail_o = tail_q;
  assign route_bits_o = route_bits_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_addr_q <= first_addr;
      read_addr_q <= first_addr;
      valid_q <= '0;
    end else begin
      if (pop_i) begin
        read_addr_q[pop_vc_i*AddrWidth+:AddrWidth] <= read_addr_next;
        if (pop_last) valid_q[pop_vc_i] <= 1'b0;
      end
      if (push_i) begin
        write_addr_q[push_vc_i*AddrWidth+:AddrWidth] <= write_addr_next;
        valid_q[push_vc_i] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) begin
      data_mem[write_addr] <= push_data_i;
      mark_mem[write_addr] <= {push_head_i, push_tail_i};
    end
    if (refill) begin
      head_q[pop_vc_i] <= mark_mem[read_addr_next][1];
      tail_q[pop_vc_i] <= mark_mem[read_addr_next][0];
      route_bits_q[pop_vc_i*RouteBits+:RouteBits] <= data_mem[read_addr_next][RouteBits-1:0];
    end
    if (bypass) begin
      head_q[push_vc_i] <= push_head_i;
      tail_q[push_vc_i] <= push_tail_i;
      route_bits_q[push_vc_i*RouteBits+:RouteBits] <= push_data_i[RouteBits-1:0];
    end
  end

  if (StoreAndForward) begin : gen_complete
    // Tails in each queue: as many whole packets wait there.
    localparam int unsigned CountWidth = $clog2(Words + 1);
    logic [NumVcs*CountWidth-1:0] tails_q, tails_d;
    always_comb begin
      tails_d = tails_q;
      if (push_i && push_tail_i) begin
        tails_d[push_vc_i*CountWidth+:CountWidth] =
            tails_d[push_vc_i*CountWidth+:CountWidth] + CountWidth'(1);
      end
      if (pop_i && tail_q[pop_vc_i]) begin
        tails_d[pop_vc_i*CountWidth+:CountWidth] =
            tails_d[pop_vc_i*CountWidth+:CountWidth] - CountWidth'(1);
      end
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        complete_o[v] = tails_q[v*CountWidth+:CountWidth] != '0;
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) tails_q <= '0;
      else tails_q <= tails_d;
    end
  end else begin : gen_cut_through
    assign complete_o = '1;
  end

  `HW_ASSUME(a_credits_prevent_overflow,
             !(push_i && valid_q[push_vc_i] && write_addr == read_addr_q[push_vc_i*AddrWidth+:AddrWidth]))
  `HW_ASSERT(a_pop_only_valid, !pop_i || valid_q[pop_vc_i])

endmodule

`default_nettype wire
