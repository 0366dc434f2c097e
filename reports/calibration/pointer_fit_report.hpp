#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/results/estimate.hpp"
#include "reports/answer/answer.hpp"
#include "reports/calibration/validation_report.hpp"

/// Fields of a scenario fitted to named measured rows, which `saturn calibrate --fit` answers with.

namespace saturn {

/// A field that was fitted.
struct FittedPointer {
  std::string pointer{};
  std::string unit{};     ///< of the estimate: "s", "B/s", or nothing
  std::string setting{};  ///< the value as a scenario spells it
  Estimate estimate{};
  bool at_bound = false;  ///< the rows would have it outside its range
};

/// What a number of a row says about the fit.
struct FitTerm {
  std::string name{};      ///< "time", "rate", "network", "queue", "compute", "p95", ...
  bool fitted = false;     ///< it was among those that the fit made small
  double own_error = 0.0;  ///< 95 % half-width of the residual that the simulation leaves [1]
  double residual = 0.0;   ///< ln(simulated / measured); of parts of a latency (simulated − measured) / latency [1]
};

/// A measured row beside its simulation with the fitted values.
struct FittedRow {
  std::string file{};  ///< or shipped case
  ValidationRow row{};
  bool judges = false;  ///< it was not fitted, and judges the structures
  std::vector<FitTerm> terms{};
  std::optional<ValidationRow> left_out{};  ///< the same by a fit to the other rows; absent: they are too few
  std::vector<FitTerm> terms_left_out{};
};

/// One way in which the system may be made, with what was fitted.
struct FittedStructure {
  std::string name{};  ///< empty: the scenario as it stands
  std::vector<std::string> settings{};
  std::string refused{};  ///< why it could not be fitted; then nothing below is there
  std::vector<FittedPointer> pointers{};
  std::vector<std::string> unused{};  ///< fields that the structure sets, or that no row responds to in it
  std::vector<FittedRow> rows{};
  std::size_t freedom = 0;          ///< numbers beyond the fitted values
  double fitted_error = 0.0;        ///< root mean square of the fitted residuals [1]
  std::optional<double> outside{};  ///< of all residuals of rows that were not fitted; absent: there are none [1]
};

struct PointerFitReport {
  Provenance provenance{};
  std::string scenario{};
  std::vector<FittedStructure> structures{};
  std::size_t chosen = 0;
  bool rows_judge = false;          ///< `outside` is of rows that judge, else of rows that were left out one by one
  std::vector<std::string> data{};  ///< files with their SHA-256, shipped cases by name
  std::string written{};            ///< file of --out; empty: none
};

/// False where the chosen structure misses what it was fitted to by more than half: something is wrong with the rows.
bool is_a_fit(const PointerFitReport& report);

/// Says how to use the values only where they are a fit.
Answer pointer_fit_answer(const PointerFitReport& report);

/// What was fitted and from what, a line each, without the values of the scenario around them.
std::vector<std::string> fit_in_lines(const PointerFitReport& report);

}  // namespace saturn
