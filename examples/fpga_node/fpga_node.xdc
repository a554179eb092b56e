# SPDX-License-Identifier: Apache-2.0
# fpga_node on an AMD UltraScale+: timing. Pins, I/O standards and transceivers are the board's; u_node is the node's instance in
# the board's top. Not run through Vivado here.

# Core clock, 200 MHz: the clock of the node, from an oscillator of the board or from a transceiver's reference.
create_clock -name core_clk -period 5.000 [get_ports clk_i]

# Serial cores have clocks of their own; paths between these and core_clk go through asynchronous FIFOs only.
# set_clock_groups -asynchronous -group [get_clocks core_clk] -group [get_clocks -of_objects [get_pins u_aurora_*/user_clk_out]]

# Reset is released by the synchroniser; straps are read while reset is held.
set_false_path -from [get_ports rst_ni]
set_false_path -from [get_ports {coord_strap_i[*]}]
set_property ASYNC_REG TRUE [get_cells -hierarchical -filter {NAME =~ *u_node/u_reset/sync_q_reg* || NAME =~ *u_node/strap_q_reg*}]
# The coordinates stand still after reset.
set_false_path -from [get_cells -hierarchical -filter {NAME =~ *u_node/coord_q_reg*}]

# set_property -dict {PACKAGE_PIN <pin> IOSTANDARD LVCMOS18 PULLTYPE PULLDOWN} [get_ports {coord_strap_i[0]}]
