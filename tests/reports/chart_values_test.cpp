#include <doctest/doctest.h>

#include <map>
#include <sstream>
#include <string>

#include "models/words/texts.hpp"
#include "reports/deployment/chart_autoscaling.hpp"
#include "reports/deployment/client_text.hpp"
#include "reports/deployment/deployment_text.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;

namespace {

/// SuperSONIC at Purdue's Geddes: values/values-geddes-cms.yaml at e578801.
DeployedServer geddes() {
  Autoscaler rules{.least = 1, .most = 11, .begin = 1, .metric = ScalingMetric::queue_time_per_batch, .target = 0.02};
  rules.up = {.stabilisation = Seconds{30}, .nodes = 1, .share = {}, .period = Seconds{15}};
  rules.down = {.stabilisation = Seconds{45}, .nodes = 1, .share = {}, .period = Seconds{45}};
  return {.server = {.name = "geddes",
                     .site = "purdue",
                     .nodes = 11,
                     .devices = {.type = "t4", .count = 1},
                     .autoscaler = rules},
          .release = "supersonic-geddes",
          .models = {{.name = "all", .requests_per_s = 200, .queue_s = 0.01, .compute_s = 0.03}}};
}

std::string chart_text(const DeployedServer& server, Chart chart = Chart::triton) {
  return supersonic_values({.command = "saturn plan", .servers = {server}}, server, chart);
}

/// What a chart reads: "keda/scaleUp/stepsize" and its scalar as it is written.
std::map<std::string, std::string> chart_values(const DeployedServer& server, Chart chart = Chart::triton) {
  std::map<std::string, std::string> values;
  std::istringstream lines(chart_text(server, chart));
  std::vector<std::string> path;
  for (std::string line; std::getline(lines, line);) {
    const std::string text(trimmed(line));
    if (text.empty() || text.starts_with('#')) continue;
    const std::size_t depth = line.find_first_not_of(' ') / 2;
    const std::size_t colon = text.find(':');
    path.resize(depth);
    path.push_back(text.substr(0, colon));
    if (colon + 1 < text.size()) values[joined(path, "/")] = text.substr(colon + 2);
  }
  return values;
}

/// The part of the charts' schemas that these files use, written from what is known of values.schema.json of 0.3.1, and
/// of the values and templates of August 2026: kinds of the scalars.
std::map<std::string, std::string> chart_schema(Chart chart) {
  const std::string servers = chart == Chart::triton ? "triton" : "inferenceServer";
  std::map<std::string, std::string> kinds{{"nameOverride", "text"},
                                           {"serverLoadMetric", "text"},
                                           {"serverLoadThreshold", "integer"},
                                           {"serverAdmissionThreshold", "integer"},
                                           {servers + "/replicas", "integer"},
                                           {servers + "/resources/limits/\"nvidia.com/gpu\"", "integer"},
                                           {servers + "/resources/requests/\"nvidia.com/gpu\"", "integer"},
                                           {"envoy/loadBalancerPolicy", "text"},
                                           {"envoy/rate_limiter/prometheus_based/enabled", "flag"},
                                           {"keda/enabled", "flag"},
                                           {"keda/metricType", "text"},
                                           {"keda/minReplicaCount", "integer"},
                                           {"keda/maxReplicaCount", "integer"},
                                           {"keda/zeroIdleReplicas", "flag"},
                                           {"prometheus/enabled", "flag"},
                                           {"prometheus/server/global/scrape_interval", "text"}};
  for (const std::string way : {"keda/scaleUp/", "keda/scaleDown/"})
    for (const std::string key : {"stabilizationWindowSeconds", "periodSeconds", "stepsize"})
      kinds[way + key] = "integer";
  if (chart == Chart::inference_server) {
    kinds["inferenceServer/type"] = "text";
    kinds["keda/pollingInterval"] = "integer";
    kinds["keda/cooldownPeriod"] = "integer";
  }
  return kinds;
}

std::string kind_of_scalar(const std::string& scalar) {
  if (scalar == "true" || scalar == "false") return "flag";
  if (scalar.starts_with('"') && scalar.ends_with('"')) return "text";
  return scalar.find_first_not_of("0123456789") == std::string::npos ? "integer" : "unknown";
}

}  // namespace

TEST_CASE("Values of a planned autoscaler have the keys and kinds that each chart's schema has, for every metric") {
  for (const Chart chart : every_chart)
    for (const ScalingMetric metric :
         {ScalingMetric::queue_time, ScalingMetric::queue_time_per_batch, ScalingMetric::in_flight,
          ScalingMetric::utilisation, ScalingMetric::request_rate})
      for (const bool to_zero : {false, true}) {
        DeployedServer server = geddes();
        server.server.autoscaler->metric = metric;
        server.server.autoscaler->target = 0.35;
        if (to_zero) server.server.autoscaler->to_zero.emplace();
        const auto kinds = chart_schema(chart);
        for (const auto& value : chart_values(server, chart)) {
          CAPTURE(value.first);
          REQUIRE(kinds.contains(value.first));
          CHECK(kind_of_scalar(value.second) == kinds.at(value.first));
        }
      }
}

TEST_CASE("The autoscaler of Geddes comes back as its site has it") {
  auto values = chart_values(geddes());
  CHECK(values["serverLoadThreshold"] == "20");
  CHECK(
      values["serverLoadMetric"] ==
      R"x("sum(rate(nv_inference_queue_duration_us{release=~\"supersonic-geddes\"}[30s])) / clamp_min(1000 * sum(rate(nv_inference_exec_count{release=~\"supersonic-geddes\"}[30s])), 0.001)")x");
  CHECK(values["keda/enabled"] == "true");
  CHECK(values["keda/metricType"] == "\"Value\"");
  CHECK(values["keda/minReplicaCount"] == "1");
  CHECK(values["keda/maxReplicaCount"] == "11");
  CHECK(values["keda/scaleUp/stabilizationWindowSeconds"] == "30");
  CHECK(values["keda/scaleUp/periodSeconds"] == "15");
  CHECK(values["keda/scaleUp/stepsize"] == "1");
  CHECK(values["keda/scaleDown/stabilizationWindowSeconds"] == "45");
  CHECK(values["keda/scaleDown/periodSeconds"] == "45");
  CHECK(values["triton/replicas"] == "1");
  CHECK(values["envoy/loadBalancerPolicy"] == "\"ROUND_ROBIN\"");
  CHECK(values["prometheus/server/global/scrape_interval"] == "\"5000ms\"");
  CHECK(chart_values(geddes(), Chart::inference_server)["inferenceServer/type"] == "\"triton\"");
}

TEST_CASE("A number for each replica is a sum over the replicas that Envoy sees, in whole parts of the target") {
  DeployedServer server = geddes();
  server.server.autoscaler->metric = ScalingMetric::in_flight;
  server.server.autoscaler->target = 2.5;
  CHECK(chart_values(server)["serverLoadThreshold"] == "2500");
  CHECK(holds(chart_values(server)["serverLoadMetric"], "1000 * (sum(envoy_cluster_upstream_rq_active{"));
  CHECK(holds(chart_values(server)["serverLoadMetric"], R"(envoy_cluster_name=\"triton_grpc_service\")"));
  CHECK(holds(chart_values(server, Chart::inference_server)["serverLoadMetric"],
              R"(envoy_cluster_name=\"inference_server_grpc_service\")"));
}

TEST_CASE(
    "Admission by the autoscaler's metric is switched on where the chart can say it, and else left out with a reason") {
  // As Geddes has it: one metric and one threshold for both.
  DeployedServer server = geddes();
  server.server.admission = Admission{.metric = ScalingMetric::queue_time_per_batch, .most = 0.02};
  const auto says = [&](Chart chart, const char* enabled, const char* limit) {
    auto values = chart_values(server, chart);
    CHECK(values["envoy/rate_limiter/prometheus_based/enabled"] == enabled);
    CHECK(values["serverAdmissionThreshold"] == limit);
    const auto kinds = chart_schema(chart);
    for (const auto& value : values) {
      if (value.first.starts_with("envoy/rate_limiter") && value.second.empty()) continue;
      CAPTURE(value.first);
      REQUIRE(kinds.contains(value.first));
      CHECK(kind_of_scalar(value.second) == kinds.at(value.first));
    }
  };
  const auto leaves_out = [&](Chart chart, const char* why) {
    CHECK_FALSE(chart_values(server, chart).contains("envoy/rate_limiter/prometheus_based/enabled"));
    CHECK(holds(chart_text(server, chart), "The planned admission is not in this chart"));
    CHECK(holds(admission_unsaid(server, chart), why));
  };
  says(Chart::triton, "true", "20");
  says(Chart::inference_server, "true", "20");
  server.server.admission->most = 0.05;
  leaves_out(Chart::triton, "have one threshold there, and two in the plan");
  says(Chart::inference_server, "true", "50");
  CHECK(chart_values(server, Chart::inference_server)["serverLoadThreshold"] == "20");
  server.server.admission->metric = ScalingMetric::queue_time;
  for (const Chart chart : every_chart) leaves_out(chart, "have one metric there, and two in the plan");

  // Without an autoscaler the metric is its own.
  server.server.autoscaler.reset();
  says(Chart::triton, "true", "50000");
  CHECK(chart_values(server)["serverLoadThreshold"] == "50000");
  CHECK(chart_values(server)["keda/enabled"] == "false");
  CHECK(chart_values(server)["prometheus/enabled"] == "true");
  server.server.admission->unknown = UnknownLoad::admitted;
  for (const Chart chart : every_chart) leaves_out(chart, "it refuses jobs while nobody knows the load");
  CHECK_FALSE(holds(chart_text(server), "Planned admission"));
  CHECK(holds(chart_text(server), "Predicted: "));
  CHECK(chart_values(server)["prometheus/enabled"] == "false");
}

TEST_CASE("What 0.3.1 has fixed is said, and what a template takes for not given is not written") {
  DeployedServer server = geddes();
  Autoscaler& rules = *server.server.autoscaler;
  rules.up = Autoscaler{}.up;
  rules.least = 0;
  rules.to_zero = ScaleToZero{.polling = Seconds{10}};
  // Its template makes 120 s of a window of 0, and 1 of a minimum of 0: the way to none is the idle count.
  auto values = chart_values(server);
  CHECK(values["keda/scaleUp/stabilizationWindowSeconds"] == "1");
  CHECK(values["keda/scaleUp/stepsize"] == "11");
  CHECK(values["keda/minReplicaCount"] == "1");
  CHECK(values["keda/zeroIdleReplicas"] == "true");
  CHECK(holds(chart_text(server), "planned 10 s and 300 s"));
  auto later = chart_values(server, Chart::inference_server);
  CHECK(later["keda/scaleUp/stabilizationWindowSeconds"] == "0");
  CHECK(later["keda/minReplicaCount"] == "0");
  CHECK(later["keda/pollingInterval"] == "10");
  CHECK(later["keda/cooldownPeriod"] == "300");
  CHECK(holds(later["serverLoadMetric"], "envoy_cluster_upstream_cx_none_healthy"));
}

TEST_CASE("Clients of CMSSW get the deadline, all tries, and servers whose names are in the order of preference") {
  Scenario scenario;
  scenario.servers = {{.name = "near", .site = "purdue", .models = {"ml"}},
                      {.name = "far", .site = "iowa", .models = {"ml"}, .standby = true}};
  InferStage stage{.label = "ml", .model = "ml"};
  stage.rules = {.deadline = Seconds{10},
                 .retries = RetryRule{.count = 1, .first = ConstantTime{Seconds{2}}, .on = RetryOn::other_node},
                 .fallback = Fallback{.start_up = Seconds{60}},
                 .servers = {"near", "far"}};
  scenario.jobs = {{.name = "mini aod", .site = "purdue", .event = {stage}}};
  REQUIRE(has_client_rules(scenario));
  const std::string text = client_configuration(scenario);
  const auto has = [&](const std::string& piece) {
    CAPTURE(text);
    CHECK(holds(text, piece));
  };
  has("def customise_mini_aod(process):\n");
  has("use_servers(process, [\"1-near\", \"2-far\"])\n");
  has("process.TritonService.fallback.enable = True\n");
  has("client.timeout = cms.untracked.uint32(10)\n");
  has("client.timeoutUnit = cms.untracked.string(\"seconds\")\n");
  has("client.allowedTries = cms.untracked.uint32(2)\n");
  has("client.mode = cms.string(\"PseudoAsync\")\n");
  has("CMSSW makes none");
  has("CMSSW asks the same server again");
  stage.rules.deadline = Seconds{0.25};
  stage.rules.retries.reset();
  scenario.jobs[0].event = {stage};
  const std::string shorter = client_configuration(scenario);
  CHECK(holds(shorter, "uint32(250)\n        client.timeoutUnit = cms.untracked.string(\"milliseconds\")"));
  CHECK(holds(shorter, "client.allowedTries = cms.untracked.uint32(1)\n"));
  scenario.jobs[0].event = {InferStage{.label = "ml", .model = "ml"}};
  CHECK_FALSE(has_client_rules(scenario));
}
