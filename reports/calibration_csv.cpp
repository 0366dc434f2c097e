#include "reports/calibration_report.hpp"
#include "reports/csv_rows.hpp"
#include "reports/fit_section.hpp"

namespace saturn {

namespace {

/// "per_batch_s", "mean_bytes_per_s"; a name that carries its unit stays.
std::string quantity_of(const std::string& parameter, const std::string& unit) {
  if (unit == "s") return parameter + "_s";
  if (unit == "B/s") return parameter + "_bytes_per_s";
  if (unit == "B") return parameter + "_bytes";
  return parameter;
}

void add_fit(CsvRows& rows, const FitFacts& facts) {
  for (std::size_t i = 0; i < facts.fit.parameters.values.size(); ++i)
    rows.add("fit", facts.name, quantity_of(facts.fit.parameters.names[i], facts.units[i]),
             parameter_estimate(facts.fit.parameters, i));
  rows.add("fit", facts.name, "law", facts.fit.law);
  rows.add("fit", facts.name, "points", static_cast<double>(facts.fit.used));
  for (const FitResidual& residual : facts.fit.residuals) {
    const std::string name = facts.name + ", " + residual.point.label;
    rows.add("residual", name, "x", residual.point.x);
    rows.add("residual", name, quantity_of("measured", facts.y_unit), residual.point.y);
    rows.add("residual", name, quantity_of("fitted", facts.y_unit), residual.fitted);
    rows.add("residual", name, "standardised", residual.standardised);
    rows.add("residual", name, "outlier", residual.outlier ? "yes" : "no");
  }
}

}  // namespace

std::string calibration_csv(const CalibrationReport& report) {
  CsvRows rows;
  for (const FitFacts& facts : report.fits) add_fit(rows, facts);
  for (const NumberSum& sum : report.sums) rows.add("sum", sum.text, "total_s", sum.total_s);
  for (const SourceComparison& one : report.comparisons) {
    const std::string name = one.quantity + ": " + one.second + " over " + one.first;
    rows.add("comparison", name, "factor", one.factor);
    rows.add("comparison", name, "p", one.p);
    rows.add("comparison", name, "contradict", one.contradict ? "yes" : "no");
  }
  for (const SourceKnee& knee : report.knees) {
    rows.add("saturation", knee.source, "device_time_s", knee.device_time_s);
    rows.add("saturation", knee.source, "jobs", knee.jobs);
  }
  return rows.text();
}

}  // namespace saturn
