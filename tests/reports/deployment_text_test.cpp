#include "reports/deployment/deployment_text.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <cmath>
#include <sstream>

#include "reports/words/escaped_text.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;

namespace {

DeployedServer gke() {
  return {.server = {.name = "gke", .site = "iowa", .nodes = 3, .devices = {.type = "t4", .count = 4}},
          .release = "supersonic-gke",
          .reserve = 1,
          .models = {{.name = "emtrk", .requests_per_s = 70, .queue_s = 0.040, .compute_s = 0.055}}};
}

Deployment deployment(const DeployedServer& server) {
  Scenario planned;
  planned.title = "ProtoDUNE";
  planned.jobs.emplace_back().count = 804;
  return {.planned = planned,
          .event_time_s = {.mean = 121.4, .low = 121.3, .high = 121.5},
          .events_per_s = {.mean = 6.62, .low = 6.61, .high = 6.63},
          .command = "saturn plan protodune-big-batch",
          .servers = {server}};
}

std::string values_of(const DeployedServer& server) {
  return supersonic_values(deployment(server), server);
}

/// A random text, with the characters that YAML treats in a way of its own among them.
std::string hostile_text() {
  const std::vector<std::string> pieces{"a",      "Z",
                                        "9",      " ",
                                        "-",      ": ",
                                        " #",     "\"",
                                        "'",      "\\",
                                        "\n",     "\t",
                                        "\r",     "{",
                                        "}",      "[",
                                        "]",      "&",
                                        "*",      "!",
                                        "|",      ">",
                                        "%",      "@",
                                        "`",      "\x7f",
                                        "\u0085", "\u2028",
                                        "\u2029", "\ufeff",
                                        "é",      "日",
                                        "😀",      "yes",
                                        "null",   "~",
                                        "\uffff", std::string(1, '\0')};
  std::string text;
  const int length = *rc::gen::inRange(0, 12);
  for (int i = 0; i < length; ++i) text += *rc::gen::elementOf(pieces);
  return text;
}

const std::string expected_values =
    R"yaml(# Values for the Helm chart of SuperSONIC: server gke at iowa, as planned by saturn.
# Scenario: ProtoDUNE
# Made by: saturn plan protodune-big-batch
# Predicted with 804 jobs: 121.40 ± 0.10 s an event, 6.620 ± 0.010 events/s.
# emtrk: 70.00 requests/s, 40.00 ms in the queue and 55.00 ms in an instance, mean
# README.md beside this file has the measurements that would contradict these predictions. What saturn does
# not know is left to the chart: the image, CPU cores and memory of a replica, and where the model repository
# is.

nameOverride: "supersonic-gke"

# Mean time that a request waits in Triton [us], over a minute. The chart's own metric has been a queue time
# in ms and is a number of replicas in later versions, so that a threshold alone would not say what it means.
serverLoadMetric: "sum(rate(nv_inference_queue_duration_us{release=~\"supersonic-gke\"}[1m])) / clamp_min(sum(rate(nv_inference_request_success{release=~\"supersonic-gke\"}[1m])), 0.001)"
# Predicted: 40.00 ms. Twice that, and at least the mean time in an instance [us].
serverLoadThreshold: 80000
serverAdmissionThreshold: 80000

triton:
  # A replica is a node of the plan: one Triton server with its devices.
  replicas: 3
  # GPUs of each replica; planned: t4.
  resources:
    limits:
      "nvidia.com/gpu": 4
    requests:
      "nvidia.com/gpu": 4
  # Put the folders of its models (emtrk) into the model repository, mount it with modelRepository, and name
  # it in args (--model-repository=...).

envoy:
  # Planned: in turn.
  loadBalancerPolicy: "ROUND_ROBIN"

keda:
  # Replicas that the plan needs, and with the reserve that it buys. The autoscaler needs Prometheus.
  enabled: true
  # The metric is a mean, not a sum over replicas.
  metricType: "Value"
  minReplicaCount: 3
  maxReplicaCount: 4

prometheus:
  # Or the cluster's own: enabled: false, and external.enabled, url, port and scheme.
  enabled: true
)yaml";

}  // namespace

TEST_CASE("Values of a server: replicas with their GPUs, the policy, the autoscaler and its threshold") {
  CHECK(values_of(gke()) == expected_values);
}

TEST_CASE("The balancer's policy is the plan's, and what no balancer does is said") {
  const auto policy = [](Dispatch dispatch, Balancing balancing) {
    DeployedServer server = gke();
    server.server.dispatch = dispatch;
    server.server.balancing = balancing;
    const std::string text = values_of(server);
    const std::size_t at = text.find("envoy:\n") + 7;
    return text.substr(at, text.find("\n\n", at) - at);
  };
  const auto plain = Balancing::per_request;
  CHECK(policy(Dispatch::random, plain) == "  # Planned: at random.\n  loadBalancerPolicy: \"RANDOM\"");
  CHECK(policy(Dispatch::power_of_two, plain) ==
        "  # Planned: the better of two replicas drawn at random, which is what Envoy does.\n  loadBalancerPolicy: "
        "\"LEAST_REQUEST\"");
  CHECK(policy(Dispatch::least_outstanding, plain) ==
        "  # Planned: the replica with the fewest unanswered requests. Envoy takes the better of two drawn at random.\n"
        "  loadBalancerPolicy: \"LEAST_REQUEST\"");
  CHECK(policy(Dispatch::round_robin, Balancing::per_connection).find("planned for connections") != std::string::npos);
  CHECK(policy(Dispatch::round_robin, Balancing::central_queue).ends_with("\"LEAST_REQUEST\""));
}

TEST_CASE("The threshold lies above what is predicted, is never the chart's default, and never counts an ensemble") {
  CHECK(rc::check([] {
    DeployedServer server = gke();
    const auto number = [] { return std::pow(10.0, *rc::gen::inRange(-12, 4)); };
    server.models[0] = {.name = "m", .requests_per_s = number(), .queue_s = number(), .compute_s = number()};
    const std::uint64_t alone = load_threshold_us(server);
    RC_ASSERT(alone >= 1U);
    RC_ASSERT(static_cast<double>(alone) >= 2e6 * server.models[0].queue_s);
    RC_ASSERT(static_cast<double>(alone) >= 1e6 * server.models[0].compute_s);
    server.models.push_back({.name = "chain", .requests_per_s = 1e6, .queue_s = 1, .compute_s = 1, .ensemble = true});
    RC_ASSERT(load_threshold_us(server) == alone);
  }));
  DeployedServer idle = gke();
  idle.models.clear();
  CHECK(load_threshold_us(idle) == 1);
  DeployedServer chain = gke();
  chain.models.push_back({.name = "a.b|c", .requests_per_s = 1, .ensemble = true});
  CHECK(values_of(chain).find(R"(,model!~\"a\\\\.b\\\\|c\"}[1m])") != std::string::npos);
}

TEST_CASE("What Kubernetes has no common name for is left to whoever knows the cluster") {
  DeployedServer sliced = gke();
  sliced.server.devices.mig = {0.5, 0.5};
  CHECK(values_of(sliced).find("resources:") == std::string::npos);
  CHECK(values_of(sliced).find("divided into slices") != std::string::npos);
  DeployedServer fpga = gke();
  fpga.kind = ResourceKind::fpga;
  CHECK(values_of(fpga).find("nvidia.com/gpu") == std::string::npos);
}

TEST_CASE("Any text is one YAML scalar that reads back, and any comment stays a comment") {
  CHECK(rc::check([] {
    const std::string text = hostile_text();
    const std::string quoted = yaml_text(text);
    // Every JSON text is YAML, and this one's escapes are those of both.
    RC_ASSERT(nlohmann::json::parse(quoted).get<std::string>() == text);
    for (const char* ends : {"\n", "\r", "\u0085", "\u2028", "\u2029", "\ufeff"})
      RC_ASSERT(quoted.find(ends) == std::string::npos);
    const std::string comment = yaml_comment(text, 2);
    for (const char* ends : {"\r", "\u0085", "\u2028", "\u2029"}) RC_ASSERT(comment.find(ends) == std::string::npos);
    std::istringstream lines(comment);
    for (std::string line; std::getline(lines, line);) RC_ASSERT(line.starts_with("  #"));
  }));
}

TEST_CASE("Names of users cannot change what a file of values says") {
  DeployedServer server = gke();
  server.server.name = "gke\nreplicas: 900";
  server.server.site = "iowa\u2028replicas: 901";
  server.server.devices.type = "t4\r\nreplicas: 902";
  server.models[0].name = "\"\nreplicas: 903";
  Deployment planned = deployment(server);
  planned.planned.title = "x\nreplicas: 904";
  std::istringstream lines(supersonic_values(planned, server));
  std::size_t replicas = 0;
  for (std::string line; std::getline(lines, line);) replicas += line.find("replicas:") < line.find('#') ? 1U : 0U;
  CHECK(replicas == 1);
}

TEST_CASE("A release has a name that Kubernetes takes, whatever the server is called") {
  CHECK(release_name("gke") == "supersonic-gke");
  CHECK(release_name("Fermilab / West_1") == "supersonic-fermilab-west-1");
  CHECK(release_name("日本") == "supersonic");
  CHECK(release_name("") == "supersonic");
  CHECK(rc::check([] {
    const std::string name = release_name(hostile_text() + std::string(*rc::gen::element<std::size_t>(0, 80), 'x'));
    RC_ASSERT(name.size() <= longest_release);
    RC_ASSERT(name.starts_with("supersonic"));
    RC_ASSERT(!name.ends_with('-'));
    RC_ASSERT(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
  }));
}

TEST_CASE("The README lists the files, deploys every server, and says what would contradict the plan") {
  Deployment planned = deployment(gke());
  Server& workers = planned.planned.servers.emplace_back();
  workers.name = "workers";
  workers.attached.emplace();
  planned.planned.title = "A ``` title";
  DeployedServer second = gke();
  second.release = "supersonic-west";
  planned.servers.push_back(second);
  planned.falsification = Falsification{.jobs = {}, .why_no_jobs = "nothing ``` saturates", .models = {}};
  const std::string text =
      deployment_readme(planned, {}, {"emtrk/config.pbtxt", "values-gke.yaml", "values-west.yaml"});
  const auto has = [&](const std::string& piece) {
    CAPTURE(text);
    CHECK(text.find(piece) != std::string::npos);
  };
  has("| emtrk/config.pbtxt | Triton's configuration of the model, as it was planned with |\n");
  has("| values-west.yaml | values for the Helm chart of SuperSONIC |\n");
  has("helm upgrade --install supersonic-gke fastml/supersonic -n NAMESPACE -f values-gke.yaml\n");
  has("helm upgrade --install supersonic-west fastml/supersonic -n NAMESPACE -f values-west.yaml\n");
  has("Devices in the worker nodes are not deployed by a chart: workers.");
  has("\n````\nWhat would most sharply contradict this plan\n");
  planned.falsification.reset();
  CHECK(deployment_readme(planned, {}, {}).find("Events arrive from outside") != std::string::npos);
}
