// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// What an input port writes into heads. As one arrives: the time (TimeBits), and how many links it has crossed (HopBits). As it
// leaves: the routing state (StateBits). The parity bit (ParityMask) follows what is written, so that a bit that flips in the buffer
// is found at the next check: as a head arrives it takes leave of the old state's share, as one leaves the new state's comes in.
//
// Latency: none to kept_o; flit_o belongs to leaving_i, with Registered that of the grant in the cycle before. Combinational paths:
// data_i, head_i, now_i -> kept_o; leaving_i, without Registered grant_*, state_i -> flit_o.
// Guarantees: a head of even parity leaves with even parity. Checked by the tests of hw_router.
module hw_head_rewrite #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned StateLsb = 0,
  parameter int unsigned StateBits = 0,                  // 0: routing never rewrites it
  parameter int unsigned TimeBits = 0,                   // 0: no time of arrival
  parameter int unsigned ArrivalLsb = 0,
  parameter bit [FlitBits-1:0] ParityMask = '0,          // 0: no parity. Not the time of arrival
  parameter int unsigned ParityLsb = 0,                  // of the parity bit, one of the mask
  parameter int unsigned HopLsb = 0,
  parameter int unsigned HopBits = 0,                    // 0: links are not counted
  parameter int unsigned HopLimit = 0,                   // 0: packets come from a terminal, and have crossed none
  parameter bit Registered = 1'b0,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int unsigned StateWidth = StateBits > 0 ? StateBits : 1,
  localparam int unsigned TimeWidth = TimeBits > 0 ? TimeBits : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // A flit that arrives
  input  wire logic [TimeWidth-1:0]          now_i,
  input  wire logic                          head_i,       // it is there, and a head
  input  wire logic [FlitBits-1:0]           data_i,
  output logic [FlitBits-1:0]                kept_o,
  // A flit that leaves
  input  wire logic                          grant_head_i,
  input  wire logic [VcWidth-1:0]            grant_vc_i,
  input  wire logic [NumVcs*StateWidth-1:0]  state_i,      // of each VC's first packet
  input  wire logic [FlitBits-1:0]           leaving_i,
  output logic [FlitBits-1:0]                flit_o
);

  if (NumVcs == 0 || FlitBits == 0) begin : gen_bad_size
    $error("hw_head_rewrite: NumVcs and FlitBits must be set");
  end

  localparam bit Parity = ParityMask != '0;
  localparam int unsigned HopWidth = HopBits > 0 ? HopBits : 1;

  logic [HopWidth-1:0] hops;
  assign hops = HopLimit > 0 ? data_i[HopLsb+:HopWidth] + HopWidth'(1) : '0;
  always_comb begin
    kept_o = data_i;
    if (head_i) begin
      if (TimeBits > 0) kept_o[ArrivalLsb+:TimeWidth] = now_i;
      if (HopBits > 0) kept_o[HopLsb+:HopWidth] = hops;
      if (Parity) begin
        kept_o[ParityLsb] = data_i[ParityLsb] ^ (HopBits > 0 && ^(hops ^ data_i[HopLsb+:HopWidth]))
                            ^ (StateBits > 0 && ^data_i[StateLsb+:StateWidth]);
      end
    end
  end

  if (StateBits > 0) begin : gen_state
    logic [StateWidth+1:0] rewrite, flit_rewrite;  // {its share of the parity, whether, what the head says from here on}
    always_comb begin
      rewrite = '0;
      for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
        if (grant_vc_i == VcWidth'(v)) begin
          rewrite = {Parity && ^state_i[v*StateWidth+:StateWidth], grant_head_i, state_i[v*StateWidth+:StateWidth]};
        end
      end
    end
    hw_pipe_register #(.Width(StateWidth + 2), .Registered(Registered)) u_rewrite (
      .clk_i(clk_i), .rst_ni(rst_ni), .data_i(rewrite), .data_o(flit_rewrite)
    );
    always_comb begin
      flit_o = leaving_i;
      if (flit_rewrite[StateWidth]) begin
        flit_o[StateLsb+:StateWidth] = flit_rewrite[StateWidth-1:0];
        if (Parity) flit_o[ParityLsb] = leaving_i[ParityLsb] ^ flit_rewrite[StateWidth+1];
      end
    end
    wire unused = &{1'b0, flit_rewrite, now_i, hops, head_i};
  end else begin : gen_no_state
    assign flit_o = leaving_i;
    wire unused = &{1'b0, clk_i, rst_ni, grant_head_i, grant_vc_i, state_i, now_i, hops, head_i};
  end

endmodule

`default_nettype wire
