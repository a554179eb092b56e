// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "hw_assert.svh"
`include "hw_round_robin.svh"

// Separable switch allocator: matches input ports to output ports, at most one VC per input port.
//
// OutputFirst 0: every input port chooses one requesting VC, then every output port one of the input ports (input-first).
// OutputFirst 1: every output port chooses one of the input ports that request it, then every input port accepts one of
// the outputs that chose it, by choosing among the VCs that ask for them (output-first; iSLIP's grant and accept). Each
// further iteration adds to the matching.
//
// Latency: combinational from req_* to grant_* and out_*. Throughput: one matching per cycle.
// Fairness: among the VCs of an input port the least recently served one goes first (hw_vc_order), so that no pattern of ready
// outputs makes a VC lose for ever; output ports go round their VCs and, for each, round the input ports (hw_port_turns).
// Pointers move with grants of the first iteration only.
// Weights: of each input port, 1 to 15. Turns of an input port that presses are so many packets long, but where collects_i. Where not all are 1 and
// the allocator is input-first, a VC that asked in vain stands back for the others of its port: an input port asks where it has
// the turn, sooner or later, instead of waiting behind its oldest VC until another port's long turn has ended.
// Ranks: VCs of a class that goes first before others, in bounded rows, at output ports (hw_class_turns) and at input ports (hw_vc_order), if
// input-first. An input port then stands back as with weights, so that no VC of a class that goes first waits in vain before one that could go.
// HoldPacket: a granted head keeps its input and output ports connected until its tail.
// Assumes: a request stays until granted, until the space downstream is taken, or until its packet waits for another one;
// ready_i does not depend on grants.
// Reference: Dally & Towles, sections 19.3 (separable allocators) and 19.3.1 (iSLIP).
module hw_switch_allocator #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter bit [NumPorts*NumVcs*NumPorts-1:0] Turns = {NumPorts*NumVcs*NumPorts{1'b1}},  // per output VC: who may ask for it
  parameter int unsigned Iterations = 1,
  parameter bit OutputFirst = 1'b0,
  parameter bit [NumPorts*4-1:0] Weights = {NumPorts{4'd1}},  // packets in a turn of a port that presses
  parameter bit [NumVcs*4-1:0] Ranks = '0,               // see hw_class_turns, as RankPackets, which is its Packets
  parameter int unsigned RankPackets = 1,
  parameter bit HoldPacket = 1'b0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  // Requests: VC v of input port p asks for output port req_port
  input  wire logic [NumPorts*NumVcs-1:0]     req_valid_i,
  input  wire logic [NumPorts*NumVcs*PortWidth-1:0] req_port_i,
  input  wire logic [NumPorts*NumVcs*VcWidth-1:0] req_out_vc_i,  // a VC of that port that it may take
  input  wire logic [NumPorts-1:0]            withdraw_i,   // late in the cycle: the input port asks for nothing after all
  input  wire logic [NumPorts-1:0]            ready_i,      // the output port takes a flit in this cycle
  input  wire logic [NumPorts*NumVcs-1:0]     collects_i,   // at the output VC a turn is one packet, whoever presses
  input  wire logic [NumPorts-1:0]            head_i,       // the granted flit of the input port is a head
  input  wire logic [NumPorts-1:0]            tail_i,       // it is a tail
  input  wire logic [NumPorts-1:0]            pressing_i,   // the input port presses; of no account with weights of 1
  // Matching, per input port and per output port
  output logic [NumPorts-1:0]                 grant_o,
  output logic [NumPorts*VcWidth-1:0]         grant_vc_o,
  output logic [NumPorts-1:0]                 out_valid_o,
  output logic [NumPorts*PortWidth-1:0]       out_sel_o,
  output logic [NumPorts*NumPorts-1:0]        out_from_o,   // the same choice as out_sel_o, per output port a bit per input
  output logic [NumPorts*NumVcs-1:0]          out_vc_o      // per output port the VC that was asked for, a bit each
);

  if (NumPorts == 0 || NumVcs == 0 || Iterations == 0) begin : gen_bad_size
    $error("hw_switch_allocator: NumPorts, NumVcs and Iterations must be at least 1");
  end

  if (OutputFirst && Ranks != '0) begin : gen_bad_ranks
    $error("hw_switch_allocator: Ranks need OutputFirst 0");
  end

  `HW_ROUND_ROBIN_ONE_HOT(next_port, NumPorts)
  `HW_ROUND_ROBIN_ONE_HOT(next_vc, NumVcs)    // its index
  `HW_LEAST_RECENT(first_vc, NumVcs)

  localparam int unsigned OrderBits = NumVcs * NumVcs;
  localparam int unsigned Asks = OutputFirst ? NumVcs : 1;  // VCs for which an input port asks at a time
  localparam bit Weighted = Weights != {NumPorts{4'd1}};
  localparam bit Yield = (Weighted || Ranks != '0) && !OutputFirst && NumVcs > 1;

  logic [NumPorts*OrderBits-1:0] ahead;         // per input port: which of its VCs goes ahead of which
  logic [NumPorts*NumVcs-1:0] tried;            // per input port: the VC that asks in the first iteration, if input-first
  logic [NumPorts*OrderBits-1:0] vcs_ahead;     // per output port: which of its VCs goes ahead of which
  logic [NumPorts*NumVcs-1:0] asked_vcs;        // per output port: the VCs that are asked for in the first iteration
  logic [NumPorts*NumVcs*NumPorts-1:0] ins_behind;  // per output port and output VC: the input ports behind the last one
  logic [NumPorts-1:0] held_in, held_out;       // ports connected by a packet in progress
  logic [NumPorts*VcWidth-1:0] held_vc;

  logic [NumPorts-1:0] grant_first;             // granted in the first iteration
  logic [NumPorts-1:0] wants [0:NumPorts-1];    // per output port: the input ports that ask for it
  logic [NumPorts-1:0] wants_vc [0:NumPorts*NumVcs-1];  // the same per output VC
  logic [NumPorts-1:0] taken_out;               // output ports that take no flit, or no further one
  logic [NumPorts-1:0] want_port;
  logic [NumVcs-1:0] want_vc;
  logic [NumPorts*NumPorts-1:0] offered;        // output-first: per input port, the outputs that chose it
  logic [NumVcs-1:0] usable, chosen, asked;
  logic [NumPorts-1:0] winner;

  always_comb begin
    grant_o = '0;
    grant_first = '0;
    grant_vc_o = '0;
    out_valid_o = '0;
    out_from_o = '0;
    out_vc_o = '0;
    tried = '0;
    offered = '0;
    asked_vcs = '0;
    usable = '0;
    chosen = '0;
    asked = '0;
    winner = '0;
    taken_out = ~ready_i;
    want_port = '0;
    want_vc = '0;
    for (int unsigned o = 0; o < NumPorts; o = o + 1) wants[o] = '0;
    for (int unsigned i = 0; i < NumPorts * NumVcs; i = i + 1) wants_vc[i] = '0;
    if (req_valid_i != '0) begin
      for (int unsigned iteration = 0; iteration < Iterations; iteration = iteration + 1) begin
        if (iteration > 0) begin
          taken_out = ~ready_i | out_valid_o;
          for (int unsigned o = 0; o < NumPorts; o = o + 1) wants[o] = '0;
          for (int unsigned i = 0; i < NumPorts * NumVcs; i = i + 1) wants_vc[i] = '0;
        end
        // Stage 1: what each input port asks for.
        for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
          if (!grant_o[p] && req_valid_i[p*NumVcs+:NumVcs] != '0) begin
            for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
              want_port = NumPorts'(1) << req_port_i[(p*NumVcs+v)*PortWidth+:PortWidth];
              usable[v] = req_valid_i[p*NumVcs+v] && (want_port & taken_out) == '0
                  && (held_in[p] ? held_vc[p*VcWidth+:VcWidth] == VcWidth'(v) : (want_port & held_out) == '0);
            end
            chosen = usable;
            if (!OutputFirst) begin
              chosen = first_vc(usable, ahead[p*OrderBits+:OrderBits]);
              grant_vc_o[p*VcWidth+:VcWidth] = next_vc_index(chosen);
              if (iteration == 0) tried[p*NumVcs+:NumVcs] = chosen;
            end
            for (int unsigned i = 0; i < Asks; i = i + 1) begin
              want_port = '0;
              want_vc = '0;
              for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
                if (chosen[v] && (!OutputFirst || v == i)) begin
                  want_port = want_port | NumPorts'(1) << req_port_i[(p*NumVcs+v)*PortWidth+:PortWidth];
                  want_vc = want_vc | NumVcs'(1) << req_out_vc_i[(p*NumVcs+v)*VcWidth+:VcWidth];
                end
              end
              for (int unsigned o = 0; o < NumPorts; o = o + 1) begin
                if (want_port[o]) begin
                  for (int unsigned w = 0; w < NumVcs; w = w + 1) begin
                    if (Turns[(o*NumVcs+w)*NumPorts+p] && want_vc[w] && !withdraw_i[p]) begin
                      wants[o][p] = 1'b1;
                      wants_vc[o*NumVcs+w][p] = 1'b1;
                    end
                  end
                end
              end
            end
          end
        end
        // Stage 2: each output port chooses one of the VCs that it is asked for, and one of the input ports that ask for that.
        offered = '0;
        for (int unsigned o = 0; o < NumPorts; o = o + 1) begin
          if (wants[o] != '0) begin
            for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
              asked[v] = wants_vc[o*NumVcs+v] != '0;
            end
            if (iteration == 0) asked_vcs[o*NumVcs+:NumVcs] = asked;
            chosen = first_vc(asked, vcs_ahead[o*OrderBits+:OrderBits]);
            winner = '0;
            for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
              if (chosen[v]) winner = winner | next_port(wants_vc[o*NumVcs+v], ins_behind[(o*NumVcs+v)*NumPorts+:NumPorts]);
            end
            if (OutputFirst) begin
              for (int unsigned p = 0; p < NumPorts; p = p + 1) offered[p*NumPorts+o] = winner[p];
            end else begin
              out_valid_o[o] = 1'b1;
              out_from_o[o*NumPorts+:NumPorts] = winner;
              out_vc_o[o*NumVcs+:NumVcs] = chosen;
              grant_o = grant_o | winner;
              if (iteration == 0) grant_first = grant_first | winner;
            end
          end
        end
        // Stage 3, output-first only: each input port accepts for one of the VCs that asked for what it is offered.
        if (OutputFirst) begin
          for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
            if (offered[p*NumPorts+:NumPorts] != '0) begin
              for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
                usable[v] = req_valid_i[p*NumVcs+v] && offered[p*NumPorts+32'(req_port_i[(p*NumVcs+v)*PortWidth+:PortWidth])]
                    && (!held_in[p] || held_vc[p*VcWidth+:VcWidth] == VcWidth'(v));
              end
              chosen = first_vc(usable, ahead[p*OrderBits+:OrderBits]);
              grant_vc_o[p*VcWidth+:VcWidth] = next_vc_index(chosen);
              grant_o[p] = 1'b1;
              if (iteration == 0) grant_first[p] = 1'b1;
              for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
                if (chosen[v]) begin
                  out_valid_o[req_port_i[(p*NumVcs+v)*PortWidth+:PortWidth]] = 1'b1;
                  out_from_o[32'(req_port_i[(p*NumVcs+v)*PortWidth+:PortWidth])*NumPorts+p] = 1'b1;
                  out_vc_o[32'(req_port_i[(p*NumVcs+v)*PortWidth+:PortWidth])*NumVcs
                         +32'(req_out_vc_i[(p*NumVcs+v)*VcWidth+:VcWidth])] = 1'b1;
                end
              end
            end
          end
        end
      end
    end
    for (int unsigned o = 0; o < NumPorts; o = o + 1) begin
      out_sel_o[o*PortWidth+:PortWidth] = out_valid_o[o] ? next_port_index(out_from_o[o*NumPorts+:NumPorts]) : '0;
    end
  end

  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_in
    logic [NumVcs-1:0] served;
    assign served = grant_o[p] ? NumVcs'(1) << grant_vc_o[p*VcWidth+:VcWidth] : '0;
    hw_vc_order #(.NumVcs(NumVcs), .Yield(Yield), .Ranks(Ranks), .RankPackets(RankPackets)) u_order (
      .clk_i(clk_i), .rst_ni(rst_ni), .request_i(req_valid_i[p*NumVcs+:NumVcs]), .tried_i(tried[p*NumVcs+:NumVcs]),
      .served_i(served), .head_i(head_i[p]), .ahead_o(ahead[p*OrderBits+:OrderBits])
    );
  end

  for (genvar o = 0; o < NumPorts; o = o + 1) begin : gen_out
    logic [NumPorts-1:0] from;
    logic head;
    assign head = (from & head_i) != '0;
    assign from = out_from_o[o*NumPorts+:NumPorts] & grant_first;
    hw_port_turns #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Weights(Weights), .Ranks(Ranks), .RankPackets(RankPackets)
    ) u_turns (
      .clk_i(clk_i), .rst_ni(rst_ni), .from_i(from), .vc_i(out_vc_o[o*NumVcs+:NumVcs]), .head_i(head),
      .asked_i(asked_vcs[o*NumVcs+:NumVcs]), .pressing_i(pressing_i), .collects_i(collects_i[o*NumVcs+:NumVcs]),
      .vcs_ahead_o(vcs_ahead[o*OrderBits+:OrderBits]),
      .ins_behind_o(ins_behind[o*NumVcs*NumPorts+:NumVcs*NumPorts])
    );
  end

  if (!OutputFirst) begin : gen_input_first
    wire unused_output_first = &{1'b0, offered};
  end

  if (HoldPacket) begin : gen_hold
    logic [NumPorts-1:0] held_in_q, held_out_q;
    logic [NumPorts*VcWidth-1:0] held_vc_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        held_in_q <= '0;
        held_out_q <= '0;
        held_vc_q <= '0;
      end else begin
        for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
          if (grant_o[p]) begin
            held_in_q[p] <= !tail_i[p];
            held_vc_q[p*VcWidth+:VcWidth] <= grant_vc_o[p*VcWidth+:VcWidth];
          end
          if (out_valid_o[p]) held_out_q[p] <= (out_from_o[p*NumPorts+:NumPorts] & tail_i) == '0;
        end
      end
    end
    assign held_in = held_in_q;
    assign held_out = held_out_q;
    assign held_vc = held_vc_q;
  end else begin : gen_no_hold
    assign held_in = '0;
    assign held_out = '0;
    assign held_vc = '0;
    wire unused_tails = &{1'b0, tail_i};
  end

`ifdef HW_CHECKS
  logic [NumPorts*PortWidth-1:0] last_sel_q;    // per output port: the input port of its last flit
  logic [NumPorts-1:0] keeps, served;
  always_ff @(posedge clk_i) begin
    for (int unsigned o = 0; o < NumPorts; o = o + 1) begin
      if (out_valid_o[o]) last_sel_q[o*PortWidth+:PortWidth] <= out_sel_o[o*PortWidth+:PortWidth];
    end
  end
  always_comb begin
    for (int unsigned o = 0; o < NumPorts; o = o + 1) begin
      keeps[o] = !(out_valid_o[o] && held_out[o])
          || out_sel_o[o*PortWidth+:PortWidth] == last_sel_q[o*PortWidth+:PortWidth];
      served[o] = !out_valid_o[o] || grant_o[out_sel_o[o*PortWidth+:PortWidth]];
    end
  end
  `HW_ASSERT(a_held_output_keeps_its_input, keeps == '1)
  `HW_ASSERT(a_output_served_by_a_granted_input, served == '1)
`endif
  `HW_ASSERT(a_matching, $countones(grant_o) == $countones(out_valid_o))

endmodule

`default_nettype wire
