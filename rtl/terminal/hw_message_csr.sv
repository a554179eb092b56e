// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_message.svh"

// Registers in front of a message interface, behind AXI4-Lite, for a host that sends few messages: descriptors and windows are written
// word by word and pushed, completions and events are looked at and popped, counters are read from a snapshot. The streams of
// descriptors and windows stay beside it (hw_message_queues). The register map is declared in gen/spec/message_csr_map.hpp.
//
// Latency: the last channel of a request accepted in cycle c, the response is on the pins in c+2; what was pushed is offered to the
//   interface, and a snapshot read, from c+3 on; irq_o follows within two cycles of what it tells,
//   STATUS within two of DESC_DST and stop_*_i. Throughput: one read and one write every two cycles.
// Combinational paths: those of hw_message_queues; ctr_clear_i, ctr_freeze_i -> ctr_clear_o, ctr_freeze_o.
// Assumes: AXI4-Lite rules; those of hw_message_queues.
// Guarantees: unmapped addresses, writes to read-only registers, pushes without room and pops of what is not there are answered with
//   SLVERR and change nothing. A snapshot has all counters of one cycle, and with a clear those of the cycle in which they are cleared.
//   irq_o is a level, a register's. Checked by tests/rtl_messages.
// Reference: docs/reference/message-registers.md (register map); ARM IHI 0022E, part B (AXI4-Lite).
module hw_message_csr #(
  parameter int unsigned CsrAddrBits = 16,
  parameter int unsigned StreamBits = 0,
  parameter int unsigned DstBits = 0,
  parameter int unsigned AddrBits = 40,
  parameter int unsigned WindowBits = 10,
  parameter int unsigned KeyBits = 8,
  parameter int unsigned OffsetBits = 20,
  parameter int unsigned TagBits = 16,                   // the interface has one more
  parameter int unsigned SlotBits = 4,                   // 2^SlotBits descriptors without a popped completion
  parameter bit [31:0] ResetTimeout = '0,                // of TIMEOUT, SEL_THRESHOLD, SEL_FACTORS
  parameter bit [31:0] ResetThreshold = 32'd4096,
  parameter bit [23:0] ResetFactors = 24'h055013,
  parameter int unsigned Flows = 0,                      // of congestion control: see hw_congestion_throttle; 0: none
  localparam int unsigned StopBits = (Flows > 0) ? Flows : 1,
  localparam int unsigned DescBits = `HW_MESSAGE_DESC_BITS,
  localparam int unsigned CplBits = `HW_MESSAGE_CPL_BITS,
  localparam int unsigned WinBits = `HW_MESSAGE_WIN_BITS,
  localparam int unsigned NumCounters = 32'(hw_message_pkg::NumCounters)
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  // Static
  input  wire logic [DstBits-1:0]         src_i,

  // AXI4-Lite slave
  input  wire logic                       s_awvalid_i,
  output logic                            s_awready_o,
  input  wire logic [CsrAddrBits-1:0]     s_awaddr_i,
  input  wire logic [2:0]                 s_awprot_i,
  input  wire logic                       s_wvalid_i,
  output logic                            s_wready_o,
  input  wire logic [31:0]                s_wdata_i,
  input  wire logic [3:0]                 s_wstrb_i,
  output logic                            s_bvalid_o,
  input  wire logic                       s_bready_i,
  output logic [1:0]                      s_bresp_o,
  input  wire logic                       s_arvalid_i,
  output logic                            s_arready_o,
  input  wire logic [CsrAddrBits-1:0]     s_araddr_i,
  input  wire logic [2:0]                 s_arprot_i,
  output logic                            s_rvalid_o,
  input  wire logic                       s_rready_i,
  output logic [31:0]                     s_rdata_o,
  output logic [1:0]                      s_rresp_o,
  output logic                            irq_o,

  // Host with streams, and what it does with the counters
  input  wire logic                       host_desc_valid_i,
  output logic                            host_desc_ready_o,
  input  wire logic [DescBits-1:0]        host_desc_i,
  output logic                            host_cpl_valid_o,
  input  wire logic                       host_cpl_ready_i,
  output logic [CplBits-1:0]              host_cpl_o,
  output logic                            host_evt_valid_o,
  input  wire logic                       host_evt_ready_i,
  output logic [WindowBits-1:0]           host_evt_o,
  input  wire logic                       host_win_valid_i,
  output logic                            host_win_ready_o,
  input  wire logic [WindowBits-1:0]      host_win_index_i,
  input  wire logic [WinBits-1:0]         host_win_i,
  input  wire logic                       host_ctr_clear_i,
  input  wire logic                       host_ctr_freeze_i,

  // Interface
  output logic                            desc_valid_o,
  input  wire logic                       desc_ready_i,
  output logic [DescBits:0]               desc_o,
  input  wire logic                       cpl_valid_i,
  output logic                            cpl_ready_o,
  input  wire logic [CplBits:0]           cpl_i,
  input  wire logic                       evt_valid_i,
  output logic                            evt_ready_o,
  input  wire logic [WindowBits-1:0]      evt_i,
  output logic                            win_valid_o,
  input  wire logic                       win_ready_i,
  output logic [WindowBits-1:0]           win_index_o,
  output logic [WinBits-1:0]              win_o,
  output logic [31:0]                     timeout_o,
  output logic [31:0]                     sel_threshold_o,
  output logic [23:0]                     sel_factors_o,
  output logic                            ctr_clear_o,
  output logic                            ctr_freeze_o,
  input  wire logic [NumCounters*64-1:0]  counters_i,
  input  wire logic [StopBits-1:0]        stop_valid_i,    // destinations that are stopped
  input  wire logic [StopBits*DstBits-1:0] stop_dst_i,
  output logic                            quiescent_o      // nothing that was pushed waits for the interface
);

  if (StreamBits < 8 || DstBits == 0 || DstBits > 32 || AddrBits < 33 || AddrBits > 64 || WindowBits > 16 || KeyBits > 8 ||
      OffsetBits > 32 || TagBits > 16 || SlotBits > 7) begin : gen_bad_widths
    $error("hw_message_csr: a field does not fit its register");
  end

  localparam int unsigned Windows = 4;
  localparam logic [31:0] CountersEnd = hw_message_csr_pkg::Counter + 2 * NumCounters;

  logic do_write, do_read, write_ok, read_ok;
  logic [31:0] waddr, raddr, wdata, strobes, rdata;      // word addresses
  logic [3:0] wstrb;
  hw_csr_port #(.AddrBits(CsrAddrBits)) u_port (
    .clk_i, .rst_ni, .s_awvalid_i, .s_awready_o, .s_awaddr_i, .s_awprot_i, .s_wvalid_i, .s_wready_o, .s_wdata_i, .s_wstrb_i,
    .s_bvalid_o, .s_bready_i, .s_bresp_o, .s_arvalid_i, .s_arready_o, .s_araddr_i, .s_arprot_i, .s_rvalid_o, .s_rready_i,
    .s_rdata_o, .s_rresp_o,
    .write_o(do_write), .write_word_o(waddr), .write_data_o(wdata), .write_strobe_o(wstrb), .write_done_i(do_write),
    .write_ok_i(write_ok), .read_o(do_read), .read_word_o(raddr), .read_done_i(do_read), .read_ok_i(read_ok), .read_data_i(rdata)
  );
  for (genvar b = 0; b < 4; b = b + 1) begin : gen_strobe
    assign strobes[8*b+:8] = {8{wstrb[b]}};
  end

  // ---- Words that keep what is written: the bits that each has

  function automatic logic [31:0] low(input int unsigned bits);
    low = bits >= 32 ? 32'hffffffff : (32'd1 << bits) - 32'd1;
  endfunction
  function automatic logic [31:0] bits_of(input logic [31:0] word);
    case (word)
      hw_message_csr_pkg::DescDst: bits_of = low(DstBits);
      hw_message_csr_pkg::DescOp: bits_of = 32'h00000371;
      hw_message_csr_pkg::DescBytes, hw_message_csr_pkg::DescLocal, hw_message_csr_pkg::WinBase, hw_message_csr_pkg::WinSize,
      hw_message_csr_pkg::WinExpect, hw_message_csr_pkg::Timeout, hw_message_csr_pkg::SelThreshold: bits_of = 32'hffffffff;
      hw_message_csr_pkg::SelFactors: bits_of = 32'h00ffffff;
      hw_message_csr_pkg::DescLocal + 32'd1, hw_message_csr_pkg::WinBase + 32'd1: bits_of = low(AddrBits - 32);
      hw_message_csr_pkg::DescWindow: bits_of = low(WindowBits) | (low(KeyBits) << 24);
      hw_message_csr_pkg::DescOffset: bits_of = low(OffsetBits);
      hw_message_csr_pkg::DescTag: bits_of = low(TagBits);
      hw_message_csr_pkg::WinAccess: bits_of = 32'h7 | (low(KeyBits) << 24);
      hw_message_csr_pkg::WinIndex: bits_of = low(WindowBits);
      hw_message_csr_pkg::Mask: bits_of = 32'h1f;
      default: bits_of = 32'h0;
    endcase
  endfunction
  function automatic logic [31:0] reset_of(input logic [31:0] word);
    case (word)
      hw_message_csr_pkg::Timeout: reset_of = ResetTimeout;
      hw_message_csr_pkg::SelThreshold: reset_of = ResetThreshold;
      hw_message_csr_pkg::SelFactors: reset_of = {8'h0, ResetFactors};
      default: reset_of = 32'h0;
    endcase
  endfunction
  localparam int unsigned First = hw_message_csr_pkg::Mask, Words = hw_message_csr_pkg::WinIndex - First + 1;
  localparam int unsigned IndexBits = $clog2(Words);
  logic [Words*32-1:0] words;
  logic [IndexBits-1:0] word_read;
  logic stores, stored;
  assign stores = bits_of(waddr) != '0;
  assign stored = bits_of(raddr) != '0;
  assign word_read = IndexBits'(raddr - First);
  for (genvar w = 0; w < Words; w = w + 1) begin : gen_word
    localparam logic [31:0] Bits = bits_of(First + w), Reset = reset_of(First + w);
    logic [31:0] word_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) word_q <= Reset;
      else if (do_write && write_ok && waddr == First + w) word_q <= ((word_q & ~strobes) | (wdata & strobes)) & Bits;
    end
    assign words[w*32+:32] = word_q;
  end

  assign timeout_o = words[32*(hw_message_csr_pkg::Timeout-First)+:32];
  assign sel_threshold_o = words[32*(hw_message_csr_pkg::SelThreshold-First)+:32];
  assign sel_factors_o = words[32*(hw_message_csr_pkg::SelFactors-First)+:24];

  // ---- Whether the destination of the next descriptor is stopped

  localparam int unsigned DescWord = 32 * (hw_message_csr_pkg::DescDst - First);
  logic [StopBits-1:0] stops;
  logic stopped_q;
  for (genvar f = 0; f < StopBits; f = f + 1) begin : gen_stop
    assign stops[f] = Flows > 0 && stop_valid_i[f] && stop_dst_i[f*DstBits+:DstBits] == words[DescWord+:DstBits];
  end

  // ---- Queues: what has been pushed is complete a cycle later

  localparam int unsigned WinWord = 32 * (hw_message_csr_pkg::WinAccess - First);
  localparam int unsigned LocalWord = 32 * (hw_message_csr_pkg::DescLocal - First), BaseWord = 32 * (hw_message_csr_pkg::WinBase - First);
  localparam int unsigned WindowWord = 32 * (hw_message_csr_pkg::DescWindow - First);
  localparam int unsigned OpWord = 32 * (hw_message_csr_pkg::DescOp - First), SizeWord = 32 * (hw_message_csr_pkg::WinSize - First);
  logic [SlotBits:0] desc_room, cpl_count;
  logic [2:0] win_room;
  logic push_desc_q, push_win_q, pop_cpl, pop_evt, evt_there, events_q, events_next_q, queues_quiescent;
  logic [CplBits-1:0] cpl;
  logic [WinBits-1:0] window;
  logic [DescBits-1:0] descriptor;
  assign descriptor = {words[32*(hw_message_csr_pkg::DescTag-First)+:TagBits], words[32*(hw_message_csr_pkg::DescOffset-First)+:OffsetBits],
                       words[WindowWord+24+:KeyBits], words[WindowWord+:WindowBits], words[LocalWord+:AddrBits],
                       words[32*(hw_message_csr_pkg::DescBytes-First)+:32], words[OpWord+8+:2], words[OpWord+4+:3], words[OpWord],
                       words[DescWord+:DstBits]};
  // From the highest down: expect, size, base, key, may_read, may_write, open
  assign window = {words[SizeWord+32+:32], words[SizeWord+:32], words[BaseWord+:AddrBits], words[WinWord+24+:KeyBits], words[WinWord+:3]};
  hw_message_queues #(
    .SlotBits(SlotBits), .Windows(Windows), .TagBits(TagBits), .DescBits(DescBits), .WindowBits(WindowBits), .WinBits(WinBits)
  ) u_queues (
    .clk_i, .rst_ni, .push_desc_i(push_desc_q), .push_desc_word_i(descriptor), .desc_room_o(desc_room),
    .push_win_i(push_win_q), .push_win_index_i(words[32*(hw_message_csr_pkg::WinIndex-First)+:WindowBits]), .push_win_word_i(window),
    .win_room_o(win_room), .pop_cpl_i(pop_cpl), .cpl_count_o(cpl_count), .cpl_word_o(cpl),
    .events_i(events_q), .pop_evt_i(pop_evt), .evt_there_o(evt_there),
    .host_desc_valid_i, .host_desc_ready_o, .host_desc_i, .host_cpl_valid_o, .host_cpl_ready_i, .host_cpl_o,
    .host_evt_valid_o, .host_evt_ready_i, .host_win_valid_i, .host_win_ready_o, .host_win_index_i, .host_win_i,
    .desc_valid_o, .desc_ready_i, .desc_o, .cpl_valid_i, .cpl_ready_o, .cpl_i, .evt_valid_i, .evt_ready_o,
    .win_valid_o, .win_ready_i, .win_index_o, .win_o, .quiescent_o(queues_quiescent)
  );
  // No request is held or acted on, and nothing follows what is there any more.
  assign quiescent_o = queues_quiescent && !push_desc_q && !push_win_q && s_awready_o && s_wready_o && s_arready_o &&
                       !clear_q && !snapshot_q && events_q == events_next_q && irq_q == ((status & words[4:0]) != '0) &&
                       stopped_q == (stops != '0);
  assign host_evt_o = evt_i;

  // ---- Writes

  logic writes_control, writes_pop, freeze_q, clear_q, snapshot_q, cpl_there, irq_q;
  logic [4:0] status;
  assign cpl_there = cpl_count != '0;
  assign writes_control = waddr == hw_message_csr_pkg::Control;
  assign writes_pop = waddr == hw_message_csr_pkg::Pop;
  assign write_ok = (stores && (waddr != hw_message_csr_pkg::DescTag || desc_room != '0) &&
                     (waddr != hw_message_csr_pkg::WinIndex || win_room != '0)) || writes_control ||
                    (writes_pop && !(strobes[0] && ((wdata[0] && !cpl_there) || (wdata[1] && !evt_there))));
  assign pop_cpl = do_write && write_ok && writes_pop && wdata[0] && strobes[0];
  assign pop_evt = do_write && write_ok && writes_pop && wdata[1] && strobes[0];
  assign status = {!stopped_q, win_room != '0, desc_room != '0, evt_there, cpl_there};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      push_desc_q <= 1'b0;
      push_win_q <= 1'b0;
      clear_q <= 1'b0;
      freeze_q <= 1'b0;
      snapshot_q <= 1'b0;
      events_q <= 1'b0;
      events_next_q <= 1'b0;
      irq_q <= 1'b0;
      stopped_q <= 1'b0;
    end else begin
      push_desc_q <= do_write && write_ok && waddr == hw_message_csr_pkg::DescTag && wstrb != '0;
      push_win_q <= do_write && write_ok && waddr == hw_message_csr_pkg::WinIndex && wstrb != '0;
      clear_q <= do_write && writes_control && strobes[0] && wdata[0];
      snapshot_q <= do_write && writes_control && strobes[0] && wdata[2];
      if (do_write && writes_control && strobes[0]) {events_next_q, freeze_q} <= {wdata[3], wdata[1]};
      if (!evt_valid_i || evt_ready_o) events_q <= events_next_q;  // an event that waits stays where it is
      irq_q <= (status & words[4:0]) != '0;
      stopped_q <= stops != '0;
    end
  end
  assign irq_o = irq_q;
  assign ctr_clear_o = clear_q || host_ctr_clear_i;
  assign ctr_freeze_o = freeze_q || host_ctr_freeze_i;

  // ---- Reads

  logic [NumCounters*64-1:0] counters_q;
  logic [31:0] counter_word;
  logic is_counter;
  always_ff @(posedge clk_i) if (snapshot_q) counters_q <= counters_i;
  assign is_counter = raddr >= hw_message_csr_pkg::Counter && raddr < CountersEnd;
  assign counter_word = counters_q[32*(5'(raddr-hw_message_csr_pkg::Counter))+:32];
  always_comb begin
    rdata = '0;
    read_ok = 1'b1;
    if (stored) rdata = words[32*word_read+:32];
    else if (is_counter) rdata = counter_word;
    else begin
      case (raddr)
        hw_message_csr_pkg::Id: rdata = hw_message_csr_pkg::IdValue;
        hw_message_csr_pkg::Version: rdata = hw_message_csr_pkg::VersionValue;
        hw_message_csr_pkg::Self: rdata = 32'(src_i);
        hw_message_csr_pkg::Sizes: rdata = {8'(NumCounters), 8'($clog2(StreamBits / 8)), 8'(WindowBits), 8'(DstBits)};
        hw_message_csr_pkg::Status: rdata = {27'h0, status};
        hw_message_csr_pkg::Room: rdata = {8'h0, 8'(cpl_count), 8'(win_room), 8'(desc_room)};
        hw_message_csr_pkg::Control: rdata = {28'h0, events_next_q, 1'b0, freeze_q, 1'b0};
        hw_message_csr_pkg::Cpl: if (cpl_there) rdata = {1'b1, 8'h0, cpl[TagBits+35+:3], 1'b0, cpl[TagBits+:3], 16'(cpl[TagBits-1:0])};
        hw_message_csr_pkg::CplBytes: if (cpl_there) rdata = cpl[TagBits+3+:32];
        hw_message_csr_pkg::Evt: if (evt_there) rdata = {1'b1, 15'h0, 16'(evt_i)};
        hw_message_csr_pkg::Pop: rdata = '0;
        default: read_ok = 1'b0;
      endcase
    end
  end

endmodule

`default_nettype wire
