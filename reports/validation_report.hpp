#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/summary.hpp"
#include "reports/provenance.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// A measured quantity beside the simulated one.
struct Comparison {
  double measured = 0.0;
  std::optional<double> measured_sem;  ///< standard error of the measured mean, where it was published
  Estimate simulated;

  /// simulated / measured − 1 [1]
  double error() const { return simulated.mean / measured - 1.0; }
};

/// One measured configuration.
struct ValidationRow {
  double jobs = 0.0;
  std::optional<Comparison> event_time_s;
  std::optional<Comparison> module_time_s;  ///< event time minus the row's own stages outside the module [s]
  std::optional<Comparison> events_per_s;
  std::string remark;  ///< what makes the measurement weak; empty when nothing does
};

/// One published data set.
struct ValidationCase {
  std::string id;
  std::string title;
  std::string source;
  std::string scenario;  ///< the shipped scenario that stands for it
  std::string notes;
  std::vector<ValidationRow> rows;
};

struct ValidationReport {
  Provenance provenance;
  std::vector<ValidationCase> cases;
};

/// Size and place of the errors of one quantity over the rows that have it.
struct ErrorSummary {
  std::size_t rows = 0;
  double median_absolute_error = 0.0;  ///< [1]
  double worst_error = 0.0;            ///< with its sign [1]
  double worst_jobs = 0.0;             ///< of the row where it is
};

/// @param quantity  which of a row's three comparisons
ErrorSummary summarise_errors(const ValidationCase& validation, std::optional<Comparison> ValidationRow::*quantity);

std::string validation_table(const ValidationReport& report, TextStyle style);
std::string validation_json(const ValidationReport& report);
/// Columns: case,jobs,quantity,measured,measured_sem,simulated,low,high,confidence,replications,error
std::string validation_csv(const ValidationReport& report);

}  // namespace saturn
