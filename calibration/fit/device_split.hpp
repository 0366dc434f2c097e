#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/fit/fit.hpp"

namespace saturn {

/// A load under which instances share one device all the time.
struct SharedRow {
  std::size_t clients = 2;     ///< each with one request outstanding, >= 2
  std::size_t instances = 2;   ///< of the model on the device, >= 2
  double request_batch = 1.0;  ///< items a request carries, >= 1
  /// Mean items of the batches that were executed; absent: every request was a batch, which is known of as many clients
  /// as instances and one more, since a single request waits then with no other to be joined with.
  std::optional<double> executed_batch{};
  double items_per_s = 0.0;                ///< > 0
  std::optional<double> standard_error{};  ///< of the rate [1/s]
  std::string label{};
};

/// T(b) in its two parts.
struct DeviceSplit {
  /// law "piecewise linear" over the measured sizes; parameters "T(b)" of each size, then "device(b)" of each [s].
  Fit fit{};
  std::vector<double> host{};        ///< T(b) − device(b) at each knot [s]
  std::vector<double> host_error{};  ///< their standard errors
  /// The instances lose more to each other than a device that they take in turns would cost: the factor by which device
  /// parts are longer. Absent: they do not.
  std::optional<double> contention{};
  bool saturated = true;  ///< false: the row shows no waiting for the device, and device(b) is only an upper bound
};

/// Splits T(b) into what occupies the device and what the host does beside it. In saturation the device works on one
/// batch of b items after the other, so that the rate is b/device(b). The device part grows from batch to batch as T
/// does, but at least as T between its last two sizes.
/// @param alone   batch times of one client and one instance, two sizes or more; errors optional
/// @param shared  one row; its batches lie within the sizes measured alone
/// @throws InputError  calibration.bad_value, calibration.too_few_sizes (one size, or batches beyond the sizes),
///                     calibration.unknown_batches (more clients than instances and one, and no executed batch)
/// Source  docs/models/devices.md
DeviceSplit split_host_device(std::span<const FitPoint> alone, const SharedRow& shared);

}  // namespace saturn
