#include "models/arrival_law.hpp"
#include "models/words/texts.hpp"
#include "reports/number_text.hpp"
#include "reports/search_report.hpp"
#include "scenarios/demands.hpp"

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
  const Expenses expenses = expenses_of(*report.chosen, report.terms);
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
  sentence.priced = priced_words(priced_parts(expenses_of(*report.chosen, report.terms)), facts.device_word);
  sentence.cpu_only_usd_per_million = cpu_only_usd_per_million(*report.chosen);
  return sentence;
}

}  // namespace saturn
