#include "sim/plan/search_objectives.hpp"

#include <set>

#include "models/words/texts.hpp"
#include "scenarios/document.hpp"
#include "scenarios/near_name.hpp"

namespace saturn {

namespace {

/// "fewest-gpus (devices that are bought), cost (cost of a million events), ...".
std::string explained() {
  std::string text;
  for (const Objective& objective : objectives())
    append_part(text, objective.name + " (" + (objective.least ? "least" : "most") + " " +
                          std::string(objective.figure->name) + ": " + std::string(objective.figure->words) + ")");
  return text;
}

/// Types of the devices that some candidate uses, and of which the scenario lacks the price, or the power, and no
/// variable chooses it.
/// @param key  "price" or "power"
std::vector<std::string> lacking_types(const CandidateSpace& space, const ReadScenario& read, const std::string& key) {
  std::set<std::string> used;
  std::set<std::string> chosen;
  for (const Server& server : read.scenario.servers) used.insert(server.devices.type);
  for (const FreeVariable& variable : space.variables())
    for (const FreeValue& value : variable.values)
      for (const Override& setting : value.settings) {
        const std::vector<std::string> keys = split_pointer(setting.pointer);
        if (keys.size() == 4 && keys[0] == "servers" && keys[3] == "type") used.insert(setting.value);
        if (keys.size() >= 3 && keys[0] == "devices" && keys[2] == key) chosen.insert(keys[1]);
      }
  std::vector<std::string> lacking;
  for (const std::string& name : used) {
    const auto type = read.scenario.devices.find(name);
    if (type == read.scenario.devices.end() || chosen.contains(name)) continue;
    const bool known = key == "price" ? type->second.price.has_value() : type->second.power.has_value();
    if (!known) lacking.push_back(name);
  }
  return lacking;
}

bool needs_price(MeasureId figure) {
  return figure->unit == MeasureUnit::usd_per_hour || figure->unit == MeasureUnit::usd_per_million;
}

}  // namespace

std::span<const Objective> objectives() {
  static const std::vector<Objective> all = [] {
    std::vector<MeasureId> measures = measures_where([](const Measure& one) { return one.objective > 0; });
    std::sort(measures.begin(), measures.end(), [](MeasureId a, MeasureId b) { return a->objective < b->objective; });
    std::vector<Objective> made;
    for (const MeasureId measure : measures)
      made.push_back({measure, measure->better == Better::less, std::string(measure->objective_name)});
    return made;
  }();
  return all;
}

std::optional<Objective> read_objective(const std::optional<std::string>& name, bool needed,
                                        OptionComplaints& complaints) {
  if (!name) {
    if (!needed) return objectives().front();
    complaints.refuse(
        "--objective", "objective.missing",
        "Several candidates may meet every requirement; say which is the best one. There are " + explained() + ".");
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const Objective& objective : objectives()) {
    if (objective.name == *name) return objective;
    names.push_back(objective.name);
  }
  const std::string nearest = nearest_name(*name, names);
  complaints.refuse("--objective " + *name, "objective.unknown",
                    shown(*name) + " is no objective; " +
                        (nearest.empty() ? "there are " + explained() + "." : "did you mean \"" + nearest + "\"?"));
  return std::nullopt;
}

void refuse_unknowable(const std::string& option, MeasureId figure, const CandidateSpace& space,
                       const ReadScenario& read, bool has_events, OptionComplaints& complaints) {
  const std::string section = option.starts_with("--objective") ? "objective" : "require";
  const std::string name(figure->name);
  if (figure == measure("campaign_time") && !has_events)
    complaints.refuse(option, "events.needed",
                      name + " is that of a number of events; say how many, as in --events 1e9.");
  if (!needs_price(figure) && !is_of_power(figure->unit)) return;
  const bool price = needs_price(figure);
  const std::string key = price ? "price" : "power";
  for (const std::string& type : lacking_types(space, read, key)) {
    const std::string at = "/devices/" + escape_pointer(type);
    complaints.refuse(option, section + ".no_" + key,
                      name + " needs the " + key + " of the devices, but " + at + " has no \"" + key +
                          "\"; add --set " + at + "/" + key + (price ? "='0.35 USD/h'." : "='70 W'."));
  }
}

}  // namespace saturn
