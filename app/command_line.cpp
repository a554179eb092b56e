// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/words.hpp"

namespace hopwise::app {

namespace {

using Words = std::vector<std::string>;

Words commands_of(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// "agent train".
std::string path(const CLI::App& command) {
  const CLI::App* above = command.get_parent();
  const std::string before = above == nullptr ? "" : path(*above);
  return above == nullptr ? "" : before + (before.empty() ? "" : " ") + command.get_name();
}

/// "hopwise agent train".
std::string title(const CLI::App& command) {
  return command.get_parent() == nullptr ? "hopwise" : "hopwise " + path(command);
}

/// The option of the command, or of one above it: those may stand behind a command, too.
const CLI::Option* find_option(const CLI::App* command, const std::string& name) {
  for (; command != nullptr; command = command->get_parent()) {
    if (const CLI::Option* option = command->get_option_no_throw(name)) return option;
  }
  return nullptr;
}

/// "--output", and "-o", of the command and of those above it, in the order of the alphabet.
Words options_of(const CLI::App* command) {
  std::set<std::string> names;
  for (; command != nullptr; command = command->get_parent()) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) names.insert("--" + name);
      for (const std::string& name : option->get_snames()) names.insert("-" + name);
    }
  }
  return {names.begin(), names.end()};
}

/// The commands below `app` that have the option themselves.
void find_owners(const CLI::App& app, const std::string& name, Words& owners) {
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_option_no_throw(name) != nullptr) owners.push_back(path(*command));
    find_owners(*command, name, owners);
  }
}

/// What `word` begins, or else what it is like.
std::optional<std::string> meant(const std::string& word, const Words& names) {
  constexpr std::size_t kShortest = 4;  // "--s" begins too much
  const auto longer = std::find_if(names.begin(), names.end(), [&word](const std::string& name) {
    return word.size() >= kShortest && name.starts_with(word);
  });
  return longer == names.end() ? nearest(word, names) : *longer;
}

/// A list where the option has one value. Names of files may have commas.
bool is_list(const CLI::Option& option, const std::string& value) {
  const std::string type = option.get_type_name();
  return type.find("DIR") == std::string::npos && type.find("FILE") == std::string::npos &&
         value.find(',') != std::string::npos;
}

class Walk {
 public:
  Walk(const CLI::App& app, const Words& arguments)
      : root_(app), command_(&app), arguments_(arguments) {}

  Diagnostics run() {
    for (at_ = 0; at_ < arguments_.size() && errors_.empty(); ++at_) {
      const std::string& argument = arguments_[at_];
      if (argument == "--") break;
      if (argument.size() > 1 && argument.front() == '-')
        read_option(argument);
      else
        read_word(argument);
    }
    return std::move(errors_);
  }

 private:
  void refuse(const char* code, std::string found, std::string allowed, std::string hint) {
    errors_.push_back({code,
                       {title(*command_), 0, 0},
                       "",
                       std::move(found),
                       std::move(allowed),
                       std::move(hint)});
  }

  void read_word(const std::string& word) {
    const Words names = commands_of(*command_);
    if (names.empty()) return;  // a file
    if (std::find(names.begin(), names.end(), word) != names.end()) {
      command_ = command_->get_subcommand(word);
      return;
    }
    const auto near = meant(word, names);
    refuse("app.unknown-command", "'" + word + "'", fmt::format("{}", fmt::join(names, ", ")),
           near ? fmt::format("did you mean '{} {}'?", title(*command_), *near) : "");
  }

  /// `--name`, `--name=value`, `-n`, `-nvalue`.
  void read_option(const std::string& argument) {
    const bool is_long = argument[1] == '-';
    const std::string typed = argument.substr(0, argument.find('='));
    // -output is -o with the value "utput" only to a parser.
    const bool one_dash = !is_long && find_option(command_, "-" + typed) != nullptr;
    const std::string name = is_long || one_dash ? typed : argument.substr(0, 2);
    const CLI::Option* option = one_dash ? nullptr : find_option(command_, name);
    if (option == nullptr) return unknown_option(is_long ? typed : argument);
    if (option->get_items_expected_max() == 0) return;  // a flag
    std::string value;
    if (argument.size() > name.size()) {
      value = argument.substr(name.size() + (argument[name.size()] == '=' ? 1 : 0));
    } else if (++at_ < arguments_.size()) {
      value = arguments_[at_];
    }
    if (option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll) return;
    if (!seen_.insert(option).second) {
      refuse("app.one-value", name + " a second time", "one value of " + name, "");
    } else if (is_list(*option, value)) {
      refuse("app.one-value", fmt::format("{} {}", name, value), "one value of " + name, "");
    }
  }

  void unknown_option(const std::string& typed) {
    const std::string dashes = typed[1] == '-' ? typed : "-" + typed;
    Words owners;
    find_owners(root_, dashes, owners);
    const Words names = options_of(command_);
    std::string hint;
    if (const bool own = find_option(command_, dashes) != nullptr; !own && !owners.empty()) {
      const bool below = !commands_of(*command_).empty();
      hint = fmt::format("{} is an option of {}{}", dashes, fmt::join(owners, ", "),
                         below ? ", and stands behind the command" : "");
    } else if (const auto near = meant(dashes, names)) {
      hint = fmt::format("did you mean '{}'?", *near);
    } else if (const auto elsewhere = near_elsewhere(dashes)) {
      hint = fmt::format("did you mean '{}', behind the command?", *elsewhere);
    }
    refuse("app.unknown-option", "'" + typed + "'", fmt::format("{}", fmt::join(names, ", ")),
           std::move(hint));
  }

  /// Before the command all options of all commands may be meant.
  std::optional<std::string> near_elsewhere(const std::string& typed) const {
    Words all;
    const auto collect = [&all](const auto& self, const CLI::App& app) -> void {
      for (const CLI::App* command : app.get_subcommands({})) {
        for (const CLI::Option* option : command->get_options()) {
          for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
        }
        self(self, *command);
      }
    };
    collect(collect, *command_);
    return meant(typed, all);
  }

  const CLI::App& root_;
  const CLI::App* command_;  // that the words so far lead to
  const Words& arguments_;
  std::size_t at_ = 0;
  std::set<const CLI::Option*> seen_;
  Diagnostics errors_;
};

}  // namespace

Diagnostics check_arguments(const CLI::App& app, const std::vector<std::string>& arguments) {
  return Walk(app, arguments).run();
}

CLI::Option* Lists::add(CLI::App* command, const std::string& name,
                        std::vector<std::string>& values, const std::string& help,
                        std::vector<std::string> names) {
  CLI::Option* option =
      command->add_option(name, values, help)->take_all()->allow_extra_args(false);
  entries_.push_back({option, &values, std::move(names)});
  return option;
}

Diagnostics Lists::split() const {
  Diagnostics errors;
  for (const Entry& entry : entries_) {
    if (entry.option->count() == 0) continue;
    const std::string given =
        fmt::format("{} {}", entry.option->get_name(), fmt::join(*entry.values, ","));
    const auto refuse = [&](const char* code, std::string found, std::string allowed,
                            std::string hint) {
      errors.push_back(
          {code, {given, 0, 0}, "", std::move(found), std::move(allowed), std::move(hint)});
    };
    Words values;
    for (const std::string& text : *entry.values) {
      for (std::size_t from = 0, to = 0; to != std::string::npos; from = to + 1) {
        to = text.find(',', from);
        values.push_back(text.substr(from, to == std::string::npos ? to : to - from));
      }
    }
    std::set<std::string> seen;
    for (const std::string& value : values) {
      if (value.empty()) {
        refuse("app.bad-list", "an empty value", "values with single commas between them", "");
      } else if (!seen.insert(value).second) {
        refuse("app.bad-list", "'" + value + "' twice", "each value once", "");
      } else if (!entry.names.empty() &&
                 std::find(entry.names.begin(), entry.names.end(), value) == entry.names.end()) {
        const auto near = nearest(value, entry.names);
        refuse("app.unknown-value", "'" + value + "'",
               fmt::format("{}", fmt::join(entry.names, ", ")),
               near ? fmt::format("did you mean '{}'?", *near) : "");
      }
    }
    *entry.values = std::move(values);
  }
  return errors;
}

}  // namespace hopwise::app
