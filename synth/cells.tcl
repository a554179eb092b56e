# SPDX-License-Identifier: Apache-2.0
# The longest path from register to register, and the power at a clock period of @period@ ns; with it the longest path to each register.
read_liberty @liberty@
@macros@
read_verilog @netlist@.v
link_design @top@
create_clock -name clock -period @period@ clk_i
report_checks -from [all_registers -clock_pins] -to [all_registers -data_pins] -format full_clock_expanded -digits 4
set_power_activity -global -activity @activity@ -duty 0.5
report_power -digits 9
@ends@
exit
