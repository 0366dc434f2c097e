#pragma once

#include <optional>
#include <string>

#include "scenarios/field_table.hpp"

/// Where { "fitted": "file.json" } may stand in a scenario.
namespace saturn {

/// `{ "fitted": ..., "fit": ... }` for schema and reference.
const Definition& fitted_definition();

/// What a place of the scenario takes.
struct FittedPlace {
  std::string kind{};  ///< "service law", "time" or "bandwidth"
  bool plain = false;  ///< one duration, no distribution
};

/// What the place takes that a JSON pointer names, told by the field table; nothing where no fitted value may stand.
std::optional<FittedPlace> fitted_place(const std::string& pointer);

}  // namespace saturn
