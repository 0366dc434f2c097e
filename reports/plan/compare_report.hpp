#pragma once

#include <string>

#include "reports/run/provenance.hpp"
#include "reports/tables/text_table.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/plan/comparison/compare_alternatives.hpp"

namespace saturn {

/// Several ways to do the inference of one scenario's jobs.
struct CompareReport {
  Provenance provenance;
  SystemFacts facts;
  AlternativesComparison comparison;
};

/// For people: the winner in a sentence, the table, what the alternatives are made of, where the winner changes.
std::string compare_table(const CompareReport& report, TextStyle style);

/// For programs: one document {provenance, alternatives, winner, break_even}, newline at the end.
std::string compare_json(const CompareReport& report);

/// For spreadsheets: tidy rows, see CsvRows.
std::string compare_csv(const CompareReport& report);

/// What a break-even says, in a sentence: "service at iowa loses against CPU only from ... on".
/// @param device_word  "GPU"
std::string break_even_sentence(const BreakEven& one, const std::string& device_word);

}  // namespace saturn
