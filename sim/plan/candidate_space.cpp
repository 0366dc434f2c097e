#include "sim/plan/candidate_space.hpp"

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

}  // namespace saturn
