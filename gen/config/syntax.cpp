// SPDX-License-Identifier: Apache-2.0
#include "config/syntax.hpp"

#include <algorithm>
#include <regex>
#include <vector>

#include <fmt/format.h>

namespace hopwise::config {

namespace {

constexpr char kEnd = '\0';

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_break(char c) { return c == '\n' || c == kEnd; }

/// Follows quotes, brackets, comments and block texts; knows nothing of keys.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<SyntaxFault> run() {
    begin_line();
    while (!fault_ && at_ < text_.size()) step();
    if (!fault_ && !open_.empty()) unclosed(open_.back());
    return std::move(fault_);
  }

 private:
  struct Place {
    unsigned line, column;
    char bracket;
  };

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : kEnd;
  }
  void advance() {
    if (text_[at_++] == '\n') {
      ++line_;
      line_start_ = at_;
    }
  }
  Place here() const { return {line_, static_cast<unsigned>(at_ - line_start_) + 1, peek()}; }

  void fault(const Place& place, std::string found, std::string allowed, std::string hint,
             bool silent = false) {
    fault_ = SyntaxFault{place.line,         place.column,    std::move(found),
                         std::move(allowed), std::move(hint), silent};
  }
  static char closing(char open) { return open == '[' ? ']' : '}'; }
  void unclosed(const Place& p) {
    fault(p, fmt::format("a '{}' that is not closed", p.bracket),
          fmt::format("a '{}' behind the last entry", closing(p.bracket)), "");
  }

  /// Blanks before the first word; a tab among them is no indentation.
  void begin_line() {
    value_begins_ = true;
    std::optional<Place> tab;
    while (is_blank(peek())) {
      if (peek() == '\t' && !tab) tab = here();
      advance();
    }
    indent_ = at_ - line_start_;
    if (tab && open_.empty() && !is_break(peek()) && peek() != '#')
      fault(*tab, "a tab", "spaces as indentation", "most editors can put spaces for tabs", true);
  }

  void step() {
    const char c = peek();
    const bool begins = value_begins_, flow = !open_.empty();
    if (c == '\n') {
      advance();
      begin_line();
    } else if (c == '#' && (at_ == line_start_ || is_blank(text_[at_ - 1]))) {
      while (!is_break(peek())) advance();
    } else if (begins && (c == '"' || c == '\'')) {
      quoted();
    } else if ((begins || flow) && (c == '[' || c == '{')) {
      open_.push_back(here());
      advance();
      value_begins_ = true;
    } else if ((begins || flow) && (c == ']' || c == '}')) {
      close();
    } else if (begins && !flow && (c == '|' || c == '>')) {
      block_text();
    } else if (begins && (c == '&' || c == '!' || c == '*')) {
      while (!is_blank(peek()) && !is_break(peek())) advance();
    } else {
      const char next = peek(1);
      const bool ends_word = is_blank(next) || is_break(next);
      const bool mark = (c == '-' || c == '?') && begins && ends_word;
      value_begins_ =
          mark || (c == ',' && flow) || (c == ':' && ends_word) || (is_blank(c) && begins);
      advance();
    }
  }

  void close() {
    const Place p = here();
    const bool closes_one = std::any_of(open_.begin(), open_.end(), [&p](const Place& open) {
      return closing(open.bracket) == p.bracket;
    });
    if (!closes_one)
      return fault(p, fmt::format("a '{}' that closes nothing", p.bracket),
                   "one for each that is open", "");
    if (closing(open_.back().bracket) != p.bracket) return unclosed(open_.back());
    open_.pop_back();
    advance();
    value_begins_ = false;
  }

  /// In double quotes a backslash takes the next letter, in single quotes '' stands for one.
  void quoted() {
    const Place start = here();
    const char quote = start.bracket;
    advance();
    while (at_ < text_.size()) {
      if ((quote == '"' && peek() == '\\') || (quote == '\'' && peek() == '\'' && peek(1) == '\''))
        advance();
      else if (peek() == quote)
        break;
      if (at_ < text_.size()) advance();
    }
    if (at_ >= text_.size())
      return fault(start, fmt::format("a {} that is not closed", quote),
                   fmt::format("a {} at the end of the text", quote), "", true);
    advance();
    while (is_blank(peek())) advance();
    const char next = peek();
    const bool over = is_break(next) || next == '#' || next == ':' ||
                      (!open_.empty() && std::string_view(",]}").find(next) != std::string::npos);
    if (!over)
      fault(start,
            line_ == start.line ? std::string("a text in quotes with more behind it")
                                : fmt::format("a text in quotes that ends on line {}", line_),
            fmt::format("a {} at the end of the text", quote), "");
    value_begins_ = false;
  }

  /// The lines behind `|` or `>` that are empty or indented further.
  void block_text() {
    const std::size_t outside = indent_;
    while (!is_break(peek())) advance();
    while (at_ < text_.size()) {
      std::size_t ahead = 1;  // behind the line break
      while (peek(ahead) == ' ') ++ahead;
      if (!is_break(peek(ahead)) && ahead - 1 <= outside) return;
      do advance();
      while (!is_break(peek()));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0, line_start_ = 0, indent_ = 0;
  unsigned line_ = 1;
  bool value_begins_ = true;
  std::vector<Place> open_;
  std::optional<SyntaxFault> fault_;
};

struct Line {
  unsigned number = 0;
  std::string text;  // without its indentation
  unsigned indent = 0;
};

/// The lines up to `last` that hold more than a comment.
std::vector<Line> lines_until(std::string_view text, unsigned last) {
  std::vector<Line> lines;
  for (unsigned number = 1; number <= last && !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    const auto end = line.find_last_not_of(" \t\r");
    lines.push_back(
        {number, std::string(line.substr(first, end + 1 - first)), static_cast<unsigned>(first)});
  }
  return lines;
}

}  // namespace

std::optional<SyntaxFault> find_fault(std::string_view text) { return Scanner(text).run(); }

SyntaxFault missing_space(std::string_view scalar) {
  const std::string_view word = scalar.substr(0, scalar.find_first_of(" ,[{\n"));
  return {0, 0, fmt::format("'{}', with no space behind the colon", word), "KEY: VALUE", ""};
}

SyntaxFault explain(std::string_view text, unsigned line, unsigned column,
                    const std::string& message) {
  const auto at = [](const Line& l, SyntaxFault fault) {
    fault.line = l.number;
    fault.column = l.indent + 1;
    return fault;
  };
  const std::vector<Line> lines = lines_until(text, line);
  const Line none, &last = lines.empty() ? none : lines.back(),
                   &before = lines.size() < 2 ? none : lines[lines.size() - 2];
  static const std::regex no_space(R"(^[A-Za-z_][\w.]*:([\[{].*|(?!.*: )[^\s].*))");
  for (const Line* l : {&before, &last}) {
    if (std::regex_match(l->text, no_space)) return at(*l, missing_space(l->text));
  }
  if (message == "illegal map value") {
    if (before.number != 0 && before.text.find(':') == std::string::npos &&
        before.text.front() != '-')
      return at(before, {0, 0, "'" + before.text + "', with no colon", "KEY: VALUE", ""});
    if (before.number != 0 && last.indent > before.indent && before.text.back() != ':')
      return at(last, {0, 0, "a line that is indented further than the one above it",
                       "the keys of one section in one column", ""});
    return {0, 0, "a second ': ' in one line", "KEY: VALUE, or KEY: {KEY: VALUE, ...}",
            "a text with ': ' in it stands in quotes"};
  }
  if (message == "end of map not found")
    return at(last, {0, 0, "a line in a column where no section above it begins",
                     "the keys of one section in one column", ""});
  if (message == "unknown token" && column > last.indent && last.number == line) {
    const std::size_t offset =
        std::min<std::size_t>(column - 1 - last.indent, last.text.size() - 1);
    return {0, 0, fmt::format("a value that begins with '{}'", last.text[offset]), "plain values",
            "a text that begins so stands in quotes"};
  }
  if (message == "the referenced anchor is not defined")
    return {0, 0, "a value that begins with '*', which names nothing", "plain values",
            "a text that begins so stands in quotes"};
  return {0, 0, message, "one YAML document", ""};
}

}  // namespace hopwise::config
