#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/deployment/deployment_text.hpp"

/// A scenario's autoscaler and admission as values of SuperSONIC's chart, whose metric is a Prometheus query.
/// Source  github.com/fastmachinelearning/SuperSONIC, helm/supersonic: templates/keda/so.yaml of 0.3.1 (e578801) and
/// later
///         (0323a5a), templates/monitoring/prometheus-configmap.yaml; Triton's and Envoy's metrics from their manuals

namespace saturn {

/// What KEDA compares, as the mean of a replica: metric over threshold is how many times as many replicas are wanted.
struct ChartMetric {
  std::string query{};          ///< PromQL
  std::uint64_t threshold = 1;  ///< a whole number, as the chart's schema wants it
  std::string remark{};         ///< what the two are, with the unit
};

/// Mean time that a request of its models but ensembles waits in Triton [us].
/// @param window  of the rates, as PromQL has it: "1m"
std::string queue_time_query(const DeployedServer& server, const std::string& window);

/// The metric of a server with an autoscaler.
ChartMetric planned_metric(const DeployedServer& server, Chart chart);

/// The metric by which a server with admission judges jobs.
ChartMetric admission_metric(const DeployedServer& server, Chart chart);

/// Why this chart cannot say the planned admission: "it ..."; empty where it can.
std::string admission_unsaid(const DeployedServer& server, Chart chart);

/// Replicas when the release begins, and the fewest and the most that the autoscaler asks for.
struct ReplicaRange {
  std::uint64_t begin = 1;
  std::uint64_t least = 1;
  std::uint64_t most = 1;
};
ReplicaRange planned_replicas(const DeployedServer& server, Chart chart);

/// The pace and the way to zero, as lines below "keda:".
std::string planned_pace(const DeployedServer& server, Chart chart);

/// What of the planned autoscaler this chart cannot say, as sentences; never empty.
std::vector<std::string> left_out_of_chart(const DeployedServer& server, Chart chart);

}  // namespace saturn
