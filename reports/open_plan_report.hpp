#pragma once

#include <string>

#include "reports/plan_sentence.hpp"
#include "reports/provenance.hpp"
#include "reports/facts_text.hpp"
#include "reports/text_table.hpp"
#include "sim/plan/open_search.hpp"

namespace saturn {

/// How many devices the events need that arrive from outside.
struct OpenPlanReport {
  Provenance provenance;
  SystemFacts facts;  ///< with those devices
  OpenPlan plan;
};

/// The sentence that the plan begins with.
PlanSentence sentence_of(const OpenPlanReport& report);

/// For people: the answer in a sentence, the bound beside it, and what was simulated.
std::string open_plan_table(const OpenPlanReport& report, TextStyle style);
/// For programs: one document {provenance, answer, formula, candidates}, newline at the end.
std::string open_plan_json(const OpenPlanReport& report);
/// For spreadsheets: tidy rows, see CsvRows.
std::string open_plan_csv(const OpenPlanReport& report);

}  // namespace saturn
