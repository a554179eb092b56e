// SPDX-License-Identifier: Apache-2.0
// A platform in TLM-2.0 around a bundle's network top whose terminals are message interfaces: at
// each of them an initiator, a memory, and a bridge between these and the pins.
//
//   tlm_platform TERMINALS_CSV [fault]
//
// Every initiator writes into the memory of the next one and reads from that of another, in pieces
// of all lengths, side by side; then it tries what is refused: a wrong key, a window that may not
// be written, an address beyond one. In the end every byte of every memory that peers might have
// written is looked at. `fault`: a byte is changed before that, which must be seen.
#include <systemc>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "Vtop.h"
#include "csr_rest.hpp"
#include "message_bridge.hpp"
#include "message_pins.hpp"
#include "tlm_memory.hpp"

namespace hopwise::tb {
namespace {

constexpr unsigned kTerminals = network::kNumTerminals;
constexpr std::uint32_t kBytes = 6000;  ///< that each terminal gets, and reads
constexpr std::uint64_t kWritten = 0x10000, kRead = 0x20000;
constexpr std::uint8_t kKey = 0x5a;
enum WindowIndex : unsigned { kInbox = 1, kOutbox = 2 };

/// What terminal t writes at an offset.
std::uint8_t message_byte(std::uint32_t terminal, std::uint64_t offset) {
  return static_cast<std::uint8_t>(offset * 7 + (offset >> 8) + terminal * 13);
}

/// A processor: transactions to global addresses, one after the other.
class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};

  SC_HAS_PROCESS(Initiator);
  Initiator(sc_core::sc_module_name name, std::uint32_t terminal, MessageBridge& bridge,
            const sc_core::sc_event& begin)
      : sc_module(name), terminal_(terminal), bridge_(bridge), begin_(begin) {
    SC_THREAD(run);
  }

  bool done() const { return done_; }
  unsigned wrong() const { return wrong_; }
  unsigned messages() const { return messages_; }

 private:
  void run() {
    bridge_.open({kInbox, true, false, kKey, kWritten, kBytes, kBytes});
    bridge_.open({kOutbox, false, true, kKey, kRead, kBytes, 0});
    sc_core::wait(begin_);
    const std::uint32_t next = (terminal_ + 1) % kTerminals, other = (terminal_ + 3) % kTerminals;
    std::vector<std::uint8_t> data(kBytes);
    std::uint32_t length = 1;
    for (std::uint32_t at = 0; at < kBytes;
         at += round_up(length), length = length * 3 % 1201 + 1) {
      length = std::min(length, kBytes - at);
      const std::uint32_t whole = std::min(round_up(length), kBytes - at);
      for (std::uint32_t i = 0; i < whole; ++i) data[i] = message_byte(terminal_, at + i);
      expect(access(tlm::TLM_WRITE_COMMAND, global_address(next, kInbox, at), data.data(), whole),
             tlm::TLM_OK_RESPONSE, "a write");
      std::vector<std::uint8_t> back(length);
      expect(access(tlm::TLM_READ_COMMAND, global_address(other, kOutbox, at), back.data(), length),
             tlm::TLM_OK_RESPONSE, "a read");
      for (std::uint32_t i = 0; i < length; ++i)
        if (back[i] != TlmMemory::original(other, kRead + at + i)) ++wrong_;
    }
    bridge_.wait_full(kInbox);
    refused(next);
    done_ = true;
  }

  void refused(std::uint32_t next) {
    std::vector<std::uint8_t> data(64, 0xee);
    expect(access(tlm::TLM_WRITE_COMMAND, global_address(next, kOutbox, 0), data.data(), 64),
           tlm::TLM_COMMAND_ERROR_RESPONSE, "a write to what may be read only");
    expect(
        access(tlm::TLM_READ_COMMAND, global_address(next, kOutbox, 0), data.data(), 64, kKey ^ 1),
        tlm::TLM_COMMAND_ERROR_RESPONSE, "a read with a wrong key");
    for (const std::uint8_t byte : data) wrong_ += byte != 0xee;
    expect(access(tlm::TLM_READ_COMMAND, global_address(next, kOutbox, kBytes), data.data(), 16),
           tlm::TLM_ADDRESS_ERROR_RESPONSE, "a read beyond the window");
    expect(access(tlm::TLM_WRITE_COMMAND, global_address(next, 3, 0), data.data(), 16),
           tlm::TLM_ADDRESS_ERROR_RESPONSE, "a write to a window that is closed");
    expect(access(tlm::TLM_WRITE_COMMAND, global_address(kTerminals, kInbox, 0), data.data(), 16),
           tlm::TLM_ADDRESS_ERROR_RESPONSE, "a write to no terminal");
    expect(access(tlm::TLM_WRITE_COMMAND, global_address(next, kInbox, 1 << 20), data.data(), 16),
           tlm::TLM_ADDRESS_ERROR_RESPONSE, "a write to an offset that no descriptor has");
    expect(access(tlm::TLM_IGNORE_COMMAND, global_address(next, kInbox, 0), data.data(), 16),
           tlm::TLM_COMMAND_ERROR_RESPONSE, "a command to do nothing");
  }

  static std::uint32_t round_up(std::uint32_t bytes) {
    return (bytes + kFlitBytes - 1) / kFlitBytes * kFlitBytes;
  }

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address,
                                  std::uint8_t* data, std::uint32_t length,
                                  std::uint8_t key = kKey) {
    tlm::tlm_generic_payload trans;
    WindowKey extension(key);
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(data);
    trans.set_data_length(length);
    trans.set_streaming_width(length);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    trans.set_extension(&extension);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(trans, delay);
    sc_core::wait(delay);
    trans.clear_extension(&extension);
    ++messages_;
    return trans.get_response_status();
  }

  void expect(tlm::tlm_response_status found, tlm::tlm_response_status wanted, const char* what) {
    if (found == wanted) return;
    std::cerr << "terminal " << terminal_ << ": " << what << " ends with " << found
              << " instead of " << wanted << "\n";
    ++wrong_;
  }

  std::uint32_t terminal_;
  MessageBridge& bridge_;
  const sc_core::sc_event& begin_;
  bool done_ = false;
  unsigned wrong_ = 0, messages_ = 0;
};

struct Node {
  Node(std::uint32_t t, MessagePins& pins, const std::vector<std::uint64_t>& addresses,
       sc_core::sc_time period, const sc_core::sc_event& begin)
      : memory(("memory_" + std::to_string(t)).c_str(), t, 5 * period),
        bridge(("bridge_" + std::to_string(t)).c_str(), t, pins, addresses, period),
        initiator(("initiator_" + std::to_string(t)).c_str(), t, bridge, begin) {
    initiator.socket.bind(bridge.host);
    bridge.memory.bind(memory.socket);
  }
  TlmMemory memory;
  MessageBridge bridge;
  Initiator initiator;
};

class Platform : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Platform);
  Platform(sc_core::sc_module_name name, const std::vector<std::uint64_t>& addresses)
      : sc_module(name) {
    top.clk_i(clk);
    top.rst_ni(reset_n);
    top.rst_no(rst_n);
    pins.connect(top);
    csr.connect(top);
    for (std::uint32_t t = 0; t < kTerminals; ++t) {
      nodes.push_back(std::make_unique<Node>(t, pins, addresses, clk.period(), begin_));
      nodes.back()->bridge.clk(clk);
      nodes.back()->bridge.rst_n(rst_n);
    }
    SC_METHOD(watch);
    sensitive << clk.negedge_event();
    dont_initialize();
  }

  std::vector<std::unique_ptr<Node>> nodes;
  std::uint64_t edges() const { return edges_; }
  bool errors() const { return error_; }

 private:
  /// Reset for four edges; the initiators begin when all windows are open; it ends with the last of
  /// them, or when they take too long.
  void watch() {
    if (++edges_ == 4) reset_n.write(true);
    error_ = error_ || to_bits<2 * kTerminals>(pins.ni_error_o.pin.read()).or_reduce();
    bool open = rst_n.read(), done = true;
    for (const auto& n : nodes) {
      open = open && n->bridge.windows_open();
      done = done && n->initiator.done();
    }
    // An interface holds two windows before it writes them.
    if (open && ++open_for_ == 100) begin_.notify();
    if (done || edges_ == kMostEdges) sc_core::sc_stop();
  }

  static constexpr std::uint64_t kMostEdges = 400000;
  sc_core::sc_clock clk{"clk", sc_core::sc_time(10, sc_core::SC_NS), 0.5,
                        sc_core::sc_time(5, sc_core::SC_NS)};
  sc_core::sc_signal<bool> reset_n{"reset_n"}, rst_n{"rst_n"};
  Vtop top{"top"};
  MessagePins pins;
  CsrRest csr;
  sc_core::sc_event begin_;
  std::uint64_t edges_ = 0, open_for_ = 0;
  bool error_ = false;
};

/// One byte, behind the network's back.
std::uint8_t peek(Node& node, std::uint64_t address, bool change = false) {
  tlm::tlm_generic_payload trans;
  std::uint8_t byte = 0;
  trans.set_command(tlm::TLM_READ_COMMAND);
  trans.set_address(address);
  trans.set_data_ptr(&byte);
  trans.set_data_length(1);
  node.bridge.memory->transport_dbg(trans);
  if (change) {
    byte ^= 1;
    trans.set_command(tlm::TLM_WRITE_COMMAND);
    node.bridge.memory->transport_dbg(trans);
  }
  return byte;
}

/// Bytes that are not what they should be.
unsigned wrong_bytes(Platform& platform) {
  unsigned wrong = 0;
  for (std::uint32_t t = 0; t < kTerminals; ++t) {
    Node& node = *platform.nodes[t];
    const std::uint32_t previous = (t + kTerminals - 1) % kTerminals;
    for (std::uint32_t i = 0; i < kBytes; ++i) {
      wrong += peek(node, kWritten + i) != message_byte(previous, i);
      wrong += peek(node, kRead + i) != TlmMemory::original(t, kRead + i);
    }
  }
  return wrong;
}

std::vector<std::uint64_t> read_addresses(const char* path) {
  std::ifstream in(path);
  std::string line;
  std::vector<std::uint64_t> addresses;
  std::getline(in, line);
  while (std::getline(in, line)) addresses.push_back(std::stoull(line.substr(line.rfind(',') + 1)));
  return addresses;
}

}  // namespace
}  // namespace hopwise::tb

int sc_main(int argc, char** argv) {
  using namespace hopwise::tb;
  const auto addresses = argc > 1 ? read_addresses(argv[1]) : std::vector<std::uint64_t>{};
  if (argc > 3 || addresses.size() != network::kNumTerminals) {
    std::cerr << "usage: tlm_platform TERMINALS_CSV [fault]\n";
    return 2;
  }
  Platform platform("platform", addresses);
  sc_core::sc_start();
  if (argc == 3) peek(*platform.nodes[0], kWritten + 1, true);
  unsigned wrong = wrong_bytes(platform) + platform.errors(), messages = 0, done = 0;
  for (const auto& n : platform.nodes) {
    wrong += n->initiator.wrong();
    messages += n->initiator.messages();
    done += n->initiator.done();
  }
  std::cout << messages << " transactions of " << done << " terminals in " << platform.edges()
            << " cycles" << (wrong > 0 ? ", NOT right: " + std::to_string(wrong) + " faults" : "")
            << "\n";
  return wrong == 0 && done == network::kNumTerminals ? 0 : 1;
}
