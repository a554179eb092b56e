// SPDX-License-Identifier: Apache-2.0
// Widths that follow from the parameters of every one-port computation; the end of its parameter
// list. See hw_one_port_parameters.svh.
localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1,
localparam int unsigned VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
