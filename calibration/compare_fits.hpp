#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/calibrate.hpp"
#include "calibration/fitted_law.hpp"
#include "models/results/estimate.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// A fit and where its data come from.
struct SourcedFit {
  std::string source{};
  const Fit& fit;
};

/// Compares what two laws of the same model say of the same batch: the geometric middle of the sizes that both were
/// measured at.
/// @returns nothing where they have no sizes in common, or one of them has no error that is known
std::optional<SourceComparison> compare_laws(const std::string& model, const SourcedFit& first,
                                             const SourcedFit& second);

/// Compares the first parameters, means of the same quantity.
/// @param quantity  with its unit, "round-trip time to 8.8.8.8 [s]"
std::optional<SourceComparison> compare_means(const std::string& quantity, const SourcedFit& first,
                                              const SourcedFit& second);

/// The rows that decide what a fit says, the weightiest first, at most four. Of a closed loop: those that give the
/// bottleneck's demand. Of a service law: those without which the time of the largest batch would move most, as long as
/// they move it by half of the most.
std::vector<std::string> deciding_rows(const NamedFit& named);

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

/// Puts the fitted law in the place of the model's laws and asks the closed bounds
/// (models/queueing/closed_formulas.hpp) where the devices saturate, waiting for nothing else. The interval of one
/// parameter follows from its ends; that of several from 4,000 draws of them.
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
