// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The move of a packet at one input port of a dragonfly's router: port, VCs and what is written into
// the head flit, once its paths are known and, at the source, the choice is made.
//
// Latency 0, combinational: all inputs -> all outputs. Without valid_i port_o and vcs_o are 0.
// VCs are those of the step after the one that the packet came with: a step begins with each link
// between groups, and with the second way within a group. With OwnVcs
// a way to the destination that nobody revises begins on the last step but one, from the source (class Undecided) and from the intermediate router
// (class ToRouter), one within the destination's group on the last; with Reconsider non-minimal paths begin on step 1.
// Guarantees: with the ports of the paths asked for, a move of the proved relation (checked by `hopwise verify`).
// Reference: Kim et al. 2008; Jiang et al. 2009; relation `dragonfly` of the generator.
module hw_dragonfly_move #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned LocalPorts = 0,        // the lowest ports
  parameter bit FromTerminal = 1'b0,            // the input port is a terminal's,
  parameter bit FromLocal = 1'b0,               // leads to the group; else to another one
  parameter bit [NumVcs*4-1:0] VcSteps = '0,    // step of each VC
  parameter int unsigned NumSteps = 1,
  parameter bit [NumSteps*NumVcs-1:0] StepVcs = '0,  // VCs of each step
  parameter bit [NumVcs-1:0] OrderVcs = '0,     // one of each step, in each message class: for packets that keep their order
  parameter bit TakesNonminimal = 1'b0,
  parameter bit ThroughRouter = 1'b1,           // intermediate router, else group
  parameter bit Reconsider = 1'b0,
  parameter bit OwnVcs = 1'b0,                  // minimal paths have VCs of their own
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned G = hw_dragonfly_pkg::GroupBits,
  localparam int unsigned R = hw_dragonfly_pkg::RouterBits
) (
  input  wire logic                  valid_i,
  input  wire logic [R-1:0]          here_i,          // static: where this router stands
  input  wire logic [G-1:0]          group_i,
  // Packet: VC, destination, its terminal's port, class and intermediate in the head flit
  input  wire logic [VcWidth-1:0]    vc_i,
  input  wire logic [R-1:0]          dst_i,
  input  wire logic [G-1:0]          dst_group_i,
  input  wire logic [PortWidth-1:0]  terminal_i,
  input  wire logic [1:0]            class_i,         // hw_dragonfly_class_pkg
  input  wire logic [R-1:0]          via_i,
  input  wire logic [G-1:0]          via_group_i,
  input  wire logic                  ordered_i,       // keeps its order
  // Choice: made here, and for a non-minimal path
  input  wire logic                  deciding_i,
  input  wire logic                  nonminimal_i,
  // Paths: within the group; the best minimal one; the best non-minimal one and its intermediate
  input  wire logic [PortWidth-1:0]  near_port_i,
  input  wire logic [PortWidth-1:0]  min_port_i,
  input  wire logic [PortWidth-1:0]  non_port_i,
  input  wire logic [R-1:0]          non_via_i,
  input  wire logic [G-1:0]          non_group_i,
  // Move, and class and intermediate for the head flit
  output logic [PortWidth-1:0]       port_o,
  output logic [NumVcs-1:0]          vcs_o,
  output logic [1:0]                 class_o,
  output logic [R-1:0]               via_o,
  output logic [G-1:0]               group_o
);

  if (NumPorts == 0 || NumVcs == 0) begin : gen_unset
    $error("hw_dragonfly_move: NumPorts and NumVcs must be set");
  end
  if (OwnVcs && NumSteps < (Reconsider ? 4 : 3)) begin : gen_bad_own
    $error("hw_dragonfly_move: OwnVcs needs 3 steps, with Reconsider 4");
  end
  localparam int unsigned MinimalStep = OwnVcs ? NumSteps - 2 : 0, NonminimalStep = Reconsider ? 1 : 0;  // with OwnVcs

  logic [PortWidth-1:0] port;
  logic is_local, begins;                       // begins: a second way within this group
  logic [3:0] step;

  always_comb begin
    port_o = '0;
    vcs_o = '0;
    port = '0;
    is_local = 1'b0;
    begins = 1'b0;
    class_o = class_i;
    via_o = via_i;
    group_o = via_group_i;
    step = '0;
    if (valid_i) begin
      if (FromTerminal) group_o = group_i;              // minimal until decided otherwise
      if (dst_group_i == group_i) begin
        is_local = dst_i != here_i;
        port = is_local ? near_port_i : terminal_i;
        class_o = hw_dragonfly_class_pkg::Minimal;
      end else if (TakesNonminimal && class_i == hw_dragonfly_class_pkg::ToRouter && via_i != here_i) begin
        is_local = 1'b1;
        port = near_port_i;
      end else begin
        begins = FromLocal && TakesNonminimal && class_i == hw_dragonfly_class_pkg::ToRouter;
        port = min_port_i;
        if (deciding_i && nonminimal_i) begin
          begins = FromLocal;
          port = non_port_i;
          via_o = ThroughRouter ? non_via_i : '0;
          group_o = non_group_i;
          class_o = hw_dragonfly_class_pkg::ToGroup;
        end else if (deciding_i) begin
          class_o = Reconsider ? hw_dragonfly_class_pkg::Undecided : hw_dragonfly_class_pkg::Minimal;
        end else if (TakesNonminimal && class_i == hw_dragonfly_class_pkg::ToRouter) begin
          class_o = hw_dragonfly_class_pkg::Minimal;
        end
        is_local = port < PortWidth'(LocalPorts);
        if (!is_local) begin
          class_o = class_o == hw_dragonfly_class_pkg::ToGroup && ThroughRouter ? hw_dragonfly_class_pkg::ToRouter
                                                                    : hw_dragonfly_class_pkg::Minimal;
        end
      end
      if (!FromTerminal) step = VcSteps[vc_i*4+:4];
      if ((!FromTerminal && !FromLocal) || (begins && is_local)) step = step + 4'd1;
      if (deciding_i && nonminimal_i) begin
        if (OwnVcs) step = 4'(NonminimalStep);
      end else if (OwnVcs && class_o == hw_dragonfly_class_pkg::Minimal
          && (class_i == hw_dragonfly_class_pkg::Undecided || class_i == hw_dragonfly_class_pkg::ToRouter)) begin
        step = 4'(MinimalStep) + 4'(dst_group_i == group_i);
      end
      port_o = port;
      vcs_o = dst_group_i == group_i && dst_i == here_i ? NumVcs'(1) : StepVcs[step*NumVcs+:NumVcs];
      if (ordered_i && !(dst_group_i == group_i && dst_i == here_i)) vcs_o = vcs_o & OrderVcs;
    end
  end

  wire unused = &{1'b0, non_via_i, non_group_i, non_port_i, nonminimal_i};

endmodule

`default_nettype wire
