#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/plan/compare_report.hpp"
#include "reports/run/check_report.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/comparison/compare_two.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/run/single_runs.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

/// What `compare` is asked.
struct CompareRequest {
  ScenarioOptions scenario{};  ///< A, with what is changed in both
  std::string other{};         ///< B; empty: A with the changes of set_b
  std::vector<std::string> set_a{};
  std::vector<std::string> set_b{};
  std::optional<std::string> least_difference{};
  std::optional<std::string> budget{};
  MachineOptions machine{};
  OutputOptions output{};
  bool alternatives = false;  ///< in place of a second scenario
  std::uint64_t node_cores = 0;
  std::optional<std::string> core_price{};
  Methods methods = every_method;
};

/// An alternative that the user wrote down has to be sound; one that was made may turn out not to be possible.
[[noreturn]] void refuse(const Alternative& alternative, const InputError& error) {
  std::vector<Complaint> complaints = error.complaints();
  for (Complaint& complaint : complaints) {
    complaint.source = "alternative \"" + alternative.name + "\": " + complaint.source;
  }
  throw InputError(complaints);
}

ComparedAlternative read_alternative(Alternative alternative, const Scenario& original,
                                     const ScenarioOptions& options) {
  if (!alternative.why_not.empty()) return {.about = std::move(alternative), .scenario = {}};
  if (alternative.cpu_only) {
    Scenario scenario = cpu_only_scenario(original);
    return {.about = std::move(alternative), .scenario = std::move(scenario)};
  }
  std::vector<Override> overrides = overrides_of(options);
  overrides.insert(overrides.end(), alternative.settings.begin(), alternative.settings.end());
  try {
    Scenario scenario = read_scenario_file(options.scenario, overrides, read_platform_file).scenario;
    return {.about = std::move(alternative), .scenario = std::move(scenario)};
  } catch (const InputError& error) {
    if (!original.alternatives.empty()) refuse(alternative, error);
    alternative.why_not = in_one_line(error);
    return {.about = std::move(alternative), .scenario = {}};
  }
}

double least_difference_of(const CompareRequest& request, const RunControl& control) {
  return request.least_difference ? parse_fraction("--least-difference", *request.least_difference) : control.precision;
}

/// Scenarios side by side by formulas, since these alone are asked.
Reply by_formulas_alone(const CompareRequest& request, Provenance provenance, std::vector<UnconfirmedScenario> all) {
  if (request.methods == Methods{Method::mva})
    for (const UnconfirmedScenario& one : all) refuse_without_mva(one.scenario);
  return {.answer = unconfirmed_answer({.provenance = std::move(provenance),
                                        .budget_s = {},
                                        .methods = request.methods,
                                        .scenarios = std::move(all)})};
}

/// CPU only, devices in the worker nodes, a service on site, the service of the scenario; or its own alternatives.
Reply compare_with_alternatives(const CompareRequest& request, Monitor& monitor) {
  const Budget budget(request.budget);
  std::optional<UsdPerHour> core_price;
  if (request.core_price) core_price = parse_price("--core-price", *request.core_price);
  const ReadScenario read = load_scenario(request.scenario, monitor);
  const RunLimits limits = limits_of(request.machine);
  const double least = least_difference_of(request, read.scenario.run);
  refuse_overlaps(files_of_out(request.output), files_read(read, request.scenario.scenario));

  std::vector<ComparedAlternative> alternatives_read;
  for (Alternative& one : alternatives(read.scenario, read.resolved, {.node_cores = request.node_cores}))
    alternatives_read.push_back(read_alternative(std::move(one), read.scenario, request.scenario));
  const auto unconfirmed = [&] {
    std::vector<UnconfirmedScenario> all;
    for (const ComparedAlternative& one : alternatives_read)
      if (one.scenario) all.push_back({.name = one.about.name, .scenario = *one.scenario});
    return all;
  };
  if (request.methods.formulas_alone()) {
    std::vector<UnconfirmedScenario> all = unconfirmed();
    for (UnconfirmedScenario& one : all)
      if (core_price) one.scenario.costs.core = *core_price;
    return by_formulas_alone(request, provenance_of(read, request.scenario.command), std::move(all));
  }
  Progress progress(monitor);
  PlannedRuns runs(read.scenario,
                   run_options_of(request.machine, limits, request.scenario, budget.deadline(), &progress));
  CompareReport report{.provenance = provenance_of(read, request.scenario.command),
                       .facts = gather_facts(read.scenario),
                       .comparison = {}};
  try {
    report.comparison =
        compare_alternatives(alternatives_read, core_price, least,
                             [&](std::span<const Scenario> scenarios) { return runs.evaluate_means(scenarios); });
  } catch (const OutOfBudget&) {
    return {
        .answer = unconfirmed_answer(
            {.provenance = report.provenance, .budget_s = budget.seconds(), .cut = true, .scenarios = unconfirmed()}),
        .exit_code = ExitCode::precision_not_reached};
  }
  Reply reply{.answer = compare_answer(report)};
  runs.cells().say(*reply.answer);
  return reply;
}

constexpr std::uint64_t least_pairs = 3;
constexpr std::uint64_t least_second_look = 8;

/// How one of the two scenarios is read.
ScenarioOptions side(const CompareRequest& options, const std::string& name, const std::vector<std::string>& own) {
  ScenarioOptions one = options.scenario;
  one.scenario = name;
  one.set.insert(one.set.end(), own.begin(), own.end());
  return one;
}

/// Complaints about a change of one side alone name the option that it was given by.
ReadScenario load_side(const ScenarioOptions& options, const std::vector<std::string>& own, const std::string& option,
                       Monitor& monitor) {
  try {
    return load_scenario(options, monitor);
  } catch (const InputError& error) {
    std::vector<Complaint> complaints = error.complaints();
    for (Complaint& complaint : complaints)
      for (const std::string& change : own)
        if (complaint.source == "--set " + change) complaint.source = option + " " + change;
    throw InputError(complaints);
  }
}

std::string name_with_changes(const std::string& name, const std::vector<std::string>& changes) {
  return changes.empty() ? name : name + " with " + joined(changes);
}

/// Pairs that a comparison may take: those of the scenario, or what a budget pays for.
struct PairLimits {
  std::uint64_t least = 0;
  std::uint64_t most = 0;

  /// Of few pairs the width is uncertain, and each look at it is one more chance to stop too early.
  std::uint64_t next(std::uint64_t have) const {
    return have == 0 ? least : std::min(most, std::max(least_second_look, 2 * have));
  }
  Stopping stopping() const { return least < most ? Stopping::by_width : Stopping::by_number; }
};

PairLimits limits_of(const RunControl& control, const Budget& budget) {
  const std::uint64_t most = budget.time() ? Budget::most_replications : control.max_replications;
  return {.least = std::min(most, std::max(least_pairs, control.min_replications)), .most = most};
}

/// Two scenarios with the same random numbers, until one is better or nobody would care.
Reply compare_scenarios(const CompareRequest& request, Monitor& monitor) {
  const std::string& name_b = request.other.empty() ? request.scenario.scenario : request.other;
  const ScenarioOptions options_a = side(request, request.scenario.scenario, request.set_a);
  const ScenarioOptions options_b = side(request, name_b, request.set_b);
  const Budget budget(request.budget);
  const ReadScenario a = load_side(options_a, request.set_a, "--set-a", monitor);
  ReadScenario b = load_side(options_b, request.set_b, "--set-b", monitor);
  const RunLimits run_limits = limits_of(request.machine);
  const RunControl& control = a.scenario.run;
  const double least = least_difference_of(request, control);
  const std::vector<OutputFile> written = files_of_out(request.output);
  refuse_overlaps(written, files_read(a, request.scenario.scenario));
  refuse_overlaps(written, files_read(b, name_b));
  const std::vector<UnconfirmedScenario> both{
      {.name = name_with_changes(request.scenario.scenario, options_a.set), .scenario = a.scenario},
      {.name = name_with_changes(name_b, options_b.set), .scenario = b.scenario}};
  if (request.methods.formulas_alone())
    return by_formulas_alone(request, provenance_of(a, request.scenario.command), both);
  std::vector<std::string> notes;
  if (b.scenario.run.seed != control.seed) {
    notes.push_back("B is simulated with the seed of A, " + std::to_string(control.seed) + ", in place of its own, " +
                    std::to_string(b.scenario.run.seed));
    b.scenario.run.seed = control.seed;
  }

  PairLimits limits = limits_of(control, budget);
  const auto compared = [&](const PairedRuns& runs) {
    return compare_two({a.scenario, runs.a}, {b.scenario, runs.b}, control.confidence, limits.stopping());
  };
  Progress progress(monitor);
  auto result = replicate_pairs(
      {a.scenario, scenario_command("run", options_a)}, {b.scenario, scenario_command("run", options_b)},
      [&](const PairedRuns& runs) {
        if (runs.pairs == 0) return limits.next(0);
        const TwoScenarios so_far = compared(runs);
        const bool decided = !so_far.in_common || decision_of(so_far.numbers.front(), least) != Decision::undecided;
        return decided ? runs.pairs : limits.next(runs.pairs);
      },
      {.processes = request.machine.processes,
       .limits = run_limits,
       .progress = progress.callback(),
       .deadline = budget.deadline()});
  progress.end();
  if (const auto* failure = std::get_if<RunFailure>(&result)) {
    if (failure->kind != FailureKind::out_of_budget) throw RunFailed(*failure);
    return {.answer = unconfirmed_answer({.provenance = provenance_of(a, request.scenario.command),
                                          .budget_s = budget.seconds(),
                                          .cut = true,
                                          .scenarios = both}),
            .exit_code = ExitCode::precision_not_reached};
  }
  const PairedRuns& runs = std::get<PairedRuns>(result);
  refuse_broken_laws(summarise(runs.a, control.confidence), scenario_command("run", options_a));
  refuse_broken_laws(summarise(runs.b, control.confidence), scenario_command("run", options_b));
  // The same as a comparison that may take just so many.
  if (runs.out_of_time) limits = {.least = std::min(limits.least, runs.pairs), .most = runs.pairs};

  TwoScenariosReport report{
      .provenance =
          provenance_of(a, request.scenario.command + settings_of_replications(control, runs.pairs, runs.out_of_time)),
      .name_a = both[0].name,
      .name_b = both[1].name,
      .title_a = a.scenario.title,
      .title_b = b.scenario.title,
      .sha256_b = provenance_of(b, "").scenario_sha256,
      .comparison = compared(runs),
      .least_difference = least,
      .budget_s = budget.seconds(),
      .out_of_time = runs.out_of_time,
      .notes = std::move(notes)};
  report.decision = decision_of(report.comparison.numbers.front(), least);
  const bool undecided = report.comparison.in_common && report.decision == Decision::undecided;
  return {.answer = two_scenarios_answer(report),
          .exit_code = undecided ? ExitCode::precision_not_reached : ExitCode::answered};
}

constexpr const char* what_is_there =
    "saturn: compare needs to know what. A second scenario, or --set-b, is compared with the first; --alternatives "
    "puts CPU only,\na GPU in each worker node, a service on site and the service of the scenario into one table. "
    "For example\n"
    "  saturn compare protodune-big-batch protodune-small-batch\n"
    "  saturn compare first-steps --set-b /servers/0/devices/count=8\n"
    "  saturn compare protodune-big-batch --alternatives\n";
constexpr const char* one_at_a_time =
    "saturn: --alternatives compares one scenario with what it is not; leave out the second scenario, --set-a "
    "and --set-b, or --alternatives.\n";

}  // namespace

Reply answer_compare(const TypedCommand& typed, Monitor& monitor) {
  CompareRequest request{
      .scenario = scenario_options(typed), .machine = machine_options(typed), .output = output_options(typed)};
  typed.take("other", request.other);
  typed.take("--set-a", request.set_a);
  typed.take("--set-b", request.set_b);
  request.methods = asked_methods(typed, request.methods);
  typed.take("--least-difference", request.least_difference);
  typed.take("--budget", request.budget);
  typed.take("--alternatives", request.alternatives);
  typed.take("--node-cores", request.node_cores);
  typed.take("--core-price", request.core_price);
  const bool of_two = !request.other.empty() || !request.set_b.empty();
  if (request.alternatives && !of_two && request.set_a.empty()) return compare_with_alternatives(request, monitor);
  if (!request.alternatives && of_two) return compare_scenarios(request, monitor);
  monitor.warn(request.alternatives ? one_at_a_time : what_is_there);
  return {.exit_code = ExitCode::usage};
}

}  // namespace saturn
