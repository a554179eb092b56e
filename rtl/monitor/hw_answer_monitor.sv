// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Checks at run time that route computation names only output VCs that the input port of its question is wired to, and one
// at least that the VC of the packet may take, where it names any: else the packet would wait for ever.
//
// A check, not hardware: empty under synthesis. One response per input port and cycle.
// VcTurns: of each output VC the input ports that are wired to it, see hw_turns.svh. TurnTable: see hw_turn_monitor.
module hw_answer_monitor #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumCands = 1,                   // candidates of a response
  parameter bit [NumPorts*NumVcs*NumPorts-1:0] VcTurns = {NumPorts*NumVcs*NumPorts{1'b1}},
  parameter bit [NumPorts*NumVcs*NumPorts*NumVcs-1:0] TurnTable = {NumPorts*NumVcs*NumPorts*NumVcs{1'b1}},
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_ni,
  // The responses of this cycle, per input port
  input  wire logic [NumPorts-1:0]                     rsp_valid_i,
  input  wire logic [NumPorts*VcWidth-1:0]             rsp_vc_i,    // of the packet
  input  wire logic [NumPorts*NumCands*PortWidth-1:0]  rsp_port_i,
  input  wire logic [NumPorts*NumCands*NumVcs-1:0]     rsp_vcs_i
);

  if (NumPorts == 0 || NumVcs == 0 || NumCands == 0) begin : gen_bad_size
    $error("hw_answer_monitor: NumPorts, NumVcs and NumCands must be set");
  end

`ifdef HW_CHECKS
  logic [NumPorts-1:0] wired, named, leads;
  always_comb begin
    wired = '1;
    named = '0;
    leads = '0;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      for (int unsigned k = p * NumCands; k < (p + 1) * NumCands; k = k + 1) begin
        for (int unsigned o = 0; o < NumPorts * NumVcs; o = o + 1) begin
          if (rsp_valid_i[p] && rsp_vcs_i[k*NumVcs+o%NumVcs] && rsp_port_i[k*PortWidth+:PortWidth] == PortWidth'(o / NumVcs)) begin
            named[p] = 1'b1;
            if (!VcTurns[o*NumPorts+p]) wired[p] = 1'b0;
            if (TurnTable[(p*NumVcs+32'(rsp_vc_i[p*VcWidth+:VcWidth]))*NumPorts*NumVcs+o]) leads[p] = 1'b1;
          end
        end
      end
    end
  end
  `HW_ASSERT(a_answer_is_in_the_proved_relation, wired == '1)
  `HW_ASSERT(a_answer_leads_somewhere, leads == named)
`else
  wire unused = &{1'b0, clk_i, rst_ni, rsp_valid_i, rsp_vc_i, rsp_port_i, rsp_vcs_i, VcTurns[0], TurnTable[0]};
`endif

endmodule

`default_nettype wire
