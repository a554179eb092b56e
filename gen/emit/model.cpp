// SPDX-License-Identifier: Apache-2.0
// A node with the pins that the engine drives: one Meta byte per port and cycle for the wires of a
// channel, data and feedback in whole words. Whatever wires the channel has, the engine carries
// them from pin to pin.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "emit/channel.hpp"
#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

constexpr unsigned kMetaBits = 8;

/// What stands in the Meta of one lane: the flit's wires but data, or the credit's.
struct Field {
  Wire wire;
  unsigned lsb;
  /// The wire that says whether the others of the lane mean anything; empty: it is always.
  std::string valid;
  unsigned width() const { return wire.feedback ? 1 : static_cast<unsigned>(wire.width); }
};

/// The fields of a Meta from the highest; a wire that `layout` does not know takes the highest bits
/// left.
std::vector<Field> fields(const RouterShape& s, bool forward, const MetaLayout& layout) {
  std::vector<Field> all;
  unsigned taken = 0;
  std::vector<Wire> unknown;
  const auto place = [&](const Wire& w, unsigned lsb) {
    const bool flag = w.feedback || w.name.ends_with("valid");
    const Field field{w, lsb, flag ? "" : forward ? "valid" : "credit_valid"};
    const unsigned bits = ((1u << field.width()) - 1) << lsb;
    if (lsb + field.width() > kMetaBits || (taken & bits) != 0) {
      std::fprintf(stderr, "no place for wire %s in a Meta\n", w.name.c_str());
      std::abort();
    }
    taken |= bits;
    all.push_back(field);
  };
  for (const Wire& w : channel_wires(s)) {
    if (w.forward != forward || w.name == "data") continue;
    const auto known = layout.find(w.name);
    if (known != layout.end())
      place(w, known->second);
    else
      unknown.push_back(w);
  }
  for (const Wire& w : unknown) {
    unsigned lsb = kMetaBits - static_cast<unsigned>(w.width);
    while (lsb > 0 && (taken & (((1u << w.width) - 1) << lsb)) != 0) --lsb;
    place(w, lsb);
  }
  std::sort(all.begin(), all.end(), [](const Field& a, const Field& b) { return a.lsb > b.lsb; });
  return all;
}

/// `{...}` of the lanes of `ports` ports, the highest first.
template <class Text>
std::string lanes(std::size_t ports, const Text& text) {
  std::string all;
  for (std::size_t p = ports; p-- > 0;) all += (all.empty() ? "" : ", ") + text(p);
  return "{" + all + "}";
}

}  // namespace

std::size_t model_pin_bits(std::size_t bits) {
  return std::max<std::size_t>(128, (bits + 31) / 32 * 32);
}

std::vector<sv::Port> model_ports(const RouterShape& s) {
  const std::size_t p = s.ports, word = (s.flit_bits + 31) / 32 * 32,
                    meta = model_pin_bits(kMetaBits * p);
  std::vector<sv::Port> ports = {
      {"input", "", "clk_i", ""},
      {"input", "", "rst_ni", ""},
      {"input", "[63:0]", "coord_i", ""},
      {"input", "[63:0]", "now_i", ""},
      {"input", sv::range(meta), "in_meta_i", "A byte per port"},
      {"input", sv::range(meta), "out_credit_i", ""},
      {"output", sv::range(meta), "out_meta_o", ""},
      {"output", sv::range(meta), "in_credit_o", ""},
      {"input", sv::range(model_pin_bits(p * word)), "in_data_i", "Whole words per port"},
      {"output", sv::range(model_pin_bits(p * word)), "out_data_o", ""},
      {"input", sv::range(model_pin_bits(64 * p)), "out_feedback_i", ""},
      {"output", sv::range(model_pin_bits(64 * p)), "in_feedback_o", ""},
      {"output", "", "quiescent_o", "For whoever watches"},
      {"output", sv::range(model_pin_bits(32 * s.counter_words())), "counters_o", ""},
      {"output", sv::range(model_pin_bits(s.model_trace_bits())), "trace_o", ""},
      {"output", sv::range(model_pin_bits(16 * p)), "queue_o", ""},
      {"output", sv::range(model_pin_bits((kDropCauses + 1) * kDropCountBits)), "drops_o", ""},
      {"output", sv::range(model_pin_bits(32 * s.stuck_words())), "stuck_o", ""}};
  for (auto& port : axi_lite_ports("s")) ports.push_back(std::move(port));
  return ports;
}

std::string model_channels(const RouterShape& s, const MetaLayout& layout) {
  const std::size_t p = s.ports, word = (s.flit_bits + 31) / 32 * 32,
                    meta = model_pin_bits(kMetaBits * p);
  std::string body;
  for (const auto& [channel, end] : kChannels) {
    for (const Wire& w : channel_wires(s))
      body +=
          fmt::format("  logic {} {};\n", sv::vector_range(vector_bits(s, w, p)), w.net(channel));
  }
  body += "\n";
  // What comes in.
  for (const auto& [channel, pin, forward] :
       {std::tuple{"in", "in_meta_i", true}, {"out", "out_credit_i", false}}) {
    for (const Field& f : fields(s, forward, layout)) {
      if (f.wire.feedback)
        body += fmt::format(
            "  assign {} = {};\n", f.wire.net(channel),
            lanes(s.network_ports, [&, channel = channel, pin = pin](std::size_t i) {
              return fmt::format("{{{}{{{}[{}]}}}} & {}_{}_i[{}+:{}]", f.wire.width, pin,
                                 kMetaBits * i + f.lsb, channel, f.wire.name, 64 * i, f.wire.width);
            }));
      else
        body += fmt::format("  assign {} = {};\n", f.wire.net(channel),
                            lanes(p, [&, pin = pin](std::size_t i) {
                              return slice(pin, kMetaBits * i + f.lsb, f.width());
                            }));
    }
  }
  body += fmt::format("  assign in_data = {};\n", lanes(p, [&](std::size_t i) {
                        return slice("in_data_i", i * word, s.flit_bits);
                      }));
  // What goes out: nothing but zeros where nothing is valid.
  for (const auto& [channel, pin, forward] :
       {std::tuple{"out", "out_meta_o", true}, {"in", "in_credit_o", false}}) {
    const std::vector<Field> all = fields(s, forward, layout);
    std::string bytes = lanes(p, [&, channel = channel](std::size_t i) {
      std::string byte;
      unsigned above = kMetaBits;
      const auto fill = [&](unsigned down_to) {
        if (above > down_to) byte += fmt::format(", {}", sv::literal(above - down_to, 0));
        above = down_to;
      };
      for (const Field& f : all) {
        if (f.wire.feedback && i >= s.network_ports) continue;
        fill(f.lsb + f.width());
        const std::string value = f.wire.feedback ? slice(f.wire.net(channel), i * f.wire.width, 1)
                                                  : lane(f.wire.net(channel), i, f.width());
        byte += f.valid.empty() ? ", " + value
                                : fmt::format(", {{{}{{{}_{}[{}]}}}} & {}", f.width(), channel,
                                              f.valid, i, value);
        above = f.lsb;
      }
      fill(0);
      return "{" + byte.substr(2) + "}";
    });
    body += fmt::format("  assign {} = {}'({});\n", pin, meta, bytes);
  }
  body += fmt::format("  assign out_data_o = {}'({});\n", model_pin_bits(p * word),
                      lanes(p, [&](std::size_t i) {
                        return fmt::format("{}'({})", word, lane("out_data", i, s.flit_bits));
                      }));
  body +=
      s.feedback_bits == 0
          ? std::string("  assign in_feedback_o = '0;\n")
          : fmt::format("  assign in_feedback_o = {}'({});\n", model_pin_bits(64 * p),
                        lanes(s.network_ports, [&](std::size_t i) {
                          return fmt::format("64'({})", lane("in_feedback", i, s.feedback_bits));
                        }));
  body += "\n";
  return body;
}

Files emit_model(const RouterShape& s, const MetaLayout& layout, std::string& top) {
  const std::string node = s.prefix + "_node";
  top = s.prefix + "_model";
  const std::size_t p = s.ports;
  std::string body = sv::module_header(top, model_ports(s)) + "\n";
  sv::Bindings pins = {{"clk_i", "clk_i"},
                       {"rst_ni", "rst_ni"},
                       {"coord_i", fmt::format("coord_i[{}:0]", s.coord_bits() - 1)},
                       {"now_i", "now_i"},
                       {"quiescent_o", "quiescent_o"}};
  for (const auto& [channel, end] : kChannels) {
    for (const Wire& w : channel_wires(s)) pins.emplace_back(w.pin(channel, end), w.net(channel));
  }
  body += model_channels(s, layout);
  std::string unused;
  for (const sv::Port& port : experience_ports(s)) {
    const std::string name = port.name.substr(0, port.name.rfind('_'));
    if (port.direction == "output") body += fmt::format("  logic {} {};\n", port.range, name);
    pins.emplace_back(port.name, port.direction == "output" ? name : "1'b1");
  }
  for (const Watched& w : watched(s)) {
    if (w.name.starts_with("dropped")) {  // the last one, at which nobody looks
      body += fmt::format("  logic {} {};\n", sv::range(w.bits), w.name);
      pins.emplace_back(w.pin(), w.name);
      unused += ", " + w.name;
      continue;
    }
    if (!w.shown) {
      body += fmt::format("  assign {} = '0;\n", w.pin());
      continue;
    }
    body += fmt::format("  logic {} {};\n", sv::vector_range(w.bits), w.name);
    pins.emplace_back(w.pin(), w.name);
    body += w.name == "queue" ? fmt::format("  assign queue_o = {}'({});\n", model_pin_bits(16 * p),
                                            lanes(p,
                                                  [&](std::size_t i) {
                                                    return fmt::format(
                                                        "16'({})", lane("queue", i, s.queue_width));
                                                  }))
            : w.name == "trace" && s.unit.experience.data_bits > 0
                ? fmt::format(
                      "  assign trace_o = {}'({{experience_tdata, experience_tvalid, trace}});\n",
                      model_pin_bits(s.model_trace_bits()))
            : w.name.starts_with("stuck") || w.name == "lost" ? std::string()
            : w.name == "drops" && s.reset_cycles > 0
                ? fmt::format("  assign drops_o = {}'({{lost, drops}});\n",
                              model_pin_bits((kDropCauses + 1) * kDropCountBits))
                : fmt::format("  assign {} = {}'({});\n", w.pin(), model_pin_bits(w.bits), w.name);
  }
  if (!s.checks) body += "  assign drops_o = '0;\n";
  for (const sv::Port& port : guard_ports(s))  // its terminals wait
    pins.emplace_back(port.name, sv::literal(s.ports - s.network_ports, 0));
  // Bit 31 of the first word is free: the report is new.
  body += s.watchdog_cycles == 0
              ? std::string("  assign stuck_o = '0;\n")
              : fmt::format(
                    "  assign stuck_o = {}'({{stuck[{}:32], 32'(stuck_report) << 31 | "
                    "stuck[31:0]}});\n",
                    model_pin_bits(32 * s.stuck_words()), 32 * s.stuck_words() - 1);
  body += fmt::format("  wire unused = &{{1'b0{}}};\n", unused);
  for (const AxiWire& w : axi_lite()) pins.emplace_back(w.pin("s"), w.pin("s"));
  // The engine's terminals offer nothing that is refused, and it polls.
  for (const sv::Port& port : event_ports(s))
    pins.emplace_back(port.name, sv::literal(port_bits(port), 0));
  if (!s.congestion.empty()) {
    body += "\n  logic [63:0] congestion;\n  wire unused_congestion = &{1'b0, congestion};\n";
    pins.emplace_back("congestion_o", "congestion");
  }
  body += "\n  logic irq;\n  wire unused_irq = &{1'b0, irq};\n";
  pins.emplace_back("irq_o", "irq");
  body += "\n" + sv::instance(node, "u_node", {}, pins) + "\nendmodule\n";
  return {{fmt::format("rtl/{}.sv", top),
           sv::file(fmt::format("{} with the pins that the engine drives.", node), body)}};
}

}  // namespace hopwise::emit
