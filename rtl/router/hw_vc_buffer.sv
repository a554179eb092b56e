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
  parameter int unsigned RouteBits = 0,                  // low bits of a head flit that the router reads
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
  localparam int unsigned DataBits = FlitBits > RouteBits ? FlitBits - RouteBits : 1;
  localparam int unsigned HeadBits = RouteBits + 2;

  if (NumVcs == 0 || FlitBits == 0 || RouteBits == 0) begin : gen_bad_size
    $error("hw_vc_buffer: NumVcs, FlitBits and RouteBits must be set");
  end
  if (RouteBits > FlitBits) begin : gen_bad_route
    $error("hw_vc_buffer: RouteBits must not exceed FlitBits");
  end

  logic [NumVcs-1:0] push, pop;
  assign push = push_i ? NumVcs'(1) << push_vc_i : '0;
  assign pop = pop_i ? NumVcs'(1) << pop_vc_i : '0;

  logic [HeadBits-1:0] pushed;
  assign pushed = {push_data_i[RouteBits-1:0], push_head_i, push_tail_i};

  // Addresses in the port's memory, per VC.
  logic [AddrWidth-1:0] write_addr [0:NumVcs-1];
  logic [AddrWidth-1:0] read_addr [0:NumVcs-1];
  logic [RouteBits-1:0] route [0:NumVcs-1];
  logic [NumVcs-1:0] tail;

  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    localparam int unsigned Depth = {16'b0, VcDepths[v*16+:16]};
    localparam int unsigned IndexWidth = Depth > 1 ? $clog2(Depth) : 1;
    localparam bit [IndexWidth-1:0] Last = IndexWidth'(Depth - 1);

    logic [HeadBits-1:0] head_mem [0:Depth-1];
    logic [IndexWidth-1:0] write_q, read_q, read_next;
    logic [HeadBits-1:0] head_q;              // {route bits, head, tail} of the head of line
    logic valid_q, only;                      // only: one flit is in the queue

    assign read_next = read_q == Last ? '0 : read_q + IndexWidth'(1);
    assign only = read_next == write_q;
    assign next_valid_o[v] = push[v] || (pop[v] ? !only : valid_q);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        write_q <= '0;
        read_q <= '0;
        valid_q <= 1'b0;
      end else begin
        if (pop[v]) read_q <= read_next;
        if (push[v]) write_q <= write_q == Last ? '0 : write_q + IndexWidth'(1);
        valid_q <= next_valid_o[v];
      end
    end

    always_ff @(posedge clk_i) begin
      if (push[v]) head_mem[write_q] <= pushed;
      // What is written into an empty queue, or behind a last flit that leaves, is head of line at once. The pop, which
      // comes late in the cycle, only enables the register.
      if (pop[v] || (push[v] && !valid_q)) head_q <= valid_q && !only ? head_mem[read_next] : pushed;
    end

    assign write_addr[v] = AddrWidth'(first(v)) + AddrWidth'(write_q);
    assign read_addr[v] = AddrWidth'(first(v)) + AddrWidth'(read_q);
    assign valid_o[v] = valid_q;
    assign head_o[v] = head_q[1];
    assign tail[v] = head_q[0];
    assign route[v] = head_q[HeadBits-1:2];
    assign route_bits_o[v*RouteBits+:RouteBits] = route[v];

    `HW_ASSUME(a_credits_prevent_overflow, !(push[v] && valid_q && write_q == read_q))
  end

  assign tail_o = tail;

  logic [AddrWidth-1:0] pop_addr, data_addr;
  logic [RouteBits-1:0] pop_route, data_route;
  assign pop_addr = read_addr[pop_vc_i];
  assign pop_route = route[pop_vc_i];

  if (ReadCycles > 0) begin : gen_read_register
    always_ff @(posedge clk_i) begin
      if (pop_i) begin
        data_addr <= pop_addr;
        data_route <= pop_route;
      end
    end
  end else begin : gen_read_at_once
    assign data_addr = pop_addr;
    assign data_route = pop_route;
  end

  if (FlitBits > RouteBits) begin : gen_data
    logic [DataBits-1:0] data_mem [0:Words-1];
    always_ff @(posedge clk_i) begin
      if (push_i) data_mem[write_addr[push_vc_i]] <= push_data_i[FlitBits-1:RouteBits];
    end
    assign pop_data_o = {data_mem[data_addr], data_route};
  end else begin : gen_no_data
    assign pop_data_o = data_route;
    wire unused_addr = &{1'b0, data_addr, write_addr[0]};
  end

  if (StoreAndForward) begin : gen_complete
    // Tails in each queue: as many whole packets wait there.
    localparam int unsigned CountWidth = $clog2(Words + 1);
    logic [NumVcs*CountWidth-1:0] tails_q, tails_d;
    always_comb begin
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        tails_d[v*CountWidth+:CountWidth] = tails_q[v*CountWidth+:CountWidth]
            + CountWidth'(push[v] && push_tail_i) - CountWidth'(pop[v] && tail[v]);
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
