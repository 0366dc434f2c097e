#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/fit/nonlinear_squares.hpp"
#include "calibration/measured_case.hpp"
#include "reports/calibration/pointer_fit_report.hpp"
#include "scenarios/inputs/scenario_places.hpp"
#include "scenarios/scenario.hpp"
#include "sim/run/replications.hpp"
#include "sim/study/typed_command.hpp"

/// Fields of a scenario fitted to measured rows by simulating them: what `calibrate --fit` is asked, and how it is
/// done.

namespace saturn {

/// A field to fit.
struct FitPointer {
  std::string pointer{};
  PlaceType type{};
  std::optional<double> low{};  ///< as the user narrows the range of the field table, in the base unit
  std::optional<double> high{};
};

/// A row that was named, and what it is for.
struct NamedRow {
  std::string file{};
  MeasuredRow row{};
  std::string model{};  ///< that its quantities are of
  bool judges = false;
};

/// One way in which the system may be made.
struct NamedStructure {
  std::string name{};
  std::vector<Override> set{};
};

struct FitQuestion {
  std::string scenario{};           ///< file or shipped name
  std::vector<Override> of_case{};  ///< what the rows' case changes in it
  std::vector<Override> changes{};  ///< of --set and --seed
  std::vector<FitPointer> pointers{};
  std::vector<NamedRow> rows{};
  std::vector<NamedStructure> structures{};  ///< at least one; that of a question without structures has no name
  std::vector<std::string> quantities{};     ///< names of terms that are fitted
  std::vector<std::string> data{};           ///< what the rows are of, with SHA-256

  /// What is changed in the scenario after a row's own changes.
  std::vector<Override> after_row(const NamedStructure& structure) const;
  /// The same with what the case changes, for a scenario without a row.
  std::vector<Override> without_row(const NamedStructure& structure) const;
};

/// Names of the terms, in the order in which they are shown: "time", "rate", "network", "queue", "compute",
/// "p50", "p95", "p99".
const std::vector<std::string>& fit_term_names();

/// What was typed after `calibrate ... --fit`, understood.
/// @throws InputError  fit.no_points, fit.unknown_point, fit.no_scenario, fit.not_a_number, fit.bad_structure and the
///                     like, and what is said of files, scenario and cases
FitQuestion fit_question(const TypedCommand& typed, Monitor& monitor);

/// A value as a scenario spells it.
std::string setting_text(double value, const PlaceType& type);

/// Where the fields stand and how far they may go: the range of the field table, as the user narrows it.
/// @param resolved  of the scenario with the changes of a structure
/// @param where     " (structure NAME)", or nothing
/// @throws InputError  fit.no_start
std::vector<BoundedParameter> bounded_parameters(const FitQuestion& question, const std::string& resolved,
                                                 const std::string& where);

/// Fits every structure, and takes the one that is best outside the rows that it was fitted to.
/// @throws InputError  fit.too_few_rows, fit.not_identified, fit.no_structure
/// @throws RunFailed
PointerFitReport fitted_pointers(const FitQuestion& question, const RunOptions& options);

/// The text of the question's scenario with what was fitted, below comments that say where it is from. Its own comments
/// and files' names stay where they can.
/// @param out  the file that it is for
/// @throws InputError  fit.not_written: it names files that a document of its own cannot
std::string fitted_scenario(const FitQuestion& question, const PointerFitReport& report, const std::string& out);

}  // namespace saturn
