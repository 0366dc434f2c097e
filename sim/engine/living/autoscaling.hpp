#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/scaling/horizontal_autoscaler.hpp"
#include "models/scaling/keda.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/living/fleet.hpp"
#include "sim/engine/living/server_load.hpp"
#include "sim/engine/living/tried_calls.hpp"
#include "sim/engine/serving/inference_service.hpp"

namespace saturn {

/// The autoscaler of one server: reads the nodes' counters as Prometheus scrapes them, makes its metric of their rates,
/// and asks the fleet for as many nodes as Kubernetes' rules want.
/// Cost: O(nodes) a scrape and a decision
class Autoscaling final : private Source {
 public:
  /// @param server  index into Scenario::servers, of one with an autoscaler
  Autoscaling(Calendar& calendar, Fleet& fleet, InferenceService& service, const Scenario& scenario,
              std::size_t server);

 private:
  void fire(double now) override;
  void scrape(double now);
  void decide(double now);
  void look(double now);
  MetricSample metric(double now) const;
  Replicas replicas() const;

  Calendar& calendar_;
  Fleet& fleet_;
  InferenceService& service_;
  const Scenario& scenario_;
  std::size_t server_;
  const Autoscaler& rules_;
  std::size_t source_;
  ServerLoad load_;
  std::optional<HorizontalAutoscaler> alone_;
  std::optional<ScaledObject> behind_keda_;
  std::uint64_t unserved_ = 0;  // requests that had found no node at the last look
  std::uint64_t scrapes_ = 0;
  std::uint64_t decisions_ = 0;
  std::uint64_t looks_ = 0;
};

/// What a run has beside clients, network and servers where something can happen to calls or nodes; all empty
/// elsewhere.
struct LivingParts {
  std::vector<std::unique_ptr<TriedCalls>> tries{};  ///< of each stage with calls
  std::unique_ptr<Fleet> fleet{};                    ///< null: nothing breaks, comes or goes
  std::vector<std::unique_ptr<Autoscaling>> autoscalers{};
  std::vector<std::unique_ptr<AdmissionDoor>> doors{};  ///< by server, null where none judges; or empty

  /// Nothing of it will happen by itself.
  bool idle() const {
    return fleet == nullptr && std::all_of(tries.begin(), tries.end(), [](const auto& one) { return one->idle(); });
  }
};

}  // namespace saturn
