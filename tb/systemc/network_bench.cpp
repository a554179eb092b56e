// SPDX-License-Identifier: Apache-2.0
// SystemC testbench of a bundle's network top: every terminal replays its packets of a trace, and
// every flit that comes out is written down.
//
//   network_bench TRACE TERMINALS_CSV DELIVERIES [MODE]
//
// TRACE has `cycle source destination flits` lines (docs/reference/traffic.md). DELIVERIES gets a
// line `cycle source destination packet_id flit` per flit, in the cycles of the trace: a flit of
// cycle c is on the pins of its terminal in c, as in the engine; that is `lead + 1` clock cycles
// before its beat is on the stream. MODE: the code of the routing mode of all packets, where they
// have one; 0 without it.
#include <systemc>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "Vtop.h"
#include "csr_rest.hpp"
#include "network_pkg.hpp"
#include "pins.hpp"
#include "stream_sink.hpp"
#include "stream_source.hpp"

namespace hopwise::tb {
namespace {

constexpr unsigned kUserBits = network::kClassBits + network::kDstBits,
                   kOutUserBits = kUserBits + network::kPoisonBits;
constexpr std::uint64_t kLead = network::kMaxFlits + 2;
constexpr unsigned kStreams = network::kNumTerminals * network::kNumClasses;  // each way
using Data = Bundle<kStreams, network::kFlitBits>;
using User = Bundle<kStreams, kUserBits>;
using OutUser = Bundle<kStreams, kOutUserBits>;
using Flags = Bundle<kStreams, 1>;

/// Those of one stream: the classes of a terminal take turns, packet by packet.
std::vector<TracePacket> of_stream(const std::vector<TracePacket>& packets,
                                   unsigned message_class) {
  std::vector<TracePacket> own;
  for (std::size_t i = message_class; i < packets.size(); i += network::kNumClasses)
    own.push_back(packets[i]);
  return own;
}

/// address of each terminal, from terminals.csv
std::vector<std::uint64_t> read_addresses(const char* path) {
  std::ifstream in(path);
  std::string line;
  std::vector<std::uint64_t> addresses;
  std::getline(in, line);
  while (std::getline(in, line)) addresses.push_back(std::stoull(line.substr(line.rfind(',') + 1)));
  return addresses;
}

std::vector<std::vector<TracePacket>> read_trace(const char* path,
                                                 const std::vector<std::uint64_t>& addresses) {
  std::ifstream in(path);
  std::string line;
  std::vector<std::vector<TracePacket>> packets(addresses.size());
  while (std::getline(in, line)) {
    std::istringstream fields(line.substr(0, line.find('#')));
    std::uint64_t cycle = 0, source = 0, destination = 0;
    std::uint32_t flits = 0;
    if (fields >> cycle >> source >> destination >> flits) {
      packets.at(source).push_back({cycle, addresses.at(destination), flits});
    }
  }
  return packets;
}

class Bench : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Bench);
  Bench(sc_core::sc_module_name name, const std::vector<std::vector<TracePacket>>& packets,
        std::uint32_t mode)
      : sc_module(name) {
    connect_top();
    for (std::uint32_t i = 0; i < kStreams; ++i) {
      const std::uint32_t t = i / network::kNumClasses;
      std::vector<TracePacket> own = of_stream(packets[t], i % network::kNumClasses);
      for (const TracePacket& p : own) expected_ += p.flits;
      auto source = std::make_unique<Source>(
          ("source_" + std::to_string(i)).c_str(), t, kLead, std::move(own),
          SenderField{network::kModeLsb, network::kModeBits + network::kLabelBits, mode});
      source->clk(clk);
      source->rst_n(rst_n);
      source->tvalid(s_tvalid.slices[i]);
      source->tready(s_tready.slices[i]);
      source->tlast(s_tlast.slices[i]);
      source->tdata(s_tdata.slices[i]);
      source->tuser(s_tuser.slices[i]);
      sources_.push_back(std::move(source));
      auto sink = std::make_unique<Sink>(
          ("sink_" + std::to_string(i)).c_str(), t,
          HeadFields{network::kSrcLsb, network::kSrcBits, network::kIdLsb, network::kIdBits},
          arrivals);
      sink->clk(clk);
      sink->rst_n(rst_n);
      sink->tvalid(m_tvalid.slices[i]);
      sink->tready(m_tready.slices[i]);
      sink->tlast(m_tlast.slices[i]);
      sink->tdata(m_tdata.slices[i]);
      sink->tuser(m_tuser.slices[i]);
      sinks_.push_back(std::move(sink));
    }
    SC_METHOD(watch);
    sensitive << clk.negedge_event();
    dont_initialize();
  }

  std::vector<Arrival> arrivals;
  bool complete() const { return arrivals.size() == expected_ && wrong_ == 0; }
  std::uint64_t edges() const { return edges_; }

 private:
  using Source = StreamSource<network::kFlitBits, kUserBits>;
  using Sink = StreamSink<network::kFlitBits, kOutUserBits>;
  static constexpr auto kIn = Flags::Direction::kIntoTop;
  static constexpr auto kOut = Flags::Direction::kOutOfTop;

  void connect_top() {
    top.clk_i(clk);
    top.rst_ni(reset_n);
    top.rst_no(rst_n);
    top.s_tvalid_i(s_tvalid.pin);
    top.s_tready_o(s_tready.pin);
    top.s_tlast_i(s_tlast.pin);
    top.s_tdata_i(s_tdata.pin);
    top.s_tuser_i(s_tuser.pin);
    top.s_abort_i(s_abort.pin);
    top.m_tvalid_o(m_tvalid.pin);
    top.m_tready_i(m_tready.pin);
    top.m_tlast_o(m_tlast.pin);
    top.m_tdata_o(m_tdata.pin);
    top.m_tuser_o(m_tuser.pin);
    top.ni_error_o(ni_error.pin);
    csr.connect(top);
  }

  /// Reset for four edges; the end when all flits are out, or none has come for long.
  void watch() {
    if (++edges_ == 4) reset_n.write(true);
    const bool error = to_bits<kStreams>(ni_error.pin.read()).or_reduce();
    if (rst_n.read() && error) ++wrong_;
    if (arrivals.size() != seen_) {
      seen_ = arrivals.size();
      last_arrival_ = edges_;
    }
    const bool fed =
        std::all_of(sources_.begin(), sources_.end(), [](const auto& s) { return s->done(); });
    if ((fed && arrivals.size() >= expected_) || edges_ > last_arrival_ + 20000) {
      for (const auto& sink : sinks_) wrong_ += sink->wrong_user();
      sc_core::sc_stop();
    }
  }

  sc_core::sc_clock clk{"clk", sc_core::sc_time(10, sc_core::SC_NS), 0.5,
                        sc_core::sc_time(5, sc_core::SC_NS)};
  sc_core::sc_signal<bool> reset_n{"reset_n"}, rst_n{"rst_n"};  // into the top, and as it has it
  Vtop top{"top"};
  Flags s_tvalid{"s_tvalid", kIn}, s_tready{"s_tready", kOut}, s_tlast{"s_tlast", kIn};
  Flags s_abort{"s_abort", kIn};  // sources are reset with the network
  Data s_tdata{"s_tdata", Data::Direction::kIntoTop};
  User s_tuser{"s_tuser", User::Direction::kIntoTop};
  Flags m_tvalid{"m_tvalid", kOut}, m_tready{"m_tready", kIn}, m_tlast{"m_tlast", kOut};
  Data m_tdata{"m_tdata", Data::Direction::kOutOfTop};
  OutUser m_tuser{"m_tuser", OutUser::Direction::kOutOfTop};
  Flags ni_error{"ni_error", kOut};
  CsrRest csr;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<std::unique_ptr<Sink>> sinks_;
  std::size_t expected_ = 0, seen_ = 0;
  std::uint64_t edges_ = 0, last_arrival_ = 0, wrong_ = 0;
};

}  // namespace
}  // namespace hopwise::tb

int sc_main(int argc, char** argv) {
  using namespace hopwise::tb;
  if (argc != 4 && argc != 5) {
    std::cerr << "usage: network_bench TRACE TERMINALS_CSV DELIVERIES [MODE]\n";
    return 2;
  }
  const auto addresses = read_addresses(argv[2]);
  if (addresses.size() != network::kNumTerminals) {
    std::cerr << argv[2] << ": " << addresses.size() << " terminals instead of "
              << network::kNumTerminals << "\n";
    return 2;
  }
  std::map<std::uint64_t, std::size_t> terminal_of;
  for (std::size_t t = 0; t < addresses.size(); ++t) terminal_of[addresses[t]] = t;
  const auto mode = static_cast<std::uint32_t>(argc == 5 ? std::stoul(argv[4]) : 0);
  Bench bench("bench", read_trace(argv[1], addresses), mode);
  sc_core::sc_start();

  std::stable_sort(bench.arrivals.begin(), bench.arrivals.end(),
                   [](const Arrival& a, const Arrival& b) {
                     return a.cycle != b.cycle ? a.cycle < b.cycle : a.destination < b.destination;
                   });
  std::FILE* out = std::fopen(argv[3], "w");
  if (out == nullptr) {
    std::cerr << argv[3] << ": cannot be written\n";
    return 2;
  }
  for (const Arrival& a : bench.arrivals) {
    std::fprintf(out, "%lld %zu %u %u %u\n",
                 static_cast<long long>(a.cycle) - static_cast<long long>(kLead) - 1,
                 terminal_of.at(a.source_address), a.destination, a.packet_id, a.flit);
  }
  std::fclose(out);
  std::cout << bench.arrivals.size() << " flits in " << bench.edges() << " cycles"
            << (bench.complete() ? "" : ", NOT complete") << "\n";
  return bench.complete() ? 0 : 1;
}
