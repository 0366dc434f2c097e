#pragma once

#include <optional>
#include <span>
#include <vector>

/// What Prometheus makes of counters that it reads from time to time, and what an autoscaler gets to see of them.

namespace saturn {

/// What a query for one number was answered.
struct QueryAnswer {
  bool has_failed = false;        ///< the service that answers queries did not, or with more than one series
  std::optional<double> value{};  ///< absent where the query found nothing: no series, or none with two samples
};

/// A counter as it was read once.
struct CounterSample {
  double at_s = 0.0;
  double count = 0.0;  ///< what it has counted since it began, >= 0
};

/// rate(counter[window]) at a date: the increase over the samples in (now − window, now], extended to both ends of the
/// window, a second. An end farther away than 1.1 times the mean distance of samples is taken to be half of that
/// distance away, and no counter is extended to before it was 0. A sample below the one before means that the counter
/// began anew, so what was counted after the last sample before that is lost.
/// Source: prometheus/prometheus, promql/functions.go (extrapolatedRate)
/// @param samples   by date
/// @param window_s  > 0
/// @returns [1/s]; none where fewer than two samples lie in the window
std::optional<double> prometheus_rate(std::span<const CounterSample> samples, double window_s, double now_s);

/// A counter that is scraped, and as many of its samples as a window holds.
class ScrapedCounter {
 public:
  /// @param window_s  of the queries to come, > 0
  explicit ScrapedCounter(double window_s) : window_s_(window_s) {}

  /// @param now_s  not before that of the call before
  void scrape(double now_s, double count);
  /// rate(counter[window]), as prometheus_rate. @param now_s  not before the last scrape
  std::optional<double> rate(double now_s) const { return prometheus_rate(samples_, window_s_, now_s); }

 private:
  double window_s_;
  std::vector<CounterSample> samples_{};
};

/// sum(rate(counter[window])) over the replicas that have it.
/// @returns none where no replica has two samples, which is what a query with an empty answer is
std::optional<double> summed_rate(std::span<const ScrapedCounter> replicas, double now_s);

/// SuperSONIC's load of a server in version 0.3.1 [ms]: the queue time of all requests over the number of executions,
/// so that batches of b requests count b times the wait of one. Its threshold is of the kind `value`.
/// @param queue_us_per_s    rate of Triton's queue duration [us/s], all replicas together
/// @param executions_per_s  rate of its execution count
/// Source: fastmachinelearning/SuperSONIC, helm/supersonic/templates/_helpers/_scaling-metric.tpl
std::optional<double> queue_ms_per_execution(const std::optional<double>& queue_us_per_s,
                                             const std::optional<double>& executions_per_s);

/// SuperSONIC's load of a server after version 0.3.1 [replicas]: requests in flight at the balancer, over those being
/// computed, or over the replicas where these are more, times the replicas. Its threshold is of the kind
/// `average_value`. Where nothing queues it is at most the replicas times the time of a request at the balancer over
/// that at the server.
/// @param in_flight    mean number of requests between balancer and answer: rate of their total time [s/s]
/// @param in_service   mean number of requests that are out of their queue: rate of their time without the queue [s/s]
/// @param healthy      replicas that the balancer knows to be healthy
/// Source: as queue_ms_per_execution
double replicas_in_use(double in_flight, double in_service, int healthy);

}  // namespace saturn
