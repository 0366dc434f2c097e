#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/deployment.hpp"
#include "reports/system_facts.hpp"

/// A deployment as files: values for SuperSONIC's Helm chart, and what to do with them.
/// Source  github.com/fastmachinelearning/SuperSONIC, helm/supersonic: values.yaml, values.schema.json,
///         templates/_helpers/_scaling-metric.tpl, templates/keda/so.yaml
namespace saturn {

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
std::string supersonic_values(const Deployment& deployment, const DeployedServer& server);

/// README.md beside the files.
/// @param files  names of the files that are written, in their folder
std::string deployment_readme(const Deployment& deployment, const SystemFacts& facts,
                              const std::vector<std::string>& files);

/// "values.yaml", or "values-NAME.yaml" of one of several servers.
std::string values_file_name(const Deployment& deployment, const DeployedServer& server);

}  // namespace saturn
