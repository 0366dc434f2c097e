#include "scenarios/inputs/named_fields.hpp"

#include <algorithm>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"

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

}  // namespace saturn
