// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Places for long packets: which VCs of an output port are kept back until the longest packet has room in them.
//
// A packet takes a VC only where all of it fits (virtual cut-through, store-and-forward). A long one that waits for places that come
// free one by one would wait for ever behind short ones that take each of them. So a VC that packets keep taking with less room
// than the longest packet needs collects places from time to time: it is offered to nobody until the longest packet has room.
// Then all that wait for it ask for it, and the allocator's turns, of one packet each (collects_o), decide. It is the VC that
// reserves and not a packet: no packet holds a place that it does not take, or that it leaves behind by another candidate.
//
// Bound: it counts the heads that take a VC when they saw less room, or while it collects, by Period = 2^(ShareBits + clog2(Inputs + 1)).
// The last 2^-ShareBits of them find it collecting: all but the first of those are granted with room for the longest packet, one
// to each input port that asks. So a packet whose input port asks for it whenever it may is passed by at most Period + Inputs of
// these heads. A larger share is a lower bound, and costs throughput where a VC has few more places than the longest packet needs.
// Deadlock: a VC that collects treats every packet as one of the longest, for which the proof of the network holds. It opens when
// its buffer downstream has drained, if not before, and nothing else is put in meanwhile.
//
// Latency: a head of cycle t closes its VC in t+1 for a cycle at least, while that collects; places that are free in t open it in t+1.
// Combinational paths: room_i -> closes_o.
// Assumes: no head takes a closed VC; places are taken by heads only.
// Guarantees: without heads and changes of room_i nothing changes after one cycle. Bound and opening are checked by the proofs room.*.
// Reference: Dally & Towles, section 13.2 (cut-through needs room for the packet); Kermani & Kleinrock 1979.
module hw_room_collector #(
  parameter int unsigned NumVcs = 0,
  parameter int unsigned Inputs = 0,                     // input ports that may ask for a VC, at most
  parameter int unsigned ShareBits = 4                   // 2^-ShareBits of the heads find the VC collecting; at least 1
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  input  wire logic [NumVcs-1:0]  room_i,      // the longest packet fits, before this cycle's grant
  input  wire logic [NumVcs-1:0]  head_vc_i,   // the VC that a head is granted in this cycle; none: 0
  output logic [NumVcs-1:0]       collects_o,  // it counts a turn of one packet only
  output logic [NumVcs-1:0]       closed_o,    // no head may take it in this cycle
  output logic [NumVcs-1:0]       closes_o,    // nor in the next one; a VC that a head takes in this cycle is closed then, too
  output logic                    at_rest_o
);

  if (NumVcs == 0 || Inputs == 0 || ShareBits == 0) begin : gen_bad_size
    $error("hw_room_collector: NumVcs, Inputs and ShareBits must be at least 1");
  end

  localparam int unsigned TurnsWidth = $clog2(Inputs + 1);
  localparam int unsigned CountWidth = TurnsWidth + ShareBits;

  // A request may be of the cycle before its grant: one of a long packet has seen room in both.
  logic [NumVcs-1:0] room_q, closed_q;
  for (genvar v = 0; v < NumVcs; v = v + 1) begin : gen_vc
    logic [CountWidth-1:0] heads_q;
    assign collects_o[v] = heads_q[CountWidth-1:TurnsWidth] == '1;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) heads_q <= '0;
      else if (head_vc_i[v] && (collects_o[v] || !room_i[v] || !room_q[v])) heads_q <= heads_q + CountWidth'(1);
    end
  end

  assign closes_o = collects_o & ~room_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      room_q <= '0;
      closed_q <= '0;
    end else begin
      room_q <= room_i;
      closed_q <= closes_o | (collects_o & head_vc_i);
    end
  end
  assign closed_o = closed_q;
  assign at_rest_o = closed_q == closes_o && room_q == room_i;

endmodule

`default_nettype wire
