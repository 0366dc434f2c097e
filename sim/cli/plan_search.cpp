#include <algorithm>
#include <functional>
#include <iostream>
#include <utility>

#include "models/bounds.hpp"
#include "reports/number_text.hpp"
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
#include "sim/plan/falsify.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/search.hpp"
#include "sim/plan/searched_runs.hpp"
#include "sim/plan/sensitivity_of.hpp"

namespace saturn {

namespace {

/// Below it no number of nodes that anybody has would be enough [1].
constexpr double least_node_availability = 0.01;

/// With fewer jobs than this share of those that saturate the first resource, it is not said to bind [1].
constexpr double nearly_saturated = 0.95;

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
  if (terms.node_availability < least_node_availability)
    throw InputError(
        {{.source = "--node-availability " + *options.node_availability,
          .code = "option.out_of_range",
          .text = "Nodes that are up less than 1 % of the time are no reserve for each other; give 1 % or more.",
          .excerpt = ""}});
  return terms;
}

std::vector<Override> overrides_from(const std::vector<std::string>& settings) {
  std::vector<Override> overrides;
  for (const std::string& text : settings) overrides.push_back(parse_override(text));
  return overrides;
}

std::optional<double> mean_of(const CandidateFigures& figures, MeasureId figure) {
  const auto* entry = figures.find(figure);
  if (entry == nullptr) return std::nullopt;
  return entry->value.mean;
}

double offered_per_s(const Scenario& scenario) {
  double rate = 0.0;
  for (const JobPool& pool : scenario.jobs)
    if (pool.arrivals) rate += mean_rate(*pool.arrivals).value;
  return rate;
}

/// What is bought beyond what works; empty where nothing is.
std::string bought_text(const Scenario& scenario, const PurchaseTerms& terms, const std::string& device_word) {
  const Expenses expenses = expenses_of(scenario, terms);
  if (expenses.devices_bought == expenses.devices_working) return "";
  std::uint64_t spare = 0;
  for (const std::uint64_t nodes : spare_nodes_of(scenario, terms)) spare += nodes;
  std::string text = counted(static_cast<double>(expenses.devices_bought), device_word) + " in " +
                     counted(static_cast<double>(expenses.nodes_bought), "node") + " are bought, " +
                     counted(static_cast<double>(expenses.devices_working), device_word) +
                     " of them to work: " + counted(static_cast<double>(spare), "node") +
                     (spare == 1 ? " is" : " are") + " in reserve";
  if (terms.availability)
    text += ", so that all that are needed are up " + percent_text(*terms.availability) + " of the time, each node " +
            percent_text(terms.node_availability);
  return text + ".";
}

PlanSentence sentence_of(const SearchedCandidate& answer, const Scenario& scenario, const SystemFacts& facts,
                         const PurchaseTerms& terms) {
  PlanSentence sentence{.device_word = facts.device_word,
                        .binding = answer.binding,
                        .binding_kind = kind_of(facts, answer.binding),
                        .next = answer.next,
                        .next_kind = kind_of(facts, answer.next),
                        .next_at_jobs = answer.next_at_jobs,
                        .several_devices = facts.devices > 1.0};
  if (facts.all_open) {
    say_arrivals(sentence, facts, offered_per_s(scenario));
  } else if (facts.jobs < nearly_saturated * answer.saturates_at_jobs) {
    sentence.binds_at_jobs = answer.saturates_at_jobs;
  }
  sentence.jobs_per_device = mean_of(answer.figures, measure("jobs_per_gpu")).value_or(0.0);
  sentence.low = sentence.high = sentence.jobs_per_device;
  sentence.usd_per_million_events = mean_of(answer.figures, measure("cost_per_million"));
  sentence.priced = priced_words(priced_parts(expenses_of(scenario, terms)), facts.device_word);
  sentence.cpu_only_usd_per_million = cpu_only_usd_per_million(scenario);
  return sentence;
}

/// Settings that repeat the look that the answer rests on, each once.
std::vector<Override> in_full(const ReadScenario& read, const SearchedCandidate& answer,
                              const SearchQuestion& question) {
  const std::vector<Override> settings = overrides_from(answer.settings);
  std::vector<Override> once;
  for (const Override& one : settings) {
    const auto same = [&](const Override& other) { return other.pointer == one.pointer && other.value == one.value; };
    if (std::none_of(once.begin(), once.end(), same)) once.push_back(one);
  }
  std::uint64_t replications = 1;
  for (const CandidateFigures::Entry& entry : answer.figures.entries)
    if (!entry.exact()) replications = std::max<std::uint64_t>(replications, entry.value.replications);
  for (const Override& one : full_look_settings(read.again(settings), question, answer.longer, replications))
    once.push_back(one);
  return once;
}

/// A scenario of the candidate, and what is known of it without simulation.
void describe(SearchReport& report, const PlanOptions& options, const SearchQuestion& question,
              const PurchaseTerms& terms, const ReadScenario& read, const std::string& command) {
  if (!report.search.answer) {
    report.facts = facts_of(read.scenario);
    return;
  }
  const SearchedCandidate& answer = *report.search.answer;
  const Scenario chosen = read.again(overrides_from(answer.settings));
  report.facts = facts_of(chosen);
  report.bought = bought_text(chosen, terms, report.facts.device_word);
  if (all_open(chosen) || !any_open(chosen)) report.sentence = sentence_of(answer, chosen, report.facts, terms);
  const PublishedFormula published = published_formula(chosen);
  if (published.why_not.empty()) {
    report.formula_clients_per_gpu = published.formula.clients_per_gpu();
    report.formula_event_time_s = published.formula.event_time_s();
  }
  report.run_command = with_settings(command, in_full(read, answer, question)) +
                       (options.scenario.seed ? " --seed " + std::to_string(*options.scenario.seed) : "");
}

/// What would contradict the answer; nothing where events arrive from outside.
std::optional<Falsification> falsified_answer(const SearchedCandidate& answer, const ReadScenario& read,
                                              RunOptions options, std::optional<std::uint64_t> seed) {
  const std::vector<Override> settings = overrides_from(answer.settings);
  const Scenario chosen = read.again(settings);
  if (any_open(chosen)) return std::nullopt;
  options.command = with_settings(options.command, settings);
  return falsified_plan(chosen, options, seed, 0.0, 0.0);
}

/// The answer's scenario as files to deploy.
std::vector<EmittedConfig> configs_of_answer(const SearchReport& report, const PurchaseTerms& terms,
                                             const ReadScenario& read, RunOptions run_options,
                                             const PlanOptions& options, std::optional<Falsification> falsification) {
  const std::vector<Override> settings = overrides_from(report.search.answer->settings);
  const Scenario chosen = read.again(settings);
  run_options.command = with_settings(run_options.command, settings);
  PlannedRuns runs(chosen, run_options);
  return with_deployed(configs_to_emit(chosen, options), chosen, runs.evaluate(std::span(&chosen, 1)).front(), options,
                       {.spare_nodes = spare_nodes_of(chosen, terms), .falsification = std::move(falsification)});
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
    if (free) names += (names.empty() ? "" : ", ") + name;
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

void show(const PlanSearch& search, bool shown) {
  if (shown) std::cerr << "  " << search_progress_text(search) << "\n" << std::flush;
}

ExitCode exit_code_of(const PlanSearch& search) {
  if (!search.complete || !search.undecided_better.empty()) return ExitCode::precision_not_reached;
  return search.answer ? ExitCode::answered : ExitCode::no_plan;
}

}  // namespace

bool is_search(const PlanOptions& options) {
  const SearchOptions& search = options.search;
  return !search.free.empty() || !search.gpus.empty() || !search.node_sizes.empty() || !search.require.empty() ||
         search.objective || search.events;
}

ExitCode plan_search(const PlanOptions& options, const ReadScenario& read, const Budget& budget) {
  SearchOptions asked = options.search;
  asked.slowdown = options.slowdown;
  const SearchQuestion question = understand(asked, read);
  const PurchaseTerms terms = terms_of(options, question);
  configs_to_emit(read.scenario, options);  // complains before anything is simulated
  const std::string command = scenario_command("run", options.scenario);
  const RunOptions run_options{.processes = options.machine.processes,
                               .limits = limits_of(options.machine),
                               .command = command,
                               .progress = {},
                               .deadline = budget.deadline()};
  CandidateRuns runs(run_options);
  const bool live = !options.output.quiet && options.output.format == Format::table;
  const SearchControl control{.out_of_time = [&] { return budget.is_spent(); },
                              .improved = [&](const PlanSearch& search) { show(search, live); }};

  SearchReport report;
  report.search = search_plan(question, terms, read.again, runs.evaluator(), control);
  describe(report, options, question, terms, read, command);
  const auto unless_spent = [&](const std::string& what, const std::function<void()>& work) {
    try {
      if (budget.is_spent()) throw OutOfBudget();
      work();
    } catch (const OutOfBudget&) {
      report.search.complete = false;
      report.notes.push_back("The budget left no time for " + what + ".");
    }
  };
  if (report.search.answer && options.sensitivity)
    unless_spent("--sensitivity", [&] {
      CandidateRuns paired(run_options, CandidateRuns::Keep::replications);
      const Objective judged = judged_by(report.search);
      report.sensitivity = sensitivity_of_candidate(*report.search.answer, judged, terms, read, read.again,
                                                    paired.evaluator(), assumed_uncertainty);
      if (judged.figure != question.objective.figure)
        report.notes.push_back("Inputs do not move " + std::string(question.objective.figure->words) +
                               " until a requirement is missed: the sensitivity is that of " +
                               std::string(judged.figure->words) + ", the requirement with the least room.");
    });
  std::optional<Falsification> falsification;
  if (report.search.answer && (options.falsify || options.emit))
    unless_spent("what would contradict the plan", [&] {
      falsification = falsified_answer(*report.search.answer, read, run_options, options.scenario.seed);
    });
  if (options.falsify) report.falsification = falsification;
  if (report.search.answer)
    for (std::string& note : free_items(read.scenario, read.again(overrides_from(report.search.answer->settings))))
      report.notes.push_back(std::move(note));
  if (leaves_out_cores(report.search, read.scenario))
    report.notes.emplace_back(
        "Power and energy are those of the devices alone: give /costs/core_power to count the cores as well.");
  if (!uncertain_fits(read).empty())
    report.notes.emplace_back(
        "Fitted parameters are taken as exact here; `saturn run` with the settings above draws them.");
  std::vector<EmittedConfig> configs;
  if (report.search.answer && options.emit)
    unless_spent("--emit, of which nothing was written", [&] {
      configs = configs_of_answer(report, terms, read, run_options, options, std::move(falsification));
    });
  report.provenance = provenance_of(read, command_of(options));
  give({.table = [&](TextStyle style) { return search_table(report, style); },
        .json = [&] { return search_json(report); },
        .csv = [&] { return search_csv(report); }},
       options.output);
  emit(configs, options.output.quiet);
  return exit_code_of(report.search);
}

}  // namespace saturn
