#pragma once

#include "scenarios/complaint_list.hpp"
#include "scenarios/scenario.hpp"

/// What no single field can tell: names that must exist, values that must fit each other.
namespace saturn {

/// A decoded scenario beside the document that it came from.
struct CheckedScenario {
  const Scenario& scenario;
  const Document& document;
  ComplaintList& complaints;

  /// Refuses what stands at the pointer, or at its nearest ancestor that exists.
  void refuse(const std::string& pointer, const char* code, const std::string& text) const;
  void warn(const std::string& pointer, const char* code, const std::string& text) const;
};

/// All cross checks. Values that were refused already are left out, so that one mistake gives one complaint.
void check_scenario(const CheckedScenario& checked);

/// Names: unique pools and servers; models, device types and service laws that exist; models that a server holds.
void check_names(const CheckedScenario& checked);
/// Links: one a pair of sites, one wherever a job calls a server at another site, caps below bandwidths.
void check_links(const CheckedScenario& checked);
/// Amounts: request sizes against model limits, times above zero, totals that can be simulated, run control.
void check_amounts(const CheckedScenario& checked);

}  // namespace saturn
