#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/plan_sentence.hpp"
#include "reports/provenance.hpp"
#include "reports/facts_text.hpp"
#include "reports/text_table.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/sensitivity.hpp"

namespace saturn {

/// The number of event loops that one device carries, and the devices that the asked number of them needs. With one
/// loop a job they are jobs.
struct PlanReport {
  Provenance provenance;
  SystemFacts facts;
  PlanQuestion question;
  Plan plan;
  std::optional<Sensitivity> sensitivity{};      ///< where asked for
  std::optional<Falsification> falsification{};  ///< measurements that would contradict; where asked for
  std::vector<std::string> left_out{};           ///< what the budget left no time for
};

/// The sentence that the plan begins with.
PlanSentence sentence_of(const PlanReport& report);

/// What a plan counts: "job", or "event loop" where jobs have several.
std::string noun_of(const SystemFacts& facts);

/// Jobs that so many event loops are; with several kinds of jobs, in their proportion.
double jobs_of(const SystemFacts& facts, double event_loops);

/// The table of methods without their remarks: all that can be said before anything is simulated.
std::string methods_text(const std::vector<PlanRow>& methods, double tolerated_slowdown, const SystemFacts& facts,
                         TextStyle style);

/// For people: the answer in a sentence, then methods, breakdown, comparison, resources and candidates.
std::string plan_table(const PlanReport& report, TextStyle style);

/// For programs: one document {provenance, answer, formula, candidates, ...}, newline at the end.
std::string plan_json(const PlanReport& report);

/// For spreadsheets: tidy rows, see CsvRows.
std::string plan_csv(const PlanReport& report);

}  // namespace saturn
