#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"
#include "reports/calibration/validation_report.hpp"
#include "reports/run/provenance.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/jobs_and_devices.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// The numbers of the sentence that every plan begins with.
struct PlanSentence {
  double jobs_per_device = 0.0;  ///< the answer, as it is to be shown
  double low = 0.0;              ///< of its interval
  double high = 0.0;
  std::string noun = "job";  ///< "stream" where a job has several
  std::string device_word = "GPU";
  std::string binding{};                       ///< resource that saturates first; empty: nothing is shared
  std::optional<ResourceKind> binding_kind{};  ///< absent: the streams, where events arrive
  std::string next{};                          ///< the one after it; empty: there is none
  std::optional<ResourceKind> next_kind{};
  double next_at_jobs = 0.0;              ///< of `noun`, in all
  bool several_devices = false;           ///< numbers of jobs in all are then said to be that
  std::optional<double> binds_at_jobs{};  ///< present: the jobs saturate nothing, the first resource binds only there
  /// Present: events arrive from outside. `jobs_per_device` is then not said; limits are rates.
  struct Arrivals {
    double devices = 0.0;
    double events_per_s = 0.0;
    double binds_at_per_s = 0.0;
    double next_at_per_s = 0.0;
  };
  std::optional<Arrivals> arrivals{};
  /// Present: the answer depends on how much longer events may take, which is then said. Numbers are per device.
  struct Tolerance {
    double slowdown = 0.0;                  ///< tolerated [1]
    bool at_saturation = false;             ///< the answer is where the first resource saturates, within the tolerance
    bool of_fewest_jobs = false;            ///< of the event time of the fewest jobs, not of the ideal one
    std::optional<double> also_slowdown{};  ///< another one, and the jobs that it allows
    std::optional<double> also_jobs{};
    double saturates_at = 0.0;
  };
  std::optional<Tolerance> tolerance{};
  /// Present: the devices that so many jobs need together, where these share the load.
  struct Pool {
    double jobs = 0.0;
    double devices = 0.0;
    double most_in_a_node = 0.0;  ///< of these, where a node has to grow for them; 0: none has to
    Estimate slowdown{.mean = 1.0, .low = 1.0, .high = 1.0};  ///< of their events, against unloaded ones [1]
    std::optional<Estimate> failed{};                         ///< share of their calls, where these are followed [1]
    double refused = 0.0;                                     ///< of their work, and done by nobody [1]
    std::optional<Estimate> to_spare{};                       ///< the slowdown with any number of devices [1]
  };
  std::optional<Pool> pool{};
  std::optional<double> jobs_alone{};                ///< per device by itself, where the answer is of several
  std::optional<double> usd_per_million_events{};    ///< absent where nothing has a price
  std::string priced = "";                           ///< what has one: "GPUs", "GPUs and cores"; empty: not said
  std::optional<double> cpu_only_usd_per_million{};  ///< the same events without servers; absent where it is not known
};

/// "GPU gke/t4": what a resource is called among people, then its name, unless that says it already. Without a kind the
/// name alone.
std::string called(const std::optional<ResourceKind>& kind, const std::string& name);

/// Instances and slots: they are named in the plural, and held while somebody waits for something else.
bool is_held(const std::optional<ResourceKind>& kind);

/// Says that events arrive from outside, and at which rates what saturates first and next does.
/// @param facts         of the planned system
/// @param events_per_s  that arrive [1/s]
void say_arrivals(PlanSentence& sentence, const SystemFacts& facts, double events_per_s);

/// "6 jobs per GPU if events may take 1 % longer, 17 at 5 %, 24 at saturation; 15 each in the pool of 4 GPUs that 60
/// jobs need, where a request finds one free sooner. The GPU gke/t4 binds; the next limit is the network card gke nic
/// in at 956 jobs. 1,190 USD per million events, against 2,750 on CPU alone." An interval of less than one job goes
/// unsaid.
std::string plan_sentence(const PlanSentence& facts);

/// Lines of the first screen without headings: label, value, explanation. For people: other tables have the numbers.
Table first_screen();

/// "jobs per GPU" and "GPUs", what a sentence begins with.
void add_jobs(Table& screen, const PlanSentence& sentence);

/// "cost", "binds first", "binds next" and "unloaded event".
/// @param facts  of the same system
void add_cost_and_limits(Table& screen, const PlanSentence& sentence, const SystemFacts& facts);

/// One more line; a value that is too wide for its column stands before the explanation.
void add_line(Table& screen, const std::string& label, const std::string& value, const std::string& explanation);

/// How far a formula is from what was published of the same system.
struct FormulaErrors {
  Method by = Method::bounds;
  std::string of_case{};  ///< its name, as validate takes it
  std::string title{};
  Score score{};
};

/// The number of streams that one device carries, and the devices that the asked number of them needs. With one
/// stream a job they are jobs.
struct PlanReport {
  Provenance provenance;
  SystemFacts facts;
  PlanQuestion question;
  Plan plan;
  bool over_a_horizon = false;                   ///< runs have a fixed length: what jobs meet changes within it
  std::optional<Sensitivity> sensitivity{};      ///< where asked for
  std::optional<Falsification> falsification{};  ///< measurements that would contradict; where asked for
  std::vector<std::string> left_out{};           ///< what the budget left no time for
  std::string spread{};  ///< of a scenario in which nothing varies: options that would change that; else empty
  std::vector<FormulaErrors> formula_errors{};  ///< where formulas alone were asked, and something was published
};

/// The sentence that the plan begins with.
PlanSentence sentence_of(const PlanReport& report);

/// Jobs that so many streams are; with several kinds of jobs, in their proportion.
double jobs_of(const SystemFacts& facts, double stream_count);

/// What each method says, with its remark; at "methods".
void add_methods(Answer& answer, const std::vector<PlanRow>& methods, double tolerated_slowdown,
                 const SystemFacts& facts);

/// What makes events longer than unloaded ones, with its share; at "waits" below `root`.
void add_waits(Answer& answer, const std::vector<WaitingPart>& waits, const std::vector<std::string>& root);

/// Event time against jobs per device: the bound as blocks, simulated candidates as points, the plan marked below the
/// axis. Empty unless the style has pictures, and where nothing saturates.
std::string saturation_text(const PlanReport& report, TextStyle style);

/// What nobody should overlook who plans on the answer: on what service laws rest, what is not confirmed, two regimes.
void say_warnings(Answer& document, const PlanReport& report);

/// "No time was left for --emit, of which nothing was written.", a sentence each.
void say_left_out(Answer& document, const std::vector<std::string>& left_out);

/// "Nothing was simulated: these numbers are those of bounds alone."
std::string formulas_alone_text(const Methods& methods);

/// The same, and how far these methods are from what was published; with a line a method and case, at "formula_errors".
void add_formulas_alone(Answer& document, const PlanReport& report);

/// The answer, what it rests on, and what was simulated to confirm it.
Answer plan_answer(const PlanReport& report);

/// How many devices the events need that arrive from outside.
struct OpenPlanReport {
  Provenance provenance;
  SystemFacts facts;  ///< with those devices
  OpenPlan plan;
  std::vector<std::string> left_out{};  ///< what the budget left no time for; then the plan may be that of the bound
};

/// The sentence that the plan begins with.
PlanSentence sentence_of(const OpenPlanReport& report);

/// The answer, the bound beside it, and what was simulated.
Answer open_plan_answer(const OpenPlanReport& report);

}  // namespace saturn
