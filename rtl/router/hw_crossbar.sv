// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_turns.svh"

// Crossbar: every output port shows the flit of the input port that it selects.
//
// Only the crosspoints of Turns exist; an output port selects among its own inputs, counted from 0, so that its
// multiplexer has no other ones.
// Combinational; an output whose select is not used in this cycle shows any input.
// Reference: Dally & Towles, section 17.1.
module hw_crossbar #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned Width = 0,
  parameter bit [NumPorts*NumPorts-1:0] Turns = {NumPorts*NumPorts{1'b1}},  // bit out * NumPorts + in
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1
) (
  input  wire logic [NumPorts*Width-1:0]      data_i,
  input  wire logic [NumPorts*PortWidth-1:0]  sel_i,   // per output port: rank(out, in) of its input port
  output logic [NumPorts*Width-1:0]           data_o
);

  if (NumPorts == 0 || Width == 0) begin : gen_bad_size
    $error("hw_crossbar: NumPorts and Width must be set");
  end

  `HW_TURN_RANK(NumPorts, Turns)

  for (genvar o = 0; o < NumPorts; o = o + 1) begin : gen_out
    localparam int unsigned Inputs = rank(o, NumPorts);
    localparam int unsigned SelWidth = Inputs > 1 ? $clog2(Inputs) : 1;
    logic [SelWidth-1:0] sel;
    logic [Width-1:0] data;
    assign sel = sel_i[o*PortWidth+:SelWidth];
    // From the last input down to the first: no select means another input than the last one.
    always_comb begin
      data = '0;
      for (int unsigned i = 1; i <= NumPorts; i = i + 1) begin
        if (Turns[o*NumPorts+NumPorts-i] && (rank(o, NumPorts - i) == Inputs - 1 || sel == SelWidth'(rank(o, NumPorts - i)))) begin
          data = data_i[(NumPorts-i)*Width+:Width];
        end
      end
    end
    assign data_o[o*Width+:Width] = data;
  end

  wire unused = &{1'b0, sel_i, data_i};

endmodule

`default_nettype wire
