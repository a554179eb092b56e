// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"

// Control and status registers of one router, behind AXI4-Lite: identity and capabilities,
// configuration words, performance counters, and an indirect window to the routing tables.
//
// Latency: the last channel of a request accepted in cycle c, the response (BVALID, RVALID) is on
//   the pins in cycle c+2; an access to the table is longer by the wait for its acknowledge.
// Throughput: one read and one write every two cycles, independent of each other.
// Combinational paths: now_i to nothing; every output is a register, or a register and a compare.
// Assumes: AXI4-Lite rules; the table acknowledges each request once, in the same cycle at the
//   earliest. Bits 1:0 of addresses are ignored.
// Guarantees: the five channels wait for each other only as AXI demands (a response for its
//   request). Unmapped addresses, writes to read-only registers and table addresses out of range
//   are answered with SLVERR and change nothing. Reading the low half of a 64-bit counter latches
//   its high half for the next read of that. When nothing is requested nothing inside changes but
//   the counters.
// Reference: docs/reference/csr.md (register map); ARM IHI 0022E, part B (AXI4-Lite).
module hw_csr #(
  parameter int unsigned AddrBits = 16,
  parameter logic [31:0] Version = 32'h0001_0000,
  parameter logic [63:0] NetworkHash = 64'h0,
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned FlitBits = 0,
  parameter int unsigned MaxFlits = 0,
  parameter int unsigned CoordBits = 0,
  parameter int unsigned NumCfg = 1,
  parameter logic [NumCfg*32-1:0] CfgReset = '0,
  parameter int unsigned OccupancyBits = 16,
  parameter int unsigned Counters = 1,     // 0: no counters, their addresses are unmapped
  parameter int unsigned TableWindow = 0   // words behind the table window; 0: none
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,

  // Static
  input  wire logic [CoordBits-1:0]      coord_i,

  // AXI4-Lite slave
  input  wire logic                      s_awvalid_i,
  output logic                           s_awready_o,
  input  wire logic [AddrBits-1:0]       s_awaddr_i,
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

  // Table window: the request holds, unchanged, until table_ack_i, which carries the read data
  output logic                           table_req_o,
  output logic                           table_we_o,
  output logic [31:0]                    table_addr_o,
  output logic [31:0]                    table_wdata_o,
  output logic [3:0]                     table_wstrb_o,
  input  wire logic                      table_ack_i,
  input  wire logic [31:0]               table_rdata_i
);

  if (AddrBits < 14 || AddrBits > 32) begin : gen_bad_address
    $error("hw_csr: AddrBits must be 14 to 32");
  end
  if (NumPorts == 0 || NumVcs == 0 || FlitBits == 0 || MaxFlits == 0) begin : gen_bad_router
    $error("hw_csr: NumPorts, NumVcs, FlitBits and MaxFlits must be at least 1");
  end
  if (CoordBits == 0 || CoordBits > 64) begin : gen_bad_coord
    $error("hw_csr: CoordBits must be 1 to 64");
  end
  if (NumCfg == 0 || NumCfg > 1024) begin : gen_bad_cfg
    $error("hw_csr: NumCfg must be 1 to 1024");
  end

  localparam int unsigned PortBits = (NumPorts > 1) ? $clog2(NumPorts) : 1;
  localparam int unsigned CfgBits = (NumCfg > 1) ? $clog2(NumCfg) : 1;
  localparam int unsigned WordBits = AddrBits - 2;
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlvErr = 2'b10;
  // Word addresses
  localparam logic [31:0] RegControl = 32'h10, RegElapsed = 32'h12, RegOccupancy = 32'h14;
  localparam logic [31:0] RegTableAddr = 32'h18, RegTableData = 32'h19;
  localparam logic [31:0] CfgBase = 32'h400, CounterBase = 32'h800;
  localparam logic [31:0] CounterEnd = CounterBase + 16 * NumPorts;

  if (Counters != 0 && CounterEnd > (32'd1 << WordBits)) begin : gen_bad_map
    $error("hw_csr: AddrBits is too small for the counters of NumPorts ports");
  end

  // ---- Request registers: each channel is accepted on its own.

  logic aw_full_q, w_full_q, ar_full_q, bvalid_q, rvalid_q;
  logic [WordBits-1:0] aw_q, ar_q;
  logic [31:0] wdata_q, rdata_q;
  logic [3:0] wstrb_q;
  logic [1:0] bresp_q, rresp_q;
  logic [31:0] waddr, raddr;
  logic do_write, do_read, write_done, read_done;  // a request is being worked on, and ends now

  assign s_awready_o = !aw_full_q;
  assign s_wready_o = !w_full_q;
  assign s_arready_o = !ar_full_q;
  assign s_bvalid_o = bvalid_q;
  assign s_bresp_o = bresp_q;
  assign s_rvalid_o = rvalid_q;
  assign s_rdata_o = rdata_q;
  assign s_rresp_o = rresp_q;
  assign waddr = 32'(aw_q);
  assign raddr = 32'(ar_q);
  assign do_write = aw_full_q && w_full_q && !bvalid_q;
  assign do_read = ar_full_q && !rvalid_q;

  // ---- Table window: one access at a time, writes first, held until its acknowledge.

  logic [31:0] table_addr_q;
  logic table_in_range, table_write, table_read, table_reading_q;

  assign table_in_range = TableWindow != 0 && table_addr_q < TableWindow;
  assign table_write = do_write && waddr == RegTableData && table_in_range && !table_reading_q;
  assign table_read = do_read && raddr == RegTableData && table_in_range && !table_write;
  assign table_req_o = table_write || table_read;
  assign table_we_o = table_write;
  assign table_addr_o = table_addr_q;
  assign table_wdata_o = wdata_q;
  assign table_wstrb_o = wstrb_q;

  // ---- Writes

  logic [NumCfg*32-1:0] cfg_q;
  logic [31:0] strobe_mask, cfg_word;
  logic freeze_q, write_ok, write_cfg, write_control, write_table_addr, clear;

  for (genvar b = 0; b < 4; b = b + 1) begin : gen_strobe
    assign strobe_mask[8*b+:8] = {8{wstrb_q[b]}};
  end
  assign write_cfg = waddr >= CfgBase && waddr < CfgBase + NumCfg;
  assign write_control = waddr == RegControl && Counters != 0;
  // An address that an access is using does not change under it.
  assign write_table_addr = waddr == RegTableAddr && TableWindow != 0;
  assign write_ok = write_cfg || write_control || write_table_addr || (waddr == RegTableData && table_in_range);
  assign write_done = do_write &&
                      (waddr == RegTableData && table_in_range ? table_write && table_ack_i
                                                               : !(write_table_addr && table_read));
  assign clear = write_done && write_control && wstrb_q[0] && wdata_q[0];
  assign cfg_word = cfg_q[32'(CfgBits'(waddr))*32+:32];
  assign cfg_o = cfg_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cfg_q <= CfgReset;
      freeze_q <= 1'b0;
      table_addr_q <= '0;
      table_reading_q <= 1'b0;
    end else begin
      table_reading_q <= table_read && !table_ack_i;
      if (write_done && write_cfg) begin
        cfg_q[32'(CfgBits'(waddr))*32+:32] <= (cfg_word & ~strobe_mask) | (wdata_q & strobe_mask);
      end
      if (write_done && write_control && wstrb_q[0]) freeze_q <= wdata_q[1];
      if (table_req_o && table_ack_i) begin
        table_addr_q <= table_addr_q + 32'd1;
      end else if (write_done && write_table_addr) begin
        table_addr_q <= (table_addr_q & ~strobe_mask) | (wdata_q & strobe_mask);
      end
    end
  end

  // ---- Reads

  logic [31:0] read_low, high_q, counter_offset;
  logic [63:0] counter;
  logic [31:0] identity;
  logic [2:0] counter_kind;
  logic [PortBits-1:0] counter_port;
  logic read_ok, is_counter, is_port_counter, is_identity;

  assign counter_offset = raddr - CounterBase;
  assign is_port_counter = Counters != 0 && raddr >= CounterBase && raddr < CounterEnd && !counter_offset[3];
  assign is_counter = is_port_counter ||
                      (Counters != 0 && raddr >= RegElapsed && raddr < RegOccupancy + 32'd2);
  assign counter_port = PortBits'(counter_offset >> 4);
  assign counter_kind = is_port_counter ? {1'b0, counter_offset[2:1]} : {2'b10, raddr[2]};

  hw_csr_identity #(
    .Version(Version), .NetworkHash(NetworkHash), .NumPorts(NumPorts), .NumVcs(NumVcs), .FlitBits(FlitBits),
    .MaxFlits(MaxFlits), .NumCfg(NumCfg), .TableWindow(TableWindow), .HasCounters(Counters != 0)
  ) u_identity (
    .coord_i(64'(coord_i)), .word_i(raddr), .known_o(is_identity), .data_o(identity)
  );

  always_comb begin
    read_low = '0;
    read_ok = 1'b1;
    if (do_read) begin
      if (is_counter) begin
        read_low = raddr[0] ? high_q : counter[31:0];
      end else if (raddr >= CfgBase && raddr < CfgBase + NumCfg) begin
        read_low = cfg_q[32'(CfgBits'(raddr))*32+:32];
      end else if (is_identity) begin
        read_low = identity;
      end else begin
        case (raddr)
          RegControl: begin
            read_low = {30'h0, freeze_q, 1'b0};
            read_ok = Counters != 0;
          end
          RegTableAddr: begin
            read_low = table_addr_q;
            read_ok = TableWindow != 0;
          end
          RegTableData: begin
            read_low = table_rdata_i;
            read_ok = table_in_range;
          end
          default: read_ok = 1'b0;
        endcase
      end
    end
  end

  assign read_done = do_read && (raddr != RegTableData || !table_in_range || (table_read && table_ack_i));

  // ---- Responses

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_full_q <= 1'b0;
      w_full_q <= 1'b0;
      ar_full_q <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
      high_q <= '0;
    end else begin
      aw_full_q <= aw_full_q ? !write_done : s_awvalid_i;
      w_full_q <= w_full_q ? !write_done : s_wvalid_i;
      ar_full_q <= ar_full_q ? !read_done : s_arvalid_i;
      bvalid_q <= bvalid_q ? !s_bready_i : write_done;
      rvalid_q <= rvalid_q ? !s_rready_i : read_done;
      if (read_done && is_counter && !raddr[0]) high_q <= counter[63:32];
    end
  end

  always_ff @(posedge clk_i) begin
    if (s_awvalid_i && !aw_full_q) aw_q <= s_awaddr_i[AddrBits-1:2];
    if (s_arvalid_i && !ar_full_q) ar_q <= s_araddr_i[AddrBits-1:2];
    if (s_wvalid_i && !w_full_q) begin
      wdata_q <= s_wdata_i;
      wstrb_q <= s_wstrb_i;
    end
    if (write_done) bresp_q <= write_ok ? Okay : SlvErr;
    if (read_done) begin
      rdata_q <= read_ok ? read_low : '0;
      rresp_q <= read_ok ? Okay : SlvErr;
    end
  end

  // ---- Counters

  if (Counters != 0) begin : gen_counters
    hw_perf_counters #(.NumPorts(NumPorts), .OccupancyBits(OccupancyBits)) u_counters (
      .clk_i, .rst_ni,
      .now_i, .flit_in_i, .flit_out_i, .packet_out_i, .stall_i, .occupancy_i,
      .clear_i(clear), .freeze_i(freeze_q),
      .read_i(do_read && is_counter), .read_kind_i(counter_kind), .read_port_i(counter_port),
      .read_data_o(counter)
    );
  end else begin : gen_no_counters
    assign counter = '0;
    wire unused_events = &{1'b0, now_i, flit_in_i, flit_out_i, packet_out_i, stall_i, occupancy_i,
                           clear, counter_kind, counter_port};
  end

  wire unused_low_address = &{1'b0, s_awaddr_i[1:0], s_araddr_i[1:0], counter_offset};

  `HW_ASSUME(a_ack_only_for_request, !table_ack_i || table_req_o)
  `HW_ASSERT(a_one_table_access, !(table_write && table_read))
  `HW_COVER(c_read_waits_for_table_write, do_read && raddr == RegTableData && table_write)

endmodule

`default_nettype wire
