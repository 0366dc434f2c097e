#pragma once

#include <filesystem>

#include "scenarios/complaint_list.hpp"
#include "scenarios/document.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// Most bytes of a trace of arrivals: some 50 million dates.
inline constexpr std::size_t largest_trace_file = std::size_t{1} << 30U;

/// Reads the traces that pools name (paths relative to `folder`; a file that several name is read once) and gives them
/// to the scenario. In the document each trace's object gets the file's fingerprint, so that the scenario's hash
/// changes with the file. Codes: scenario.missing_file, .not_a_file, .unreadable_file, .too_large, those of
/// parse_arrival_trace()
void attach_traces(Scenario& scenario, Document& document, const std::filesystem::path& folder,
                   ComplaintList& complaints);

}  // namespace saturn
