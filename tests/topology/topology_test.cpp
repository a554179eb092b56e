// SPDX-License-Identifier: Apache-2.0
#include "topology/topology.hpp"

#include <gtest/gtest.h>

#include "topology/grid.hpp"
#include "topology/packet_format.hpp"

namespace hopwise::topology {
namespace {

Topology topology_of(const spec::TopologySpec& spec) {
  spec::LinkSpec link;
  link.latency_cycles.assign(spec.dims.size(), 3);
  return Topology(builtin_kinds(), spec, link);
}

TEST(Topology, ARingOfTwoRoutersHasBothItsPlusAndMinusChannel) {
  const Topology t = topology_of(torus({2}));
  ASSERT_EQ(t.channels().size(), 4u);
  EXPECT_NE(t.out_channel(RouterId{0}, PortId{0}), t.out_channel(RouterId{0}, PortId{1}));
}

TEST(Topology, EveryChannelArrivesAtTheOppositePortOfItsNeighbour) {
  const Topology t = topology_of(torus({3, 5, 2}, 2));
  EXPECT_EQ(t.num_routers(), 30u);
  EXPECT_EQ(t.channels().size(), 30u * 6);
  for (std::uint32_t i = 0; i < t.channels().size(); ++i) {
    const Channel& c = t.channel(ChannelId{i});
    EXPECT_EQ(t.out_channel(c.src, c.src_port), ChannelId{i});
    EXPECT_EQ(t.in_channel(c.dst, c.dst_port), ChannelId{i});
    EXPECT_EQ(index(c.dst_port), index(c.src_port) ^ 1u);
    EXPECT_EQ(t.distance(c.src, c.dst), 1u);
  }
}

TEST(Topology, AMeshHasNoChannelOverItsBorder) {
  const Topology t = topology_of(mesh({3, 2}));
  EXPECT_FALSE(t.out_channel(RouterId{0}, PortId{1}).has_value());
  EXPECT_FALSE(t.in_channel(RouterId{0}, PortId{1}).has_value());
  EXPECT_EQ(t.channels().size(), 2u * (2 * 2 + 3 * 1));
}

TEST(PacketFormat, FieldsOfTheCompactHeaderDoNotOverlap) {
  const auto f =
      make_packet_format(torus({4, 4}, 2), {spec::PacketFormatKind::kCompact, 32, 5}, {});
  ASSERT_TRUE(f.ok());
  EXPECT_EQ(f.value().route_bits, 2u + 2 + 1 + 3);
  EXPECT_LE(f.value().header_bits, 32u);
  EXPECT_GE(f.value().packet_id.width, 6u);
}

TEST(PacketFormat, ATooNarrowFlitIsRefusedWithTheWidthThatFits) {
  const auto f =
      make_packet_format(torus({64, 64, 64}, 1), {spec::PacketFormatKind::kCompact, 32, 1}, {});
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.errors()[0].code, "config.flit-too-narrow");
}

TEST(PacketFormat, ApenetKeepsTheThesisFieldsInPlace) {
  const auto f =
      make_packet_format(torus({4, 4}, 1), {spec::PacketFormatKind::kApenet, 128, 258}, {});
  ASSERT_TRUE(f.ok());
  EXPECT_EQ(f.value().packet_id.lsb, 32u);
  EXPECT_EQ(f.value().packet_id.width, 9u);
  EXPECT_EQ(f.value().routing_class.lsb, 62u);
  EXPECT_EQ(f.value().message_class.lsb, 30u);
}

TEST(PacketFormat, ApenetRefusesFourDimensionsAndOtherWidthsTogether) {
  const auto f =
      make_packet_format(torus({2, 2, 2, 2}, 1), {spec::PacketFormatKind::kApenet, 64, 300}, {});
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.errors().size(), 3u);
}

}  // namespace
}  // namespace hopwise::topology
