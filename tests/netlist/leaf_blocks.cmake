# SPDX-License-Identifier: Apache-2.0
# The tests of the leaf blocks on their netlists. Left out: what needs assertions of the RTL ("Trips"), seeded faults
# ("IsCaught", "Disagrees"), and parameter sets whose netlists take minutes to build. A number in a filter is a place in the
# suite's list of types: that of a model named here, as any other model is still the RTL's. The smallest are quick tests.
include(${PROJECT_SOURCE_DIR}/cmake/hopwise_netlist.cmake)

hopwise_netlist_test(rtl_common
  SOURCES fifo_test.cpp skid_buffer_test.cpp random_test.cpp
  MODELS fifo_1 fifo_5 fifo_8 skid_buffer random_1 random_3
  FILTER "-*Trips*:FifoAssertion.*:Random.TheReference*")

hopwise_netlist_test(rtl_link LABEL netlist
  SOURCES link_pacer_test.cpp link_pipe_test.cpp feedback_pipe_test.cpp
  MODELS pacer_1_1 pacer_5_2 pacer_3_1 pacer_7_5 pacer_4_3 link_pipe_1 link_pipe_7 feedback_pipe_1 feedback_pipe_7
  FILTER "-*Trips*:*IsCaught")

string(JOIN : learning BiasLearner.* ContentionCounters.*Small* DecisionCounters* VcsUsed.* QTable/0.* QTable/3.* QTable/4.*
  QAgent/0.* QAgent/1.* QAgent/3.* QCounters.*)
hopwise_netlist_test(rtl_learning LABEL netlist
  SOURCES bias_learner_test.cpp contention_counters_test.cpp decision_counters_test.cpp vcs_used_test.cpp q_table_test.cpp q_agent_test.cpp
  MODELS bias_learner contention_small contention_lone contention_short_tag decisions_router decisions_lone vcs_used
         q_table_small q_table_one_row q_table_one_column agent_dragonfly agent_par agent_torus q_counters q_counters_small
  FILTER ${learning}-*IsCaught:*Disagrees:*Trips*)

hopwise_netlist_test(rtl_dqn LABEL netlist
  SOURCES dqn_engine_test.cpp dqn_argmax_test.cpp dqn_preferences_test.cpp preference_agent_test.cpp
  MODELS dqn_lone_layer dqn_one_step dqn_argmax_1 dqn_argmax_4 dqn_argmax_6 dqn_preferences_2 dqn_preferences_4 dqn_preferences_6
         dqn_preferences_all preference_agent
  FILTER "DqnEngine/3.*:DqnEngine/4.*:DqnEngineArithmetic.*:DqnArgmax/*:DqnPreferences/*:PreferenceAgent.AnswersWhat*")

hopwise_netlist_test(rtl_terminal LABEL netlist
  SOURCES network_interface_test.cpp terminal_timing_test.cpp csr_test.cpp axil_demux_test.cpp
  MODELS ni_compact ni_wormhole csr_full csr_bare axil_demux
  FILTER "NetworkInterface/0.*:NetworkInterface/1.*:TerminalTiming/0.*:TerminalTiming/1.*:Csr*:AxilDemux.*-*Trips*")

string(JOIN : router SwitchAllocator* OutputUnit* QueuedOutputUnit* RouterTest/0.* RouterTest/2.* RouterTest/3.*
  RouterTest/6.* RouterTest/12.*)
hopwise_netlist_test(rtl_router LABEL netlist
  SOURCES switch_allocator_test.cpp output_unit_test.cpp queued_output_unit_test.cpp router_test.cpp
  MODELS alloc_0_1 alloc_0_2 alloc_1_1 alloc_1_2 alloc_hold_0 alloc_hold_1 alloc_small
         alloc_weighted alloc_weighted_1
         out_vct out_paced out_wormhole queued_vct queued_hold queued_paced queued_wormhole
         router_vct router_vct_4 router_vct_5 router_wormhole router_single_4
  FILTER ${router}-*Trips*)

# A seeded fault: the same program with one netlist of a FIFO that shows the wrong place fails.
hopwise_fault(netlist_fault_fifo rtl/common/hw_fifo.sv "assign data_o = mem_q[rd_q]" "assign data_o = mem_q[wr_q]")
hopwise_netlist(netlist_fifo_5_faulty MODEL fifo_5 FAULT rtl/common/hw_fifo.sv ${netlist_fault_fifo})
hopwise_netlist_program(test_rtl_common_netlist_faulty OF rtl_common SOURCES fifo_test.cpp skid_buffer_test.cpp random_test.cpp
  MODELS netlist_fifo_5_faulty fifo_5)
add_test(NAME netlist.fifo.catches_a_fault COMMAND test_rtl_common_netlist_faulty --gtest_filter=FifoTest/1.KeepsOrder*)
set_tests_properties(netlist.fifo.catches_a_fault PROPERTIES PASS_REGULAR_EXPRESSION "FAILED  . FifoTest/1.KeepsOrder")
