#pragma once

#include <optional>
#include <set>
#include <string>

#include "calibration/score/placed_row.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// The model of a scenario that a load is of.
struct LoadModel {
  std::string name{};
  std::string label{};  ///< what rows call it; empty where all are of the same
};

/// Which models of a scenario the loads of a file are of.
class LoadModels {
 public:
  /// Says in `result` what was assumed, and refuses the file where its model cannot be known.
  /// @param chosen  name of the scenario's model; empty: the file's own names, or the only model that the jobs call
  LoadModels(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen, RowsOfFile& result);

  /// Nothing where the load is of a model that is not wanted.
  std::optional<LoadModel> of(const LoadPoint& point) const;
  /// What is wanted instead: "the scenario has \"a\" or \"b\"".
  const std::string& wanted() const { return wanted_; }

 private:
  void choose(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen, RowsOfFile& result);
  void take_names(const Scenario& scenario, const MeasuredFile& file, RowsOfFile& result);

  std::set<std::string> named_{};  ///< the file's own names
  std::set<std::string> taken_{};  ///< of them, those that are models of the scenario
  std::string one_{};              ///< the model that every wanted row is of; empty: each row's own name
  std::string unnamed_{};          ///< the model of rows without a name, beside rows with one
  std::string wanted_{};
};

}  // namespace saturn
