#include "models/csv_text.hpp"
#include "reports/validation_report.hpp"

namespace saturn {

namespace {

std::string csv_row(const std::string& id, const ValidationRow& row, std::size_t index) {
  const MeasuredValue& measured = row.measured.values[index];
  const Estimate& simulated = row.simulated[index];
  return csv_cell(id) + ',' + csv_cell(row.measured.label) + ',' + std::string(measured.quantity->name) + ',' +
         csv_number(measured.value) + ',' + (measured.sem ? csv_number(*measured.sem) : "") + ',' +
         csv_number(simulated.mean) + ',' + csv_number(simulated.low) + ',' + csv_number(simulated.high) + ',' +
         csv_number(simulated.confidence) + ',' + std::to_string(simulated.replications) + ',' +
         csv_number(row.error(index)) + ',' + (row.scored(index) ? "true" : "false") + '\n';
}

}  // namespace

std::string validation_csv(const ValidationReport& report) {
  std::string text =
      "case,point,quantity,measured,measured_sem,simulated,low,high,confidence,replications,error,scored\n";
  for (const ValidationCase& validation : report.cases) {
    for (const ValidationRow& row : validation.rows) {
      for (std::size_t i = 0; i < row.measured.values.size(); ++i) text += csv_row(validation.about.id, row, i);
    }
  }
  return text;
}

}  // namespace saturn
