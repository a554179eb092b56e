#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Registers of a message interface are costed on a line of their own, and descriptors get a bit of tag.
. "$(dirname "$0")/lib.sh"
net=$source/tests/synth/net_messages.yaml

expect 0 synth plain generic
expect 0 synth registers generic --set terminal.message_registers=true
expect_said '^message registers of a terminal beside it: '
json registers/synth.json "r.message_registers.flip_flops > 15 * 64 && r.nic_counters.area === $(number plain/synth.json r.nic_counters.area)"
json registers/synth.json "r.terminal.flip_flops > $(number plain/synth.json r.terminal.flip_flops) + 15 * 64"
json registers/synth.json "((more) => more > 0 && more < 50)(r.message_interface.flip_flops - $(number plain/synth.json r.message_interface.flip_flops))"
