// SPDX-License-Identifier: Apache-2.0
#include "app/learned.hpp"

#include "app/files.hpp"

namespace hopwise::app {

probes::Network probed(const deadlock::ProvenNetwork& network, const std::string& label) {
  return {label, network.spec(), network.topology(), network.family()};
}

Result<Learned> read_learned(const probes::Network& network, const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return text.errors();
  return probes::probes_of(network.family).parse(network, text.value(), file.string());
}

Result<Learned> configured(const probes::Network& network, const Input& input,
                           const std::string& file) {
  const std::string key(probes::probes_of(network.family).file_key);
  const spec::Settings& settings = network.spec.network.routing.settings;
  if (key.empty() || !settings.has(key) || settings.word(key).empty()) return Learned();
  return read_learned(network, named_file(input, file, routing::path_of(key), settings.word(key)));
}

}  // namespace hopwise::app
