#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"
#include "sim/plan/comparison/compare_two.hpp"

namespace saturn {

/// Two scenarios with the same random numbers beside each other.
struct TwoScenariosReport {
  Provenance provenance;  ///< of A
  std::string name_a{};   ///< file or shipped name, with its changes
  std::string name_b{};
  std::string title_a{};
  std::string title_b{};
  std::string sha256_b{};  ///< of B as it was resolved
  TwoScenarios comparison{};
  Decision decision = Decision::undecided;
  double least_difference = 0.01;    ///< relative difference below which nobody decides [1]
  std::optional<double> budget_s{};  ///< wall time that was allowed [s]
  bool out_of_time = false;          ///< it ended the comparison
  std::vector<std::string> notes{};  ///< what was changed to make the two comparable
};

/// Who is better and by how much, every number with its difference, what is left out. Numbers stand below "result".
Answer two_scenarios_answer(const TwoScenariosReport& report);

/// "A is better", "B is better", "no difference", "undecided".
const char* name_of(Decision decision);

}  // namespace saturn
