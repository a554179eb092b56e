// SPDX-License-Identifier: Apache-2.0
// Agents between files, engines and other tools: what dqn/family.cpp is made of.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "exchange/onnx.hpp"
#include "probes/dqn/agent_file.hpp"
#include "probes/dqn/probe.hpp"
#include "probes/family.hpp"

namespace hopwise::probes::dqn {

/// The engines of a network's routers; with nothing to load them with.
Options engines_of(const Network& network);

/// What an agent loses as integers, in words.
std::string error_text(std::size_t number, const Agent& agent,
                       std::span<const std::uint8_t> observations);

/// agent.few-decisions where exploration has not come to the end of its schedule: what agents
/// value until then is what random ports bring.
Warnings few_decisions(const std::string& label, const routing::dqn::Training& training,
                       std::uint64_t decisions);

/// See FamilyProbes.
std::unique_ptr<Lesson> make_lesson(const Network& network);
Result<Translated> import_model(const Network& network, std::string_view bytes,
                                const std::string& file);

}  // namespace hopwise::probes::dqn
