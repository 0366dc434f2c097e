#include "scenarios/inputs/named_fields.hpp"

#include <algorithm>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/sweep/sweep_conditions.hpp"

namespace saturn {

namespace {

std::string did_you_mean(std::vector<std::string> likely) {
  constexpr std::size_t most = 3;
  if (likely.size() > most) likely.resize(most);
  return "; did you mean " + joined_or(likely) + "?";
}

/// Unescaped; empty where there is none.
std::string last_key(const std::string& pointer) {
  const std::vector<std::string> keys = split_pointer(pointer);
  return keys.empty() ? std::string() : keys.back();
}

}  // namespace

std::string suggest_pointers(const std::string& wrong, const ScenarioPlaces& places,
                             const std::function<bool(const std::string&)>& allowed) {
  if (!wrong.starts_with('/') && places.named("/" + wrong).fault.empty()) return did_you_mean({"/" + wrong});
  std::vector<std::string> patterns = places.patterns();
  std::erase_if(patterns, [&](const std::string& pattern) { return !allowed(pattern); });
  std::vector<std::string> names;
  for (const std::string& pattern : patterns) names.push_back(last_key(pattern));
  const std::string key = last_key("/" + wrong);
  const std::string name = std::find(names.begin(), names.end(), key) != names.end() ? key : nearest_name(key, names);
  std::vector<std::string> likely;
  for (const std::string& pattern : patterns)
    if (!name.empty() && last_key(pattern) == name) likely.push_back(pattern);
  return likely.empty() ? std::string() : did_you_mean(likely);
}

bool is_word(PlaceKind kind) {
  return kind == PlaceKind::text || kind == PlaceKind::choice || kind == PlaceKind::flag;
}

std::optional<Dimension> dimension_of(const PlaceType& type) {
  if (type.kind == PlaceKind::quantity) return type.dimension;
  if (type.kind == PlaceKind::ratio) return Dimension::ratio;
  return std::nullopt;
}

std::vector<Complaint> refused_settings(const ReadScenario& read, std::span<const Override> settings) {
  try {
    read.again(settings);
  } catch (const InputError& error) {
    return error.complaints();
  }
  return {};
}

bool can_never_stand(const NamedPlace& place, const ReadScenario& read, std::span<const Override> settings) {
  if (place.present) return false;
  const std::vector<Complaint> complaints = refused_settings(read, settings);
  return std::any_of(complaints.begin(), complaints.end(),
                     [](const Complaint& complaint) { return complaint.code == "scenario.ensemble_with_own"; });
}

namespace {

// Combinations looked at before the program gives up: some ten seconds.
constexpr std::uint64_t most_looked_at = 100'000'000;
// Beyond this not every whole number is one of a double.
constexpr std::uint64_t most_combinations = std::uint64_t{1} << 53U;

class CombinationWalk {
 public:
  CombinationWalk(const std::vector<SweepSpace::Axis>& axes, SweepConditions& conditions, std::uint64_t most)
      : axes_(axes), conditions_(conditions), most_(most) {}

  FoundCombinations find() {
    visit(0, 0);
    return std::move(found_);
  }

 private:
  void visit(std::size_t axis, std::uint64_t before) {
    if (axis == axes_.size()) {
      found_.too_many = found_.combinations.size() == most_;
      if (!found_.too_many) found_.combinations.push_back(before);
      return;
    }
    const std::size_t steps = axes_[axis].cells.front().size();
    for (std::uint32_t step = 0; step < steps && !found_.too_many; ++step) {
      found_.too_many = ++looked_at_ > most_looked_at;
      conditions_.set(axis, step);
      if (conditions_.hold_at(axis)) visit(axis + 1, before * steps + step);
    }
  }

  const std::vector<SweepSpace::Axis>& axes_;
  SweepConditions& conditions_;
  std::uint64_t most_;
  std::uint64_t looked_at_ = 0;
  FoundCombinations found_{};
};

}  // namespace

FoundCombinations find_combinations(const std::vector<SweepSpace::Axis>& axes, SweepConditions& conditions,
                                    std::uint64_t most) {
  return CombinationWalk(axes, conditions, most).find();
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
