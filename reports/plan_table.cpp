#include <algorithm>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/bottlenecks.hpp"
#include "reports/falsification_report.hpp"
#include "reports/interval_parts_text.hpp"
#include "reports/number_text.hpp"
#include "reports/plan_report.hpp"
#include "reports/price_list.hpp"
#include "reports/saturation_text.hpp"
#include "reports/sensitivity_report.hpp"
#include "reports/waits_text.hpp"

namespace saturn {

namespace {

/// What the offloaded part costs alone.
std::string module_line(const PlanReport& report) {
  if (!report.module_cpu_only_usd_per_million_events || !report.module_service_usd_per_million_events) return "";
  return "The offloaded part alone: " + number_text(*report.module_service_usd_per_million_events, 3) +
         " USD per million events as a service (" + number_text(report.module_service_s, 3) + " s), " +
         number_text(*report.module_cpu_only_usd_per_million_events, 3) + " on the job's own core (" +
         number_text(report.module_cpu_only_s, 3) + " s).\n";
}

using Align = TextTable::Align;

std::string interval_text(double low, double high) {
  const std::string from = number_text(low, 3);
  const std::string to = number_text(high, 3);
  return from == to ? from : from + " to " + to;
}

std::string how_many_devices(const PlanReport& report) {
  const std::string jobs = counted(report.jobs, noun_of(report.facts));
  if (report.gpus_by_bound)
    return "By the bound alone, NOT CONFIRMED, " + jobs + (report.jobs == 1 ? " needs " : " need ") +
           counted(static_cast<double>(*report.gpus_by_bound), report.facts.device_word) + ".\n";
  if (!report.gpus) {
    std::string text = "For " + jobs + " " + report.why_no_gpus + ".\n";
    if (report.unsaturated_gpus)
      text += counted(static_cast<double>(*report.unsaturated_gpus), report.facts.device_word) +
              (*report.unsaturated_gpus == 1 ? " is" : " are") +
              " the fewest that they do not saturate: there simulated events are " +
              slower_text(report.unsaturated_slowdown) + " than those that wait for nobody.\n";
    return text;
  }
  return jobs + (report.jobs == 1 ? " needs " : " need ") +
         counted(static_cast<double>(*report.gpus), report.facts.device_word) + ": there simulated events are " +
         slower_text(report.slowdown) + " than those that wait for nobody.\n";
}

std::string answer_text(const PlanReport& report, TextStyle style) {
  const std::string& device = report.facts.device_word;
  const std::string noun = noun_of(report.facts);
  const bool clipped = !report.past_saturation && report.within_slowdown > report.saturates_at;
  std::string text = plan_sentence_lines(sentence_of(report), style);
  if (!report.confirmed) text += "These jobs are NOT CONFIRMED: they are what the formulas say.\n";
  text += "Before rounding " + interval_text(report.clients_per_gpu_low, report.clients_per_gpu_high) +
          ": events take at most " + percent_text(report.tolerated_slowdown) + " longer than when " +
          (report.fewest_slowdown ? "one " + noun + " is alone" : "they wait for nobody") +
          (report.past_saturation ? "." : ", and nothing is saturated.") + "\n";
  if (report.calibrated_clients_per_gpu) {
    text += estimate_text(*report.calibrated_clients_per_gpu) + " " + noun + "s per " + device +
            interval_parts_text(*report.calibrated_clients_per_gpu) + ".\n";
  }
  if (clipped) {
    text += "The tolerance alone would allow " + number_text(report.within_slowdown, 3) + ", past saturation at " +
            number_text(report.saturates_at, 3) + ": those " + noun + "s only wait, no more events come out.\n";
  }
  if (report.fewest_slowdown)
    text += "Even one " + noun + " alone takes " + estimate_text(*report.fewest_slowdown) +
            " times the ideal event time: " + waits_text(report.fewest_waits) +
            ". The tolerance is one of that time.\n";
  text += how_many_devices(report);
  if (const std::string waits = waits_text(report.waits); !waits.empty()) text += "What waits there: " + waits + ".\n";
  if (report.cost_per_million_events_usd) text += module_line(report);
  if (report.budget_spent)
    text +=
        "The budget ended before the plan was finished: the interval is what the simulated candidates and the bound "
        "leave open. How far it came depends on the machine: the same command may answer otherwise.\n";
  else if (!report.precision_reached)
    text += "The asked precision was NOT REACHED.\n";
  for (const std::string& one : report.left_out) text += "The budget left no time for " + one + ".\n";
  return text;
}

std::string candidates_text(const PlanReport& report, TextStyle style) {
  const std::string& device = report.facts.device_word;
  TextTable table({{noun_of(report.facts) + "s", Align::right},
                   {device + "s", Align::right},
                   {"bound [s]", Align::right},
                   {"simulated [s]", Align::right},
                   {"slowdown", Align::right},
                   {"tolerated " + percent_text(report.tolerated_slowdown)}});
  for (const CandidateRow& row : report.candidates) {
    table.add_row({whole_text(row.jobs), whole_text(row.gpus), number_text(row.bound_event_time_s),
                   estimate_text(row.event_time_s), slower_text(row.slowdown), row.accepted ? "within" : "above"});
  }
  return heading("What was simulated to confirm it", style) + table.text(style);
}

/// Where the simulation had a resource busy all the time, its own saturation; else that of the bound.
double saturation_of(const PlanReport& report) {
  for (const MethodRow& row : report.methods)
    if (row.method == "simulation" && row.knee) return std::min(*row.knee, report.saturates_at);
  return report.saturates_at;
}

}  // namespace

PlanSentence sentence_of(const PlanReport& report) {
  PlanSentence sentence{.jobs_per_device = static_cast<double>(report.clients_per_gpu),
                        .low = report.clients_per_gpu_low,
                        .high = report.clients_per_gpu_high,
                        .noun = noun_of(report.facts),
                        .device_word = report.facts.device_word,
                        .binding = report.binding,
                        .binding_kind = kind_of(report.facts, report.binding),
                        .next = report.next,
                        .next_kind = kind_of(report.facts, report.next),
                        .next_at_jobs = report.next_at_jobs,
                        .several_devices = report.facts.devices > 1.0,
                        .usd_per_million_events = report.cost_per_million_events_usd,
                        .priced = report.priced,
                        .cpu_only_usd_per_million = report.cpu_only_cost_per_million_events_usd};
  // Less than one whole job a device is said in tenths.
  const double within =
      std::min(report.within_slowdown, report.past_saturation ? report.within_slowdown : report.saturates_at);
  if (report.clients_per_gpu == 0) sentence.jobs_per_device = within;
  sentence.tolerance = PlanSentence::Tolerance{
      .slowdown = report.tolerated_slowdown,
      .at_saturation = report.confirmed && !report.past_saturation && report.within_slowdown >= report.saturates_at,
      .of_fewest_jobs = report.fewest_slowdown.has_value(),
      .also_slowdown = report.also_tolerated_slowdown,
      .also_jobs = report.also_within_clients_per_gpu,
      .saturates_at = saturation_of(report)};
  sentence.jobs_alone = report.alone_clients_per_gpu;
  if (report.gpus)
    sentence.pool =
        PlanSentence::Pool{.jobs = static_cast<double>(report.jobs), .devices = static_cast<double>(*report.gpus)};
  if (report.calibrated_clients_per_gpu) {
    sentence.low = report.calibrated_clients_per_gpu->low;
    sentence.high = report.calibrated_clients_per_gpu->high;
  }
  return sentence;
}

std::string noun_of(const SystemFacts& facts) {
  // With several threads a job, it is the event loops that are counted, scaled and carried.
  return facts.jobs == facts.clients ? "job" : "event loop";
}

double jobs_of(const SystemFacts& facts, double event_loops) {
  return facts.jobs == facts.clients ? event_loops : event_loops * facts.jobs / facts.clients;
}

std::string methods_text(const std::vector<MethodRow>& methods, double tolerated_slowdown, const SystemFacts& facts,
                         TextStyle style) {
  TextTable table({{"method"},
                   {"saturates at", Align::right},
                   {"within " + percent_text(tolerated_slowdown), Align::right},
                   {"interval", Align::right}});
  for (const MethodRow& row : methods) {
    const bool has_interval = row.low.has_value() && row.high.has_value();
    table.add_row({row.method, optional_text(row.knee, 3), optional_text(row.clients_per_gpu, 3),
                   has_interval ? interval_text(*row.low, *row.high) : ""});
  }
  return heading((noun_of(facts) == "job" ? "Jobs per " : "Event loops per ") + facts.device_word + ", by method",
                 style) +
         table.text(style);
}

std::string plan_table(const PlanReport& report, TextStyle style) {
  std::string text = heading(report.facts.title, style) + answer_text(report, style);
  text += "\n" + methods_text(report.methods, report.tolerated_slowdown, report.facts, style);
  std::vector<std::pair<std::string, std::string>> notes;
  for (const MethodRow& row : report.methods) notes.emplace_back(row.method, row.remark);
  text += notes_text(notes);
  text += "\n" + breakdown_text(report.facts, style);
  const std::string comparison = cpu_comparison_text(report.facts, style);
  if (!comparison.empty()) text += "\n" + comparison;
  if (report.cost_per_million_events_usd) text += "\n" + price_list(report.prices);
  text += "\n" + bottlenecks_text(report.facts, {}, style);
  if (!report.candidates.empty()) text += "\n" + candidates_text(report, style);
  const std::string curve = saturation_text(saturation_picture(report), style);
  if (!curve.empty()) text += "\n" + curve;
  if (report.sensitivity) text += "\n" + sensitivity_text(*report.sensitivity, style);
  if (report.falsification) text += "\n" + falsification_text(*report.falsification, report.facts, style);
  const std::string fitted = fitted_sources_text(report.provenance);
  if (!fitted.empty()) text += "\n" + fitted;
  text += "\nsaturn " + report.provenance.version + " on SimGrid " + report.provenance.simgrid + ", seed " +
          std::to_string(report.provenance.seed) + "; again: " + report.provenance.command + "\n";
  return text;
}

}  // namespace saturn
