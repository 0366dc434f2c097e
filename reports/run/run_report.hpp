#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "reports/run/explanation.hpp"
#include "reports/run/provenance.hpp"
#include "reports/tables/text_table.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// A simulated scenario.
struct RunReport {
  Provenance provenance;
  SystemFacts facts;
  Results summary;
  std::vector<ReferencePoint> references;
  bool precision_reached = true;
  double asked_precision = 0.0;            ///< relative half-width of the mean event time's interval [1]
  std::optional<double> budget_s{};        ///< wall time that was allowed [s]
  bool out_of_time = false;                ///< it ended the run
  std::optional<std::uint32_t> replica;    ///< present: only this replication was simulated
  std::optional<Explanation> explanation;  ///< present: it was asked for
};

/// For people: event time beside the formulas, stages, models with their batches, resources, the explanation where
/// there is one, checks, and the command that repeats it.
std::string run_table(const RunReport& report, TextStyle style);

/// For programs: one document {provenance, result}, the same bytes for the same result, newline at the end.
std::string run_json(const RunReport& report);

/// For spreadsheets: tidy rows, see CsvRows.
std::string run_csv(const RunReport& report);

/// What waits most, at most three parts, each with its share of all waiting: "requests of net come while every instance
/// is busy (71 %); the batcher of net holds requests back for others (29 %)". Empty where next to nothing does.
std::string waits_text(const std::vector<WaitingPart>& waits);

}  // namespace saturn
