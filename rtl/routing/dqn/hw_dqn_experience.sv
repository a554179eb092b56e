// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// The experience of a router's agent as an AXI4-Stream, for a host that trains it.
//
// A record is what the agent tells of a cycle in which it decides or hears of a reward, event_i of hw_dqn_agent, above the number
// of records that were lost before it since reset, modulo 2^16: a host sees where its knowledge has gaps. A record is one beat;
// for narrower streams put a width converter behind. Records wait in a memory of Records words; what finds it full is lost.
//
// Latency: an event in cycle t is on experience_* in t+3, if nothing waits. Throughput: an event per cycle into the memory, a record
// every second cycle out of it.
// Combinational paths: none.
// Guarantees: records in the order of their events, each once, or counted as lost; a beat holds until it is taken.
// Reference: docs/reference/routing-dqn.md (experience).
module hw_dqn_experience #(
  parameter int unsigned EventBits = 0,
  parameter int unsigned DecisionLsb = 0,    // of event_i: 0 is valid of a reward, this is valid of a decision
  parameter int unsigned Records = 16,
  localparam int unsigned DataBits = (16 + EventBits + 7) / 8 * 8
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic [EventBits-1:0]  event_i,
  output logic                       experience_tvalid_o,
  input  wire logic                  experience_tready_i,
  output logic [DataBits-1:0]        experience_tdata_o,
  output logic                       idle_o          // nothing waits
);

  if (EventBits == 0 || DecisionLsb == 0 || DecisionLsb >= EventBits || Records < 2) begin : gen_bad_shape
    $error("hw_dqn_experience: EventBits, DecisionLsb and Records must be set");
  end

  localparam int unsigned AddrBits = $clog2(Records);
  localparam int unsigned CountBits = $clog2(Records + 1);
  localparam logic [AddrBits-1:0] Last = AddrBits'(Records - 1);

  logic happens, push, fetch, fetched_q, valid_q;
  logic [AddrBits-1:0] write_q, read_q;
  logic [CountBits-1:0] count_q;             // records in the memory
  logic [15:0] lost_q;
  logic [15+EventBits:0] word, beat_q;

  assign happens = event_i[0] || event_i[DecisionLsb];
  assign push = happens && count_q != CountBits'(Records);
  assign fetch = count_q != '0 && !fetched_q && (!valid_q || experience_tready_i);

  hw_ram_1r1w #(.Words(Records), .Width(16 + EventBits)) u_records (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(push), .write_addr_i(write_q), .write_data_i({event_i, lost_q}),
    .read_i(fetch), .read_addr_i(read_q), .read_data_o(word)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q <= '0;
      count_q <= '0;
      lost_q <= '0;
      fetched_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (push) write_q <= write_q == Last ? '0 : write_q + AddrBits'(1);
      if (fetch) read_q <= read_q == Last ? '0 : read_q + AddrBits'(1);
      count_q <= count_q + CountBits'(push) - CountBits'(fetch);
      if (happens && !push) lost_q <= lost_q + 16'd1;
      fetched_q <= fetch;
      valid_q <= fetched_q || (valid_q && !experience_tready_i);
    end
  end
  always_ff @(posedge clk_i) if (fetched_q) beat_q <= word;

  assign experience_tvalid_o = valid_q;
  assign experience_tdata_o = DataBits'(beat_q);
  assign idle_o = count_q == '0 && !fetched_q && !valid_q && !happens;

  `HW_ASSERT(a_beat_has_room, !fetched_q || !valid_q)
  `HW_ASSERT(a_no_more_than_fit, count_q <= CountBits'(Records))
  `HW_COVER(c_lost, happens && !push)

endmodule

`default_nettype wire
