#pragma once

#include <string>

namespace saturn {

/// docs/measures.md, from the table of measures: what every number of a run and of a plan is, and where it stands.
std::string measure_reference();

}  // namespace saturn
