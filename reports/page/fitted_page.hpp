#pragma once

#include <string>
#include <vector>

#include "calibration/fitted_file.hpp"
#include "reports/page/report_page.hpp"

namespace saturn {

/// The report of a fitted file: contradictions between sources first, then each fit with its points, its parameters
/// and what stands in a scenario's place, the files that were read, and where a scenario saturates by each source.
/// @param file      as the user named it
/// @param commands  that give the fits and the report again
ReportPage fitted_page(const SavedCalibration& saved, const std::string& file,
                       const std::vector<std::string>& commands);

}  // namespace saturn
