// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The routing unit around hw_route_late.
`define HW_ONE_PORT hw_route_late
`define HW_ONE_PORT_CYCLES 2
`define HW_ONE_PORT_OWN
module hw_routing_late
`include "hw_one_port_unit.svh"

`default_nettype wire
