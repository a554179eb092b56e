// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Control and status registers of one router, behind AXI4-Lite: identity and capabilities,
// configuration words, performance counters, events that interrupt, the packets that the router has
// dropped, and an indirect window to the routing tables. The register map is declared in gen/spec/csr_map.hpp.
//
// Latency: the last channel of a request accepted in cycle c, the response (BVALID, RVALID) is on
//   the pins in cycle c+2; a counter's low half and CONTROL take 1 to 3 cycles more, an access to the table the wait for its
//   acknowledge.
// Throughput: one read and one write every two cycles, independent of each other.
// Combinational paths: now_i to nothing; every output is a register, or a register and a compare.
// Assumes: AXI4-Lite rules; the table acknowledges each request once, in the same cycle at the
//   earliest. Bits 1:0 of addresses are ignored.
// Guarantees: unmapped addresses, writes to read-only registers and table addresses out of range are answered with SLVERR and
//   change nothing. Reading the low half of a 64-bit counter, of the head dropped last or of REFUSED latches its high half for the next read
//   of that. When nothing is requested nothing inside changes but the counters and what events set. irq_o is a level, a register's.
// Reference: docs/reference/csr.md (register map); ARM IHI 0022E, part B (AXI4-Lite).
module hw_csr #(
  parameter int unsigned AddrBits = 16,
  parameter logic [63:0] NetworkHash = 64'h0,
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned CoordBits = 0,
  parameter int unsigned NumCfg = 1,
  parameter logic [NumCfg*32-1:0] CfgReset = '0,
  parameter int unsigned OccupancyBits = 16,
  parameter int unsigned EventBits = 1,    // of an event's number in a cycle
  parameter int unsigned Counters = 1,     // 0: no counters, their addresses are unmapped
  parameter int unsigned TableWindow = 0,  // words behind the table window; 0: none
  parameter int unsigned NumEvents = 1,
  parameter int unsigned DropCauses = 0,   // for which packets are dropped; 0: none is
  parameter int unsigned RefusalCauses = 0,  // for which interfaces of terminals refuse packets; 0: it is not told
  parameter int unsigned StuckWords = 0,   // of a report of hw_stuck_watch; 0: there is none
  parameter int unsigned Flips = 0,        // 1: tables have parity
  localparam int unsigned DropBits = 16,   // of a number of drops
  localparam int unsigned DropsWidth = DropCauses > 0 ? DropCauses * DropBits : DropBits,
  localparam int unsigned RefusalsWidth = RefusalCauses > 0 ? RefusalCauses * DropBits : DropBits,
  localparam int unsigned StuckWidth = StuckWords > 0 ? StuckWords * 32 : 32
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,

  // Static
  input  wire logic [CoordBits-1:0]      coord_i,

  // AXI4-Lite slave
  input  wire logic                      s_awvalid_i,
  output logic                           s_awready_o,
  input  wire logic [AddrBits-1:0]       s_awaddr_i,
  input  wire logic [2:0]                s_awprot_i,
  input  wire logic                      s_wvalid_i,
  output logic                           s_wready_o,
  input  wire logic [31:0]               s_wdata_i,
  input  wire logic [3:0]                s_wstrb_i,
  output logic                           s_bvalid_o,
  input  wire logic                      s_bready_i,
  output logic [1:0]                     s_bresp_o,
  input  wire logic                      s_arvalid_i,
  output logic                           s_arready_o,
  input  wire logic [AddrBits-1:0]       s_araddr_i,
  input  wire logic [2:0]                s_arprot_i,
  output logic                           s_rvalid_o,
  input  wire logic                      s_rready_i,
  output logic [31:0]                    s_rdata_o,
  output logic [1:0]                     s_rresp_o,

  // Configuration: word w of the map on bits [32*w+31:32*w]
  output logic [NumCfg*32-1:0]           cfg_o,

  // Events of the router
  input  wire logic [63:0]               now_i,
  input  wire logic [NumPorts-1:0]       flit_in_i,
  input  wire logic [NumPorts-1:0]       flit_out_i,
  input  wire logic [NumPorts-1:0]       packet_out_i,
  input  wire logic [NumPorts-1:0]       stall_i,
  input  wire logic [OccupancyBits-1:0]  occupancy_i,

  // Events of the map: how often each happens in this cycle
  input  wire logic [NumEvents*EventBits-1:0]  event_i,
  output logic                           irq_o,

  // Drops by cause, the first in the low bits; word DROPPED of the map; low bits of the head of that packet
  input  wire logic [DropsWidth-1:0]     drops_i,
  input  wire logic [31:0]               dropped_i,
  input  wire logic [63:0]               dropped_head_i,
  // The same of the terminals' interfaces; words REFUSED and, in the high bits, REFUSED_USER
  input  wire logic [RefusalsWidth-1:0]  refusals_i,
  input  wire logic [63:0]               refused_i,
  // Words STUCK and WAITS_FOR of the map, new with the event VC_STUCK; word FLIPPED, new with MEMORY_FLIP
  input  wire logic [StuckWidth-1:0]     stuck_i,
  input  wire logic [31:0]               flip_word_i,

  // Table window: the request holds, unchanged, until table_ack_i, which carries the read data
  output logic                           table_req_o,
  output logic                           table_we_o,
  output logic [31:0]                    table_addr_o,
  output logic [31:0]                    table_wdata_o,
  output logic [3:0]                     table_wstrb_o,
  input  wire logic                      table_ack_i,
  input  wire logic [31:0]               table_rdata_i
);

  if (NumPorts == 0 || NumVcs == 0 || FlitBits == 0 || MaxFlits == 0 || CoordBits == 0 || NumCfg == 0) begin : gen_bad_size
    $error("hw_csr: NumPorts, NumVcs, FlitBits, MaxFlits, CoordBits and NumCfg must be at least 1");
  end
  if (CoordBits > 64 || NumCfg > 1024) begin : gen_bad_map_size
    $error("hw_csr: CoordBits must be at most 64, NumCfg at most 1024");
  end

  localparam int unsigned CounterBits = $clog2(4 * NumPorts + 2 + NumEvents);
  localparam int unsigned CfgBits = (NumCfg > 1) ? $clog2(NumCfg) : 1;
  localparam logic [31:0] CfgEnd = hw_csr_pkg::Cfg + NumCfg;
  localparam logic [31:0] PortEnd = hw_csr_pkg::FlitsIn + hw_csr_pkg::PortStride * NumPorts;
  localparam logic [31:0] EventEnd = hw_csr_pkg::Event + 2 * NumEvents;

  if (Counters != 0 && PortEnd > (32'd1 << (AddrBits - 2))) begin : gen_bad_map
    $error("hw_csr: AddrBits is too small for the counters of NumPorts ports");
  end

  logic do_write, do_read, write_done, read_done, write_ok, read_ok;
  logic [31:0] waddr, raddr, wdata, read_low;  // word addresses
  logic [3:0] wstrb;

  hw_csr_port #(.AddrBits(AddrBits)) u_port (
    .clk_i, .rst_ni, .s_awvalid_i, .s_awready_o, .s_awaddr_i, .s_awprot_i, .s_wvalid_i, .s_wready_o, .s_wdata_i, .s_wstrb_i,
    .s_bvalid_o, .s_bready_i, .s_bresp_o, .s_arvalid_i, .s_arready_o, .s_araddr_i, .s_arprot_i, .s_rvalid_o, .s_rready_i,
    .s_rdata_o, .s_rresp_o,
    .write_o(do_write), .write_word_o(waddr), .write_data_o(wdata), .write_strobe_o(wstrb), .write_done_i(write_done),
    .write_ok_i(write_ok),
    .read_o(do_read), .read_word_o(raddr), .read_done_i(read_done), .read_ok_i(read_ok), .read_data_i(read_low)
  );

  // ---- Table window: one access at a time, writes first, held until its acknowledge.

  logic [31:0] table_addr_q;
  logic table_in_range, table_write, table_read, table_reading_q;

  assign table_in_range = TableWindow != 0 && table_addr_q < TableWindow;
  assign table_write = do_write && waddr == hw_csr_pkg::TableData && table_in_range && !table_reading_q;
  assign table_read = do_read && raddr == hw_csr_pkg::TableData && table_in_range && !table_write;
  assign table_req_o = table_write || table_read;
  assign {table_we_o, table_addr_o, table_wdata_o, table_wstrb_o} = {table_write, table_addr_q, wdata, wstrb};

  // ---- Writes

  logic [NumCfg*32-1:0] cfg_q;
  logic [31:0] strobe_mask, cfg_word;
  logic write_cfg, write_control, write_status, write_mask, write_table_addr, command, command_done, frozen;
  logic [NumEvents-1:0] status, mask;

  for (genvar b = 0; b < 4; b = b + 1) begin : gen_strobe
    assign strobe_mask[8*b+:8] = {8{wstrb[b]}};
  end
  assign write_cfg = waddr >= hw_csr_pkg::Cfg && waddr < CfgEnd;
  assign write_control = waddr == hw_csr_pkg::Control && Counters != 0;
  // An address that an access is using does not change under it.
  assign write_table_addr = waddr == hw_csr_pkg::TableAddr && TableWindow != 0;
  assign write_status = waddr == hw_csr_pkg::Status;
  assign write_mask = waddr == hw_csr_pkg::Mask;
  assign write_ok = write_cfg || write_control || write_status || write_mask || write_table_addr || (waddr == hw_csr_pkg::TableData && table_in_range);
  assign write_done = do_write &&
                      (waddr == hw_csr_pkg::TableData && table_in_range ? table_write && table_ack_i
                       : command ? command_done : !(write_table_addr && table_read));
  assign command = do_write && write_control && wstrb[0];
  assign cfg_word = cfg_q[32'(CfgBits'(waddr))*32+:32];
  assign cfg_o = cfg_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cfg_q <= CfgReset;
      table_addr_q <= '0;
      table_reading_q <= 1'b0;
    end else begin
      table_reading_q <= table_read && !table_ack_i;
      if (write_done && write_cfg) begin
        cfg_q[32'(CfgBits'(waddr))*32+:32] <= (cfg_word & ~strobe_mask) | (wdata & strobe_mask);
      end
      if (table_req_o && table_ack_i) table_addr_q <= table_addr_q + 32'd1;
      else if (write_done && write_table_addr) table_addr_q <= (table_addr_q & ~strobe_mask) | (wdata & strobe_mask);
    end
  end

  // ---- Reads

  logic [31:0] high_q, port_offset, event_offset, identity;
  logic [63:0] counter, report;
  logic [CounterBits-1:0] counter_word;
  logic is_counter, is_port, is_event, is_identity, is_report, is_wide_report, counter_done;

  assign port_offset = raddr - hw_csr_pkg::FlitsIn;
  assign event_offset = raddr - hw_csr_pkg::Event;
  assign is_port = raddr >= hw_csr_pkg::FlitsIn && raddr < PortEnd && !port_offset[3];
  assign is_event = raddr >= hw_csr_pkg::Event && raddr < EventEnd;
  assign is_counter = Counters != 0 && (is_port || is_event || raddr[31:1] == hw_csr_pkg::Elapsed[31:1] ||
                                        raddr[31:1] == hw_csr_pkg::Occupancy[31:1]);
  assign counter_word = is_port ? CounterBits'({port_offset[31:4], port_offset[2:1]})
                        : is_event ? CounterBits'(4 * NumPorts + 1 + 32'(event_offset[31:1]))
                        : raddr[2] ? CounterBits'(4 * NumPorts) : CounterBits'(4 * NumPorts + 1 + NumEvents);

  hw_csr_identity #(
    .NetworkHash(NetworkHash), .NumPorts(NumPorts), .NumVcs(NumVcs), .FlitBits(FlitBits),
    .MaxFlits(MaxFlits), .NumCfg(NumCfg), .TableWindow(TableWindow), .NumEvents(NumEvents), .HasCounters(Counters != 0)
  ) u_identity (
    .coord_i(64'(coord_i)), .word_i(raddr), .known_o(is_identity), .data_o(identity)
  );

  always_comb begin
    read_low = '0;
    read_ok = 1'b1;
    if (do_read) begin
      if (is_counter) begin
        read_low = raddr[0] ? high_q : counter[31:0];
      end else if (raddr >= hw_csr_pkg::Cfg && raddr < CfgEnd) begin
        read_low = cfg_q[32'(CfgBits'(raddr))*32+:32];
      end else if (is_report) begin
        read_low = is_wide_report && raddr[0] ? high_q : report[31:0];
      end else if (is_identity) begin
        read_low = identity;
      end else begin
        case (raddr)
          hw_csr_pkg::Control: begin
            read_low = {30'h0, frozen, 1'b0};
            read_ok = Counters != 0;
          end
          hw_csr_pkg::Status: read_low = 32'(status);
          hw_csr_pkg::Mask: read_low = 32'(mask);
          hw_csr_pkg::TableAddr: begin
            read_low = table_addr_q;
            read_ok = TableWindow != 0;
          end
          hw_csr_pkg::TableData: begin
            read_low = table_rdata_i;
            read_ok = table_in_range;
          end
          default: read_ok = 1'b0;
        endcase
      end
    end
  end

  assign read_done = do_read && (is_counter && !raddr[0] ? counter_done
                                 : raddr != hw_csr_pkg::TableData || !table_in_range || (table_read && table_ack_i));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) high_q <= '0;
    else if (read_done && (is_counter || is_wide_report) && !raddr[0]) high_q <= is_counter ? counter[63:32] : report[63:32];
  end

  // ---- Events and reports
  logic [NumEvents-1:0] happens, clear_status, set_mask;
  assign clear_status = write_done && write_status ? NumEvents'(wdata & strobe_mask) : '0;
  assign set_mask = write_done && write_mask ? NumEvents'(strobe_mask) : '0;
  for (genvar e = 0; e < NumEvents; e = e + 1) begin : gen_event
    assign happens[e] = event_i[e*EventBits+:EventBits] != '0;
  end
  hw_csr_events #(.NumEvents(NumEvents)) u_events (
    .clk_i, .rst_ni, .event_i(happens),
    .clear_i(clear_status), .mask_write_i(set_mask), .mask_data_i(NumEvents'(wdata)),
    .status_o(status), .mask_o(mask), .irq_o
  );

  // ---- Counters

  if (Counters != 0) begin : gen_counters
    hw_perf_counters #(
      .NumPorts(NumPorts), .OccupancyBits(OccupancyBits), .NumEvents(NumEvents), .EventBits(EventBits)
    ) u_counters (
      .clk_i, .rst_ni,
      .now_i, .flit_in_i, .flit_out_i, .packet_out_i, .stall_i, .occupancy_i, .event_i,
      .command_i(command), .clear_i(wdata[0]), .freeze_i(wdata[1]), .command_done_o(command_done), .frozen_o(frozen),
      .read_i(do_read && is_counter && !raddr[0]), .read_word_i(counter_word),
      .read_done_o(counter_done), .read_data_o(counter)
    );
  end else begin : gen_no_counters
    assign {counter, command_done, frozen, counter_done} = '0;
    wire unused_events = &{1'b0, now_i, flit_in_i, flit_out_i, packet_out_i, stall_i, occupancy_i, counter_word};
  end

  hw_csr_reports #(
    .NumEvents(NumEvents), .DropCauses(DropCauses), .DropBits(DropBits), .RefusalCauses(RefusalCauses), .StuckWords(StuckWords),
    .Flips(Flips)
  ) u_reports (
    .clk_i, .rst_ni, .event_i(happens), .status_i(status & ~clear_status), .drops_i, .dropped_i, .dropped_head_i,
    .refusals_i, .refused_i, .stuck_i, .flip_word_i,
    .word_i(raddr), .known_o(is_report), .wide_o(is_wide_report), .data_o(report)
  );

  wire unused_offsets = &{1'b0, port_offset, event_offset};

  `HW_ASSUME(a_ack_only_for_request, !table_ack_i || table_req_o)
  `HW_ASSERT(a_one_table_access, !(table_write && table_read))
  `HW_COVER(c_read_waits_for_table_write, do_read && raddr == hw_csr_pkg::TableData && table_write)

endmodule

`default_nettype wire
