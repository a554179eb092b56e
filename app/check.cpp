// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/bundles.hpp"
#include "app/commands.hpp"
#include "app/files.hpp"
#include "config/load.hpp"

namespace hopwise::app {

namespace {

namespace fs = std::filesystem;

int check_certificate(const fs::path& directory, const config::Catalogue& catalogue) {
  const fs::path yaml = directory / "network.yaml", certificate = directory / "certificate.json";
  auto text = read_file(yaml);
  if (!text) return report(text.errors());
  auto spec = config::load(text.value(), yaml.string(), {}, catalogue);
  if (!spec) return report(spec.errors());
  auto certificate_text = read_file(certificate);
  if (!certificate_text) return report(certificate_text.errors());
  auto parsed = deadlock::parse_certificate(certificate_text.value(), certificate.string());
  if (!parsed) return report(parsed.errors());
  if (parsed.value().network_hash != spec.value().network_hash) {
    fmt::print("{}: the certificate is for network {}, network.yaml is {}\n", directory.string(),
               parsed.value().network_hash, spec.value().network_hash);
    return kFailed;
  }
  const auto& network = spec.value().network;
  const topology::Topology topology(catalogue.kinds, network.topology, network.link);
  const auto relation = routing::make_relation(catalogue.families, network, topology);
  const std::string wrong =
      deadlock::check_certificate(parsed.value(), network, topology, *relation);
  if (!wrong.empty()) {
    fmt::print("{}: the certificate does not hold: {}\n", directory.string(), wrong);
    return kFailed;
  }
  fmt::print("{}: the certificate holds ({}, {} channels, at most {} hops)\n", directory.string(),
             parsed.value().method, topology.channels().size(), parsed.value().hop_bound);
  return kGood;
}

/// What the proof takes for granted of terminals: nothing is said where they only consume.
std::string coupling_text(const spec::NetworkSpec& network) {
  if (network.router.num_message_classes() == 1 && network.terminal.replies.empty()) return "";
  std::string text;
  const auto& names = network.router.message_classes;
  for (unsigned c = 0; c < names.size(); ++c) {
    const auto reply = network.terminal.replies.find(c);
    text +=
        reply == network.terminal.replies.end()
            ? fmt::format("  {}: proved for terminals that always take it in the end\n", names[c])
            : fmt::format(
                  "  {}: proved for terminals that take it only once replies of {} have "
                  "left\n",
                  names[c], names[reply->second]);
  }
  return text;
}

int check_bundle(const fs::path& directory, const config::Catalogue& catalogue) {
  const auto compared = compare_bundle(directory);
  if (!compared) return report(compared.errors());
  const auto say = [&directory](const std::vector<std::string>& paths, const char* what) {
    for (const auto& path : paths) fmt::print("{}: {} {}\n", directory.string(), path, what);
  };
  say(compared.value().changed, "was changed");
  say(compared.value().missing, "is missing");
  say(compared.value().added, "was added");
  const int status = check_certificate(directory, catalogue);
  return status == kGood && !compared.value().none() ? kFailed : status;
}

}  // namespace

int check(const Input& input, bool all) {
  std::error_code none;
  if (fs::is_directory(input.file, none)) return check_bundle(input.file, input.catalogue);
  auto experiment = all ? load_experiment(input) : load_network(input);
  if (!experiment) return report(experiment.errors());
  int status = kGood;
  Warnings warnings;
  for (const auto& variant : experiment.value().variants) {
    auto spec = load_variant(input, experiment.value(), variant);
    if (!spec) return report(spec.errors());
    const auto outcome = prove(spec.value(), input.catalogue);
    if (const auto* failure = std::get_if<deadlock::ProofFailure>(&outcome)) {
      fmt::print("{}: {}: NOT proved\n{}", input.file, variant.label, failure->text);
      status = kFailed;
      continue;
    }
    const auto& network = std::get<deadlock::ProvenNetwork>(outcome);
    fmt::print(
        "{}: {}: free of deadlock ({}), connected, at most {} hops; {} routers, {} channels, {} "
        "VCs, {} dependencies\n",
        input.file, variant.label, network.certificate().method, network.certificate().hop_bound,
        network.topology().num_routers(), network.topology().channels().size(),
        spec.value().network.router.vcs, network.certificate().dependencies);
    fmt::print("{}", coupling_text(spec.value().network));
    for (const Warning& w : network_warnings(network, variant.label, input.catalogue.patterns,
                                             spec.value().experiment.patterns))
      add(warnings, w);
  }
  const auto& proved = experiment.value().variants;
  if (input.routings.empty() && proved.size() < experiment.value().compared) {
    fmt::print("  the file compares {} routings; this is {}, its routing.algorithm. All: --all\n",
               experiment.value().compared, proved.front().label);
  }
  for (const Warning& w : warnings) fmt::print(stderr, "{}: {}", input.file, format(w));
  return status;
}

}  // namespace hopwise::app
