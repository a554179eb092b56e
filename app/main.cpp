// SPDX-License-Identifier: Apache-2.0
// The `hopwise` command.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/extensions.hpp"
#include "app/places.hpp"
#include "app/subcommands.hpp"

namespace hopwise::app {

namespace {

int command(int argc, char** argv) {
  const auto file = example("torus_8x8");
  CLI::App app{fmt::format(
      "Hopwise: routers and networks in SystemVerilog, proved free of deadlock and measured in "
      "simulation of that RTL.\n"
      "Start with:  hopwise run {} -o out",
      file ? file.value() : "FILE")};
  app.set_version_flag("--version", HOPWISE_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  Arguments a;
  app.add_option("--with", a.input.extensions,
                 "directory of an extension: your own routings, topologies and patterns, compiled "
                 "when new (docs/extending.md)")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("DIR");
  const std::vector<Subcommand> commands = add_subcommands(app, a);

  if (const auto errors = check_arguments(app, std::vector<std::string>(argv + 1, argv + argc));
      !errors.empty())
    return report(errors);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kGood : kBadInput;
  }
  if (const auto errors = a.lists.split(); !errors.empty()) return report(errors);
  Extensions extensions;
  if (const auto errors = extensions.load(a.input.extensions, a.model().cache, a.cache.empty());
      !errors.empty())
    return report(errors);
  a.input.catalogue = extensions.catalogue();
  for (const Subcommand& chosen : commands)
    if (chosen.parser->parsed()) return chosen.run();
  return kGood;
}

}  // namespace

}  // namespace hopwise::app

/// What no command foresees of a file system ends in a message, too.
int main(int argc, char** argv) try {
  return hopwise::app::command(argc, argv);
} catch (const std::filesystem::filesystem_error& error) {
  return hopwise::app::report({{"app.file-system",
                                {error.path1().string(), 0, 0},
                                "",
                                error.code().message(),
                                "files and directories that can be used",
                                ""}});
}
