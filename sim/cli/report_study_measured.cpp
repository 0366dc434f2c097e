#include <algorithm>
#include <set>
#include <string_view>

#include "calibration/measured_case.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/report_study.hpp"
#include "sim/cli/validation.hpp"

namespace saturn {

namespace {

/// Whether the report is about the shipped scenario of this name as it stands, but for its number of jobs and how it is
/// simulated: then what was published of that system is about it.
bool is_as_shipped(const StudyContext& context) {
  const auto shipped = shipped_scenarios();
  const bool known = std::any_of(shipped.begin(), shipped.end(), [&](const EmbeddedFile& file) {
    return file.name == context.name || file.name == context.name + ".json";
  });
  if (!known) return false;
  std::vector<Override> same;
  for (std::size_t i = 0; i < context.scenario().jobs.size(); ++i)
    same.push_back({.pointer = "/jobs/" + std::to_string(i) + "/count",
                    .value = std::to_string(context.scenario().jobs[i].count)});
  for (const Override& one : overrides_of(context.options.scenario))
    if (one.pointer.starts_with("/run/")) same.push_back(one);
  try {
    const ReadScenario twin = read_scenario_file(context.name, same);
    return twin.resolved_again(same) == context.read.resolved_again(same);
  } catch (const InputError&) {
    return false;
  }
}

std::vector<MeasuredCase> cases_of(const StudyContext& context) {
  std::vector<MeasuredCase> cases = read_measured_cases("");
  std::erase_if(cases, [&](const MeasuredCase& one) { return one.about.scenario != context.name; });
  // Rivals of the scenario are the business of validate.
  for (MeasuredCase& one : cases) one.about.hypotheses.clear();
  return cases;
}

bool of_count(const Override& change) {
  return change.pointer.starts_with("/jobs/") && change.pointer.ends_with("/count");
}

/// The time of the nodes' own work, which the measured nodes did not have in common.
bool of_cpu(const Override& change) {
  return change.pointer.starts_with("/jobs/") && change.pointer.find("/cpu") != std::string::npos;
}

std::optional<PublishedLoad> published_load(const MeasuredRow& row, const StudyContext& context) {
  const bool alike = std::all_of(row.set.begin(), row.set.end(),
                                 [](const Override& change) { return of_count(change) || of_cpu(change); });
  if (!alike) return std::nullopt;
  PublishedLoad load{.label = row.point.label, .counts = row.point.use == PointUse::scored};
  std::vector<Override> counts;
  std::copy_if(row.set.begin(), row.set.end(), std::back_inserter(counts), of_count);
  const Scenario scenario = context.read.again(counts);
  load.clients_per_device = client_count(scenario) / static_cast<double>(device_count(scenario));
  for (const MeasuredValue& value : row.point.values) {
    if (value.quantity->name == "event_time_s") {
      load.event_time_s = value.value;
      load.event_time_sem_s = value.sem;
    }
    if (value.quantity->name == "events_per_s") load.events_per_s = value.value;
  }
  if (!load.event_time_s && !load.events_per_s) return std::nullopt;
  return load;
}

}  // namespace

void add_published_loads(SaturationStudy& study, const StudyContext& context) {
  if (device_count(context.scenario()) == 0 || !is_as_shipped(context)) return;
  for (const MeasuredCase& measured : cases_of(context)) {
    const std::size_t before = study.published.size();
    bool own_cpu = false;
    for (const MeasuredRow& row : measured.rows) {
      if (std::optional<PublishedLoad> load = published_load(row, context)) {
        study.published.push_back(std::move(*load));
        own_cpu = own_cpu || std::any_of(row.set.begin(), row.set.end(), of_cpu);
      }
    }
    if (study.published.size() == before) continue;
    append_part(study.published_source, measured.about.source, "; ");
    append_part(study.published_words, measured.about.title, "; ");
    if (own_cpu) study.published_source += " (the work outside the module differs from point to point)";
  }
}

Studied<MeasuredStudy> measured_study(const StudyContext& context) {
  if (!is_as_shipped(context)) return {};
  const std::vector<MeasuredCase> cases = cases_of(context);
  if (cases.empty()) return {};
  if (context.is_over()) throw OutOfBudget();
  std::vector<Override> changes;
  for (const Override& one : overrides_of(context.options.scenario))
    if (one.pointer.starts_with("/run/")) changes.push_back(one);
  return {.study = MeasuredStudy{.cases = validated(cases, changes, context.run_options_until()).cases}, .why_not = ""};
}

}  // namespace saturn
