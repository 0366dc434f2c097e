#include "reports/plan/search_report.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "models/laws/arrival_law.hpp"
#include "models/words/texts.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

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

/// What is bought beyond what works, in a sentence; empty: nothing.
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
  if (!report.terms.availability) return text + ".";
  text +=
      ", so that all that are needed are up " + percent_text(*report.terms.availability) + " of the time, each node";
  if (report.terms.node_availability) return text + " " + percent_text(*report.terms.node_availability) + ".";
  std::set<std::string> of_servers;
  for (const Server& server : report.chosen->servers)
    of_servers.insert(percent_text(node_availability(server)) + (server.failures ? " by its failures" : ""));
  return text + " " + joined({of_servers.begin(), of_servers.end()}) + ".";
}

/// "GPUs 45.36, cores 360": what a rent of several parts is made of; nothing for one part.
std::string rent_parts_text(const SearchReport& report) {
  const Expenses expenses = compute_expenses(*report.chosen, report.terms);
  std::vector<std::string> parts;
  for (const auto& [name, usd_per_h] : {std::pair{report.facts.device_word + "s", expenses.devices_usd_per_h},
                                        {"hosts", expenses.nodes_usd_per_h},
                                        {"cores", expenses.cores_usd_per_h},
                                        {"electricity", expenses.electricity_usd_per_h}})
    if (usd_per_h && *usd_per_h > 0.0) parts.push_back(name + " " + number_text(*usd_per_h));
  return parts.size() > 1 ? joined(parts) : "";
}

}  // namespace

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
  } else if (facts.jobs < answer.saturates_at_jobs) {
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

/// "latency of emtrk is 210 ms (at most 200 ms)"; with its interval where that holds the limit.
std::string missed(const PlanSearch& search, const Rejection& rejection) {
  if (!rejection.requirement) return "a requirement is missed";
  const Requirement& requirement = search.requirements.at(*rejection.requirement);
  std::string text(requirement.figure->words);
  if (!requirement.of.empty()) text += " of " + requirement.of;
  const std::string asked =
      (requirement.at_most ? "(at most " : "(at least ") + figure_text(requirement.figure, requirement.limit) + ")";
  if (rejection.kind == RejectionKind::undecided)
    return text + " is " + figure_text(requirement.figure, rejection.interval.value()) +
           ", and the interval holds the limit " + asked;
  return text + " is " + figure_text(requirement.figure, rejection.value) + " " + asked;
}

std::string saturation(const Rejection& rejection) {
  return rejection.binding.empty() ? "" : "; " + rejection.binding + " saturates first";
}

/// The values of a candidate, in the order of the variables.
std::string values_text(const PlanSearch& search, std::uint64_t candidate) {
  std::vector<std::string> values(search.variables.size());
  for (std::size_t v = search.variables.size(); v-- > 0;) {
    const std::vector<FreeValue>& choices = search.variables[v].values;
    const std::string name = search.variables.size() > 1 ? search.variables[v].name + " = " : "";
    values[v] = name + choices.at(candidate % choices.size()).text;
    candidate /= choices.size();
  }
  return joined(values);
}

}  // namespace

std::string rejection_text(const PlanSearch& search, const Rejection& rejection) {
  switch (rejection.kind) {
    case RejectionKind::invalid:
      return "no valid scenario: " + rejection.words;
    case RejectionKind::bound:
      return "by the bound alone, " + missed(search, rejection) + saturation(rejection);
    case RejectionKind::cannot_win:
      return "by the bound, " + std::string(search.objective.figure->words) + " cannot be better than " +
             figure_text(search.objective.figure, rejection.value);
    case RejectionKind::implied:
      return "with more of the same, " + missed(search, rejection) +
             (rejection.than ? " (" + values_text(search, *rejection.than) + ")" : "");
    case RejectionKind::screened:
      return "in a short run, " + missed(search, rejection) + saturation(rejection);
    case RejectionKind::simulated:
      return "simulated, " + missed(search, rejection) + saturation(rejection);
    case RejectionKind::undecided:
      return "simulated as long as may be, " + missed(search, rejection);
    case RejectionKind::worse:
      return "meets everything; " + std::string(search.objective.figure->words) + " is " +
             figure_text(search.objective.figure, rejection.value);
    case RejectionKind::failed:
      return "its simulation gave no result: " + rejection.words;
    case RejectionKind::out_of_budget:
      return "not decided when time was over";
  }
  return "";
}

std::string search_progress_text(const PlanSearch& search) {
  if (!search.answer) return "no candidate meets everything so far";
  const SearchedCandidate& best = *search.answer;
  std::string text = best.fidelity == Fidelity::formula || best.fidelity == Fidelity::mva
                         ? "by the " + std::string(name_of(best.fidelity)) + ": "
                         : "simulated: ";
  std::vector<std::string> values;
  for (std::size_t v = 0; v < best.values.size(); ++v)
    values.push_back(search.variables.at(v).name + " = " + best.values[v]);
  text += joined(values);
  if (const auto* entry = best.figures.find(search.objective.figure))
    text += (best.values.empty() ? "" : "; ") + std::string(search.objective.figure->words) + " " +
            figure_text(search.objective.figure, entry->value);
  return text;
}

bool is_by_formula(const SearchedCandidate& candidate) {
  return candidate.fidelity == Fidelity::formula || candidate.fidelity == Fidelity::mva;
}

std::string choices_text(const FreeVariable& variable) {
  if (variable.values.size() == 1) return "1 value";
  // "64 GPUs", without in which nodes.
  const auto brief = [](const FreeValue& value) {
    return value.node_size == 0 ? value.text : value.text.substr(0, value.text.find(": "));
  };
  // Several sizes of nodes stand one after the other.
  const auto [least, most] = std::ranges::minmax_element(
      variable.values, {}, [](const FreeValue& value) { return value.nodes * value.node_size; });
  return std::to_string(variable.values.size()) + " values, " + brief(*least) + " to " + brief(*most);
}

namespace {

/// Chosen values that the first screen has room for.
constexpr std::size_t most_values_on_screen = 4;

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
  return counted(as_good, "other") + (as_good == 1 ? " meets" : " meet") + " everything too, and " +
         (as_good == 1 ? "its interval overlaps" : "their intervals overlap") + " with it.";
}

/// What stays open although it was simulated as long as a search simulates; empty where nothing does.
std::string undecided_text(const PlanSearch& search) {
  if (search.undecided_better.empty()) return "";
  const std::uint64_t first = search.undecided_better.front();
  const std::string values = values_text(search, first);
  std::string text = counted(search.undecided_better.size(), "candidate");
  if (search.answer) text += " that would be better";
  text += search.undecided_better.size() == 1 ? " is UNDECIDED: " : " are UNDECIDED, the first of them: ";
  return text + (values.empty() ? "" : values + "; ") + rejection_text(search, search.rejections.at(first)) +
         ". More replications decide (--set /run/max_replications), or a limit that is further away.";
}

/// "at least 24 % of that to spare", of a limit and the end of the answer's interval that is nearest to it.
std::string room_text(const Requirement& requirement, const Estimate& value, bool bounded) {
  if (excess(requirement, value.mean) > 0.0) return "missed, as far as it was simulated";
  const double room = -excess(requirement, worst_end(requirement, value));
  if (room < 0.0) return "its interval reaches beyond";
  return (bounded                   ? "no more than "
          : value.low == value.high ? ""
                                    : "at least ") +
         percent_text(room) + " of that to spare";
}

/// The requirement that leaves the least room: what decides beside the objective.
void add_tightest(Table& screen, const SearchReport& report) {
  const PlanSearch& search = report.search;
  const SearchedCandidate& answer = *search.answer;
  const Requirement* tightest = nullptr;
  const CandidateFigures::Entry* has = nullptr;
  double least = 0.0;
  for (const Requirement& requirement : search.requirements) {
    const auto* entry = answer.figures.find(requirement.figure, requirement.of);
    if (entry == nullptr) continue;
    // Where a bound is 0 it says nothing of what is required.
    if (entry->value.mean == 0.0 && is_by_formula(answer)) continue;
    const double room = -excess(requirement, entry->value.mean);
    if (tightest != nullptr && room >= least) continue;
    tightest = &requirement;
    has = entry;
    least = room;
  }
  if (tightest == nullptr) return;
  // A formula bounds what is not counted or priced, and knows nothing of how far from its bound it is.
  const bool bounded = tightest->figure->average != Average::constant && is_by_formula(answer);
  const bool of_constants =
      is_quantile(tightest->figure->average) && report.chosen && has_constant_times(*report.chosen);
  const std::string at_best = bounded ? tightest->at_most ? "at least " : "at most " : "";
  add_line(screen, "tightest", at_best + figure_text(tightest->figure, has->value),
           (bounded ? "by the bound, where " : "where ") + tightest->text + " is required: " +
               room_text(*tightest, has->value, bounded) + (of_constants ? ", as long as NOTHING VARIES" : ""));
}

bool is_required(const PlanSearch& search, const MeasureId& figure) {
  return std::any_of(search.requirements.begin(), search.requirements.end(),
                     [&](const Requirement& requirement) { return requirement.figure == figure; });
}

/// Requirements of requests, for example, say nothing of how much longer events take, which must not go unsaid.
void add_unasked_slowdown(Table& screen, const PlanSearch& search, const SearchedCandidate& answer) {
  const auto* entry = answer.figures.find(measure("slowdown"));
  if (entry == nullptr || is_required(search, measure("slowdown"))) return;
  const bool bounded = is_by_formula(answer);
  // A bound below 0, where a balancer may prefer faster servers, says nothing.
  const std::string value = figure_text(measure("slowdown"), entry->value);
  add_line(screen, "slowdown",
           !bounded                  ? value
           : entry->value.mean > 0.0 ? "at least " + value
                                     : "none",
           std::string(bounded ? "by the bound; " : "") +
               "nothing is required of how long events take: --slowdown '1 %' would");
}

/// Formulas say nothing of some figures: whoever requires something of them must not think that it is met.
void add_unjudged(Table& screen, const PlanSearch& search, const SearchedCandidate& answer) {
  if (!is_by_formula(answer)) return;
  std::vector<std::string> unjudged;
  for (const Requirement& requirement : search.requirements)
    if (answer.figures.find(requirement.figure, requirement.of) == nullptr) unjudged.push_back(requirement.text);
  if (!unjudged.empty())
    add_line(screen, "not judged", "",
             joined(unjudged) + ": the formulas say nothing of it; --method bounds,simulation does");
}

/// What keeps the answer from being one: the search ended before it was simulated in full, or before the interval of
/// what is required lay within the limit. Empty where nothing does.
std::string why_unconfirmed(const PlanSearch& search) {
  if (!search.answer || search.formulas_alone) return "";
  if (search.answer->fidelity != Fidelity::full)
    return "the search ended with no more than a " + std::string(name_of(search.answer->fidelity)) + " of it";
  for (const Requirement& requirement : search.requirements) {
    const auto* entry = search.answer->figures.find(requirement.figure, requirement.of);
    if (entry != nullptr && excess(requirement, worst_end(requirement, entry->value)) > 0.0)
      return "the search ended while the interval of what it has reached beyond " + requirement.text;
  }
  return "";
}

void add_best(Table& screen, const SearchReport& report) {
  const PlanSearch& search = report.search;
  const SearchedCandidate& answer = *search.answer;
  std::string words = std::string(search.objective.least ? "least " : "most ") +
                      std::string(search.objective.figure->words) + ", of " + counted(search.candidates, "candidate");
  const auto* best = answer.figures.find(search.objective.figure);
  // Simulated ones are compared in steps, see docs/models/searching-algorithm.md.
  if (best != nullptr && !best->exact()) words += ", to " + percent_text(objective_resolution);
  if (search.objective.figure == measure("rent"))
    if (const std::string parts = rent_parts_text(report); !parts.empty()) words += " (" + parts + ")";
  add_line(screen, why_unconfirmed(search).empty() ? "best" : "NOT CONFIRMED",
           best == nullptr ? no_value : figure_text(search.objective.figure, best->value), words);
  for (std::size_t v = 0; v < std::min(search.variables.size(), most_values_on_screen); ++v)
    add_line(screen, v == 0 ? "with" : "", answer.values.at(v),
             search.variables[v].name + "; " + choices_text(search.variables[v]));
  if (search.variables.size() > most_values_on_screen)
    add_line(screen, "", "", "and " + std::to_string(search.variables.size() - most_values_on_screen) + " more");
}

/// Better than the answer, and meet everything as far as they were simulated when the budget ended.
std::string promising_text(const PlanSearch& search) {
  if (!search.answer || search.complete) return "";
  const auto* best = search.answer->figures.find(search.objective.figure);
  if (best == nullptr) return "";
  const double sign = search.objective.least ? 1.0 : -1.0;
  const SearchedCandidate* first = nullptr;
  double first_value = best->value.mean;
  std::uint64_t number = 0;
  for (const SearchedCandidate& one : search.looked_at) {
    if (!one.rejection || one.rejection->kind != RejectionKind::out_of_budget || is_by_formula(one)) continue;
    const auto* entry = one.figures.find(search.objective.figure);
    if (entry == nullptr || sign * (entry->value.mean - best->value.mean) >= 0.0) continue;
    const bool meets =
        std::all_of(search.requirements.begin(), search.requirements.end(), [&](const Requirement& requirement) {
          const auto* has = one.figures.find(requirement.figure, requirement.of);
          return has != nullptr && excess(requirement, has->value.mean) <= 0.0;
        });
    if (!meets) continue;
    ++number;
    if (sign * (entry->value.mean - first_value) > 0.0) continue;
    first = &one;
    first_value = entry->value.mean;
  }
  if (first == nullptr) return "";
  return counted(number, "better candidate") + (number == 1 ? " meets" : " meet") +
         " everything as far as the budget let " + (number == 1 ? "it" : "them") + " be simulated" +
         (number == 1 ? ": " : "; the best of them: ") + values_text(search, first->index) + ", with " +
         figure_text(search.objective.figure, first->figures.find(search.objective.figure)->value) +
         ". More time, or fewer choices around it, decides.";
}

/// A chosen number of nodes of those in steps, with the numbers beside it that were tried.
struct SteppedChoice {
  const FreeVariable* variable = nullptr;
  std::uint64_t node_size = 0;
  std::uint64_t below = 0;
  std::uint64_t chosen = 0;
  std::uint64_t above = 0;  ///< where the range ends with the choice, as far as the one below is
};

std::vector<SteppedChoice> stepped_choices(const PlanSearch& search) {
  std::vector<SteppedChoice> found;
  for (std::size_t v = 0; search.answer && v < search.variables.size(); ++v) {
    const FreeVariable& variable = search.variables[v];
    const auto chosen = std::find_if(variable.values.begin(), variable.values.end(),
                                     [&](const FreeValue& value) { return value.text == search.answer->values.at(v); });
    if (chosen == variable.values.begin() || chosen == variable.values.end() || chosen->node_size == 0) continue;
    const FreeValue& below = *std::prev(chosen);
    if (below.node_size != chosen->node_size || chosen->nodes <= below.nodes + 1) continue;
    const auto next = std::next(chosen);
    const bool ends = next == variable.values.end() || next->node_size != chosen->node_size;
    found.push_back({.variable = &variable,
                     .node_size = chosen->node_size,
                     .below = below.nodes,
                     .chosen = chosen->nodes,
                     .above = ends ? 2 * chosen->nodes - below.nodes : next->nodes});
  }
  return found;
}

/// What lies beside the chosen numbers of devices and was not tried. Of one number alone fewer may do; of several, more
/// of one may spare another.
std::string skipped_text(const PlanSearch& search) {
  const std::vector<SteppedChoice> choices = stepped_choices(search);
  std::vector<std::string> ranges;
  for (const SteppedChoice& one : choices) {
    // "gpus of l4": nodes have as many devices as they are asked for in.
    constexpr std::string_view of = " of ";
    const std::string server = one.variable->name.substr(one.variable->name.find(of) + of.size());
    const std::string step = one.node_size == 1 ? "" : ":" + std::to_string(one.node_size);
    const bool alone = choices.size() == 1;
    ranges.push_back("--gpus " +
                     shell_word(server + "=" + std::to_string((alone ? one.below + 1 : one.below) * one.node_size) +
                                ":" + std::to_string((alone ? one.chosen : one.above) * one.node_size) + step));
  }
  return ranges.empty() ? "" : "Numbers of devices between the steps were not tried: try " + joined(ranges, " ") + ".";
}

void say_state(Answer& document, const SearchReport& report) {
  const PlanSearch& search = report.search;
  if (const std::string why = why_unconfirmed(search); !why.empty())
    document.say("It is NOT CONFIRMED: " + why + ". How far it came depends on the machine.");
  else if (search.answer && !search.complete)
    document.say(
        "The search ended before all candidates were decided, which depends on the machine: there may be a better "
        "one.");
  else if (!search.ways_out_complete)
    document.say(
        "The budget ended while it was simulated what would have to give, which depends on the machine: there may be a "
        "cheaper way out.");
  for (const std::string& text : {promising_text(search), undecided_text(search), skipped_text(search)})
    if (!text.empty()) document.say(text);
  for (const std::string& note : report.notes) document.say(note);
}

}  // namespace

std::vector<std::string> requirement_texts(const PlanSearch& search) {
  std::vector<std::string> texts;
  for (const Requirement& requirement : search.requirements) {
    const auto* entry = search.answer ? search.answer->figures.find(requirement.figure, requirement.of) : nullptr;
    const bool bounded =
        entry != nullptr && requirement.figure->average != Average::constant && is_by_formula(*search.answer);
    texts.push_back(requirement.text + (entry == nullptr ? ": not judged"
                                                         : " (" + std::string(bounded ? "by the bound " : "") +
                                                               figure_text(requirement.figure, entry->value) + ", " +
                                                               room_text(requirement, entry->value, bounded) + ")"));
  }
  return texts;
}

void add_search_screen(Answer& document, const SearchReport& report) {
  const PlanSearch& search = report.search;
  const std::optional<PlanSentence> sentence = sentence_of(report);
  if (search.formulas_alone)
    document.say(
        formulas_alone_text({Method::bounds}) +
        (search.answer ? " The choice is NOT CONFIRMED: no event can be faster, but events may be slower." : ""));
  if (!search.answer) {
    document.say(no_answer_text(search));
    add_ways_out(document, search);
    say_state(document, report);
    return;
  }
  Table screen = first_screen();
  add_best(screen, report);
  if (sentence && !sentence->arrivals) add_jobs(screen, *sentence);
  if (sentence) add_cost_and_limits(screen, *sentence, report.facts);
  add_tightest(screen, report);
  add_unasked_slowdown(screen, search, *search.answer);
  add_unjudged(screen, search, *search.answer);
  document.add(std::move(screen));
  say_state(document, report);
  for (const std::string& text : {as_good_text(search, *search.answer), bought_text(report)})
    if (!text.empty()) document.detail(text);
  if (sentence) document.parts.emplace_back(Paragraph{.text = plan_sentence(*sentence), .place = {"sentence"}});
}

}  // namespace saturn
