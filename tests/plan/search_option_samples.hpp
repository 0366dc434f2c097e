#pragma once

#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "sim/plan/question/free_options.hpp"

namespace saturn::tests {

/// ProtoDUNE's big batches on four T4 (shipped): requests of 1,719 items to "emtrk", server "gke" at "iowa".
inline ReadScenario big_batch(const std::vector<Override>& changes = {}) {
  return read_scenario_file("protodune-big-batch", changes);
}

/// "option: code: text" of every complaint; nothing where there is none.
inline std::vector<std::string> complaints_of(const SearchOptions& options, const ReadScenario& read) {
  std::vector<std::string> all;
  try {
    understand(options, read);
  } catch (const InputError& error) {
    for (const Complaint& complaint : error.complaints())
      all.push_back(complaint.source + ": " + complaint.code + ": " + complaint.text);
  }
  return all;
}

/// The values of a variable in one text: "1 | 2 | 4".
inline std::string values_of(const FreeVariable& variable) {
  std::string all;
  for (const FreeValue& value : variable.values) all += (all.empty() ? "" : " | ") + value.text;
  return all;
}

/// What a value sets: "/jobs/0/count=8".
inline std::vector<std::string> settings_of(const FreeValue& value) {
  std::vector<std::string> all;
  for (const Override& setting : value.settings) all.push_back(text_of(setting));
  return all;
}

}  // namespace saturn::tests
