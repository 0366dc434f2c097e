#pragma once

#include <string>
#include <vector>

#include "reports/provenance.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// provenance.json of a sweep: where its points come from, and the command that computes them again.
/// @param answer  what each point answers, as in plan.jsonl
std::string sweep_provenance_json(const Provenance& provenance, const std::string& title, const std::string& answer,
                                  const std::vector<AxisColumn>& axes, std::uint64_t points);

}  // namespace saturn
