// SPDX-License-Identifier: Apache-2.0
// The port of the routers' CSRs, which rests, and their interrupts.
#pragma once

#include <systemc>

#include <cstdint>

#include "network_pkg.hpp"
#include "pins.hpp"

namespace hopwise::tb {

struct CsrRest {
  sc_core::sc_signal<bool> low, awready, wready, bvalid, arready, rvalid;
  sc_core::sc_signal<std::uint32_t> address, prot, wdata, wstrb, bresp, rdata, rresp;
  using Interrupts = Bundle<network::kNumRouters, 1>;
  Interrupts irq{"irq", Interrupts::Direction::kOutOfTop};

  template <class Top>
  void connect(Top& top) {
    top.csr_awvalid_i(low);
    top.csr_awready_o(awready);
    top.csr_awaddr_i(address);
    top.csr_awprot_i(prot);
    top.csr_wvalid_i(low);
    top.csr_wready_o(wready);
    top.csr_wdata_i(wdata);
    top.csr_wstrb_i(wstrb);
    top.csr_bvalid_o(bvalid);
    top.csr_bready_i(low);
    top.csr_bresp_o(bresp);
    top.csr_arvalid_i(low);
    top.csr_arready_o(arready);
    top.csr_araddr_i(address);
    top.csr_arprot_i(prot);
    top.csr_rvalid_o(rvalid);
    top.csr_rready_i(low);
    top.csr_rdata_o(rdata);
    top.csr_rresp_o(rresp);
    top.irq_o(irq.pin);
  }
};

}  // namespace hopwise::tb
