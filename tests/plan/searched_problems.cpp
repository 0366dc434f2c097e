#include "tests/plan/searched_problems.hpp"

#include <cmath>
#include <string>

#include "models/laws/random_stream.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "tests/plan/plan_scenarios.hpp"

namespace saturn::tests {

namespace {

constexpr std::uint64_t unlucky = 13;

template <class Values>
FreeVariable variable(const std::string& name, const Values& values, bool more_is_faster = false) {
  FreeVariable made{.name = name, .more_is_faster = more_is_faster};
  for (const auto& value : values) {
    const std::string text = std::to_string(value);
    made.values.push_back({.text = text, .settings = {{name, text}}});
  }
  return made;
}

double delay_of(const Scenario& scenario) {
  return scenario.run.window.value;
}

Estimate estimate(double mean, double relative_half_width, std::uint64_t replications) {
  const double half = mean * relative_half_width;
  return {mean, mean - half, mean + half, 0.95, static_cast<std::uint32_t>(replications)};
}

/// Mean of the replications' deviations, and the half-width of its interval.
std::pair<double, double> noise_of(const Scenario& scenario, double slowdown, double noise) {
  const RunControl& run = scenario.run;
  if (!run.brief) noise *= 1e-4;
  const auto entity = static_cast<std::uint32_t>(1e6 * slowdown) + static_cast<std::uint32_t>(scenario.jobs[0].count);
  double sum = 0.0;
  for (std::uint64_t i = 0; i < run.min_replications; ++i) {
    RandomStream stream(run.seed, static_cast<std::uint32_t>(i), entity, Purpose::service);
    double twelve = -6.0;
    for (int k = 0; k < 12; ++k) twelve += stream.uniform();
    sum += noise * twelve;
  }
  const auto n = static_cast<double>(run.min_replications);
  return {sum / n, (run.min_replications == 1 ? 2.09 : 2.78) * noise / std::sqrt(n)};
}

}  // namespace

Requirement required(MeasureId figure, double limit, bool at_most) {
  return {.figure = figure, .at_most = at_most, .limit = limit, .text = std::string(figure->name)};
}

SearchQuestion question_of(const MadeUpProblem& problem) {
  FreeVariable type{.name = "type"};
  for (const char* text : {"small", "big"}) type.values.push_back({.text = text, .settings = {{"type", text}}});
  return {.space = CandidateSpace({type, variable("delay", problem.delays_s), variable("jobs", problem.jobs),
                                   variable("devices", problem.devices, true)}),
          .requirements = problem.requirements,
          .objective = problem.objective,
          .campaign_events = 1e6};
}

MakeScenario scenarios_of(const MadeUpProblem& problem) {
  return [problem](std::span<const Override> settings) {
    const bool big = settings[0].value == "big";
    const std::uint64_t jobs = std::stoull(settings[2].value);
    if (jobs % unlucky == 0)
      throw InputError(std::vector<Complaint>{{.code = "test.unlucky", .text = "so many jobs are refused"}});
    Scenario scenario = closed_loop(jobs, std::stoull(settings[3].value), ExponentialTime{Seconds{problem.think_s}},
                                    ExponentialTime{Seconds{big ? problem.service_s / 3 : problem.service_s}});
    scenario.devices["gpu"].price = UsdPerHour{big ? 2.0 : 1.0};
    // Stands for what the formulas do not see.
    scenario.run.window = Seconds{std::stod(settings[1].value)};
    scenario.run.seed = problem.seed;
    return scenario;
  };
}

EvaluateEach made_up_simulations(const MadeUpProblem& problem) {
  return [noise = problem.noise](std::span<const SearchedScenario> scenarios) {
    std::vector<SearchedRun> runs;
    for (const SearchedScenario& one : scenarios) {
      const Scenario& scenario = one.scenario;
      const double ideal_s = closed_network(scenario).classes.front().ideal_event_time.value;
      const double slowdown = mva_slowdown(scenario);
      const auto [deviation, half] = noise_of(scenario, slowdown, noise);
      const double event_s = (slowdown * ideal_s + delay_of(scenario)) * (1.0 + deviation);
      const std::uint64_t n = scenario.run.min_replications;
      JobsResults jobs;
      jobs.set("streams", {.mean = stream_count(scenario)});
      jobs.set("ideal_event_time_s", {.mean = ideal_s});
      jobs.set("event_time_s", estimate(event_s, half, n));
      jobs.set("slowdown", estimate(event_s / ideal_s, half, n));
      jobs.set("events_per_s", estimate(stream_count(scenario) / event_s, half, n));
      SearchedRun run{.requests = n * (scenario.run.brief ? 100 : 1000)};
      run.summary.jobs = {jobs};
      run.summary.all_jobs = jobs;
      run.summary.relative_half_width = half;
      run.summary.replications = static_cast<std::uint32_t>(n);
      runs.push_back(run);
    }
    return runs;
  };
}

}  // namespace saturn::tests
