#include <algorithm>
#include <filesystem>

#include "models/words/texts.hpp"
#include "reports/page/scenario/scenario_page.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/plan/system_facts.hpp"
#include "sim/run/single_runs.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/report/report_parts.hpp"
#include "sim/study/request.hpp"

namespace saturn {

namespace {

constexpr std::size_t timeline_samples_of_pages = 240;
constexpr std::size_t most_close_up_spans = 4'000;

/// Shares of the budget at which each study has to end; what one leaves is there for the next.
constexpr double own_until = 0.3;
constexpr double plan_until = 0.45;
constexpr double saturation_until = 0.65;
constexpr double trace_until = 0.7;
constexpr double field_until = 0.78;
constexpr double money_until = 0.86;
constexpr double ways_until = 0.9;
constexpr double measured_until = 0.95;

std::string name_of_scenario(const std::string& given) {
  if (given == "-") return "standard input";
  std::string name = std::filesystem::path(given).filename().string();
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  return name;
}

double loss_of(const ReportOptions& options, const Scenario& scenario) {
  if (options.loss && !any_open(scenario))
    refuse_input("--loss", "option.needs_arrivals",
                 "--loss is about events that arrive from outside, and none do here; jobs begin their "
                 "events themselves. --slowdown says how long events may take.");
  return parse_loss(options.loss);
}

/// The scenario as it stands, as `saturn run` simulates it; nothing where the time was over before a replication was
/// complete.
std::optional<Results> own_run(const StudyContext& context) {
  auto results = replicate(std::span(&context.scenario(), 1), context.run_options_until());
  const std::string& command = context.run_options.command;
  try {
    return answered(std::move(results.front()), command, command).summary;
  } catch (const OutOfBudget&) {
    return std::nullopt;
  }
}

RunTrace traced(const StudyContext& context, const TraceWindow& window) {
  if (context.is_over()) throw OutOfBudget();
  return traced_run(context.scenario(), 0, window, context.run_options_until());
}

/// Clients per device by the plan, with its interval.
Estimate knee_of(const PlanReport& plan) {
  const PlanAnswer& answer = plan.plan.answer;
  if (answer.calibrated_streams_per_gpu) return *answer.calibrated_streams_per_gpu;
  return {.mean = unrounded_streams_per_gpu(answer, plan.question),
          .low = answer.streams_per_gpu_low,
          .high = answer.streams_per_gpu_high,
          .confidence = answer.confidence,
          .replications = answer.slowdown.replications};
}

/// Runs the studies one after the other, and notes which of them the budget cut short.
class ScenarioReporter {
 public:
  ScenarioReporter(StudyContext context, Monitor& monitor) : context_(std::move(context)), monitor_(monitor) {}

  ScenarioStudies gathered() {
    const Scenario& scenario = context_.scenario();
    studies_.name = context_.name;
    studies_.facts = gather_facts(scenario);
    studies_.references = reference_points(scenario);
    studies_.about = first_comment(context_);
    studies_.assumptions = assumptions_of(context_);
    begin("the scenario as it stands", own_until);
    const std::optional<Results> own = own_run(context_);
    end();
    plan();
    saturation(own);
    trace();
    choices();
    evidence();
    say_what_was_cut();
    return std::move(studies_);
  }

  bool complete() const { return cut_.empty(); }

 private:
  void begin(const std::string& doing, double until) {
    doing_ = doing;
    context_.until = until;
    monitor_.doing(doing);
  }

  void end() {
    if (context_.is_over() && std::find(cut_.begin(), cut_.end(), doing_) == cut_.end()) cut_.push_back(doing_);
  }

  template <class Study, class Function>
  void study(Studied<Study>& place, const std::string& doing, double until, const Function& function) {
    begin(doing, until);
    place = studied<Study>(context_, [&]() -> Studied<Study> { return function(); });
    // What a scenario has not was not cut.
    if (place || !place.why_not.empty()) end();
  }

  void plan() {
    if (any_open(context_.scenario()) && !all_open(context_.scenario())) {
      studies_.plan.why_not =
          "events arrive from outside at some pools, while the jobs of others begin their events themselves: there is "
          "no one number to plan for.";
      return;
    }
    if (all_open(context_.scenario())) {
      study(studies_.arrivals, "the plan", plan_until,
            [&]() -> Studied<OpenPlanReport> { return {.study = arrivals_study(context_), .why_not = ""}; });
      return;
    }
    study(studies_.plan, "the plan", plan_until,
          [&]() -> Studied<PlanReport> { return {.study = plan_study(context_), .why_not = ""}; });
  }

  void saturation(const std::optional<Results>& own) {
    study(studies_.saturation, "the saturation curve", saturation_until, [&]() -> Studied<SaturationStudy> {
      if (!own) return {.study = {}, .why_not = budget_spent_text(context_)};
      const std::optional<Estimate> knee = studies_.plan ? std::optional(knee_of(*studies_.plan)) : std::nullopt;
      return {.study = saturation_study(context_, *own, knee), .why_not = ""};
    });
    const SaturationStudy* curve = studies_.saturation ? &*studies_.saturation : nullptr;
    const OpenPlan* arrivals = studies_.arrivals ? &studies_.arrivals->plan : nullptr;
    studies_.planner = planner_study(context_, curve, arrivals);
  }

  void trace() {
    const Scenario& scenario = context_.scenario();
    if (scenario.servers.empty()) return;
    study(studies_.trace, "one run over time", trace_until, [&]() -> Studied<RunTrace> {
      return {.study = traced(context_, whole_run_window(scenario, timeline_samples_of_pages)), .why_not = ""};
    });
    study(studies_.close_up, "one run over time", trace_until, [&]() -> Studied<RunTrace> {
      TraceWindow window = steady_window(scenario);
      window.most_spans = most_close_up_spans;
      return {.study = traced(context_, window), .why_not = ""};
    });
  }

  void choices() {
    const Plan* plan = studies_.plan ? &studies_.plan->plan : nullptr;
    study(studies_.field, "the map over batches and distances", field_until, [&] { return field_study(context_); });
    study(studies_.money, "costs", money_until, [&] { return money_study(context_, plan); });
    study(studies_.ways, "other ways to serve", ways_until, [&] { return ways_study(context_); });
  }

  void evidence() {
    study(studies_.measured, "the published cases", measured_until, [&] { return measured_study(context_); });
    if (!studies_.plan) return;
    study(studies_.sensitivity, "what the plan depends on", 1.0,
          [&] { return sensitivity_study(context_, studies_.plan->plan); });
  }

  void say_what_was_cut() {
    if (cut_.empty()) return;
    studies_.warnings.push_back("The budget of " + number_text(context_.budget.time()->value, 3) +
                                " s ended before all was simulated as precisely as asked, and how far it came depends "
                                "on the machine; cut short: " +
                                joined(cut_) + ". --budget gives more.");
  }

  StudyContext context_;
  Monitor& monitor_;
  ScenarioStudies studies_{};
  std::string doing_{};
  std::vector<std::string> cut_{};
};

std::vector<std::string> commands_of(const ReportOptions& options, const ScenarioStudies& studies) {
  const std::string slowdown = options.slowdown ? " --slowdown " + shell_word(*options.slowdown) : "";
  const std::string loss = options.loss ? " --loss " + shell_word(*options.loss) : "";
  const std::string exact = options.scenario.fits_exact ? " --no-calibration-draws" : "";
  const bool open = studies.facts.all_open;
  std::vector<std::string> commands{options.scenario.command,
                                    reproducing_command("plan", options.scenario) + slowdown + loss + exact,
                                    reproducing_command("run", options.scenario)};
  if (studies.trace)
    commands.push_back(reproducing_command("run", options.scenario) + " --trace trace.json --timeline timeline.csv");
  if (studies.money && !studies.money->search_command.empty()) commands.push_back(studies.money->search_command);
  if (studies.ways) commands.push_back(reproducing_command("compare", options.scenario) + " --alternatives");
  if (studies.sensitivity && !open)
    commands.push_back(reproducing_command("plan", options.scenario) + slowdown + " --sensitivity");
  if (studies.measured)
    for (const ValidationCase& validation : studies.measured->cases)
      commands.push_back("saturn validate " + shell_word(validation.about.id));
  return commands;
}

}  // namespace

ReportAnswer scenario_report(const ReportOptions& options, Monitor& monitor) {
  Complaints complaints;
  for (const std::string& option : options.typed_for_views)
    complaints.add(option, "report.only_sweeps",
                   "A scenario has no points to choose from; leave " + option + " out, or name the folder of a sweep.");
  complaints.raise();
  const Budget budget(parse_duration("--budget", options.budget));
  const ReadScenario read = load_scenario(options.scenario, monitor);
  StudyContext context{
      .read = read,
      .options = options,
      .budget = budget,
      .name = name_of_scenario(options.scenario.scenario),
      .question = {.slowdown = parse_slowdown(options.slowdown), .clients = {}},
      .loss = loss_of(options, read.scenario),
      .run_options = run_options_of(options.machine, limits_of(options.machine), options.scenario, {})};
  ScenarioReporter reporter(std::move(context), monitor);
  ScenarioStudies studies = reporter.gathered();
  studies.provenance = provenance_of(read, options.scenario.command);
  studies.provenance.fits_taken_as_exact = options.scenario.fits_exact && !read.fits.empty();
  studies.commands = commands_of(options, studies);
  const bool precise = reporter.complete() && (!studies.plan || studies.plan->plan.precision_reached);
  return {.page = scenario_page(studies), .code = precise ? ExitCode::answered : ExitCode::precision_not_reached};
}

}  // namespace saturn
