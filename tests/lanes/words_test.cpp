// SPDX-License-Identifier: Apache-2.0
// Gates of word-level cells against Yosys' own evaluation of the same cells.
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/lanes/mapper.hpp"
#include "model/lanes/words.hpp"
#include "model/tool.hpp"
#include "parameters.hpp"
#include "support/cache.hpp"

namespace hopwise::lanes {
namespace {

struct Trial {
  Cell cell;
  Bits a, b, s, y;
};

constexpr const char* kUnary[] = {"$not",         "$pos",         "$neg",
                                  "$reduce_and",  "$reduce_or",   "$reduce_xor",
                                  "$reduce_xnor", "$reduce_bool", "$logic_not"};
constexpr const char* kBinary[] = {
    "$and", "$or",  "$xor", "$xnor", "$logic_and", "$logic_or", "$eq",    "$ne",  "$eqx",
    "$nex", "$lt",  "$le",  "$gt",   "$ge",        "$add",      "$sub",   "$mul", "$div",
    "$mod", "$shl", "$shr", "$sshl", "$sshr",      "$shift",    "$shiftx"};

class Words : public testing::Test {
 protected:
  Words() { n_.top = "words"; }

  std::size_t upto(std::size_t most) { return 1 + random_() % most; }

  void add(const std::string& type, bool binary) {
    Trial t;
    const bool shift = type.starts_with("$sh") || type.starts_with("$ssh");
    bool sign = random_() % 2 != 0;
    if (type == "$shiftx" || type == "$shift") sign = false;
    const bool costly = type == "$mul" || type == "$div" || type == "$mod";
    const auto width = [&] { return upto(costly ? 12 : random_() % 4 == 0 ? 70 : 9); };
    t.a = n_.fresh(width());
    t.y = n_.fresh(width());
    t.cell = {"c" + std::to_string(trials_.size()),
              type,
              {{"A_SIGNED", sign ? "1" : "0"},
               {"A_WIDTH", number(t.a.size())},
               {"Y_WIDTH", number(t.y.size())}},
              {{"A", t.a}, {"Y", t.y}}};
    if (binary) {
      t.b = n_.fresh(shift ? upto(7) : width());
      const bool b_signed =
          shift ? (type == "$shift" || type == "$shiftx") && random_() % 2 != 0 : sign;
      t.cell.parameters["B_SIGNED"] = b_signed ? "1" : "0";
      t.cell.parameters["B_WIDTH"] = number(t.b.size());
      t.cell.pins["B"] = t.b;
    }
    keep(std::move(t));
  }

  void add_mux(std::size_t selects) {
    Trial t;
    const std::size_t width = upto(5);
    t.a = n_.fresh(width);
    t.b = n_.fresh(width * selects);
    t.s = n_.fresh(selects);
    t.y = n_.fresh(width);
    t.cell = {"c" + std::to_string(trials_.size()),
              selects == 1 ? "$mux" : "$pmux",
              {{"WIDTH", number(width)}, {"S_WIDTH", number(selects)}},
              {{"A", t.a}, {"B", t.b}, {"S", t.s}, {"Y", t.y}}};
    if (selects == 1) t.cell.parameters.erase("S_WIDTH");
    keep(std::move(t));
  }

  /// $bmux, $demux or $lut.
  void add_indexed(const std::string& type) {
    Trial t;
    const bool lut = type == "$lut";
    const std::size_t selects = upto(3), width = lut ? 1 : upto(5), all = width << selects;
    t.a = n_.fresh(type == "$bmux" ? all : lut ? selects : width);
    if (!lut) t.s = n_.fresh(selects);
    t.y = n_.fresh(type == "$demux" ? all : width);
    t.cell = {"c" + std::to_string(trials_.size()),
              type,
              {{"WIDTH", number(lut ? selects : width)}},
              {{"A", t.a}, {"Y", t.y}}};
    if (lut) {
      t.cell.parameters["LUT"] = number(random_()).substr(32 - (std::size_t{1} << selects));
    } else {
      t.cell.parameters["S_WIDTH"] = number(selects);
      t.cell.pins["S"] = t.s;
    }
    keep(std::move(t));
  }

  void keep(Trial t) {
    const std::string i = std::to_string(trials_.size());
    for (const auto& [name, bits] : {std::pair{"a", &t.a}, {"b", &t.b}, {"s", &t.s}}) {
      if (!bits->empty()) n_.ports.push_back({name + i, true, *bits});
    }
    n_.ports.push_back({"y" + i, false, t.y});
    n_.cells.push_back(t.cell);
    trials_.push_back(std::move(t));
  }

  /// What the gates make of these inputs, bit by bit.
  static std::vector<bool> evaluate(const Circuit& circuit, const std::vector<bool>& inputs) {
    std::vector<bool> value(circuit.gates.all().size());
    const auto of = [&](Wire w) { return value[w / 2] != ((w & 1) != 0); };
    std::size_t next = 0;
    for (std::size_t g = 0; g < value.size(); ++g) {
      const Gate& gate = circuit.gates.all()[g];
      switch (gate.kind) {
        case Gate::Kind::kConstant: value[g] = false; break;
        case Gate::Kind::kInput: value[g] = inputs[next++]; break;
        case Gate::Kind::kAnd: value[g] = of(gate.a) && of(gate.b); break;
        case Gate::Kind::kXor: value[g] = of(gate.a) != of(gate.b); break;
        case Gate::Kind::kMux: value[g] = of(gate.a) ? of(gate.b) : of(gate.c); break;
      }
    }
    std::vector<bool> outputs;
    for (const Wire w : circuit.outputs) outputs.push_back(of(w));
    return outputs;
  }

  /// Bits that differ from Yosys' over some vectors; `wrong` spoils the cells that the gates see.
  std::size_t differences(const std::function<void(Cell&)>& wrong = nullptr) {
    Bits in, out;
    for (const Port& port : n_.ports) {
      Bits& to = port.input ? in : out;
      to.insert(to.end(), port.bits.begin(), port.bits.end());
    }
    std::vector<Cell> cells = n_.cells;
    if (wrong) {
      for (Cell& cell : cells) wrong(cell);
    }
    const Circuit circuit = make_circuit(cells, in, out);
    const auto work =
        std::filesystem::temp_directory_path() / ("hopwise-words-" + std::to_string(getpid()));
    std::filesystem::remove_all(work);
    write_text(work / "words.json", write_netlist(n_));
    std::string script = "read_json words.json\n";
    std::vector<std::vector<bool>> vectors(6);
    for (auto& vector : vectors) {
      script += "eval";
      for (const Port& port : n_.ports) {
        if (!port.input) {
          script += " -show " + port.name;
          continue;
        }
        std::string value;
        // Several selects of $pmux at once are undefined.
        const std::size_t hot = random_() % (port.bits.size() + 1);
        for (std::size_t i = 0; i < port.bits.size(); ++i) {
          vector.push_back(port.name[0] == 's' ? i == hot : random_() % 2 != 0);
          value.insert(value.begin(), vector.back() ? '1' : '0');
        }
        script += " -set " + port.name + " " + std::to_string(value.size()) + "'b" + value;
      }
      script += "\n";
    }
    write_text(work / "words.ys", script);
    const model::Output run = model::run("cd " + model::quoted(work) + " && yosys -s words.ys");
    std::filesystem::remove_all(work);
    EXPECT_EQ(run.status, 0) << last_lines(run.text, 5);
    const std::regex result(R"(Eval result: \\y\d+ = (\d+'[01xz]+|[01x])\.)");
    auto at = std::sregex_iterator(run.text.begin(), run.text.end(), result);
    std::size_t different = 0, compared = 0;
    for (const auto& vector : vectors) {
      const std::vector<bool> got = evaluate(circuit, vector);
      std::size_t place = 0;
      for (const Port& port : n_.ports) {
        if (port.input) continue;
        if (at == std::sregex_iterator()) {
          ADD_FAILURE() << "no result of " << port.name;
          return 0;
        }
        std::string value = (*at++)[1];
        value = value.substr(value.find('\'') + 1);
        for (std::size_t i = 0; i < port.bits.size(); ++i, ++place) {
          const char expected = i < value.size() ? value[value.size() - 1 - i] : '0';
          if (expected == 'x' || expected == 'z') continue;
          ++compared;
          if (got[place] == (expected == '1')) continue;
          ++different;
          if (!wrong)
            ADD_FAILURE() << trials_[std::stoul(port.name.substr(1))].cell.type << " bit " << i;
        }
      }
    }
    EXPECT_GT(compared, 1000u);
    return different;
  }

  std::mt19937 random_{3};
  Netlist n_;
  std::vector<Trial> trials_;
};

TEST_F(Words, GatesOfEveryCellDoAsYosysSays) {
  for (int round = 0; round < 6; ++round) {
    for (const char* type : kUnary) add(type, false);
    for (const char* type : kBinary) add(type, true);
    add_mux(1);
    add_mux(3);
    for (const char* type : {"$bmux", "$demux", "$lut"}) add_indexed(type);
  }
  for (const Trial& t : trials_)
    EXPECT_TRUE(has_gates(t.cell.type) || t.cell.type == "$lut") << t.cell.type;
  EXPECT_EQ(differences(), 0u);
}

TEST_F(Words, AWrongCellIsSeen) {
  for (int round = 0; round < 6; ++round) {
    for (const char* type : kBinary) add(type, true);
  }
  for (const auto& [type, other] : {std::pair{"$add", "$sub"},
                                    {"$lt", "$le"},
                                    {"$shr", "$shl"},
                                    {"$and", "$or"},
                                    {"$eq", "$ne"}}) {
    EXPECT_GT(differences([type = type, other = other](Cell& cell) {
                if (cell.type == type) cell.type = other;
              }),
              0u)
        << type;
  }
  EXPECT_GT(differences([](Cell& cell) { cell.parameters["A_SIGNED"] = "0"; }), 0u);
}

}  // namespace
}  // namespace hopwise::lanes
