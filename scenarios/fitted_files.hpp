#pragma once

#include <filesystem>
#include <vector>

#include "scenarios/complaint_list.hpp"
#include "scenarios/document.hpp"
#include "scenarios/used_fit.hpp"

namespace saturn {

/// Most bytes of a fitted parameter file.
inline constexpr std::size_t largest_fitted_file = std::size_t{16} << 20U;

/// What a scenario takes from fitted parameter files.
struct FittedValues {
  std::vector<UsedFit> fits{};      ///< each once, in the order of their first places
  std::vector<FittedFile> files{};  ///< each once, in the order of their first places
};

/// Puts in the place of every { "fitted": "file.json" } the value of the fit that it names. Paths are relative to
/// `folder`. A reference that cannot be followed is refused, and a harmless value stands in its place.
/// Codes: scenario.fitted_path, .beside_fitted, .not_fitted, .unknown_fit, .which_fit, .fitted_kind, .missing_file,
/// .not_a_file, .unreadable_file, .too_large, .empty_file, .binary_file, .not_utf8, those of parse_document() and
/// read_fit()
FittedValues include_fitted_files(Document& document, const std::filesystem::path& folder, ComplaintList& complaints);

}  // namespace saturn
