#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "reports/answer/answer.hpp"
#include "reports/run/explanation.hpp"
#include "reports/run/provenance.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// A simulated scenario.
struct RunReport {
  Provenance provenance;
  SystemFacts facts;
  std::vector<SharedQueue> starved{};  ///< see starved_queues()
  Results summary;
  std::vector<ReferencePoint> references;
  bool precision_reached = true;
  bool brief = false;                      ///< windows were short because the scenario asked for it
  std::string window_because{};            ///< what the window is so long for, in words; empty where a cell answered
  double asked_precision = 0.0;            ///< relative half-width of the mean event time's interval [1]
  std::optional<double> budget_s{};        ///< wall time that was allowed [s]
  bool out_of_time = false;                ///< it ended the run
  std::optional<std::uint32_t> replica;    ///< present: only this replication was simulated
  std::optional<Explanation> explanation;  ///< present: it was asked for
  std::vector<Outage> outages{};           ///< of the scenario
};

/// Event time beside the formulas, stages, models with their batches, resources, the explanation where there is one,
/// checks, and the command that repeats it. Numbers stand below "result".
Answer run_answer(const RunReport& report);

/// A table of methods, without rows: what each says of the event time and of the rate of events; at "methods".
Table methods_table(const std::vector<std::string>& place);

/// Adds to it what formulas say of the same jobs.
void add_references(Table& methods, const std::vector<ReferencePoint>& references, double ideal_event_time_s);

/// What each formula is exact for, or why it says nothing, for people.
void add_scopes(Answer& answer, const std::vector<ReferencePoint>& references);

/// What waits most, at most three parts, each with its share of all waiting: "requests of net come while every instance
/// is busy (71 %); the batcher of net holds requests back for others (29 %)". Empty where next to nothing does.
std::string waits_text(const std::vector<WaitingPart>& waits);

}  // namespace saturn
