#pragma once

#include <cstddef>
#include <string>

#include "scenarios/complaint.hpp"

namespace saturn {

/// A complaint about data from "perf.csv:3", a file, or an empty label.
Complaint complaint_at(const std::string& label, std::string code, std::string text);

/// Ends a fit that the user's data do not allow.
/// @param label  where the data come from, "perf.csv:3", a file, or empty
/// @throws InputError  with this one complaint
[[noreturn]] void refuse_fit(const std::string& label, std::string code, std::string text);

}  // namespace saturn
