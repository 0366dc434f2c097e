#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/plan/candidate_space.hpp"

namespace saturn {

/// The order of candidates along the variables of which more is faster: what fails with more fails with less.
class FasterWithMore {
 public:
  explicit FasterWithMore(const CandidateSpace& space);

  /// The variables, as indices into CandidateSpace::variables().
  const std::vector<std::size_t>& variables() const { return variables_; }

  /// The candidate with the least of all of them: the same for all that differ by them alone.
  std::uint64_t line_of(std::uint64_t candidate) const;

  /// One step more of one of them; nothing when there is no more.
  std::optional<std::uint64_t> one_more(std::uint64_t candidate, std::size_t variable) const;

  /// Calls for every other candidate with at most as much of each.
  void each_with_less(std::uint64_t candidate, const std::function<void(std::uint64_t)>& call) const;

 private:
  const CandidateSpace& space_;
  std::vector<std::size_t> variables_;
};

}  // namespace saturn
