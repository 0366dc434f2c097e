#include "reports/deployment/deployment_text.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/plan/falsification_report.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// Names may differ in what Kubernetes does not take; the later one then gets a number.
std::string unique_release(const std::string& server, std::set<std::string>& taken) {
  const std::string wanted = release_name(server);
  std::string name = wanted;
  for (std::size_t number = 2; !taken.insert(name).second; ++number) name = wanted + "-" + std::to_string(number);
  return name;
}

/// What is reached over the network, without predictions.
Deployment servers_of(const Scenario& scenario) {
  Deployment deployment{.planned = scenario};
  std::set<std::string> taken;
  for (const Server& server : scenario.servers) {
    if (server.attached) continue;
    const auto type = scenario.devices.find(server.devices.type);
    deployment.servers.push_back({.server = server,
                                  .release = unique_release(server.name, taken),
                                  .kind = type == scenario.devices.end() ? ResourceKind::gpu : type->second.kind,
                                  .models = {}});
  }
  return deployment;
}

/// Nodes of all servers share the requests of a model evenly, which is how the plan counts them.
double share_of(const Scenario& scenario, const Server& server, const std::string& model) {
  double nodes = 0.0;
  for (const Server& one : scenario.servers)
    if (std::find(one.models.begin(), one.models.end(), model) != one.models.end())
      nodes += static_cast<double>(one.nodes);
  return static_cast<double>(server.nodes) / nodes;
}

std::vector<DeployedModel> models_of(const Scenario& scenario, const Server& server, const Results& summary) {
  std::vector<DeployedModel> models;
  for (const std::string& name : server.models) {
    const auto found = std::find_if(summary.models.begin(), summary.models.end(),
                                    [&](const ModelResults& one) { return one.name == name; });
    if (found == summary.models.end()) continue;
    models.push_back({.name = name,
                      .requests_per_s = (*found)["requests_per_s"].mean * share_of(scenario, server, name),
                      .queue_s = (*found)["queue_s"].mean,
                      .compute_s = (*found)["compute_s"].mean,
                      .ensemble = !scenario.models.at(name).ensemble.empty()});
  }
  return models;
}

}  // namespace

std::vector<std::string> deployment_files(const Scenario& scenario) {
  const Deployment deployment = servers_of(scenario);
  std::vector<std::string> files;
  for (const DeployedServer& server : deployment.servers) files.push_back(values_file_name(deployment, server));
  files.emplace_back(deployment_readme_name);
  return files;
}

Deployment deployment_of(const Scenario& planned, const Results& summary, DeployedPlan plan) {
  Deployment deployment = servers_of(planned);
  deployment.event_time_s = summary.all_jobs["event_time_s"];
  deployment.events_per_s = summary.all_jobs["events_per_s"];
  deployment.command = std::move(plan.command);
  deployment.falsification = std::move(plan.falsification);
  std::size_t deployed = 0;
  for (std::size_t i = 0; i < planned.servers.size(); ++i) {
    if (planned.servers[i].attached) continue;
    DeployedServer& server = deployment.servers[deployed++];
    server.models = models_of(planned, planned.servers[i], summary);
    if (i < plan.spare_nodes.size()) server.reserve = plan.spare_nodes[i];
  }
  return deployment;
}

namespace {

std::string purpose_of(const std::string& file) {
  if (file.ends_with("config.pbtxt")) return "Triton's configuration of the model, as it was planned with";
  return "values for the Helm chart of SuperSONIC";
}

std::string files_text(const std::vector<std::string>& files) {
  TextTable table({{"file"}, {"what it is"}});
  for (const std::string& file : files) table.add_row({file, purpose_of(file)});
  return table.markdown();
}

std::string deploy_text(const Deployment& deployment) {
  std::string commands =
      "helm repo add fastml https://fastmachinelearning.org/SuperSONIC/\n"
      "helm repo update\n";
  for (const DeployedServer& server : deployment.servers)
    commands += "helm upgrade --install " + server.release + " fastml/supersonic -n NAMESPACE -f " +
                values_file_name(deployment, server) + "\n";
  std::string text = "## Deploy\n\n";
  text +=
      "Add what the plan does not know to the values: the image of Triton, cores and memory of a replica, and the "
      "model repository, into which the folders of the models go. Then, with the namespace of yours:\n\n";
  return text + fenced_text(commands);
}

std::string attached_text(const Deployment& deployment) {
  std::string names;
  for (const Server& server : deployment.planned.servers)
    if (server.attached) append_part(names, markdown_text(server.name));
  return names.empty() ? ""
                       : "\nDevices in the worker nodes are not deployed by a chart: " + names +
                             ". Start Triton on each node, or call the library in the job.\n";
}

std::string contradiction_text(const Deployment& deployment, const SystemFacts& facts) {
  std::string text = "\n## What would contradict the prediction\n\n";
  if (deployment.falsification) {
    Answer answer{.says_provenance = false};
    add_falsification(answer, *deployment.falsification, facts);
    // Sections begin behind an empty line, which a fence makes needless.
    return text + fenced_text(terminal_text(answer, {}, true).substr(1));
  }
  return text +
         "Events arrive from outside: another event time or rate than predicted, at the planned rate of arrivals. "
         "`saturn plan --falsify` knows measurements for jobs that begin their events themselves.\n";
}

}  // namespace

std::string values_file_name(const Deployment& deployment, const DeployedServer& server) {
  if (deployment.servers.size() == 1) return "values.yaml";
  const std::string prefix = release_name("");
  return "values" + server.release.substr(prefix.size()) + ".yaml";
}

std::string deployment_readme(const Deployment& deployment, const SystemFacts& facts,
                              const std::vector<std::string>& files) {
  const std::string& title = deployment.planned.title;
  std::string text = "# " + (title.empty() ? "A plan" : markdown_text(title)) + "\n\n";
  text += "Made by:\n\n" + fenced_text(deployment.command);
  text += "\nPredicted with " + counted(job_count(deployment.planned), "job") + ": " +
          estimate_text(deployment.event_time_s) + " s an event, " + estimate_text(deployment.events_per_s) +
          " events/s.\n\n";
  text += files_text(files) + "\n";
  if (!deployment.servers.empty()) text += deploy_text(deployment);
  return text + attached_text(deployment) + contradiction_text(deployment, facts);
}

namespace {

constexpr double load_margin = 2.0;
constexpr double per_microsecond = 1e6;

std::string key(std::size_t depth, const std::string& name, const std::string& value = "") {
  return std::string(2 * depth, ' ') + name + ":" + (value.empty() ? "" : " " + value) + "\n";
}

std::string header(const Deployment& deployment, const DeployedServer& server) {
  std::string text = yaml_comment("Values for the Helm chart of SuperSONIC: server " + server.server.name + " at " +
                                  server.server.site + ", as planned by saturn.");
  if (const std::string& title = deployment.planned.title; !title.empty()) text += yaml_comment("Scenario: " + title);
  text += yaml_comment("Made by: " + deployment.command);
  text += yaml_comment("Predicted with " + counted(job_count(deployment.planned), "job") + ": " +
                       estimate_text(deployment.event_time_s) + " s an event, " +
                       estimate_text(deployment.events_per_s) + " events/s.");
  for (const DeployedModel& model : server.models)
    text += yaml_comment("  " + model.name + ": " + number_text(model.requests_per_s) + " requests/s" +
                         (model.ensemble ? ", an ensemble: it waits in its steps"
                                         : ", " + time_text(model.queue_s) + " in the queue and " +
                                               time_text(model.compute_s) + " in an instance, mean"));
  text += yaml_comment(
      "README.md beside this file has the measurements that would contradict these predictions. What saturn does not "
      "know is left to the chart: the image, CPU cores and memory of a replica, and where the model repository is.");
  return text;
}

/// A text that a regular expression of PromQL, in its quotes, matches as it is.
std::string promql_literal(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (std::string_view("\\.+*?()|[]{}^$").find(c) != std::string_view::npos) text += "\\\\";
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

/// Ensembles count requests, but only their steps wait.
std::string metric_text(const DeployedServer& server) {
  std::string ensembles;
  for (const DeployedModel& model : server.models)
    if (model.ensemble) append_part(ensembles, promql_literal(model.name), "|");
  const std::string of =
      "{release=~\"" + server.release + "\"" + (ensembles.empty() ? "" : ",model!~\"" + ensembles + "\"") + "}[1m]";
  return "sum(rate(nv_inference_queue_duration_us" + of + ")) / clamp_min(sum(rate(nv_inference_request_success" + of +
         ")), 0.001)";
}

std::string metric_values(const DeployedServer& server) {
  const std::string threshold = std::to_string(load_threshold_us(server));
  std::string text = key(0, "nameOverride", yaml_text(server.release));
  text += "\n";
  text += yaml_comment(
      "Mean time that a request waits in Triton [us], over a minute. The chart's own metric has been a queue time in "
      "ms and is a number of replicas in later versions, so that a threshold alone would not say what it means.");
  text += key(0, "serverLoadMetric", yaml_text(metric_text(server)));
  text += yaml_comment("Predicted: " + time_text(mean_queue_s(server)) +
                       ". Twice that, and at least the mean time in an instance [us].");
  text += key(0, "serverLoadThreshold", threshold);
  return text + key(0, "serverAdmissionThreshold", threshold);
}

std::string devices_values(const DeployedServer& server) {
  const DevicePool& devices = server.server.devices;
  const bool sliced = !devices.mig.empty();
  const bool whole_gpus = server.kind == ResourceKind::gpu && !sliced;
  if (!whole_gpus)
    return yaml_comment(sliced
                            ? "Each replica was planned with " + counted(static_cast<double>(devices.count), "device") +
                                  " of type " + devices.type +
                                  ", divided into slices: ask for them by the name that the "
                                  "cluster gives them, such as nvidia.com/mig-1g.5gb, under resources.limits."
                            : "Each replica was planned with " + counted(static_cast<double>(devices.count), "device") +
                                  " of type " + devices.type +
                                  ": ask for them by the name that the cluster gives them, under "
                                  "resources.limits.",
                        2);
  const std::string gpus = std::to_string(devices.count);
  std::string text = yaml_comment("GPUs of each replica; planned: " + devices.type + ".", 2);
  text += key(1, "resources");
  for (const char* kind : {"limits", "requests"}) {
    text += key(2, kind);
    text += key(3, yaml_text("nvidia.com/gpu"), gpus);
  }
  return text;
}

std::string triton_values(const DeployedServer& server) {
  std::string text = key(0, "triton");
  text += yaml_comment("A replica is a node of the plan: one Triton server with its devices.", 2);
  text += key(1, "replicas", std::to_string(server.server.nodes));
  text += devices_values(server);
  const std::string models = joined(texts_of(server.models, [](const DeployedModel& model) { return model.name; }));
  return text + yaml_comment("Put the folders of its models (" + models +
                                 ") into the model repository, mount it with modelRepository, and name it in args "
                                 "(--model-repository=...).",
                             2);
}

struct Policy {
  std::string name{};
  std::string remark{};
};

Policy policy_of(const DeployedServer& server) {
  if (server.server.balancing == Balancing::central_queue)
    return {"LEAST_REQUEST",
            "Planned with one queue that all nodes share, which no balancer has; this is what comes nearest."};
  Policy policy;
  switch (server.server.dispatch) {
    case Dispatch::round_robin:
      policy = {"ROUND_ROBIN", "Planned: in turn."};
      break;
    case Dispatch::random:
      policy = {"RANDOM", "Planned: at random."};
      break;
    case Dispatch::power_of_two:
      policy = {"LEAST_REQUEST", "Planned: the better of two replicas drawn at random, which is what Envoy does."};
      break;
    case Dispatch::least_outstanding:
      policy = {"LEAST_REQUEST",
                "Planned: the replica with the fewest unanswered requests. Envoy takes the better of two drawn at "
                "random."};
      break;
  }
  if (server.server.balancing == Balancing::per_connection)
    policy.remark +=
        " It was planned for connections, as without a proxy; Envoy balances single requests, so that the load will be "
        "more even than predicted.";
  return policy;
}

std::string envoy_values(const DeployedServer& server) {
  const Policy policy = policy_of(server);
  return key(0, "envoy") + yaml_comment(policy.remark, 2) + key(1, "loadBalancerPolicy", yaml_text(policy.name));
}

std::string autoscaler_values(const DeployedServer& server) {
  const std::string enabled = server.reserve > 0 ? "true" : "false";
  std::string text = key(0, "keda");
  text += yaml_comment(
      server.reserve > 0
          ? "Replicas that the plan needs, and with the reserve that it buys. The autoscaler needs Prometheus."
          : "Without a reserve in the plan there is nothing to scale to; raise maxReplicaCount to allow for more.",
      2);
  text += key(1, "enabled", enabled);
  text += yaml_comment("The metric is a mean, not a sum over replicas.", 2);
  text += key(1, "metricType", yaml_text("Value"));
  text += key(1, "minReplicaCount", std::to_string(server.server.nodes));
  text += key(1, "maxReplicaCount", std::to_string(server.server.nodes + server.reserve));
  text += "\n" + key(0, "prometheus");
  text += yaml_comment("Or the cluster's own: enabled: false, and external.enabled, url, port and scheme.", 2);
  return text + key(1, "enabled", enabled);
}

}  // namespace

std::string release_name(const std::string& server) {
  std::string name = "supersonic-";
  for (const char c : server) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      name += upper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!name.ends_with('-'))
      name += '-';
  }
  name.resize(std::min(name.size(), longest_release));
  while (name.ends_with('-')) name.pop_back();
  return name;
}

double mean_queue_s(const DeployedServer& server) {
  double requests = 0.0;
  double waited = 0.0;
  for (const DeployedModel& model : server.models) {
    if (model.ensemble) continue;
    requests += model.requests_per_s;
    waited += model.requests_per_s * model.queue_s;
  }
  return requests > 0.0 ? waited / requests : 0.0;
}

std::uint64_t load_threshold_us(const DeployedServer& server) {
  double requests = 0.0;
  double computed = 0.0;
  for (const DeployedModel& model : server.models) {
    if (model.ensemble) continue;
    requests += model.requests_per_s;
    computed += model.requests_per_s * model.compute_s;
  }
  const double least = requests > 0.0 ? computed / requests : 0.0;
  const double threshold = per_microsecond * std::max(load_margin * mean_queue_s(server), least);
  // A threshold of 0 means the chart's default.
  return threshold > 1.0 && threshold < 1e15 ? static_cast<std::uint64_t>(std::ceil(threshold)) : 1;
}

std::string supersonic_values(const Deployment& deployment, const DeployedServer& server) {
  return header(deployment, server) + "\n" + metric_values(server) + "\n" + triton_values(server) + "\n" +
         envoy_values(server) + "\n" + autoscaler_values(server);
}

}  // namespace saturn
