// SPDX-License-Identifier: Apache-2.0
// Custom programs: lines such as `all compute 500`, `0-3 send +1 4096 7`, `1 recv 0`, `1 get 0 64`.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "traffic/jobs/collectives.hpp"
#include "traffic/jobs/programs.hpp"

namespace hopwise::traffic {
namespace {

constexpr std::uint64_t kMostBytes = 1'000'000'000'000, kMostCycles = 1'000'000'000'000;

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return words;
    const auto end = std::min(text.find_first_of(" \t", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

std::optional<std::uint64_t> to_whole(std::string_view text, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() ||
      value > most)
    return std::nullopt;
  return value;
}

/// Reads one line after the other; what is wrong with a line is said once.
class LineReader {
 public:
  explicit LineReader(const spec::JobSpec& job) : job_(job), programs_(job.ranks) {}

  void read(std::uint32_t number) {
    number_ = number;
    const std::vector<std::string_view> words = words_of(job_.operations[number].text);
    if (words.size() < 2 || !read_who(words[0])) {
      if (words.size() < 2)
        wrong("RANKS OPERATION ..., RANKS being `all`, a rank or FIRST-LAST", "");
      return;
    }
    const std::span<const std::string_view> arguments(words.data() + 2, words.size() - 2);
    for (const Verb& verb : kVerbs) {
      if (verb.name != words[1]) continue;
      if (arguments.size() < verb.least || arguments.size() > verb.most)
        wrong(fmt::format("RANKS {}", verb.form), "");
      else
        (this->*verb.read)(arguments);
      return;
    }
    std::string all;
    for (const Verb& verb : kVerbs) all += fmt::format("{}{}", all.empty() ? "" : "; ", verb.form);
    wrong("RANKS and one of: " + all, "");
  }

  Result<std::vector<Program>> result() && {
    if (!errors_.empty()) return errors_;
    if (made_ > kMostOperations) return too_many_operations(job_);
    return std::move(programs_);
  }

 private:
  using Arguments = std::span<const std::string_view>;
  struct Verb {
    std::string_view name, form;
    std::size_t least = 0, most = 0;  // arguments
    void (LineReader::*read)(Arguments) = nullptr;
  };

  void wrong(std::string allowed, std::string hint) {
    const spec::JobSpec::Line& line = job_.operations[number_];
    errors_.push_back({"traffic.job-operation", line.where,
                       fmt::format("job.operations[{}]", number_), fmt::format("'{}'", line.text),
                       std::move(allowed), std::move(hint)});
  }

  bool read_who(std::string_view word) {
    const std::uint64_t last_rank = job_.ranks - 1;
    const auto dash = word.find('-');
    const auto first = word == "all" ? 0 : to_whole(word.substr(0, dash), last_rank);
    const auto last = word == "all"       ? last_rank
                      : dash == word.npos ? first
                                          : to_whole(word.substr(dash + 1), last_rank);
    if (!first || !last || *first > *last) {
      wrong(fmt::format("`all`, a rank from 0 to {}, or FIRST-LAST", last_rank),
            fmt::format("'{}' stands for no ranks", word));
      return false;
    }
    first_ = static_cast<std::uint32_t>(*first);
    last_ = static_cast<std::uint32_t>(*last);
    return true;
  }

  template <class F>
  void for_each(F&& f) {
    for (std::uint32_t rank = first_; rank <= last_ && made_ <= kMostOperations; ++rank) {
      const std::size_t before = programs_[rank].operations().size();
      programs_[rank].begin_line(number_);
      f(programs_[rank], rank);
      made_ += programs_[rank].operations().size() - before;
    }
  }

  /// A rank, or +N or -N, counted around from the rank itself; never that.
  std::optional<std::uint32_t> peer_of(std::uint32_t rank, std::string_view word) {
    const bool up = word.starts_with('+'), down = word.starts_with('-');
    const auto number = to_whole(up || down ? word.substr(1) : word, job_.ranks - 1);
    if (number) {
      const std::uint64_t peer = up     ? (rank + *number) % job_.ranks
                                 : down ? (rank + job_.ranks - *number) % job_.ranks
                                        : *number;
      if (peer != rank) return static_cast<std::uint32_t>(peer);
    }
    wrong(fmt::format("a rank from 0 to {}, +N or -N, other than rank {} itself", job_.ranks - 1,
                      rank),
          fmt::format("'{}' is no peer", word));
    return std::nullopt;
  }

  std::optional<std::uint64_t> whole(std::string_view word, const char* what, std::uint64_t most) {
    const auto value = to_whole(word, most);
    if (!value)
      wrong(fmt::format("{} from 0 to {}", what, most), fmt::format("'{}' is none", word));
    return value;
  }
  std::optional<std::uint64_t> tag_of(Arguments arguments, std::size_t place) {
    if (arguments.size() <= place) return 0;
    return whole(arguments[place], "a tag", kCollectiveTag - 1);
  }

  /// What is wrong with the peer is said once.
  template <class F>
  void for_each_peer(std::string_view word, F&& f) {
    bool good = true;
    for_each([&](Program& program, std::uint32_t rank) {
      const auto peer = good ? peer_of(rank, word) : std::nullopt;
      good = peer.has_value();
      if (good) f(program, *peer);
    });
  }

  void send(Arguments arguments) {
    const auto bytes = whole(arguments[1], "bytes", kMostBytes), tag = tag_of(arguments, 2);
    if (!bytes || !tag) return;
    for_each_peer(arguments[0], [&](Program& program, std::uint32_t peer) {
      program.send(peer, *bytes, static_cast<std::uint32_t>(*tag));
    });
  }
  void receive(Arguments arguments) {
    const auto tag = tag_of(arguments, 1);
    if (!tag) return;
    for_each_peer(arguments[0], [&](Program& program, std::uint32_t peer) {
      program.receive(peer, static_cast<std::uint32_t>(*tag));
    });
  }
  void get(Arguments arguments) {
    const auto bytes = whole(arguments[1], "bytes", kMostBytes);
    if (!bytes) return;
    for_each_peer(arguments[0],
                  [&](Program& program, std::uint32_t peer) { program.get(peer, *bytes); });
  }
  void wait(Arguments) {
    for_each([](Program& program, std::uint32_t) { program.wait(); });
  }
  void compute(Arguments arguments) {
    const bool ns = arguments[0].ends_with("ns");
    const std::string_view word = arguments[0].substr(0, arguments[0].size() - (ns ? 2 : 0));
    const auto time = whole(word, "core cycles, or nanoseconds such as 250ns,", kMostCycles);
    if (!time) return;
    const double cycles = static_cast<double>(*time) * (ns ? job_.clock_ghz : 1);
    for_each([&](Program& program, std::uint32_t) {
      program.compute(static_cast<std::uint64_t>(std::ceil(cycles - 1e-9)));
    });
  }

  /// Of the ranks of the line.
  template <class F>
  void collective(F&& f) {
    Group group;
    for (std::uint32_t rank = first_; rank <= last_; ++rank) group.ranks.push_back(rank);
    for_each([&](Program& program, std::uint32_t rank) {
      group.me = rank - first_;
      f(program, group);
    });
  }
  template <auto kCollective>
  void with_bytes(Arguments arguments) {
    const auto bytes = whole(arguments[0], "bytes", kMostBytes);
    if (!bytes) return;
    collective([&](Program& program, const Group& group) { kCollective(program, group, *bytes); });
  }
  void all_barrier(Arguments) {
    collective([](Program& program, const Group& group) { barrier(program, group); });
  }
  void all_reduce(Arguments arguments) {
    if (job_.algorithm == spec::JobSpec::Algorithm::kRing)
      with_bytes<allreduce_ring>(arguments);
    else
      with_bytes<allreduce_doubling>(arguments);
  }

  void all_to_all(Arguments arguments) {
    if (arguments.size() == 1) return with_bytes<alltoall>(arguments);
    if (arguments[1] == "get") return with_bytes<alltoall_get>(arguments);
    wrong("nothing, or get, behind the bytes", fmt::format("'{}' is no way", arguments[1]));
  }

  static const Verb kVerbs[10];
  const spec::JobSpec& job_;
  std::vector<Program> programs_;
  Diagnostics errors_;
  std::uint32_t number_ = 0, first_ = 0, last_ = 0;
  std::size_t made_ = 0;  // operations
};

const LineReader::Verb LineReader::kVerbs[10] = {
    {"send", "send TO BYTES [TAG]", 2, 3, &LineReader::send},
    {"recv", "recv FROM [TAG]", 1, 2, &LineReader::receive},
    {"get", "get FROM BYTES", 2, 2, &LineReader::get},
    {"wait", "wait", 0, 0, &LineReader::wait},
    {"compute", "compute TIME", 1, 1, &LineReader::compute},
    {"barrier", "barrier", 0, 0, &LineReader::all_barrier},
    {"broadcast", "broadcast BYTES", 1, 1, &LineReader::with_bytes<broadcast>},
    {"allreduce", "allreduce BYTES", 1, 1, &LineReader::all_reduce},
    {"allgather", "allgather BYTES", 1, 1, &LineReader::with_bytes<allgather>},
    {"alltoall", "alltoall BYTES [get]", 1, 2, &LineReader::all_to_all},
};

}  // namespace

Result<std::vector<Program>> custom_programs(const spec::JobSpec& job) {
  LineReader reader(job);
  for (std::uint32_t i = 0; i < job.operations.size(); ++i) reader.read(i);
  auto programs = std::move(reader).result();
  if (!programs) return programs;
  // All receives and gets are complete at the end of an iteration.
  for (Program& program : programs.value()) {
    bool open = false;
    for (const Operation& operation : program.operations()) {
      using Kind = Operation::Kind;
      if (operation.kind == Kind::kReceive || operation.kind == Kind::kGet) open = true;
      if (operation.kind == Kind::kWait) open = false;
    }
    if (open) program.wait();
  }
  return programs;
}

}  // namespace hopwise::traffic
