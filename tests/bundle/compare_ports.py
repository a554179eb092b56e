#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_ports.py BUNDLE: PORTS.md has the pins of the network, of its tiles and of its nodes, in the order, direction and
width of the emitted SystemVerilog, each with a meaning; and its fields of the head flit are all bits below the payload, each once
(those of `compact`: APEnet's leave gaps)."""
import pathlib
import re
import sys

bundle = pathlib.Path(sys.argv[1])
ports = (bundle / "PORTS.md").read_text(encoding="utf-8")
fields = sorted((int(low), int(high)) for high, low in re.findall(r"^\| \[(\d+):(\d+)\] \|", ports, re.M))
bits = [bit for low, high in fields for bit in range(low, high + 1)]
payload = int(re.search(r"bits from (\d+) up are payload", ports).group(1))
compact = "format: compact" in (bundle / "network.yaml").read_text(encoding="utf-8")
if len(set(bits)) != len(bits) or (compact and bits != list(range(payload))):
    sys.exit(f"head flit: {fields}, payload from {payload} on")
listed = {}
module = None
for line in ports.splitlines():
    if line.startswith("## "):
        heading = re.fullmatch(r"## `(\w+)`", line)
        module = heading.group(1) if heading else None
    elif module and (row := re.fullmatch(r"\| `(\w+)` \| (\w+) \| (\d+) \| (\d+) \| (.*) \|", line)):
        name, direction, bits, slices, meaning = row.groups()
        if not meaning.strip() or int(bits) % int(slices):
            sys.exit(f"{module}: {line}")
        listed.setdefault(module, []).append((name, direction, int(bits)))

emitted = {}
for path in sorted(bundle.glob("rtl/*.sv")):
    if not path.stem.endswith(("_top", "_tile", "_node")):
        continue
    header = re.search(r"\bmodule (\w+) \((.*?)\);", path.read_text(encoding="utf-8"), re.S)
    emitted[header.group(1)] = [
        (name, direction, int(high or 0) + 1)
        for direction, high, name in re.findall(r"^\s*(input|output)\s+(?:wire )?logic\s*(?:\[(\d+):0\])?\s*(\w+)", header.group(2), re.M)]

for module in sorted(emitted.keys() | listed.keys()):
    if emitted.get(module) != listed.get(module):
        print(f"{module}: PORTS.md {listed.get(module)}\n  SystemVerilog {emitted.get(module)}")
print(f"{len(emitted)} modules, {sum(map(len, emitted.values()))} pins")
sys.exit(0 if emitted == listed and all(emitted.values()) else 1)
