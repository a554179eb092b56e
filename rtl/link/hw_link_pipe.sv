// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_channel.svh"

// Delay line of one channel: the wires of a link, or its repeaters and registers.
//
// Latency: exactly Latency (>= 1) cycles in each direction: what is on the input pins in cycle t is
//   on the output pins in cycle t+Latency, flits from sender to receiver, credits the other way.
// Throughput: one flit and one credit per cycle. How often a flit may enter is the sender's
//   business (hw_link_pacer).
// Combinational paths: none.
// Assumes: nothing; a link does not look at what it carries.
// Guarantees: nothing is lost, reordered or made up. Only the valid bits are reset; the payload of
//   an invalid slot is left as it was.
// Reference: Dally & Towles, Principles and Practices of Interconnection Networks, section 13.3
//   (credit-based flow control, round trip).
module hw_link_pipe #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned Latency = 0,
  localparam int unsigned VcWidth = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  // Sender's side
  `HW_CHANNEL_RECEIVER(up, 1),

  // Receiver's side
  `HW_CHANNEL_SENDER(down, 1)
);

  if (NumVcs == 0) begin : gen_bad_vcs
    $error("hw_link_pipe: NumVcs must be at least 1");
  end
  if (FlitBits == 0) begin : gen_bad_flit
    $error("hw_link_pipe: FlitBits must be at least 1");
  end
  if (Latency == 0) begin : gen_bad_latency
    $error("hw_link_pipe: Latency must be at least 1 cycle");
  end

  localparam int unsigned FlitWires = VcWidth + 2 + FlitBits;

  // Stage s is s+1 cycles behind the pins.
  for (genvar s = 0; s < Latency; s = s + 1) begin : gen_stage
    logic flit_valid, flit_valid_q, credit_valid, credit_valid_q;
    logic [FlitWires-1:0] flit, flit_q;
    logic [VcWidth-1:0] credit_vc, credit_vc_q;

    if (s == 0) begin : gen_first
      assign flit_valid = up_valid_i;
      assign flit = `HW_CHANNEL_FLIT(up, i);
      assign credit_valid = down_credit_valid_i;
      assign credit_vc = down_credit_vc_i;
    end else begin : gen_next
      assign flit_valid = gen_stage[s-1].flit_valid_q;
      assign flit = gen_stage[s-1].flit_q;
      assign credit_valid = gen_stage[s-1].credit_valid_q;
      assign credit_vc = gen_stage[s-1].credit_vc_q;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        flit_valid_q <= 1'b0;
        credit_valid_q <= 1'b0;
      end else begin
        flit_valid_q <= flit_valid;
        credit_valid_q <= credit_valid;
      end
    end

    always_ff @(posedge clk_i) begin
      if (flit_valid) flit_q <= flit;
      if (credit_valid) credit_vc_q <= credit_vc;
    end
  end

  assign down_valid_o = gen_stage[Latency-1].flit_valid_q;
  assign `HW_CHANNEL_FLIT(down, o) = gen_stage[Latency-1].flit_q;
  assign up_credit_valid_o = gen_stage[Latency-1].credit_valid_q;
  assign up_credit_vc_o = gen_stage[Latency-1].credit_vc_q;

  `HW_COVER(c_flit_and_credit_together, down_valid_o && up_credit_valid_o)

endmodule

`default_nettype wire
