#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/named_fit.hpp"
#include "models/estimate.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// Where a scenario's devices saturate when its service law is a fitted one.
struct DeviceSaturation {
  Estimate device_time_s{};  ///< time that an event needs of one device [s]
  Estimate jobs{};           ///< jobs at which the devices that hold the model saturate; with the fit's 95 % interval
};

/// What a source says of the scenario's saturation.
struct SourceKnee {
  std::string source{};
  DeviceSaturation saturation{};
  std::string decided_by{};  ///< the rows whose absence would move it most
};

/// Where a scenario saturates by each source.
struct SourceKnees {
  std::string scenario{};  ///< empty: none was named
  std::vector<SourceKnee> knees{};
  std::vector<std::string> notes{};  ///< what a reader of the knees should know, and why a source has none
};

/// Puts the fitted law in the place of the model's laws and asks the closed bounds (models/bounds.hpp) where the
/// devices saturate, waiting for nothing else. The interval of one parameter follows from its ends; that of several
/// from 4,000 draws of them.
/// @param model  a model of the scenario whose requests the jobs send
/// @throws std::invalid_argument  a model that no server holds
DeviceSaturation saturation_with(const Scenario& scenario, const std::string& model, const Fit& law);

/// t_ideal of the mix of the scenario's jobs [s].
double ideal_event_time(const Scenario& scenario);

/// Sizes of the requests that the jobs send to a model: the smallest and the largest "request_batch" [item].
struct RequestSizes {
  double least = 0.0;
  double most = 0.0;
};
RequestSizes request_sizes(const Scenario& scenario, const std::string& model);

/// The same from clients and event times: the demand of the bottleneck, taken as the devices', under the scenario's own
/// unhindered event time.
/// @returns nothing when the rows do not show a knee
std::optional<DeviceSaturation> saturation_of_loop(const Scenario& scenario, const SaturationFit& loop);

/// The model of the scenario that a fit is about: the one of its name, else the only one that the jobs call; empty when
/// neither is there.
std::string model_meant(const Scenario& scenario, const std::string& fitted_model);

}  // namespace saturn
