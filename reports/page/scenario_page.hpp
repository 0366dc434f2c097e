#pragma once

#include "reports/page/scenario_studies.hpp"

namespace saturn {

/// The page of a scenario: the plan's sentence, then what it rests on, section by section. What could not be studied
/// says why in its place.
ReportPage scenario_page(const ScenarioStudies& studies);

}  // namespace saturn
