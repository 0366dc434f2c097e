#pragma once

#include <string>

#include "reports/answer/answer.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/plan/comparison/alternatives.hpp"

namespace saturn {

/// Several ways to do the inference of one scenario's jobs.
struct CompareReport {
  Provenance provenance;
  SystemFacts facts;
  AlternativesComparison comparison;
};

/// The winner in a sentence, the alternatives and what they are made of, where the winner changes.
Answer compare_answer(const CompareReport& report);

/// What a break-even says, in a sentence: "service at iowa loses against CPU only from ... on".
/// @param device_word  "GPU"
std::string break_even_sentence(const BreakEven& one, const std::string& device_word);

}  // namespace saturn
