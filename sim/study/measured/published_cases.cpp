#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "calibration/measured_case.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/study/measured/validation.hpp"
#include "sim/study/request.hpp"

namespace saturn {

namespace {

/// Changes after which a scenario is still the system that was measured.
std::vector<Override> run_settings(const ScenarioOptions& options) {
  std::vector<Override> settings;
  for (const Override& one : overrides_of(options))
    if (one.pointer.starts_with("/run/")) settings.push_back(one);
  return settings;
}

bool is_as_shipped(const ReadScenario& read, const ScenarioOptions& options, const std::string& name) {
  const auto shipped = shipped_scenarios();
  const bool known = std::any_of(shipped.begin(), shipped.end(), [&](const EmbeddedFile& file) {
    return file.name == name || file.name == name + ".json";
  });
  if (!known) return false;
  std::vector<Override> same;
  for (std::size_t i = 0; i < read.scenario.jobs.size(); ++i)
    same.push_back(
        {.pointer = "/jobs/" + std::to_string(i) + "/count", .value = std::to_string(read.scenario.jobs[i].count)});
  for (Override& one : run_settings(options)) same.push_back(std::move(one));
  try {
    const ReadScenario twin = read_scenario_file(name, same);
    return twin.resolved_again(same) == read.resolved_again(same);
  } catch (const InputError&) {
    return false;
  }
}

/// What a formula says beside the measured numbers of a row that it knows: the mean event time and the rate of events.
/// Without such numbers the row has no value.
ValidationRow row_by_formula(const MeasuredRow& row, const System& system, Method method) {
  const ReferencePoint point = reference_point(system, method);
  ValidationRow beside{.measured = row.point, .simulated = {}, .little_ratio = {}, .in_flight = {}};
  beside.measured.values.clear();
  for (const MeasuredValue& value : row.point.values) {
    const std::optional<double> said = value.quantity->name == "event_time_s"   ? point.event_time_s
                                       : value.quantity->name == "events_per_s" ? point.events_per_s
                                                                                : std::nullopt;
    if (!said) continue;
    beside.measured.values.push_back(value);
    beside.simulated.push_back({.mean = *said, .low = *said, .high = *said});
  }
  return beside;
}

}  // namespace

std::vector<MeasuredCase> cases_about(const ReadScenario& read, const ScenarioOptions& options) {
  const std::string name = name_of_scenario(options.scenario);
  if (!is_as_shipped(read, options, name)) return {};
  std::vector<MeasuredCase> cases = read_measured_cases("");
  std::erase_if(cases, [&](const MeasuredCase& one) { return one.about.scenario != name || !one.about.set.empty(); });
  // Rivals of the scenario are the business of validate.
  for (MeasuredCase& one : cases) one.about.hypotheses.clear();
  return cases;
}

std::vector<FormulaErrors> formula_errors(const ReadScenario& read, const ScenarioOptions& options,
                                          const Methods& methods) {
  std::vector<FormulaErrors> errors;
  for (const MeasuredCase& measured : cases_about(read, options)) {
    std::vector<System> systems;
    for (const MeasuredRow& row : measured.rows)
      systems.emplace_back(read_scenario_file(measured.about.scenario, row.set, read_platform_file).scenario);
    for (const Method method : methods.all()) {
      if (method == Method::simulation) continue;
      ValidationCase validation{.about = measured.about, .rows = {}};
      for (std::size_t i = 0; i < measured.rows.size(); ++i)
        validation.rows.push_back(row_by_formula(measured.rows[i], systems[i], method));
      for (const Score& score : scores(validation))
        if (score.rows > 0)
          errors.push_back({.by = method, .of_case = measured.about.id, .title = measured.about.title, .score = score});
    }
  }
  return errors;
}

}  // namespace saturn
