#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/plan/search_report.hpp"
#include "reports/sweep/sweep_summary.hpp"
#include "reports/words/escaped_text.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/inputs/fitted_values.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/search/search.hpp"
#include "sim/plan/search/searched_runs.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/request.hpp"
#include "sim/sweep/run_sweep.hpp"

namespace saturn {

namespace {

/// Below it no number of nodes that anybody has would be enough [1].
constexpr double least_node_availability = 0.01;

/// A share of 1 that lies strictly between 0 and 1.
double availability(const std::string& option, const std::string& text) {
  const double value = parse_fraction(option, text);
  if (!(value < 1.0))
    refuse_input(option + " " + text, "option.out_of_range",
                 "Nothing is up all the time: an availability lies below 100 %, for example \"99.9 %\".");
  return value;
}

/// What no bound and no mean speaks of.
void refuse_beyond_formulas(const SearchQuestion& question, const Methods& methods) {
  if (!methods.formulas_alone()) return;
  Complaints complaints;
  if (!methods.has(Method::bounds))
    complaints.add(
        "--method " + methods.text(), "option.no_formula",
        "Candidates are judged by bounds or by simulation; mean value analysis only ranks them. Beside --free, "
        "--gpus and --require, --method takes bounds, simulation, or both, with or without mva.");
  for (const Requirement& requirement : question.requirements)
    if (is_quantile(requirement.figure->average))
      complaints.add("--require '" + requirement.text + "'", "option.no_formula",
                     "Bounds know means, and no quantile that a requirement could be held to. Require a mean, such as "
                     "latency or event_time, or say --method " +
                         methods.text() + ",simulation.");
  complaints.raise();
}

PurchaseTerms terms_of(const PlanRequest& options, const SearchQuestion& question) {
  PurchaseTerms terms{.spare_nodes = options.spare_nodes, .campaign_events = question.campaign_events};
  if (options.availability) terms.availability = availability("--availability", *options.availability);
  if (options.node_availability)
    terms.node_availability = availability("--node-availability", *options.node_availability);
  if (terms.node_availability && *terms.node_availability < least_node_availability)
    refuse_input("--node-availability " + *options.node_availability, "option.out_of_range",
                 "Nodes that are up less than 1 % of the time are no reserve for each other; give 1 % or more.");
  return terms;
}

/// Settings that repeat the look that the answer rests on, each once.
std::vector<Override> in_full(const Scenario& chosen, const SearchedCandidate& answer, const SearchQuestion& question) {
  std::vector<Override> once;
  for (const Override& one : answer.settings) {
    const auto same = [&](const Override& other) { return other.pointer == one.pointer && other.value == one.value; };
    if (std::none_of(once.begin(), once.end(), same)) once.push_back(one);
  }
  std::uint64_t replications = 1;
  for (const CandidateFigures::Entry& entry : answer.figures.entries)
    if (!entry.exact()) replications = std::max<std::uint64_t>(replications, entry.value.replications);
  for (const Override& one : full_look_settings(chosen, question, answer.longer, replications)) once.push_back(one);
  return once;
}

/// The command that simulates the answer in full.
std::string run_command(const SearchReport& report, const PlanRequest& options, const SearchQuestion& question,
                        const std::string& command) {
  return with_settings(command, in_full(*report.chosen, *report.search.answer, question)) +
         seed_option(options.scenario.seed);
}

/// What would contradict the answer; nothing where events arrive from outside.
std::optional<Falsification> falsified_answer(const SearchReport& report, RunOptions options,
                                              std::optional<std::uint64_t> seed) {
  if (any_open(*report.chosen)) return std::nullopt;
  options.command = with_settings(options.command, report.search.answer->settings);
  return falsified_plan(*report.chosen, options, seed, 0.0, 0.0);
}

/// The answer's scenario as files to deploy.
std::vector<AnswerFile> configs_of_answer(const SearchReport& report, RunOptions run_options,
                                          const PlanRequest& options, std::optional<Falsification> falsification) {
  const Scenario& chosen = *report.chosen;
  run_options.command = with_settings(run_options.command, report.search.answer->settings);
  PlannedRuns runs(chosen, run_options);
  return with_deployed(configs_to_emit(chosen, options), chosen, runs.evaluate(chosen), options,
                       {.required = requirement_texts(report.search), .falsification = std::move(falsification)},
                       report.terms);
}

/// Models whose batches the answer makes larger although the law says that items cost nothing.
std::vector<std::string> free_items(const Scenario& before, const Scenario& chosen) {
  std::string names;
  for (const auto& [name, model] : chosen.models) {
    const auto old = before.models.find(name);
    if (old == before.models.end() || model.max_batch_size <= old->second.max_batch_size) continue;
    const bool free = std::any_of(model.service.begin(), model.service.end(), [](const auto& law) {
      return law.second.points.empty() && mean(law.second.per_item).value == 0.0;
    });
    if (free) append_part(names, name);
  }
  if (names.empty()) return {};
  return {"Larger batches seem free here, since the service laws have no cost per item (" + names +
          "): give per_item, or measured points, before believing this answer."};
}

/// What sensitivities are taken of: the objective, or, where that only counts what is chosen, the requirement with the
/// least room.
Objective judged_by(const PlanSearch& search) {
  const auto* objective = search.answer->figures.find(search.objective.figure);
  if (objective == nullptr || !objective->exact()) return search.objective;
  Objective judged = search.objective;
  double least = 0.0;
  for (const Requirement& requirement : search.requirements) {
    const auto* entry = search.answer->figures.find(requirement.figure, requirement.of);
    if (entry == nullptr || entry->exact() || !requirement.of.empty()) continue;
    const double room = -excess(requirement, entry->value.mean);
    if (judged.figure != search.objective.figure && room >= least) continue;
    judged = {.figure = requirement.figure, .least = requirement.at_most, .name = requirement.text};
    least = room;
  }
  return judged;
}

/// Where the power of cores is not known, energy is that of devices alone, which must not go unsaid.
bool leaves_out_cores(const PlanSearch& search, const Scenario& scenario) {
  const auto of_power = [](MeasureId figure) { return is_of_power(figure->unit); };
  const bool asked = of_power(search.objective.figure) ||
                     std::any_of(search.requirements.begin(), search.requirements.end(),
                                 [&](const Requirement& requirement) { return of_power(requirement.figure); });
  return asked && !scenario.costs.core_power;
}

/// Where no time is drawn, a quantile says less than who requires one may think.
bool are_quantiles_of_constants(const PlanSearch& search, const Scenario& scenario) {
  return has_constant_times(scenario) &&
         std::any_of(search.requirements.begin(), search.requirements.end(),
                     [](const Requirement& requirement) { return is_quantile(requirement.figure->average); });
}

/// That such quantiles are not those of a service, and what to try.
std::string spread_text(const ReadScenario& read) {
  const std::string command = settings_of_spread(read.scenario, !read.fits.empty());
  return "NOTHING VARIES in this scenario: all jobs and batches take just as long as all others, so that its quantiles "
         "are those of waiting and of unlike requests alone. Near saturation a spread makes them several times as "
         "long. " +
         (command.empty() ? "" : "One of 20 %: " + command + "; ") +
         "from measurements: calibrate --fit, --quantities p95.";
}

/// Says how far a search is: what it has simulated, how many candidates may still be the answer, and how long it takes
/// to decide these at the rate so far.
class SearchLine {
 public:
  explicit SearchLine(Monitor& monitor) : monitor_(monitor) {}

  void note_replication() {
    ++replications_;
    say();
  }

  void note_left(std::uint64_t left) {
    if (!rate_) {
      rate_.emplace(left);
      begun_ = SweepMeter::Clock::now();
      first_left_ = left;
      left_ = left;
    }
    // A better answer may turn out to miss a requirement: those that it had decided come back.
    left_ = std::min(left_, left);
    say();
  }

 private:
  void say() {
    std::string text = "searching, " + counted(replications_, "replication") + " so far";
    if (rate_ && left_ > 0) {
      text += ", " + std::to_string(left_) + " of " + counted(first_left_, "candidate") + " undecided";
      const std::chrono::duration<double> elapsed = SweepMeter::Clock::now() - begun_;
      const double remaining_s = rate_->remaining_s(first_left_ - left_, elapsed.count());
      // The first decisions are of candidates far from the answer, and go fast.
      const bool is_telling = 4 * (first_left_ - left_) >= first_left_ && elapsed.count() > telling_s;
      if (is_telling && remaining_s > 0.0) text += ": " + spoken_time(remaining_s) + " at this rate";
    }
    monitor_.doing(text);
  }

  static constexpr double telling_s = 5.0;

  Monitor& monitor_;
  SweepMeter::Clock::time_point begun_{};
  std::uint64_t replications_ = 0;
  std::uint64_t first_left_ = 0;
  std::uint64_t left_ = 0;
  std::optional<SweepRate> rate_{};  // since begun_, when it was first known how many candidates there are
};

ExitCode exit_code_of(const PlanSearch& search) {
  if (!search.complete || !search.undecided_better.empty()) return ExitCode::precision_not_reached;
  return search.answer ? ExitCode::answered : ExitCode::no_plan;
}

}  // namespace

std::string settings_of_spread(const Scenario& scenario, bool has_fits) {
  std::string settings;
  for (std::size_t j = 0; j < scenario.jobs.size() && settings.empty(); ++j)
    for (std::size_t i = 0; i < scenario.jobs[j].event.size() && settings.empty(); ++i)
      if (const auto* cpu = std::get_if<CpuStage>(&scenario.jobs[j].event[i]);
          cpu != nullptr && mean(cpu->time).value > 0)
        settings = "--set '/jobs/" + std::to_string(j) + "/event/" + std::to_string(i) +
                   "/cpu={\"lognormal\":{\"mean\":\"" + exact_seconds(mean(cpu->time).value) + "\",\"cv\":0.2}}'";
  // Beside a fit no scatter may stand.
  if (!has_fits) append_part(settings, "--set '/models/*/service/*/scatter=20 %'", " ");
  return settings;
}

bool is_search(const PlanRequest& options) {
  const SearchOptions& search = options.search;
  return !search.free.empty() || !search.gpus.empty() || !search.node_sizes.empty() || !search.require.empty() ||
         search.objective || search.events;
}

Reply plan_search(const PlanRequest& request, const ReadScenario& read, const Budget& budget, Monitor& monitor) {
  SearchOptions asked = request.search;
  asked.slowdown = request.slowdown;
  const SearchQuestion question = understand(asked, read);
  refuse_beyond_formulas(question, request.methods);
  const PurchaseTerms terms = terms_of(request, question);
  configs_to_emit(read.scenario, request);  // complains before anything is simulated
  RunOptions run_options =
      run_options_of(request.machine, limits_of(request.machine), request.scenario, budget.deadline());
  const Progress line_of_progress(monitor);  // ends the line that says how many
  SearchLine line(monitor);
  run_options.progress = [&](std::uint32_t, std::uint32_t) { line.note_replication(); };
  CandidateRuns runs(run_options);
  // Formulas of a million candidates take longer than a user may want to wait.
  let_signals_cut_short();
  const SearchControl control{.out_of_time = [&] { return budget.is_spent(); },
                              .improved =
                                  [&](const PlanSearch& search) {
                                    monitor.preview([&] { return "  " + search_progress_text(search) + "\n"; });
                                  },
                              .left = [&](std::uint64_t left) { line.note_left(left); },
                              .formulas_alone = request.methods.formulas_alone()};

  SearchReport report{.provenance = provenance_of(read, request.scenario.command),
                      .facts = {},
                      .search = search_plan(question, terms, read.again, runs.evaluator(), control),
                      .terms = terms};
  if (report.search.answer) {
    report.chosen = read.again(report.search.answer->settings);
    report.run_command = run_command(report, request, question, run_options.command);
  }
  report.facts = gather_facts(report.chosen ? *report.chosen : read.scenario);
  const auto unless_spent = [&](const std::string& what, const std::function<void()>& work) {
    if (budget.allows(work)) return;
    report.search.complete = false;
    report.notes.push_back("No time was left for " + what + ".");
  };
  if (report.search.answer && request.sensitivity)
    unless_spent("--sensitivity", [&] {
      CandidateRuns paired(run_options, CandidateRuns::Keep::replications);
      const Objective judged = judged_by(report.search);
      report.sensitivity = analyse_candidate_sensitivity(*report.search.answer, judged, terms, read, read.again,
                                                         paired.evaluator(), assumed_uncertainty);
      if (judged.figure != question.objective.figure)
        report.notes.push_back("Inputs do not move " + std::string(question.objective.figure->words) +
                               " until a requirement is missed: the sensitivity is that of " +
                               std::string(judged.figure->words) + ", the requirement with the least room.");
    });
  std::optional<Falsification> falsification;
  if (report.search.answer && (request.falsify || request.emit))
    unless_spent("what would contradict the plan",
                 [&] { falsification = falsified_answer(report, run_options, request.scenario.seed); });
  if (request.falsify) report.falsification = falsification;
  if (report.search.answer)
    for (std::string& note : free_items(read.scenario, *report.chosen)) report.notes.push_back(std::move(note));
  if (leaves_out_cores(report.search, read.scenario))
    report.notes.emplace_back(
        "Power and energy are those of the devices alone: give /costs/core_power to count the cores as well.");
  if (are_quantiles_of_constants(report.search, read.scenario)) report.notes.push_back(spread_text(read));
  if (report.search.variables.empty())
    report.notes.push_back(
        "Nothing was to choose from; --gpus " +
        (read.scenario.servers.size() > 1 ? shell_word(read.scenario.servers.front().name + "=") : "") +
        "1:16, for example, searches numbers of devices.");
  if (!uncertain_fits(read).empty())
    report.notes.emplace_back(
        "Fitted parameters are taken as exact here; `saturn run` with the settings above draws them.");
  if (const std::string cells = runs.cells().text(); !cells.empty()) report.notes.push_back(cells);
  std::vector<AnswerFile> configs;
  if (report.search.answer && request.emit)
    unless_spent("--emit, of which nothing was written",
                 [&] { configs = configs_of_answer(report, run_options, request, std::move(falsification)); });
  if (!configs.empty())
    if (std::string text = unsaid_by_chart(*report.chosen); !text.empty()) report.notes.push_back(std::move(text));
  const ExitCode exit_code = exit_code_of(report.search);
  return with_files({.answer = search_answer(report), .exit_code = exit_code}, std::move(configs));
}

}  // namespace saturn
