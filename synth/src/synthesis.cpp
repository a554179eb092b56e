// SPDX-License-Identifier: Apache-2.0
#include "synth/src/synthesis.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <tuple>

#include <fmt/format.h>

#include "support/cache.hpp"
#include "synth/src/netlist.hpp"
#include "synth/src/process.hpp"
#include "synth/src/timing.hpp"
#include "synth/src/workshop.hpp"
#include "synth/src/wrapper.hpp"

namespace hopwise::synth {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kHx8kCells = 7680, kHx8kRamBits = 32 * 4096;
// what synthesis takes, in times of the elaboration before it; measured, within a factor of two
constexpr double kTimesElaboration = 15;
constexpr const char* kResult = "result.json";  // in its entry of the cache

/// One synthesis in its directory.
class Run {
 public:
  Run(const Design& design, const Options& options, const Progress& progress)
      : design_(design), options_(options), target_(*options.target), progress_(progress) {}

  Result<Json> result() {
    if (Diagnostics closed = open_cache(options_.cache, options_.own_cache); !closed.empty())
      return closed;
    if (Diagnostics failed = look_for_tools(); !failed.empty()) return failed;
    const std::string hash = fmt::format("{:016x}", this->hash());
    const fs::path home = fs::absolute(options_.cache) / fmt::format("synth-{}", hash);
    const fs::path kept = home / kResult;
    if (is_intact(kept)) {
      if (Json cached = Json::parse(read_text(kept), nullptr, false); cached.is_object()) {
        cached["cached"] = true;
        return cached;
      }
    }
    work_ = home.string() + fmt::format(".{}", getpid());
    fs::remove_all(work_);
    shop_.emplace(work_, options_.logs, *options_.stop);
    auto result = measure();
    fs::remove_all(work_);
    if (!result) return result;
    result.value()["hash"] = hash;
    write_text(work_ / kResult, result.value().dump(1) + "\n");
    keep(work_, home, kResult);
    result.value()["cached"] = false;
    return result;
  }

 private:
  fs::path liberty_path() const {
    return options_.technology / target_.name / (target_.name + "_stdcells.lib");
  }

  Diagnostics look_for_tools() {
    const auto version = [this](const std::vector<std::string>& command) -> std::string {
      const fs::path log = fs::absolute(options_.cache) / fmt::format("version.{}", getpid());
      write_text(log, "");
      const auto done =
          run_process(command, options_.cache, log, [this] { return options_.stop->load(); });
      std::string text = done.status == 0 ? read_text(log) : "";
      fs::remove(log);
      return text.substr(0, text.find('\n'));
    };
    tools_["yosys"] = version({"yosys", "-V"});
    if (target_.kind == Kind::kCells) tools_["opensta"] = version({"sta", "-version"});
    if (target_.name == "ice40") tools_["nextpnr-ice40"] = version({"nextpnr-ice40", "--version"});
    Diagnostics missing;
    for (const auto& [package, text] : tools_.items()) {
      if (text.get<std::string>().empty())
        missing.push_back(failure("synth.tool", "no " + package, package + " on the PATH",
                                  "apt-get install " + package));
    }
    if (!missing.empty() || target_.kind != Kind::kCells) return missing;
    errno = 0;
    liberty_text_ = read_text(liberty_path());
    if (liberty_text_.empty()) {
      const std::string why = errno == 0 ? "an empty file" : std::strerror(errno);
      return {failure(
          "synth.liberty", fmt::format("no {}: {}", liberty_path().string(), why),
          "the liberty file of " + target_.name,
          fmt::format("apt-get install qflow-tech-{}, or name its directory with --technology",
                      target_.name))};
    }
    auto liberty = read_liberty(liberty_text_, liberty_path().string(), "DFFPOSX1");
    if (!liberty) return liberty.errors();
    liberty_ = std::move(liberty).value();
    return {};
  }

  std::uint64_t hash() const {
    std::uint64_t h = kFnv1aStart;
    for (const auto& [path, text] : design_.files) h = fingerprint(fingerprint(h, path), text);
    for (const auto& path : design_.sources) h = fingerprint(h, path);
    for (const auto& [name, text] : flows()) h = fingerprint(fingerprint(h, name), text);
    for (const auto& text :
         {design_.top, design_.parameter_options(), target_.name, target_.flat,
          target_.hierarchical, target_.no_memories, liberty_text_, tools_.dump(),
          fmt::format("{} {} {} 4", options_.macros, with_power() ? options_.activity : 0,
                      options_.beside)}) {
      h = fingerprint(h, text);
    }
    return h;
  }

  std::string read_command() const {
    if (!macros_.empty())
      return "read_rtlil design.il\nread_verilog -lib memories.v\ntechmap -map memory_map.v";
    return fmt::format("read_verilog -sv -defer -Irtl/common {}\nhierarchy -top {}{}",
                       fmt::join(design_.sources, " "), design_.top, design_.parameter_options());
  }

  Places places(bool flat) const {
    return {{"read", read_command()},
            {"include", "rtl/common"},
            {"sources", fmt::format("{}", fmt::join(design_.sources, " "))},
            {"top", design_.top},
            {"parameters", design_.parameter_options()},
            {"hierarchy", flat ? target_.flat : target_.hierarchical},
            {"keep", flat ? "design -save mapped" : ""},
            {"memories", options_.macros ? "" : target_.no_memories},
            {"liberty", "cells.lib"}};
  }

  Places timing_places() const {
    Places at = places(true);
    at["activity"] = fmt::format("{}", options_.activity);
    at["macros"] = macros_.empty() ? "" : "read_liberty memories.lib";
    return at;
  }

  /// Cells of the whole, or below one module, by Yosys' names.
  Cost total(const CellCounts& counts, const std::string& module, bool with_instances) const {
    Cost sum;
    const auto cells = counts.find(module);
    if (cells == counts.end()) return sum;
    for (const auto& [type, n] : cells->second) {
      if (const auto cost = costs_.find(type); cost != costs_.end())
        sum.add(cost->second, n);
      else if (with_instances)
        sum.add(total(counts, type, true), n);
    }
    return sum;
  }

  Json modules_json(const CellCounts& counts) const {
    struct Row {
      std::string name;
      std::uint64_t instances;
      Cost all, own;
    };
    std::vector<Row> rows;
    for (const auto& [id, module] : hierarchy_) {
      if (module.count > 0 && counts.contains(id))
        rows.push_back(
            {module.label, module.count, total(counts, id, true), total(counts, id, false)});
    }
    const auto size = [](const Row& row) {
      return std::tuple(-row.all.area, -static_cast<double>(row.all.luts), row.name);
    };
    std::sort(rows.begin(), rows.end(),
              [&](const Row& a, const Row& b) { return size(a) < size(b); });
    Json list = Json::array();
    for (const auto& row : rows) {
      Json json = {{"module", row.name}, {"instances", row.instances}};
      put(json, row.all);
      json["path_ns"] = timing_ ? timing_->path_to(row.name) : Json(nullptr);
      if (with_area())
        json["own_area"] = row.own.area;
      else
        json["own_luts"] = row.own.luts;
      json["own_flip_flops"] = row.own.flip_flops;
      list.push_back(std::move(json));
    }
    return list;
  }

  bool with_power() const { return target_.kind == Kind::kCells && !options_.beside; }
  bool with_area() const { return target_.kind != Kind::kFpga; }

  void put(Json& json, const Cost& cost) const {
    json["area"] = with_area() ? Json(cost.area) : Json(nullptr);
    json["flip_flops"] = cost.flip_flops;
    json["ram_bits"] = cost.ram_bits;
    json["luts"] = with_area() ? Json(nullptr) : Json(cost.luts);
    json["lut_ram_luts"] = with_area() ? Json(nullptr) : Json(cost.lut_ram_luts);
    json["block_rams"] = with_area() ? Json(nullptr) : Json(cost.block_rams);
    json["dsps"] = with_area() ? Json(nullptr) : Json(cost.dsps);
  }

  /// Flattened and by module, side by side; of an FPGA the flattened one is given up where the
  /// modules are large. `elaboration`: seconds, which tell what this machine takes for the rest.
  Diagnostics synthesise(double elaboration) {
    std::string flat = filled(target_.flow, places(true));
    if (target_.kind == Kind::kGeneric) flat += flows().at("generic_levels.ys");
    flat += target_.kind == Kind::kCells ? filled("cells_netlist.ys", places(true))
                                         : "tee -o flat.txt stat\n";
    const std::string by_module = filled(target_.flow, places(false));
    std::atomic<bool> dropped = false;
    Diagnostics flat_failed, modules_failed;
    const auto synthesise_flat = [&] {
      if (!dropped) flat_failed = shop_->yosys("flat", flat, &dropped);
    };
    const auto synthesise_modules = [&] {
      modules_failed = shop_->yosys("modules", by_module + "tee -o modules.txt stat\n");
      if (!modules_failed.empty() || target_.kind != Kind::kFpga) return;
      const Cost sum = total(read_stat(read_text(work_ / "modules.txt")), design_.top, true);
      dropped = sum.luts + sum.lut_ram_luts > kMostFlatLuts;
    };
    progress_("synthesising, flattened and by module", kTimesElaboration * elaboration);
    if (options_.jobs > 1) {
      std::thread beside(synthesise_modules);
      synthesise_flat();
      if (flat_failed.empty() && !dropped) progress_("synthesising by module", 0);
      beside.join();
    } else {
      synthesise_modules();
      if (modules_failed.empty()) synthesise_flat();
    }
    flattened_ = !dropped;
    return flat_failed.empty() ? modules_failed : flat_failed;
  }

  Result<Json> measure() {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& [path, text] : design_.files) write_text(work_ / path, text);
    write_text(work_ / "abc.constr", flows().at("cells.constr"));
    write_text(work_ / "cells.lib", liberty_text_);  // no tool has to understand its path
    progress_("elaborating", 0);
    if (Diagnostics failed = shop_->yosys("elaborate", filled("elaborate.ys", places(true)));
        !failed.empty())
      return failed;
    const nlohmann::json elaborated = nlohmann::json::parse(read_text(work_ / "design.json"));
    hierarchy_ = read_hierarchy(elaborated, design_.top);
    if (options_.macros && target_.kind != Kind::kFpga) macros_ = find_memories(elaborated);
    write_text(work_ / "memories.v", black_boxes(macros_));
    write_text(work_ / "memory_map.v", techmap(macros_));
    costs_ = cell_costs(target_, liberty_, macros_);

    const auto seconds = [start] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    if (Diagnostics failed = synthesise(seconds()); !failed.empty()) return failed;
    if (target_.kind == Kind::kCells) {
      progress_("timing", 0);
      write_text(work_ / "memories.lib", macro_liberty(macros_, liberty_));
      timing_.emplace(*shop_, work_, timing_places());
      if (Diagnostics failed = timing_->choose_netlist(); !failed.empty()) return failed;
    }
    const CellCounts modules = read_stat(read_text(work_ / "modules.txt"));
    const CellCounts& counted = flattened_ ? read_stat(read_text(work_ / "flat.txt")) : modules;

    Json json;
    json["target"] = target_.name;
    json["top"] = design_.top;
    const Cost cost = total(counted, design_.top, true);
    json["flattened"] = flattened_;
    put(json, cost);
    json["area_unit"] = target_.kind == Kind::kCells ? Json("um2")
                        : with_area()                ? Json("NAND2")
                                                     : Json(nullptr);
    json["logic_area"] = with_area() && options_.macros ? Json(cost.area) : Json(nullptr);
    for (const char* key : {"path_ns", "fmax_mhz", "path_from", "path_to", "path_instance",
                            "path_module", "levels", "power_mw", "leakage_mw", "dynamic_mw"}) {
      json[key] = nullptr;
    }
    const auto& ports = elaborated.at("modules").at(design_.top).at("ports");
    if (Diagnostics failed = clock(json, ports); !failed.empty()) return failed;
    json["activity"] = with_power() ? Json(options_.activity) : Json(nullptr);
    json["memories"] = options_.macros ? "macros" : "flops";
    json["memory_list"] = memory_list(elaborated, hierarchy_, macros_);
    json["no_clock"] = json["fmax_mhz"].is_null() ? Json(target_.no_clock) : Json(nullptr);
    json["cells"] = all_cells(counted, design_.top);
    json["modules"] = modules_json(modules);
    json["tools"] = tools_;
    json["note"] = "post-synthesis, pre-layout";
    json["wall_s"] = rounded(seconds(), 100);
    const double together =
        options_.jobs > 1 ? shop_->peak_mib("flat") + shop_->peak_mib("modules") : 0;
    json["peak_mib"] = rounded(std::max(together, shop_->peak_mib()), 10);
    return json;
  }

  /// How fast it is, as far as the target's tools say.
  Diagnostics clock(Json& json, const nlohmann::json& ports) {
    if (target_.kind == Kind::kCells)
      return timing_->report(json, hierarchy_, design_.top, with_power());
    if (target_.name == "ice40" && flattened_ && !options_.beside) return place(json, ports);
    if (target_.kind != Kind::kGeneric) return {};
    const std::string text = read_text(work_ / "levels.txt"), mark = "(length=";
    if (const auto at = text.find(mark); at != std::string::npos)
      json["levels"] = std::stoul(text.substr(at + mark.size()));
    return {};
  }

  /// Places and routes the router on an iCE40 HX8K where it fits, between shift registers: it has
  /// more pins than a package.
  Diagnostics place(Json& json, const nlohmann::json& ports) {
    const auto [wrapper, pins] = between_shift_registers(design_.top, ports);
    if (json["luts"].get<std::size_t>() + pins > kHx8kCells ||
        json["flip_flops"].get<std::size_t>() + pins > kHx8kCells ||
        json["ram_bits"].get<std::size_t>() > kHx8kRamBits) {
      return {};
    }
    write_text(work_ / "wrapper.v", wrapper);
    progress_("placing and routing", 0);
    Places at = places(true);
    at["read"] = fmt::format(
        "read_verilog -sv -defer -Irtl/common {} wrapper.v\nhierarchy -top hopwise_wrapper",
        fmt::join(design_.sources, " "));
    at["top"] = "hopwise_wrapper";
    if (Diagnostics failed =
            shop_->yosys("wrapped", filled(target_.flow, at) + "write_json wrapped.json\n");
        !failed.empty()) {
      return failed;
    }
    // A router that nextpnr finds no place or no route for has no frequency.
    const ProcessResult placed = shop_->start(
        "place", {"nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", "wrapped.json",
                  "--freq", "50", "--timing-allow-fail", "--pcf-allow-unconstrained", "--seed", "1",
                  "--report", "place.json"});
    if (placed.status == -1)
      return {failure("synth.failed", "nextpnr-ice40 was killed", "time and memory", "")};
    if (placed.status != 0) return {};
    const auto report = nlohmann::json::parse(read_text(work_ / "place.json"), nullptr, false);
    if (!report.is_object() || report.at("fmax").empty()) return {};
    const double mhz = report.at("fmax").begin()->at("achieved");
    json["fmax_mhz"] = rounded(mhz, 10);
    json["path_ns"] = rounded(1000 / mhz, 1e4);
    return {};
  }

  const Design& design_;
  const Options& options_;
  const Target& target_;
  const Progress& progress_;
  Json tools_;
  std::string liberty_text_;
  Liberty liberty_;
  fs::path work_;
  std::optional<Workshop> shop_;  // in work_
  Hierarchy hierarchy_;
  std::vector<MemoryShape> macros_;
  std::map<std::string, Cost> costs_;
  bool flattened_ = true;
  std::optional<Timing> timing_;  // of standard cells
};

}  // namespace

Result<Json> synthesize(const Design& design, const Options& options,
                        const Progress& progress) try {
  return Run(design, options, progress).result();
} catch (const fs::filesystem_error& error) {
  return cache_failure(error);
}

}  // namespace hopwise::synth
