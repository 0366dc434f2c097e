#include "reports/tables/csv_rows.hpp"

#include "models/values/text.hpp"

namespace saturn {

CsvRows::CsvRows() : text_("section,name,quantity,mean,low,high,confidence,replications\n") {}

void CsvRows::add(const std::string& section, const std::string& name, const std::string& quantity,
                  const Estimate& estimate) {
  if (estimate.caveat == Caveat::too_few_events) {
    add(section, name, quantity, std::string(words_of(estimate.caveat)));
    return;
  }
  text_ += csv_cell(section) + ',' + csv_cell(name) + ',' + csv_cell(quantity) + ',' + csv_number(estimate.mean) + ',' +
           csv_number(estimate.low) + ',' + csv_number(estimate.high) + ',' + csv_number(estimate.confidence) + ',' +
           std::to_string(estimate.replications) + '\n';
  if (estimate.caveat != Caveat::none) add(section, name, quantity + "_caveat", std::string(words_of(estimate.caveat)));
  if (!estimate.parts) return;
  const IntervalParts& parts = *estimate.parts;
  text_ += csv_cell(section) + ',' + csv_cell(name) + ',' + csv_cell(quantity + "_simulation") + ',' +
           csv_number(estimate.mean) + ',' + csv_number(parts.low_simulation) + ',' +
           csv_number(parts.high_simulation) + ',' + csv_number(estimate.confidence) + ',' +
           std::to_string(estimate.replications) + '\n';
  for (const CalibrationShare& share : parts.calibration)
    add(section, name + "/" + share.about, quantity + "_half_width", share.half_width);
}

void CsvRows::add(const std::string& section, const std::string& name, const std::string& quantity,
                  std::optional<double> exact) {
  text_ += csv_cell(section) + ',' + csv_cell(name) + ',' + csv_cell(quantity) + ',' +
           (exact ? csv_number(*exact) : "") + ",,,,\n";
}

void CsvRows::add(const std::string& section, const std::string& name, const std::string& quantity,
                  const std::string& word) {
  text_ += csv_cell(section) + ',' + csv_cell(name) + ',' + csv_cell(quantity) + ',' + csv_cell(word) + ",,,,\n";
}

}  // namespace saturn
