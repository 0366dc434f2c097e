#include <algorithm>
#include <iostream>
#include <utility>

#include "models/bounds.hpp"
#include "reports/price_list.hpp"
#include "reports/search_report.hpp"
#include "scenarios/complaint.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/fit_draws.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/budget.hpp"
#include "sim/cli/candidate_runs.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/facts.hpp"
#include "sim/cli/falsified_plan.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/cli/plan_options.hpp"
#include "sim/cli/planned_runs.hpp"
#include "sim/cli/progress.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/search.hpp"
#include "sim/plan/sensitivity_of.hpp"

namespace saturn {

namespace {

/// A share of 1 that lies strictly between 0 and 1.
double availability(const std::string& option, const std::string& text) {
  const double value = parse_fraction(option, text);
  if (!(value < 1.0))
    throw InputError({{.source = option + " " + text,
                       .code = "option.out_of_range",
                       .text = "Nothing is up all the time: an availability lies below 100 %, for example \"99.9 %\".",
                       .excerpt = ""}});
  return value;
}

PurchaseTerms terms_of(const PlanOptions& options, const SearchQuestion& question) {
  PurchaseTerms terms{.spare_nodes = options.spare_nodes, .campaign_events = question.campaign_events};
  if (options.availability) terms.availability = availability("--availability", *options.availability);
  if (options.node_availability)
    terms.node_availability = availability("--node-availability", *options.node_availability);
  return terms;
}

std::vector<Override> overrides_from(const std::vector<std::string>& settings) {
  std::vector<Override> overrides;
  for (const std::string& text : settings) overrides.push_back(parse_override(text));
  return overrides;
}

std::string kind_of(const SystemFacts& facts, const std::string& resource) {
  const auto found = std::find_if(facts.knees.begin(), facts.knees.end(),
                                  [&](const KneeFact& knee) { return knee.resource == resource; });
  return found == facts.knees.end() ? "" : found->kind;
}

std::optional<double> mean_of(const CandidateFigures& figures, Figure figure) {
  const auto* entry = figures.find(figure);
  if (entry == nullptr) return std::nullopt;
  return entry->value.mean;
}

PlanSentence sentence_of(const SearchedCandidate& answer, const Scenario& scenario, const SystemFacts& facts,
                         const PurchaseTerms& terms) {
  PlanSentence sentence{.device_word = facts.device_word,
                        .binding = answer.binding,
                        .binding_kind = kind_of(facts, answer.binding),
                        .next = answer.next,
                        .next_kind = kind_of(facts, answer.next),
                        .next_at_jobs = answer.next_at_jobs};
  sentence.jobs_per_device = mean_of(answer.figures, Figure::jobs_per_gpu).value_or(0.0);
  sentence.low = sentence.high = sentence.jobs_per_device;
  sentence.usd_per_million_events = mean_of(answer.figures, Figure::cost_per_million);
  sentence.priced = priced_words(priced_parts(expenses_of(scenario, terms)), facts.device_word);
  sentence.cpu_only_usd_per_million = cpu_only_usd_per_million(scenario);
  return sentence;
}

/// A scenario of the candidate, and what is known of it without simulation.
void describe(SearchReport& report, const PlanOptions& options, const PurchaseTerms& terms, const ReadScenario& read,
              const std::string& command) {
  if (!report.search.answer) {
    report.facts = facts_of(read.scenario);
    return;
  }
  const SearchedCandidate& answer = *report.search.answer;
  const Scenario chosen = read.again(overrides_from(answer.settings));
  report.facts = facts_of(chosen);
  if (!any_open(chosen)) report.sentence = sentence_of(answer, chosen, report.facts, terms);
  const PublishedFormula published = published_formula(chosen);
  if (published.why_not.empty()) {
    report.formula_clients_per_gpu = published.formula.clients_per_gpu();
    report.formula_event_time_s = published.formula.event_time_s();
  }
  report.run_command = with_settings(command, overrides_from(answer.settings)) +
                       (options.scenario.seed ? " --seed " + std::to_string(*options.scenario.seed) : "");
}

/// What would contradict the answer; nothing where events arrive from outside.
std::optional<Falsification> falsified_answer(const SearchedCandidate& answer, const ReadScenario& read,
                                              RunOptions options) {
  const std::vector<Override> settings = overrides_from(answer.settings);
  const Scenario chosen = read.again(settings);
  if (any_open(chosen)) return std::nullopt;
  options.command = with_settings(options.command, settings);
  return falsified_plan(chosen, options, 0.0, 0.0);
}

/// The answer's scenario as files to deploy.
std::vector<EmittedConfig> configs_of_answer(const SearchReport& report, const PurchaseTerms& terms,
                                             const ReadScenario& read, RunOptions run_options,
                                             const PlanOptions& options) {
  const std::vector<Override> settings = overrides_from(report.search.answer->settings);
  const Scenario chosen = read.again(settings);
  run_options.command = with_settings(run_options.command, settings);
  PlannedRuns runs(chosen, run_options);
  return with_deployed(configs_to_emit(chosen, options), chosen, runs.evaluate(std::span(&chosen, 1)).front(), options,
                       {.spare_nodes = spare_nodes_of(chosen, terms), .falsification = report.falsification});
}

/// Models whose batches the answer makes larger although the law says that items cost nothing.
std::vector<std::string> free_items(const Scenario& before, const Scenario& chosen) {
  std::vector<std::string> notes;
  for (const auto& [name, model] : chosen.models) {
    const auto old = before.models.find(name);
    if (old == before.models.end() || model.max_batch_size <= old->second.max_batch_size) continue;
    const bool free = std::any_of(model.service.begin(), model.service.end(), [](const auto& law) {
      return law.second.points.empty() && mean(law.second.per_item).value == 0.0;
    });
    if (free)
      notes.push_back("The service law of " + name +
                      " has no cost per item, so larger batches seem free here: give it per_item, or measured points, "
                      "before believing this answer.");
  }
  return notes;
}

void show(const PlanSearch& search, bool shown) {
  if (shown) std::cerr << "  " << search_progress_text(search) << "\n" << std::flush;
}

ExitCode exit_code_of(const PlanSearch& search) {
  if (!search.complete) return ExitCode::precision_not_reached;
  return search.answer ? ExitCode::answered : ExitCode::no_plan;
}

}  // namespace

bool is_search(const PlanOptions& options) {
  const SearchOptions& search = options.search;
  return !search.free.empty() || !search.gpus.empty() || !search.node_sizes.empty() || !search.require.empty() ||
         search.objective || search.events;
}

ExitCode plan_search(const PlanOptions& options, const ReadScenario& read) {
  SearchOptions asked = options.search;
  asked.slowdown = options.slowdown;
  const SearchQuestion question = understand(asked, read);
  const PurchaseTerms terms = terms_of(options, question);
  const Budget budget(options.budget);
  configs_to_emit(read.scenario, options);  // complains before anything is simulated
  const std::string command = scenario_command("run", options.scenario);
  Progress progress(options.output.quiet, options.machine.timing);
  const RunOptions run_options{
      .processes = options.machine.processes, .limits = limits_of(options.machine), .command = command, .progress = {}};
  CandidateRuns runs(run_options);
  const bool live = !options.output.quiet && options.output.format == Format::table;
  const SearchControl control{.out_of_time = [&] { return budget.is_spent(); },
                              .improved = [&](const PlanSearch& search) { show(search, live); }};

  SearchReport report;
  report.search = search_plan(question, terms, read.again, runs.evaluator(), control);
  describe(report, options, terms, read, command);
  if (report.search.answer && options.sensitivity) {
    CandidateRuns paired(run_options, CandidateRuns::Keep::replications);
    report.sensitivity = sensitivity_of_candidate(*report.search.answer, question.objective, terms, read, read.again,
                                                  paired.evaluator(), assumed_uncertainty);
  }
  if (report.search.answer && (options.falsify || options.emit))
    report.falsification = falsified_answer(*report.search.answer, read, run_options);
  if (report.search.answer)
    report.notes = free_items(read.scenario, read.again(overrides_from(report.search.answer->settings)));
  if (!uncertain_fits(read).empty())
    report.notes.emplace_back(
        "Fitted parameters are taken as exact here; `saturn run` with the settings above draws them.");
  std::vector<EmittedConfig> configs;
  if (report.search.answer && options.emit) configs = configs_of_answer(report, terms, read, run_options, options);
  report.provenance = provenance_of(read, command_of(options));
  progress.end();
  give({.table = [&](TextStyle style) { return search_table(report, style); },
        .json = [&] { return search_json(report); },
        .csv = [&] { return search_csv(report); }},
       options.output);
  emit(configs, options.output.quiet);
  return exit_code_of(report.search);
}

}  // namespace saturn
