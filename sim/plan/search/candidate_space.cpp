#include "sim/plan/search/candidate_space.hpp"

#include <limits>
#include <stdexcept>

namespace saturn {

std::uint64_t CandidateSpace::size() const {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t size = 1;
  for (const FreeVariable& variable : variables_) {
    const std::uint64_t values = variable.values.size();
    if (values == 0) return 0;
    size = size > most / values ? most : size * values;
  }
  return size;
}

std::vector<std::size_t> CandidateSpace::coordinates(std::uint64_t candidate) const {
  std::vector<std::size_t> coordinates(variables_.size(), 0);
  for (std::size_t v = variables_.size(); v-- > 0;) {
    const std::size_t values = variables_[v].values.size();
    if (values == 0) throw std::logic_error("CandidateSpace: a free variable without values");
    coordinates[v] = static_cast<std::size_t>(candidate % values);
    candidate /= values;
  }
  if (candidate != 0) throw std::logic_error("CandidateSpace: a candidate beyond the space");
  return coordinates;
}

std::uint64_t CandidateSpace::candidate_at(std::span<const std::size_t> coordinates) const {
  std::uint64_t candidate = 0;
  for (std::size_t v = 0; v < variables_.size(); ++v)
    candidate = candidate * variables_[v].values.size() + coordinates[v];
  return candidate;
}

std::vector<Override> CandidateSpace::settings(std::uint64_t candidate) const {
  const std::vector<std::size_t> chosen = coordinates(candidate);
  std::vector<Override> settings;
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    const std::vector<Override>& own = variables_[v].values[chosen[v]].settings;
    settings.insert(settings.end(), own.begin(), own.end());
  }
  return settings;
}

MoreIsFasterOrder::MoreIsFasterOrder(const CandidateSpace& space) : space_(space) {
  for (std::size_t v = 0; v < space.variables().size(); ++v)
    if (space.variables()[v].more_is_faster) variables_.push_back(v);
}

std::uint64_t MoreIsFasterOrder::line_of(std::uint64_t candidate) const {
  if (variables_.empty()) return candidate;
  std::vector<std::size_t> at = space_.coordinates(candidate);
  for (const std::size_t v : variables_) at[v] = 0;
  return space_.candidate_at(at);
}

std::optional<std::uint64_t> MoreIsFasterOrder::one_more(std::uint64_t candidate, std::size_t variable) const {
  std::vector<std::size_t> at = space_.coordinates(candidate);
  if (++at[variable] >= space_.variables()[variable].values.size()) return std::nullopt;
  return space_.candidate_at(at);
}

void MoreIsFasterOrder::each_with_less(std::uint64_t candidate, const std::function<void(std::uint64_t)>& call) const {
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
