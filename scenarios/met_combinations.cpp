#include "scenarios/sweep_conditions.hpp"

namespace saturn {

namespace {

// Combinations looked at before the program gives up: some ten seconds.
constexpr std::uint64_t most_looked_at = 100'000'000;
// Beyond this not every whole number is one of a double.
constexpr std::uint64_t most_combinations = std::uint64_t{1} << 53U;

class CombinationWalk {
 public:
  CombinationWalk(const std::vector<SweepSpace::Axis>& axes, SweepConditions& conditions, std::uint64_t most)
      : axes_(axes), conditions_(conditions), most_(most) {}

  MetCombinations met() {
    visit(0, 0);
    return std::move(met_);
  }

 private:
  void visit(std::size_t axis, std::uint64_t before) {
    if (axis == axes_.size()) {
      met_.too_many = met_.combinations.size() == most_;
      if (!met_.too_many) met_.combinations.push_back(before);
      return;
    }
    const std::size_t steps = axes_[axis].cells.front().size();
    for (std::uint32_t step = 0; step < steps && !met_.too_many; ++step) {
      met_.too_many = ++looked_at_ > most_looked_at;
      conditions_.set(axis, step);
      if (conditions_.hold_at(axis)) visit(axis + 1, before * steps + step);
    }
  }

  const std::vector<SweepSpace::Axis>& axes_;
  SweepConditions& conditions_;
  std::uint64_t most_;
  std::uint64_t looked_at_ = 0;
  MetCombinations met_{};
};

}  // namespace

MetCombinations combinations_that_meet(const std::vector<SweepSpace::Axis>& axes, SweepConditions& conditions,
                                       std::uint64_t most) {
  return CombinationWalk(axes, conditions, most).met();
}

std::optional<std::uint64_t> combinations_of(const std::vector<SweepSpace::Axis>& axes) {
  std::uint64_t combinations = 1;
  for (const SweepSpace::Axis& axis : axes) {
    const std::uint64_t steps = axis.cells.front().size();
    if (steps != 0 && combinations > most_combinations / steps) return std::nullopt;
    combinations *= steps;
  }
  return combinations;
}

}  // namespace saturn
