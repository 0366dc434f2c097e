#pragma once

#include <string>

#include "calibration/measured_case.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

/// What is wrong with a measured case, as "code: text" lines; empty when nothing is.
inline std::string measured_complaints(const std::string& text) {
  std::string all;
  try {
    read_measured_text(text, "x.json");
  } catch (const InputError& error) {
    for (const Complaint& complaint : error.complaints()) all += complaint.code + ": " + complaint.text + "\n";
  }
  return all;
}

}  // namespace saturn
