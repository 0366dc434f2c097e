#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "models/results/measure.hpp"
#include "models/results/measured_numbers.hpp"
#include "models/results/run_outcome.hpp"

/// The numbers of a run: one table, of which everything else is made. A row says what a number is called, what it is
/// of, how it is taken from a replication and averaged over several, and where it is printed. Its key is its name with
/// its unit: the key in JSON and CSV ("latency_p99_s"). Sweeps put what it is of before it, and `--require` asks for
/// names ("latency_p99").

namespace saturn {

namespace measures {

// clang-format off
/// In the order of the JSON, and of lists of names.
inline constexpr std::array table{
    Measure{.subject = Subject::candidate, .name = "slowdown", .unit = MeasureUnit::excess,
            .words = "event time over the unloaded one, less 1", .better = Better::less, .required = true},

    Measure{.subject = Subject::jobs, .name = "events", .unit = MeasureUnit::per_second,
            .words = "events that end", .better = Better::more, .average = Average::rate_of_events,
            .of = of_jobs<&JobsOutcome::events_per_s>, .beside = rate_by_streams, .swept = Swept::of_all,
            .title = "event rate"},
    Measure{.subject = Subject::jobs, .name = "offered", .unit = MeasureUnit::per_second,
            .words = "events that arrive", .average = Average::mean,
            .of = [](const Observed& s) {
              return static_cast<double>(s.jobs->open->arrived) / s.run->warm_up.window_s;
            },
            .where = arrives, .swept = Swept::of_each,
            .title = "offered event rate"},
    Measure{.subject = Subject::jobs, .name = "accepted", .unit = MeasureUnit::per_second,
            .words = "events that arrive and are not lost", .better = Better::more, .average = Average::mean,
            .of = [](const Observed& s) {
              const OpenOutcome& open = *s.jobs->open;
              return (static_cast<double>(open.arrived) - static_cast<double>(open.lost)) / s.run->warm_up.window_s;
            },
            .where = arrives},
    Measure{.subject = Subject::jobs, .name = "lost", .unit = MeasureUnit::per_second,
            .words = "events that find the buffer full", .better = Better::less, .average = Average::mean,
            .of = [](const Observed& s) { return static_cast<double>(s.jobs->open->lost) / s.run->warm_up.window_s; },
            .where = arrives},
    Measure{.subject = Subject::jobs, .name = "lost_fraction", .unit = MeasureUnit::share,
            .words = "lost ones of the events that arrive", .better = Better::less, .average = Average::share,
            .of = arrivals<&OpenOutcome::lost>, .beside = arrivals<&OpenOutcome::arrived>,
            .where = arrives, .swept = Swept::of_each,
            .title = "lost share of events"},
    Measure{.subject = Subject::jobs, .name = "backlog_mean", .unit = MeasureUnit::one,
            .words = "events that wait for a stream", .better = Better::less, .average = Average::mean,
            .of = arrivals<&OpenOutcome::waiting_mean>, .where = arrives},
    Measure{.subject = Subject::jobs, .name = "backlog_max", .unit = MeasureUnit::one,
            .words = "most events that waited for a stream", .better = Better::less, .average = Average::largest,
            .of = arrivals<&OpenOutcome::waiting_max>, .where = arrives},
    Measure{.subject = Subject::jobs, .name = "present_mean", .unit = MeasureUnit::one,
            .words = "events that wait or are processed", .average = Average::mean,
            .of = arrivals<&OpenOutcome::present_mean>, .where = arrives},
    Measure{.subject = Subject::jobs, .name = "growth", .unit = MeasureUnit::per_second,
            .words = "growth of the number of events present", .better = Better::less, .average = Average::signed_mean,
            .of = arrivals<&OpenOutcome::growth_per_s>, .where = arrives},
    Measure{.subject = Subject::jobs, .name = "rate", .unit = MeasureUnit::per_second,
            .words = "long-run rate of arrivals, as the scenario has it", .average = Average::constant,
            .of = arrivals<&OpenOutcome::rate_per_s>, .where = arrives},
    Measure{.subject = Subject::jobs, .name = "capacity", .unit = MeasureUnit::per_second,
            .words = "bound of the events that can be served", .better = Better::more, .average = Average::constant,
            .of = arrivals<&OpenOutcome::capacity_per_s>, .where = arrives},
    Measure{.subject = Subject::jobs, .name = "event_time", .unit = MeasureUnit::seconds,
            .words = "mean event time", .better = Better::less, .average = Average::mean_time,
            .of = event_time<&TimeStatistics::mean_s>, .json = "event_time_s/",
            .growing = Growing::withheld, .swept = Swept::of_all,
            .title = "event time", .required = true},
    Measure{.subject = Subject::jobs, .name = "event_time_p50", .unit = MeasureUnit::seconds,
            .words = "median of the event time", .better = Better::less, .average = Average::median,
            .of = event_time<&TimeStatistics::p50_s>, .beside = event_time<&TimeStatistics::count>,
            .json = "event_time_s/p50", .growing = Growing::withheld, .swept = Swept::of_all,
            .title = "median event time",
            .required = true},
    Measure{.subject = Subject::jobs, .name = "event_time_p95", .unit = MeasureUnit::seconds,
            .words = "95 % quantile of the event time", .better = Better::less, .average = Average::p95,
            .of = event_time<&TimeStatistics::p95_s>, .beside = event_time<&TimeStatistics::count>,
            .json = "event_time_s/p95", .growing = Growing::withheld, .swept = Swept::of_all,
            .title = "event time, 95th percentile",
            .required = true},
    Measure{.subject = Subject::jobs, .name = "event_time_p99", .unit = MeasureUnit::seconds,
            .words = "99 % quantile of the event time", .better = Better::less, .average = Average::p99,
            .of = event_time<&TimeStatistics::p99_s>, .beside = event_time<&TimeStatistics::count>,
            .json = "event_time_s/p99", .growing = Growing::withheld, .swept = Swept::of_all,
            .title = "event time, 99th percentile",
            .required = true},
    Measure{.subject = Subject::jobs, .name = "ideal_event_time", .unit = MeasureUnit::seconds,
            .words = "unloaded event time: of an event that never waits", .better = Better::less, .average = Average::exact_mean,
            .of = of_jobs<&JobsOutcome::ideal_event_time_s>},
    Measure{.subject = Subject::jobs, .name = "slowdown", .unit = MeasureUnit::one,
            .words = "event time over the unloaded one", .better = Better::less, .average = Average::mean_time,
            .of = [](const Observed& s) { return s.jobs->event_time.mean_s / s.jobs->ideal_event_time_s; },
            .growing = Growing::withheld, .swept = Swept::of_all},
    Measure{.subject = Subject::jobs, .name = "set_up", .unit = MeasureUnit::seconds,
            .words = "setting jobs up, for each event; no part of the event time", .better = Better::less,
            .average = Average::mean, .of = of_jobs<&JobsOutcome::set_up_s>},
    Measure{.subject = Subject::jobs, .name = "jobs", .unit = MeasureUnit::per_second, .words = "jobs that end",
            .average = Average::mean, .of = of_jobs<&JobsOutcome::jobs_per_s>},
    Measure{.subject = Subject::jobs, .name = "streams", .unit = MeasureUnit::one, .words = "streams",
            .average = Average::constant, .of = of_jobs<&JobsOutcome::clients>},

    swept_and_required(availability_of(Subject::jobs), "share of calls answered in time"),
    swept_and_required(late_of(Subject::jobs), "share of tries that are late"),
    swept_and_required(retried_of(Subject::jobs), "share of calls tried again"),
    swept_and_required(fell_back_of(Subject::jobs), "share of calls that fall back"),
    swept_and_required(failed_of(Subject::jobs), "share of calls that fail"),
    swept_and_required(tries_of(Subject::jobs), "tries for each call"),
    thrown_away_of(Subject::jobs),
    Measure{.subject = Subject::jobs, .name = "core_hours_waited", .unit = MeasureUnit::one,
            .words = "hours of cores on which streams waited for answers and for retries, within the window",
            .better = Better::less, .average = Average::mean,
            .of = [](const Observed& s) { return s.jobs->cores.waited; }, .where = follows},
    Measure{.subject = Subject::jobs, .name = "cores_waiting", .unit = MeasureUnit::share,
            .words = "of the cores of the jobs, on which streams wait for answers and for retries",
            .better = Better::less, .average = Average::share,
            .of = [](const Observed& s) { return s.jobs->cores.waited; },
            .beside = [](const Observed& s) { return s.jobs->cores.held; }, .where = follows, .swept = Swept::of_all,
            .title = "share of cores that wait", .required = true},
    Measure{.subject = Subject::jobs, .name = "events_failed", .unit = MeasureUnit::share,
            .words = "events that end their job, since nobody does the work of a call", .better = Better::less,
            .average = Average::share, .of = of_jobs<&JobsOutcome::events_failed>,
            .beside = [](const Observed& s) {
              return static_cast<double>(s.jobs->event_time.count) + s.jobs->events_failed;
            },
            .where = follows},

    Measure{.subject = Subject::stage, .name = "time", .unit = MeasureUnit::seconds,
            .words = "time that an event spends in the stage", .better = Better::less, .average = Average::mean,
            .of = [](const Observed& s) { return s.stage->mean_s; }},
    availability_of(Subject::stage),
    late_of(Subject::stage),
    retried_of(Subject::stage),
    fell_back_of(Subject::stage),
    failed_of(Subject::stage),
    tries_of(Subject::stage),
    thrown_away_of(Subject::stage),

    Measure{.subject = Subject::model, .name = "requests", .unit = MeasureUnit::per_second,
            .words = "requests that are answered", .better = Better::more, .average = Average::mean,
            .of = of_model<&ModelOutcome::requests_per_s>, .swept = Swept::of_each,
            .title = "request rate"},
    Measure{.subject = Subject::model, .name = "items", .unit = MeasureUnit::per_second,
            .words = "items of answered requests", .better = Better::more, .average = Average::mean,
            .of = of_model<&ModelOutcome::items_per_s>},
    Measure{.subject = Subject::model, .name = "ingress_bytes", .unit = MeasureUnit::per_second,
            .words = "bytes of input of answered requests", .average = Average::mean,
            .of = of_model<&ModelOutcome::ingress_bytes_per_s>},
    Measure{.subject = Subject::model, .name = "latency", .unit = MeasureUnit::seconds,
            .words = "mean latency of requests", .better = Better::less, .average = Average::mean,
            .of = latency<&TimeStatistics::mean_s>, .json = "latency_s/", .swept = Swept::of_each,
            .title = "latency",
            .required = true, .of_each = true},
    Measure{.subject = Subject::model, .name = "latency_p50", .unit = MeasureUnit::seconds,
            .words = "median of the latency", .better = Better::less, .average = Average::median,
            .of = latency<&TimeStatistics::p50_s>, .beside = latency<&TimeStatistics::count>,
            .json = "latency_s/p50", .swept = Swept::of_each,
            .title = "median latency", .required = true, .of_each = true},
    Measure{.subject = Subject::model, .name = "latency_p95", .unit = MeasureUnit::seconds,
            .words = "95 % quantile of the latency", .better = Better::less, .average = Average::p95,
            .of = latency<&TimeStatistics::p95_s>, .beside = latency<&TimeStatistics::count>,
            .json = "latency_s/p95", .swept = Swept::of_each,
            .title = "95th percentile of the latency", .required = true, .of_each = true},
    Measure{.subject = Subject::model, .name = "latency_p99", .unit = MeasureUnit::seconds,
            .words = "99 % quantile of the latency", .better = Better::less, .average = Average::p99,
            .of = latency<&TimeStatistics::p99_s>, .beside = latency<&TimeStatistics::count>,
            .json = "latency_s/p99", .swept = Swept::of_each,
            .title = "99th percentile of the latency", .required = true, .of_each = true,
            .objective = 8, .objective_name = "latency"},
    Measure{.subject = Subject::model, .name = "rejected", .unit = MeasureUnit::per_second,
            .words = "requests that a queue policy refuses", .better = Better::less, .average = Average::mean,
            .of = of_model<&ModelOutcome::rejected_per_s>},
    Measure{.subject = Subject::model, .name = "send", .unit = MeasureUnit::seconds,
            .words = "a request on the network", .better = Better::less, .average = Average::mean,
            .of = of_model<&ModelOutcome::send_s>, .json = "breakdown_s/send"},
    Measure{.subject = Subject::model, .name = "host", .unit = MeasureUnit::seconds,
            .words = "handling of a request's input by the server's host", .better = Better::less,
            .average = Average::mean, .of = of_model<&ModelOutcome::host_s>, .json = "breakdown_s/host"},
    Measure{.subject = Subject::model, .name = "queue", .unit = MeasureUnit::seconds,
            .words = "wait in the server's queue", .better = Better::less, .average = Average::mean,
            .of = of_model<&ModelOutcome::queue_s>, .json = "breakdown_s/queue", .swept = Swept::of_each,
            .title = "time in the queue"},
    Measure{.subject = Subject::model, .name = "fill", .unit = MeasureUnit::seconds,
            .words = "of the queue, held back by the batcher while an instance was free", .better = Better::less,
            .average = Average::mean, .of = of_model<&ModelOutcome::fill_s>, .json = "breakdown_s/fill"},
    Measure{.subject = Subject::model, .name = "instance_wait", .unit = MeasureUnit::seconds,
            .words = "the rest of the queue: all instances were busy", .better = Better::less,
            .average = Average::mean, .of = [](const Observed& s) { return s.model->queue_s - s.model->fill_s; },
            .json = "breakdown_s/instance_wait"},
    Measure{.subject = Subject::model, .name = "compute", .unit = MeasureUnit::seconds,
            .words = "time in an instance", .better = Better::less, .average = Average::mean,
            .of = of_model<&ModelOutcome::compute_s>, .json = "breakdown_s/compute",
            .swept = Swept::of_each,
            .title = "compute time"},
    Measure{.subject = Subject::model, .name = "device_wait", .unit = MeasureUnit::seconds,
            .words = "of the time in an instance, while others used the device", .better = Better::less,
            .average = Average::mean, .of = of_model<&ModelOutcome::device_wait_s>,
            .json = "breakdown_s/device_wait"},
    Measure{.subject = Subject::model, .name = "execute", .unit = MeasureUnit::seconds,
            .words = "the rest of the time in an instance", .better = Better::less, .average = Average::mean,
            .of = [](const Observed& s) { return s.model->compute_s - s.model->device_wait_s; },
            .json = "breakdown_s/execute"},
    Measure{.subject = Subject::model, .name = "receive", .unit = MeasureUnit::seconds,
            .words = "an answer on the network", .better = Better::less, .average = Average::mean,
            .of = of_model<&ModelOutcome::receive_s>, .json = "breakdown_s/receive"},
    Measure{.subject = Subject::model, .name = "batch_items", .unit = MeasureUnit::one,
            .words = "items of an executed batch", .average = Average::ratio, .of = executed_items,
            .beside = executed_batches, .swept = Swept::of_each,
            .title = "items of a batch"},

    Measure{.subject = Subject::candidate, .name = "throughput", .unit = MeasureUnit::per_second,
            .words = "events per second, of all jobs", .better = Better::more, .required = true,
            .objective = 5, .objective_name = "throughput"},
    Measure{.subject = Subject::candidate, .name = "lost_share", .unit = MeasureUnit::share,
            .words = "share of the events that are lost or rejected", .better = Better::less, .required = true},
    Measure{.subject = Subject::candidate, .name = "campaign_time", .unit = MeasureUnit::seconds,
            .words = "time for all events of the campaign", .better = Better::less, .required = true,
            .objective = 6, .objective_name = "campaign-time"},
    Measure{.subject = Subject::candidate, .name = "gpus", .unit = MeasureUnit::one,
            .words = "devices that are bought", .better = Better::less, .average = Average::constant,
            .required = true, .objective = 1, .objective_name = "fewest-gpus"},
    Measure{.subject = Subject::candidate, .name = "nodes", .unit = MeasureUnit::one,
            .words = "server nodes that are bought", .better = Better::less, .average = Average::constant,
            .required = true},
    Measure{.subject = Subject::candidate, .name = "jobs", .unit = MeasureUnit::one,
            .words = "jobs of all pools", .better = Better::more, .average = Average::constant, .required = true},
    Measure{.subject = Subject::candidate, .name = "deadline", .unit = MeasureUnit::seconds,
            .words = "longest deadline of a call", .better = Better::less, .average = Average::constant,
            .required = true, .objective = 9, .objective_name = "deadline"},
    Measure{.subject = Subject::candidate, .name = "jobs_per_gpu", .unit = MeasureUnit::one,
            .words = "jobs for each device that works", .better = Better::more, .average = Average::constant,
            .required = true, .objective = 7, .objective_name = "jobs-per-gpu"},
    Measure{.subject = Subject::candidate, .name = "rent", .unit = MeasureUnit::usd_per_hour,
            .words = "rent of everything that has a price, with all nodes there", .better = Better::less,
            .average = Average::constant, .required = true, .objective = 3, .objective_name = "rent"},
    Measure{.subject = Subject::candidate, .name = "power", .unit = MeasureUnit::watts,
            .words = "power of everything whose power is known", .better = Better::less,
            .average = Average::constant, .required = true},
    Measure{.subject = Subject::candidate, .name = "cost_per_million", .unit = MeasureUnit::usd_per_million,
            .words = "cost of a million events", .better = Better::less, .required = true,
            .objective = 2, .objective_name = "cost"},
    Measure{.subject = Subject::candidate, .name = "energy_per_million", .unit = MeasureUnit::kwh_per_million,
            .words = "energy of a million events", .better = Better::less, .required = true,
            .objective = 4, .objective_name = "energy"},

    Measure{.subject = Subject::resource, .name = "busy_fraction", .unit = MeasureUnit::share,
            .words = "busy share of its units", .average = Average::mean,
            .of = of_resource<&ResourceOutcome::busy_fraction>, .swept = Swept::of_each,
            .title = "busy share"},
    Measure{.subject = Subject::resource, .name = "demand", .unit = MeasureUnit::seconds_per_event,
            .words = "busy time over units that an event causes", .better = Better::less, .average = Average::mean,
            .of = of_resource<&ResourceOutcome::demand_s_per_event>},
    Measure{.subject = Subject::resource, .name = "units", .unit = MeasureUnit::one, .words = "its units",
            .average = Average::constant, .of = of_resource<&ResourceOutcome::units>},
    Measure{.subject = Subject::resource, .name = "mean_in_use", .unit = MeasureUnit::one,
            .words = "requests or flows present, waiting ones included", .average = Average::mean,
            .of = of_resource<&ResourceOutcome::mean_in_use>},
    Measure{.subject = Subject::resource, .name = "nodes_in_service", .unit = MeasureUnit::one,
            .words = "nodes that take requests", .average = Average::mean,
            .of = of_fleet<&FleetOutcome::in_service>, .where = is_fleet, .swept = Swept::of_each,
            .title = "nodes in service"},
    Measure{.subject = Subject::resource, .name = "nodes_paid", .unit = MeasureUnit::one,
            .words = "nodes that are there, those included that start, are repaired or are about to go",
            .better = Better::less, .average = Average::mean, .of = of_fleet<&FleetOutcome::paid>,
            .where = is_fleet, .swept = Swept::of_each,
            .title = "nodes paid for"},
    Measure{.subject = Subject::resource, .name = "device_hours", .unit = MeasureUnit::one,
            .words = "hours of devices of the nodes that are there, within the window", .better = Better::less,
            .average = Average::mean, .of = of_fleet<&FleetOutcome::device_hours>, .where = is_fleet},
    Measure{.subject = Subject::resource, .name = "most_device_hours", .unit = MeasureUnit::one,
            .words = "the same, were all nodes there all the time", .average = Average::mean,
            .of = of_fleet<&FleetOutcome::most_device_hours>, .where = is_fleet},
    Measure{.subject = Subject::resource, .name = "rent_usd", .unit = MeasureUnit::one,
            .words = "rent of the nodes that are there, within the window [USD]", .better = Better::less,
            .average = Average::mean, .of = [](const Observed& s) { return *s.resource->fleet->rent_usd; },
            .where = is_rented},
    Measure{.subject = Subject::resource, .name = "most_rent_usd", .unit = MeasureUnit::one,
            .words = "the same, were all nodes there all the time [USD]", .average = Average::mean,
            .of = [](const Observed& s) { return *s.resource->fleet->most_rent_usd; }, .where = is_rented},
    Measure{.subject = Subject::resource, .name = "failures", .unit = MeasureUnit::one,
            .words = "failures of nodes within the window", .better = Better::less, .average = Average::mean,
            .of = of_fleet<&FleetOutcome::failures>, .where = is_fleet},

    Measure{.subject = Subject::candidate, .name = "network_share", .unit = MeasureUnit::share,
            .words = "busy share of the busiest link or network card", .better = Better::less, .required = true,
            .of_each = true},
    Measure{.subject = Subject::candidate, .name = "gpu_share", .unit = MeasureUnit::share,
            .words = "busy share of the busiest devices", .better = Better::less, .required = true, .of_each = true},

    Measure{.subject = Subject::run, .name = "energy_per_event", .unit = MeasureUnit::joules,
            .words = "energy of an event, by what works and has a known power", .better = Better::less,
            .average = Average::rate_of_events, .of = energy_per_event, .beside = energy_by_streams,
            .where = [](const Observed& s) { return s.run->power_w.has_value(); },
            .swept = Swept::of_all,
            .title = "energy of an event", .required = true},
};
// clang-format on

}  // namespace measures

/// Names a row of the table; without more, its first one.
class MeasureId {
 public:
  constexpr MeasureId() = default;
  constexpr explicit MeasureId(std::size_t row) : row_(static_cast<std::uint8_t>(row)) {}

  constexpr std::size_t row() const { return row_; }
  constexpr const Measure& operator*() const { return measures::table[row_]; }
  constexpr const Measure* operator->() const { return &measures::table[row_]; }
  constexpr auto operator<=>(const MeasureId&) const = default;

 private:
  std::uint8_t row_ = 0;
};

/// All rows that a predicate takes, in the order of the table.
template <class Takes>
std::vector<MeasureId> measures_where(const Takes& takes) {
  std::vector<MeasureId> found;
  for (std::size_t row = 0; row < measures::table.size(); ++row)
    if (takes(measures::table[row])) found.emplace_back(row);
  return found;
}

/// The measure that `--require` calls so; nothing where there is none.
constexpr std::optional<MeasureId> find_measure(std::string_view name) {
  for (std::size_t row = 0; row < measures::table.size(); ++row)
    if (measures::table[row].required && measures::table[row].name == name) return MeasureId(row);
  return std::nullopt;
}

/// The same of a name that is known when this is compiled; others do not compile.
consteval MeasureId measure(std::string_view name) {
  return find_measure(name).value();
}

constexpr bool is_one_of(MeasureId measure, std::initializer_list<MeasureId> some) {
  return std::find(some.begin(), some.end(), measure) != some.end();
}

constexpr std::size_t number_of_measures(Subject subject) {
  return static_cast<std::size_t>(std::count_if(measures::table.begin(), measures::table.end(),
                                                [=](const Measure& one) { return one.subject == subject; }));
}

/// A measure of one kind of subject, by its key: `model["queue_s"]`. A key that such a subject has not does not
/// compile.
template <Subject subject>
class Key {
 public:
  consteval Key(const char* key) {  // NOLINT(google-explicit-constructor): a key is written as it is printed
    for (const Measure& one : measures::table) {
      if (one.subject != subject) continue;
      if (one.has_key(key)) return;
      ++slot_;
    }
    throw std::logic_error("no such measure");
  }

  /// That of the n-th measure of the subject.
  constexpr explicit Key(std::size_t slot) : slot_(slot) {}

  /// Its place among the measures of the subject.
  constexpr std::size_t slot() const { return slot_; }

  constexpr MeasureId id() const {
    std::size_t row = 0;
    for (std::size_t before = slot_; measures::table[row].subject != subject || before > 0; ++row)
      if (measures::table[row].subject == subject) --before;
    return MeasureId(row);
  }

 private:
  std::size_t slot_ = 0;
};

/// The measures of a kind of subject that `--require` knows, in the order of the table.
template <Subject subject>
std::vector<Key<subject>> required_of() {
  std::vector<Key<subject>> keys;
  std::size_t slot = 0;
  for (const Measure& measure : measures::table) {
    if (measure.subject != subject) continue;
    if (measure.required) keys.emplace_back(slot);
    ++slot;
  }
  return keys;
}

}  // namespace saturn
