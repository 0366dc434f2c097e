#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "calibration/fitted_file.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "reports/page/fitted_page.hpp"
#include "reports/page/report_page.hpp"
#include "reports/page/scenario/scenario_page.hpp"
#include "reports/page/sweep/sweep_page.hpp"
#include "reports/run/provenance.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/web/web_files.hpp"
#include "reports/words/cells_text.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/document/text_files.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/plan/jobs_and_devices.hpp"
#include "sim/run/single_runs.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/report/figure_files.hpp"
#include "sim/study/report/report_parts.hpp"
#include "sim/study/request.hpp"
#include "sim/study/studies.hpp"
#include "sim/study/sweep/sweep_study.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

constexpr std::size_t timeline_samples_of_pages = 240;
/// Beside what may be under way when the close-up begins: a time on a core of each stream, and of each call itself and
/// its way, wait and execution so far.
constexpr double most_close_up_spans = 4'000;
constexpr double spans_of_a_call = 4;

/// Shares of the budget at which each study has to end; what one leaves is there for the next.
constexpr double own_until = 0.3;
constexpr double plan_until = 0.42;
constexpr double need_until = 0.52;
constexpr double saturation_until = 0.66;
constexpr double trace_until = 0.7;
constexpr double field_until = 0.78;
constexpr double money_until = 0.86;
constexpr double ways_until = 0.9;
constexpr double measured_until = 0.95;

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
    if (own && own->cell)
      studies_.warnings.push_back(cell_text(*own, scenario.run.precision, studies_.facts.device_word) +
                                  " What else is simulated here is answered in the same way.");
    end();
    if (own && scenario.run.horizon)
      studies_.over_time.study = RunReport{.provenance = {},
                                           .facts = studies_.facts,
                                           .summary = *own,
                                           .references = {},
                                           .replica = {},
                                           .explanation = {},
                                           .outages = scenario.outages};
    plan();
    need();
    if (own) studies_.system.study = system_study(context_, studies_.facts, *own);
    saturation(own);
    trace();
    choices(own);
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
    if (context_.scenario().run.horizon) {
      studies_.plan.why_not =
          "runs have a fixed length (/run/horizon), and what jobs meet changes in it: below is what happens over time. "
          "saturn plan simulates how many GPUs that takes, and with --free and --require 'late <= 0.1 %' searches for "
          "what is enough otherwise.";
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

  void need() {
    const Plan* plan = studies_.plan ? &studies_.plan->plan : nullptr;
    const OpenPlan* arrivals = studies_.arrivals ? &studies_.arrivals->plan : nullptr;
    study(studies_.need, "the devices needed for other loads", need_until,
          [&] { return need_study(context_, plan, arrivals); });
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
      window.most_spans = static_cast<std::size_t>(most_close_up_spans + stream_count(scenario) +
                                                   spans_of_a_call * most_outstanding(scenario));
      return {.study = traced(context_, window), .why_not = ""};
    });
  }

  void choices(const std::optional<Results>& own) {
    const Plan* plan = studies_.plan ? &studies_.plan->plan : nullptr;
    study(studies_.field, "the map over batches and distances", field_until, [&] {
      return own ? field_study(context_, *own)
                 : Studied<FieldStudy>{.study = {}, .why_not = budget_spent_text(context_)};
    });
    study(studies_.money, "costs", money_until,
          [&] { return money_study(context_, plan, studies_.need ? &*studies_.need : nullptr); });
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
    const std::string why = is_cut_short()
                                ? "An interrupt came"
                                : "The budget of " + number_text(context_.budget.time()->value, 3) + " s ended";
    studies_.warnings.push_back(why +
                                " before all was simulated as precisely as asked, and how far it came depends "
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

/// Everything that saturn can compute and simulate of a scenario.
/// @throws InputError, RunFailed
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

constexpr std::size_t largest_provenance = std::size_t{16} << 20U;

std::string text_at(const Node& parent, const char* key) {
  const Node* found = parent.find(key);
  return found != nullptr && found->kind == NodeKind::text ? found->text : "";
}

std::vector<FittedSource> fitted_at(const Node& parent) {
  std::vector<FittedSource> sources;
  const Node* list = parent.find("fitted");
  if (list == nullptr) return sources;
  for (const Node& one : list->children) {
    FittedSource source{.path = text_at(one, "path"), .sha256 = text_at(one, "sha256")};
    if (const Node* fits = one.find("fits"))
      for (const Node& fit : fits->children) source.fits.push_back(fit.text);
    sources.push_back(std::move(source));
  }
  return sources;
}

/// What provenance.json of a sweep's folder says; nothing where it is not there, torn, or none: a sweep can be read
/// without it.
std::optional<Provenance> read_sweep_provenance(const std::filesystem::path& folder) {
  std::string text;
  if (read_regular_file((folder / "provenance.json").string(), largest_provenance, text)) return std::nullopt;
  if (first_invalid_utf8(text) != std::string::npos) return std::nullopt;
  const ParsedText parsed = parse_document(text, 0);
  const Node* found = parsed.complete ? parsed.root.find("provenance") : nullptr;
  if (found == nullptr) return std::nullopt;
  Provenance provenance{.version = text_at(*found, "version"),
                        .simgrid = text_at(*found, "simgrid"),
                        .git = text_at(*found, "git"),
                        .scenario_sha256 = text_at(*found, "scenario_sha256"),
                        .command = text_at(*found, "command"),
                        .fitted = fitted_at(*found)};
  if (const Node* seed = found->find("seed")) provenance.seed = read_count(seed->text).value_or(provenance.seed);
  return provenance;
}

/// The fits of a fitted file with their points; nothing is simulated.
/// @throws InputError  not a fitted file
ReportAnswer fitted_report(const ReportOptions& options, Monitor& monitor) {
  Complaints complaints;
  for (const std::vector<std::string>& given : {options.typed_for_simulations, options.typed_for_views})
    for (const std::string& option : given)
      complaints.add(option, "report.only_fits",
                     "A fitted file's report shows what the file holds; leave " + option + " out.");
  complaints.raise();
  monitor.doing("reading the fits");
  const SavedCalibration saved = read_fitted_file(options.scenario.scenario);
  std::vector<std::string> commands;
  if (!saved.command.empty()) commands.push_back(saved.command);
  commands.push_back(options.scenario.command);
  return {.page = fitted_page(saved, options.scenario.scenario, commands)};
}

/// Options that change a simulation change nothing of one that has been done.
SweepView asked_view(const ReportOptions& options) {
  Complaints of_changes;
  for (const std::string& option : options.typed_for_simulations)
    of_changes.add(option, "report.nothing_simulated",
                   "A sweep's report shows what its folder holds, and simulates nothing; leave " + option +
                       " out, or give it to saturn sweep.");
  of_changes.raise();
  Complaints complaints;
  SweepView view = view_of(options.view, complaints);
  complaints.raise();
  return view;
}

/// Without its file, what the plan says.
Provenance provenance_of_plan(const SweepHeader& header) {
  return {.version = header.version,
          .simgrid = "not known",
          .git = "not known",
          .seed = header.seed,
          .scenario_sha256 = header.scenario_sha256,
          .command = ""};
}

ExitCode exit_code_of_points(const SweepTable& table) {
  for (const SweepRow& row : table.rows) {
    const PointStatus status = row.result.status;
    if (status == PointStatus::missing || status == PointStatus::imprecise) return ExitCode::precision_not_reached;
  }
  return ExitCode::answered;
}

/// A finished or unfinished sweep, from its folder; nothing is simulated.
/// @throws InputError  not the folder of a sweep, or its files are torn
ReportAnswer sweep_report(const ReportOptions& options, Monitor& monitor) {
  const std::string& folder = options.scenario.scenario;
  SweepSource source{.folder = folder, .view = asked_view(options)};
  const SweepPlan plan = read_plan(folder);
  monitor.doing("reading the results of " + std::to_string(plan.points.size()) + " points");
  ReadResults results = read_results(folder);
  refuse_conflicts(results);
  source.torn = results.torn;
  const SweepTable table = sweep_table(plan, std::move(results));
  refuse_faults(table, source.view);

  const std::optional<Provenance> provenance = read_sweep_provenance(folder);
  source.provenance = provenance.value_or(provenance_of_plan(plan.header));
  if (!source.provenance.command.empty()) {
    source.sweep_command = source.provenance.command + " --out " + shell_word(folder);
    source.commands.push_back(source.sweep_command);
  }
  source.commands.push_back(options.scenario.command);
  return {.page = sweep_page(for_people(table), source), .code = exit_code_of_points(table)};
}

std::filesystem::path page_of(const OutputOptions& output) {
  if (output.out) return *output.out;
  refuse_input("--out", "out.missing", "A report is a file, which needs a name, for example --out report.html.");
}

/// What a report can be about: a folder with plan.jsonl, a fitted file of `saturn calibrate`, else a scenario.
ReportAnswer reported(const ReportOptions& options, Monitor& monitor) {
  const std::string& what = options.scenario.scenario;
  std::error_code ignored;
  if (std::filesystem::is_directory(what, ignored)) return sweep_report(options, monitor);
  return is_fitted_file(what) ? fitted_report(options, monitor) : scenario_report(options, monitor);
}

void refuse_other_folders(const std::string& what) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(what, ignored) || has_plan(what)) return;
  refuse_input(what, "report.not_a_sweep",
               what +
                   " is a folder without plan.jsonl, so that it is not the folder of a sweep; name a scenario, the "
                   "folder that `saturn sweep --out` filled, or a fitted file of `saturn calibrate`.");
}

std::vector<Figure> figures_of(const ReportPage& page) {
  std::vector<Figure> figures;
  for (const PageSection& section : page.sections)
    figures.insert(figures.end(), section.figures.begin(), section.figures.end());
  return figures;
}

WrittenFile written(const std::filesystem::path& path) {
  std::error_code ignored;
  return {.path = path.string(), .bytes = std::filesystem::file_size(path, ignored)};
}

/// The files of the folder that this report's figures have, in the order of their names.
void add_figure_files(std::vector<WrittenFile>& files, const std::filesystem::path& folder) {
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.insert(entry.path());
  for (const std::filesystem::path& path : paths) files.push_back(written(path));
}

}  // namespace

Reply answer_report(const TypedCommand& typed, Monitor& monitor) {
  const OutputOptions output = output_options(typed);
  ReportOptions options{
      .scenario = scenario_options(typed), .machine = machine_options(typed), .view = view_options(typed)};
  std::optional<std::string> asked_kinds;
  typed.take("what", options.scenario.scenario);
  typed.take("--figures", asked_kinds);
  typed.take("--slowdown", options.slowdown);
  typed.take("--loss", options.loss);
  typed.take("--budget", options.budget);
  options.typed_for_views = typed.typed_of({"--metric", "--x", "--y", "--at"});
  options.typed_for_simulations = typed.typed_of({"--set", "--seed", "--slowdown", "--loss", "--budget"});
  const std::filesystem::path page_path = page_of(output);
  refuse_to_replace("--out", page_path, output.force);
  const std::string& what = options.scenario.scenario;
  refuse_overlaps({{"--out", page_path}},
                  std::filesystem::is_directory(what) ? files_of_sweep(what) : std::vector<std::string>{what});
  std::set<FigureKind> kinds;
  const std::filesystem::path folder = figure_folder_of(page_path);
  if (asked_kinds) {
    kinds = read_figure_kinds(*asked_kinds);
    refuse_kinds_without_programs(kinds, web_files());
    refuse_to_replace_figures(folder, output.force);
  }
  refuse_other_folders(what);
  ReportAnswer found = reported(options, monitor);
  monitor.doing("the page");
  write_new_file({.option = "--out", .path = page_path, .text = report_html(found.page, web_files())});
  std::vector<WrittenFile> files{written(page_path)};
  if (asked_kinds) {
    monitor.doing("the figures");
    write_figures(figures_of(found.page), folder, kinds, web_files());
    add_figure_files(files, folder);
  }
  return {.answer = written_report_answer(found.page, files), .exit_code = found.code};
}

}  // namespace saturn
