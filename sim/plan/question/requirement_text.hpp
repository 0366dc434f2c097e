#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/plan/question/option_complaints.hpp"
#include "sim/plan/question/requirement.hpp"

/// What `--require`, `--slowdown` and `--events` say.

namespace saturn {

/// Reads "latency_p99:emtrk <= 50 ms". Complains (require.unknown_figure, require.unknown_name, require.no_limit,
/// require.wrong_unit, require.bare_slowdown).
std::optional<Requirement> read_requirement(const std::string& text, const Scenario& scenario,
                                            OptionComplaints& complaints);

/// Why a slowdown without a unit is refused: 1.05 is 5 % to whom it is a ratio, and 105 % to whom it is a share.
/// @returns nothing where the text is no bare number
std::optional<std::string> bare_slowdown(const std::string& text);

/// Reads "1 %", above 0. Complains (require.wrong_unit, require.bare_slowdown, require.contradictory).
std::optional<Requirement> read_slowdown(const std::string& text, OptionComplaints& complaints);

/// Reads "1e9", above 0. Complains (events.not_a_number).
std::optional<double> read_events(const std::string& text, OptionComplaints& complaints);

/// Complains about limits that nothing can meet, alone or two together (require.contradictory).
/// @param options  (requirements) as typed
void refuse_contradictions(std::span<const Requirement> requirements, std::span<const std::string> options,
                           std::optional<double> campaign_events, OptionComplaints& complaints);

/// What of a scenario a figure may be asked of: models, network resources, servers; empty where it takes no name.
std::vector<std::string> names_for(MeasureId figure, const Scenario& scenario);

}  // namespace saturn
