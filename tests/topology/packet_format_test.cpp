// SPDX-License-Identifier: Apache-2.0
// Header layouts of dragonflies with what their routings keep in the head flit.
#include "topology/packet_format.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "dragonflies.hpp"
#include "settings.hpp"

namespace hopwise::topology {
namespace {

HeaderState header_state(const spec::TopologySpec& topology, const spec::RoutingSpec& routing) {
  return routing::family_of(routing::builtin_families(), routing).header(topology, routing);
}

std::vector<HeaderField> fields_of(const PacketFormat& f) {
  std::vector<HeaderField> fields = f.dst_coord;
  fields.push_back(f.dst_slot);
  fields.push_back(f.length);
  fields.push_back(f.routing_class);
  fields.insert(fields.end(), f.via_coord.begin(), f.via_coord.end());
  fields.push_back(f.reward);
  fields.push_back(f.arrival);
  fields.insert(fields.end(), f.src_coord.begin(), f.src_coord.end());
  fields.push_back(f.src_slot);
  fields.push_back(f.message_class);
  fields.push_back(f.packet_id);
  return fields;
}

void expect_sound(const PacketFormat& f, const Shape& s, bool via, bool source) {
  std::vector<bool> taken(f.flit_bits);
  for (const HeaderField& field : fields_of(f)) {
    for (unsigned b = field.lsb; b < field.lsb + field.width; ++b) {
      ASSERT_LT(b, f.header_bits);
      ASSERT_FALSE(taken[b]) << "bit " << b;
      taken[b] = true;
    }
  }
  for (unsigned b = 0; b < f.header_bits; ++b) ASSERT_TRUE(taken[b]) << "a gap at bit " << b;
  ASSERT_LE(f.header_bits, f.flit_bits);
  const auto holds = [](const HeaderField& field, unsigned values) {
    return values <= 1u << field.width;
  };
  ASSERT_TRUE(holds(f.dst_coord[0], s.a) && holds(f.dst_coord[1], s.g) && holds(f.dst_slot, s.p));
  ASSERT_TRUE(holds(f.src_coord[0], s.a) && holds(f.src_coord[1], s.g) && holds(f.src_slot, s.p));
  // What routers read stands below route_bits.
  const auto read = [&](const HeaderField& field) {
    return field.lsb + field.width <= f.route_bits;
  };
  ASSERT_TRUE(read(f.dst_coord[0]) && read(f.dst_coord[1]) && read(f.dst_slot) && read(f.length) &&
              read(f.routing_class));
  ASSERT_EQ(f.via_coord.size(), via ? 2u : 0u);
  if (via) {
    ASSERT_TRUE(holds(f.routing_class, 4) && holds(f.via_coord[0], s.a) &&
                holds(f.via_coord[1], s.g));
    // routing_state() is one run of bits.
    ASSERT_EQ(f.via_coord[0].lsb, f.routing_class.lsb + f.routing_class.width);
    ASSERT_EQ(f.via_coord[1].lsb, f.via_coord[0].lsb + f.via_coord[0].width);
    ASSERT_TRUE(read(f.via_coord[1]));
    ASSERT_EQ(f.routing_state().lsb, f.routing_class.lsb);
    ASSERT_EQ(f.routing_state().width,
              f.routing_class.width + f.via_coord[0].width + f.via_coord[1].width);
  }
  ASSERT_EQ(read(f.src_coord[0]) && read(f.src_coord[1]), source);
  ASSERT_GE(f.packet_id.width, 6u);
}

TEST(PacketFormat, DragonflyFieldsAreDisjointWithoutGapsAndWhereRoutersReadThem) {
  for (const Shape& s : all_shapes(60)) {
    SCOPED_TRACE(text(s));
    for (const std::string_view algorithm :
         {"min", "valg", "valn", "ugal_lg", "ugal_ln", "ugal_global", "par", "ugal_le"}) {
      spec::RoutingSpec routing;
      test::set_routing(routing, algorithm);
      const HeaderState state = header_state(spec_of(s), routing);
      for (const unsigned flits : {1u, 5u}) {
        const auto f =
            make_packet_format(spec_of(s), {spec::PacketFormatKind::kCompact, 64, flits}, state);
        ASSERT_TRUE(f.ok());
        // The sources are read where they cost no field that is not there: one coordinate of width
        // 0 reads as read.
        expect_sound(f.value(), s, algorithm != "min", algorithm == "ugal_le");
      }
    }
  }
}

TEST(PacketFormat, RoutingsThatLearnDeliveryTimesCarryTwoTimesAndReadTheSourcesSlot) {
  for (const Shape& s : all_shapes(60)) {
    if (s.l != 1 || s.rows != 1) continue;
    SCOPED_TRACE(text(s));
    for (const std::string_view algorithm : {"q_routing", "q_adaptive", "q_par"}) {
      spec::RoutingSpec routing;
      test::set_routing(routing, algorithm);
      const HeaderState state = header_state(spec_of(s), routing);
      EXPECT_EQ(state.packet_classes, 1U);
      const auto made =
          make_packet_format(spec_of(s), {spec::PacketFormatKind::kCompact, 64, 5}, state);
      ASSERT_TRUE(made.ok());
      const PacketFormat& f = made.value();
      // Behind the source's coordinates, so that they are among what routers get.
      const bool slot = algorithm != "q_routing";
      expect_sound(f, s, false, slot);
      EXPECT_EQ(f.reward.width, PacketFormat::kRewardBits);
      EXPECT_EQ(f.arrival.width, PacketFormat::kArrivalBits);
      EXPECT_EQ(f.reward.lsb, f.routing_state().lsb + f.routing_state().width);
      EXPECT_LE(f.reward.lsb + f.reward.width, f.route_bits);
      EXPECT_GE(f.arrival.lsb, f.route_bits);  // what routing does not read takes no registers
      EXPECT_EQ(f.src_slot.lsb + f.src_slot.width <= f.route_bits, slot);
    }
  }
}

TEST(PacketFormat, HopsOfQRoutingOnATorusArePacketClasses) {
  spec::TopologySpec torus;
  torus.dims = {4, 4};
  spec::RoutingSpec routing;
  test::set_routing(routing, "q_routing");
  routing.settings.set("q_max_hops", std::uint64_t{8});
  routing.settings.set("q_banks", std::uint64_t{1});
  const HeaderState state = header_state(torus, routing);
  EXPECT_EQ(state.packet_classes, 9U);
  EXPECT_TRUE(state.timing && !state.source_slot && !state.via && !state.source);
  const auto f = make_packet_format(torus, {spec::PacketFormatKind::kCompact, 64, 1}, state);
  ASSERT_TRUE(f.ok());
  EXPECT_EQ(f.value().routing_class.width, 4U);
  EXPECT_EQ(f.value().reward.lsb, f.value().routing_class.lsb + 4);
  const auto apenet = make_packet_format(torus, {spec::PacketFormatKind::kApenet, 128, 4}, state);
  ASSERT_FALSE(apenet.ok());
  EXPECT_EQ(apenet.errors()[0].code, "config.apenet-field");
}

TEST(PacketFormat, TheLargestDragonflyFitsWhereTheMessageSaysThatItDoes) {
  const Shape s{16, 64, 16, 1024, 1, 8, GlobalArrangement::kAbsolute};
  spec::RoutingSpec routing;
  test::set_routing(routing, "ugal_ln");
  const HeaderState state = header_state(spec_of(s), routing);
  const auto narrow =
      make_packet_format(spec_of(s), {spec::PacketFormatKind::kCompact, 32, 1}, state);
  ASSERT_FALSE(narrow.ok());
  ASSERT_EQ(narrow.errors()[0].code, "config.flit-too-narrow");
  const unsigned needed = static_cast<unsigned>(std::stoul(narrow.errors()[0].allowed.substr(3)));
  EXPECT_FALSE(
      make_packet_format(spec_of(s), {spec::PacketFormatKind::kCompact, needed - 1, 1}, state)
          .ok());
  EXPECT_TRUE(
      make_packet_format(spec_of(s), {spec::PacketFormatKind::kCompact, needed, 1}, state).ok());
}

TEST(PacketFormat, ApenetHasNoDragonfly) {
  const auto f = make_packet_format(spec_of({1, 4, 2, 9, 1, 1, {}}),
                                    {spec::PacketFormatKind::kApenet, 128, 4}, {});
  ASSERT_FALSE(f.ok());
  ASSERT_EQ(f.errors().size(), 1u);
  EXPECT_EQ(f.errors()[0].key, "packet.format");
}

}  // namespace
}  // namespace hopwise::topology
