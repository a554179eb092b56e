// SPDX-License-Identifier: Apache-2.0
// The smoke test of a bundle: plain SystemVerilog, so that Verilator runs the RTL and Icarus what
// Yosys writes back.
#include <algorithm>

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

std::string smoke_testbench(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const auto& topology = network.topology();
  const auto& name = network.spec().network.name;
  const auto& f = s.format;
  const std::size_t terminals = topology.num_terminals();
  const unsigned bits = f.dst_slot.lsb + f.dst_slot.width;
  std::string addresses;
  for (std::uint32_t t = 0; t < terminals; ++t) {
    addresses += fmt::format("      {}: address = {};\n", t,
                             sv::literal(bits, terminal_address(s, topology, TerminalId{t})));
  }
  // The payload of a beat is its position and its packet: in the high bits, which no format
  // overwrites.
  const unsigned mark_bits = std::min(24u, s.flit_bits - f.header_bits);
  std::string body = fmt::format(
      R"(
module smoke_tb;

  localparam integer Terminals = {terminals};
  localparam integer FlitBits = {flit};
  localparam integer UserBits = {user};
  localparam integer AddressBits = {bits};
  localparam integer MinFlits = {min};
  localparam integer MaxFlits = {max};
  // payload bits at the top of every flit; 0: headers fill the flit
  localparam integer MarkBits = {mark};
  localparam integer Mark = MarkBits > 0 ? MarkBits : 1;
  localparam integer Packets = 6;      // per terminal
  localparam integer Limit = 400000;   // cycles

  reg clk = 1'b0;
  reg rst_n = 1'b0;
  always #5 clk = !clk;

  reg  [Terminals-1:0] s_tvalid = 0;
  wire [Terminals-1:0] s_tready;
  reg  [Terminals*FlitBits-1:0] s_tdata = 0;
  reg  [Terminals-1:0] s_tlast = 0;
  reg  [Terminals*UserBits-1:0] s_tuser = 0;
  wire [Terminals-1:0] m_tvalid;
  wire [Terminals*FlitBits-1:0] m_tdata;
  wire [Terminals-1:0] m_tlast;
  wire [Terminals*UserBits-1:0] m_tuser;
  wire [Terminals-1:0] ni_error;
  reg  csr_arvalid = 1'b0;
  wire csr_arready, csr_rvalid, csr_awready, csr_wready, csr_bvalid;
  wire [31:0] csr_rdata;
  wire [1:0] csr_bresp, csr_rresp;

  {name}_top dut (
    .clk_i(clk), .rst_ni(rst_n),
    .s_tvalid_i(s_tvalid), .s_tready_o(s_tready), .s_tdata_i(s_tdata), .s_tlast_i(s_tlast), .s_tuser_i(s_tuser),
    .m_tvalid_o(m_tvalid), .m_tready_i({{Terminals{{1'b1}}}}), .m_tdata_o(m_tdata), .m_tlast_o(m_tlast),
    .m_tuser_o(m_tuser), .ni_error_o(ni_error),
    .csr_awvalid_i(1'b0), .csr_awready_o(csr_awready), .csr_awaddr_i({csr_bits}'h0), .csr_wvalid_i(1'b0),
    .csr_wready_o(csr_wready), .csr_wdata_i(32'h0), .csr_wstrb_i(4'h0), .csr_bvalid_o(csr_bvalid),
    .csr_bready_i(1'b1), .csr_bresp_o(csr_bresp), .csr_arvalid_i(csr_arvalid), .csr_arready_o(csr_arready),
    .csr_araddr_i({csr_bits}'h0), .csr_rvalid_o(csr_rvalid), .csr_rready_i(1'b1), .csr_rdata_o(csr_rdata),
    .csr_rresp_o(csr_rresp)
  );

  function [AddressBits-1:0] address(input integer terminal);
    case (terminal)
{addresses}      default: address = 0;
    endcase
  endfunction

  function integer destination(input integer terminal, input integer packet);
    destination = (terminal + 1 + (packet * 5 + terminal * 3) % (Terminals - 1)) % Terminals;
  endfunction

  function integer length(input integer terminal, input integer packet);
    length = MinFlits + (terminal * 7 + packet * 3) % (MaxFlits - MinFlits + 1);
  endfunction

  function [31:0] mark(input integer terminal, input integer packet, input integer beat);
    mark = terminal * 4096 + packet * 512 + beat;
  endfunction

  integer packet [0:Terminals-1];
  integer beat [0:Terminals-1];
  integer received [0:Terminals-1];
  integer expected [0:Terminals-1];
  integer t, k, cycle, total, flits, failures;
  reg [31:0] seen, word;

  initial begin
    cycle = 0;
    total = 0;
    flits = 0;
    failures = 0;
    for (t = 0; t < Terminals; t = t + 1) begin
      packet[t] = 0;
      beat[t] = 0;
      received[t] = 0;
      expected[t] = 0;
    end
    for (t = 0; t < Terminals; t = t + 1) begin
      for (k = 0; k < Packets; k = k + 1) begin
        expected[destination(t, k)] = expected[destination(t, k)] + length(t, k);
        flits = flits + length(t, k);
      end
    end
    repeat (4) @(posedge clk);
    #1 rst_n = 1'b1;
    csr_arvalid = 1'b1;
  end

  // Inputs change after the edge, outputs are read before it.
  always @(negedge clk) begin
    if (rst_n) begin
      cycle = cycle + 1;
      if (csr_arvalid && csr_arready) csr_arvalid <= 1'b0;
      if (csr_rvalid && csr_rdata !== 32'h484f5057) begin
        $display("SMOKE: CSR identity is %h", csr_rdata);
        failures = failures + 1;
      end
      if ((^m_tvalid) === 1'bx || (^s_tready) === 1'bx || (^ni_error) === 1'bx || ni_error != 0) begin
        $display("SMOKE: cycle %0d: unknown or error on a control pin", cycle);
        failures = failures + 1;
      end
      for (t = 0; t < Terminals; t = t + 1) begin
        if (m_tvalid[t]) begin
          received[t] = received[t] + 1;
          total = total + 1;
          if (MarkBits > 0) begin
            seen = {{{{(32-Mark){{1'b0}}}}, m_tdata[t*FlitBits+FlitBits-1 -: Mark]}};
            $display("SMOKE: cycle %0d terminal %0d flit %h last %b", cycle, t, seen, m_tlast[t]);
          end
        end
        if (s_tvalid[t] && s_tready[t]) begin
          if (s_tlast[t]) begin
            packet[t] = packet[t] + 1;
            beat[t] = 0;
          end else begin
            beat[t] = beat[t] + 1;
          end
        end
        if (packet[t] < Packets) begin
          s_tvalid[t] <= 1'b1;
          s_tuser[t*UserBits +: UserBits] <= {{{{(UserBits-AddressBits){{1'b0}}}}, address(destination(t, packet[t]))}};
          s_tdata[t*FlitBits +: FlitBits] <= 0;
          if (MarkBits > 0) begin
            word = mark(t, packet[t], beat[t]);
            s_tdata[t*FlitBits+FlitBits-1 -: Mark] <= word[Mark-1:0];
          end
          s_tlast[t] <= beat[t] == length(t, packet[t]) - 1;
        end else begin
          s_tvalid[t] <= 1'b0;
        end
      end
      if (total == flits || cycle == Limit) begin
        for (t = 0; t < Terminals; t = t + 1) begin
          if (received[t] != expected[t]) begin
            $display("SMOKE: terminal %0d received %0d of %0d flits", t, received[t], expected[t]);
            failures = failures + 1;
          end
        end
        if (failures == 0) $display("SMOKE PASS: %0d packets, %0d flits, %0d cycles", Terminals * Packets, total, cycle);
        else $display("SMOKE FAIL: %0d failures", failures);
        $finish;
      end
    end
  end

endmodule
)",
      fmt::arg("terminals", terminals), fmt::arg("flit", s.flit_bits),
      fmt::arg("user", bits + f.message_class.width), fmt::arg("bits", bits),
      fmt::arg("min", s.min_flits), fmt::arg("max", s.max_flits), fmt::arg("mark", mark_bits),
      fmt::arg("name", name), fmt::arg("csr_bits", kCsrAddressBits + csr_select_bits(topology)),
      fmt::arg("addresses", addresses));
  return sv::file(fmt::format("Smoke test of {}_top: every terminal sends packets, every flit must "
                              "arrive where it belongs.",
                              name),
                  body);
}

}  // namespace hopwise::emit
