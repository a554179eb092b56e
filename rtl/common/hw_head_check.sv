// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Whether a head that arrives can be routed at all: its parity is even, its destination is in the network, its length is one that
// packets have, at a terminal's port it has not begun to be routed, and behind a link it has not crossed too many.
//
// Combinational; of several causes the first of {BadParity, BadDestination, BadLength, BadClass, HopLimit}, see hw_drop_pkg. A field
// whose every value is in range costs nothing.
// Guarantees: routing that sees only heads without a cause is asked for destinations of the network alone. Checked by the tests of
// hw_router.
module hw_head_check #(
  parameter int unsigned FlitBits = 0,
  parameter int unsigned NumFields = 1,                  // of the destination: coordinates, terminal slot
  parameter bit [NumFields*8-1:0] FieldLsbs = '0,
  parameter bit [NumFields*8-1:0] FieldBits = '0,
  parameter bit [NumFields*16-1:0] FieldSizes = '0,      // values of each, from 0 on
  parameter int unsigned DstLsb = 0,                     // of the address that the fields are in
  parameter int unsigned DstBits = 0,                    // 0, or no fields: bits of it that are in none are not looked at
  parameter int unsigned MaxFlits = 1,
  parameter int unsigned LenLsb = 0,
  parameter int unsigned LenBits = 0,                    // 0: there is no length
  parameter int unsigned LenOffset = 0,
  parameter int unsigned ClassLsb = 0,
  parameter int unsigned ClassBits = 0,                  // 0: it is not looked at
  parameter bit [FlitBits-1:0] ParityMask = '0,          // bits of a head of which an even number is 1; 0: there is no parity
  parameter int unsigned HopLsb = 0,                     // of the number of links crossed before this one
  parameter int unsigned HopBits = 0,                    // 0: it is not looked at
  parameter int unsigned HopLimit = 0                    // links
) (
  input  wire logic [FlitBits-1:0]                       head_i,
  output logic [hw_drop_pkg::CauseBits-1:0]            cause_o    // 0: none
);

  if (FlitBits == 0) begin : gen_bad_size
    $error("hw_head_check: FlitBits must be set");
  end

  localparam int unsigned LenWidth = LenBits > 0 ? LenBits : 1;
  localparam int unsigned ClassWidth = ClassBits > 0 ? ClassBits : 1;
  localparam int unsigned HopWidth = HopBits > 0 ? HopBits : 1;

  logic [15:0] field, of_field;
  logic [32:0] address;
  logic [FlitBits-1:0] gaps;                             // bits of the address that are in no field
  logic [LenWidth:0] length;

  always_comb begin
    cause_o = hw_drop_pkg::NoCause;
    field = '0;
    of_field = '0;
    gaps = '0;
    address = (33'd1 << DstBits) - 33'd1;
    if (FieldBits != '0) gaps = FlitBits'(address) << DstLsb;
    length = {1'b0, head_i[LenLsb+:LenWidth]};
    if (HopBits > 0 && 32'(head_i[HopLsb+:HopWidth]) >= HopLimit) cause_o = hw_drop_pkg::HopLimit;
    if (ClassBits > 0 && head_i[ClassLsb+:ClassWidth] != '0) cause_o = hw_drop_pkg::BadClass;
    if (LenBits > 0 && 32'(length) + LenOffset == 0) cause_o = hw_drop_pkg::BadLength;
    if (LenBits > 0 && 32'(length) + LenOffset > MaxFlits) cause_o = hw_drop_pkg::BadLength;
    for (int unsigned f = 0; f < NumFields; f = f + 1) begin
      of_field = 16'((17'd1 << FieldBits[f*8+:8]) - 17'd1);
      field = 16'(head_i >> FieldLsbs[f*8+:8]) & of_field;
      gaps = gaps & ~(FlitBits'(of_field) << FieldLsbs[f*8+:8]);
      if (FieldBits[f*8+:8] != '0 && field >= FieldSizes[f*16+:16]) cause_o = hw_drop_pkg::BadDestination;
    end
    if ((head_i & gaps) != '0) cause_o = hw_drop_pkg::BadDestination;
    if (^(head_i & ParityMask)) cause_o = hw_drop_pkg::BadParity;
  end

  wire unused = &{1'b0, head_i, address};

endmodule

`default_nettype wire
