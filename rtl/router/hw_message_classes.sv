// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Message classes between a routing unit and the router: each has NumVcs / NumClasses VCs, and a packet stays in those of its
// class. The unit sees the VC of a question and all channels as they are, but answers for the first class: its VCs are moved
// here to the class of the VC that asked, those of ejection channels, of which each class has one, too.
//
// Latency 0, throughput one answer per port and cycle. Combinational paths: all inputs to the output. No state.
// Assumes: VC sets of the first class in the low bits of each answer; what stands in the others does not matter.
// Guarantees: rsp_vcs_o names VCs of rsp_vc_i's class only, as many as the unit gave. Checked by hw_answer_monitor, which knows
//   the turns of each VC, and by `hopwise verify`.
// Reference: Dally & Towles, section 14.3 (deadlock between protocol levels).
module hw_message_classes #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned NumClasses = 0,
  parameter int unsigned NumCands = 1,                   // candidates of an answer
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic [NumPorts*VcWidth-1:0]          rsp_vc_i,
  input  wire logic [NumPorts*NumCands*NumVcs-1:0]  rsp_vcs_i,
  output logic [NumPorts*NumCands*NumVcs-1:0]       rsp_vcs_o
);

  if (NumPorts == 0 || NumClasses == 0 || NumVcs == 0 || NumVcs % NumClasses != 0) begin : gen_bad_size
    $error("hw_message_classes: NumPorts and NumVcs must be set, NumVcs a multiple of NumClasses");
  end

  localparam int unsigned Own = NumVcs / NumClasses;     // VCs of a class

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
    logic [NumVcs-1:0] vc;                               // one-hot
    assign vc = NumVcs'(1) << rsp_vc_i[p*VcWidth+:VcWidth];
    for (genvar k = 0; k < NumCands; k = k + 1) begin : gen_candidate
      for (genvar c = 0; c < NumClasses; c = c + 1) begin : gen_class
        assign rsp_vcs_o[(p*NumCands+k)*NumVcs+c*Own+:Own] =
            vc[c*Own+:Own] != '0 ? rsp_vcs_i[(p*NumCands+k)*NumVcs+:Own] : '0;
      end
    end
  end

  wire unused = &{1'b0, rsp_vcs_i};

endmodule

`default_nettype wire
