// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// Lets one waiting head of the router after the other have an output VC reserved, so that none is passed for ever.
//
// Where packets hold their ports (HoldPacket) an input port that is sending asks for nothing else. What comes free meanwhile, room or an
// output port, goes to others, and packets of equal lengths keep step: it may come free while the port is sending, each time. The turns
// of the allocator do not see it, as they are among those that ask. So a look goes round the VCs of all input ports, and stays with a
// head that waits with its route for Cycles cycles. In the last half of them the first VC of its last candidate, its escape where it
// has several, is reserved: heads of other input ports leave it alone, and with room for the longest packet there the whole output port.
//
// Bound: a head that stays is looked at no later than NumPorts * NumVcs * (Cycles + 1) cycles after it came, and leaves then if within
// Cycles / 2 cycles there is room for it in that VC, and its input port has sent the packets that are ahead of it.
// Deadlock: no reservation lasts longer than Cycles / 2 cycles, and none is for a VC that the head may not take.
//
// Latency: what the heads await is seen a cycle late, so the look stays with each VC for 2 cycles at least; what is reserved, and room
// there, two. Combinational paths: none. Without a head that waits nothing changes but the place of the look, and that only with busy_i.
module hw_head_reservation #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned Cycles = 0,                     // a power of two, 4 or more: many times that of the longest packet on a link
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  input  wire logic                                busy_i,      // a flit is buffered
  output logic [VcWidth-1:0]                       look_vc_o,
  // Per input port: the output VCs of the last candidate of that VC's head; none where none waits, or it leaves
  input  wire logic [NumPorts*NumPorts*NumVcs-1:0] awaits_i,
  input  wire logic [NumPorts*NumVcs-1:0]          room_i,      // of the output VCs: for the longest packet, whoever owns it
  // Per input port: output VCs that its heads leave alone
  output logic [NumPorts*NumPorts*NumVcs-1:0]      reserved_o,
  output logic                                     at_rest_o
);

  localparam int unsigned CountBits = $clog2(Cycles);

  if (NumPorts < 2 || NumVcs == 0 || CountBits < 2 || Cycles != 1 << CountBits) begin : gen_bad_size
    $error("hw_head_reservation: NumPorts must be at least 2, NumVcs be set, and Cycles a power of two from 4 on");
  end

  `HW_ROUND_ROBIN_ONE_HOT(first_vc, NumVcs)

  // The look.
  logic [NumPorts-1:0] port_q;                   // the input port
  logic [VcWidth-1:0] vc_q;
  logic [CountBits-1:0] count_q;                 // cycles that a head there has been seen
  logic [NumPorts*NumVcs-1:0] awaits, awaits_q;  // of that port, once the look is settled
  logic settled_q, stays;
  always_comb begin
    awaits = '0;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      if (port_q[p]) awaits = awaits | awaits_i[p*NumPorts*NumVcs+:NumPorts*NumVcs];
    end
  end
  always_ff @(posedge clk_i) awaits_q <= awaits;
  assign stays = settled_q && awaits_q != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      port_q <= NumPorts'(1);
      vc_q <= '0;
      count_q <= '0;
      settled_q <= 1'b0;
    end else begin
      settled_q <= 1'b1;
      if (stays && count_q != '1) begin
        count_q <= count_q + CountBits'(1);
      end else begin
        count_q <= '0;
        if (busy_i && settled_q) begin
          port_q <= {port_q[NumPorts-2:0], port_q[NumPorts-1]};
          if (port_q[NumPorts-1]) vc_q <= vc_q == VcWidth'(NumVcs - 1) ? '0 : vc_q + VcWidth'(1);
          settled_q <= 1'b0;
        end
      end
    end
  end
  assign look_vc_o = vc_q;

  // What is reserved: the output VC, or all of the output port.
  logic [NumPorts*NumVcs-1:0] first, wanted, reserved_q;
  for (genvar o = 0; o < NumPorts; o = o + 1) begin : gen_output
    assign first[o*NumVcs+:NumVcs] = first_vc(awaits_q[o*NumVcs+:NumVcs], '0);
    assign wanted[o*NumVcs+:NumVcs] = first[o*NumVcs+:NumVcs] | {NumVcs{(first[o*NumVcs+:NumVcs] & room_i[o*NumVcs+:NumVcs]) != '0}};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reserved_q <= '0;
    else reserved_q <= stays && count_q[CountBits-1] && count_q != '1 ? wanted : '0;
  end
  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_others
    assign reserved_o[p*NumPorts*NumVcs+:NumPorts*NumVcs] = port_q[p] ? '0 : reserved_q;
  end
  assign at_rest_o = settled_q && !stays && count_q == '0 && reserved_q == '0;

`ifdef HW_CHECKS
  logic [NumPorts-1:0] held;                     // output ports of which something is reserved
  for (genvar o = 0; o < NumPorts; o = o + 1) begin : gen_held
    assign held[o] = reserved_q[o*NumVcs+:NumVcs] != '0;
  end
`endif
  `HW_ASSERT(a_one_at_a_time, $onehot(port_q) && $onehot0(held))

endmodule

`default_nettype wire
