#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibration/fit/closed_loop_fit.hpp"
#include "calibration/fit/fit.hpp"
#include "scenarios/used_fit.hpp"

namespace saturn {

/// A fit under the name that it has in a fitted file.
struct NamedFit {
  std::string name{};
  FitKind kind = FitKind::time;
  std::string about{};  ///< "GPU times of resnet": what an answer's interval calls its share
  std::string model{};  ///< of a service law
  Fit fit{};
  std::optional<SaturationFit> saturation{};  ///< of a closed loop: its knee, and the rows that decide
  std::string value{};                        ///< what stands in the scenario's place, JSON; empty for a closed loop
  std::vector<std::string> at{};              ///< (n) JSON pointer of each parameter inside `value`
  std::vector<std::string> units{};           ///< (n) of the parameters; a "1/s" stands for a time by its inverse
  std::vector<std::pair<double, double>> curve{};     ///< (x, y) of the law, for plots
  std::vector<std::pair<double, double>> measured{};  ///< the same of the data, where they are no residuals
  std::string x_title{};                              ///< "batch [items]"; empty: there is no x
  std::string y_title{};
  std::string y_unit{};
  std::vector<std::string> sources{};
  std::vector<std::string> notes{};
};

}  // namespace saturn
