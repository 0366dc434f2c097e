#include "reports/deployment/chart_autoscaling.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/deployment/batch_files.hpp"

namespace saturn {

namespace {

constexpr double ms_in_s = 1e3;
constexpr double us_in_s = 1e6;
// What Kubernetes takes for a policy and for a stabilisation window [s].
constexpr double longest_period_s = 1800.0;
constexpr double longest_window_s = 3600.0;
// What 0.3.1 has written into its template [s].
constexpr double fixed_polling_s = 30.0;
constexpr double fixed_cool_down_s = 120.0;
// How long a Pod of the chart has for the requests that it holds [s].
constexpr double chart_grace_s = 60.0;

bool is_whole(double number) {
  return std::abs(number - std::round(number)) <= 1e-9 * std::max(1.0, std::abs(number));
}

std::uint64_t at_least_one(double number) {
  return static_cast<std::uint64_t>(std::clamp(std::ceil(number - 1e-9 * number), 1.0, 1e15));
}

std::string promql_window(Seconds window) {
  if (is_whole(window.value)) return std::to_string(at_least_one(window.value)) + "s";
  return std::to_string(at_least_one(ms_in_s * window.value)) + "ms";
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

/// {release=~"...",model!~"ensembles"}: ensembles count requests, but only their steps wait.
std::string of_models(const DeployedServer& server) {
  std::string ensembles;
  for (const DeployedModel& model : server.models)
    if (model.ensemble) append_part(ensembles, promql_literal(model.name), "|");
  return "{release=~\"" + server.release + "\"" + (ensembles.empty() ? "" : ",model!~\"" + ensembles + "\"") + "}";
}

/// Envoy's view of the replicas: its cluster has another name in each chart.
std::string of_envoy(const DeployedServer& server, Chart chart) {
  const std::string cluster = chart == Chart::triton ? "triton_grpc_service" : "inference_server_grpc_service";
  return "{release=~\"" + server.release + "\",envoy_cluster_name=\"" + cluster + "\"}";
}

std::string per_replica(const std::string& sum, const std::string& of) {
  return sum + " / scalar(clamp_min(max(envoy_cluster_membership_healthy" + of + "), 1))";
}

/// The chart takes whole thresholds alone: metric and target in the first of some parts that makes one of it.
ChartMetric in_whole_parts(const std::string& query, double target, const std::string& what) {
  for (const double parts : {1.0, 1e3, 1e6})
    if (is_whole(parts * target) || parts == 1e6) {
      const std::string number = std::to_string(at_least_one(parts));
      return {.query = parts == 1.0 ? query : number + " * (" + query + ")",
              .threshold = at_least_one(parts * target),
              .remark = what + (parts == 1.0 ? "" : ", times " + number + " since thresholds are whole numbers")};
    }
  return {};
}

/// @param limit   of the metric, in its unit
/// @param rates   window over which they are taken
ChartMetric metric_with_replicas(const DeployedServer& server, Chart chart, ScalingMetric metric, double limit,
                                 Seconds rates) {
  const std::string window = "[" + promql_window(rates) + "]";
  const std::string envoy = of_envoy(server, chart);
  switch (metric) {
    case ScalingMetric::queue_time:
      return {.query = queue_time_query(server, promql_window(rates)),
              .threshold = at_least_one(us_in_s * limit),
              .remark = "mean time that a request waits in Triton [us]"};
    case ScalingMetric::queue_time_per_batch: {
      const bool in_ms = is_whole(ms_in_s * limit);
      const std::string of = of_models(server) + window;
      return {.query = "sum(rate(nv_inference_queue_duration_us" + of + ")) / clamp_min(" + (in_ms ? "1000 * " : "") +
                       "sum(rate(nv_inference_exec_count" + of + ")), 0.001)",
              .threshold = at_least_one((in_ms ? ms_in_s : us_in_s) * limit),
              .remark = "waits of all requests over executed batches [" + std::string(in_ms ? "ms" : "us") +
                        "], as the chart 0.3.1 has it; batching inflates it"};
    }
    case ScalingMetric::in_flight:
      return in_whole_parts(per_replica("sum(envoy_cluster_upstream_rq_active" + envoy + ")", envoy), limit,
                            "requests that Envoy has sent and got no answer of, for each replica [1]");
    case ScalingMetric::request_rate:
      return in_whole_parts(per_replica("sum(rate(envoy_cluster_upstream_rq_total" + envoy + window + "))", envoy),
                            limit, "requests that Envoy sends, for each replica [1/s]");
    case ScalingMetric::utilisation:
      break;
  }
  return in_whole_parts("avg(avg_over_time(nv_gpu_utilization{release=~\"" + server.release + "\"}" + window + "))",
                        limit, "busy share of the GPUs as Triton samples it [1]");
}

}  // namespace

std::string queue_time_query(const DeployedServer& server, const std::string& window) {
  const std::string of = of_models(server) + "[" + window + "]";
  return "sum(rate(nv_inference_queue_duration_us" + of + ")) / clamp_min(sum(rate(nv_inference_request_success" + of +
         ")), 0.001)";
}

ChartMetric planned_metric(const DeployedServer& server, Chart chart) {
  const Autoscaler& rules = *server.server.autoscaler;
  ChartMetric metric = metric_with_replicas(server, chart, rules.metric, rules.target, rules.window);
  if (!rules.to_zero || !rules.to_zero->counts_arrivals) return metric;
  // Without replicas their metrics do not exist; what Envoy could send nowhere does.
  metric.query = "(" + metric.query + " or vector(0)) + (sum(rate(envoy_cluster_upstream_cx_none_healthy" +
                 of_envoy(server, chart) + "[" + promql_window(rules.window) + "])) or vector(0))";
  metric.remark += "; besides, what Envoy found no replica for [1/s], so that the first one starts";
  return metric;
}

ChartMetric admission_metric(const DeployedServer& server, Chart chart) {
  const Admission& rules = *server.server.admission;
  return metric_with_replicas(server, chart, rules.metric, rules.most, rules.window);
}

std::string admission_unsaid(const DeployedServer& server, Chart chart) {
  const Admission& rules = *server.server.admission;
  if (rules.unknown == UnknownLoad::admitted)
    return "it refuses jobs while nobody knows the load, which the plan lets in";
  if (!server.server.autoscaler) return "";
  const ChartMetric scaling = planned_metric(server, chart);
  const ChartMetric own = admission_metric(server, chart);
  if (own.query != scaling.query) return "autoscaler and admission have one metric there, and two in the plan";
  if (chart == Chart::triton && own.threshold != scaling.threshold)
    return "autoscaler and admission have one threshold there, and two in the plan";
  return "";
}

ReplicaRange planned_replicas(const DeployedServer& server, Chart chart) {
  const Autoscaler& rules = *server.server.autoscaler;
  const std::uint64_t most = std::min(rules.most, server.server.nodes) + server.reserve;
  // 0.3.1 takes a least of 0 for "not given" and makes 1 of it; its way to none is zeroIdleReplicas.
  const std::uint64_t least = std::max<std::uint64_t>(rules.least, chart == Chart::triton ? 1 : 0);
  return {.begin = std::min(rules.begin, most), .least = std::min(least, most), .most = most};
}

namespace {

/// Replicas that may change within a period: the chart knows no shares.
std::uint64_t step_of(const ScalingPace& pace, std::uint64_t most) {
  const double share = pace.share ? std::ceil(*pace.share * static_cast<double>(most)) : 0.0;
  return std::max(pace.nodes.value_or(0), at_least_one(std::min(share, static_cast<double>(most))));
}

std::uint64_t window_of(const ScalingPace& pace, Chart chart) {
  const double window = std::ceil(std::min(pace.stabilisation.value, longest_window_s));
  // 0.3.1 takes 0 for "not given" and makes 120 s of it.
  return static_cast<std::uint64_t>(chart == Chart::triton ? std::max(window, 1.0) : window);
}

std::string direction(const char* name, const ScalingPace& pace, std::uint64_t most, Chart chart) {
  return filled_template("supersonic-pace.yaml",
                         {{"direction", name},
                          {"window", std::to_string(window_of(pace, chart))},
                          {"period", std::to_string(at_least_one(std::min(pace.period.value, longest_period_s)))},
                          {"step", std::to_string(step_of(pace, most))}});
}

std::string zero_values(const ScaleToZero& to_zero, std::uint64_t least, Chart chart) {
  std::string idle = least > 0 || chart == Chart::triton ? "  zeroIdleReplicas: true\n" : "";
  if (chart == Chart::triton) return idle;
  return idle + "  pollingInterval: " + std::to_string(at_least_one(to_zero.polling.value)) +
         "\n  cooldownPeriod: " + std::to_string(at_least_one(to_zero.cool_down.value)) + "\n";
}

void say_pace(std::vector<std::string>& sentences, const char* name, const ScalingPace& pace, std::uint64_t most,
              Chart chart) {
  const std::string of = std::string(name) + ": ";
  if (pace.share && step_of(pace, most) > pace.nodes.value_or(0) && most > 1)
    sentences.push_back(of + "planned by " + in_words(100.0 * *pace.share) +
                        " % of the replicas at a time; the chart counts replicas, so the step is what that allows "
                        "when there are all of them.");
  if (chart == Chart::triton && pace.stabilisation.value == 0.0)
    sentences.push_back(of +
                        "planned without a stabilisation window; this chart takes 0 for its own 120 s, so it is 1 s.");
  if (pace.stabilisation.value > longest_window_s || pace.period.value > longest_period_s)
    sentences.push_back(of + "Kubernetes takes windows of at most 3600 s and periods of at most 1800 s; planned " +
                        exact_seconds(pace.stabilisation.value) + " and " + exact_seconds(pace.period.value) + ".");
  if (!is_whole(pace.stabilisation.value) || !is_whole(pace.period.value))
    sentences.push_back(of + "times are whole seconds here, rounded up; planned a window of " +
                        exact_seconds(pace.stabilisation.value) + " and a period of " +
                        exact_seconds(pace.period.value) + ".");
}

}  // namespace

std::string planned_pace(const DeployedServer& server, Chart chart) {
  const Autoscaler& rules = *server.server.autoscaler;
  const std::uint64_t most = planned_replicas(server, chart).most;
  return (rules.to_zero ? zero_values(*rules.to_zero, rules.least, chart) : "") +
         direction("scaleUp", rules.up, most, chart) + direction("scaleDown", rules.down, most, chart);
}

std::vector<std::string> left_out_of_chart(const DeployedServer& server, Chart chart) {
  const Autoscaler& rules = *server.server.autoscaler;
  const std::uint64_t most = planned_replicas(server, chart).most;
  std::vector<std::string> sentences{"Period of decisions and tolerance are the cluster's, not the chart's; planned " +
                                     exact_seconds(rules.sync.value) + " and " + in_words(rules.tolerance) +
                                     " (Kubernetes' own: 15 s and 0.1)."};
  say_pace(sentences, "scaleUp", rules.up, most, chart);
  say_pace(sentences, "scaleDown", rules.down, most, chart);
  if (rules.grace.value != chart_grace_s)
    sentences.push_back("A replica that goes has 60 s for its requests; planned " + exact_seconds(rules.grace.value) +
                        ".");
  if (rules.metric == ScalingMetric::in_flight)
    sentences.emplace_back("Planned: requests at the servers alone. Envoy counts those on their way as well.");
  if (rules.to_zero && chart == Chart::triton &&
      (rules.to_zero->polling.value != fixed_polling_s || rules.to_zero->cool_down.value != fixed_cool_down_s))
    sentences.push_back("This chart polls every 30 s and cools down for 120 s; planned " +
                        exact_seconds(rules.to_zero->polling.value) + " and " +
                        exact_seconds(rules.to_zero->cool_down.value) + ".");
  if (rules.to_zero && chart == Chart::inference_server)
    sentences.emplace_back(
        "scaleFromZero of this chart, which was not planned with, can hold the first call of a job until a replica is "
        "ready.");
  return sentences;
}

}  // namespace saturn
