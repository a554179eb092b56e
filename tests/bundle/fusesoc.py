# SPDX-License-Identifier: Apache-2.0
"""fusesoc.py BUNDLE: checks the cores of a bundle and writes lint.vc and sim.vc, the options and files of these targets in the
order in which Edalize gives them to Verilator."""
import pathlib
import sys

import yaml

bundle = pathlib.Path(sys.argv[1])
name = next(bundle.glob("*_network.f")).name.removesuffix("_network.f")


def core_of(file):
    head, body = (bundle / file).read_text(encoding="utf-8").split("\n", 1)
    assert head == "CAPI=2:", head
    return yaml.safe_load(body)


def files_of(core, fileset):
    """Pairs of a file and its attributes."""
    for entry in core["filesets"][fileset]["files"]:
        yield (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))


def listed(file):
    return [line for line in (bundle / file).read_text(encoding="utf-8").splitlines() if line.startswith("rtl/")]


library, network = core_of("library.core"), core_of(f"{name}.core")
for core, file in (library, "library.f"), (network, f"{name}_network.f"):
    sources = [path for path, attributes in files_of(core, "rtl") if not attributes.get("is_include_file")]
    assert sources == listed(file), f"{file} differs from its core"
    for fileset in core["filesets"]:
        for path, _ in files_of(core, fileset):
            assert (bundle / path).is_file(), path
headers = {path for path, attributes in files_of(library, "rtl") if attributes.get("is_include_file")}
assert headers == {str(path.relative_to(bundle)) for path in bundle.glob("rtl/common/*.svh")}, headers
assert network["filesets"]["rtl"]["depend"] == [library["name"]]
assert set(network["targets"]) == {"default", "router", "lint", "sim"}
for target in network["targets"].values():
    assert target["toplevel"] in (f"{name}_top", f"{name}_router", "smoke_tb") and set(target["filesets"]) <= set(network["filesets"])

for target_name in "lint", "sim":
    target = network["targets"][target_name]
    options = target["tools"][target["default_tool"]]
    lines = ["--Mdir .", "--" + options["mode"], "+incdir+../" + str(bundle / "rtl/common")]
    lines += options["verilator_options"] + ["--top-module " + target["toplevel"], "--exe"]
    found = list(files_of(library, "rtl"))
    for fileset in target["filesets"]:
        found += files_of(network, fileset)
    lines += [f"../{bundle / path}" for path, attributes in sorted(found, key=lambda entry: entry[1].get("file_type") != "vlt")
              if not attributes.get("is_include_file")]
    pathlib.Path(target_name + ".vc").write_text("\n".join(lines) + "\n", encoding="utf-8")
print(f"{len(listed('library.f'))} files of the library, {len(listed(f'{name}_network.f'))} of the network")
