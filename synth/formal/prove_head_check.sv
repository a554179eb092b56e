// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_head_check, for every head: without a cause all of its fields are in range and its parity is even; a head whose parity
// is even is never said to have a bad one; and a head in which one protected bit flips always is, whatever the bit makes of it.
module prove_head_check #(
  parameter int unsigned FlitBits = 20,
  localparam int unsigned FlipBits = $clog2(FlitBits)
) (
  input wire logic                 clk_i,
  input wire logic [FlitBits-1:0]  head_i,
  input wire logic [FlipBits-1:0]  flip_i
);

  // Destination [1:0] of 3, [11] and [13], between which 0 stands, length [4:2] of 1 to 4, class [6:5], hops [9:7] of at most 5,
  // parity [15], payload above and at 10
  localparam bit [FlitBits-1:0] Mask = FlitBits'(20'h0fbff);
  logic [hw_drop_pkg::CauseBits-1:0] cause, flipped_cause;
  logic [FlitBits-1:0] flipped;
  logic even, is_protected;
  assign flipped = head_i ^ (FlitBits'(1) << flip_i);
  assign even = !(^(head_i & Mask));
  assign is_protected = ((Mask >> flip_i) & FlitBits'(1)) != '0;

  hw_head_check #(
    .FlitBits(FlitBits), .NumFields(3), .FieldLsbs(24'h0d0b00), .FieldBits(24'h010102), .FieldSizes(48'h000200020003),
    .DstLsb(11), .DstBits(3), .MaxFlits(4), .LenLsb(2), .LenBits(3),
    .ClassLsb(5), .ClassBits(2), .ParityMask(Mask), .HopLsb(7), .HopBits(3), .HopLimit(5)
  ) u_dut (
    .head_i(head_i), .cause_o(cause)
  );
  hw_head_check #(
    .FlitBits(FlitBits), .NumFields(3), .FieldLsbs(24'h0d0b00), .FieldBits(24'h010102), .FieldSizes(48'h000200020003),
    .DstLsb(11), .DstBits(3), .MaxFlits(4), .LenLsb(2), .LenBits(3),
    .ClassLsb(5), .ClassBits(2), .ParityMask(Mask), .HopLsb(7), .HopBits(3), .HopLimit(5)
  ) u_flipped (
    .head_i(flipped), .cause_o(flipped_cause)
  );

  always @(posedge clk_i) begin
    a_destination: assert (cause != '0 || head_i[1:0] != 2'd3);
    a_gap: assert (cause != '0 || !head_i[12]);
    a_length: assert (cause != '0 || (head_i[4:2] != 3'd0 && head_i[4:2] <= 3'd4));
    a_class: assert (cause != '0 || head_i[6:5] == 2'd0);
    a_hops: assert (cause != '0 || head_i[9:7] < 3'd5);
    a_no_more: assert (cause == '0 || !even || head_i[1:0] == 2'd3 || head_i[12] || head_i[4:2] == 3'd0 || head_i[4:2] > 3'd4 ||
                       head_i[6:5] != 2'd0 || head_i[9:7] >= 3'd5);
    a_even: assert ((cause == hw_drop_pkg::BadParity) == !even);
    a_flip: assert (!even || !is_protected || flipped_cause == hw_drop_pkg::BadParity);
    a_payload: assert (is_protected || flipped_cause == cause);
    c_good: cover (cause == '0);
    c_flip: cover (cause == '0 && flipped_cause != '0);
  end

endmodule

`default_nettype wire
