#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/estimate.hpp"
#include "models/falsification.hpp"
#include "models/quoted_price.hpp"
#include "models/sensitivity.hpp"
#include "models/waiting_part.hpp"
#include "reports/plan_sentence.hpp"
#include "reports/provenance.hpp"
#include "reports/system_facts.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// One way to answer "how many event loops": formula, bound, MVA or simulation. With one loop a job they are jobs.
struct MethodRow {
  std::string method;
  std::optional<double> knee;             ///< event loops per device at which the first resource saturates [1]
  std::optional<double> clients_per_gpu;  ///< within the tolerated slowdown, not rounded [1]
  std::optional<double> low;              ///< of its interval, when it has one
  std::optional<double> high;
  std::string remark;  ///< why it differs from the others, or why it is absent
};

/// One simulated candidate.
struct CandidateRow {
  std::uint64_t jobs = 0;  ///< event loops
  std::uint64_t gpus = 0;
  double bound_event_time_s = 0.0;
  Estimate event_time_s;
  Estimate slowdown;  ///< event time over ideal event time [1]
  bool accepted = false;
  std::string reason;
};

/// The number of event loops that one device carries, and the devices that the asked number of them needs.
struct PlanReport {
  Provenance provenance;
  SystemFacts facts;
  double tolerated_slowdown = 0.0;  ///< event time may be (1 + this)·t_ideal [1]
  std::vector<MethodRow> methods;
  std::vector<CandidateRow> candidates;
  /// The bound in jobs per device and event time [s]; empty where it is flat up to saturates_at and rises straight
  /// then.
  std::vector<std::pair<double, double>> bound_curve{};

  std::uint64_t clients_per_gpu = 0;  ///< whole, rounded down: within the slowdown, not past saturation unless asked
  bool past_saturation = false;       ///< asked to plan past saturation
  double within_slowdown = 0.0;       ///< event loops per device by the tolerated slowdown alone
  double saturates_at = 0.0;          ///< event loops per device at which the first resource saturates
  double clients_per_gpu_low = 0.0;
  double clients_per_gpu_high = 0.0;
  /// The same, not rounded, with the parts of the interval; where fitted parameters widen it.
  std::optional<Estimate> calibrated_clients_per_gpu{};
  double confidence = 0.95;  ///< of that interval
  /// Event time of the fewest jobs over the ideal one, where even these take longer than tolerated: the tolerance is
  /// then one of that time; and what makes it up.
  std::optional<Estimate> fewest_slowdown{};
  std::vector<WaitingPart> fewest_waits{};
  std::optional<double> also_tolerated_slowdown{};  ///< another tolerance [1], and what it allows
  std::optional<double> also_within_clients_per_gpu{};
  std::optional<double> alone_clients_per_gpu{};      ///< of one device by itself, where the scenario has several
  std::uint64_t jobs = 0;                             ///< event loops for which the devices were asked
  std::optional<std::uint64_t> gpus;                  ///< that carry them; absent when no number does
  std::string why_no_gpus;                            ///< the reason then
  std::optional<std::uint64_t> gpus_by_bound{};       ///< where the budget ended before they were confirmed
  Estimate slowdown;                                  ///< simulated with those [1]
  std::vector<WaitingPart> waits{};                   ///< what makes that up, or the slowdown of unsaturated_gpus
  std::optional<std::uint64_t> unsaturated_gpus{};    ///< without `gpus`: the fewest with which nothing is saturated
  Estimate unsaturated_slowdown{};                    ///< with those [1]
  std::optional<double> cost_per_million_events_usd;  ///< of everything with a price, with those devices [USD]
  std::string priced{};                               ///< what that is: "GPUs", "GPUs, hosts and cores"
  /// The whole event on the jobs' own cores [USD]; absent without a price of cores or a time on CPU.
  std::optional<double> cpu_only_cost_per_million_events_usd{};
  /// The offloaded part of the events alone, on the jobs' own cores and as a service [USD].
  std::optional<double> module_cpu_only_usd_per_million_events{};
  std::optional<double> module_service_usd_per_million_events{};
  double module_cpu_only_s = 0.0;     ///< of that part, per event [s]
  double module_service_s = 0.0;      ///< with waiting [s]
  std::vector<QuotedPrice> prices{};  ///< that the costs rest on
  std::string binding;                ///< resource that saturates first; empty when nothing does
  std::string next;                   ///< the one after it; empty when there is none
  double next_at_jobs = 0.0;          ///< event loops at which that one saturates

  std::optional<double> formula_clients_per_gpu;  ///< published formula's knee; absent outside its scope
  std::optional<double> formula_event_time_s;     ///< at the scenario's own jobs and devices [s]
  std::optional<Sensitivity> sensitivity{};       ///< where asked for
  std::optional<Falsification> falsification{};   ///< measurements that would contradict; where asked for
  bool budget_spent = false;                      ///< before the plan was finished: intervals are what is left open
  bool confirmed = true;                          ///< else the number of event loops is the formulas'
  std::vector<std::string> left_out{};            ///< what the budget left no time for
  bool precision_reached = true;                  ///< every candidate's event time is as precise as the scenario asks
};

/// The sentence that the plan begins with.
PlanSentence sentence_of(const PlanReport& report);

/// What a plan counts: "job", or "event loop" where jobs have several.
std::string noun_of(const SystemFacts& facts);

/// Jobs that so many event loops are; with several kinds of jobs, in their proportion.
double jobs_of(const SystemFacts& facts, double event_loops);

/// The table of methods without their remarks: all that can be said before anything is simulated.
std::string methods_text(const std::vector<MethodRow>& methods, double tolerated_slowdown, const SystemFacts& facts,
                         TextStyle style);

/// For people: the answer in a sentence, then methods, breakdown, comparison, resources and candidates.
std::string plan_table(const PlanReport& report, TextStyle style);

/// For programs: one document {provenance, answer, formula, candidates, ...}, newline at the end.
std::string plan_json(const PlanReport& report);

/// For spreadsheets: tidy rows, see CsvRows.
std::string plan_csv(const PlanReport& report);

}  // namespace saturn
