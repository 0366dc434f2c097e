#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/calibrate.hpp"
#include "calibration/fitted_file.hpp"
#include "calibration/import/measured_file.hpp"

/// Measured files on their way to a fitted file, for `calibrate` and `new`.

namespace saturn {

/// Gives every load the items of its requests: the given number, or what Little's law tells of each file, with a note.
/// @param batch  perf_analyzer's -b [item]
void know_request_items(std::vector<MeasuredFile>& files, std::optional<std::uint64_t> batch);

/// Fits with where they come from, ready to be written. Their date is now, or SOURCE_DATE_EPOCH where that is set.
/// @param command  gives the same fits again
SavedCalibration saved_calibration(std::span<const MeasuredFile> files, Calibration calibration, std::string command);

/// A measured file as it is typed: "FILE", "MODEL=FILE" or "MODEL@GPU=FILE". One whose whole name exists is that file.
struct NamedFile {
  std::string path{};
  std::string model{};  ///< empty: the file's own, or told by its name
  std::string gpu{};    ///< empty: told by its name, or the first
};
NamedFile named_file(const std::string& typed);

/// The files that were measured on one type of device, and what they say.
struct DeviceFits {
  std::string gpu{};
  std::vector<MeasuredFile> files{};
  Calibration calibration{};
};

/// Reads measured files, tells each one's model and device, and fits what belongs together. A file that does not say
/// its model is of the one whose name stands in the file's, the longest where there are several; of the only model; or,
/// where no models are known, of one that is called like the file.
/// @param models  names that are known; none: of what is measured
/// @param gpus    types of devices, at least one
/// @throws InputError  new.which_model, new.unknown_model, new.unknown_gpu, and what is wrong with the files, all at
///                     once
std::vector<DeviceFits> fits_by_device(std::span<const NamedFile> named, std::span<const std::string> models,
                                       std::span<const std::string> gpus, std::optional<std::uint64_t> batch);

/// The law of a model among the fits of a device; none where nothing of it was measured there.
const NamedFit* law_of_model(const DeviceFits& fits, const std::string& model);

/// "perf.csv:2-4, 7; other.csv:2": the rows that a fit rests on.
std::string rows_of(const NamedFit& fit);

}  // namespace saturn
