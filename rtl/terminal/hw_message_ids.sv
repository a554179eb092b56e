// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Requests that wait for their responses: a table by id, the ids that are free, and for each request when its head was on the pins.
//
// A ticket is an id with its generation, which moves on when the id is free again: a response with another one than the table's is late,
// or its request is over. With timeout_i a sweep looks at an entry each second cycle in which nobody else does; a request whose head has
// been on the pins for longer is over.
//
// Latency: what becomes of a response is there 1 cycle after it is taken. Throughput: a ticket per cycle given, but in cycles in which
//   one comes back or a head leaves; a response each 2 cycles, and as many more as account_ready_i makes it wait.
// Combinational paths: release (a register) and head_sent_i -> ticket_valid_o; none other from inputs to outputs but rsp_ready_i.
// Assumes: head_sent_i at most once for each ticket, within the time in which it is out; a failure only of a request that is not sent.
// Guarantees: no id is given twice without having come back; each ticket comes back once. Whoever takes accounts never waits for the
//   network, so a response is looked up in bounded time.
module hw_message_ids #(
  parameter int unsigned OutstandingBits = 0,
  parameter int unsigned EntryBits = 0,
  parameter int unsigned TimeBits = 32,            // of cycles; a request waits fewer than 2^TimeBits
  localparam int unsigned TicketBits = `HW_MESSAGE_TICKET_BITS
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic [TimeBits-1:0]         timeout_i,      // cycles; 0: none
  output logic [TimeBits-1:0]              now_o,

  // A request is made
  output logic                             ticket_valid_o,
  output logic [TicketBits-1:0]            ticket_o,
  input  wire logic                        take_i,
  input  wire logic [EntryBits-1:0]        entry_i,
  // Its head is on the pins
  input  wire logic                        head_sent_i,
  input  wire logic [OutstandingBits-1:0]  head_id_i,
  // It cannot be sent
  input  wire logic                        fail_valid_i,
  output logic                             fail_ready_o,
  input  wire logic [TicketBits-1:0]       fail_ticket_i,
  // A response to it is there
  input  wire logic                        rsp_valid_i,
  output logic                             rsp_ready_o,
  input  wire logic [TicketBits-1:0]       rsp_ticket_i,

  // What one of these two, or a timeout, ends: in the cycle after
  output logic                             over_o,         // a request
  output logic                             late_o,         // a response without request
  output logic                             timeout_o,
  output logic                             failed_o,
  output logic [EntryBits-1:0]             entry_o,
  output logic [TimeBits-1:0]              sent_o,         // when its head was on the pins
  input  wire logic                        wait_i,         // nothing new is looked up
  output logic                             quiescent_o
);

  if (OutstandingBits < 1 || EntryBits == 0) begin : gen_bad_widths
    $error("hw_message_ids: OutstandingBits and EntryBits must be at least 1");
  end

  localparam int unsigned Ids = 1 << OutstandingBits;
  localparam int unsigned GenerationBits = `HW_MESSAGE_GENERATION_BITS;

  typedef enum logic [1:0] {Nothing, Response, Failure, Sweep} look_e;
  look_e look, look_q;
  logic [TimeBits-1:0] now_q, next_q;              // next_q: the time of the next cycle, which limit_q needs
  logic [OutstandingBits:0] fresh_q, out_q;        // ids that have been given; tickets that are out
  logic [OutstandingBits-1:0] sweep_q, id, id_q;
  logic [GenerationBits-1:0] generation_q, generation;
  logic fresh, empty, unused_full, busy, sent, known_q, known, expired, writes_entry, free, writes_stamp;
  logic [TicketBits-1:0] returned;
  logic [OutstandingBits:0] unused_count;
  logic [OutstandingBits-1:0] entry_id, stamp_id;

  // Free tickets: in the first round the ids one by one, then those that have come back.
  assign fresh = !fresh_q[OutstandingBits];
  assign ticket_valid_o = (fresh || !empty) && !free && !head_sent_i;
  assign ticket_o = fresh ? TicketBits'(fresh_q[OutstandingBits-1:0]) : returned;
  hw_ram_fifo #(.Width(TicketBits), .Depth(Ids)) u_free (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(free), .data_i({generation + GenerationBits'(1), id_q}), .full_o(unused_full),
    .pop_i(take_i && !fresh), .data_o(returned), .empty_o(empty), .count_o(unused_count)
  );

  // The table has one reader and one writer; no word is read while it is written.
  assign writes_entry = free || take_i;
  assign entry_id = free ? id_q : ticket_o[OutstandingBits-1:0];
  assign writes_stamp = head_sent_i || take_i;
  assign stamp_id = head_sent_i ? head_id_i : ticket_o[OutstandingBits-1:0];
  hw_ram_1r1w #(.Words(Ids), .Width(1 + GenerationBits + EntryBits)) u_entries (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(writes_entry), .write_addr_i(entry_id),
    .write_data_i({!free, ticket_o[OutstandingBits+:GenerationBits], entry_i}),
    .read_i(look != Nothing), .read_addr_i(id), .read_data_o({busy, generation, entry_o})
  );
  hw_ram_1r1w #(.Words(Ids), .Width(1 + TimeBits)) u_stamps (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(writes_stamp), .write_addr_i(stamp_id), .write_data_i({head_sent_i, now_q}),
    .read_i(look != Nothing), .read_addr_i(id), .read_data_o({sent, sent_o})
  );

  // ---- Look-up: address in one cycle, decision in the next

  // The sweep has its turn where nothing else is asked, and after eight cycles before everything else.
  logic sweeps;
  logic [2:0] since_q;                             // cycles since the last one
  assign sweeps = timeout_i != '0 && out_q != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) since_q <= '0;
    else if (look == Sweep || !sweeps) since_q <= '0;
    else if (since_q != '1) since_q <= since_q + 3'd1;
  end

  always_comb begin
    look = Nothing;
    id = sweep_q;
    if (look_q == Nothing && !wait_i) begin
      if (sweeps && since_q == '1) begin
        look = Sweep;
      end else if (rsp_valid_i) begin
        look = Response;
        id = rsp_ticket_i[OutstandingBits-1:0];
      end else if (fail_valid_i) begin
        look = Failure;
        id = fail_ticket_i[OutstandingBits-1:0];
      end else if (sweeps) begin
        look = Sweep;
      end
      if ((writes_entry && entry_id == id) || (writes_stamp && stamp_id == id)) look = Nothing;
    end
  end
  assign rsp_ready_o = look == Response;
  assign fail_ready_o = look == Failure;

  assign known = known_q && busy && (look_q == Sweep || generation == generation_q);
  // Whether now - sent > timeout in one subtraction: now - timeout is there before. The result has the sign of what is beyond the timeout;
  // where the time has wrapped since the head was sent, 2^TimeBits is missing, and the sign is the other one.
  logic [TimeBits:0] limit_q, beyond;
  logic wrapped;
  assign beyond = limit_q - {1'b0, sent_o};
  assign wrapped = now_q < sent_o;
  assign expired = look_q == Sweep && timeout_i != '0 && sent && beyond[TimeBits] == wrapped && beyond[TimeBits-1:0] != '0;
  assign free = known && (look_q == Response || look_q == Failure || expired);
  assign over_o = free;
  assign late_o = look_q == Response && !known;
  assign timeout_o = free && look_q == Sweep;
  assign failed_o = free && look_q == Failure;
  assign now_o = now_q;
  assign quiescent_o = out_q == '0 && look_q == Nothing;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q <= '0;
      next_q <= TimeBits'(1);
      limit_q <= '0;
      fresh_q <= '0;
      out_q <= '0;
      sweep_q <= '0;
      look_q <= Nothing;
    end else begin
      now_q <= next_q;
      next_q <= next_q + 1'b1;
      limit_q <= {1'b0, next_q} - {1'b0, timeout_i};
      if (take_i && fresh) fresh_q <= fresh_q + 1'b1;
      if (take_i != free) out_q <= take_i ? out_q + 1'b1 : out_q - 1'b1;
      look_q <= look;
      if (look == Sweep) sweep_q <= sweep_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    id_q <= id;
    generation_q <= look == Failure ? fail_ticket_i[OutstandingBits+:GenerationBits] : rsp_ticket_i[OutstandingBits+:GenerationBits];
    known_q <= 32'(id) < 32'(fresh_q);
  end

  wire unused = &{1'b0, unused_full, unused_count};
`ifdef HW_CHECKS
  logic [Ids-1:0] held_q;                          // ids that are out
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
    end else begin
      if (free) held_q[id_q] <= 1'b0;
      if (take_i) held_q[ticket_o[OutstandingBits-1:0]] <= 1'b1;
    end
  end
`endif
  `HW_ASSERT(a_no_id_is_given_twice, !take_i || !held_q[ticket_o[OutstandingBits-1:0]])
  `HW_ASSERT(a_no_id_comes_back_twice, !free || held_q[id_q])
  `HW_ASSUME(a_take_what_is_offered, !take_i || ticket_valid_o)
  `HW_ASSERT(a_no_more_than_there_are, 32'(out_q) <= Ids)
  `HW_ASSERT(a_failures_are_of_requests, look_q != Failure || known)
  `HW_COVER(c_all_are_out, out_q[OutstandingBits])
  `HW_COVER(c_timeout, timeout_o)

endmodule

`default_nettype wire
