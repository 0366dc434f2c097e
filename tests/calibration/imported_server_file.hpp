#pragma once

#include <string>

#include "calibration/import/text_format.hpp"

namespace saturn::tests::server_files {

/// The name of the only server format that recognises the text; empty for none, all names for several.
std::string recognised_as(const std::string& text);

/// Reads the text, called "m.txt", as what it is recognised as.
MeasuredFile imported(const std::string& text);

/// "line code: text" of each complaint, a line each; of a text that is refused, of the whole refusal.
std::string complaints_about(const std::string& text);

/// The same of a list.
std::string listed_complaints(const std::vector<Complaint>& complaints);

}  // namespace saturn::tests::server_files
