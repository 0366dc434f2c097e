#pragma once

#include <optional>
#include <string>

#include "scenarios/complaint_list.hpp"
#include "scenarios/document.hpp"
#include "scenarios/used_fit.hpp"

namespace saturn {

/// What the file's "schema" must say.
inline constexpr const char* fitted_schema_name = "saturn-fitted/1";

/// Most parameters of one fit: each draw solves an eigenvalue problem of that size.
inline constexpr std::size_t most_fitted_parameters = 100;

/// Decodes one fit of a fitted parameter file.
/// @param fit   the object behind its name
/// @param name  of the fit
/// @param used  JSON pointer of the scenario's place, which becomes unsound with every complaint
/// @returns nothing after a complaint; `file` and `places` are left to the caller
/// Codes: fitted.wrong_type, .missing_key, .unknown_unit, .nowhere, .disagrees, .covariance, .too_many_parameters,
/// .wrong_range, .not_one_line
std::optional<UsedFit> read_fit(const Node& fit, const std::string& name, const std::string& used,
                                ComplaintList& complaints);

}  // namespace saturn
