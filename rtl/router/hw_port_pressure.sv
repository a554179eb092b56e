// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Which input ports press: a quarter of their places are taken, so that more comes than goes. See hw_port_turns.
//
// Latency: a flit or a credit of cycle t counts from t+2 on. Combinational paths: none. Without Measured none presses.
module hw_port_pressure #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter bit [NumVcs*16-1:0] VcDepths = '0,           // of every port
  parameter bit Measured = 1'b0
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic [NumPorts-1:0]  in_valid_i,          // a flit comes
  input  wire logic [NumPorts-1:0]  in_credit_valid_i,   // a place has become free
  output logic [NumPorts-1:0]       pressing_o
);

  if (NumPorts == 0 || NumVcs == 0) begin : gen_bad_size
    $error("hw_port_pressure: NumPorts and NumVcs must be set");
  end

  function automatic int unsigned places();
    places = 0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) places = places + 32'(VcDepths[v*16+:16]);
  endfunction

  if (Measured) begin : gen_measured
    localparam int unsigned Places = places();
    localparam int unsigned PlacesWidth = $clog2(Places + 1);
    localparam int unsigned Pressing = (Places + 3) / 4;
    logic [NumPorts-1:0] pressing_q;
    for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_port
      logic [PlacesWidth-1:0] flits;
      logic empty;
      wire unused = &{1'b0, empty};
      hw_occupancy #(.NumPorts(1), .Width(PlacesWidth)) u_occupancy (
        .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i[p]), .in_credit_valid_i(in_credit_valid_i[p]),
        .flits_o(flits), .empty_o(empty)
      );
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) pressing_q[p] <= 1'b0;
        else pressing_q[p] <= flits >= PlacesWidth'(Pressing);
      end
    end
    assign pressing_o = pressing_q;
  end else begin : gen_none
    assign pressing_o = '0;
    wire unused = &{1'b0, clk_i, rst_ni, in_valid_i, in_credit_valid_i};
  end

endmodule

`default_nettype wire
