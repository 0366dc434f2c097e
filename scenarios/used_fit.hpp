#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/fitted_parameters.hpp"

namespace saturn {

/// What a fit can stand for in a scenario.
enum class FitKind {
  service_law,
  time,
  bandwidth,
  count,
  closed_loop,  ///< nothing: it tells t_ideal and the bottleneck's demand, not which resource that is
};

/// "service law", "time", "bandwidth", "count", "closed loop": as fitted files call it.
const char* name_of(FitKind kind);

/// The kind of that name; nothing for another word.
std::optional<FitKind> find_fit_kind(std::string_view name);

/// A fit of a fitted parameter file that a scenario uses, at one place or several. Its parameters are drawn together.
struct UsedFit {
  std::string file{};  ///< as it was opened
  std::string name{};  ///< in the file
  FitKind kind = FitKind::time;
  std::string about{};  ///< how its share of an interval is named: "GPU times of resnet"
  std::string value{};  ///< what stands in the scenario's place, as JSON text
  FittedParameters parameters{};
  std::vector<std::string> at{};                   ///< (n) JSON pointers into the value
  std::vector<std::string> units{};                ///< (n) "s", "B/s", "B", "1/s" or "" of a bare number
  std::optional<ParameterInterval> batch_items{};  ///< range of validity of a service law [item]; absent: none is known
  std::vector<std::string> places{};               ///< JSON pointers of the scenario, in the order of the document
};

/// A fitted parameter file as it was read.
struct FittedFile {
  std::string path{};  ///< as it was opened
  std::string text{};  ///< its bytes
};

/// The value of a fit with other values of its parameters.
/// @param parameters  (n) in the fit's order and units
/// @returns a value as a `--set` option spells it
std::string value_with(const UsedFit& fit, const std::vector<double>& parameters);

}  // namespace saturn
