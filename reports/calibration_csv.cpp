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

void add_fit(CsvRows& rows, const NamedFit& named) {
  for (std::size_t i = 0; i < named.fit.parameters.values.size(); ++i)
    rows.add("fit", named.name, quantity_of(named.fit.parameters.names[i], named.units[i]),
             parameter_estimate(named.fit.parameters, i));
  rows.add("fit", named.name, "law", named.fit.law);
  rows.add("fit", named.name, "points", static_cast<double>(named.fit.used));
  for (const FitResidual& residual : named.fit.residuals) {
    const std::string name = named.name + ", " + residual.point.label;
    rows.add("residual", name, "x", residual.point.x);
    rows.add("residual", name, quantity_of("measured", named.y_unit), residual.point.y);
    rows.add("residual", name, quantity_of("fitted", named.y_unit), residual.fitted);
    rows.add("residual", name, "standardised", residual.standardised);
    rows.add("residual", name, "outlier", residual.outlier ? "yes" : "no");
  }
}

}  // namespace

std::string calibration_csv(const SavedCalibration& saved) {
  CsvRows rows;
  for (const NamedFit& named : saved.calibration.fits) add_fit(rows, named);
  for (const NumberSum& sum : saved.calibration.sums) rows.add("sum", sum.text, "total_s", sum.total_s);
  for (const SourceComparison& one : saved.calibration.comparisons) {
    const std::string name = one.quantity + ": " + one.second + " over " + one.first;
    rows.add("comparison", name, "factor", one.factor);
    rows.add("comparison", name, "p", one.p);
    rows.add("comparison", name, "contradict", one.contradict ? "yes" : "no");
  }
  for (const SourceKnee& knee : saved.saturation.knees) {
    rows.add("saturation", knee.source, "device_time_s", knee.saturation.device_time_s);
    rows.add("saturation", knee.source, "jobs", knee.saturation.jobs);
  }
  return rows.text();
}

}  // namespace saturn
