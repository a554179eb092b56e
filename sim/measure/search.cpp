// SPDX-License-Identifier: Apache-2.0
#include "measure/search.hpp"

#include <deque>

namespace hopwise::measure {

bool Bisection::is_end(const Step& s) const {
  return !s.highest_is_open && s.high - s.low <= range_.tolerance;
}

double Bisection::load(const Step& s) const {
  return s.highest_is_open ? s.high : s.low + (s.high - s.low) / 2;
}

Bisection::Step Bisection::after(Step s, bool sustained) const {
  const double at = load(s);
  s.highest_is_open = false;
  (sustained ? s.low : s.high) = at;
  return s;
}

Bisection::Step Bisection::reach(Step s, std::vector<double>* path) const {
  while (!is_end(s)) {
    const auto told = told_.find(load(s));
    if (told == told_.end()) break;
    if (path != nullptr) path->push_back(told->first);
    s = after(s, told->second);
  }
  return s;
}

std::optional<Saturation> Bisection::found() const {
  const Step s = reach(first());
  if (!is_end(s)) return std::nullopt;
  return Saturation{.load = s.low, .at_highest = s.low == range_.highest};
}

std::vector<double> Bisection::wanted(std::size_t most) const {
  std::vector<double> loads;
  std::deque<Step> steps{first()};
  for (; !steps.empty() && loads.size() < most; steps.pop_front()) {
    const Step s = reach(steps.front());
    if (is_end(s)) continue;
    loads.push_back(load(s));
    steps.push_back(after(s, true));
    steps.push_back(after(s, false));
  }
  return loads;
}

std::vector<double> Bisection::path() const {
  std::vector<double> path;
  reach(first(), &path);
  return path;
}

Saturation find_saturation(const std::function<bool(double load)>& sustained,
                           const SearchRange& range) {
  Bisection search(range);
  while (!search.found()) {
    const double load = search.wanted(1).front();
    search.tell(load, sustained(load));
  }
  return *search.found();
}

}  // namespace hopwise::measure
