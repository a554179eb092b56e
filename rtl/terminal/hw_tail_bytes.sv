// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What TKEEP says of a beat: whether it may be a packet's, and how many bytes of its last beat are the packet's. All bytes are, but at the end
// of the last beat, of which one at least is.
//
// Combinational.
module hw_tail_bytes #(
  parameter int unsigned KeepBits = 0,                   // bytes of a beat
  localparam int unsigned BytesBits = KeepBits > 1 ? $clog2(KeepBits) : 1
) (
  input  wire logic [KeepBits-1:0]   keep_i,
  input  wire logic                  last_i,
  output logic                       bad_o,      // a null byte stands before one that is the packet's, or where all have to be
  output logic [BytesBits-1:0]       bytes_o     // less 1; of a last beat that is not bad
);

  if (KeepBits == 0) begin : gen_bad_size
    $error("hw_tail_bytes: KeepBits must be set");
  end

  logic [KeepBits-1:0] after_null;               // bytes behind a null one
  assign after_null = ~keep_i << 1;

  always_comb begin
    bad_o = !keep_i[0] || (keep_i & after_null) != '0 || (!last_i && keep_i != '1);
    bytes_o = '0;
    for (int unsigned b = 0; b < KeepBits; b = b + 1) begin
      if (keep_i[b]) bytes_o = BytesBits'(b);
    end
  end

endmodule

`default_nettype wire
