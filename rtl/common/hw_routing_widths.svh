// SPDX-License-Identifier: Apache-2.0
// Widths that follow from the parameters of every routing unit; the end of its parameter list. See
// hw_routing_parameters.svh.
localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1,
localparam int unsigned FeedbackWidth = FeedbackBits > 0 ? NumNetworkPorts * FeedbackBits : 1,
localparam int unsigned CountersWidth = NumCounters > 0 ? NumCounters * 32 : 1,
localparam int unsigned TraceWidth = TraceBits > 0 ? TraceBits : 1,
localparam int unsigned FlipsWidth = NumFlips > 0 ? NumFlips : 1
