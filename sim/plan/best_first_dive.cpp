#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/plan/best_first.hpp"

/// The part of a search that looks for a first candidate that meets the requirements, so that everything after it has
/// something to beat: by bisection over the candidates in the order of their scores, since what costs more is more
/// likely to be fast enough.
namespace saturn {

namespace {

constexpr std::size_t most_groups = 256;
constexpr std::size_t probed = 8;
constexpr std::size_t confirmed_at_once = 3;
constexpr int most_confirmations = 4;

}  // namespace

std::vector<BestFirst::Group> BestFirst::groups() const {
  const std::size_t least = order_.size() / most_groups + 1;
  std::vector<Group> all;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const bool same = !all.empty() && (order_[i].score == order_[i - 1].score || i - all.back().begin < least);
    if (same)
      all.back().end = i + 1;
    else
      all.push_back({i, i + 1});
  }
  return all;
}

bool BestFirst::probe(const Group& group) {
  std::vector<RankKey> open;
  for (std::size_t i = group.begin; i < group.end; ++i)
    if (verdicts_.is_open(order_[i].candidate) && is_untouched(order_[i].candidate)) open.push_back(order_[i]);
  const std::size_t looks = std::min(probed, open.size());
  std::partial_sort(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(looks), open.end(),
                    [this](const RankKey& a, const RankKey& b) {
                      return std::pair(table_.expected_slowdown(a.candidate), a.candidate) <
                             std::pair(table_.expected_slowdown(b.candidate), b.candidate);
                    });
  std::vector<WantedLook> wanted;
  for (std::size_t i = 0; i < looks; ++i) wanted.push_back({open[i].candidate, Fidelity::glance});
  raise(wanted);
  const bool met = best_ && std::any_of(wanted.begin(), wanted.end(),
                                        [this](const WantedLook& w) { return best_->candidate == w.candidate; });
  return met || std::any_of(wanted.begin(), wanted.end(),
                            [this](const WantedLook& w) { return likely_.contains(w.candidate); });
}

void BestFirst::confirm_likely() {
  for (int i = 0; i < most_confirmations && !best_ && !ended_ && !likely_.empty(); ++i) {
    std::vector<RankKey> keys;
    for (const auto& [candidate, key] : likely_) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    std::vector<WantedLook> looks;
    for (const RankKey& key : keys) {
      const Fidelity known = runs_.find(key.candidate)->fidelity;
      if (looks.size() < confirmed_at_once && known < Fidelity::short_run)
        looks.push_back({key.candidate, Fidelity::short_run});
    }
    if (!looks.empty() && i == 0)
      raise(looks);
    else
      raise({runs_.find(keys.front().candidate)->fidelity == Fidelity::full
                 ? runs_.closer(keys.front().candidate)
                 : WantedLook{keys.front().candidate, Fidelity::full}});
  }
}

void BestFirst::dive() {
  const std::vector<Group> all = groups();
  if (all.empty()) return;
  std::size_t failed = 0;
  std::size_t at = 0;
  std::size_t step = 1;
  while (!probe(all[at])) {
    if (ended_ || at + 1 == all.size()) return;
    failed = at;
    at = std::min(at + step, all.size() - 1);
    step *= 2;
  }
  while (at - failed > 1 && !ended_) {
    const std::size_t middle = failed + (at - failed) / 2;
    if (probe(all[middle]))
      at = middle;
    else
      failed = middle;
  }
  confirm_likely();
}

}  // namespace saturn
