// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace hopwise::traffic {
namespace {

// a wrong file would otherwise yield a diagnostic for each of its lines
constexpr std::size_t kMaxBadLines = 20;
constexpr std::array<std::string_view, 4> kFields = {"cycle", "source", "destination", "flits"};
// days of simulation, even of an idle network
constexpr std::uint64_t kLastCycle = 10'000'000'000;
constexpr std::string_view kDirective = "#:";

struct Field {
  std::string_view text;
  unsigned column = 1;
};

/// The blank-separated fields of a line, up to its comment.
std::vector<Field> split(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  line = line.substr(0, line.find('#'));
  std::vector<Field> fields;
  for (std::size_t at = line.find_first_not_of(kBlanks); at != line.npos;
       at = line.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    fields.push_back({line.substr(at, end - at), static_cast<unsigned>(at + 1)});
    at = end;
  }
  return fields;
}

/// Reads the lines one after the other and collects what is wrong with each.
class Reader {
 public:
  Reader(const std::string& file, const TraceLimits& limits) : file_(file), limits_(limits) {}

  void read(std::string_view line) {
    ++line_;
    const bool directive = line.starts_with(kDirective);
    const std::vector<Field> fields = split(directive ? line.substr(kDirective.size()) : line);
    if (fields.empty() && !directive) return;
    const std::size_t errors_before = errors_.size();
    if (directive)
      read_recording(fields);
    else
      check(fields);
    if (errors_.size() != errors_before) ++bad_lines_;
  }
  bool gives_up() {
    if (bad_lines_ < kMaxBadLines) return false;
    report("traffic.trace-more-errors", 0, fmt::format("{} lines with errors", bad_lines_), "none",
           "the rest of the file is not read");
    return true;
  }
  std::vector<GeneratedPacket>& packets() { return packets_; }
  const std::optional<Recording>& recording() const { return recording_; }
  Diagnostics& errors() { return errors_; }

 private:
  void report(std::string code, unsigned column, std::string found, std::string allowed,
              std::string hint = "") {
    errors_.push_back({std::move(code),
                       {file_, line_, column},
                       "",
                       std::move(found),
                       std::move(allowed),
                       std::move(hint)});
  }

  void check(const std::vector<Field>& fields) {
    if (fields.size() != kFields.size()) {
      const unsigned column =
          fields.size() > kFields.size() ? fields[kFields.size()].column : fields[0].column;
      report("traffic.trace-field-count", column, fmt::format("{} fields", fields.size()),
             fmt::format("4 fields: {}", fmt::join(kFields, " ")));
      return;
    }
    std::array<std::uint64_t, kFields.size()> values{};
    bool numbers = true;
    for (std::size_t i = 0; i < kFields.size(); ++i)
      numbers &= parse(fields[i], kFields[i], values[i]);
    if (!numbers) return;
    const auto [cycle, src, dst, flits] = values;
    const std::size_t errors_before = errors_.size();
    if (cycle < last_cycle_ || cycle > kLastCycle) {
      report("traffic.trace-cycle-order", fields[0].column, fmt::format("cycle {}", cycle),
             cycle < last_cycle_
                 ? fmt::format("{} or later, since cycles never decrease", last_cycle_)
                 : fmt::format("at most {}", kLastCycle));
    } else {
      last_cycle_ = cycle;
    }
    check_terminal(fields[1], "source", src);
    check_terminal(fields[2], "destination", dst);
    if (src == dst) {
      report("traffic.trace-self", fields[2].column,
             fmt::format("destination {}, which is the source", dst),
             "another terminal than the source");
    }
    if (flits < limits_.min_flits || flits > limits_.max_flits) {
      report("traffic.trace-flits", fields[3].column, fmt::format("{} flits", flits),
             fmt::format("{} to {} flits", limits_.min_flits, limits_.max_flits),
             "packet.max_flits sets the longest packet of the network");
    }
    if (errors_.size() != errors_before) return;
    packets_.push_back({cycle, TerminalId{static_cast<std::uint32_t>(src)},
                        TerminalId{static_cast<std::uint32_t>(dst)},
                        static_cast<std::uint32_t>(flits)});
  }

  void read_recording(const std::vector<Field>& fields) {
    Recording r;
    const auto number = [&](std::size_t place, std::string_view word, auto& value) {
      const std::string_view text = fields[place].text;
      const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      return (word.empty() || fields[place - 1].text == word) && error == std::errc{} &&
             stop == text.data() + text.size();
    };
    if (!recording_ && fields.size() == 9 && number(1, "measured", r.from) && number(2, "", r.to) &&
        number(4, "window", r.window) && number(6, "offered", r.offered_load) &&
        number(8, "terminals", r.active_terminals) && 0 < r.from && r.from < r.to && 0 < r.window &&
        r.window <= r.to && r.offered_load >= 0 && std::isfinite(r.offered_load) &&
        r.active_terminals >= 1 &&
        r.active_terminals <= static_cast<double>(limits_.num_terminals)) {
      recording_ = r;
      return;
    }
    report("traffic.trace-recording", 1,
           recording_ ? "a second line that begins with '#:'" : "a line of a recording",
           fmt::format("#: measured FROM TO window CYCLES offered LOAD terminals N, with "
                       "0 < FROM < TO, CYCLES at most TO, N at most {}",
                       limits_.num_terminals),
           "without the line the packets are replayed and measured as a whole");
  }

  bool parse(const Field& field, std::string_view name, std::uint64_t& value) {
    const char* const end = field.text.data() + field.text.size();
    const auto [stop, error] = std::from_chars(field.text.data(), end, value);
    if (error == std::errc{} && stop == end) return true;
    report("traffic.trace-number", field.column, fmt::format("{} '{}'", name, field.text),
           "a decimal number of 64 bits, not negative");
    return false;
  }

  void check_terminal(const Field& field, std::string_view name, std::uint64_t terminal) {
    if (terminal < limits_.num_terminals) return;
    report("traffic.trace-terminal", field.column, fmt::format("{} {}", name, terminal),
           fmt::format("terminals 0 to {}", limits_.num_terminals - 1));
  }

  const std::string& file_;
  TraceLimits limits_;
  unsigned line_ = 0;
  std::size_t bad_lines_ = 0;
  std::uint64_t last_cycle_ = 0;
  std::vector<GeneratedPacket> packets_;
  std::optional<Recording> recording_;
  Diagnostics errors_;
};

}  // namespace

std::size_t Trace::active_terminals() const {
  std::size_t active = 0;
  for (std::size_t t = 0; t + 1 < first_.size(); ++t) active += first_[t] != first_[t + 1] ? 1 : 0;
  return active;
}

double Trace::offered_flits_per_cycle(spec::Rational cycles_per_flit) const {
  double flits = 0, end = 0;
  for (const GeneratedPacket& p : packets_) {
    flits += p.flits;
    end = std::max(end, static_cast<double>(p.cycle) + p.flits * cycles_per_flit.value());
  }
  return end == 0 ? 0 : flits / end;
}

std::vector<Source> Trace::sources() const {
  std::vector<Source> sources;
  sources.reserve(first_.size());
  for (std::size_t t = 0; t + 1 < first_.size(); ++t) {
    sources.emplace_back(of(TerminalId{static_cast<std::uint32_t>(t)}));
  }
  return sources;
}

Result<Trace> parse_trace(std::string_view text, const std::string& file,
                          const TraceLimits& limits) {
  Reader reader(file, limits);
  while (!text.empty() && !reader.gives_up()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!reader.errors().empty()) return std::move(reader.errors());

  Trace trace;
  trace.packets_ = std::move(reader.packets());
  trace.recording_ = reader.recording();
  if (!trace.packets_.empty()) trace.last_cycle_ = trace.packets_.back().cycle;
  std::stable_sort(
      trace.packets_.begin(), trace.packets_.end(),
      [](const GeneratedPacket& a, const GeneratedPacket& b) { return a.src < b.src; });
  trace.first_.assign(limits.num_terminals + 1, 0);
  for (const GeneratedPacket& p : trace.packets_) ++trace.first_[index(p.src) + 1];
  for (std::size_t t = 0; t < limits.num_terminals; ++t) trace.first_[t + 1] += trace.first_[t];
  return trace;
}

Result<Trace> read_trace(const std::string& path, const TraceLimits& limits) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::vector<char> block(1 << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad()) {
    return Diagnostic{"traffic.trace-unreadable",
                      {path, 0, 0},
                      "traffic.trace",
                      std::strerror(errno),
                      "a text file of `cycle source destination flits` lines",
                      ""};
  }
  return parse_trace(text, path, limits);
}

std::string format_trace(std::span<const GeneratedPacket> packets,
                         const std::optional<Recording>& recording) {
  std::string text = "# cycle source destination flits\n";
  if (recording) {
    text += fmt::format("{} measured {} {} window {} offered {} terminals {}\n", kDirective,
                        recording->from, recording->to, recording->window, recording->offered_load,
                        recording->active_terminals);
  }
  for (const GeneratedPacket& p : packets) {
    fmt::format_to(std::back_inserter(text), "{} {} {} {}\n", p.cycle, index(p.src), index(p.dst),
                   p.flits);
  }
  return text;
}

}  // namespace hopwise::traffic
