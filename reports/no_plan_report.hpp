#pragma once

#include <string>

#include "reports/provenance.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// A question that has no plan for its answer.
struct NoPlanReport {
  Provenance provenance{};
  std::string why{};  ///< a sentence
};

/// "No plan: ..."
std::string no_plan_text(const NoPlanReport& report, TextStyle style);

/// {provenance, answer: null, no_plan: why}
std::string no_plan_json(const NoPlanReport& report);

/// One column, "no_plan", with one row
std::string no_plan_csv(const NoPlanReport& report);

}  // namespace saturn
