#include <cmath>

#include "reports/csv_rows.hpp"
#include "reports/falsification_report.hpp"
#include "reports/plan_report.hpp"
#include "reports/sensitivity_report.hpp"

namespace saturn {

std::string plan_csv(const PlanReport& report) {
  CsvRows rows;
  rows.add("answer", "", "clients_per_gpu",
           Estimate{.mean = static_cast<double>(report.clients_per_gpu),
                    .low = std::floor(report.clients_per_gpu_low),
                    .high = std::floor(report.clients_per_gpu_high),
                    .confidence = report.confidence,
                    .replications = report.slowdown.replications});
  if (report.calibrated_clients_per_gpu) {
    rows.add("answer", "", "calibrated_clients_per_gpu", *report.calibrated_clients_per_gpu);
  }
  rows.add("answer", "", "jobs", std::round(jobs_of(report.facts, static_cast<double>(report.jobs))));
  rows.add("answer", "", "clients", static_cast<double>(report.jobs));
  rows.add("answer", "", "saturates_at_clients_per_gpu", report.saturates_at);
  rows.add("answer", "", "within_slowdown_clients_per_gpu", report.within_slowdown);
  if (report.gpus) {
    rows.add("answer", "", "gpus", static_cast<double>(*report.gpus));
    rows.add("answer", "", "slowdown", report.slowdown);
  }
  rows.add("answer", "", "cost_per_million_events_usd", report.cost_per_million_events_usd);
  const auto add_cost = [&](const char* quantity, const std::optional<double>& value) {
    if (value) rows.add("answer", "", quantity, value);
  };
  add_cost("cpu_only_cost_per_million_events_usd", report.cpu_only_cost_per_million_events_usd);
  add_cost("module_cpu_only_usd_per_million_events", report.module_cpu_only_usd_per_million_events);
  add_cost("module_service_usd_per_million_events", report.module_service_usd_per_million_events);
  if (!report.binding.empty()) rows.add("answer", report.binding, "binding_rank", 1.0);
  if (!report.next.empty()) {
    rows.add("answer", report.next, "binding_rank", 2.0);
    rows.add("answer", report.next, "saturates_at_jobs", jobs_of(report.facts, report.next_at_jobs));
  }
  for (const MethodRow& row : report.methods) {
    rows.add("methods", row.method, "saturates_at_clients_per_gpu", row.knee);
    if (row.low && row.high && row.clients_per_gpu) {
      rows.add("methods", row.method, "clients_per_gpu",
               Estimate{.mean = *row.clients_per_gpu,
                        .low = *row.low,
                        .high = *row.high,
                        .confidence = report.confidence,
                        .replications = report.slowdown.replications});
    } else {
      rows.add("methods", row.method, "clients_per_gpu", row.clients_per_gpu);
    }
  }
  for (const CandidateRow& row : report.candidates) {
    const std::string name =
        std::to_string(row.jobs) + " " + noun_of(report.facts) + "s on " + std::to_string(row.gpus);
    rows.add("candidates", name, "bound_event_time_s", row.bound_event_time_s);
    rows.add("candidates", name, "event_time_s", row.event_time_s);
    rows.add("candidates", name, "slowdown", row.slowdown);
    rows.add("candidates", name, "accepted", row.accepted ? 1.0 : 0.0);
  }
  add_facts(rows, report.facts);
  if (report.sensitivity) add_sensitivity(rows, *report.sensitivity);
  if (report.falsification) add_falsification(rows, *report.falsification);
  return rows.text();
}

}  // namespace saturn
