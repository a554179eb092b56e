// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A place where a pipeline may have a register.
//
// Latency: 1 cycle where Registered, else 0: wires. Throughput: one item per cycle; nothing stalls.
// Combinational paths: none where Registered. Reset: to 0 where Cleared (valid bits), else none (data).
module hw_pipe_register #(
  parameter int unsigned Width = 0,
  parameter bit Registered = 1'b1,
  parameter bit Cleared = 1'b0
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [Width-1:0] data_i,
  output logic [Width-1:0]      data_o
);

  if (Width == 0) begin : gen_bad_width
    $error("hw_pipe_register: Width must be set");
  end

  if (!Registered) begin : gen_wires
    assign data_o = data_i;
    wire unused = &{1'b0, clk_i, rst_ni};
  end else if (Cleared) begin : gen_cleared
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) data_q <= '0;
      else data_q <= data_i;
    end
    assign data_o = data_q;
  end else begin : gen_data
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i) data_q <= data_i;
    assign data_o = data_q;
    wire unused = &{1'b0, rst_ni};
  end

endmodule

`default_nettype wire
