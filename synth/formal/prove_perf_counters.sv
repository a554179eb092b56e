// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Proves of hw_perf_counters, as read through its port at any time: what is frozen holds, elapsed cycles included; a clear wins over
// the events of its cycle; otherwise a counter of a port grows by its event, the occupancy by the flits, elapsed cycles by one.
//
// One word, chosen freely, is read again and again, with any pauses, and commands come at any time; for a number of cycles after
// reset. Watch=0: the module's own assertion alone, that no short part overflows, for ever.
module prove_perf_counters #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned OccupancyBits = 0,
  parameter int unsigned Bits = 8,
  parameter bit Watch = 1'b1,
  localparam int unsigned NumWords = 4 * NumPorts + 3,
  localparam int unsigned WordBits = $clog2(NumWords)
) (
  input wire logic                      clk_i,
  input wire logic [NumPorts-1:0]       flit_in_i,
  input wire logic [NumPorts-1:0]       flit_out_i,
  input wire logic [NumPorts-1:0]       packet_out_i,
  input wire logic [NumPorts-1:0]       stall_i,
  input wire logic [OccupancyBits-1:0]  occupancy_i,
  input wire logic                      event_i,
  input wire logic                      read_i,
  input wire logic                      command_i,
  input wire logic                      clear_i,
  input wire logic                      freeze_i,
  input wire logic [WordBits-1:0]       word_i          // the word that is watched
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // What has begun stays until it is done.
  logic [Bits-1:0] now_i = '0;
  logic [WordBits-1:0] word_q;
  logic reading_q, commanding_q, clear_q, freeze_q, read_done, command_done, frozen;
  logic read, command, clear, freeze;
  assign read = reading_q || read_i;
  assign command = commanding_q || command_i;
  assign clear = commanding_q ? clear_q : clear_i;
  assign freeze = commanding_q ? freeze_q : freeze_i;
  always_ff @(posedge clk_i) begin
    if (rst_ni) now_i <= now_i + Bits'(1'b1);
    if (!rst_ni) word_q <= 32'(word_i) < NumWords ? word_i : '0;
    reading_q <= rst_ni && read && !read_done;
    commanding_q <= rst_ni && command && !command_done;
    clear_q <= clear;
    freeze_q <= freeze;
  end

  logic [Bits-1:0] data;
  hw_perf_counters #(.NumPorts(NumPorts), .OccupancyBits(OccupancyBits), .Bits(Bits)) u_dut (
    .clk_i, .rst_ni, .now_i, .flit_in_i, .flit_out_i, .packet_out_i, .stall_i, .occupancy_i, .event_i,
    .command_i(command), .clear_i(clear), .freeze_i(freeze), .command_done_o(command_done), .frozen_o(frozen),
    .read_i(read), .read_word_i(word_q), .read_done_o(read_done), .read_data_o(data)
  );

  if (Watch) begin : gen_watch
    logic [Bits-1:0] more;
    always_comb begin
      if (32'(word_q) == NumWords - 1) more = Bits'(1'b1);
      else if (32'(word_q) == NumWords - 2) more = Bits'(event_i);
      else if (32'(word_q) == NumWords - 3) more = Bits'(occupancy_i);
      else begin
        case (word_q[1:0])
          2'd0: more = Bits'(flit_in_i[word_q >> 2]);
          2'd1: more = Bits'(flit_out_i[word_q >> 2]);
          2'd2: more = Bits'(packet_out_i[word_q >> 2]);
          default: more = Bits'(stall_i[word_q >> 2]);
        endcase
      end
    end

    logic [Bits-1:0] expected_q;
    logic frozen_q, cleared_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || (command_done && clear)) expected_q <= '0;
      else if (!frozen_q) expected_q <= expected_q + more;
      if (!rst_ni) frozen_q <= 1'b0;
      else if (command_done) frozen_q <= freeze;
      cleared_q <= rst_ni && command_done && clear && more != '0;
    end

    always @(posedge clk_i) begin
      if (rst_ni) begin
        a_counts: assert (!read_done || data == expected_q);
        a_freezes: assert (frozen == frozen_q);
        c_cleared: cover (cleared_q);
        c_frozen: cover (read_done && frozen_q && expected_q[1:0] == 2'd3);
      end
    end
  end

endmodule

`default_nettype wire
