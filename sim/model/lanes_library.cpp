// SPDX-License-Identifier: Apache-2.0
#include "model/lanes_library.hpp"

#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "model/lanes/compile.hpp"
#include "model/lanes/lanes_headers.hpp"
#include "model/model_headers.hpp"
#include "model/tool.hpp"
#include "support/cache.hpp"

namespace hopwise::model {

namespace fs = std::filesystem;

namespace {

std::string macros(const RouterModel& shape, unsigned lanes) {
  return fmt::format(
      "#define HOPWISE_LANES {}\n#define HOPWISE_PORTS {}\n#define HOPWISE_FLIT_BITS {}\n"
      "#define HOPWISE_COUNTER_WORDS {}\n#define HOPWISE_QUEUE_BITS {}\n"
      "#define HOPWISE_FEEDBACK_PORTS {}\n#define HOPWISE_FEEDBACK_BITS {}\n"
      "#define HOPWISE_TRACE_BITS {}\n#define HOPWISE_STUCK_WORDS {}\n"
      "#define HOPWISE_HOSTS {}\n",
      lanes, shape.ports, shape.flit_bits, shape.counter_words, shape.queue_bits,
      shape.feedback_ports, shape.feedback_bits, shape.trace_bits, shape.stuck_words, shape.hosts);
}

lanes::Module module_of(const std::string& top, const RouterModel& shape,
                        const BuildOptions& options) {
  lanes::Module module;
  module.top = top;
  module.flits = {"in_data_i", "out_data_o", shape.ports, (shape.flit_bits + 31) / 32 * 32,
                  shape.flit_bits};
  module.shown = {"out_meta_o", "in_credit_o", "out_data_o", "in_feedback_o", "quiescent_o"};
  if (shape.hosts != 0) module.shown.push_back("host_o");
  module.assertions = options.assertions;
  module.tokens = !options.whole_flits && shape.hosts == 0;
  return module;
}

/// Which flit bits the netlist sees, and which the token travels on; lists end with a 0.
std::string flit_places(const lanes::Compiled& compiled) {
  std::vector<std::size_t> control = compiled.payload.control, token = compiled.payload.payload;
  if (compiled.token_bits == 0) {
    control.resize(control.size() + token.size());
    std::iota(control.begin(), control.end(), 0);
    token.clear();
  } else {
    token.resize(compiled.token_bits);
  }
  control.push_back(0);
  token.push_back(0);
  return fmt::format(
      "namespace hopwise::lanes {{\n"
      "inline constexpr std::uint16_t kControl[] = {{{}}}, kToken[] = {{{}}};\n"
      "constexpr std::size_t kPool = {};\n}}\n",
      fmt::join(control, ", "), fmt::join(token, ", "),
      compiled.token_bits == 0 ? 1 : std::size_t{1} << compiled.token_bits);
}

/// Between the texts of a file of sources.
constexpr const char* kNextPart = "\n// next part\n";
constexpr const char* kSources = "lanes.cpp";

/// What the netlist becomes, for all widths of lanes: the header, then the parts. It takes the
/// longest, so the cache has it by itself.
Result<std::vector<std::string>> load_sources(
    const std::map<std::string, std::string>& files, const std::string& top,
    const RouterModel& shape, const std::string& version, const BuildOptions& options,
    const std::function<void(const std::string&)>& say) try {
  if (const Diagnostics closed = open_cache(options.cache, options.own_cache); !closed.empty())
    return closed;
  std::uint64_t h = kFnv1aStart;
  for (const auto& [path, text] : files) h = fingerprint(fingerprint(h, path), text);
  for (const auto& text : {top, version, macros(shape, 0), std::string(lanes::kCompilerVersion),
                           std::string(options.assertions ? "assertions" : ""),
                           std::string(options.whole_flits ? "whole flits" : "")})
    h = fingerprint(h, text);
  const fs::path entry = fs::absolute(options.cache) / fmt::format("{}-netlist-{:016x}", top, h);
  if (!is_intact(entry / kSources)) {
    const fs::path work = entry.string() + fmt::format(".{}", getpid()), tools = work / "tools";
    fs::remove_all(work);
    try {
      const lanes::Compiled compiled =
          lanes::compile(files, module_of(top, shape, options), tools, say);
      std::string text = compiled.sources.header + flit_places(compiled);
      for (const std::string& part : compiled.sources.parts) text += kNextPart + part;
      write_text(work / kSources, text);
    } catch (const fs::filesystem_error&) {
      throw;
    } catch (const std::runtime_error& error) {
      return failure("model.lanes", error.what(), "RTL that the compiler for lanes knows",
                     "--engine verilator takes all");
    }
    fs::remove_all(tools);
    keep(work, entry, kSources);
  }
  std::vector<std::string> parts;
  const std::string text = read_text(entry / kSources), mark = kNextPart;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t end = text.find(mark, at);
    parts.push_back(text.substr(at, end - at));
    at = end == std::string::npos ? end : end + mark.size();
  }
  return parts;
} catch (const fs::filesystem_error& error) {
  return cache_failure(error);
}

}  // namespace

Vectors vectors_of_cpu() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return Vectors::kAvx512;
  if (__builtin_cpu_supports("avx2")) return Vectors::kAvx2;
#endif
  return Vectors::kNone;
}

const char* compiler_flags(Vectors vectors) {
  switch (vectors) {
    case Vectors::kNone: return "-march=native -mno-avx";
    case Vectors::kAvx2: return "-march=native -mno-avx512f";
    case Vectors::kAvx512: break;
  }
  return "-march=native";
}

Result<LoadedModel> load_lanes_model(const std::map<std::string, std::string>& files,
                                     const std::string& top, const RouterModel& shape,
                                     unsigned lanes, const BuildOptions& options,
                                     const std::function<void(const std::string&)>& progress) {
  const Output version = run("yosys -V && g++ --version");
  if (version.status != 0) {
    return failure("model.yosys", last_lines(version.text, 3), "yosys and g++ on the PATH",
                   "Debian: apt-get install yosys g++");
  }
  const std::string flags =
      fmt::format("{} {}", options.quick ? "-O1" : "-O2", compiler_flags(options.vectors));
  std::map<std::string, std::string> headers;
  for (const auto& [name, text] : model_headers()) headers.emplace("model/" + name, text);
  for (const auto& [name, text] : lanes_headers()) headers.emplace("model/lanes/" + name, text);
  auto sources = load_sources(files, top, shape, version.text, options,
                              [&](const std::string& what) { progress(what + " for lanes"); });
  if (!sources) return sources.errors();
  const std::vector<std::string>& parts = sources.value();
  std::uint64_t h = kFnv1aStart;
  for (const auto& text : {top, version.text, flags, options.machine, macros(shape, lanes)})
    h = fingerprint(h, text);
  for (const std::string& part : parts) h = fingerprint(h, part);
  for (const auto& [path, text] : headers) h = fingerprint(h, text);
  auto library = load_cached(options, top + "-lanes", h, [&](const fs::path& work) -> Diagnostics {
    for (const auto& [path, text] : headers) write_text(work / "include" / path, text);
    write_text(work / "include/model.hpp", "#pragma once\n" + macros(shape, lanes) +
                                               "#include \"model/lanes/lane_word.hpp\"\n"
                                               "#include \"model/lanes/lane_memory.hpp\"\n"
                                               "#include \"model/lanes/lane_host.hpp\"\n" +
                                               parts.front());
    const std::size_t units = std::max(1u, options.jobs) + 1;
    std::vector<std::string> texts(units, "#include \"model.hpp\"\n"), commands;
    texts.back() += "#include \"model/lanes/lanes_bank.hpp\"\n";
    for (std::size_t i = 1; i < parts.size(); ++i) texts[i % (units - 1)] += parts[i];
    std::string objects;
    for (std::size_t i = 0; i < units; ++i) {
      const fs::path file = work / fmt::format("part{}.cpp", i);
      write_text(file, texts[i]);
      commands.push_back(
          fmt::format("g++ -std=c++20 -c -fPIC -fvisibility=hidden -w {} -I{} -o {}.o {}", flags,
                      quoted(work / "include"), quoted(file), quoted(file)));
      objects += quoted(file) + ".o ";
    }
    progress("compiling the lanes");
    const Output compiler = run_all(commands, options.jobs);
    const Output linked =
        compiler.status != 0
            ? compiler
            : run(fmt::format("g++ -shared -o {} {}", quoted(work / "model.so"), objects));
    if (linked.status != 0)
      return {failure("model.compiler", last_lines(linked.text, 25), "lanes that compile", "")};
    fs::remove_all(work / "include");
    for (std::size_t i = 0; i < units; ++i) {
      fs::remove(work / fmt::format("part{}.cpp", i));
      fs::remove(work / fmt::format("part{}.cpp.o", i));
    }
    return {};
  });
  if (!library) return library.errors();
  const auto* model =
      static_cast<const RouterModel*>(library.value().symbol("hopwise_router_model"));
  if (model == nullptr || model->version != kRouterBankVersion)
    return another_version("router bank", kRouterBankVersion);
  return LoadedModel{std::move(library).value(), model};
}

}  // namespace hopwise::model
