#include "reports/compare_report.hpp"
#include "reports/csv_rows.hpp"

namespace saturn {

namespace {

void add_outcome(CsvRows& rows, const std::string& name, const AlternativeOutcome& outcome) {
  rows.add("alternatives", name, "event_time_s", outcome.event_time_s);
  rows.add("alternatives", name, "events_per_s", outcome.events_per_s);
  rows.add("alternatives", name, "waiting_core_s_per_event", outcome.waiting_core_s);
  rows.add("alternatives", name, "waiting_share_of_core_time", outcome.waiting_share);
  rows.add("alternatives", name, "devices", outcome.devices);
  if (outcome.device_use) rows.add("alternatives", name, "device_busy_fraction", *outcome.device_use);
  rows.add("alternatives", name, "device_h_per_million_events", outcome.device_hours_per_million_events);
  if (outcome.cost_usd_per_million_events) {
    rows.add("alternatives", name, "cost_usd_per_million_events", outcome.cost_usd_per_million_events);
  }
  if (outcome.module_usd_per_million_events) {
    rows.add("alternatives", name, "module_usd_per_million_events", outcome.module_usd_per_million_events);
  }
  rows.add("alternatives", name, "rejected_share", outcome.rejected_share);
  if (outcome.first_to_saturate.empty()) return;
  rows.add("alternatives", name, "first_to_saturate", outcome.first_to_saturate);
  rows.add("alternatives", name, "saturates_at_jobs", outcome.saturates_at_jobs);
}

void add_point(CsvRows& rows, const std::string& name, const std::string& quantity, const BreakEvenPoint& point) {
  switch (point.where) {
    case BreakEvenPoint::Where::never:
      rows.add("break_even", name, quantity, std::string("never"));
      return;
    case BreakEvenPoint::Where::always:
      rows.add("break_even", name, quantity, std::string("always"));
      return;
    case BreakEvenPoint::Where::at:
      break;
  }
  rows.add("break_even", name, quantity, point.value);
}

}  // namespace

std::string compare_csv(const CompareReport& report) {
  CsvRows rows;
  const AlternativesComparison& all = report.comparison;
  for (const ComparedAlternative& one : all.alternatives) {
    if (one.outcome) add_outcome(rows, one.about.name, *one.outcome);
    if (!one.about.why_not.empty()) rows.add("alternatives", one.about.name, "why_not", one.about.why_not);
  }
  if (all.fastest)
    rows.add("winner", all.alternatives[*all.fastest].about.name, "shortest_events", std::string("true"));
  if (all.cheapest) rows.add("winner", all.alternatives[*all.cheapest].about.name, "cheapest", std::string("true"));
  for (const BreakEven& one : all.break_evens) {
    const bool time = one.of == BreakEvenOf::round_trip_time;
    const std::string quantity = time ? "round_trip_time_s" : "jobs_per_device";
    const std::string name = one.service + " against " + one.against;
    add_point(rows, name, quantity + "_by_formula", one.formula);
    add_point(rows, name, quantity, one.simulated);
  }
  return rows.text();
}

}  // namespace saturn
