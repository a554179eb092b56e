// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Contention counters of one dragonfly router: how many routers of its group have an active flow to
// a group, as far as this router has seen.
//
// Shapes: rows 0 .. OwnRows-1 count the packets of this router's own terminals, one row a terminal;
//   each of the NumRouters-1 rows after them counts those of one other router of the group. A row
//   has a running and a latched (completed window) count of packets to each of NumGroups groups.
// Result: C(g) = number of routers whose count for g is above threshold_i, the own rows added up
//   to one router. mode_i selects the count: 0 latched, 1 running, 2 and 3 either of the two.
// Window: window_i cycles, one after the other. After two whole windows without an observation
//   the windows stop; the next observation is in the first cycle of a new one. Nothing depends on
//   absolute time, and cycles may be skipped while at_rest_o is high and no valid input is.
//
// Latency: an observation in cycle c is in the running count from c+1 on; look_* 0 cycles; csr_* 1.
// Throughput: one observation per row, NumLookups lookups and one CSR read in each cycle. A lookup
//   sees the state before the observations of its cycle, which are not lost.
// Combinational paths: look_*_i, threshold_i, mode_i to look_count_o. at_rest_o is a register's.
// Reset: the first NumGroups cycles clear the memories. Observations in them do not count, and
//   C is 0; at_rest_o goes high after them.
// Storage: each row is a memory of {window number, latched, running}, one write port, asynchronous
//   reads, no reset; an entry is brought up to date when it is read, and no window's end clears
//   any. TagBits of the window number are kept, so an entry that is not touched for 2^TagBits
//   windows would come back. A scrubber prevents it: it goes from row to row, one each cycle,
//   looks at the row's next entry unless the row has an observation, and clears what is older
//   than the latched window.
// Assumes: groups below NumGroups, window_i not 0.
// Guarantees: C is exact for threshold_i <= 2^CountBits - 2 (counts saturate above) if each row is
//   free at NumGroups of its visits, one each Rows cycles, within any 2^TagBits - 2 windows. With
//   8 routers, 4 terminals, 33 groups, 500 cycles: 33 of 636 visits in 7000 cycles, so a row would
//   have to be observed at 95 % of them. Otherwise the counts of an entry's last two windows come
//   back for one window (latched: two) every 2^TagBits windows, until they are scrubbed: C is too
//   high there, never too low.
// Reference: Chaulagain & Yuan, "Enhanced UGAL routing schemes for dragonfly networks", ICS 2024,
//   section 4.2, equation 1.
module hw_contention_counters #(
  parameter int unsigned NumRouters = 0,                 // of a group, this one included
  parameter int unsigned OwnRows = 0,                    // this router's terminals
  parameter int unsigned NumGroups = 0,
  parameter int unsigned NumLookups = 1,
  parameter int unsigned CountBits = 4,
  parameter int unsigned TagBits = 4,
  parameter int unsigned WindowBits = 16,
  localparam int unsigned Rows = NumRouters > 0 ? OwnRows + NumRouters - 1 : 1,
  localparam int unsigned GroupWidth = NumGroups > 1 ? $clog2(NumGroups) : 1,
  localparam int unsigned CWidth = $clog2(NumRouters + 1)
) (
  input  wire                              clk_i,
  input  wire                              rst_ni,

  // Static
  input  wire  [CountBits-1:0]             threshold_i,
  input  wire  [WindowBits-1:0]            window_i,     // a shorter one acts at once
  input  wire  [1:0]                       mode_i,

  // Observations
  input  wire  [Rows-1:0]                  obs_valid_i,
  input  wire  [Rows*GroupWidth-1:0]       obs_group_i,

  // Lookups
  input  wire  [NumLookups-1:0]            look_valid_i,
  input  wire  [NumLookups*GroupWidth-1:0] look_group_i,
  output logic [NumLookups*CWidth-1:0]     look_count_o, // 0 where look_valid_i is low

  // CSR: one cycle later, then held. Bit 0 of the bitmap is this router, then the others in order.
  input  wire                              csr_valid_i,
  input  wire  [GroupWidth-1:0]            csr_group_i,
  output logic [NumRouters-1:0]            csr_active_o,
  output logic [CWidth-1:0]                csr_count_o,

  // Status
  output logic                             at_rest_o     // no count, and no change without a valid
);

  if (NumRouters == 0 || OwnRows == 0 || NumGroups < 2 || NumLookups == 0) begin : gen_bad_shape
    $error("hw_contention_counters: NumRouters, OwnRows, NumLookups at least 1, NumGroups 2");
  end
  if (CountBits == 0 || TagBits < 2 || WindowBits == 0) begin : gen_bad_widths
    $error("hw_contention_counters: CountBits and WindowBits at least 1, TagBits 2");
  end

  localparam int unsigned Ports = NumLookups + 1;        // the last one is the CSR's
  localparam int unsigned EntryBits = TagBits + 2 * CountBits;
  localparam int unsigned SumBits = CountBits + $clog2(OwnRows + 1);
  localparam logic [GroupWidth-1:0] LastGroup = GroupWidth'(NumGroups - 1);

  // ready_q: the memories were cleared once. run_q: windows run. clear_q: all rows are being
  // cleared, after reset or when the windows have stopped.
  logic ready_d, ready_q, run_d, run_q, clear_d, clear_q;
  logic seen_d, seen_q, seen_before_d, seen_before_q;    // observations in this window, the last
  logic [TagBits-1:0] tag_d, tag_q, tag_before;
  logic [WindowBits-1:0] timer_d, timer_q;
  logic [Rows-1:0] scrub_oh_d, scrub_oh_q;               // the row that is visited
  logic clear_last;

  logic [Rows-1:0] obs;
  logic seen, stop;
  assign obs = ready_q ? obs_valid_i : '0;
  assign seen = seen_q || obs != '0;
  assign tag_before = tag_q - 1'b1;

  always_comb begin
    ready_d = ready_q;
    run_d = run_q;
    clear_d = clear_q;
    seen_d = seen_q;
    seen_before_d = seen_before_q;
    tag_d = tag_q;
    timer_d = timer_q;
    scrub_oh_d = scrub_oh_q;
    stop = 1'b0;
    if (run_q || obs != '0) begin
      run_d = 1'b1;
      clear_d = 1'b0;
      seen_d = seen;
      timer_d = timer_q + 1'b1;
      scrub_oh_d = (scrub_oh_q << 1) | (scrub_oh_q >> (Rows - 1));
      if (timer_d >= window_i) begin
        timer_d = '0;
        tag_d = tag_q + 1'b1;
        seen_d = 1'b0;
        seen_before_d = seen;
        if (!seen && !seen_before_q) begin
          stop = 1'b1;
          run_d = 1'b0;
          clear_d = 1'b1;
          scrub_oh_d = Rows'(1);
        end
      end
    end else if (clear_q && clear_last) begin
      ready_d = 1'b1;
      clear_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      run_q <= 1'b0;
      clear_q <= 1'b1;
      seen_q <= 1'b0;
      seen_before_q <= 1'b0;
      tag_q <= '0;
      timer_q <= '0;
      scrub_oh_q <= Rows'(1);
    end else if (run_q || clear_q || obs != '0) begin
      ready_q <= ready_d;
      run_q <= run_d;
      clear_q <= clear_d;
      seen_q <= seen_d;
      seen_before_q <= seen_before_d;
      tag_q <= tag_d;
      timer_q <= timer_d;
      scrub_oh_q <= scrub_oh_d;
    end
  end

  assign at_rest_o = !run_q && !clear_q;

  // Reads, with no memory read outside valid ones. The own rows hand over their counts, the others
  // whether they are above the threshold.
  logic [Ports-1:0] read;
  logic [Ports*GroupWidth-1:0] read_group;
  assign read = ready_q && !at_rest_o ? {csr_valid_i, look_valid_i} : '0;
  assign read_group = {csr_group_i, look_group_i};

  logic [Ports*CountBits-1:0] own_latched [OwnRows];
  logic [Ports*CountBits-1:0] own_running [OwnRows];
  logic [Ports-1:0] above [Rows];                        // 0 in the own rows

  logic use_latched, use_running;
  assign use_latched = mode_i != 2'd1;
  assign use_running = mode_i != 2'd0;

  for (genvar r = 0; r < Rows; r = r + 1) begin : gen_row
    // An entry: window of its count, count of the window before that one, its count.
    logic [EntryBits-1:0] mem [NumGroups];

    // Observation, clearing and scrubbing, through one address.
    logic scrub, write, age0, age1;
    logic [GroupWidth-1:0] at_q, address;                // at_q: the next entry to be scrubbed
    logic [EntryBits-1:0] new_entry;
    logic [TagBits-1:0] old_tag;
    logic [CountBits-1:0] old_earlier, old_count, new_earlier, new_count;
    assign scrub = run_q && scrub_oh_q[r] && !obs[r];

    always_comb begin
      address = obs[r] ? obs_group_i[r*GroupWidth+:GroupWidth] : at_q;
      write = 1'b0;
      old_tag = '0;
      old_earlier = '0;
      old_count = '0;
      new_earlier = '0;
      new_count = '0;
      age0 = 1'b0;
      age1 = 1'b0;
      new_entry = '0;
      if (obs[r] || scrub) begin
        {old_tag, old_earlier, old_count} = mem[address];
        age0 = old_tag == tag_q;
        age1 = old_tag == tag_before;
        write = obs[r] || !(age0 || age1);
        if (obs[r]) begin
          new_earlier = age0 ? old_earlier : age1 ? old_count : '0;
          new_count = !age0 ? CountBits'(1) : (&old_count) ? old_count : old_count + 1'b1;
          new_entry = {tag_q, new_earlier, new_count};
        end
      end else if (clear_q) begin
        write = 1'b1;
      end
    end

    always_ff @(posedge clk_i) begin
      if (write) mem[address] <= new_entry;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        at_q <= '0;
      end else if (stop) begin
        at_q <= '0;
      end else if (scrub || clear_q) begin
        at_q <= (at_q == LastGroup) ? '0 : at_q + 1'b1;
      end
    end

    if (r == 0) begin : gen_clear_last                   // all rows are cleared in step
      assign clear_last = at_q == LastGroup;
    end

    logic [TagBits-1:0] tag;
    logic [CountBits-1:0] earlier, count, latched, running;
    if (r < OwnRows) begin : gen_own
      assign above[r] = '0;
      always_comb begin
        own_latched[r] = '0;
        own_running[r] = '0;
        tag = '0;
        earlier = '0;
        count = '0;
        latched = '0;
        running = '0;
        if (read != '0) begin
          for (int unsigned i = 0; i < Ports; i = i + 1) begin
            if (read[i]) begin
              {tag, earlier, count} = mem[read_group[i*GroupWidth+:GroupWidth]];
              running = tag == tag_q ? count : '0;
              latched = tag == tag_q ? earlier : tag == tag_before ? count : '0;
              own_latched[r][i*CountBits+:CountBits] = latched;
              own_running[r][i*CountBits+:CountBits] = running;
            end
          end
        end
      end
    end else begin : gen_other
      always_comb begin
        above[r] = '0;
        tag = '0;
        earlier = '0;
        count = '0;
        latched = '0;
        running = '0;
        if (read != '0) begin
          for (int unsigned i = 0; i < Ports; i = i + 1) begin
            if (read[i]) begin
              {tag, earlier, count} = mem[read_group[i*GroupWidth+:GroupWidth]];
              running = tag == tag_q ? count : '0;
              latched = tag == tag_q ? earlier : tag == tag_before ? count : '0;
              above[r][i] = (use_latched && latched > threshold_i) ||
                            (use_running && running > threshold_i);
            end
          end
        end
      end
    end
  end

  // Per port: the bitmap of active routers, and how many they are.
  logic [Ports*NumRouters-1:0] active;
  logic [Ports*CWidth-1:0] factor;
  logic [SumBits-1:0] sum_latched, sum_running;

  always_comb begin
    active = '0;
    factor = '0;
    sum_latched = '0;
    sum_running = '0;
    if (read != '0) begin
      for (int unsigned i = 0; i < Ports; i = i + 1) begin
        if (read[i]) begin
          sum_latched = '0;
          sum_running = '0;
          for (int unsigned r = 0; r < OwnRows; r = r + 1) begin
            sum_latched = sum_latched + SumBits'(own_latched[r][i*CountBits+:CountBits]);
            sum_running = sum_running + SumBits'(own_running[r][i*CountBits+:CountBits]);
          end
          active[i*NumRouters] = (use_latched && sum_latched > SumBits'(threshold_i)) ||
                                 (use_running && sum_running > SumBits'(threshold_i));
          for (int unsigned r = OwnRows; r < Rows; r = r + 1) begin
            active[i*NumRouters+r-OwnRows+1] = above[r][i];
          end
          for (int unsigned r = 0; r < NumRouters; r = r + 1) begin
            factor[i*CWidth+:CWidth] = factor[i*CWidth+:CWidth] + CWidth'(active[i*NumRouters+r]);
          end
        end
      end
    end
  end

  assign look_count_o = factor[NumLookups*CWidth-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      csr_active_o <= '0;
      csr_count_o <= '0;
    end else if (csr_valid_i) begin
      csr_active_o <= active[NumLookups*NumRouters+:NumRouters];
      csr_count_o <= factor[NumLookups*CWidth+:CWidth];
    end
  end

`ifdef HW_CHECKS
  logic [Rows-1:0] obs_bad;
  logic [Ports-1:0] read_bad;
  always_comb begin
    obs_bad = '0;
    read_bad = '0;
    for (int unsigned r = 0; r < Rows; r = r + 1) begin
      if (obs_valid_i[r]) obs_bad[r] = 32'(obs_group_i[r*GroupWidth+:GroupWidth]) >= NumGroups;
    end
    for (int unsigned i = 0; i < Ports; i = i + 1) begin
      if (read[i]) read_bad[i] = 32'(read_group[i*GroupWidth+:GroupWidth]) >= NumGroups;
    end
  end
`endif
  `HW_ASSUME(a_observed_group_exists, obs_bad == '0)
  `HW_ASSUME(a_looked_up_group_exists, read_bad == '0)
  `HW_ASSUME(a_window_is_not_zero, window_i != '0)
  `HW_ASSERT(a_rest_is_at_the_start_of_a_window, run_q || (timer_q == '0 && !seen_q))
  `HW_ASSERT(a_one_row_is_visited, $onehot(scrub_oh_q))
  `HW_COVER(c_restart_while_clearing, obs != '0 && clear_q)

endmodule

`default_nettype wire
