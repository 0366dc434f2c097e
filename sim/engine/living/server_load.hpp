#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/scaling/prometheus_rate.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/living/fleet.hpp"
#include "sim/engine/serving/inference_service.hpp"

namespace saturn {

/// The load of one server as Prometheus knows it, which reads the counters of its nodes from time to time: what
/// autoscalers follow and doors judge by. Cost: O(nodes) a reading and a question
class ServerLoad {
 public:
  /// @param server  index into Scenario::servers, of one whose nodes have queues of their own
  /// @param window  over which rates are taken
  ServerLoad(InferenceService& service, const Scenario& scenario, std::size_t server, ScalingMetric metric,
             Seconds window);

  /// Reads all nodes.
  /// @param now    not before that of the call before
  /// @param fleet  which nodes are in service; null: all are
  void scrape(double now, const Fleet* fleet);

  /// Of all nodes together: a mean wait [s], requests [1] or their rate [1/s]. Of no metric that is by node.
  /// @returns none where no node has been read as often as the metric wants it
  std::optional<double> total(double now) const;
  /// Busy share of the devices of each node that was read; absent: not known yet.
  std::vector<std::optional<double>> busy_shares(double now) const;
  /// The metric itself: a mean wait [s], or for each node that was read.
  std::optional<double> metric(double now) const;

 private:
  /// What is scraped of a node: its life begins and ends with the node's service.
  struct Watched {
    explicit Watched(double window_s)
        : queue_s(window_s), requests(window_s), batches(window_s), busy_s(window_s), arrivals(window_s) {}
    ScrapedCounter queue_s;
    ScrapedCounter requests;
    ScrapedCounter batches;
    ScrapedCounter busy_s;
    ScrapedCounter arrivals;
    double present = 0.0;
  };

  std::optional<double> sum_of(ScrapedCounter Watched::*counter, double now) const;
  std::optional<double> mean_wait(ScrapedCounter Watched::*taken, double now) const;

  InferenceService& service_;
  std::uint32_t first_;
  double units_;  ///< of a node
  ScalingMetric metric_;
  double window_s_;
  std::vector<std::optional<Watched>> watched_;  // by node of the server
};

/// A server's door that judges the first call of each job by the server's load, as it was read last.
class AdmissionDoor final : private Source {
 public:
  /// @param server  index into Scenario::servers, of one with admission
  AdmissionDoor(Calendar& calendar, InferenceService& service, const Scenario& scenario, std::size_t server);

  /// Reads from now on; before the first call. @param fleet  as for ServerLoad::scrape
  void begin(const Fleet* fleet);
  bool admits(double now) const;

 private:
  void fire(double now) override;

  Calendar& calendar_;
  const Admission& rules_;
  std::size_t source_;
  ServerLoad load_;
  const Fleet* fleet_ = nullptr;
  std::uint64_t scrapes_ = 0;
};

}  // namespace saturn
