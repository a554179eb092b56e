// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The bias that a dragonfly's router learns: hw_bias_learner over the packets that its route
// computations see. A packet is stamped where it is injected, when it is answered, and its latency
// ends where it arrives at its last router; it takes feedback along. Both stand in the head flit
// above the routing's way.
//
// Latency: bias_o combinational from req_*, rsp_state_o from rsp_*; for what is learned see
// hw_bias_learner. Throughput: all ports in every cycle. Without a question nothing changes.
// Assumes: rsp_bits_i is the question that an answer belongs to.
// Reference: Kasan et al., ISCA 2022; Chaulagain & Yuan, ICS 2024.
module hw_ugal_bias #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumNetworkPorts = 0,
  parameter int unsigned RouteBits = 0,
  parameter int unsigned NumRouters = 0,         // of a group
  parameter int unsigned NumGroups = 0,
  parameter int unsigned DstRouterLsb = 0,       // fields of the head flit
  parameter int unsigned DstGroupLsb = 0,
  parameter int unsigned SrcGroupLsb = 0,
  parameter int unsigned StateLsb = 0,           // {feedback, stamp, way}
  parameter int unsigned StampBits = 0,
  parameter int unsigned LatencyBits = 0,
  parameter int unsigned BiasMax = 0,            // flits
  localparam int unsigned RouterBits = NumRouters > 1 ? $clog2(NumRouters) : 1,
  localparam int unsigned GroupWidth = NumGroups > 1 ? $clog2(NumGroups) : 1,
  localparam int unsigned WayWidth = 2 + RouterBits + GroupWidth,  // {via group, via router, class}
  localparam int unsigned StateWidth = WayWidth + StampBits + LatencyBits + 2
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  input  wire logic [RouterBits-1:0]              router_i,    // static: where this router stands
  input  wire logic [GroupWidth-1:0]              group_i,
  input  wire logic [15:0]                        rate_i,      // see hw_bias_learner
  input  wire logic [StampBits-1:0]               now_i,
  // Questions; the bias that belongs to each, 0 at network ports
  input  wire logic [NumPorts-1:0]                req_valid_i,
  input  wire logic [NumPorts*RouteBits-1:0]      req_bits_i,
  output logic [NumPorts*16-1:0]                  bias_o,
  // Answers: the way, and the whole state of the head flit
  input  wire logic [NumPorts-1:0]                rsp_valid_i,
  input  wire logic [NumPorts*RouteBits-1:0]      rsp_bits_i,
  input  wire logic [NumPorts*WayWidth-1:0]       rsp_way_i,
  output logic [NumPorts*StateWidth-1:0]          rsp_state_o
);

  localparam int unsigned Terminals = NumPorts - NumNetworkPorts;
  localparam int unsigned FeedbackBits = LatencyBits + 2;
  localparam int unsigned ViaRouterLsb = StateLsb + 2;
  localparam int unsigned ViaGroupLsb = ViaRouterLsb + RouterBits;
  localparam int unsigned StampLsb = StateLsb + WayWidth;
  localparam int unsigned FeedbackLsb = StampLsb + StampBits;

  if (NumPorts <= NumNetworkPorts || StampBits == 0 || BiasMax == 0) begin : gen_bad_shape
    $error("hw_ugal_bias: there must be terminals, StampBits and BiasMax");
  end

  // Packets of other groups that come over a link: those that end here, and those whose feedback is for here: it came along to
  // their intermediate router, or without one to their last.
  logic [NumNetworkPorts-1:0] ended, turned, detoured;
  logic [NumNetworkPorts*GroupWidth-1:0] from_group;
  logic [NumNetworkPorts*StampBits-1:0] stamp;
  logic [NumNetworkPorts*FeedbackBits-1:0] head_feedback;
  logic comes;
  logic [RouteBits-1:0] head;

  always_comb begin
    ended = '0;
    turned = '0;
    detoured = '0;
    from_group = '0;
    stamp = '0;
    head_feedback = '0;
    comes = 1'b0;
    head = '0;
    if (req_valid_i[NumNetworkPorts-1:0] != '0) begin
      for (int unsigned p = 0; p < NumNetworkPorts; p = p + 1) begin
        head = req_bits_i[p*RouteBits+:RouteBits];
        comes = req_valid_i[p] && head[SrcGroupLsb+:GroupWidth] != group_i;
        ended[p] = comes && head[DstGroupLsb+:GroupWidth] == group_i
            && head[DstRouterLsb+:RouterBits] == router_i;
        detoured[p] = head[ViaGroupLsb+:GroupWidth] != head[SrcGroupLsb+:GroupWidth];
        turned[p] = !detoured[p] ? ended[p] : comes && head[StateLsb+:2] == hw_dragonfly_class_pkg::ToRouter
                                              && head[ViaRouterLsb+:RouterBits] == router_i;
        from_group[p*GroupWidth+:GroupWidth] = head[SrcGroupLsb+:GroupWidth];
        stamp[p*StampBits+:StampBits] = head[StampLsb+:StampBits];
        head_feedback[p*FeedbackBits+:FeedbackBits] = head[FeedbackLsb+:FeedbackBits];
      end
    end
  end

  // Packets from terminals to other groups: when they ask, and when they are answered. Feedback is
  // for the group of the packet's intermediate, if it has one.
  logic [Terminals-1:0] asks, leaves;
  logic [Terminals*GroupWidth-1:0] asked_group, target;
  logic [GroupWidth-1:0] to, via;
  logic [Terminals*16-1:0] bias;
  logic [Terminals*FeedbackBits-1:0] feedback;

  always_comb begin
    asks = '0;
    asked_group = '0;
    if (req_valid_i[NumPorts-1:NumNetworkPorts] != '0) begin
      for (int unsigned t = 0; t < Terminals; t = t + 1) begin
        asked_group[t*GroupWidth+:GroupWidth] =
            req_bits_i[(NumNetworkPorts+t)*RouteBits+DstGroupLsb+:GroupWidth];
        asks[t] = req_valid_i[NumNetworkPorts+t]
            && asked_group[t*GroupWidth+:GroupWidth] != group_i;
      end
    end
  end

  always_comb begin
    leaves = '0;
    target = '0;
    to = '0;
    via = '0;
    if (rsp_valid_i[NumPorts-1:NumNetworkPorts] != '0) begin
      for (int unsigned t = 0; t < Terminals; t = t + 1) begin
        to = rsp_bits_i[(NumNetworkPorts+t)*RouteBits+DstGroupLsb+:GroupWidth];
        via = rsp_way_i[(NumNetworkPorts+t)*WayWidth+2+RouterBits+:GroupWidth];
        leaves[t] = rsp_valid_i[NumNetworkPorts+t] && to != group_i;
        target[t*GroupWidth+:GroupWidth] = via == group_i ? to : via;
      end
    end
  end

  hw_bias_learner #(
    .NumPorts(NumNetworkPorts), .NumTerminals(Terminals), .NumGroups(NumGroups),
    .StampBits(StampBits), .LatencyBits(LatencyBits), .BiasMax(BiasMax)
  ) u_learner (
    .clk_i(clk_i), .rst_ni(rst_ni), .rate_i(rate_i), .now_i(now_i), .end_valid_i(ended),
    .turn_valid_i(turned), .from_group_i(from_group), .stamp_i(stamp), .nonminimal_i(detoured),
    .feedback_i(head_feedback), .look_valid_i(asks), .look_group_i(asked_group), .look_bias_o(bias),
    .take_valid_i(leaves), .take_group_i(target), .take_feedback_o(feedback)
  );

  assign bias_o = {bias, {(NumNetworkPorts*16){1'b0}}};

  // On the way a packet keeps what it was given where it was injected; but one that is revised to go through another group has feedback
  // that is not for that group.
  for (genvar p = 0; p < NumPorts; p = p + 1) begin : gen_state
    if (p < NumNetworkPorts) begin : gen_passes
      logic revised;
      assign revised = rsp_way_i[p*WayWidth+2+RouterBits+:GroupWidth] != rsp_bits_i[p*RouteBits+ViaGroupLsb+:GroupWidth];
      assign rsp_state_o[p*StateWidth+:StateWidth] =
          {rsp_bits_i[p*RouteBits+FeedbackLsb+1+:FeedbackBits-1], rsp_bits_i[p*RouteBits+FeedbackLsb] && !revised,
           rsp_bits_i[p*RouteBits+StampLsb+:StampBits], rsp_way_i[p*WayWidth+:WayWidth]};
    end else begin : gen_injected
      assign rsp_state_o[p*StateWidth+:StateWidth] =
          {feedback[(p-NumNetworkPorts)*FeedbackBits+:FeedbackBits], now_i,
           rsp_way_i[p*WayWidth+:WayWidth]};
    end
  end

  wire unused = &{1'b0, req_bits_i, rsp_bits_i, rsp_valid_i, head};

endmodule

`default_nettype wire
