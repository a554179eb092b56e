// SPDX-License-Identifier: Apache-2.0
#include "synth/src/target.hpp"

#include <fmt/format.h>

namespace hopwise::synth {

const std::vector<Target>& targets() {
  static const std::vector<Target> list = {
      {"osu018", Kind::kCells, "cells.ys", "-flatten", "", "", ""},
      {"osu035", Kind::kCells, "cells.ys", "-flatten", "", "", ""},
      {"xcup", Kind::kFpga, "xcup.ys", "-flatten", "", "-nobram -nolutram",
       "no open tool places and routes UltraScale+; the vendor's does"},
      {"ecp5", Kind::kFpga, "ecp5.ys", "", "-noflatten", "-nobram -nolutram",
       "the router is not placed and routed on an ECP5"},
      {"ice40", Kind::kFpga, "ice40.ys", "", "-noflatten", "-nobram",
       "the router does not fit on an HX8K with its pins, or nextpnr finds no place or route"},
      {"generic", Kind::kGeneric, "generic.ys", "-flatten", "", "",
       "gates of no technology have no delay; levels are counted"}};
  return list;
}

const std::vector<Device>& devices() {
  static const std::vector<Device> list = {{"xczu9eg", "xcup", 274080, 548160, 912, 2520},
                                           {"xcvu9p", "xcup", 1182240, 2364480, 2160, 6840},
                                           {"lfe5u-85f", "ecp5", 83640, 83640, 208, 156},
                                           {"lfe5u-45f", "ecp5", 43848, 43848, 108, 72},
                                           {"lfe5u-25f", "ecp5", 24288, 24288, 56, 28},
                                           {"hx8k", "ice40", 7680, 7680, 32, 0},
                                           {"up5k", "ice40", 5280, 5280, 30, 8}};
  return list;
}

const Device* find_device(std::string_view name, const Target& target) {
  for (const Device& device : devices()) {
    if (device.target == target.name && (name.empty() || device.name == name)) return &device;
  }
  return nullptr;
}

const Target* find_target(std::string_view name) {
  for (const auto& target : targets()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

void Cost::add(const Cost& other, std::uint64_t times) {
  area += other.area * static_cast<double>(times);
  flip_flops += other.flip_flops * times;
  luts += other.luts * times;
  lut_ram_luts += other.lut_ram_luts * times;
  ram_bits += other.ram_bits * times;
  dsps += other.dsps * times;
  block_rams += other.block_rams * static_cast<double>(times);
}

namespace {

Cost area(double a) { return {.area = a}; }
Cost flip_flop(double a = 0) { return {.area = a, .flip_flops = 1}; }
Cost lut(std::uint64_t n = 1) { return {.luts = n}; }
Cost lut_ram(std::uint64_t luts, std::uint64_t bits) {
  return {.lut_ram_luts = luts, .ram_bits = bits};
}
Cost macro(std::uint64_t bits) { return {.ram_bits = bits}; }
Cost block_ram(std::uint64_t bits, double blocks = 1) {
  return {.ram_bits = bits, .block_rams = blocks};
}

/// A quarter of the transistors of a static CMOS gate: a NAND2 is 1.
const std::map<std::string, Cost>& gates() {
  static const std::map<std::string, Cost> costs = {
      {"$_NOT_", area(0.5)},        {"$_NAND_", area(1)},        {"$_NOR_", area(1)},
      {"$_AND_", area(1.5)},        {"$_OR_", area(1.5)},        {"$_XOR_", area(2.5)},
      {"$_XNOR_", area(2.5)},       {"$_MUX_", area(2.5)},       {"$_DFF_P_", flip_flop(6)},
      {"$_DFF_PN0_", flip_flop(7)}, {"$_DFF_PN1_", flip_flop(7)}};
  return costs;
}

/// Primitives of the FPGA families; RAM bits are the capacity of the blocks that are taken.
const std::map<std::string, Cost>& primitives() {
  static const std::map<std::string, Cost> costs = [] {
    std::map<std::string, Cost> c = {{"FDRE", flip_flop()},
                                     {"FDSE", flip_flop()},
                                     {"FDCE", flip_flop()},
                                     {"FDPE", flip_flop()},
                                     {"RAMB18E2", block_ram(18432, 0.5)},
                                     {"RAMB36E2", block_ram(36864)},
                                     {"RAM32M", lut_ram(4, 256)},
                                     {"RAM32M16", lut_ram(8, 512)},
                                     {"RAM64M", lut_ram(4, 256)},
                                     {"RAM64M8", lut_ram(8, 512)},
                                     {"RAM32X1D", lut_ram(2, 64)},
                                     {"RAM64X1D", lut_ram(2, 128)},
                                     {"RAM128X1D", lut_ram(4, 256)},
                                     {"RAM256X1D", lut_ram(8, 512)},
                                     {"RAM32X1S", lut_ram(1, 32)},
                                     {"RAM64X1S", lut_ram(1, 64)},
                                     {"RAM32X16DR8", lut_ram(8, 512)},
                                     {"RAM64X8SW", lut_ram(8, 512)},
                                     {"RAM128X1S", lut_ram(2, 128)},
                                     {"RAM256X1S", lut_ram(4, 256)},
                                     {"RAM512X1S", lut_ram(8, 512)},
                                     {"SRL16E", lut_ram(1, 16)},
                                     {"SRLC32E", lut_ram(1, 32)},
                                     {"DSP48E2", {.dsps = 1}},
                                     {"LUT4", lut()},
                                     {"CCU2C", lut(2)},
                                     {"TRELLIS_FF", flip_flop()},
                                     {"TRELLIS_DPR16X4", lut_ram(4, 64)},
                                     {"DP16KD", block_ram(18432)},
                                     {"PDPW16KD", block_ram(18432)},
                                     {"MULT18X18D", {.dsps = 1}},
                                     {"SB_LUT4", lut()},
                                     {"SB_RAM40_4K", block_ram(4096)},
                                     {"SB_MAC16", {.dsps = 1}}};
    for (int inputs = 1; inputs <= 6; ++inputs) c[fmt::format("LUT{}", inputs)] = lut();
    for (const char* enable : {"", "E"}) {
      for (const char* reset : {"", "R", "S", "SR", "SS"})
        c[fmt::format("SB_DFF{}{}", enable, reset)] = flip_flop();
    }
    return c;
  }();
  return costs;
}

}  // namespace

std::map<std::string, Cost> cell_costs(const Target& target, const Liberty& liberty,
                                       const std::vector<MemoryShape>& macros) {
  std::map<std::string, Cost> costs;
  if (target.kind == Kind::kFpga) costs = primitives();
  if (target.kind == Kind::kGeneric) costs = gates();
  for (const auto& [name, cell] : liberty.cells)
    costs[name] = {.area = cell.area, .flip_flops = cell.flip_flop ? 1u : 0u};
  for (const auto& shape : macros) costs[shape.macro()] = macro(shape.bits());
  return costs;
}

}  // namespace hopwise::synth
