// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The virtual-channel buffers of one input port: NumVcs FIFO queues.
//
// Every VC shows the route bits and the head/tail marks of its head-of-line flit in registers, so that route
// computation and switch allocation of all VCs start from flip-flops. These bits lie in a small memory of each VC, which
// is read at the place behind the head of line; all other bits lie in one memory of the port, read for the flit that leaves.
// Both have one write and one read port.
//
// Latency: a flit written in cycle t is visible at the head of its (empty) queue in cycle t+1. The data of a flit popped
// in cycle t are out in t (ReadCycles 0) or in t+1 (ReadCycles 1).
// Throughput: one flit in and one flit out per cycle, of the same or of different VCs.
// Combinational paths: push_*, pop_* -> next_valid_o; pop_vc_i -> pop_data_o, with ReadCycles 0.
// Assumes: the upstream router holds credits, so a full queue is never written; only a valid VC is popped; a place is
// written again two cycles after its flit was popped, or later (ReadCycles 1).
// Guarantees: each queue keeps the order of its flits; none is lost or copied.
// Reference: Dally & Towles, "Principles and Practices of Interconnection Networks", section 17.1.
module hw_vc_buffer #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned RouteBits = 0,                  // low bits of a head flit that routing reads
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // flits, VC 0 in the low 16 bits
  parameter bit StoreAndForward = 1'b0,                  // complete_o follows whole packets, else it is all ones
  parameter int unsigned ReadCycles = 0,                 // from pop to data: 0 or 1
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
  output logic [NumVcs-1:0]                 next_valid_o,  // valid_o in the next cycle
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
  localparam int unsigned HeadBits = RouteBits + 2;

  if (NumVcs == 0 || FlitBits == 0 || RouteBits == 0) begin : gen_bad_size
    $error("hw_vc_buffer: NumVcs, FlitBits and RouteBits must be set");
  end
  if (RouteBits > FlitBits) begin : gen_bad_route
    $error("hw_vc_buffer: RouteBits must not exceed FlitBits");
  end

  logic [NumVcs*AddrWidth-1:0] write_index, read_index;  // places in the queues, one slice per VC
  // The head of line of every VC
  logic [NumVcs-1:0] valid_q, head_q, tail_q;
  logic [NumVcs*RouteBits-1:0] route_bits_q;

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    localparam int unsigned Depth = {16'b0, VcDepths[v*16+:16]};
    localparam int unsigned IndexWidth = Depth > 1 ? $clog2(Depth) : 1;
    localparam bit [IndexWidth-1:0] Last = IndexWidth'(Depth - 1);
    localparam bit Wraps = Depth == 1 << IndexWidth;  // an index goes from Last to 0 by itself

    logic [HeadBits-1:0] head_mem [0:Depth-1];  // {route bits, head, tail}
    logic [IndexWidth-1:0] write_q, read_q, read_next;
    logic only;                               // no flit is behind the head of line

    assign read_next = !Wraps && read_q == Last ? '0 : read_q + IndexWidth'(1);
    assign only = !valid_q[v] || read_next == write_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        write_q <= '0;
        read_q <= '0;
        valid_q[v] <= 1'b0;
      end else if (push_i || pop_i) begin
        if (pop_i && pop_vc_i == VcWidth'(v)) begin
          read_q <= read_next;
          if (only) valid_q[v] <= 1'b0;
        end
        if (push_i && push_vc_i == VcWidth'(v)) begin
          write_q <= !Wraps && write_q == Last ? '0 : write_q + IndexWidth'(1);
          valid_q[v] <= 1'b1;
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (push_i && push_vc_i == VcWidth'(v)) head_mem[write_q] <= {push_data_i[RouteBits-1:0], push_head_i, push_tail_i};
      // What is written into an empty queue, or behind a last flit that leaves, is head of line at once. The pop, which
      // comes late in the cycle, only enables the register.
      if ((pop_i && pop_vc_i == VcWidth'(v)) || (push_i && push_vc_i == VcWidth'(v) && !valid_q[v])) begin
        {route_bits_q[v*RouteBits+:RouteBits], head_q[v], tail_q[v]} <=
            only ? {push_data_i[RouteBits-1:0], push_head_i, push_tail_i} : head_mem[read_next];
      end
    end

    assign next_valid_o[v] = (push_i && push_vc_i == VcWidth'(v)) || (pop_i && pop_vc_i == VcWidth'(v) ? !only : valid_q[v]);
    assign write_index[v*AddrWidth+:AddrWidth] = AddrWidth'(write_q);
    assign read_index[v*AddrWidth+:AddrWidth] = AddrWidth'(read_q);

    `HW_ASSUME(a_credits_prevent_overflow, !(push_i && push_vc_i == VcWidth'(v) && valid_q[v] && write_q == read_q))
  end

  assign valid_o = valid_q;
  assign head_o = head_q;
  assign tail_o = tail_q;
  assign route_bits_o = route_bits_q;

  // The port's memory holds VC after VC.
  logic [AddrWidth-1:0] write_addr, pop_addr, data_addr;
  logic [RouteBits-1:0] pop_route, data_route;
  always_comb begin
    write_addr = '0;
    pop_addr = '0;
    pop_route = '0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      if (push_vc_i == VcWidth'(v)) write_addr = write_addr | (AddrWidth'(first(v)) + write_index[v*AddrWidth+:AddrWidth]);
      if (pop_vc_i == VcWidth'(v)) begin
        pop_addr = pop_addr | (AddrWidth'(first(v)) + read_index[v*AddrWidth+:AddrWidth]);
        pop_route = pop_route | route_bits_q[v*RouteBits+:RouteBits];
      end
    end
  end

  if (ReadCycles > 0) begin : gen_read_register
    logic [AddrWidth-1:0] data_addr_q;
    logic [RouteBits-1:0] data_route_q;
    always_ff @(posedge clk_i) begin
      if (pop_i) begin
        data_addr_q <= pop_addr;
        data_route_q <= pop_route;
      end
    end
    assign data_addr = data_addr_q;
    assign data_route = data_route_q;
  end else begin : gen_read_at_once
    assign data_addr = pop_addr;
    assign data_route = pop_route;
  end

  if (FlitBits > RouteBits) begin : gen_data
    logic [FlitBits-RouteBits-1:0] data_mem [0:Words-1];
    always_ff @(posedge clk_i) begin
      if (push_i) data_mem[write_addr] <= push_data_i[FlitBits-1:RouteBits];
    end
    assign pop_data_o = {data_mem[data_addr], data_route};
  end else begin : gen_no_data
    assign pop_data_o = data_route;
    wire unused_addr = &{1'b0, data_addr, write_addr};
  end

  if (StoreAndForward) begin : gen_complete
    // Tails in each queue: as many whole packets wait there.
    localparam int unsigned CountWidth = $clog2(Words + 1);
    logic [NumVcs*CountWidth-1:0] tails_q, tails_d;
    always_comb begin
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        tails_d[v*CountWidth+:CountWidth] = tails_q[v*CountWidth+:CountWidth]
            + CountWidth'(push_i && push_tail_i && push_vc_i == VcWidth'(v)) - CountWidth'(pop_i && tail_q[v] && pop_vc_i == VcWidth'(v));
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

  `HW_ASSERT(a_pop_only_valid, !pop_i || valid_o[pop_vc_i])

endmodule

`default_nettype wire
