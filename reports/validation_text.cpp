#include <algorithm>
#include <cmath>

#include "reports/csv_rows.hpp"
#include "reports/number_text.hpp"
#include "reports/validation_report.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

std::string signed_percent(double fraction) {
  return (fraction < 0.0 ? "-" : "+") + fixed_text(std::abs(fraction) * 100.0, 1) + " %";
}

void add_cells(std::vector<std::string>& cells, const std::optional<Comparison>& comparison) {
  if (!comparison) {
    cells.insert(cells.end(), {"–", "–", "–"});
    return;
  }
  cells.push_back(number_text(comparison->measured));
  cells.push_back(estimate_text(comparison->simulated));
  cells.push_back(signed_percent(comparison->error()));
}

std::string errors_line(const ValidationCase& validation, const std::string& what,
                        std::optional<Comparison> ValidationRow::*quantity) {
  const ErrorSummary errors = summarise_errors(validation, quantity);
  if (errors.rows == 0) return "";
  return "  " + what + ": median error " + percent_text(errors.median_absolute_error) + ", worst " +
         signed_percent(errors.worst_error) + " (at " + whole_text(errors.worst_jobs) + " jobs), " +
         std::to_string(errors.rows) + " rows\n";
}

void add_csv_row(std::string& text, const ValidationCase& validation, const ValidationRow& row,
                 const std::string& quantity, const std::optional<Comparison>& comparison) {
  if (!comparison) return;
  const Estimate& simulated = comparison->simulated;
  text += csv_cell(validation.id) + ',' + csv_number(row.jobs) + ',' + quantity + ',' +
          csv_number(comparison->measured) + ',' +
          (comparison->measured_sem ? csv_number(*comparison->measured_sem) : "") + ',' + csv_number(simulated.mean) +
          ',' + csv_number(simulated.low) + ',' + csv_number(simulated.high) + ',' + csv_number(simulated.confidence) +
          ',' + std::to_string(simulated.replications) + ',' + csv_number(comparison->error()) + '\n';
}

}  // namespace

ErrorSummary summarise_errors(const ValidationCase& validation, std::optional<Comparison> ValidationRow::*quantity) {
  ErrorSummary summary;
  std::vector<double> sizes;
  for (const ValidationRow& row : validation.rows) {
    const std::optional<Comparison>& comparison = row.*quantity;
    if (!comparison) continue;
    const double error = comparison->error();
    if (sizes.empty() || std::abs(error) > std::abs(summary.worst_error)) {
      summary.worst_error = error;
      summary.worst_jobs = row.jobs;
    }
    sizes.push_back(std::abs(error));
  }
  summary.rows = sizes.size();
  if (sizes.empty()) return summary;
  std::sort(sizes.begin(), sizes.end());
  const std::size_t middle = sizes.size() / 2;
  summary.median_absolute_error = sizes.size() % 2 == 1 ? sizes[middle] : (sizes[middle - 1] + sizes[middle]) / 2;
  return summary;
}

std::string validation_table(const ValidationReport& report, TextStyle style) {
  std::string text;
  for (const ValidationCase& validation : report.cases) {
    if (!text.empty()) text += "\n";
    text += heading(validation.title, style);
    text += "measured: " + validation.source + "\nsimulated: scenario " + validation.scenario + "\n";
    TextTable table({{"jobs", Align::right},
                     {"event time [s]", Align::right},
                     {"simulated", Align::right},
                     {"error", Align::right},
                     {"ML module [s]", Align::right},
                     {"simulated", Align::right},
                     {"error", Align::right},
                     {"events/s", Align::right},
                     {"simulated", Align::right},
                     {"error", Align::right}});
    std::string remarks;
    for (const ValidationRow& row : validation.rows) {
      std::vector<std::string> cells{whole_text(row.jobs) + (row.remark.empty() ? " " : "*")};
      add_cells(cells, row.event_time_s);
      add_cells(cells, row.module_time_s);
      add_cells(cells, row.events_per_s);
      table.add_row(std::move(cells));
      if (!row.remark.empty()) remarks += "  * " + whole_text(row.jobs) + " jobs: " + row.remark + "\n";
    }
    text += table.text(style) + remarks;
    text += errors_line(validation, "event time", &ValidationRow::event_time_s);
    text += errors_line(validation, "ML module", &ValidationRow::module_time_s);
    text += errors_line(validation, "events/s", &ValidationRow::events_per_s);
    if (!validation.notes.empty()) text += "  " + validation.notes + "\n";
  }
  return text;
}

std::string validation_csv(const ValidationReport& report) {
  std::string text = "case,jobs,quantity,measured,measured_sem,simulated,low,high,confidence,replications,error\n";
  for (const ValidationCase& validation : report.cases) {
    for (const ValidationRow& row : validation.rows) {
      add_csv_row(text, validation, row, "event_time_s", row.event_time_s);
      add_csv_row(text, validation, row, "module_time_s", row.module_time_s);
      add_csv_row(text, validation, row, "events_per_s", row.events_per_s);
    }
  }
  return text;
}

}  // namespace saturn
