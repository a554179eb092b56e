#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Message interfaces, their counters and their selector are costed beside the router, each on a line of its own.
. "$(dirname "$0")/lib.sh"
net=$source/tests/synth/net_messages.yaml

expect 0 synth plain generic
expect_said '^message interface of a terminal beside it: [0-9]+ NAND2, [0-9.]+ % of its logic; [0-9]+ flip-flops, [0-9]+ RAM bits'
expect_said '^NIC counters of a terminal beside it: '
json plain/synth.json 'r.message_interface.area > 0 && r.message_interface.flip_flops > 1000 && r.message_interface.ram_bits > 16 * 115'
# 15 counters of 64 bits, and what happened in the cycle before.
json plain/synth.json 'r.nic_counters.flip_flops === 15 * 64 + 15 + 32 && r.nic_counters.ram_bits === 0 && r.mode_selector === undefined'
json plain/synth.json 'r.modules.every((m) => !/hw_(message_interface|nic_counters|class_interface)/.test(m.module))'

# They are in the whole terminal, behind an interface of two classes. This target has no clock.
json plain/synth.json 'r.terminal.path_ns === null && r.message_interface.path_ns === null'
json plain/synth.json '["area", "flip_flops", "ram_bits"].every((k) => r.terminal[k] > r.message_interface[k] + r.nic_counters[k])'

# The selector adds its line, is in the whole terminal, and changes no other line, and the router least of all.
expect 0 synth chosen generic --set terminal.mode_selector=true
expect_said '^mode selector of a terminal beside it: '
json chosen/synth.json 'r.mode_selector.area > 0 && r.mode_selector.flip_flops > 700'
json chosen/synth.json "r.terminal.flip_flops > $(number plain/synth.json r.terminal.flip_flops) + 700"
for key in area message_interface.area message_interface.flip_flops nic_counters.area; do
  json chosen/synth.json "r.$key === $(number plain/synth.json "r.$key")"
done

# Terminals that are streams have none of it.
net=$source/tests/synth/net.yaml
expect 0 synth streams generic
json streams/synth.json '["message_interface", "nic_counters", "mode_selector"].every((key) => r[key] === undefined)'
