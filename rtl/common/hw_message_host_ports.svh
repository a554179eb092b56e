// SPDX-License-Identifier: Apache-2.0
// Ports of a message interface to its host, part of a port list: descriptors, completions, events, windows, whose words are in hw_message.svh; with congestion
// control the destinations that no message should begin for.
input  wire logic                   desc_valid_i,
output logic                        desc_ready_o,
input  wire logic [DescBits-1:0]    desc_i,
output logic                        cpl_valid_o,
input  wire logic                   cpl_ready_i,
output logic [CplBits-1:0]          cpl_o,
output logic                        evt_valid_o,
input  wire logic                   evt_ready_i,
output logic [WindowBits-1:0]       evt_o,
input  wire logic                   win_valid_i,
output logic                        win_ready_o,
input  wire logic [WindowBits-1:0]  win_index_i,
input  wire logic [WinBits-1:0]     win_i,
output logic [StopBits-1:0]         stop_valid_o,
output logic [StopBits*DstBits-1:0] stop_dst_o,
