// SPDX-License-Identifier: Apache-2.0
// What stands between a router's terminal port and a host, and its parameters.
#include "emit/parts.hpp"
#include "topology/message_format.hpp"

namespace hopwise::emit {

using sv::Bindings;

std::string terminal_module_name(const RouterShape& s) {
  return s.flows > 0             ? "hw_congestion_interface"
         : s.messages            ? "hw_message_terminal"
         : s.message_classes > 1 ? "hw_class_interface"
                                 : "hw_network_interface";
}

namespace {

Bindings message_parameters(const RouterShape& s, const spec::NetworkSpec& spec) {
  const auto message = topology::message_format(spec.terminal, spec.packet);
  return {{"MessageLsb", number(s.format.message.lsb)},
          {"AddrBits", number(spec::kAddressBits)},
          {"WindowBits", number(message.window)},
          {"KeyBits", number(spec::kKeyBits)},
          {"OffsetBits", number(spec::kOffsetBits)},
          {"TagBits", number(spec::kTagBits)},
          {"OutstandingBits", number(message.id)},
          {"ModeSelector", bit(spec.terminal.mode_selector)}};
}

}  // namespace

Bindings terminal_parameters(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const spec::NetworkSpec& spec = network.spec().network;
  const topology::PacketFormat& f = s.format;
  Bindings parameters;
  if (s.flows > 0) parameters.emplace_back("Flows", number(s.flows));
  if (s.message_classes > 1 && !s.messages)
    parameters.emplace_back("NumClasses", number(s.message_classes));
  const auto add = [&parameters](const Bindings& part) {
    parameters.insert(parameters.end(), part.begin(), part.end());
  };
  add({{"NumVcs", number(s.vcs)},
       {"FlitBits", number(s.flit_bits)},
       {"MaxFlits", number(s.max_flits)},
       {"MinFlits", number(s.min_flits)},
       {"EjectDepth", number(s.vc_depths[0])},
       {"DstLsb", number(f.dst_coord[0].lsb)},
       {"DstBits", number(s.address_bits())},
       {"LenLsb", number(f.length.lsb)},
       {"LenBits", number(f.length.width)},
       {"LenOffset", number(f.length_offset)},
       {"ClassLsb", number(f.routing_class.lsb)},
       {"ClassBits", number(f.routing_class.width)},
       {"SrcLsb", number(f.src_coord[0].lsb)},
       {"SrcBits", number(s.address_bits())},
       {"MsgLsb", number(f.message_class.lsb)},
       {"MsgBits", number(f.message_class.width)},
       {"IdLsb", number(f.packet_id.lsb)},
       {"IdBits", number(f.packet_id.width)},
       {"VcSelect", number(s.fixed_vc_by_destination ? 1 : 0)},
       {"NeedWhole", number(spec.router.switching == spec::Switching::kWormhole ? 0 : 1)},
       {"VcDepths", vc_depths_literal(s)},
       {"CyclesPerFlitNum", number(spec.link.cycles_per_flit.num)},
       {"CyclesPerFlitDen", number(spec.link.cycles_per_flit.den)}});
  add(field_parameters(s, network.topology()));
  add(parity_parameters(s));
  if (s.poison) parameters.emplace_back("Poison", bit(true));
  if (spec.terminal.cut_through)
    parameters.emplace_back("PauseCycles", number(spec.terminal.pause_cycles));
  if (s.messages) add(message_parameters(s, spec));
  return parameters;
}

}  // namespace hopwise::emit
