#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/results/calibrated_results.hpp"
#include "models/words/texts.hpp"
#include "reports/plan/plan_report.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/inputs/fitted_values.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/jobs_and_devices.hpp"
#include "sim/plan/plan.hpp"
#include "sim/study/measured/validation.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

constexpr std::size_t plan_draws = 200;
/// Streams that a plan may be asked for.
constexpr double most_planned_clients = 1e12;

}  // namespace

void add_calibration(Plan& plan, const ReadScenario& read, const PlanQuestion& question, const Deadline& deadline) {
  const std::vector<std::size_t> uncertain = uncertain_fits(read);
  const double fitted = instant_streams_per_gpu(read.scenario, question.slowdown, question.past_saturation);
  if (uncertain.empty() || !std::isfinite(fitted)) return;
  PlanAnswer& answer = plan.answer;
  const double clients = unrounded_streams_per_gpu(answer, question);
  std::vector<CalibrationShare> shares;
  for (const std::size_t number : uncertain) {
    const UsedFit& fit = read.fits[number];
    std::vector<double> moved;
    for (const DrawnScenario& drawn : drawn_scenarios(read, number, plan_draws).scenarios) {
      if (is_past(deadline)) throw OutOfBudget();
      moved.push_back(
          clients *
          (instant_streams_per_gpu(drawn.scenario, question.slowdown, question.past_saturation) / fitted - 1.0));
    }
    shares.push_back({.about = fit.about,
                      .half_width = interval_factor(fit.parameters, answer.confidence) * root_mean_square(moved)});
  }
  Estimate estimate{.mean = clients,
                    .low = answer.streams_per_gpu_low,
                    .high = answer.streams_per_gpu_high,
                    .confidence = answer.confidence,
                    .replications = answer.slowdown.replications};
  widen(estimate, std::move(shares));
  estimate.low = std::max(0.0, estimate.low);
  answer.streams_per_gpu_low = estimate.low;
  answer.streams_per_gpu_high = estimate.high;
  answer.calibrated_streams_per_gpu = std::move(estimate);
}

namespace {

/// For how many streams devices are asked; absent: for those of the scenario.
/// @throws InputError  plan.too_many_jobs
std::optional<std::uint64_t> asked_clients(const PlanRequest& request, const Scenario& scenario) {
  if (!request.jobs) return std::nullopt;
  const double jobs = job_count(scenario);
  const double streams_per_job = stream_count(scenario) / jobs;
  const double clients = static_cast<double>(*request.jobs) * streams_per_job;
  if (clients > most_planned_clients)
    refuse_input("--jobs " + std::to_string(*request.jobs), "plan.too_many_jobs",
                 "Their streams are more than 1,000,000,000,000, for which no plan is made; ask for fewer.");
  return static_cast<std::uint64_t>(std::llround(clients));
}

/// The measurements that would contradict the plan. What the fits leave open is in the answer's interval already.
/// @param half_width  of the predicted clients per device without it, relative [1]
/// @param measured  the system that is measured, which the command of the options describes
Falsification falsified(const PlanAnswer& answer, double half_width, const Scenario& measured, RunOptions run_options,
                        std::optional<std::uint64_t> seed) {
  double fitted = 0.0;
  if (const std::optional<Estimate>& calibrated = answer.calibrated_streams_per_gpu) {
    for (const CalibrationShare& share : calibrated->parts->calibration)
      fitted = std::hypot(fitted, share.half_width / calibrated->mean);
    half_width = std::hypot(half_width, fitted);
    // The predictions are those of the fitted values; the commands that repeat them must not draw others.
    run_options.command += " --no-calibration-draws";
  }
  return falsified_plan(measured, run_options, seed, half_width, fitted);
}

Sensitivity sensitivity_of(const Plan& plan, const PlanQuestion& question, const ReadScenario& read,
                           const RunOptions& options) {
  CandidateRuns runs(options, CandidateRuns::Keep::replications);
  return analyse_plan_sensitivity(plan, question, read, read.again, runs.evaluator(), assumed_uncertainty);
}

/// Devices of several servers are counted in steps; said where these are coarse beside what was found.
void say_steps(Answer& answer, const Scenario& scenario, std::uint64_t devices) {
  constexpr std::uint64_t fine = 10;  // steps, of which one more is a tenth
  if (scenario.servers.size() < 2) return;
  const DeviceFleet fleet(scenario);
  const Scenario step = fleet.with_steps(1);
  const std::uint64_t in_step = device_count(step);
  if (in_step == 0 || devices >= fine * in_step) return;
  const Scenario found = fleet.with_steps(std::max<std::uint64_t>(1, devices / in_step));
  std::vector<std::string> numbers;
  std::string options;
  bool in_nodes = true;
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const Server& server = scenario.servers[s];
    const bool by_node = server.nodes != 1;
    in_nodes = in_nodes && by_node;
    const std::uint64_t number = by_node ? step.servers[s].nodes : step.servers[s].devices.count;
    numbers.push_back(std::to_string(number));
    const std::uint64_t most = found.servers[s].nodes * found.servers[s].devices.count;
    if (most > 0)
      options += " --gpus " + server.name + "=" + std::to_string(by_node ? server.devices.count : 1) + ":" +
                 std::to_string(most);
  }
  const std::string word(device_word_of(scenario));
  answer.say("Servers grow together, in steps of " + joined(numbers, ":") +
                 (in_nodes ? " nodes (" + counted(in_step, word) + ")" : " " + word + "s") +
                 ", the proportion of the scenario; each by itself:" + options + ".",
             {"steps"});
}

/// What the files that were written leave out.
void say_unsaid_by_chart(Answer& answer, const Scenario& planned) {
  if (const std::string text = unsaid_by_chart(planned); !text.empty()) answer.say(text, {"emit"});
}

/// Does what there is time for, and names in `left_out` what there was none for: bool(what, work), whether it was done.
auto unless_spent_of(const Budget& budget, std::vector<std::string>& left_out) {
  return [&](const std::string& what, const std::function<void()>& work) {
    const bool done = budget.allows(work);
    if (!done) left_out.push_back(what);
    return done;
  };
}

/// How many jobs a device carries, and how many devices the jobs need.
Reply plan_clients(const PlanRequest& request, const ReadScenario& read, const Budget& budget, Monitor& monitor) {
  const double slowdown = parse_slowdown(request.slowdown);
  const PlanQuestion question{.slowdown = slowdown,
                              .clients = asked_clients(request, read.scenario),
                              .past_saturation = request.past_saturation,
                              .also_within = other_tolerance(slowdown),
                              .also_alone = true,
                              .methods = request.methods};
  const bool simulates = !request.methods.formulas_alone();
  if (request.methods == Methods{Method::mva}) refuse_without_mva(read.scenario);
  const RunLimits limits = limits_of(request.machine);
  std::vector<AnswerFile> configs = configs_to_emit(read.scenario, request);
  PlanReport report{.provenance = provenance_of(read, request.scenario.command),
                    .facts = gather_facts(read.scenario),
                    .question = question,
                    .plan = {},
                    .over_a_horizon = has_no_steady_state(read.scenario)};
  // The formulas answer in microseconds, so nobody should wait for the simulations to see them.
  if (!simulates)
    report.formula_errors = formula_errors(read, request.scenario, request.methods);
  else if (request.methods != Methods{Method::simulation})
    monitor.preview([&] {
      Answer formulas{.says_provenance = false};
      add_methods(formulas, instant_rows(read.scenario, question.slowdown, question.methods), question.slowdown,
                  report.facts);
      return terminal_text(formulas, {}, true) + (report.over_a_horizon ? "  now simulating the number of devices ...\n"
                                                                        : "  now simulating to confirm ...\n");
    });

  Progress progress(monitor);
  const RunOptions run_options =
      run_options_of(request.machine, limits, request.scenario, budget.deadline(), &progress);
  PlannedRuns runs(read.scenario, run_options);
  const PlanAnswer& answer = report.plan.answer;
  const bool fits_drawn = simulates && !request.scenario.fits_exact && !uncertain_fits(read).empty();
  const auto unless_spent = unless_spent_of(budget, report.left_out);
  bool emits = false;
  try {
    report.plan = make_plan(read.scenario, question, [&](std::span<const Scenario> scenarios) {
      if (budget.is_spent()) throw OutOfBudget();
      return runs.evaluate_means(scenarios);
    });
    const double half_width = relative_half_width(report.plan);
    if (fits_drawn)
      unless_spent("what the fits leave open",
                   [&] { add_calibration(report.plan, read, question, budget.deadline()); });
    if (report.over_a_horizon && (request.sensitivity || request.falsify))
      monitor.warn(
          "saturn: --sensitivity and --falsify are of the jobs a GPU carries, which no run over a horizon tells\n");
    if (request.sensitivity && !report.over_a_horizon)
      unless_spent("--sensitivity",
                   [&] { report.sensitivity = sensitivity_of(report.plan, question, read, run_options); });
    std::optional<Falsification> falsification;
    if (!report.over_a_horizon && (request.falsify || (request.emit && answer.gpus)))
      unless_spent("what would contradict the plan", [&] {
        // What is deployed has other devices than the scenario, and its README speaks of those.
        const Scenario measured = request.emit && answer.gpus
                                      ? planned_scenario(read.scenario, stream_count(read.scenario), *answer.gpus)
                                      : read.scenario;
        RunOptions options = run_options;
        options.command = runs.command_of(measured);
        falsification = falsified(answer, half_width, measured, options, request.scenario.seed);
      });
    if (request.falsify) report.falsification = falsification;
    emits = request.emit && answer.gpus && unless_spent("--emit, of which nothing was written", [&] {
              const Scenario planned =
                  planned_scenario(read.scenario, static_cast<double>(answer.clients), *answer.gpus);
              configs = with_deployed(std::move(configs), planned, runs.evaluate(planned), request,
                                      {.falsification = std::move(falsification)});
            });
  } catch (const std::domain_error& none) {
    progress.end();
    if (request.falsify) monitor.warn("saturn: --falsify: " + why_not_falsified(read.scenario) + "\n");
    return reply_without_plan(none.what(), std::move(report.provenance));
  }
  progress.end();

  report.provenance.fits_taken_as_exact = !fits_drawn && !uncertain_fits(read).empty();
  if (!report.plan.precision_reached && has_constant_times(read.scenario))
    report.spread = settings_of_spread(read.scenario, !read.fits.empty());
  const bool everything = report.plan.precision_reached && report.left_out.empty();
  // The scenario's own number of jobs asks for nothing: that no devices carry them is an answer then.
  const bool none_carry = question.clients && !answer.why_no_gpus.empty() && !report.plan.budget_spent;
  const ExitCode exit_code = none_carry   ? ExitCode::no_plan
                             : everything ? ExitCode::answered
                                          : ExitCode::precision_not_reached;
  if (none_carry || !emits) configs.clear();
  Reply reply{.answer = plan_answer(report), .exit_code = exit_code};
  if (answer.gpus || answer.gpus_by_bound || answer.gpus_by_mva)
    say_steps(*reply.answer, read.scenario,
              answer.gpus ? *answer.gpus : std::max(answer.gpus_by_bound.value_or(0), answer.gpus_by_mva.value_or(0)));
  runs.cells().say(*reply.answer);
  if (!configs.empty()) say_unsaid_by_chart(*reply.answer, read.scenario);
  return with_files(std::move(reply), std::move(configs));
}

/// What contradicts such a plan is a rate of arrivals, not a number of jobs.
void refuse_to_falsify_arrivals(const PlanRequest& request) {
  if (!request.falsify) return;
  refuse_input("--falsify", "option.needs_closed_jobs",
               "Events arrive from outside at a pool of this scenario: no number of jobs saturates anything there, and "
               "--falsify knows no other measurement of it. Take the arrivals away, for example with --set "
               "/jobs/0/arrivals=null (and /jobs/0/buffer=null), to plan for jobs that begin their events themselves; "
               "devices and models are the same.");
}

/// How many devices events need that arrive from outside.
Reply plan_arrivals(const PlanRequest& request, const ReadScenario& read, const Budget& budget, Monitor& monitor) {
  refuse_to_falsify_arrivals(request);
  const double loss = parse_loss(request.loss);
  if (!all_open(read.scenario))
    refuse_input(request.scenario.scenario, "plan.mixed_jobs",
                 "Events arrive from outside at some pools, while the jobs of others begin their events "
                 "themselves: there is no one number to plan for. Plan with the pools of one kind, and "
                 "use run to see both together.");
  if (request.methods == Methods{Method::mva})
    refuse_input("--method mva", "option.no_formula",
                 "Mean value analysis does not apply: events arrive from outside, and it knows no number of devices "
                 "that serves them. For this scenario --method takes bounds, simulation, or both.");
  std::vector<AnswerFile> configs = configs_to_emit(read.scenario, request);
  if (!request.scenario.fits_exact && !uncertain_fits(read).empty())
    monitor.note("warning: a plan for events that arrive takes fitted parameters as exact; `saturn run` draws them.\n");
  Progress progress(monitor);
  PlannedRuns runs(read.scenario, run_options_of(request.machine, limits_of(request.machine), request.scenario,
                                                 budget.deadline(), &progress));
  OpenPlanReport report{.provenance = provenance_of(read, request.scenario.command), .facts = {}, .plan = {}};
  const auto plan_by = [&](const Methods& methods) {
    return plan_open(
        read.scenario, loss, [&](std::span<const Scenario> scenarios) { return runs.evaluate(scenarios); }, methods);
  };
  try {
    const auto unless_spent = unless_spent_of(budget, report.left_out);
    const auto simulated = [&] { report.plan = plan_by(request.methods); };
    if (request.methods.formulas_alone() || !unless_spent("a simulated number of devices", simulated))
      report.plan = plan_by({Method::bounds});
    const Scenario planned = planned_scenario(read.scenario, stream_count(read.scenario), report.plan.gpus);
    report.facts = gather_facts(planned);
    if (request.emit)
      unless_spent("--emit, of which nothing was written",
                   [&] { configs = with_deployed(std::move(configs), planned, runs.evaluate(planned), request); });
  } catch (const std::domain_error& none) {
    return reply_without_plan(none.what(), std::move(report.provenance));
  }
  if (!report.left_out.empty()) configs.clear();
  Reply reply{.answer = open_plan_answer(report),
              .exit_code = report.left_out.empty() ? ExitCode::answered : ExitCode::precision_not_reached};
  runs.cells().say(*reply.answer);
  if (!configs.empty()) say_unsaid_by_chart(*reply.answer, read.scenario);
  return with_files(std::move(reply), std::move(configs));
}

PlanRequest plan_request(const TypedCommand& typed) {
  PlanRequest request{
      .scenario = scenario_options(typed), .machine = machine_options(typed), .output = output_options(typed)};
  request.methods = asked_methods(typed, request.methods);
  typed.take("--slowdown", request.slowdown);
  typed.take("--loss", request.loss);
  typed.take("--past-saturation", request.past_saturation);
  typed.take("--jobs", request.jobs);
  typed.take("--free", request.search.free);
  typed.take("--gpus", request.search.gpus);
  typed.take("--node-sizes", request.search.node_sizes);
  typed.take("--require", request.search.require);
  typed.take("--objective", request.search.objective);
  typed.take("--events", request.search.events);
  typed.take("--spare-nodes", request.spare_nodes);
  typed.take("--availability", request.availability);
  typed.take("--node-availability", request.node_availability);
  typed.take("--budget", request.budget);
  typed.take("--sensitivity", request.sensitivity);
  typed.take("--falsify", request.falsify);
  typed.take("--emit", request.emit);
  return request;
}

void refuse_jobs_of_arrivals(Complaints& complaints) {
  complaints.add("--jobs", "option.needs_closed_jobs",
                 "Events arrive from outside here, and no number of jobs is planned for; leave it out. Simulations at "
                 "once are --workers.");
}

/// Options that only a search understands would silently do nothing.
/// @param open  events arrive from outside
void refuse_without_search(const PlanRequest& request, bool open) {
  Complaints complaints;
  for (const auto& [option, given] : {std::pair{"--spare-nodes", request.spare_nodes > 0},
                                      {"--availability", request.availability.has_value()},
                                      {"--node-availability", request.node_availability.has_value()},
                                      {"--sensitivity", request.sensitivity && open}})
    if (given)
      complaints.add(option, "option.needs_free",
                     std::string(option) +
                         " belongs to a search: say what may be chosen, for example --free "
                         "/servers/0/devices/count=1:8, and what is best, for example --objective cost.");
  if (open && request.jobs) refuse_jobs_of_arrivals(complaints);
  complaints.raise();
}

/// Options of the other kinds of plans would silently do nothing in a search.
void refuse_with_search(const PlanRequest& request, const Scenario& scenario) {
  Complaints complaints;
  const auto refuse = [&](const std::string& option, const std::string& way_out) {
    complaints.add(option, "option.not_with_free", option + " means nothing where candidates are searched: " + way_out);
  };
  if (request.jobs && any_open(scenario)) refuse_jobs_of_arrivals(complaints);
  const auto chooses_jobs = [](const std::string& variable) {
    const std::vector<std::string> keys = split_pointer(variable.substr(0, variable.find('=')));
    return keys.size() == 3 && keys.front() == "jobs" && keys.back() == "count";
  };
  const std::vector<std::string>& free = request.search.free;
  if (request.jobs && std::any_of(free.begin(), free.end(), chooses_jobs))
    refuse("--jobs", "their number is chosen by --free.");
  if (request.loss) refuse("--loss", "write --require 'lost_share <= " + *request.loss + "'.");
  if (request.past_saturation) refuse("--past-saturation", "the requirements alone decide how far jobs may wait.");
  if (request.falsify && any_open(scenario))
    refuse("--falsify", "events arrive from outside, and no number of jobs saturates anything there.");
  complaints.raise();
}

/// The scenario with the jobs that were asked for, as if they had been typed with --set.
ReadScenario with_asked_jobs(const ReadScenario& read, PlanRequest& request) {
  const Scenario asked = with_streams(read.scenario, static_cast<double>(*asked_clients(request, read.scenario)));
  for (std::size_t p = 0; p < asked.jobs.size(); ++p)
    request.scenario.set.push_back("/jobs/" + std::to_string(p) + "/count=" + std::to_string(asked.jobs[p].count));
  Monitor silent;  // what is to be said of the file has been said
  return load_scenario(request.scenario, silent);
}

}  // namespace

Reply answer_plan(const TypedCommand& typed, Monitor& monitor) {
  PlanRequest request = plan_request(typed);
  const Budget budget(request.budget);
  ReadScenario read = load_scenario(request.scenario, monitor);
  std::vector<OutputFile> written = files_of_out(request.output);
  for (const AnswerFile& config : configs_to_emit(read.scenario, request)) written.push_back({"--emit", config.path});
  if (request.emit)
    for (const std::string& file : deployment_files(read.scenario))
      written.push_back({"--emit", std::filesystem::path(*request.emit) / file});
  refuse_overlaps(written, files_read(read, request.scenario.scenario));
  if (is_search(request)) {
    refuse_with_search(request, read.scenario);
    if (request.jobs) read = with_asked_jobs(read, request);
    return plan_search(request, read, budget, monitor);
  }
  refuse_without_search(request, any_open(read.scenario));
  return any_open(read.scenario) ? plan_arrivals(request, read, budget, monitor)
                                 : plan_clients(request, read, budget, monitor);
}

}  // namespace saturn
