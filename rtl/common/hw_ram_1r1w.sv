// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// A memory with one write port and one read port: what holds more than a few words in a router. An SRAM macro or a block RAM
// takes the place of this module's array; see docs/reference/memories.md.
//
// Latency: the word that is read in cycle t is on read_data_o in t+1, and only then (ReadCycles 1), or is there in t (ReadCycles
// 0, which is flip-flops or LUT RAM: neither block RAM nor an SRAM macro reads without a clock).
// Throughput: one word written and one read per cycle.
// Combinational paths: none (ReadCycles 1); read_addr_i -> read_data_o (ReadCycles 0). The array is not reset.
// Assumes: addresses below Words; with ReadCycles 1 a word is not read in the cycle in which it is written, as memories differ
// in what they give then.
// Up to SmallWords the register is at the address, which comes late in its cycle, as flip-flops and LUT RAM read behind it; above, it
// is at the data, where block RAMs and SRAM macros have it.
module hw_ram_1r1w #(
  parameter int unsigned Words = 0,
  parameter int unsigned Width = 0,
  parameter int unsigned ReadCycles = 1,
  parameter int unsigned SmallWords = 64,
  localparam int unsigned AddrWidth = Words > 1 ? $clog2(Words) : 1
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,       // for the checks only
  input  wire logic                  write_i,
  input  wire logic [AddrWidth-1:0]  write_addr_i,
  input  wire logic [Width-1:0]      write_data_i,
  input  wire logic                  read_i,
  input  wire logic [AddrWidth-1:0]  read_addr_i,
  output logic [Width-1:0]           read_data_o
);

  if (Words == 0 || Width == 0 || ReadCycles > 1) begin : gen_bad_shape
    $error("hw_ram_1r1w: Words and Width must be at least 1, ReadCycles 0 or 1");
  end

  (* no_rw_check *) logic [Width-1:0] mem [0:Words-1];
  always_ff @(posedge clk_i) if (write_i) mem[write_addr_i] <= write_data_i;

  if (ReadCycles > 0) begin : gen_synchronous
    if (Words <= SmallWords) begin : gen_small
      logic [AddrWidth-1:0] addr_q;
      always_ff @(posedge clk_i) if (read_i) addr_q <= read_addr_i;
      assign read_data_o = mem[addr_q];
    end else begin : gen_large
      logic [Width-1:0] read_q;
      always_ff @(posedge clk_i) if (read_i) read_q <= mem[read_addr_i];
      assign read_data_o = read_q;
    end
    `HW_ASSUME(a_no_read_of_what_is_written, !(write_i && read_i) || write_addr_i != read_addr_i)
  end else begin : gen_asynchronous
    assign read_data_o = mem[read_addr_i];
    wire unused_read = &{1'b0, read_i};
  end

  wire unused = &{1'b0, rst_ni};

  `HW_ASSUME(a_word_written_exists, !write_i || 32'(write_addr_i) < Words)
  `HW_ASSUME(a_word_read_exists, !read_i || 32'(read_addr_i) < Words)

endmodule

`default_nettype wire
