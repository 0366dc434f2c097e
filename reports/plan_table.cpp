#include <cmath>
#include <utility>

#include "reports/number_text.hpp"
#include "reports/plan_report.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

std::string optional_text(const std::optional<double>& value) {
  return value ? number_text(*value, 3) : "–";
}

std::string answer_text(const PlanReport& report, TextStyle style) {
  const std::string& device = report.facts.device_word;
  std::string text =
      heading(counted(static_cast<double>(report.clients_per_gpu), "job") + " per " + device + " take at most " +
                  percent_text(report.tolerated_slowdown) +
                  " longer than jobs that wait for nobody (simulated: " + number_text(report.clients_per_gpu_low, 3) +
                  " to " + number_text(report.clients_per_gpu_high, 3) + ").",
              style);
  text += counted(static_cast<double>(report.jobs), "job") + " need " +
          counted(static_cast<double>(report.gpus), device) + ": there the simulated event time is " +
          estimate_text(report.slowdown) + " times the ideal one.\n";
  if (report.binding.empty()) {
    text += "No resource is shared, so nothing ever saturates.\n";
  } else {
    text += "First to saturate: " + report.binding;
    text += report.next.empty()
                ? ".\n"
                : "; next: " + report.next + ", at " + counted(std::floor(report.next_at_jobs), "job") + ".\n";
  }
  if (report.cost_per_million_events_usd) {
    text += "Rent of the " + device + "s: " + number_text(*report.cost_per_million_events_usd, 3) +
            " USD per million events.\n";
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
                   has_interval ? number_text(*row.low, 3) + " to " + number_text(*row.high, 3) : ""});
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
  text += "\n" + knees_text(report.facts, style);
  if (!report.candidates.empty()) text += "\n" + candidates_text(report, style);
  text += "\nsaturn " + report.provenance.version + " on SimGrid " + report.provenance.simgrid + ", seed " +
          std::to_string(report.provenance.seed) + "; again: " + report.provenance.command + "\n";
  return text;
}

}  // namespace saturn
