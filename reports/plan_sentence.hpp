#pragma once

#include <optional>
#include <string>

#include "reports/facts_text.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// The numbers of the sentence that every plan begins with.
struct PlanSentence {
  double jobs_per_device = 0.0;  ///< the answer, as it is to be shown
  double low = 0.0;              ///< of its interval
  double high = 0.0;
  std::string noun = "job";  ///< "event loop" where a job has several
  std::string device_word = "GPU";
  std::string binding{};                       ///< resource that saturates first; empty: nothing is shared
  std::optional<ResourceKind> binding_kind{};  ///< absent: the event loops, where events arrive
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
  };
  std::optional<Pool> pool{};
  std::optional<double> jobs_alone{};                ///< per device by itself, where the answer is of several
  std::optional<double> usd_per_million_events{};    ///< absent where nothing has a price
  std::string priced = "";                           ///< what has one: "GPUs", "GPUs and cores"; empty: not said
  std::optional<double> cpu_only_usd_per_million{};  ///< the same events without servers; absent where it is not known
};

/// Says that events arrive from outside, and at which rates what saturates first and next does.
/// @param facts         of the planned system
/// @param events_per_s  that arrive [1/s]
void say_arrivals(PlanSentence& sentence, const SystemFacts& facts, double events_per_s);

/// "6 jobs per GPU if events may take 1 % longer, 17 at 5 %, 24 at saturation; 15 each in the pool of 4 GPUs that 60
/// jobs need, where a request finds one free sooner. The GPU gke/t4 binds; the next limit is the network card gke nic
/// in at 956 jobs. 1,190 USD per million events, against 2,750 on CPU alone." An interval of less than one job goes
/// unsaid.
std::string plan_sentence(const PlanSentence& facts);

/// The same as lines of a report: what limits, then, where something has a price, what it costs.
std::string plan_sentence_lines(const PlanSentence& facts, TextStyle style);

}  // namespace saturn
