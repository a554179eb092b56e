// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Crossbar: every output port shows the flit of the input port that it selects.
//
// Combinational; an output whose select is not used in this cycle shows any input.
// Reference: Dally & Towles, section 17.1.
module hw_crossbar #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned Width = 0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1
) (
  input  wire logic [NumPorts*Width-1:0]      data_i,
  input  wire logic [NumPorts*PortWidth-1:0]  sel_i,   // per output port: its input port
  output logic [NumPorts*Width-1:0]           data_o
);

  if (NumPorts == 0 || Width == 0) begin : gen_bad_size
    $error("hw_crossbar: NumPorts and Width must be set");
  end

  // An array, so that a select is one index; selects beyond NumPorts do not occur.
  logic [Width-1:0] flit [0:NumPorts-1];
  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_ports
    assign flit[p] = data_i[p*Width+:Width];
    assign data_o[p*Width+:Width] = flit[sel_i[p*PortWidth+:PortWidth]];
  end

endmodule

`default_nettype wire
