// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Checks at run time that route computation names only output VCs that the input port of its question is wired to: a packet
// that is sent elsewhere would wait for ever.
//
// A check, not hardware: empty under synthesis. One response per input port and cycle.
// VcTurns: of each output VC the input ports that are wired to it, see hw_turns.svh.
module hw_answer_monitor #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumCands = 1,                   // candidates of a response
  parameter bit [NumPorts*NumVcs*NumPorts-1:0] VcTurns = {NumPorts*NumVcs*NumPorts{1'b1}},
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_ni,
  // The responses of this cycle, per input port
  input  wire logic [NumPorts-1:0]                     rsp_valid_i,
  input  wire logic [NumPorts*NumCands*PortWidth-1:0]  rsp_port_i,
  input  wire logic [NumPorts*NumCands*NumVcs-1:0]     rsp_vcs_i
);

  if (NumPorts == 0 || NumVcs == 0 || NumCands == 0) begin : gen_bad_size
    $error("hw_answer_monitor: NumPorts, NumVcs and NumCands must be set");
  end

`ifdef HW_CHECKS
  logic [NumPorts-1:0] wired;
  always_comb begin
    wired = '1;
    for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
      for (int unsigned k = p * NumCands; k < (p + 1) * NumCands; k = k + 1) begin
        for (int unsigned o = 0; o < NumPorts * NumVcs; o = o + 1) begin
          if (rsp_valid_i[p] && rsp_vcs_i[k*NumVcs+o%NumVcs] && !VcTurns[o*NumPorts+p]
              && rsp_port_i[k*PortWidth+:PortWidth] == PortWidth'(o / NumVcs)) begin
            wired[p] = 1'b0;
          end
        end
      end
    end
  end
  `HW_ASSERT(a_answer_is_in_the_proved_relation, wired == '1)
`else
  wire unused = &{1'b0, clk_i, rst_ni, rsp_valid_i, rsp_port_i, rsp_vcs_i, VcTurns[0]};
`endif

endmodule

`default_nettype wire
