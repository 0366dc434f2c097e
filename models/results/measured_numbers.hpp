#pragma once

#include <optional>
#include <string_view>

#include "models/results/measure.hpp"
#include "models/results/run_outcome.hpp"

/// How the table of measures takes its numbers from a replication.

namespace saturn::measures {

template <auto member>
double of_jobs(const Observed& seen) {
  return seen.jobs->*member;
}

template <auto member>
double event_time(const Observed& seen) {
  return static_cast<double>(seen.jobs->event_time.*member);
}

template <auto member>
double arrivals(const Observed& seen) {
  return static_cast<double>((*seen.jobs->open).*member);
}

/// Events reach the pool from outside.
inline bool arrives(const Observed& seen) {
  return seen.jobs->open.has_value();
}

template <auto member>
double of_model(const Observed& seen) {
  return seen.model->*member;
}

template <auto member>
double latency(const Observed& seen) {
  return static_cast<double>(seen.model->latency.*member);
}

/// What became of the calls of a stage, or of a pool.
inline const std::optional<CallOutcome>& calls_of(const Observed& seen) {
  return seen.stage != nullptr ? seen.stage->calls : seen.jobs->calls;
}
template <auto member>
double of_calls(const Observed& seen) {
  return (*calls_of(seen)).*member;
}
/// Those that servers answered in time, without a fallback.
double answered_calls(const Observed& seen);
inline bool follows(const Observed& seen) {
  return calls_of(seen).has_value();
}

template <auto member>
double of_fleet(const Observed& seen) {
  return (*seen.resource->fleet).*member;
}
inline bool is_fleet(const Observed& seen) {
  return seen.resource->fleet.has_value();
}

inline bool is_rented(const Observed& seen) {
  return is_fleet(seen) && seen.resource->fleet->rent_usd.has_value();
}

/// Of calls: the same rows of a pool and of each of its stages.
constexpr Measure availability_of(Subject subject) {
  return {.subject = subject,
          .name = "availability",
          .unit = MeasureUnit::share,
          .words = "calls that servers answer in time, without a fallback",
          .better = Better::more,
          .average = Average::share,
          .of = answered_calls,
          .beside = of_calls<&CallOutcome::calls>,
          .where = follows};
}
constexpr Measure late_of(Subject subject) {
  return {.subject = subject,
          .name = "late",
          .unit = MeasureUnit::share,
          .words = "tries that are given up at their deadline",
          .better = Better::less,
          .average = Average::share,
          .of = of_calls<&CallOutcome::late>,
          .beside = of_calls<&CallOutcome::tries>,
          .where = follows};
}
constexpr Measure retried_of(Subject subject) {
  return {.subject = subject,
          .name = "retried",
          .unit = MeasureUnit::share,
          .words = "calls that are tried more than once",
          .better = Better::less,
          .average = Average::share,
          .of = of_calls<&CallOutcome::retried>,
          .beside = of_calls<&CallOutcome::calls>,
          .where = follows};
}
constexpr Measure fell_back_of(Subject subject) {
  return {.subject = subject,
          .name = "fell_back",
          .unit = MeasureUnit::share,
          .words = "calls whose work the fallback server or the job itself does",
          .better = Better::less,
          .average = Average::share,
          .of = of_calls<&CallOutcome::fell_back>,
          .beside = of_calls<&CallOutcome::calls>,
          .where = follows};
}
constexpr Measure failed_of(Subject subject) {
  return {.subject = subject,
          .name = "failed",
          .unit = MeasureUnit::share,
          .words = "calls whose work nobody does",
          .better = Better::less,
          .average = Average::share,
          .of = of_calls<&CallOutcome::failed>,
          .beside = of_calls<&CallOutcome::calls>,
          .where = follows};
}
constexpr Measure tries_of(Subject subject) {
  return {.subject = subject,
          .name = "tries_per_call",
          .unit = MeasureUnit::one,
          .words = "by how much retries multiply the load: tries sent to servers, for each call",
          .better = Better::less,
          .average = Average::ratio,
          .of = of_calls<&CallOutcome::tries>,
          .beside = of_calls<&CallOutcome::calls>,
          .where = follows};
}
constexpr Measure thrown_away_of(Subject subject) {
  return {.subject = subject,
          .name = "thrown_away",
          .unit = MeasureUnit::share,
          .words = "tries that servers answered in vain, too late",
          .better = Better::less,
          .average = Average::share,
          .of = of_calls<&CallOutcome::thrown_away>,
          .beside = of_calls<&CallOutcome::tries>,
          .where = follows};
}
/// A row as sweeps and `--require` know it too.
constexpr Measure swept_and_required(Measure measure, std::string_view title) {
  measure.swept = Swept::of_all;
  measure.title = title;
  measure.required = true;
  return measure;
}

template <auto member>
double of_resource(const Observed& seen) {
  return seen.resource->*member;
}

/// Streams of closed pools over the time of an event and its share of set-ups, as far from what was counted as the
/// window's edges allow: one event a stream. The rate of an open pool is what was counted.
double rate_by_streams(const Observed& seen);

/// Power of everything whose power is known, busy or not, over the rate of events.
double energy_per_event(const Observed& seen);
/// The same over the rate by the streams.
double energy_by_streams(const Observed& seen);

double executed_batches(const Observed& seen);
double executed_items(const Observed& seen);

}  // namespace saturn::measures
