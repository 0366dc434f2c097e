#pragma once

#include <span>

#include "calibration/score/placed_row.hpp"
#include "scenarios/used_fit.hpp"

namespace saturn {

/// Says of rows that a fit of the scenario was made from them: by remarks at the rows that the fit's residuals name.
/// A file is known by the SHA-256 of its bytes, so that another name does not hide it.
/// @param fitted  the fitted parameter files of the scenario
/// @returns a sentence that names the fits; empty where no fit was made from the file
std::string mark_fitted_rows(const MeasuredFile& file, std::span<const FittedFile> fitted,
                             std::vector<PlacedRow>& rows);

}  // namespace saturn
