#include "sim/plan/question/requirement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saturn {

const CandidateFigures::Entry* CandidateFigures::find(MeasureId figure, std::string_view of) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.figure == figure && entry.of == of; });
  return found == entries.end() ? nullptr : &*found;
}

double excess(const Requirement& requirement, double value) {
  // What is not a number meets nothing.
  if (std::isnan(value)) return std::numeric_limits<double>::infinity();
  const double beyond = requirement.at_most ? value - requirement.limit : requirement.limit - value;
  return requirement.limit == 0.0 ? beyond : beyond / std::abs(requirement.limit);
}

double worst_end(const Requirement& requirement, const Estimate& value) {
  return requirement.at_most ? value.high : value.low;
}

double best_end(const Requirement& requirement, const Estimate& value) {
  return requirement.at_most ? value.low : value.high;
}

}  // namespace saturn
