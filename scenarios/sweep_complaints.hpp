#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/complaint.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/sweep_text.hpp"

namespace saturn {

/// Complaints about a sweep, collected so that the user sees all of them at once; each names the option, or shows the
/// place in the scenario file.
class SweepComplaints {
 public:
  /// Keeps references to both.
  SweepComplaints(const SweepText& text, const ReadScenario& read) : text_(text), read_(read) {}

  /// About one of the axes as they are written. @param axis  index into SweepText::axes
  void about_axis(std::size_t axis, const char* code, const std::string& sentence);
  /// About all of them together.
  void about_axes(const char* code, const std::string& sentence);
  /// About a condition. @param condition  index into SweepText::where
  void about_condition(std::size_t condition, const char* code, const std::string& sentence);
  void about_sample(const char* code, const std::string& sentence);

  bool empty() const { return complaints_.empty(); }
  std::size_t count() const { return complaints_.size(); }
  /// @throws InputError  if there are any
  void stop_if_any() const;

 private:
  void add(const std::string& option, const std::string& value, const std::string& pointer, const char* code,
           const std::string& sentence);

  const SweepText& text_;
  const ReadScenario& read_;
  std::vector<Complaint> complaints_;
};

}  // namespace saturn
