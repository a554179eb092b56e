// SPDX-License-Identifier: Apache-2.0
// The register map in all its forms: golden files, the C header of a bundle as a compiler reads it,
// and an emitted node as its AXI4-Lite port answers.
#include "emit/registers.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "../config/files.hpp"
#include "../engine/fixture.hpp"
#include "emit/bundle.hpp"
#include "engine/probe.hpp"

namespace hopwise::emit {
namespace {

namespace fs = std::filesystem;
using csr::Access;
using csr::Register;
using Map = std::vector<Register>;

const char* const kLearning = R"(
name: learning
topology: {kind: torus, dims: [3, 3]}
packet: {flit_bits: 64, max_flits: 2}
router: {vcs: 4, vc_depth_flits: 8}
routing: {algorithm: q_routing}
)";

Map map() { return {std::begin(csr::kRegisters), std::end(csr::kRegisters)}; }

TEST(Registers, ThePackageOfTheRtlIsThatOfTheMap) {
  config::expect_golden(config::source_dir() / "rtl/terminal/hw_csr_pkg.sv", register_package());
}

TEST(Registers, ThePackageOfMessageInterfacesIsThatOfTheirMap) {
  config::expect_golden(config::source_dir() / "rtl/terminal/hw_message_csr_pkg.sv",
                        message_register_package());
}

void expect_table(const fs::path& path, const std::string& table) {
  const std::string page = config::read_file(path), begin = "<!-- registers -->\n",
                    end = "<!-- end of registers -->";
  const std::size_t first = page.find(begin), last = page.find(end);
  ASSERT_TRUE(first != std::string::npos && last != std::string::npos);
  config::expect_golden(path, page.substr(0, first) + begin + table + page.substr(last));
}

TEST(Registers, ThePagesHaveTheTablesOfTheMaps) {
  const auto pages = config::source_dir() / "docs/reference";
  expect_table(pages / "csr.md", register_table());
  expect_table(pages / "message-registers.md", message_register_table());
}

TEST(Registers, NoTwoShareAnAddress) {
  std::map<std::uint32_t, std::string_view> taken;
  for (const Register& r : csr::kRegisters) {
    for (std::uint32_t i = 0; i < (r.per == csr::Per::kRouter ? 1u : 32u); ++i) {
      for (std::uint32_t w = 0; w < r.words; ++w) {
        const auto at = r.offset + i * csr::stride(r.per) + 4 * w;
        EXPECT_TRUE(taken.emplace(at, r.name).second) << r.name << " and " << taken[at];
      }
    }
  }
}

/// What differs between a map and the CSR block of router `local`, just reset.
std::vector<std::string> differences(const Map& registers, model::RouterBank& bank,
                                     std::size_t local, const RouterShape& s,
                                     const deadlock::ProvenNetwork& network,
                                     std::uint64_t coordinates) {
  struct Word {
    std::string name;
    Access access;
    std::optional<std::uint32_t> reset;
  };
  std::map<std::uint32_t, Word> words;
  for (const Register& r : registers) {
    for (unsigned i = 0; i < count(r, s, network.spec().network.router.counters); ++i) {
      for (unsigned w = 0; w < r.words; ++w) {
        std::optional<std::uint32_t> reset = reset_value(r, s, network, i, w);
        if (r.name == "COORD") reset = static_cast<std::uint32_t>(coordinates >> (32 * w));
        words[r.offset + i * csr::stride(r.per) + 4 * w] = {std::string(r.name), r.access, reset};
      }
    }
  }
  std::vector<std::string> found;
  const auto differ = [&](std::uint32_t at, const std::string& name, const std::string& what) {
    char text[16];
    std::snprintf(text, sizeof text, "%#x", at);
    found.push_back(text + (" " + name + " ") + what);
  };
  for (std::uint32_t at = 0; at < 0x3000; at += 4) {
    const auto word = words.find(at);
    const bool known = word != words.end();
    const std::string name = known ? word->second.name : "";
    std::uint32_t data = 0;
    if ((bank.csr_read(local, at, data) == 0) != known) differ(at, name, "read");
    // Elapsed cycles go on while the others are read.
    if (known && word->second.reset && name != "ELAPSED" && name != "TABLE_ADDR" &&
        data != *word->second.reset)
      differ(at, name, "reset value");
    if (name == "TABLE_DATA") continue;  // the table's
    const bool writable = known && word->second.access != Access::kRead;
    if ((bank.csr_write(local, at, data) == 0) != writable) differ(at, name, "write");
  }
  // Writable words keep what is written, but for what only clears.
  for (const auto& [at, word] : words) {
    if (word.access != Access::kReadWrite || word.name == "TABLE_DATA") continue;
    std::uint32_t before = 0, data = 0;
    bank.csr_read(local, at, before);
    const std::uint32_t bit = word.name == "CONTROL" ? 2 : 1;
    bank.csr_write(local, at, before ^ bit);
    bank.csr_read(local, at, data);
    if (data != (before ^ bit)) differ(at, word.name, "does not keep what is written");
    bank.csr_write(local, at, before);
  }
  return found;
}

/// Compares before the first cycle.
class Reader final : public engine::Probe {
 public:
  Reader(const deadlock::ProvenNetwork& network, const Map& registers,
         std::vector<std::string>& found)
      : network_(network), registers_(registers), found_(found) {}
  engine::Needs needs() const override { return {}; }
  void prepare(const engine::Section& section) override {
    const auto shapes = router_shapes(network_);
    const auto& topology = network_.topology();
    for (const std::uint32_t r : {section.first, section.end - 1}) {
      const RouterShape& s = shapes[topology.shape_index(RouterId{r})];
      for (auto& difference : differences(registers_, *section.bank, r - section.first, s, network_,
                                          coordinate_value(s, topology, RouterId{r})))
        found_.push_back(difference);
    }
  }

 private:
  const deadlock::ProvenNetwork& network_;
  const Map& registers_;
  std::vector<std::string>& found_;
};

std::vector<std::string> differences(const app::Simulated& network, const Map& registers) {
  std::vector<std::string> found;
  engine::RunOptions run = engine::short_run(network, 0.1, 40);
  run.probes = {[&](const engine::Scene&) {
    return std::make_unique<Reader>(*network.proven, registers, found);
  }};
  engine::expect_accounted(engine::simulated(network, run));
  return found;
}

TEST(Registers, OfAnEmittedNodeAreThoseOfTheMap) {
  for (const bool counters : {true, false}) {
    const app::Simulated network = engine::compiled(
        engine::kTorus, {counters ? "router.counters=true" : "router.counters=false"});
    EXPECT_EQ(differences(network, map()), std::vector<std::string>{});
  }
  EXPECT_EQ(differences(engine::compiled(engine::kTorus,
                                         {"router.checks=true", "router.header_parity=true"}),
                        map()),
            std::vector<std::string>{});
  EXPECT_EQ(differences(engine::compiled(engine::kTorus, {"router.watchdog_cycles=2048"}), map()),
            std::vector<std::string>{});
  // Its generators have been seeded.
  const std::string seed = "0x1004 CFG reset value";
  EXPECT_EQ(
      differences(engine::compiled(kLearning, {"router.checks=true", "router.memory_parity=true"}),
                  map()),
      (std::vector<std::string>{seed, seed}));
}

/// What the registers of all routers say of dropped packets after a run.
class DropReader final : public engine::Probe {
 public:
  struct Found {
    std::array<std::uint64_t, engine::kDropCauses> drops{};
    std::uint64_t events = 0, routers_that_dropped = 0;
    std::vector<std::string> wrong;
  };
  explicit DropReader(Found& found) : found_(found) {}
  engine::Needs needs() const override { return {}; }
  void prepare(const engine::Section& section) override {
    bank_ = section.bank;
    routers_ = section.end - section.first;
  }
  void read(std::uint64_t, bool, engine::RunResult&) override {
    for (std::uint32_t r = 0; r < routers_; ++r) {
      const auto word = [&](std::string_view name, std::uint32_t more = 0) {
        std::uint32_t data = 0;
        EXPECT_EQ(bank_->csr_read(r, csr::offset_of(name) + more, data), 0u) << name;
        return data;
      };
      std::uint64_t drops = 0;
      for (std::uint32_t c = 0; c < csr::kRouterCauses; ++c) {
        const std::uint32_t of_cause = word("DROPS", 4 * c);
        found_.drops[c] += of_cause;
        drops += of_cause;
      }
      const std::uint32_t event = word("EVENT", csr::stride(csr::Per::kEvent)),
                          cause = word("DROPPED") & 0xff;
      found_.events += event;
      found_.routers_that_dropped += drops != 0;
      if (event != drops) found_.wrong.push_back("EVENT");
      if ((word("STATUS") == 2) != (drops != 0)) found_.wrong.push_back("STATUS");
      if ((cause != 0) != (drops != 0) || (cause != 0 && word("DROPS", 4 * cause - 4) == 0))
        found_.wrong.push_back("DROPPED");
      // A bad destination of [4,3]: 3 as the second coordinate.
      if (cause == 1 && (word("DROPPED_HEAD") >> 2 & 3) != 3)
        found_.wrong.push_back("DROPPED_HEAD");
    }
  }

 private:
  model::RouterBank* bank_ = nullptr;
  std::uint32_t routers_ = 0;
  Found& found_;
};

TEST(Registers, OfDropsSayWhatWasDropped) {
  const app::Simulated network =
      engine::compiled(engine::kTorus, engine::with(engine::kChecked, {"fault.bad_packets=0.2"}));
  DropReader::Found found;
  engine::RunOptions run = engine::short_run(network, 0.3, 1000);
  run.threads = 1;
  run.probes = {[&](const engine::Scene&) { return std::make_unique<DropReader>(found); }};
  const engine::RunResult r = engine::simulated(network, run);
  engine::expect_accounted_with_drops(r);
  EXPECT_EQ(found.drops, r.dropped);
  EXPECT_GT(found.events, 100u);
  EXPECT_EQ(found.wrong, std::vector<std::string>{});
  EXPECT_EQ(found.routers_that_dropped, 12u);
}

TEST(Registers, ThatAreNotThoseOfTheNodeAreNoticed) {
  const app::Simulated network = engine::compiled(engine::kTorus);
  const auto with = [&](std::string_view name, auto change) {
    Map registers = map();
    for (Register& r : registers) {
      if (r.name == name) change(r);
    }
    return differences(network, registers);
  };
  const auto moved = with("MASK", [](Register& r) { r.offset = 0x78; });
  EXPECT_EQ(moved,
            (std::vector<std::string>{
                "0x74  read", "0x74  write", "0x78 MASK read", "0x78 MASK write",
                "0x78 MASK does not keep what is written", "0x74  read", "0x74  write",
                "0x78 MASK read", "0x78 MASK write", "0x78 MASK does not keep what is written"}));
  const auto unwritable = with("CFG", [](Register& r) { r.access = Access::kRead; });
  EXPECT_EQ(unwritable.at(0), "0x1000 CFG write");
  const auto reset = with("STATUS", [](Register& r) { r.name = "PORTS"; });
  EXPECT_EQ(reset.at(0), "0x70 PORTS reset value");
}

/// What a C compiler makes of expressions over a header.
std::vector<unsigned long> in_c(const std::string& header, const std::vector<std::string>& names) {
  const fs::path work =
      fs::temp_directory_path() / ("hopwise_registers." + std::to_string(::getpid()));
  fs::create_directories(work);
  std::ofstream(work / "csr.h") << header;
  std::ofstream program(work / "main.c");
  program << "#include <stdio.h>\n#include \"csr.h\"\nint main(void) {\n";
  for (const auto& name : names)
    program << "  printf(\"%lu\\n\", (unsigned long)(" << name << "));\n";
  program << "  return 0;\n}\n";
  program.close();
  const std::string at = work.string();
  std::vector<unsigned long> values;
  if (std::system(("(cc -std=c99 -Wall -Wextra -Wpedantic -Werror -o " + at + "/main " + at +
                   "/main.c && " + at + "/main > " + at + "/out) 2> " + at + "/log")
                      .c_str()) == 0) {
    std::ifstream out(work / "out");
    for (unsigned long value; out >> value;) values.push_back(value);
  }
  fs::remove_all(work);
  return values;
}

TEST(Registers, OfTheHeaderAreThoseOfTheMap) {
  auto spec =
      config::load(kLearning, "test.yaml",
                   std::vector<std::string>{"router.checks=true", "router.watchdog_cycles=2048",
                                            "router.memory_parity=true"},
                   app::builtin_catalogue());
  ASSERT_TRUE(spec.ok());
  auto outcome = app::prove(spec.value(), app::builtin_catalogue());
  const auto& network = std::get<deadlock::ProvenNetwork>(outcome);
  const Files bundle = emit_bundle(network);
  const std::string& header = bundle.at("learning_csr.h");
  std::vector<std::string> names;
  std::vector<unsigned long> expected;
  for (const Register& r : csr::kRegisters) {
    const std::string name = "LEARNING_CSR_" + std::string(r.name);
    const bool many = r.per != csr::Per::kRouter;
    for (const unsigned i : {0u, 2u}) {
      if (i > 0 && !many) continue;
      names.push_back(many ? name + "(" + std::to_string(i) + ")" : name);
      expected.push_back(r.offset + i * csr::stride(r.per));
    }
  }
  for (const auto& [name, value] :
       std::map<std::string, unsigned long>{{"ROUTER(3)", 0x30000},
                                            {"ROUTERS", 9},
                                            {"CONTROL_FREEZE", 2},
                                            {"FLITS_IN_COUNT", 5},
                                            {"EVENT_PACKET_REFUSED", 0},
                                            {"STATUS_PACKET_REFUSED", 1},
                                            {"STATUS_PACKET_DROPPED", 2},
                                            {"DROPS_COUNT", 6},
                                            {"STATUS_VC_STUCK", 4},
                                            {"STATUS_MEMORY_FLIP", 16},
                                            {"WAITS_FOR_COUNT", 2},
                                            {"CAUSE_BAD_PARITY", 5}}) {
    names.push_back("LEARNING_CSR_" + name);
    expected.push_back(value);
  }
  EXPECT_EQ(in_c(header, names), expected);
  EXPECT_TRUE(in_c(header.substr(0, header.size() / 2), names).empty()) << "a fault is noticed";

  // What this network has not is not in it, and every register of the header is in the RDL.
  const std::string& rdl = bundle.at("learning_csr.rdl");
  for (const Register& r : csr::kRegisters)
    EXPECT_NE(rdl.find("} " + std::string(r.name)), std::string::npos) << r.name;
  EXPECT_NE(rdl.find("learning_csr router_8 @ 0x80000;"), std::string::npos);
  spec = config::load(kLearning, "test.yaml", std::vector<std::string>{"router.counters=false"},
                      app::builtin_catalogue());
  auto bare = app::prove(spec.value(), app::builtin_catalogue());
  const Files without = emit_bundle(std::get<deadlock::ProvenNetwork>(bare));
  EXPECT_EQ(without.at("learning_csr.h").find("FLITS_IN"), std::string::npos);
  EXPECT_EQ(without.at("learning_csr.rdl").find("FLITS_IN"), std::string::npos);
  EXPECT_EQ(without.at("learning_csr.h").find("DROP"), std::string::npos);
}

/// Each field is as wide as the hardware has it, and what happens once when 1 is written is no
/// value that is read.
void expect_fields(const std::string& rdl, const csr::MessageWidths& widths) {
  std::size_t begin = 0;
  for (const Register& r : csr::kMessageRegisters) {
    const std::size_t end = rdl.find("} " + std::string(r.name), begin);
    ASSERT_NE(end, std::string::npos) << r.name;
    const std::string text = rdl.substr(begin, end - begin);
    begin = end;
    const auto expect = [&](std::string_view field, unsigned lsb, unsigned most, bool pulse) {
      const unsigned bits = csr::message_field_bits(r.name, field, most, widths);
      const std::size_t at = text.find(fmt::format("}} {}[{}:{}]", field, lsb + bits - 1, lsb));
      ASSERT_NE(at, std::string::npos) << r.name << " " << field << "\n" << text;
      const std::string properties = text.substr(text.rfind("field {", at));
      EXPECT_EQ(properties.starts_with("field { sw = w; hw = r; singlepulse;"), pulse) << field;
    };
    if (r.fields.empty()) expect("VALUE", 0, 32 * r.words, false);
    for (const csr::Field& f : r.fields) expect(f.name, f.lsb, f.bits, f.pulse);
  }
}

TEST(Registers, OfMessageInterfacesAreInHeaderAndRdlWhereTheyAre) {
  const char* const text = R"(
name: mail
topology: {kind: mesh, dims: [2]}
packet: {flit_bits: 128, max_flits: 5}
terminal: {interface: messages, windows: 64, message_registers: true}
)";
  const auto bundle_with = [&](const char* registers) {
    const auto spec = config::load(text, "test.yaml", std::vector<std::string>{registers},
                                   app::builtin_catalogue());
    auto outcome = app::prove(spec.value(), app::builtin_catalogue());
    return emit_bundle(std::get<deadlock::ProvenNetwork>(outcome));
  };
  const Files bundle = bundle_with("terminal.message_registers=true");
  const std::string &header = bundle.at("mail_messages.h"), &rdl = bundle.at("mail_messages.rdl");
  std::vector<std::string> names;
  std::vector<unsigned long> expected;
  for (const Register& r : csr::kMessageRegisters) {
    names.push_back("MAIL_MSG_" + std::string(r.name) + (message_count(r) > 1 ? "(0)" : ""));
    expected.push_back(r.offset);
    EXPECT_NE(rdl.find("} " + std::string(r.name)), std::string::npos) << r.name;
  }
  for (const auto& [name, value] :
       std::map<std::string, unsigned long>{{"CPL_VALID", 1UL << 31},
                                            {"CONTROL_SNAPSHOT", 4},
                                            {"COUNTER(COUNTER_LATE)", 0x170},
                                            {"COUNTER_COUNT", 15},
                                            {"END_BAD_DESCRIPTOR", 7},
                                            {"FLIT_BYTES", 16}}) {
    names.push_back("MAIL_MSG_" + name);
    expected.push_back(value);
  }
  for (std::string& name : names) {
    if (const auto at = name.find("(COUNTER_"); at != std::string::npos)
      name.insert(at + 1, "MAIL_MSG_");
  }
  EXPECT_EQ(in_c(header, names), expected);
  EXPECT_NE(rdl.find("WINDOW[15:8] = 0x6;"), std::string::npos) << "of SIZES: 64 windows";
  expect_fields(rdl,
                {.terminal = 1, .window = 6, .address = 40, .key = 8, .offset = 20, .tag = 16});
  const Files without = bundle_with("terminal.message_registers=false");
  EXPECT_EQ(without.count("mail_messages.h") + without.count("mail_messages.rdl"), 0u);
}

// A gated clock: words of feedback stay on their wires when they are over, so only the bits that
// say that one is there wake a router; and a reset has edges.
TEST(ClockGating, WhatWakesARouterIsWhatComes) {
  const auto node = [](const char* algorithm, std::vector<std::string> more) {
    more.push_back("router.clock_gating=true");
    more.push_back(std::string("routing.algorithm=") + algorithm);
    auto spec = config::load(kLearning, "test.yaml", more, app::builtin_catalogue());
    EXPECT_TRUE(spec.ok());
    auto outcome = app::prove(spec.value(), app::builtin_catalogue());
    const Files bundle = emit_bundle(std::get<deadlock::ProvenNetwork>(outcome));
    std::string wakes;
    for (const auto& [name, text] : bundle) {
      const std::size_t at = text.find(") u_wake (");
      if (at != std::string::npos && wakes.empty())
        wakes = text.substr(at, text.find(");\n", at) - at);
    }
    return wakes;
  };
  const std::string learns = node("q_routing", {});
  std::size_t bits = 0;
  for (std::size_t at = 0; (at = learns.find("feedback", at)) != std::string::npos; ++at)
    bits += learns.substr(at).find('[') < learns.substr(at).find_first_of(",}") ? 1 : 0;
  EXPECT_EQ(bits, 4U) << "a bit of each network port\n" << learns;
  const std::string alone =
      node("dor", {"router.vcs=2", "router.checks=true", "router.partial_reset=true"});
  EXPECT_NE(alone.find("!core_rst_n"), std::string::npos) << alone;
}

}  // namespace
}  // namespace hopwise::emit
