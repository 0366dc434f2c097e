#pragma once

#include <cstddef>
#include <string>

#include "reports/page/scenario/scenario_studies.hpp"

namespace saturn {

/// Most figures of a scenario's page that are not folded: more would bury the answer.
inline constexpr std::size_t most_unfolded_figures = 8;

/// The page of a scenario: the plan's sentence, then what it rests on, section by section. What could not be studied
/// says why in its place.
ReportPage scenario_page(const ScenarioStudies& studies);

// The sections of a scenario's page, each from the studies that it needs; its figures are those that the table of
// figures has for it. A section that has nothing to say is empty.

/// Nothing but a heading.
bool is_empty(const PageSection& section);
/// A paragraph more, unless the text is empty.
void add_paragraph(PageSection& section, const std::string& text);

/// What happens in a run of a fixed length: queue, nodes and load, and what became of calls.
PageSection over_time_section(const ScenarioStudies& studies);
/// Devices needed against the load.
PageSection need_section(const ScenarioStudies& studies);
/// The system, drawn.
PageSection system_section(const ScenarioStudies& studies);
/// The saturation curve, the methods side by side, what was simulated.
PageSection streams_section(const ScenarioStudies& studies);
/// Devices for events that arrive from outside, and what is lost.
PageSection arrivals_section(const ScenarioStudies& studies);
/// Parts of an event's time, latency of requests against load.
PageSection time_section(const ScenarioStudies& studies);
/// Use of every resource, what saturates first and next.
PageSection limits_section(const ScenarioStudies& studies);
/// The event time over batch and distance, with simulated checks.
PageSection field_section(const ScenarioStudies& studies);
/// Cost against jobs, the named plans, prices.
PageSection cost_section(const ScenarioStudies& studies);
/// Near, far, direct, CPU only.
PageSection ways_section(const ScenarioStudies& studies);
/// What the answer depends on.
PageSection inputs_section(const ScenarioStudies& studies);
/// Published measurements beside the simulation.
PageSection measured_section(const ScenarioStudies& studies);
/// One run over time, batches on devices.
PageSection one_run_section(const ScenarioStudies& studies);

}  // namespace saturn
