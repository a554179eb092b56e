// SPDX-License-Identifier: Apache-2.0
#include "config/tree.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "config/syntax.hpp"

namespace hopwise::config {

namespace {

/// Aliases copy what they name; the limit keeps nested aliases from filling the memory.
constexpr std::size_t kMaxNodes = 100000;

/// Line and column are 0 for a value of the command line, and for the parser's null mark.
SourceLocation place(const std::string& file, bool value_only, const YAML::Mark& mark) {
  if (value_only) return {file, 0, 0};
  return {file, static_cast<unsigned>(mark.line + 1), static_cast<unsigned>(mark.column + 1)};
}

/// Builds the tree from parser events: unlike YAML::Node, it keeps duplicate keys and the place of
/// each key.
class Builder : public YAML::EventHandler {
 public:
  Builder(std::string file, bool value_only) : file_(std::move(file)), value_only_(value_only) {}

  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    node.where = place(file_, value_only_, mark);
    attach(std::move(node), anchor, mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto named = anchors_.find(anchor);
    if (named == anchors_.end())
      throw YAML::ParserException(mark, "an alias inside the value that it names");
    count_copy(named->second, mark);
    attach(Node(named->second), 0, mark);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node;
    node.kind = Node::Kind::kScalar;
    node.text = value;
    node.quoted = tag == "!";  // the parser's tag of a scalar in quotes or in block style
    node.where = place(file_, value_only_, mark);
    attach(std::move(node), anchor, mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::kList, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::kMap, mark, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Node node;
    YAML::anchor_t anchor = 0;
    YAML::Mark mark;
    bool has_key = false;
    std::string key;
    SourceLocation key_where;
  };

  void open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Frame frame;
    frame.node.kind = kind;
    frame.node.where = place(file_, value_only_, mark);
    frame.anchor = anchor;
    frame.mark = mark;
    stack_.push_back(std::move(frame));
  }

  void close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    attach(std::move(frame.node), frame.anchor, frame.mark);
  }

  void attach(Node node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (++count_ > kMaxNodes) throw YAML::ParserException(mark, "more than 100000 values");
    if (anchor != 0) anchors_[anchor] = node;
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& parent = stack_.back();
    if (parent.node.is_list()) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.has_key) {
      parent.has_key = false;
      // the parser's mark of nothing is the next token
      if (node.is_null()) node.where = parent.key_where;
      parent.node.entries.push_back({std::move(parent.key), parent.key_where, std::move(node)});
    } else {
      if (!node.is_scalar()) throw YAML::ParserException(mark, "a key that is not a plain word");
      parent.has_key = true;
      parent.key = std::move(node.text);
      parent.key_where = node.where;
    }
  }

  void count_copy(const Node& node, const YAML::Mark& mark) {
    if (++count_ > kMaxNodes) throw YAML::ParserException(mark, "more than 100000 values");
    for (const Node& item : node.items) count_copy(item, mark);
    for (const Entry& entry : node.entries) count_copy(entry.value, mark);
  }

  std::string file_;
  bool value_only_;
  Node root_;
  std::vector<Frame> stack_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::size_t count_ = 0;
};

std::string quote(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '\n') out += '\\';
    out += c == '\n' ? 'n' : c;
  }
  return out + '"';
}

std::string flow_scalar(const std::string& text, bool quoted) {
  const bool special =
      text.empty() || text.find_first_of(",[]{}:#&*!|>'\"%@`\\\n") != std::string::npos ||
      text.front() == ' ' || text.front() == '-' || text.front() == '?' || text.back() == ' ';
  return quoted || special ? quote(text) : text;
}

}  // namespace

Node* Node::find(std::string_view key) {
  const auto entry =
      std::find_if(entries.begin(), entries.end(), [key](const Entry& e) { return e.key == key; });
  return entry == entries.end() ? nullptr : &entry->value;
}

std::optional<Node> parse_tree(std::string_view text, const std::string& file, const char* code,
                               bool value_only, Diagnostics& errors) {
  const std::string one = value_only ? "one YAML value" : "one YAML document";
  const auto refuse = [&](SourceLocation where, const SyntaxFault& fault) {
    if (fault.line != 0 && !value_only) where = {file, fault.line, fault.column};
    errors.push_back({code, std::move(where), "", fault.found, fault.allowed, fault.hint});
    return std::nullopt;
  };
  const auto fault = find_fault(text);
  if (fault && fault->silent) return refuse({file, 0, 0}, *fault);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Builder builder(file, value_only);
    Node empty;
    empty.kind = Node::Kind::kMap;
    empty.where = {file, 0, 0};
    if (!parser.HandleNextDocument(builder)) return empty;
    Node root = builder.take_root();
    if (root.is_null() && !value_only) return empty;
    Builder rest(file, value_only);
    if (parser.HandleNextDocument(rest))
      return refuse(rest.take_root().where, {0, 0, "a second document", one, ""});
    return root;
  } catch (const YAML::Exception& error) {
    const SourceLocation where = place(file, value_only, error.mark);
    return refuse(where, fault ? *fault : explain(text, where.line, where.column, error.msg));
  }
}

void drop_duplicate_keys(Node& node, const std::string& path, Diagnostics& errors) {
  for (Node& item : node.items) drop_duplicate_keys(item, path, errors);
  std::vector<Entry> kept;
  for (Entry& entry : node.entries) {
    const std::string key = join_path(path, entry.key);
    const auto first = std::find_if(kept.begin(), kept.end(),
                                    [&entry](const Entry& e) { return e.key == entry.key; });
    if (first != kept.end()) {
      const unsigned line = first->where.line;
      errors.push_back({"config.duplicate-key", entry.where, key, "the key a second time",
                        "each key once",
                        line == 0 ? "" : fmt::format("it stands on line {} already", line)});
      continue;
    }
    drop_duplicate_keys(entry.value, key, errors);
    kept.push_back(std::move(entry));
  }
  node.entries = std::move(kept);
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull: return "nothing";
    case Node::Kind::kScalar:
      return node.quoted ? quote(node.text) : fmt::format("'{}'", node.text);
    case Node::Kind::kList: return "a list";
    case Node::Kind::kMap: return "a map";
  }
  return "";
}

std::string to_flow(const Node& node) {
  std::string out;
  switch (node.kind) {
    case Node::Kind::kNull: return "null";
    case Node::Kind::kScalar: return flow_scalar(node.text, node.quoted);
    case Node::Kind::kList:
      for (const Node& item : node.items) out += (out.empty() ? "" : ", ") + to_flow(item);
      return "[" + out + "]";
    case Node::Kind::kMap:
      for (const Entry& entry : node.entries) {
        out +=
            (out.empty() ? "" : ", ") + flow_scalar(entry.key, false) + ": " + to_flow(entry.value);
      }
      return "{" + out + "}";
  }
  return out;
}

std::string join_path(std::string_view prefix, std::string_view key) {
  return prefix.empty() ? std::string(key) : fmt::format("{}.{}", prefix, key);
}

}  // namespace hopwise::config
