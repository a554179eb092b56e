// SPDX-License-Identifier: Apache-2.0
// Ports of a terminal of NumClasses message classes, part of a port list: for each a pair of AXI4-Streams, the slices in the order of the
// classes; the channels of a router's terminal port; what is told of packets. InBits and OutBits are the widths of tuser.
// AXI4-Stream slaves: packets into the network
input  wire logic [NumClasses-1:0]                   s_tvalid_i,
output logic [NumClasses-1:0]                        s_tready_o,
input  wire logic [NumClasses*StreamBits-1:0]        s_tdata_i,
input  wire logic [NumClasses-1:0]                   s_tlast_i,
input  wire logic [NumClasses*InBits-1:0]            s_tuser_i,
input  wire logic [NumClasses-1:0]                   s_abort_i,   // the source is in reset: see hw_packet_store
// AXI4-Stream masters: packets out of the network
output logic [NumClasses-1:0]                        m_tvalid_o,
input  wire logic [NumClasses-1:0]                   m_tready_i,
output logic [NumClasses*StreamBits-1:0]             m_tdata_o,
output logic [NumClasses-1:0]                        m_tlast_o,
output logic [NumClasses*OutBits-1:0]                m_tuser_o,
// Channel to the router
`HW_CHANNEL_SENDER(inj, 1),
// Channel from the router
`HW_CHANNEL_RECEIVER(ej, 1),
// Status
output logic [NumClasses-1:0]                        error_o,
output logic [NumClasses*hw_drop_pkg::CauseBits-1:0] error_cause_o,
output logic [NumClasses*(MsgBits+DstBits)-1:0]      error_user_o,
output logic [NumClasses-1:0]                        bad_parity_o,
output logic [NumClasses-1:0]                        broken_o,
