// SPDX-License-Identifier: Apache-2.0
#include "model/shared_library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "model/model_headers.hpp"
#include "model/tool.hpp"
#include "support/cache.hpp"

namespace hopwise::model {

namespace fs = std::filesystem;

namespace {

/// Verilator's own sources, which no network changes: compiled once for all models of a cache.
struct Runtime {
  fs::path entry;
  fs::path object;
  fs::path made;                      ///< where `commands` put it, to be kept
  std::vector<std::string> commands;  ///< none: it is there
};

constexpr const char* kRuntime = "verilator.o";

Runtime runtime_of(const fs::path& cache, const fs::path& obj, const std::string& version,
                   const std::string& include, const std::string& flags, bool trace) {
  std::uint64_t h = kFnv1aStart;
  for (const std::string& text : {version, include, flags}) h = fingerprint(h, text);
  const fs::path entry = cache / fmt::format("verilator-{:016x}", h);
  Runtime runtime{entry, entry / kRuntime, obj / "runtime", {}};
  if (is_intact(runtime.object)) return runtime;
  std::string sources;
  for (const char* part : {"verilated.cpp", "verilated_threads.cpp"})
    sources += fmt::format("#include \"{}/{}\"\n", include, part);
  if (trace) sources += fmt::format("#include \"{}/verilated_fst_c.cpp\"\n", include);
  write_text(runtime.made / "runtime.cpp", sources);
  runtime.commands = {fmt::format("{} -O2 -o {} {}", flags, quoted(runtime.made / kRuntime),
                                  quoted(runtime.made / "runtime.cpp"))};
  return runtime;
}

}  // namespace

SharedLibrary::SharedLibrary(void* handle) : handle_(handle, dlclose) {}

void* SharedLibrary::symbol(const char* name) const { return dlsym(handle_.get(), name); }

Result<SharedLibrary> load_cached(const BuildOptions& options, const std::string& name,
                                  std::uint64_t hash,
                                  const std::function<Diagnostics(const fs::path&)>& build) try {
  if (const Diagnostics closed = open_cache(options.cache, options.own_cache); !closed.empty())
    return closed;
  const fs::path home = fs::absolute(options.cache) / fmt::format("{}-{:016x}", name, hash);
  const fs::path library = home / "model.so";
  if (!is_intact(library)) {
    // Built beside its place and moved there whole, so that a cache never holds half a model.
    const fs::path work = home.string() + fmt::format(".{}", getpid());
    fs::remove_all(work);
    if (const Diagnostics failed = build(work); !failed.empty()) return failed;
    keep(work, home, "model.so");
  }
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return failure("model.load", dlerror(), "a shared library that loads", "");
  return SharedLibrary(handle);
} catch (const fs::filesystem_error& error) {
  return cache_failure(error);
}

Result<SharedLibrary> load_library(const std::map<std::string, std::string>& files,
                                   const std::string& top, const Harness& harness,
                                   const BuildOptions& options,
                                   const std::function<void(const std::string&)>& progress) {
  const Output version = run("verilator --version && g++ --version");
  if (version.status != 0) {
    return failure("model.verilator", last_lines(version.text, 3), "verilator and g++ on the PATH",
                   "Debian: apt-get install verilator g++ zlib1g-dev");
  }
  // Verilator 5.006 miscompiles some trees of single-bit operators, as netlists have them: not with
  // -fno-const-bit-op-tree.
  const std::string verilator_flags =
      std::string(
          "--cc -O3 --x-assign fast --x-initial fast -fno-const-bit-op-tree -Wno-fatal "
          "--unroll-count 256 --unroll-stmts 100000 ") +
      (options.assertions ? "" : "-DHW_ASSERT_OFF ") +
      (options.trace ? "--trace-fst --trace-structs " : "");
  const std::string fast = options.quick ? "-O1 -march=native"
                                         : "-O3 -march=native -fno-tree-vectorize",
                    slow = options.quick ? "-O0" : "-O1";
  std::uint64_t h = kFnv1aStart;
  for (const auto& [path, text] : files) h = fingerprint(fingerprint(h, path), text);
  for (const auto& text :
       {top, version.text, verilator_flags, fast, options.machine, harness.macros, harness.header})
    h = fingerprint(h, text);
  // all that a model is compiled with
  for (const auto& [header, text] : model_headers()) h = fingerprint(h, text);
  return load_cached(options, top, h, [&](const fs::path& work) -> Diagnostics {
    std::string sources;
    for (const auto& [path, text] : files) {
      write_text(work / path, text);
      // A package comes before its users: "_pkg.sv" files first.
      if (path.ends_with("_pkg.sv"))
        sources = quoted(work / path) + " " + sources;
      else if (path.ends_with(".sv"))
        sources += quoted(work / path) + " ";
    }
    const fs::path include = work / "include";
    for (const auto& [header, text] : model_headers()) write_text(include / "model" / header, text);
    const fs::path obj = work / "obj";
    progress("verilating the " + harness.what);
    const Output verilated =
        run(fmt::format("verilator {} -I{} --top-module {} --Mdir {} {}", verilator_flags,
                        quoted(work / "rtl/common"), top, quoted(obj), sources));
    if (verilated.status != 0) {
      return {failure("model.verilator", last_lines(verilated.text, 25),
                      "RTL that Verilator accepts", "")};
    }
    const std::string cls = "V" + top;
    const std::string root = read_text(obj / (cls + "___024root.h"));
    const bool one_edge =
        !options.trace && root.find("__Vtrigrprev__TOP__clk_i") != std::string::npos;
    std::string hot = fmt::format(
        "#include \"{0}.h\"\n#include \"{0}___024root.h\"\n#define HOPWISE_MODEL {0}\n"
        "#define HOPWISE_TRACE {1}\n#define HOPWISE_ONE_EDGE {2}\n{3}#include \"model/{4}\"\n",
        cls, options.trace ? 1 : 0, one_edge ? 1 : 0, harness.macros, harness.header);
    std::string cold;
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(obj)) {
      if (entry.path().extension() == ".cpp") names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    for (const auto& name : names) {
      const bool is_slow = name.find("Slow") != std::string::npos ||
                           name.find("__Syms") != std::string::npos ||
                           name.find("__Trace") != std::string::npos;
      (is_slow ? cold : hot) += fmt::format("#include \"{}\"\n", name);
    }
    write_text(obj / "hot.cpp", hot);
    write_text(obj / "cold.cpp", cold);
    std::string verilator = run("verilator --getenv VERILATOR_ROOT").text;
    verilator.erase(verilator.find_last_not_of(" \n") + 1);
    verilator += "/include";
    const std::string flags = fmt::format(
        "g++ -std=c++20 -fPIC -fvisibility=hidden -fno-semantic-interposition -fno-plt -w "
        "-DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE={0} -DVM_TRACE_FST={0} -DVM_TRACE_VCD=0 "
        "-DVL_USER_FATAL -DVL_USER_STOP -DVL_USER_FINISH -I{1} -I{1}/vltstd -c",
        options.trace ? 1 : 0, verilator);
    const std::string common = fmt::format("{} -I{} -I{}", flags, quoted(obj), quoted(include));
    progress(fmt::format("compiling the {} model", harness.what));
    Runtime runtime =
        runtime_of(fs::absolute(options.cache), obj, version.text, verilator, flags, options.trace);
    std::vector<std::string>& commands = runtime.commands;
    const bool new_runtime = !commands.empty();
    for (const auto& [name, how] : {std::pair{"hot", fast}, {"cold", slow}})
      commands.push_back(
          fmt::format("{} {} -o {}.o {}.cpp", common, how, quoted(obj / name), quoted(obj / name)));
    const Output compiled = run_all(commands, options.jobs);
    if (compiled.status == 0 && new_runtime) keep(runtime.made, runtime.entry, kRuntime);
    const Output linked = compiled.status != 0
                              ? compiled
                              : run(fmt::format("g++ -shared -o {} {} {} {} -lpthread -lz",
                                                quoted(work / "model.so"), quoted(obj / "hot.o"),
                                                quoted(obj / "cold.o"), quoted(runtime.object)));
    if (linked.status != 0)
      return {failure("model.compiler", last_lines(linked.text, 25), "verilated code that compiles",
                      "")};
    fs::remove_all(obj);
    fs::remove_all(include);
    return {};
  });
}

Diagnostic another_version(const std::string& interface, unsigned version) {
  return failure("model.load", "another version of the " + interface,
                 fmt::format("version {}", version), "remove the cache directory");
}

}  // namespace hopwise::model
