#pragma once

#include <string>

#include "models/estimate.hpp"
#include "reports/provenance.hpp"

namespace saturn {

/// ": ±3.5 from the GPU times of resnet, ±1.8 from the simulation": what an interval is made of, the fits in the order
/// of the scenario; empty where no fit widens it.
std::string interval_parts_text(const Estimate& estimate);

/// A line for each fitted parameter file: its name, its SHA-256 and the fits that were used; empty without such files.
std::string fitted_sources_text(const Provenance& provenance);

}  // namespace saturn
