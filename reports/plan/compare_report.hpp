#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/comparison/compare_two.hpp"

/// What `compare` answers: several ways to do the inference of the same jobs, or two scenarios beside each other.

namespace saturn {

/// Several ways to do the inference of one scenario's jobs.
struct CompareReport {
  Provenance provenance;
  SystemFacts facts;
  AlternativesComparison comparison;
};

/// The winner in a sentence, the alternatives and what they are made of, up to where the service is as good.
Answer compare_answer(const CompareReport& report);

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
