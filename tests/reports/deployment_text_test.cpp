#include "reports/deployment/deployment_text.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <cmath>
#include <sstream>

#include "models/words/texts.hpp"
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
  std::vector<std::string> pieces{std::string(1, '\0')};
  for (const auto piece : split_at(": $ #$\u0085$\u2028$\u2029$\ufeff$é$日$😀$yes$null$\uffff", '$'))
    pieces.emplace_back(piece);
  for (const char one : std::string("aZ9 -\"'\\\n\t\r{}[]&*!|>%@`~\x7f")) pieces.emplace_back(1, one);
  std::string text;
  const int length = *rc::gen::inRange(0, 12);
  for (int i = 0; i < length; ++i) text += *rc::gen::elementOf(pieces);
  return text;
}

/// What a chart reads of the values.
const std::string expected_values = R"yaml(nameOverride: "supersonic-gke"
serverLoadMetric: "sum(rate(nv_inference_queue_duration_us{release=~\"supersonic-gke\"}[1m])) / clamp_min(sum(rate(nv_inference_request_success{release=~\"supersonic-gke\"}[1m])), 0.001)"
serverLoadThreshold: 80000
serverAdmissionThreshold: 80000
triton:
  replicas: 3
  resources:
    limits:
      "nvidia.com/gpu": 4
    requests:
      "nvidia.com/gpu": 4
envoy:
  loadBalancerPolicy: "ROUND_ROBIN"
keda:
  enabled: true
  metricType: "Value"
  minReplicaCount: 3
  maxReplicaCount: 4
prometheus:
  enabled: true
)yaml";

}  // namespace

TEST_CASE("Values of a server: replicas with their GPUs, the policy, the autoscaler and its threshold") {
  std::istringstream lines(values_of(gke()));
  std::string read;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && !trimmed(line).starts_with('#')) read += line + "\n";
  CHECK(read == expected_values);
  CHECK(holds(lines.str(), "# emtrk: 70.00 requests/s, 40.00 ms in the queue and 55.00 ms in an instance, mean\n"));
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
  CHECK(holds(policy(Dispatch::round_robin, Balancing::per_connection), "planned for connections"));
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
  CHECK(holds(values_of(chain), R"(,model!~\"a\\\\.b\\\\|c\"}[1m])"));
}

TEST_CASE("What Kubernetes has no common name for is left to whoever knows the cluster") {
  DeployedServer sliced = gke();
  sliced.server.devices.mig = {0.5, 0.5};
  CHECK_FALSE(holds(values_of(sliced), "resources:"));
  CHECK(holds(values_of(sliced), "divided into slices"));
  DeployedServer fpga = gke();
  fpga.kind = ResourceKind::fpga;
  CHECK_FALSE(holds(values_of(fpga), "nvidia.com/gpu"));
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
  planned.required = {"latency_p99(a_b_c) <= 500 ms (0.40 ± 0.05 s, 20 % of that to spare)", "gpus <= 8 (8, 0 %)"};
  DeployedServer second = gke();
  second.release = "supersonic-west";
  planned.servers.push_back(second);
  planned.falsification = Falsification{.jobs = {}, .why_no_jobs = "nothing ``` saturates", .models = {}};
  const std::string text =
      deployment_readme(planned, {}, {"emtrk/config.pbtxt", "values-gke.yaml", "values-west.yaml"});
  const auto has = [&](const std::string& piece) {
    CAPTURE(text);
    CHECK(holds(text, piece));
  };
  has(" events/s (± of the simulation alone). Required of it: latency_p99(a_b_c) \\<= 500 ms (0.40 ± 0.05 s, 20 % of "
      "that to spare), "
      "gpus \\<= 8 (8, 0 %).");
  CHECK(holds(supersonic_values(planned, second), "20 % of that to spare), gpus"));
  has("| emtrk/config.pbtxt | Triton's configuration of the model, as it was planned with |\n");
  has("| values-west.yaml | values for the Helm chart of SuperSONIC, version 0.3.1 |\n");
  has("helm upgrade --install supersonic-gke fastml/supersonic --version 0.3.1 -n NAMESPACE -f values-gke.yaml\n");
  has("helm upgrade --install supersonic-west fastml/supersonic --version 0.3.1 -n NAMESPACE -f values-west.yaml\n");
  has("Devices in the worker nodes are not deployed by a chart: workers.");
  SystemFacts facts;
  facts.laws = {{.model = "emtrk", .device_type = "t4", .rests_on = LawBasis::assumed}};
  CHECK(holds(deployment_readme(planned, facts, {}), "## Before you deploy\n\n"));
  CHECK(holds(deployment_readme(planned, facts, {}), "The law of emtrk on t4 rests on an ASSUMPTION"));
  CHECK(holds(deployment_readme(planned, facts, {}), "\n\n## What would contradict the prediction\n"));
  has("\n````\nWhat would most sharply contradict this plan\n");
  planned.falsification.reset();
  CHECK(holds(deployment_readme(planned, {}, {}), "Events arrive from outside"));
}
