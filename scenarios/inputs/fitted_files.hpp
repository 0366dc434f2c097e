#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/document/document.hpp"
#include "scenarios/fields/field_table.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

// Where { "fitted": "file.json" } may stand in a scenario.

/// `{ "fitted": ..., "fit": ... }` for schema and reference.
const Definition& fitted_definition();

/// What a place of the scenario takes.
struct FittedPlace {
  FitKind kind = FitKind::time;  ///< a service law, a time or a bandwidth
  bool plain = false;            ///< one duration, no distribution
};

/// What the place takes that a JSON pointer names, told by the field table; nothing where no fitted value may stand.
std::optional<FittedPlace> fitted_place(const std::string& pointer);

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
