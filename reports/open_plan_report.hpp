#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/results.hpp"
#include "reports/plan_sentence.hpp"
#include "reports/provenance.hpp"
#include "reports/system_facts.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// One simulated number of devices.
struct OpenPlanRow {
  std::uint64_t gpus = 0;
  double capacity_per_s = 0.0;  ///< bound [1/s]
  std::string limit{};          ///< what sets it
  Estimate offered_per_s{};
  Estimate lost_fraction{};  ///< of the arrivals [1]
  JobsResults all_jobs{};
  OpenVerdict verdict = OpenVerdict::stable;
  bool accepted = false;
};

/// How many devices the events need that arrive from outside.
struct OpenPlanReport {
  Provenance provenance;
  SystemFacts facts;                ///< with those devices
  double tolerated_loss = 0.0;      ///< of the arrivals [1]
  double offered_per_s = 0.0;       ///< long-run rate [1/s]
  std::uint64_t gpus = 0;           ///< the answer
  std::uint64_t gpus_by_bound = 0;  ///< fewest whose capacity suffices by the demands alone
  std::vector<OpenPlanRow> rows;
  std::optional<double> cost_per_million_events_usd{};  ///< of everything with a price, with those devices [USD]
  std::string priced{};                                 ///< what that is
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
