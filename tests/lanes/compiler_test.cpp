// SPDX-License-Identifier: Apache-2.0
// Random netlists through the whole compiler, in lanes of each kind of vectors, against Verilator
// on the Verilog that Yosys writes of them: every output bit of every lane in every cycle. Where
// HOPWISE_LANE_HEADERS is set, headers of lanes are taken from that directory first.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/lanes/compile.hpp"
#include "model/lanes_library.hpp"
#include "model/tool.hpp"
#include "random_netlist.hpp"
#include "support/cache.hpp"

namespace hopwise::lanes {
namespace {

namespace fs = std::filesystem;
using model::Vectors;

void expect_run(const std::string& command) {
  const model::Output run = model::run(command);
  ASSERT_EQ(run.status, 0) << command << "\n" << last_lines(run.text, 20);
}

model::SharedLibrary loaded(const fs::path& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << dlerror();
  return model::SharedLibrary(handle);
}

template <class F>
F* function(const model::SharedLibrary& library, const char* name) {
  return reinterpret_cast<F*>(library.symbol(name));
}

/// The cell whose output a bit of a port is a copy of, in words.
std::string maker(const Netlist& n, const std::string& port, std::size_t i) {
  const auto copy = std::find_if(n.cells.begin(), n.cells.end(),
                                 [&](const Cell& cell) { return cell.name == "copy_of_" + port; });
  const Bit bit = copy->pin("A")[i];
  for (const Cell& cell : n.cells) {
    for (const auto& [pin, bits] : cell.pins) {
      const auto at = std::find(bits.begin(), bits.end(), bit);
      if (at == bits.end() || !drives(cell, pin)) continue;
      return fmt::format("bit {} of {} ({})", at - bits.begin(), cell.name, cell.type);
    }
  }
  return "nothing";
}

/// What a simulation of one lane calls: pins are bits in words of 32.
constexpr const char* kReference = R"(#include <cstring>
#include "Vdut.h"
double sc_time_stamp() { return 0; }
extern "C" {
void* ref_make() { auto* d = new Vdut; d->rst_ni = 1; d->eval(); d->rst_ni = 0; d->eval(); return d; }
void ref_free(void* d) { delete static_cast<Vdut*>(d); }
void ref_set(void* p, bool clock, bool reset, const void* in) {
  auto* d = static_cast<Vdut*>(p);
  d->clk_i = clock; d->rst_ni = reset;
  std::memcpy(&d->in_i, in, sizeof d->in_i);
  d->eval();
}
bool ref_fails(void* p) { return static_cast<Vdut*>(p)->fail_o; }
void ref_show(void* p, void* out, void* more) {
  auto* d = static_cast<Vdut*>(p);
  std::memcpy(out, &d->out_o, sizeof d->out_o);
  std::memcpy(more, &d->more_o, sizeof d->more_o);
}
}
)";

class Compiler : public testing::Test {
 protected:
  Compiler()
      : work_(fs::temp_directory_path() /
              fmt::format("hopwise-compiler-{}-{}", getpid(), number_++)) {
    fs::remove_all(work_);
  }
  ~Compiler() override { fs::remove_all(work_); }

  /// The Verilog of the netlist, and its model by Verilator; kept in HOPWISE_REFERENCES if that is
  /// a directory.
  void make_reference(const Netlist& n) {
    const std::string text = write_netlist(n);
    reference_ = work_;
    if (const char* kept = std::getenv("HOPWISE_REFERENCES"))
      reference_ = fs::path(kept) / fmt::format("{:016x}", fingerprint(kFnv1aStart, text));
    if (fs::exists(reference_ / "reference.so")) return;
    write_text(reference_ / "dut.json", text);
    expect_run(
        fmt::format("cd {} && yosys -q -p 'read_json dut.json; write_verilog -noattr dut.sv'",
                    model::quoted(reference_)));
    write_text(reference_ / "reference.cpp", kReference);
    expect_run(fmt::format(
        "cd {} && verilator --cc --x-assign 0 --x-initial 0 -fno-const-bit-op-tree -Wno-lint "
        "-Wno-UNOPTFLAT "
        "--top-module dut --Mdir obj dut.sv && root=$(verilator --getenv VERILATOR_ROOT)/include "
        "&& ls obj/*.cpp $root/verilated.cpp $root/verilated_threads.cpp | sed 's/.*/#include "
        "\"&\"/' >> reference.cpp && g++ -O0 -fPIC -fno-gnu-unique -w -std=c++20 -shared -o "
        "reference.so -I. -Iobj "
        "-I$root -I$root/vltstd reference.cpp -lpthread",
        model::quoted(reference_)));
  }

  /// Compiles the lanes.
  void make_lanes(const Sources& sources, unsigned lanes, Vectors vectors) {
    std::string text = fmt::format("#define HOPWISE_LANES {}\n#include <iterator>\n", lanes);
    for (const char* header : {"lane_word", "lane_memory", "lane_host"})
      text += fmt::format("#include \"model/lanes/{}.hpp\"\n", header);
    text += sources.header;
    for (const std::string& part : sources.parts) text += part;
    write_text(work_ / "lanes.cpp", text + "#include \"lanes_driver.hpp\"\n");
    const char* headers = std::getenv("HOPWISE_LANE_HEADERS");
    expect_run(
        fmt::format("cd {} && g++ -std=c++20 -O1 {} -fPIC -fno-gnu-unique -shared -w {}-I{}/sim "
                    "-I{}/tests/lanes -o lanes{}.so lanes.cpp",
                    model::quoted(work_), model::compiler_flags(vectors),
                    headers == nullptr ? "" : fmt::format("-I{} ", headers), HOPWISE_SOURCE_DIR,
                    HOPWISE_SOURCE_DIR, lanes));
  }

  /// In lanes and by Verilator side by side under random inputs. Some lanes have no clock in some
  /// cycles, and some begin again. Nothing where the CPU has no such vectors.
  void compare(const Netlist& netlist, const Sources& sources, Vectors vectors, unsigned cycles);

  static inline int number_ = 0;  // a library that stays loaded is known by its path
  fs::path work_, reference_;
};

void Compiler::compare(const Netlist& netlist, const Sources& sources, Vectors vectors,
                       unsigned cycles) {
  if (vectors > model::vectors_of_cpu()) return;
  const unsigned lanes = vectors == Vectors::kAvx512 ? 512 : vectors == Vectors::kAvx2 ? 256 : 64;
  make_lanes(sources, lanes, vectors);
  const model::SharedLibrary dut = loaded(work_ / fmt::format("lanes{}.so", lanes)),
                             reference = loaded(reference_ / "reference.so");
  const auto make = function<void*()>(dut, "lanes_make");
  const auto release = function<void(void*)>(dut, "lanes_free");
  const auto reset = function<void(void*, const std::uint64_t*)>(dut, "lanes_reset");
  const auto clock =
      function<void(void*, const std::uint64_t*, const std::uint64_t*, std::uint64_t*)>(
          dut, "lanes_clock");
  const auto show = function<void(void*, std::uint64_t*, std::uint64_t*)>(dut, "lanes_show");
  const auto ref_make = function<void*()>(reference, "ref_make");
  const auto ref_free = function<void(void*)>(reference, "ref_free");
  const auto ref_set = function<void(void*, bool, bool, const void*)>(reference, "ref_set");
  const auto ref_fails = function<bool(void*)>(reference, "ref_fails");
  const auto ref_show = function<void(void*, void*, void*)>(reference, "ref_show");

  const auto width_of = [&](const char* port) { return netlist.port(port)->bits.size(); };
  const std::size_t in_width = width_of("in_i"), out_width = width_of("out_o"),
                    more_width = width_of("more_o");
  const unsigned groups = lanes / 64;
  std::mt19937_64 random(lanes);
  const auto words32 = [](std::size_t bits) { return std::max<std::size_t>(2, (bits + 31) / 32); };
  std::vector<std::uint64_t> in(in_width * groups), active(groups, ~std::uint64_t{0}),
      failed(groups), out(out_width * groups), more(more_width * groups);
  std::vector<std::uint32_t> ref_in(words32(in_width)), ref_out(words32(out_width)),
      ref_more(words32(more_width));
  const auto lane_of = [&](const std::vector<std::uint64_t>& v, std::size_t bit, unsigned lane) {
    return (v[bit * groups + lane / 64] >> (lane % 64) & 1) != 0;
  };
  void* d = make();
  reset(d, active.data());
  std::vector<void*> refs(lanes);
  for (void*& r : refs) r = ref_make();
  std::size_t fails = 0, ones = 0, bits = 0;
  for (unsigned cycle = 0; cycle < cycles && !HasFailure(); ++cycle) {
    // Runs of lanes and cycles with the same inputs, so that enables stay low in whole words.
    for (std::size_t bit = 0; bit < in_width; ++bit) {
      for (unsigned k = 0; k < groups; ++k) {
        const std::uint64_t kept = cycle % 4 == 0 ? 0 : random() | random();
        std::uint64_t& now = in[bit * groups + k];
        now = (now & kept) | (random() & ~kept);
        if (cycle / 8 % 3 == 2 && bit < 3) now = 0;
      }
    }
    const bool restart = cycle == cycles / 2;
    for (unsigned k = 0; k < groups; ++k)
      active[k] = cycle % 3 != 0 ? ~std::uint64_t{0} : random() | random();
    if (restart) {
      for (unsigned k = 0; k < groups; ++k) active[k] = 0x00ff00f0f0f00f18u << k;
      reset(d, active.data());
    }
    clock(d, in.data(), active.data(), failed.data());
    show(d, out.data(), more.data());
    for (unsigned lane = 0; lane < lanes && !HasFailure(); ++lane) {
      void*& r = refs[lane];
      const bool clocked = lane_of(active, 0, lane);
      if (restart && clocked) {
        ref_free(r);
        r = ref_make();
      }
      std::fill(ref_in.begin(), ref_in.end(), 0);
      for (std::size_t bit = 0; bit < in_width; ++bit)
        ref_in[bit / 32] |= std::uint32_t{lane_of(in, bit, lane)} << (bit % 32);
      ref_set(r, false, true, ref_in.data());
      ASSERT_EQ(lane_of(failed, 0, lane), clocked && ref_fails(r))
          << "assertions, cycle " << cycle << " lane " << lane;
      fails += lane_of(failed, 0, lane) ? 1 : 0;
      if (clocked) ref_set(r, true, true, ref_in.data());
      ref_show(r, ref_out.data(), ref_more.data());
      for (const auto& [name, found, expected, width] :
           {std::tuple{"out_o", &out, &ref_out, out_width},
            {"more_o", &more, &ref_more, more_width}}) {
        for (std::size_t bit = 0; bit < width; ++bit) {
          const bool one = lane_of(*found, bit, lane);
          ASSERT_EQ(one, ((*expected)[bit / 32] >> (bit % 32) & 1) != 0)
              << maker(netlist, name, bit) << ", cycle " << cycle << " lane " << lane;
          ++bits;
          ones += one ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(fails, 0u);
  EXPECT_GT(ones, bits / 10);
  release(d);
  for (void* r : refs) ref_free(r);
}

/// Functions are short and guards repay early, so that there are many of both.
Module dut_module() {
  Module module;
  module.top = "dut";
  module.shown = {"out_o"};
  module.guard = 2;
  module.part = 100;
  return module;
}

/// With the cells as they are: all types, and memories as they are declared.
TEST_F(Compiler, ANetlistOfEveryCellDoesInLanesWhatItsVerilogDoes) {
  const Netlist netlist = RandomNetlist(1, 60, false).netlist();
  make_reference(netlist);
  const Compiled compiled = compile_netlist(netlist, dut_module(), work_ / "tools");
  EXPECT_EQ(compiled.assertions, 4u);
  EXPECT_GT(compiled.memories, 4u);
  compare(netlist, compiled.sources, Vectors::kNone, 48);
  compare(netlist, compiled.sources, Vectors::kAvx512, 16);
}

/// From its Verilog on: what Yosys makes of registers of other kinds, small memories as registers.
TEST_F(Compiler, VerilogOfEveryRegisterDoesInLanesWhatItDoesByVerilator) {
  const Netlist netlist = RandomNetlist(2, 50, true).netlist();
  make_reference(netlist);
  const Compiled compiled = compile({{"dut.sv", read_text(reference_ / "dut.sv")}}, dut_module(),
                                    work_ / "tools", [](const std::string&) {});
  EXPECT_EQ(compiled.assertions, 4u);
  compare(netlist, compiled.sources, Vectors::kAvx2, 24);
}

}  // namespace
}  // namespace hopwise::lanes
