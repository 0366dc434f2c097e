#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/queueing/closed_network.hpp"
#include "models/results/results.hpp"
#include "reports/words/facts_text.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/falsify.hpp"

/// A plan as something that can be put to work, as files: values for SuperSONIC's Helm chart, and what to do with them.
/// Source  github.com/fastmachinelearning/SuperSONIC, helm/supersonic: values.yaml, values.schema.json,
///         templates/_helpers/_scaling-metric.tpl, templates/keda/so.yaml

namespace saturn {

/// What is predicted of one model on a server.
struct DeployedModel {
  std::string name{};
  double requests_per_s = 0.0;
  double queue_s = 0.0;    ///< mean wait of a request in the server [s]
  double compute_s = 0.0;  ///< mean time in an instance [s]
  bool ensemble = false;   ///< waits only in its steps
};

/// The two shapes of the chart's values.
enum class Chart {
  triton,            ///< version 0.3.1 and before: the servers are `triton:`
  inference_server,  ///< unreleased, August 2026: `inferenceServer:` of type triton
};
inline constexpr Chart every_chart[] = {Chart::triton, Chart::inference_server};

/// Equal replicas of a Triton server, each a node of the plan.
struct DeployedServer {
  Server server{};
  std::string release{};      ///< a name that Kubernetes takes, unique among the servers
  std::uint64_t reserve = 0;  ///< replicas that may start beside the server's nodes
  ResourceKind kind = ResourceKind::gpu;
  std::vector<DeployedModel> models{};
};

/// A planned scenario with what was predicted of it.
struct Deployment {
  Scenario planned{};
  Estimate event_time_s{};
  Estimate events_per_s{};
  std::string command{};                   ///< that made the plan
  std::optional<double> rent_usd_per_h{};  ///< as DeployedPlan's
  std::vector<std::string> required{};     ///< as DeployedPlan's
  std::vector<DeployedServer> servers{};   ///< reached over the network
  std::optional<Falsification> falsification{};
};

/// What of a plan its scenario does not say.
struct DeployedPlan {
  std::vector<std::uint64_t> spare_nodes{};  ///< (servers) beside those that work; empty: none
  std::string command{};                     ///< that made the plan
  std::optional<double> rent_usd_per_h{};    ///< with the spare nodes; absent where prices are not known
  std::vector<std::string> required{};       ///< what was asked of it, with what it has; empty: nothing was
  std::optional<Falsification> falsification{};
};

/// The names of the files that go beside the models' folders: values of each server that is reached over the network,
/// for both shapes of the chart, what clients are told, and README.md. Known before anything is simulated.
std::vector<std::string> deployment_files(const Scenario& scenario);

/// A planned scenario as something to deploy.
/// @param planned  with the jobs and devices of the plan
/// @param summary  of its simulation
Deployment deployment_of(const Scenario& planned, const Results& summary, DeployedPlan plan);

inline constexpr const char* deployment_readme_name = "README.md";

/// Largest name of a release that leaves room for what the chart appends.
inline constexpr std::size_t longest_release = 50;

/// "supersonic-gke": a name that Kubernetes takes, from any name (small letters, digits, single dashes).
std::string release_name(const std::string& server);

/// Mean wait of a request in the server, over its models but ensembles, by their requests [s].
double mean_queue_s(const DeployedServer& server);

/// Queue time above which the autoscaler starts another replica [us], a whole number as the chart wants it: twice the
/// predicted one, and at least the mean time that a request is in an instance, since shorter waits are no sign of load.
/// How: docs/models/deployment.md.
std::uint64_t load_threshold_us(const DeployedServer& server);

/// values.yaml of one server.
std::string supersonic_values(const Deployment& deployment, const DeployedServer& server, Chart chart = Chart::triton);

/// What of the planned autoscalers the chart 0.3.1 cannot say; empty where no server that is deployed has one.
std::string unsaid_by_chart(const Scenario& scenario);

/// README.md beside the files.
/// @param files  names of the files that are written, in their folder
std::string deployment_readme(const Deployment& deployment, const SystemFacts& facts,
                              const std::vector<std::string>& files);

/// "values.yaml", or "values-NAME.yaml" of one of several servers; "-inferenceServer" stands behind it for that chart.
std::string values_file_name(const Deployment& deployment, const DeployedServer& server, Chart chart);

}  // namespace saturn
