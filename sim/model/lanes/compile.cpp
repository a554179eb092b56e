// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/compile.hpp"

#include <bit>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "model/lanes/mapper.hpp"
#include "model/lanes/merge.hpp"
#include "model/tool.hpp"
#include "support/cache.hpp"

namespace hopwise::lanes {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCheck = "hopwise_check";

/// Commands of ABC that give few operators in little time: equivalent nodes merged, rewritten, and
/// mapped to tables of three inputs. Without a bound on conflicts, the bits of assertions of 15
/// ports keep the merging busy for more than a quarter of an hour.
constexpr const char* kMapping = "strash; &get -n; &fraig -x -C 1000; &dc2; &lf -K 3; &put; mfs2";

void yosys(const fs::path& work, const std::string& name, const std::string& script) {
  write_text(work / (name + ".ys"), script);
  const model::Output run =
      model::run(fmt::format("cd {} && yosys -q -s {}.ys", model::quoted(work), name));
  if (run.status != 0) throw std::runtime_error("yosys: " + last_lines(run.text, 15));
}

/// Words and memories stay whole; memories of few words become registers. Constants are followed
/// only as far as registers depend on them (opt_expr -full): the gates fold the others.
Netlist elaborate(const std::map<std::string, std::string>& files, const Module& module,
                  const fs::path& work) {
  std::string packages, sources;
  for (const auto& [path, text] : files) {
    write_text(work / path, text);
    if (path.ends_with("_pkg.sv"))
      packages += " " + path;
    else if (path.ends_with(".sv"))
      sources += " " + path;
  }
  // -formal keeps assertions, which the macros of hw_assert.svh then state in Yosys' words.
  yosys(work, "elaborate",
        fmt::format(
            "read_verilog -sv -defer -DHW_HOSTED {} -Irtl/common{}{}\nhierarchy -top {}\n"
            "proc -noopt\nopt_expr\nopt_clean\nflatten\nopt_expr -full\nopt_merge\nopt_clean\n"
            "opt_dff\nmemory_collect\nselect -set small t:$mem_v2 r:SIZE<=4 %i\n"
            "memory_map @small\ndffunmap -srst-only\nopt_clean -purge\nwrite_json words.json\n",
            module.assertions ? "-formal -DFORMAL -DHW_CLOSED" : "-DSYNTHESIS", packages, sources,
            module.top));
  return read_netlist(read_text(work / "words.json"), module.top);
}

Logic map_logic(const Machine& machine, const fs::path& work) {
  const Circuit circuit = make_circuit(machine.logic.cells, machine.sources(), machine.sinks());
  write_text(work / "logic.blif", write_blif(circuit));
  // ABC reports success whatever becomes of its commands: without them it leaves no file.
  const model::Output run =
      model::run(fmt::format("cd {} && rm -f mapped.blif && yosys-abc -q 'read_blif logic.blif; "
                             "{}; write_blif mapped.blif'",
                             model::quoted(work), kMapping));
  if (run.status != 0 || !fs::exists(work / "mapped.blif"))
    throw std::runtime_error("yosys-abc: " + last_lines(run.text, 15));
  Mapped mapped =
      read_blif(read_text(work / "mapped.blif"), circuit.inputs, circuit.outputs.size());
  return make_logic(machine, std::move(mapped.tables), mapped.outputs);
}

}  // namespace

Compiled compile(const std::map<std::string, std::string>& files, const Module& module,
                 const fs::path& work, const std::function<void(const std::string&)>& progress) {
  progress("elaborating");
  Netlist netlist = elaborate(files, module, work);
  progress("mapping");
  return compile_netlist(std::move(netlist), module, work);
}

Compiled compile_netlist(Netlist netlist, const Module& module, const fs::path& work) {
  Compiled done;
  done.assertions = watch_assertions(netlist, kCheck);
  merge_bits(netlist);
  std::set<std::size_t> dropped;
  if (module.flits.ports > 0) {
    done.payload = find_payload(netlist, module.flits);
    const unsigned bits = static_cast<unsigned>(std::bit_width(done.payload.capacity));
    if (module.tokens && done.payload.payload.size() > bits) {
      done.token_bits = bits;
      dropped.insert(done.payload.payload.begin() + bits, done.payload.payload.end());
    }
  }
  Machine machine = take_apart(std::move(netlist), module.clock, module.reset,
                               [&](const std::string& pin, std::size_t bit) {
                                 if (pin != module.flits.out) return true;
                                 const std::size_t place = bit % module.flits.stride;
                                 return place < module.flits.width && !dropped.contains(place);
                               });
  const Logic logic = map_logic(machine, work);
  done.registers = machine.registers.size();
  done.memories = machine.memories.size();
  done.tables = logic.tables.size();
  for (const Table& table : logic.tables) done.operators += operators(table);
  done.sources = write_model(machine, logic, {kCheck, module.shown, module.guard, module.part});
  return done;
}

}  // namespace hopwise::lanes
