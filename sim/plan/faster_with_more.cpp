#include "sim/plan/faster_with_more.hpp"

namespace saturn {

FasterWithMore::FasterWithMore(const CandidateSpace& space) : space_(space) {
  for (std::size_t v = 0; v < space.variables().size(); ++v)
    if (space.variables()[v].more_is_faster) variables_.push_back(v);
}

std::uint64_t FasterWithMore::line_of(std::uint64_t candidate) const {
  if (variables_.empty()) return candidate;
  std::vector<std::size_t> at = space_.coordinates(candidate);
  for (const std::size_t v : variables_) at[v] = 0;
  return space_.candidate_at(at);
}

std::optional<std::uint64_t> FasterWithMore::one_more(std::uint64_t candidate, std::size_t variable) const {
  std::vector<std::size_t> at = space_.coordinates(candidate);
  if (++at[variable] >= space_.variables()[variable].values.size()) return std::nullopt;
  return space_.candidate_at(at);
}

void FasterWithMore::each_with_less(std::uint64_t candidate, const std::function<void(std::uint64_t)>& call) const {
  const std::vector<std::size_t> most = space_.coordinates(candidate);
  std::vector<std::size_t> at = most;
  for (;;) {
    // Counts down over the box below the candidate.
    std::size_t i = 0;
    while (i < variables_.size() && at[variables_[i]] == 0) {
      at[variables_[i]] = most[variables_[i]];
      ++i;
    }
    if (i == variables_.size()) return;
    --at[variables_[i]];
    call(space_.candidate_at(at));
  }
}

}  // namespace saturn
