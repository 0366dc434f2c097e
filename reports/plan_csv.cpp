#include <cmath>

#include "reports/csv_rows.hpp"
#include "reports/falsification_report.hpp"
#include "reports/plan_report.hpp"
#include "reports/sensitivity_report.hpp"

namespace saturn {

std::string plan_csv(const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  CsvRows rows;
  rows.add("answer", "", "clients_per_gpu",
           Estimate{.mean = static_cast<double>(answer.clients_per_gpu),
                    .low = std::floor(answer.clients_per_gpu_low),
                    .high = std::floor(answer.clients_per_gpu_high),
                    .confidence = answer.confidence,
                    .replications = answer.slowdown.replications});
  if (answer.calibrated_clients_per_gpu) {
    rows.add("answer", "", "calibrated_clients_per_gpu", *answer.calibrated_clients_per_gpu);
  }
  rows.add("answer", "", "jobs", std::round(jobs_of(report.facts, static_cast<double>(answer.clients))));
  rows.add("answer", "", "clients", static_cast<double>(answer.clients));
  rows.add("answer", "", "saturates_at_clients_per_gpu", answer.saturates_at);
  rows.add("answer", "", "within_slowdown_clients_per_gpu", answer.within_slowdown);
  if (answer.gpus) {
    rows.add("answer", "", "gpus", static_cast<double>(*answer.gpus));
    rows.add("answer", "", "slowdown", answer.slowdown);
  }
  rows.add("answer", "", "cost_per_million_events_usd", answer.cost_per_million_events_usd);
  const auto add_cost = [&](const char* quantity, const std::optional<double>& value) {
    if (value) rows.add("answer", "", quantity, value);
  };
  add_cost("cpu_only_cost_per_million_events_usd", answer.cpu_only_cost_per_million_events_usd);
  add_cost("module_cpu_only_usd_per_million_events", answer.module.cpu_only_usd_per_million);
  add_cost("module_service_usd_per_million_events", answer.module.as_a_service_usd_per_million);
  if (!answer.binding.empty()) rows.add("answer", answer.binding, "binding_rank", 1.0);
  if (!answer.next.empty()) {
    rows.add("answer", answer.next, "binding_rank", 2.0);
    rows.add("answer", answer.next, "saturates_at_jobs", jobs_of(report.facts, answer.next_at_clients));
  }
  for (const PlanRow& row : report.plan.rows) {
    rows.add("methods", row.method, "saturates_at_clients_per_gpu", row.knee);
    if (row.low && row.high && row.clients_per_gpu) {
      rows.add("methods", row.method, "clients_per_gpu",
               Estimate{.mean = *row.clients_per_gpu,
                        .low = *row.low,
                        .high = *row.high,
                        .confidence = answer.confidence,
                        .replications = answer.slowdown.replications});
    } else {
      rows.add("methods", row.method, "clients_per_gpu", row.clients_per_gpu);
    }
  }
  for (const PlanCandidate& row : report.plan.candidates) {
    const std::string name =
        std::to_string(row.clients) + " " + noun_of(report.facts) + "s on " + std::to_string(row.gpus);
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
