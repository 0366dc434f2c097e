#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/fields/field_table.hpp"
#include "scenarios/scenario.hpp"

/// The tables of a scenario's objects, one file a subject.

namespace saturn {

/// The network's own object in the document; Scenario holds its members directly.
struct Network {
  std::map<std::string, Site> sites{};
  std::vector<Link> links{};
  std::vector<RouteRule> routes{};
  std::optional<std::string> platform_file{};
  FlowModel flows = FlowModel::aggregated;
};

const Shape<Scenario>& scenario_shape();
const Shape<JobPool>& job_pool_shape();
const Shape<CpuStage>& cpu_stage_shape();
const Shape<InferStage>& infer_stage_shape();
const Shape<ClientCost>& client_cost_shape();
const Shape<Model>& model_shape();
const Shape<ServiceLaw>& service_law_shape();
const Shape<Server>& server_shape();
const Shape<HostStage>& host_stage_shape();
const Shape<Attachment>& attachment_shape();
const Shape<SlowStart>& slow_start_shape();
const Shape<DevicePool>& device_pool_shape();
const Shape<DeviceType>& device_type_shape();
const Shape<Network>& network_shape();
const Shape<Site>& site_shape();
const Shape<Link>& link_shape();
const Shape<RouteRule>& route_shape();
const Shape<RunControl>& run_control_shape();
const Shape<Costs>& costs_shape();
const Shape<ScenarioAlternative>& alternative_shape();
const Shape<SweepText>& sweep_shape();
const Shape<RetryRule>& retry_shape();
const Shape<Fallback>& fallback_shape();
const Shape<FailureLaw>& failure_shape();
const Shape<Outage>& outage_shape();
const Shape<Sag>& sag_shape();
const Shape<RateLimit>& rate_limit_shape();

/// An autoscaler: an object with one of several keys, which names its metric.
Rule<Autoscaler> autoscaler_rule();
/// Likewise.
Rule<Admission> admission_rule();

/// A stage: an object with either "cpu" or "infer".
Rule<Stage> stage_rule();

/// What the document's "schema" must say.
inline constexpr const char* schema_name = "saturn-scenario/1";

/// Most streams in all, most requests an event and most devices in all. Formulas answer for so many at once; what is
/// too large to be simulated is refused where that is asked.
inline constexpr double most_streams_in_all = 1e12;
inline constexpr double most_requests_per_event = 1e6;
inline constexpr double most_devices = 1e9;
/// Most requests of all streams that may be in flight together.
inline constexpr double most_in_flight_requests = 1e15;
/// Most instances of models on all devices, and most steps of an ensemble with its own ensembles resolved.
inline constexpr double most_instances = 1e12;
inline constexpr double most_steps = 1000;

}  // namespace saturn
