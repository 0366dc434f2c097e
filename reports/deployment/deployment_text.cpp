#include "reports/deployment/deployment_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <variant>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/deployment/batch_files.hpp"
#include "reports/deployment/chart_autoscaling.hpp"
#include "reports/deployment/client_text.hpp"
#include "reports/plan/plan_evidence.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

constexpr const char* later_values = "-inferenceServer.yaml";

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
  for (const DeployedServer& server : deployment.servers)
    for (const Chart chart : every_chart) files.push_back(values_file_name(deployment, server, chart));
  if (has_client_rules(scenario)) files.emplace_back(client_file_name);
  files.emplace_back(deployment_readme_name);
  return files;
}

Deployment deployment_of(const Scenario& planned, const Results& summary, DeployedPlan plan) {
  Deployment deployment = servers_of(planned);
  deployment.event_time_s = summary.all_jobs["event_time_s"];
  deployment.events_per_s = summary.all_jobs["events_per_s"];
  deployment.command = std::move(plan.command);
  deployment.rent_usd_per_h = plan.rent_usd_per_h;
  deployment.required = std::move(plan.required);
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

/// Of SuperSONIC's chart that values.yaml is for.
constexpr const char* chart_version = "0.3.1";

std::string purpose_of(const std::string& file) {
  if (file.ends_with("config.pbtxt")) return "Triton's configuration of the model, as it was planned with";
  if (file == client_file_name) return "deadlines, tries and servers for CMSSW's clients, functions for --customise";
  const std::string version = chart_version;
  return file.ends_with(later_values)
             ? "the same for the chart after " + version + ", whose servers are under inferenceServer"
             : "values for the Helm chart of SuperSONIC, version " + version;
}

std::string files_text(const std::vector<std::string>& files) {
  TextTable table({{"file"}, {"what it is"}});
  for (const std::string& file : files) table.add_row({file, purpose_of(file)});
  return table.markdown();
}

std::string deploy_text(const Deployment& deployment) {
  if (deployment.servers.empty()) return "";
  std::string installs;
  for (const DeployedServer& server : deployment.servers)
    installs += "helm upgrade --install " + server.release + " fastml/supersonic --version " + chart_version +
                " -n NAMESPACE -f " + values_file_name(deployment, server, Chart::triton) + "\n";
  return filled_template("supersonic-deploy.md", {{"installs", installs}});
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
  if (!deployment.falsification)
    return "Events arrive from outside: another event time or rate than predicted, at the planned rate of arrivals. "
           "`saturn plan --falsify` knows measurements for jobs that begin their events themselves.\n";
  Answer answer{.says_provenance = false};
  add_falsification(answer, *deployment.falsification, facts);
  // Sections begin behind an empty line, which a fence makes needless.
  return fenced_text(terminal_text(answer, {}, true).substr(1));
}

/// What the prediction rests on that nobody has measured; nothing where all was.
std::string reservations_text(const Deployment& deployment, const SystemFacts& facts) {
  Answer answer{.says_provenance = false};
  if (has_constant_times(deployment.planned) && !all_open(deployment.planned))
    answer.say(std::string(nothing_varies) +
               ". Jobs in step may wait for each other or never, so that the number of devices may be right by chance "
               "alone: plan with times that vary before you deploy.");
  say_laws(answer, facts);
  if (answer.parts.empty()) return "";
  return "\n## Before you deploy\n\n" + markdown_text(std::string(trimmed(terminal_text(answer, {}, true)))) + "\n";
}

/// "Predicted with 300 jobs: 30.2 s an event, 9.9 events/s (± of the simulation alone)."
std::string predicted_text(const Deployment& deployment) {
  const std::optional<double>& rent = deployment.rent_usd_per_h;
  const std::string required =
      deployment.required.empty() ? "" : " Required of it: " + joined(deployment.required) + ".";
  return "Predicted with " + counted(job_count(deployment.planned), "job") + ": " +
         estimate_text(deployment.event_time_s) + " s an event, " + estimate_text(deployment.events_per_s) +
         " events/s (± of the simulation alone)" + (rent ? ", for a rent of " + number_text(*rent) + " USD/h." : ".") +
         required;
}

/// " Items of a full request: emtrk 235." The jobs set it, and the prediction holds for it alone.
std::string requests_text(const Scenario& scenario) {
  std::map<std::string, std::set<std::uint64_t>> items;
  for (const JobPool& pool : scenario.jobs)
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage); infer != nullptr && infer->items.largest() > 0)
        items[infer->model].insert(std::min(infer->request_batch, infer->items.largest()));
  std::string text;
  for (const auto& [model, sizes] : items) {
    std::vector<std::string> words;
    for (const std::uint64_t size : sizes) words.push_back(std::to_string(size));
    append_part(text, model + " " + joined_and(words));
  }
  return text.empty() ? "" : " Items of a full request, which the jobs set: " + text + ".";
}

}  // namespace

std::string values_file_name(const Deployment& deployment, const DeployedServer& server, Chart chart) {
  const std::string ending = chart == Chart::triton ? ".yaml" : later_values;
  if (deployment.servers.size() == 1) return "values" + ending;
  const std::string prefix = release_name("");
  return "values" + server.release.substr(prefix.size()) + ending;
}

std::string deployment_readme(const Deployment& deployment, const SystemFacts& facts,
                              const std::vector<std::string>& files) {
  const std::string& title = deployment.planned.title;
  return filled_template("supersonic-README.md",
                         {{"title", title.empty() ? "A plan" : markdown_text(title)},
                          {"command", fenced_text(deployment.command)},
                          {"predicted", markdown_text(predicted_text(deployment) + requests_text(deployment.planned))},
                          {"files", files_text(files)},
                          {"deploy", deploy_text(deployment)},
                          {"attached", attached_text(deployment)},
                          {"reservations", reservations_text(deployment, facts)},
                          {"contradiction", contradiction_text(deployment, facts)}});
}

namespace {

constexpr double load_margin = 2.0;
constexpr double per_microsecond = 1e6;

std::string header(const Deployment& deployment, const DeployedServer& server, Chart chart) {
  std::string version = chart_version;
  if (chart != Chart::triton) version = "after " + version + " (`inferenceServer:`, unreleased in August 2026)";
  std::string text = yaml_comment("Values for the Helm chart of SuperSONIC, version " + version + ": server " +
                                  server.server.name + " at " + server.server.site + ", as planned by saturn.");
  if (const std::string& title = deployment.planned.title; !title.empty()) text += yaml_comment("Scenario: " + title);
  text += yaml_comment("Made by: " + deployment.command);
  text += yaml_comment(predicted_text(deployment));
  for (const DeployedModel& model : server.models)
    text += yaml_comment("  " + model.name + ": " + number_text(model.requests_per_s) + " requests/s" +
                         (model.ensemble ? ", an ensemble: it waits in its steps"
                                         : ", " + time_text(model.queue_s) + " in the queue and " +
                                               time_text(model.compute_s) + " in an instance, mean"));
  return text;
}

/// A time of its models but ensembles, by their requests [s].
double mean_over_requests(const DeployedServer& server, double DeployedModel::*time_s) {
  double requests = 0.0;
  double sum = 0.0;
  for (const DeployedModel& model : server.models) {
    if (model.ensemble) continue;
    requests += model.requests_per_s;
    sum += model.requests_per_s * model.*time_s;
  }
  return requests > 0.0 ? sum / requests : 0.0;
}

// As many as the largest machines have that are sold in numbers, such as NVIDIA's DGX and HGX; beyond it a remark is
// written, and nothing else changes.
constexpr std::uint64_t usual_gpus_of_node = 8;

/// What each replica asks for.
std::string devices_values(const DeployedServer& server) {
  const DevicePool& devices = server.server.devices;
  const bool sliced = !devices.mig.empty();
  const bool apart = devices.dispatch == DeviceDispatch::per_device_queue && units_of(devices) > 1;
  const std::string planned = "Each replica was planned with " + counted(static_cast<double>(devices.count), "device") +
                              " of type " + devices.type + (apart ? ", each with a queue of its own" : "");
  if (sliced)
    return yaml_comment(planned +
                            ", divided into slices: ask for them by the name that the cluster gives them, such as "
                            "nvidia.com/mig-1g.5gb, under resources.limits.",
                        2);
  if (server.kind != ResourceKind::gpu)
    return yaml_comment(planned + ": ask for them by the name that the cluster gives them, under resources.limits.", 2);
  std::string crowded;
  if (devices.count > usual_gpus_of_node)
    crowded = yaml_comment("Few nodes hold so many: saturn plan with --gpus " + shell_word(server.server.name) +
                               "=1:" + std::to_string(devices.count) +
                               " --node-sizes 1,2,4,8 plans for nodes that can be bought.",
                           2);
  return crowded +
         yaml_comment(
             "GPUs of each replica; planned: " + devices.type +
                 (apart ? ", each with a queue of its own, which the instances of one Triton server do not "
                          "have: start a replica for each GPU."
                        : ".") +
                 " Where nodes have other GPUs too, nodeSelector chooses, by their label (nvidia.com/gpu.product"
                 " where NVIDIA's feature discovery runs).",
             2) +
         filled_template("supersonic-gpus.yaml", {{"gpus", std::to_string(devices.count)}});
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
    case Dispatch::least_in_turn:
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
  return mean_over_requests(server, &DeployedModel::queue_s);
}

std::uint64_t load_threshold_us(const DeployedServer& server) {
  const double least = mean_over_requests(server, &DeployedModel::compute_s);
  const double threshold = per_microsecond * std::max(load_margin * mean_queue_s(server), least);
  // A threshold of 0 means the chart's default.
  return threshold > 1.0 && threshold < 1e15 ? static_cast<std::uint64_t>(std::ceil(threshold)) : 1;
}

namespace {

/// Whether this chart judges jobs as planned.
bool judges_jobs(const DeployedServer& server, Chart chart) {
  return server.server.admission && admission_unsaid(server, chart).empty();
}

/// The planned autoscaler's metric, the planned admission's, or what tells that the plan's load is exceeded.
ChartMetric metric_of(const DeployedServer& server, Chart chart) {
  if (server.server.autoscaler) return planned_metric(server, chart);
  if (judges_jobs(server, chart)) return admission_metric(server, chart);
  return {.query = queue_time_query(server, "1m"),
          .threshold = load_threshold_us(server),
          .remark = "Predicted: " + time_text(mean_queue_s(server)) +
                    ". Twice that, and at least the mean time in an instance [us]."};
}

std::string metric_remark(const DeployedServer& server, Chart chart, const ChartMetric& metric) {
  const std::string own =
      " The chart's own metric has been a queue time in ms and is a number of replicas in later versions, so that a "
      "threshold alone would not say what it means.";
  if (!server.server.autoscaler && !judges_jobs(server, chart))
    return yaml_comment("Mean time that a request waits in Triton [us], over a minute." + own);
  return yaml_comment((server.server.autoscaler ? "Planned autoscaler: " : "Planned admission: ") + metric.remark +
                      "." + own);
}

std::string reserve_remark(const DeployedServer& server) {
  return server.reserve > 0
             ? "Replicas that the plan needs, and with the reserve that it buys. The autoscaler needs Prometheus."
             : "Without a reserve in the plan there is nothing to scale to; raise maxReplicaCount to allow for more.";
}

/// What the chart leaves out of an autoscaler, in comments.
std::string keda_remark(const DeployedServer& server, Chart chart) {
  if (!server.server.autoscaler) return yaml_comment(reserve_remark(server), 2);
  std::string text = yaml_comment("As planned. What this chart cannot say:", 2);
  for (const std::string& sentence : left_out_of_chart(server, chart)) text += yaml_comment("- " + sentence, 2);
  return text;
}

/// Where Prometheus is told how often it reads the replicas.
std::string scrapes_values(const DeployedServer& server, Chart chart) {
  const std::optional<Autoscaler>& scaling = server.server.autoscaler;
  if (!scaling && !judges_jobs(server, chart)) return "";
  const Seconds period = scaling ? scaling->scrape : server.server.admission->scrape;
  constexpr double milliseconds = 1e3;
  const auto period_ms = static_cast<std::uint64_t>(std::llround(milliseconds * period.value));
  return filled_template("supersonic-scrapes.yaml", {{"scrape", yaml_text(std::to_string(period_ms) + "ms")}});
}

/// Who judges jobs at Envoy's door, below "envoy:".
std::string admission_values(const DeployedServer& server, Chart chart) {
  if (!server.server.admission) return "";
  if (const std::string why = admission_unsaid(server, chart); !why.empty())
    return yaml_comment("The planned admission is not in this chart: " + why + ". Every job is let in.", 2);
  return filled_template("supersonic-admission.yaml",
                         {{"threshold", chart == Chart::triton ? "serverLoadThreshold" : "serverAdmissionThreshold"}});
}

ReplicaRange replicas_of(const DeployedServer& server, Chart chart) {
  if (server.server.autoscaler) return planned_replicas(server, chart);
  const std::uint64_t nodes = server.server.nodes;
  return {.begin = nodes, .least = nodes, .most = nodes + server.reserve};
}

}  // namespace

std::string supersonic_values(const Deployment& deployment, const DeployedServer& server, Chart chart) {
  const Policy policy = policy_of(server);
  const std::string models = joined(texts_of(server.models, [](const DeployedModel& model) { return model.name; }));
  const std::string put =
      "Put the folders of its models (" + models +
      ") into the model repository, mount it with modelRepository, and name it in args (--model-repository=...).";
  const bool planned = server.server.autoscaler.has_value();
  const ChartMetric metric = metric_of(server, chart);
  const bool judges = judges_jobs(server, chart);
  const std::uint64_t most_load = judges ? admission_metric(server, chart).threshold : metric.threshold;
  const ReplicaRange replicas = replicas_of(server, chart);
  return filled_template("supersonic-values.yaml",
                         {{"about", header(deployment, server, chart)},
                          {"release", yaml_text(server.release)},
                          {"metric_remark", metric_remark(server, chart, metric)},
                          {"metric", yaml_text(metric.query)},
                          {"threshold_remark", planned || judges ? "" : yaml_comment(metric.remark)},
                          {"threshold", std::to_string(metric.threshold)},
                          {"admission_threshold", std::to_string(most_load)},
                          {"servers", chart == Chart::triton ? "triton:\n" : "inferenceServer:\n  type: \"triton\"\n"},
                          {"begin", std::to_string(replicas.begin)},
                          {"devices", devices_values(server)},
                          {"models", yaml_comment(put, 2)},
                          {"policy_remark", yaml_comment(policy.remark, 2)},
                          {"policy", yaml_text(policy.name)},
                          {"admission", admission_values(server, chart)},
                          {"keda_remark", keda_remark(server, chart)},
                          {"autoscaled", planned || server.reserve > 0 ? "true" : "false"},
                          {"measured", planned || judges || server.reserve > 0 ? "true" : "false"},
                          {"least", std::to_string(replicas.least)},
                          {"most", std::to_string(replicas.most)},
                          {"pace", planned ? planned_pace(server, chart) : ""},
                          {"scrapes", scrapes_values(server, chart)}});
}

std::string unsaid_by_chart(const Scenario& scenario) {
  std::string text;
  for (const DeployedServer& server : servers_of(scenario).servers) {
    if (server.server.admission)
      if (const std::string why = admission_unsaid(server, Chart::triton); !why.empty())
        append_part(text, "SuperSONIC's chart lets every job into " + server.server.name + ": " + why + ".", " ");
    if (!server.server.autoscaler) continue;
    append_part(text, "SuperSONIC's chart does not say all of the autoscaler of " + server.server.name + ".", " ");
    for (const std::string& sentence : left_out_of_chart(server, Chart::triton)) append_part(text, sentence, " ");
  }
  return text;
}

}  // namespace saturn
