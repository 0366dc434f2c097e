#pragma once

#include <cstddef>

#include "calibration/calibrate.hpp"

namespace saturn {

/// Loads that were measured while several instances of a model shared a device.
struct SharedLoads {
  MeasuredFile file{};
  std::size_t instances = 2;  ///< of the model on the device, >= 2
};

/// Splits the service law of the loads' model into the part that occupies the device and the part of the host beside
/// it, by the load of the largest rate whose executed batches are known (calibration/fit/device_split.hpp): counted by
/// the server, or each a request, as with at most one client more than instances; and puts the split law in the law's
/// place.
/// @param model  that the loads are of, where their file does not say; empty: the only model that was fitted
/// @throws InputError  calibration.no_lone_law (no law of one instance was fitted for that model),
///                     calibration.no_shared_load (no load of two clients or more with a known request),
///                     calibration.unknown_batches (the server may have joined the requests of every load), and those
///                     of split_host_device()
void split_shared(const SharedLoads& shared, const std::string& model, Calibration& result);

}  // namespace saturn
