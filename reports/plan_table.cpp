#include <utility>

#include "reports/bottlenecks.hpp"
#include "reports/falsification_report.hpp"
#include "reports/interval_parts_text.hpp"
#include "reports/number_text.hpp"
#include "reports/plan_report.hpp"
#include "reports/price_list.hpp"

namespace saturn {

namespace {

std::string against_cpu_only(const PlanReport& report) {
  if (!report.cpu_only_cost_per_million_events_usd) return "";
  return ", against " + number_text(*report.cpu_only_cost_per_million_events_usd, 3) + " on CPU alone";
}

/// What the offloaded part costs alone.
std::string module_line(const PlanReport& report) {
  if (!report.module_cpu_only_usd_per_million_events || !report.module_service_usd_per_million_events) return "";
  return "The offloaded part alone: " + number_text(*report.module_service_usd_per_million_events, 3) +
         " USD per million events as a service (" + number_text(report.module_service_s, 3) + " s), " +
         number_text(*report.module_cpu_only_usd_per_million_events, 3) + " on the job's own core (" +
         number_text(report.module_cpu_only_s, 3) + " s).\n";
}

using Align = TextTable::Align;

std::string optional_text(const std::optional<double>& value) {
  return value ? number_text(*value, 3) : "–";
}

std::string interval_text(double low, double high) {
  const std::string from = number_text(low, 3);
  const std::string to = number_text(high, 3);
  return from == to ? from : from + " to " + to;
}

std::string answer_text(const PlanReport& report, TextStyle style) {
  const std::string& device = report.facts.device_word;
  // With several threads a job, it is the event loops that are counted, scaled and carried.
  const std::string noun = report.facts.jobs == report.facts.clients ? "job" : "event loop";
  const bool clipped = !report.past_saturation && report.within_slowdown > report.saturates_at;
  std::string text =
      heading(counted(static_cast<double>(report.clients_per_gpu), noun) + " per " + device + " (" +
                  interval_text(report.clients_per_gpu_low, report.clients_per_gpu_high) + "): events take at most " +
                  percent_text(report.tolerated_slowdown) + " longer than when they wait for nobody" +
                  (report.past_saturation ? "." : ", and nothing is saturated."),
              style);
  if (report.calibrated_clients_per_gpu) {
    text += estimate_text(*report.calibrated_clients_per_gpu) + " " + noun + "s per " + device +
            interval_parts_text(*report.calibrated_clients_per_gpu) + ".\n";
  }
  if (clipped) {
    text += "The tolerance alone would allow " + number_text(report.within_slowdown, 3) + ", past saturation at " +
            number_text(report.saturates_at, 3) + ": those jobs only wait, no more events come out.\n";
  }
  const std::string jobs = counted(static_cast<double>(report.jobs), noun);
  if (report.gpus) {
    text += jobs + (report.jobs == 1 ? " needs " : " need ") + counted(static_cast<double>(*report.gpus), device) +
            ": there the simulated event time is " + estimate_text(report.slowdown) + " times the ideal one.\n";
  } else {
    text += "No plan for " + jobs + ": " + report.why_no_gpus + ".\n";
  }
  text += binding_sentence(report.facts) + "\n";
  if (report.cost_per_million_events_usd) {
    text += "Rent of the " + report.priced + ": " + number_text(*report.cost_per_million_events_usd, 3) +
            " USD per million events" + against_cpu_only(report) + ".\n";
    text += module_line(report);
  }
  if (!report.precision_reached) text += "The asked precision was NOT REACHED.\n";
  return text;
}

std::string candidates_text(const PlanReport& report, TextStyle style) {
  const std::string& device = report.facts.device_word;
  TextTable table({{"jobs", Align::right},
                   {device + "s", Align::right},
                   {"bound [s]", Align::right},
                   {"simulated [s]", Align::right},
                   {"slowdown", Align::right},
                   {"tolerated " + percent_text(report.tolerated_slowdown)}});
  for (const CandidateRow& row : report.candidates) {
    table.add_row({whole_text(static_cast<double>(row.jobs)), whole_text(static_cast<double>(row.gpus)),
                   number_text(row.bound_event_time_s), estimate_text(row.event_time_s), estimate_text(row.slowdown),
                   row.accepted ? "within" : "above"});
  }
  return heading("What was simulated to confirm it", style) + table.text(style);
}

}  // namespace

std::string methods_text(const std::vector<MethodRow>& methods, double tolerated_slowdown,
                         const std::string& device_word, TextStyle style) {
  TextTable table({{"method"},
                   {"saturates at", Align::right},
                   {"within " + percent_text(tolerated_slowdown), Align::right},
                   {"interval", Align::right}});
  for (const MethodRow& row : methods) {
    const bool has_interval = row.low.has_value() && row.high.has_value();
    table.add_row({row.method, optional_text(row.knee), optional_text(row.clients_per_gpu),
                   has_interval ? interval_text(*row.low, *row.high) : ""});
  }
  return heading("Jobs per " + device_word + ", by method", style) + table.text(style);
}

std::string plan_table(const PlanReport& report, TextStyle style) {
  std::string text = heading(report.facts.title, style) + answer_text(report, style);
  text += "\n" + methods_text(report.methods, report.tolerated_slowdown, report.facts.device_word, style);
  std::vector<std::pair<std::string, std::string>> notes;
  for (const MethodRow& row : report.methods) notes.emplace_back(row.method, row.remark);
  text += notes_text(notes);
  text += "\n" + breakdown_text(report.facts, style);
  const std::string comparison = cpu_comparison_text(report.facts, style);
  if (!comparison.empty()) text += "\n" + comparison;
  if (report.cost_per_million_events_usd) text += "\n" + price_list(report.prices);
  text += "\n" + bottlenecks_text(report.facts, {}, style);
  if (!report.candidates.empty()) text += "\n" + candidates_text(report, style);
  if (report.falsification) text += "\n" + falsification_text(*report.falsification, report.facts, style);
  const std::string fitted = fitted_sources_text(report.provenance);
  if (!fitted.empty()) text += "\n" + fitted;
  text += "\nsaturn " + report.provenance.version + " on SimGrid " + report.provenance.simgrid + ", seed " +
          std::to_string(report.provenance.seed) + "; again: " + report.provenance.command + "\n";
  return text;
}

}  // namespace saturn
