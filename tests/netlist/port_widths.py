#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""port_widths.py SOURCE.xml NETLIST.json TOP: TOP and every instance below it have the same ports, with the same directions
and widths, in the source as Verilator reads it (--xml-only) and in the hierarchy that Yosys makes of it (write_json)."""
import collections
import json
import sys
import xml.etree.ElementTree as ElementTree


def source_instances(path):
    """Counts pairs of an instance's path, without the names of generate blocks, and its ports."""
    root = ElementTree.parse(path).getroot()
    types = {t.get("id"): t for t in root.find("netlist/typetable") if t.get("id")}

    def width(type_id):
        t = types[type_id]
        if t.tag == "basicdtype":
            if t.get("left"):
                return abs(int(t.get("left")) - int(t.get("right"))) + 1
            return {"logic": 1, "bit": 1, "byte": 8, "shortint": 16, "int": 32, "integer": 32, "longint": 64}[t.get("name")]
        if t.tag == "packarraydtype":
            left, right = (int(bound.get("name").split("h")[1], 16) for bound in t.find("range"))
            return (abs(left - right) + 1) * width(t.get("sub_dtype_id"))
        if t.tag == "structdtype":
            return sum(width(member.get("sub_dtype_id")) for member in t)
        return width(t.get("sub_dtype_id"))  # a name of another type

    ports = {module.get("name"): frozenset(f"{var.get('dir')} {var.get('name')} {width(var.get('dtype_id'))}"
                                           for var in module.findall("var") if var.get("dir"))
             for module in root.findall("netlist/module")}
    return collections.Counter((cell.get("hier"), ports[cell.get("submodname")]) for cell in root.find("cells").iter("cell")
                               if cell.get("submodname") in ports)


def netlist_instances(path, top):
    """The same of Yosys."""
    with open(path, encoding="utf-8") as file:
        modules = json.load(file)["modules"]
    found = collections.Counter()

    def walk(module, hier):
        found[hier, frozenset(f"{port['direction']} {name} {len(port['bits'])}"
                              for name, port in modules[module]["ports"].items())] += 1
        for name, cell in modules[module]["cells"].items():
            if cell["type"] in modules:
                walk(cell["type"], hier + "." + name.split(".")[-1])

    walk(top, top)
    return found


def main():
    source = source_instances(sys.argv[1])
    netlist = netlist_instances(sys.argv[2], sys.argv[3])
    for here, there, where in (source, netlist, "source"), (netlist, source, "netlist"):
        for (hier, ports), count in sorted((here - there).items(), key=lambda item: item[0][0]):
            same = frozenset().union(*(others for other, others in there if other == hier))
            print(f"{hier}: {count} only in the {where}: {', '.join(sorted(ports - same))}")
    print(f"{sum(source.values())} instances, {sum(len(ports) * count for (_, ports), count in source.items())} ports")
    return 0 if source and source == netlist else 1


sys.exit(main())
