#include "sim/plan/question/search_goal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/scenario_traits.hpp"

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

namespace {

ArrivalLaw faster(ArrivalLaw law, double factor) {
  if (auto* profile = std::get_if<ProfileArrivals>(&law)) {
    for (RatePoint& point : profile->points) point.rate = factor * point.rate;
  } else if (auto* trace = std::get_if<TraceArrivals>(&law)) {
    if (!trace->recorded) return law;
    RecordedDates dates = *trace->recorded;
    for (double& date : dates.dates_s) date /= factor;
    trace->recorded = std::make_shared<const RecordedDates>(std::move(dates));
  } else if (auto* poisson = std::get_if<PoissonArrivals>(&law)) {
    poisson->rate = factor * poisson->rate;
  } else if (auto* constant = std::get_if<ConstantArrivals>(&law)) {
    constant->rate = factor * constant->rate;
  } else if (auto* gamma = std::get_if<GammaArrivals>(&law)) {
    gamma->rate = factor * gamma->rate;
  } else if (auto* source = std::get_if<OnOffArrivals>(&law)) {
    source->rate = factor * source->rate;
    source->rate_off = factor * source->rate_off;
  }
  return law;
}

/// The key of an arrival law that has one rate; null for others.
const char* key_of(const ArrivalLaw& law) {
  if (std::holds_alternative<PoissonArrivals>(law)) return "poisson";
  if (std::holds_alternative<ConstantArrivals>(law)) return "constant";
  return std::holds_alternative<GammaArrivals>(law) ? "gamma" : nullptr;
}

/// The same scenario with its jobs times a factor (rounded to whole jobs, at least one a pool); where events arrive
/// from outside, with so many times their rate.
/// @param factor  > 0
Scenario with_load(Scenario scenario, double factor) {
  for (JobPool& pool : scenario.jobs) {
    if (pool.arrivals)
      pool.arrivals = faster(*pool.arrivals, factor);
    else
      pool.count = static_cast<std::uint64_t>(std::max(1.0, std::round(factor * static_cast<double>(pool.count))));
  }
  return scenario;
}

/// What --set says of a scenario's load: numbers of jobs and rates of arrivals. Profiles, recordings and sources that
/// go on and off have no single rate, and are left out.
std::vector<Override> load_settings(const Scenario& scenario) {
  std::vector<Override> settings;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobPool& pool = scenario.jobs[j];
    const std::string pointer = "/jobs/" + std::to_string(j);
    if (!pool.arrivals)
      settings.push_back({pointer + "/count", std::to_string(pool.count)});
    else if (const char* key = key_of(*pool.arrivals))
      settings.push_back({pointer + "/arrivals/" + key + "/rate", exact_text(mean_rate(*pool.arrivals).value) + " Hz"});
  }
  return settings;
}

}  // namespace

CandidateScenario candidate_scenario(const SearchedSpace& space, std::uint64_t candidate) {
  std::vector<Override> settings = space.question.space.settings(candidate);
  Scenario scenario = space.make(settings);
  if (space.load == 1.0) return {std::move(scenario), std::move(settings)};
  scenario = with_load(std::move(scenario), space.load);
  const std::vector<Override> load = load_settings(scenario);
  settings.insert(settings.end(), load.begin(), load.end());
  return {std::move(scenario), std::move(settings)};
}

double score_of(const SearchGoal& goal, double value, double gpus) {
  const double wanted = goal.per_gpu ? value / std::max(gpus, 1.0) : value;
  return goal.least ? wanted : -wanted;
}

double rounded_score(double score) {
  if (!std::isfinite(score) || score == 0.0) return score;
  int exponent = 0;
  const double mantissa = std::frexp(score, &exponent);
  constexpr double steps = 1u << 30U;
  return std::ldexp(std::nearbyint(mantissa * steps) / steps, exponent);
}

std::vector<FigureOf> figures_asked(std::span<const SearchGoal> goals, std::span<const Requirement> requirements) {
  std::vector<FigureOf> asked = {{measure("gpus")}, {measure("rent")}};
  const auto add = [&asked](const FigureOf& figure) {
    if (std::find(asked.begin(), asked.end(), figure) == asked.end()) asked.push_back(figure);
  };
  for (const Requirement& requirement : requirements) add({requirement.figure, requirement.of});
  for (const SearchGoal& goal : goals) add(goal.wanted);
  return asked;
}

namespace {

/// "fewest-gpus (devices that are bought), cost (cost of a million events), ...".
std::string list_objectives() {
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

std::optional<Objective> usual_objective(const CandidateSpace& space, const ReadScenario& read, bool of_devices,
                                         OptionComplaints& complaints) {
  if (space.size() <= 1) return objectives().front();
  if (!of_devices) {
    complaints.refuse("--objective", "objective.missing",
                      "Several candidates may meet every requirement; say which is the best one. There are " +
                          list_objectives() + ".");
    return std::nullopt;
  }
  const MeasureId figure = lacking_types(space, read, "price").empty() ? measure("rent") : measure("gpus");
  return *std::find_if(objectives().begin(), objectives().end(),
                       [&](const Objective& one) { return one.figure == figure; });
}

std::optional<Objective> read_objective(const std::string& name, OptionComplaints& complaints) {
  std::vector<std::string> names;
  for (const Objective& objective : objectives()) {
    if (objective.name == name) return objective;
    names.push_back(objective.name);
  }
  const std::string nearest = nearest_name(name, names);
  complaints.refuse(
      "--objective " + name, "objective.unknown",
      shown(name) + " is no objective; " +
          (nearest.empty() ? "there are " + list_objectives() + "." : "did you mean \"" + nearest + "\"?"));
  return std::nullopt;
}

void refuse_unknowable(const std::string& option, MeasureId figure, const CandidateSpace& space,
                       const ReadScenario& read, bool has_events, OptionComplaints& complaints) {
  const std::string section = option.starts_with("--objective") ? "objective" : "require";
  const std::string name(figure->name);
  if (figure == measure("campaign_time") && !has_events)
    complaints.refuse(option, "events.needed",
                      name + " is that of a number of events; say how many, as in --events 1e9.");
  if (figure->subject == Subject::jobs && figure->where != nullptr && !follows_calls(read.scenario))
    complaints.refuse(option, section + ".no_calls",
                      name +
                          " is of calls that may come late or fail, which nothing in the scenario lets them; give a "
                          "stage a \"deadline\" or \"retries\", or something that breaks \"failures\".");
  if (figure == measure("deadline")) {
    const std::vector<ModelCall> calls = model_calls(read.scenario);
    if (std::none_of(calls.begin(), calls.end(), [](const ModelCall& call) { return call.infer.rules.deadline; }))
      complaints.refuse(option, section + ".no_deadline",
                        name + " is that of calls, and no stage has one; give one to a stage with --set" +
                            (calls.empty() ? std::string() : " " + calls.front().pointer() + "/deadline='10 s'") +
                            ", and its values to --free.");
  }
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
