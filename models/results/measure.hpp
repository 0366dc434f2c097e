#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "models/results/run_outcome.hpp"

/// What the table of measures says of a number: its unit, what it is of, and how it is averaged.

namespace saturn {

enum class MeasureUnit : std::uint8_t {
  one,  ///< a count
  share,
  excess,  ///< of a ratio over 1
  seconds,
  seconds_per_event,
  per_second,
  watts,
  usd_per_hour,
  usd_per_million,
  kwh_per_million,
  joules,
};

/// How a unit ends a key, and how it is printed.
struct UnitText {
  std::string_view ending{};  ///< "_per_s"
  std::string_view symbol{};  ///< "1/s"
};

constexpr UnitText text_of(MeasureUnit unit) {
  switch (unit) {
    case MeasureUnit::one:
    case MeasureUnit::share:
      return {};
    case MeasureUnit::excess:
      return {"_less_1", ""};
    case MeasureUnit::seconds:
      return {"_s", "s"};
    case MeasureUnit::seconds_per_event:
      return {"_s_per_event", "s"};
    case MeasureUnit::per_second:
      return {"_per_s", "1/s"};
    case MeasureUnit::watts:
      return {"_w", "W"};
    case MeasureUnit::usd_per_hour:
      return {"_usd_per_h", "USD/h"};
    case MeasureUnit::usd_per_million:
      return {"_events_usd", "USD"};
    case MeasureUnit::kwh_per_million:
      return {"_events_kwh", "kWh"};
    case MeasureUnit::joules:
      return {"_j", "J"};
  }
  return {};
}

/// Whether powers have to be known.
constexpr bool is_of_power(MeasureUnit unit) {
  return unit == MeasureUnit::watts || unit == MeasureUnit::kwh_per_million || unit == MeasureUnit::joules;
}

/// What a number is of.
enum class Subject : std::uint8_t {
  run,        ///< everything together
  jobs,       ///< a pool of jobs, or all pools as one
  stage,      ///< of the events of a pool
  model,      ///< over all pools and servers
  resource,   ///< a device, host, link ...
  candidate,  ///< of a plan: what is bought, and the worst of pools, models, links or servers
};

/// Which way a number is better.
enum class Better : std::uint8_t { less, more, neither };

/// What becomes of the numbers of several replications.
enum class Average : std::uint8_t {
  none,            ///< of a candidate: not of a single run
  mean,            ///< Student's interval, not below 0
  signed_mean,     ///< Student's interval of what may be negative
  mean_time,       ///< the same as mean; a lone replication's series of event times bounds it
  rate_of_events,  ///< the same as mean_time; the interval holds what follows from the streams (`beside`), too
  ratio,           ///< sum over sum of `beside`; nothing where that is 0
  share,           ///< the same, but 0 of nothing
  median,          ///< on the scale of its logarithm; of as many events as `beside` says
  p95,
  p99,
  constant,    ///< exact: the same in all of them
  exact_mean,  ///< exact: without an interval
  largest,     ///< exact: of all of them
};

constexpr bool is_exact(Average average) {
  return average == Average::constant || average == Average::exact_mean || average == Average::largest;
}

constexpr bool is_quantile(Average average) {
  return average == Average::median || average == Average::p95 || average == Average::p99;
}

/// How sweeps name a number: not at all, of the whole run alone, or of each of its subjects.
enum class Swept : std::uint8_t { no, of_all, of_each };

/// What is said of a number of the jobs when their event times only grow, which tell how long was simulated.
enum class Growing : std::uint8_t { told, withheld };

/// One subject in one replication.
struct Observed {
  const RunOutcome* run = nullptr;
  const JobsOutcome* jobs = nullptr;     ///< a pool, or all pools together()
  std::span<const JobsOutcome> pools{};  ///< that `jobs` is made of
  const StageOutcome* stage = nullptr;
  const ModelOutcome* model = nullptr;
  const ResourceOutcome* resource = nullptr;
};

/// One number.
struct Measure {
  Subject subject{};
  std::string_view name{};
  MeasureUnit unit{};
  std::string_view words{};
  Better better = Better::neither;
  Average average = Average::none;
  double (*of)(const Observed& seen) = nullptr;      ///< from one replication
  double (*beside)(const Observed& seen) = nullptr;  ///< what some averages need besides
  /// Path in the JSON of its subject, keys between "/"; an empty last one is the mean among the quantiles of a time.
  /// Empty: its key alone. The order is that of the table.
  std::string_view json{};
  bool (*where)(const Observed& seen) = nullptr;  ///< which subjects have it; null: all
  Growing growing = Growing::told;                ///< of jobs
  Swept swept = Swept::no;
  std::string_view title{};           ///< of an axis or a column of a sweep; empty: its name
  bool required = false;              ///< `--require` knows it, and plans print it
  bool of_each = false;               ///< where it is required, of one model, link or server as well
  int objective = 0;                  ///< place among the objectives of `--objective`; 0: none
  std::string_view objective_name{};  ///< "fewest-gpus"

  std::string key() const { return std::string(name) + std::string(text_of(unit).ending); }
  constexpr bool has_key(std::string_view key) const {
    const std::string_view ending = text_of(unit).ending;
    return key.size() == name.size() + ending.size() && key.starts_with(name) && key.substr(name.size()) == ending;
  }
};

}  // namespace saturn
