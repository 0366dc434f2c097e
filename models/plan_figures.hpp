#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/summary.hpp"

/// What a plan is judged by: figures of a candidate, requirements on them, and what is to be least or most.
namespace saturn {

/// A number that a candidate has. In SI units and USD, see unit_of().
enum class PlanFigure {
  slowdown,            ///< event time over ideal event time, less 1 [1]; the worst pool
  event_time,          ///< mean [s]; the worst pool
  event_time_p50,      ///< [s]
  event_time_p95,      ///< [s]
  event_time_p99,      ///< [s]
  latency,             ///< of requests, mean [s]; of one model, or the worst
  latency_p50,         ///< [s]
  latency_p95,         ///< [s]
  latency_p99,         ///< [s]
  throughput,          ///< good events of all pools [1/s]
  lost_share,          ///< of the events that arrive from outside, or whose requests are rejected [1]
  campaign_time,       ///< for the question's number of events, at the throughput [s]
  gpus,                ///< devices bought, reserve included [1]
  nodes,               ///< server nodes bought, reserve included [1]
  jobs,                ///< of all pools [1]
  jobs_per_gpu,        ///< jobs over the devices that work, reserve excluded [1]
  rent,                ///< of everything that has a price [USD/h]
  power,               ///< of everything whose power is known, busy or not [W]
  cost_per_million,    ///< rent and traffic over the throughput [USD per 10^6 events]
  energy_per_million,  ///< power over the throughput [kWh per 10^6 events]
  network_share,       ///< busy share of one link, or of the busiest link or network card [1]
  gpu_share,           ///< busy share of the busiest device pool [1]
};

/// How a figure is named on the command line ("latency_p99"), in JSON ("latency_p99_s") and in sentences.
struct FigureName {
  PlanFigure figure{};
  std::string_view name{};   ///< "latency_p99"
  std::string_view unit{};   ///< "s", "USD/h", "" ...
  std::string_view words{};  ///< "99 % quantile of the latency"
  bool less_is_better = true;
  bool takes_name = false;  ///< "latency_p99:emtrk": may be asked of one model, link or server
};

/// All figures, in the order of the enumeration.
std::span<const FigureName> figure_names();
const FigureName& name_of(PlanFigure figure);

/// "latency_p99:emtrk <= 50 ms".
struct Requirement {
  PlanFigure figure{};
  std::string of{};     ///< model, link or server; empty: the worst of them
  bool at_most = true;  ///< else at least
  double limit = 0.0;   ///< in the figure's unit
  std::string text{};   ///< as the user wrote it, or as he would have
};

/// What is to be least, or most.
struct Objective {
  PlanFigure figure{};
  bool least = true;
  std::string name{};  ///< as on the command line: "fewest-gpus"
};

/// The figures of one candidate, as far as they are known: by formula, or simulated.
struct CandidateFigures {
  struct Entry {
    PlanFigure figure{};
    std::string of{};  ///< empty: of all
    /// Of a bound: mean = low = high = the best value that is possible, replications = 0. Exact where nothing has to be
    /// simulated (devices, rent).
    Estimate value{};
    bool exact = false;
  };
  std::vector<Entry> entries{};

  const Entry* find(PlanFigure figure, std::string_view of = {}) const;
};

/// How far a figure is beyond a requirement's limit, relative to the limit (absolute where the limit is 0); negative
/// when within it.
double excess(const Requirement& requirement, double value);

/// The end of an interval that is worst for a requirement: with a limit there the estimate meets it beyond its noise.
double worst_end(const Requirement& requirement, const Estimate& value);
/// The other end: where even that misses, the requirement is missed beyond noise.
double best_end(const Requirement& requirement, const Estimate& value);

}  // namespace saturn
