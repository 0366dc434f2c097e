#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/calibration/validation_report.hpp"
#include "reports/figures/choices/cost_figure.hpp"
#include "reports/figures/choices/need_figure.hpp"
#include "reports/figures/choices/system_figure.hpp"
#include "reports/figures/curves/saturation_curve.hpp"
#include "reports/figures/maps/heat_map_figure.hpp"
#include "reports/page/report_page.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/run/run_report.hpp"
#include "sim/engine/recording/run_trace.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/comparison/sensitivity.hpp"

/// What the report of a scenario is made of: everything that was computed and simulated, as plain values.

namespace saturn {

/// A study, or why there is none.
template <class Study>
struct Studied {
  std::optional<Study> study{};
  std::string why_not{};  ///< a sentence; empty: nobody would miss it

  explicit operator bool() const { return study.has_value(); }
  const Study& operator*() const { return *study; }
  const Study* operator->() const { return &*study; }
};

/// An event time by formula beside the simulated one [s].
struct FieldCheck {
  std::string x{};  ///< as people read it, "1719"
  std::string y{};  ///< "11.8 ms"
  std::optional<double> formula{};
  std::optional<Estimate> simulated{};
  std::string why_not{};

  /// Of the formula, relative; nothing where one of the two is missing.
  std::optional<double> error() const;
};

/// The event time over two inputs.
struct FieldStudy {
  FieldMap map{};
  std::vector<FieldCheck> checks{};
  std::string unchecked{};  ///< why some cells were not simulated; empty: all that were to be were

  /// The check whose formula is furthest from the simulation; nullptr: no cell was simulated.
  const FieldCheck* worst() const;
  /// Why nobody should read a map of it: the formulas miss a simulated cell by more than 10 %, half of the cells have
  /// no value, or all have the same one. Empty: a map tells something.
  std::string why_no_map() const;
};

/// What a scenario's devices cost, and what else could be bought.
struct MoneyStudy {
  CostStudy cost{};
  std::optional<ParetoStudy> candidates{};
  std::string why_no_candidates{};
  std::string search_command{};  ///< finds the named plans again; empty: there are none
};

/// Other ways to do the same.
struct WaysStudy {
  AlternativesComparison comparison{};
  std::optional<WinnerMap> winners{};
  std::string why_no_winners{};
};

/// The measurements of a case that are about this scenario.
struct MeasuredStudy {
  std::vector<ValidationCase> cases{};
};

/// Everything about one scenario.
struct ScenarioStudies {
  std::string name{};  ///< of the scenario, as it was given: "protodune-big-batch"
  Provenance provenance{};
  SystemFacts facts{};
  std::vector<std::string> about{};  ///< how the scenario's file begins, paragraph by paragraph
  Studied<PlanReport> plan{};
  Studied<OpenPlanReport> arrivals{};  ///< in place of `plan` where events arrive from outside
  Studied<RunReport> over_time{};      ///< the scenario as it stands, where its runs have a fixed length
  Studied<NeedStudy> need{};
  Studied<SystemStudy> system{};
  std::vector<ReferencePoint> references{};
  Studied<SaturationStudy> saturation{};  ///< with one number of clients alone where events arrive from outside
  Studied<RunTrace> trace{};
  Studied<RunTrace> close_up{};  ///< a window short enough to see single batches
  Studied<FieldStudy> field{};
  Studied<MoneyStudy> money{};
  Studied<WaysStudy> ways{};
  Studied<Sensitivity> sensitivity{};
  Studied<MeasuredStudy> measured{};
  PlannerModel planner{};
  std::vector<Assumption> assumptions{};
  std::vector<std::string> warnings{};
  std::vector<std::string> commands{};
};

}  // namespace saturn
