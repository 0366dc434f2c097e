#include "reports/plan/search_report.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/laws/arrival_law.hpp"
#include "models/words/texts.hpp"
#include "reports/plan/falsification_report.hpp"
#include "reports/plan/sensitivity_report.hpp"
#include "reports/run/bottlenecks.hpp"
#include "reports/run/run_report.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/demands/demands.hpp"

namespace saturn {

namespace {

/// With fewer jobs than this share of those that saturate the first resource, it is not said to bind [1].
constexpr double nearly_saturated = 0.95;

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

}  // namespace

std::string bought_text(const SearchReport& report) {
  if (!report.chosen) return "";
  const Expenses expenses = compute_expenses(*report.chosen, report.terms);
  if (expenses.devices_bought == expenses.devices_working) return "";
  const std::string& device_word = report.facts.device_word;
  std::uint64_t spare = 0;
  for (const std::uint64_t nodes : spare_nodes_of(*report.chosen, report.terms)) spare += nodes;
  std::string text = counted(static_cast<double>(expenses.devices_bought), device_word) + " in " +
                     counted(static_cast<double>(expenses.nodes_bought), "node") + " are bought, " +
                     counted(static_cast<double>(expenses.devices_working), device_word) +
                     " of them to work: " + counted(static_cast<double>(spare), "node") +
                     (spare == 1 ? " is" : " are") + " in reserve";
  if (report.terms.availability)
    text += ", so that all that are needed are up " + percent_text(*report.terms.availability) +
            " of the time, each node " + percent_text(report.terms.node_availability);
  return text + ".";
}

std::optional<PlanSentence> sentence_of(const SearchReport& report) {
  if (!report.chosen || (any_open(*report.chosen) && !all_open(*report.chosen))) return std::nullopt;
  const SearchedCandidate& answer = *report.search.answer;
  const SystemFacts& facts = report.facts;
  PlanSentence sentence{.device_word = facts.device_word,
                        .binding = answer.binding,
                        .binding_kind = kind_of(facts, answer.binding),
                        .next = answer.next,
                        .next_kind = kind_of(facts, answer.next),
                        .next_at_jobs = answer.next_at_jobs,
                        .several_devices = facts.devices > 1.0};
  if (facts.all_open) {
    say_arrivals(sentence, facts, offered_per_s(*report.chosen));
  } else if (facts.jobs < nearly_saturated * answer.saturates_at_jobs) {
    sentence.binds_at_jobs = answer.saturates_at_jobs;
  }
  sentence.jobs_per_device = mean_of(answer.figures, measure("jobs_per_gpu")).value_or(0.0);
  sentence.low = sentence.high = sentence.jobs_per_device;
  sentence.usd_per_million_events = mean_of(answer.figures, measure("cost_per_million"));
  sentence.priced = priced_words(priced_parts(compute_expenses(*report.chosen, report.terms)), facts.device_word);
  sentence.cpu_only_usd_per_million = cpu_only_usd_per_million(*report.chosen);
  return sentence;
}

namespace {

using Align = TextTable::Align;

constexpr std::size_t most_shown = 12;

/// Events that take less longer need no explanation [1].
constexpr double worth_saying = 0.01;

std::string objective_words(const Objective& objective) {
  return std::string(objective.least ? "least " : "most ") + std::string(objective.figure->words);
}

std::string figure_of(const SearchedCandidate& candidate, MeasureId figure, const std::string& of = "") {
  const auto* entry = candidate.figures.find(figure, of);
  return entry == nullptr ? no_value : figure_text(figure, entry->value);
}

/// Others whose intervals reach the answer's mean are as good for all that is known.
std::string as_good_text(const PlanSearch& search, const SearchedCandidate& answer) {
  const auto* best = answer.figures.find(search.objective.figure);
  if (best == nullptr || best->exact()) return "";
  const auto as_good =
      std::count_if(search.looked_at.begin(), search.looked_at.end(), [&](const SearchedCandidate& other) {
        if (!other.rejection || other.rejection->kind != RejectionKind::worse) return false;
        const auto* entry = other.figures.find(search.objective.figure);
        return entry != nullptr && entry->value.low <= best->value.high && best->value.low <= entry->value.high;
      });
  if (as_good == 0) return "";
  return " " + counted(as_good, "other") + (as_good == 1 ? " meets" : " meet") + " everything too, and " +
         (as_good == 1 ? "its interval overlaps" : "their intervals overlap") + " with it.";
}

std::string settings_text(const SearchReport& report, const SearchedCandidate& candidate) {
  TextTable table({{"free"}, {"chosen"}, {"out of"}});
  for (std::size_t v = 0; v < report.search.variables.size(); ++v) {
    const FreeVariable& variable = report.search.variables[v];
    const std::string range = variable.values.size() == 1
                                  ? "1 value"
                                  : variable.values.front().text + " ... " + variable.values.back().text + " (" +
                                        std::to_string(variable.values.size()) + ")";
    table.add_row({variable.name, candidate.values.at(v), range});
  }
  return table.text({});
}

std::string requirements_text(const SearchReport& report, const SearchedCandidate& candidate, TextStyle style) {
  if (report.search.requirements.empty()) return "";
  TextTable table({{"required"}, {"has", Align::right}, {"margin", Align::right}, {""}});
  for (const Requirement& requirement : report.search.requirements) {
    const auto* entry = candidate.figures.find(requirement.figure, requirement.of);
    if (entry == nullptr) {
      table.add_row({requirement.text, no_value, no_value, ""});
      continue;
    }
    const double beyond = excess(requirement, entry->value.mean);
    const double worst = excess(requirement, requirement.at_most ? entry->value.high : entry->value.low);
    std::string remark = beyond > 0.0 ? "missed" : "";
    if (remark.empty() && worst > 0.0) remark = "its interval reaches beyond";
    table.add_row({requirement.text, figure_text(requirement.figure, entry->value), signed_percent_text(-beyond),
                   std::move(remark)});
  }
  return "\n" + heading("Requirements", style) + table.text(style);
}

/// Columns that the named answers and the candidates share: the values, then what they come to.
struct Columns {
  std::vector<MeasureId> figures{};

  explicit Columns(const PlanSearch& search) {
    const auto add = [this](MeasureId figure) {
      if (std::find(figures.begin(), figures.end(), figure) == figures.end()) figures.push_back(figure);
    };
    add(search.objective.figure);
    for (const Requirement& requirement : search.requirements)
      if (requirement.of.empty()) add(requirement.figure);
    add(measure("gpus"));
  }

  void add_to(std::vector<TextTable::Column>& columns) const {
    for (const MeasureId figure : figures) columns.push_back({std::string(figure->name), Align::right});
  }
  void add_to(std::vector<std::string>& cells, const SearchedCandidate& candidate) const {
    for (const MeasureId figure : figures) cells.push_back(figure_of(candidate, figure));
  }
};

std::string named_text(const SearchReport& report, TextStyle style) {
  if (report.search.named.empty()) return "";
  const Columns shown(report.search);
  std::vector<TextTable::Column> columns{{"if you want the"}};
  for (const FreeVariable& variable : report.search.variables) columns.push_back({variable.name, Align::right});
  shown.add_to(columns);
  TextTable table(std::move(columns));
  std::vector<std::pair<std::string, std::string>> notes;
  for (const NamedAnswer& one : report.search.named) {
    notes.emplace_back(one.name, one.remark);
    if (!one.candidate) continue;
    std::vector<std::string> cells{one.name};
    cells.insert(cells.end(), one.candidate->values.begin(), one.candidate->values.end());
    shown.add_to(cells, *one.candidate);
    table.add_row(std::move(cells));
  }
  return "\n" + heading("Three ways to choose", style) + table.text(style) + notes_text(notes);
}

std::string rejected_words(RejectionKind kind) {
  switch (kind) {
    case RejectionKind::invalid:
      return "are no valid scenario";
    case RejectionKind::bound:
      return "miss a requirement by the bound alone";
    case RejectionKind::cannot_win:
      return "cannot be better than the answer, by the bound";
    case RejectionKind::implied:
      return "follow from one with more of the same that failed";
    case RejectionKind::screened:
      return "miss a requirement in a short run, by far more than its noise";
    case RejectionKind::simulated:
      return "miss a requirement when simulated";
    case RejectionKind::undecided:
      return "stay undecided: the interval of a required figure holds the limit";
    case RejectionKind::worse:
      return "meet everything, but are not better by more than " + percent_text(objective_resolution);
    case RejectionKind::failed:
      return "gave no result when simulated";
    case RejectionKind::out_of_budget:
      return "were not decided when the budget ended";
  }
  return "";
}

std::string counts_text(const SearchReport& report, TextStyle style) {
  const PlanSearch& search = report.search;
  TextTable table({{"candidates", Align::right}, {"that"}, {"kind"}});
  if (search.answer) table.add_row({"1", "is the answer", ""});
  for (const auto& [kind, count] : search.counts)
    if (count > 0) table.add_row({whole_text(count), rejected_words(kind), std::string(name_of(kind))});
  return "\n" +
         heading(counted(search.candidates, "candidate") + ", " + counted(search.simulations, "simulation") + " with " +
                     counted(search.simulated_requests, "request"),
                 style) +
         table.text(style);
}

/// In a word or two: the table of kinds has the sentences, JSON and CSV the numbers.
std::string short_reason(const PlanSearch& search, const SearchedCandidate& candidate) {
  if (!candidate.rejection) return "the answer";
  std::string text(name_of(candidate.rejection->kind));
  if (candidate.rejection->requirement) text += ": " + search.requirements.at(*candidate.rejection->requirement).text;
  return text;
}

/// The answer first, then what meets everything, then the rest; in each, what was looked at more closely first, then by
/// the objective.
std::vector<const SearchedCandidate*> by_merit(const PlanSearch& search) {
  std::vector<const SearchedCandidate*> order;
  for (const SearchedCandidate& one : search.looked_at) order.push_back(&one);
  const auto rank = [&](const SearchedCandidate* one) {
    const auto* entry = one->figures.find(search.objective.figure);
    const double value = entry == nullptr ? 0.0 : entry->value.mean;
    const int merit = !one->rejection ? 0 : one->rejection->kind == RejectionKind::worse ? 1 : 2;
    return std::make_tuple(merit, -static_cast<int>(one->fidelity), search.objective.least ? value : -value);
  };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  return order;
}

std::string looked_at_text(const SearchReport& report, TextStyle style) {
  const PlanSearch& search = report.search;
  if (search.looked_at.empty()) return "";
  const Columns shown(search);
  std::vector<TextTable::Column> columns;
  for (const FreeVariable& variable : search.variables) columns.push_back({variable.name, Align::right});
  shown.add_to(columns);
  columns.push_back({"known by"});
  columns.push_back({"why not"});
  TextTable table(std::move(columns));
  const std::vector<const SearchedCandidate*> order = by_merit(search);
  const std::size_t rows = std::min(order.size(), most_shown);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string> cells = order[i]->values;
    shown.add_to(cells, *order[i]);
    cells.emplace_back(name_of(order[i]->fidelity));
    cells.push_back(short_reason(search, *order[i]));
    table.add_row(std::move(cells));
  }
  std::string text = "\n" + heading("Looked at most closely", style) + table.text(style);
  if (order.size() > rows)
    text += "  and " + whole_text(static_cast<double>(order.size() - rows)) +
            " more; --format json and csv have them all\n";
  return text;
}

std::string relaxations_text(const SearchReport& report, TextStyle style) {
  const PlanSearch& search = report.search;
  if (search.relaxations.empty()) return "";
  std::vector<TextTable::Column> columns{{"to give way"}, {"needed", Align::right}, {"by", Align::right}};
  for (const FreeVariable& variable : search.variables) columns.push_back({variable.name, Align::right});
  columns.push_back({"known by"});
  TextTable table(std::move(columns));
  for (const Relaxation& one : search.relaxations) {
    const Requirement& requirement = search.requirements.at(one.requirement);
    std::vector<std::string> cells{requirement.text, limit_text(requirement, one.needed_limit),
                                   percent_text(one.relative)};
    cells.insert(cells.end(), one.candidate.values.begin(), one.candidate.values.end());
    cells.emplace_back(one.simulated ? "simulation" : "bound");
    table.add_row(std::move(cells));
  }
  return "\n" + heading("What would make it possible, cheapest first", style) + table.text(style);
}

/// What stays open although it was simulated as long as a search simulates; empty where nothing does.
std::string undecided_text(const PlanSearch& search) {
  if (search.undecided_better.empty()) return "";
  const std::uint64_t first = search.undecided_better.front();
  const std::string values = joined(candidate_values(search, first));
  std::string text = counted(search.undecided_better.size(), "candidate");
  if (search.answer) text += " that would be better";
  text += search.undecided_better.size() == 1 ? " is UNDECIDED: " : " are UNDECIDED, the first of them: ";
  return "\n" + text + (values.empty() ? "" : values + "; ") + rejection_text(search, search.rejections.at(first)) +
         ". More replications decide (--set /run/max_replications), or a limit that is further away.\n";
}

std::string no_answer_text(const SearchReport& report) {
  const PlanSearch& search = report.search;
  if (!search.complete) return "No candidate was confirmed before the budget ended.";
  if (!search.undecided_better.empty())
    return "Undecided: no candidate is sure to meet every requirement, and " +
           counted(search.undecided_better.size(), "candidate") + " may.";
  std::string text = "No plan: none of " + counted(search.candidates, "candidate") + " meets every requirement.";
  if (search.relaxations.empty()) return text;
  const Relaxation& cheapest = search.relaxations.front();
  const Requirement& requirement = search.requirements.at(cheapest.requirement);
  if (cheapest.together) return text + " No single requirement is in the way: these would have to give together.";
  return text + " The cheapest way out: " + requirement.text + " would have to be " +
         limit_text(requirement, cheapest.needed_limit) + ", " + percent_text(cheapest.relative) + " off.";
}

/// The requirement that leaves the least room: what decides beside the objective.
std::string tightest_text(const PlanSearch& search, const SearchedCandidate& answer) {
  const Requirement* tightest = nullptr;
  double least = 0.0;
  for (const Requirement& requirement : search.requirements) {
    const auto* entry = answer.figures.find(requirement.figure, requirement.of);
    if (entry == nullptr) continue;
    const double room = -excess(requirement, entry->value.mean);
    if (tightest == nullptr || room < least) {
      tightest = &requirement;
      least = room;
    }
  }
  if (tightest == nullptr || search.requirements.size() < 2) return "";
  return "Tightest requirement: " + tightest->text + ", " + percent_text(std::max(least, 0.0)) + " of room.\n";
}

std::string answer_text(const SearchReport& report, const SearchedCandidate& answer, TextStyle style) {
  std::string text;
  const std::optional<PlanSentence> sentence = sentence_of(report);
  if (sentence) text += plan_sentence_lines(*sentence, style);
  std::string words = capitalised(objective_words(report.search.objective));
  // Simulated ones are compared in steps, see docs/models/searching-algorithm.md.
  const auto* best = answer.figures.find(report.search.objective.figure);
  if (best != nullptr && !best->exact()) words += ", to " + percent_text(objective_resolution);
  text += heading(words + ", of " + counted(report.search.candidates, "candidate") + ": " +
                      figure_of(answer, report.search.objective.figure) + "." + as_good_text(report.search, answer),
                  sentence ? TextStyle{} : style);
  if (answer.fidelity != Fidelity::full)
    text += "It is NOT CONFIRMED: the budget ended with no more than a " + std::string(name_of(answer.fidelity)) +
            " of it. How far it came depends on the machine.\n";
  else if (!report.search.complete)
    text +=
        "The budget ended before all candidates were decided, which depends on the machine: there may be a better "
        "one.\n";
  if (const std::string bought = bought_text(report); !bought.empty()) text += bought + "\n";
  const auto* slowdown = answer.figures.find(measure("slowdown"));
  if (slowdown != nullptr && slowdown->value.mean >= worth_saying && !answer.waits.empty())
    text += "Events take " + figure_text(measure("slowdown"), slowdown->value.mean) +
            " longer than when they wait for nobody: " + waits_text(answer.waits) + ".\n";
  text += tightest_text(report.search, answer);
  return text + (report.search.variables.empty() ? "" : settings_text(report, answer));
}

}  // namespace

std::string search_table(const SearchReport& report, TextStyle style) {
  std::string text = heading(report.facts.title, style);
  const std::optional<SearchedCandidate>& answer = report.search.answer;
  text += answer ? answer_text(report, *answer, style) : heading(no_answer_text(report), style);
  if (answer) text += requirements_text(report, *answer, style) + named_text(report, style);
  text += undecided_text(report.search);
  text += relaxations_text(report, style) + counts_text(report, style) + looked_at_text(report, style);
  if (answer) text += "\n" + bottlenecks_text(report.facts, {}, style);
  if (report.sensitivity) text += "\n" + sensitivity_text(*report.sensitivity, style);
  if (report.falsification) text += "\n" + falsification_text(*report.falsification, report.facts, style);
  for (const std::string& note : report.notes) text += "\n" + note + "\n";
  if (!report.run_command.empty()) text += "\nThe answer, simulated in full: " + report.run_command + "\n";
  return text + "\nsaturn " + report.provenance.version + " on SimGrid " + report.provenance.simgrid + ", seed " +
         std::to_string(report.provenance.seed) + "; again: " + report.provenance.command + "\n";
}

}  // namespace saturn
