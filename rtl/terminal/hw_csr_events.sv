// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Events that software is told of: a bit for each stays until it is cleared, and raises the interrupt where its mask is set.
//
// Latency: an event of cycle c is in status_o and on irq_o from c+1 on. Combinational paths: none.
// Guarantees: an event of the cycle in which its bit is cleared is not lost. irq_o is high as long as a bit is set in status and
//   mask. Without events and writes nothing changes. Checked by the tests of hw_csr.
module hw_csr_events #(
  parameter int unsigned NumEvents = 0
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic [NumEvents-1:0]  event_i,
  // Bits that are cleared in status, and written into the mask
  input  wire logic [NumEvents-1:0]  clear_i,
  input  wire logic [NumEvents-1:0]  mask_write_i,
  input  wire logic [NumEvents-1:0]  mask_data_i,
  output logic [NumEvents-1:0]       status_o,
  output logic [NumEvents-1:0]       mask_o,
  output logic                       irq_o
);

  if (NumEvents == 0 || NumEvents > 32) begin : gen_bad_events
    $error("hw_csr_events: NumEvents must be 1 to 32");
  end

  logic [NumEvents-1:0] status_q, mask_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      status_q <= '0;
      mask_q <= '0;
    end else begin
      status_q <= (status_q & ~clear_i) | event_i;
      mask_q <= (mask_q & ~mask_write_i) | (mask_data_i & mask_write_i);
    end
  end

  assign status_o = status_q;
  assign mask_o = mask_q;
  assign irq_o = (status_q & mask_q) != '0;

  `HW_COVER(c_event_while_cleared, (event_i & clear_i) != '0)

endmodule

`default_nettype wire
