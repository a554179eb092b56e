// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Which of its candidates a packet requests, anew in every cycle while it waits; for one packet of each VC of an input port.
//
// The output VC with the most space downstream, where the port of the last candidate (the escape, dimension order) has an
// advantage of DorBias flits; of equal ones the earlier candidate's. So a packet can turn to its escape VC in any cycle. With one
// candidate all VCs of its set that have room. With FirstFit the first candidate with room. Patient packets wait for a VC of
// their first candidate that has room for them beside the packet that owns it now, and want nothing else meanwhile: that one has
// all its places downstream, so it leaves for sure.
//
// With LateOwners the choice is for the next cycle, and a VC that another packet owns may come free in this one: it is wanted
// where no free VC will do. Whoever requests it drops what is not free then.
//
// Combinational. A packet wants only output VCs that have room for all of it (a flit, under wormhole switching): need_i places, or, with
// OneNeed, room_i, which no packet's own length is compared with.
// An output VC that turns_i does not have for the packet's VC is not wanted.
// Reference: Dally & Towles, sections 13.2 (virtual cut-through) and 16.1.
module hw_candidate_choice #(
  parameter int unsigned NumPorts = 0,
  parameter int unsigned NumVcs = 0,
  parameter int unsigned SpaceWidth = 0,
  parameter int unsigned NumCands = 1,
  parameter int unsigned DorBias = 0,
  parameter bit FirstFit = 1'b0,
  parameter bit Patient = 1'b0,
  parameter bit OneNeed = 1'b0,                          // packets of any length need the same room: that of room_i
  parameter bit LateOwners = 1'b0,
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1
) (
  input  wire logic [NumVcs*NumPorts*NumVcs-1:0]      turns_i,      // static: of each VC, the output VCs that its packets may take
  input  wire logic [NumVcs-1:0]                      known_i,      // the packet and its candidates are there
  input  wire logic [NumVcs*NumCands*PortWidth-1:0]   cand_port_i,
  input  wire logic [NumVcs*NumCands*NumVcs-1:0]      cand_vcs_i,   // empty set: no such candidate
  input  wire logic [NumVcs*SpaceWidth-1:0]           need_i,       // places that the packet needs downstream; not with OneNeed
  input  wire logic [NumPorts*NumVcs*SpaceWidth-1:0]  space_i,      // downstream space of every output VC, owned or not
  input  wire logic [NumPorts*NumVcs-1:0]             room_i,       // with OneNeed: there is room, owned or not
  input  wire logic [NumPorts*NumVcs-1:0]             free_i,       // a new packet may take it: no owner, and space; with OneNeed: room
  output logic [NumVcs*PortWidth-1:0]                 want_port_o,  // the port of the candidate chosen
  output logic [NumVcs*NumVcs-1:0]                    want_fit_o    // its VCs there that have room; none: it cannot go
);

  if (NumPorts == 0 || NumVcs == 0 || SpaceWidth == 0) begin : gen_bad_size
    $error("hw_candidate_choice: NumPorts, NumVcs and SpaceWidth must be set");
  end

  localparam bit FirstOfAll = NumCands == 1 || FirstFit;  // no comparison of spaces
  localparam bit Owners = LateOwners || Patient;          // VCs that have an owner count, too
  localparam int unsigned MostBits = SpaceWidth + 1, ScoreBits = SpaceWidth + 2;

  logic [NumCands*PortWidth-1:0] cand_port;
  logic [NumCands*NumVcs-1:0] cand_vcs;
  logic [PortWidth-1:0] port;
  logic [NumVcs-1:0] fits, free, room, fits_now, may;  // fits: whoever owns it now
  logic [NumVcs*SpaceWidth-1:0] space;
  logic [NumVcs*MostBits-1:0] most;                   // {free, space}
  logic [NumVcs*NumVcs-1:0] roomiest;                 // of each part of the VCs, the one with the most
  logic [NumCands*ScoreBits-1:0] score;               // {free, space with the advantage}
  logic [NumCands*NumVcs-1:0] best_vc;
  logic [NumCands*PortWidth-1:0] best_port;
  logic [SpaceWidth-1:0] need;
  logic waits, found;                                 // found: a free VC

  always_comb begin
    want_port_o = '0;
    want_fit_o = '0;
    cand_port = '0;
    cand_vcs = '0;
    port = '0;
    fits = '0;
    free = '0;
    room = '0;
    fits_now = '0;
    space = '0;
    may = '0;
    most = '0;
    roomiest = '0;
    score = '0;
    best_vc = '0;
    best_port = '0;
    need = '0;
    waits = 1'b0;
    found = 1'b0;
    for (int unsigned v = 0; v < NumVcs; v = v + 1) begin
      cand_port = cand_port_i[v*NumCands*PortWidth+:NumCands*PortWidth];
      cand_vcs = cand_vcs_i[v*NumCands*NumVcs+:NumCands*NumVcs];
      need = need_i[v*SpaceWidth+:SpaceWidth];
      waits = 1'b0;
      found = 1'b0;
      for (int unsigned k = 0; k < NumCands; k = k + 1) begin
        port = cand_port[k*PortWidth+:PortWidth];
        free = '0;
        room = '0;
        space = '0;
        for (int unsigned p = 0; p < NumPorts; p = p + 1) begin
          if (port == PortWidth'(p)) begin
            free = free | (free_i[p*NumVcs+:NumVcs] & turns_i[(v*NumPorts+p)*NumVcs+:NumVcs]);
            if (OneNeed && Owners) room = room | (room_i[p*NumVcs+:NumVcs] & turns_i[(v*NumPorts+p)*NumVcs+:NumVcs]);
            for (int unsigned w = 0; w < NumVcs; w = w + 1) begin
              if ((!OneNeed || !FirstOfAll) && turns_i[(v*NumPorts+p)*NumVcs+w]) begin
                space[w*SpaceWidth+:SpaceWidth] = space[w*SpaceWidth+:SpaceWidth] | space_i[(p*NumVcs+w)*SpaceWidth+:SpaceWidth];
              end
            end
          end
        end
        for (int unsigned w = 0; w < NumVcs; w = w + 1) begin
          fits[w] = cand_vcs[k*NumVcs+w] && (OneNeed ? (Owners ? room[w] : free[w]) : space[w*SpaceWidth+:SpaceWidth] >= need);
        end
        fits_now = fits & free;
        if (FirstOfAll) begin
          if (k == 0 || (!waits && !found && (fits_now != '0 || (LateOwners && want_fit_o[v*NumVcs+:NumVcs] == '0)))) begin
            want_port_o[v*PortWidth+:PortWidth] = port;
            want_fit_o[v*NumVcs+:NumVcs] = LateOwners ? fits : fits_now;
          end
          if (fits_now != '0) found = 1'b1;
          if (Patient && k == 0) waits = fits_now == '0 && fits != '0;
        end else begin
          // The VC with the most space, pair by pair, with an advantage for the escape's direction; then that of all candidates.
          may = LateOwners ? fits : fits_now;
          for (int unsigned w = 0; w < NumVcs; w = w + 1) begin
            most[w*MostBits+:MostBits] = may[w] ? {free[w], space[w*SpaceWidth+:SpaceWidth]} : '0;
            roomiest[w*NumVcs+:NumVcs] = may[w] ? NumVcs'(1) << w : '0;
          end
          for (int unsigned step = 1; step < NumVcs; step = step * 2) begin
            for (int unsigned w = 0; w + step < NumVcs; w = w + 2 * step) begin
              if (most[(w+step)*MostBits+:MostBits] > most[w*MostBits+:MostBits]) begin
                most[w*MostBits+:MostBits] = most[(w+step)*MostBits+:MostBits];
                roomiest[w*NumVcs+:NumVcs] = roomiest[(w+step)*NumVcs+:NumVcs];
              end
            end
          end
          score[k*ScoreBits+:ScoreBits] = {most[SpaceWidth], 1'b0, most[SpaceWidth-1:0]};
          if (may != '0 && port == cand_port[(NumCands-1)*PortWidth+:PortWidth]) begin
            score[k*ScoreBits+:ScoreBits] = score[k*ScoreBits+:ScoreBits] + ScoreBits'(DorBias);
          end
          best_vc[k*NumVcs+:NumVcs] = roomiest[NumVcs-1:0];
          best_port[k*PortWidth+:PortWidth] = port;
        end
      end
      if (!FirstOfAll) begin
        for (int unsigned step = 1; step < NumCands; step = step * 2) begin
          for (int unsigned k = 0; k + step < NumCands; k = k + 2 * step) begin
            if (score[(k+step)*ScoreBits+:ScoreBits] > score[k*ScoreBits+:ScoreBits]) begin
              score[k*ScoreBits+:ScoreBits] = score[(k+step)*ScoreBits+:ScoreBits];
              best_vc[k*NumVcs+:NumVcs] = best_vc[(k+step)*NumVcs+:NumVcs];
              best_port[k*PortWidth+:PortWidth] = best_port[(k+step)*PortWidth+:PortWidth];
            end
          end
        end
        want_port_o[v*PortWidth+:PortWidth] = best_port[PortWidth-1:0];
        want_fit_o[v*NumVcs+:NumVcs] = best_vc[NumVcs-1:0];
      end
      if (!known_i[v]) want_fit_o[v*NumVcs+:NumVcs] = '0;
    end
  end

  wire unused = &{1'b0, space_i, room_i, need, space, room};

endmodule

`default_nettype wire
