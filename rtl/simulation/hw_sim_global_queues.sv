// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// SIMULATION ONLY, NOT SYNTHESIZABLE: the oracle of the ideal UGAL-G (Kim et al. 2008), which knows the queues of all
// routers. No hardware has this; it is the bound that the routings with local information are measured against.
//
// queue_o: flits queued at every output port of the path from router from_i over link link_i to via_i and on to to_i, as
// the simulator sampled them at the last barrier before the edge that valid_i follows. Routers are {group, number in the
// group}.
// Latency 0. stamp_i makes the value be asked for anew.
//
// With HW_HOSTED a module without contents, for a simulator that has no DPI and knows the module by its name.
`ifdef HW_HOSTED
(* blackbox *)
`endif
module hw_sim_global_queues #(
  parameter int unsigned Width = 0,
  parameter int unsigned NumRouters = 0,                 // of a group
  parameter int unsigned NumberBits = 1,                 // of a router's number in its group
  parameter int unsigned RouterBits = 2                  // and with its group, at most 24
) (
  input  wire logic                   valid_i,
  input  wire logic [31:0]            stamp_i,
  input  wire logic [RouterBits-1:0]  from_i,
  input  wire logic [RouterBits-1:0]  via_i,
  input  wire logic [RouterBits-1:0]  to_i,
  input  wire logic [7:0]             link_i,
  output logic [Width-1:0]            queue_o
);

`ifndef HW_HOSTED
  import "DPI-C" function int hw_sim_path_queue(input int from, input int via, input int to, input int link,
                                                input int stamp);

  function automatic int number(input logic [RouterBits-1:0] router);
    number = int'(router[RouterBits-1:NumberBits]) * int'(NumRouters) + int'(router[NumberBits-1:0]);
  endfunction

  always_comb begin
    queue_o = '0;
    if (valid_i) begin
      queue_o = Width'(hw_sim_path_queue(number(from_i), number(via_i), number(to_i), int'(link_i), int'(stamp_i)));
    end
  end
`endif

endmodule

`default_nettype wire
