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
//   high there, never too low. Checked by its tests, against a count of all packets.
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
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,

  // Static
  input  wire logic [CountBits-1:0]                 threshold_i,
  input  wire logic [WindowBits-1:0]                window_i,       // a shorter one acts at once
  input  wire logic [1:0]                           mode_i,

  // Observations
  input  wire logic [Rows-1:0]                      obs_valid_i,
  input  wire logic [Rows*GroupWidth-1:0]           obs_group_i,

  // Lookups
  input  wire logic [NumLookups-1:0]                look_valid_i,
  input  wire logic [NumLookups*GroupWidth-1:0]     look_group_i,
  output logic [NumLookups*CWidth-1:0]              look_count_o,   // 0 where look_valid_i is low

  // CSR: one cycle later, then held. Bit 0 of the bitmap is this router, then the others in order.
  input  wire logic                                 csr_valid_i,
  input  wire logic [GroupWidth-1:0]                csr_group_i,
  output logic [NumRouters-1:0]                     csr_active_o,
  output logic [CWidth-1:0]                         csr_count_o,

  // Status
  output logic                                      at_rest_o       // no count, and no change without a valid
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

  // Windows: see hw_contention_windows.
  logic ready, run, clear, clear_last, stop, observed;
  logic [TagBits-1:0] tag_now, tag_before;
  logic [Rows-1:0] obs, scrub_oh;
  assign obs = ready ? obs_valid_i : '0;
  assign observed = obs != '0;
  assign tag_before = tag_now - 1'b1;

  hw_contention_windows #(
    .Rows(Rows), .TagBits(TagBits), .WindowBits(WindowBits)
  ) u_windows (
    .clk_i(clk_i), .rst_ni(rst_ni), .window_i(window_i), .observed_i(observed),
    .clear_last_i(clear_last), .ready_o(ready), .run_o(run), .clear_o(clear), .stop_o(stop),
    .tag_o(tag_now), .scrub_oh_o(scrub_oh)
  );

  assign at_rest_o = !run && !clear;

  // Reads, with no memory read outside valid ones. The own rows hand over their counts, the others
  // whether they are above the threshold.
  logic [Ports-1:0] read;
  logic [Ports*GroupWidth-1:0] read_group;
  assign read = ready && !at_rest_o ? {csr_valid_i, look_valid_i} : '0;
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
    assign scrub = run && scrub_oh[r] && !obs[r];

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
        age0 = old_tag == tag_now;
        age1 = old_tag == tag_before;
        write = obs[r] || !(age0 || age1);
        if (obs[r]) begin
          new_earlier = age0 ? old_earlier : age1 ? old_count : '0;
          new_count = !age0 ? CountBits'(1) : (&old_count) ? old_count : old_count + 1'b1;
          new_entry = {tag_now, new_earlier, new_count};
        end
      end else if (clear) begin
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
      end else if (scrub || clear) begin
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
              running = tag == tag_now ? count : '0;
              latched = tag == tag_now ? earlier : tag == tag_before ? count : '0;
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
              running = tag == tag_now ? count : '0;
              latched = tag == tag_now ? earlier : tag == tag_before ? count : '0;
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

  logic [NumRouters-1:0] csr_active_q;
  logic [CWidth-1:0] csr_count_q;
  assign csr_active_o = csr_active_q;
  assign csr_count_o = csr_count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      csr_active_q <= '0;
      csr_count_q <= '0;
    end else if (csr_valid_i) begin
      csr_active_q <= active[NumLookups*NumRouters+:NumRouters];
      csr_count_q <= factor[NumLookups*CWidth+:CWidth];
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

endmodule

`default_nettype wire
