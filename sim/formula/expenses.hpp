#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "sim/formula/system.hpp"

namespace saturn {

// What a plan costs: devices and nodes with their reserve, cores, power, traffic.

/// What is bought beside what works.
struct PurchaseTerms {
  std::uint64_t spare_nodes = 0;  ///< N+1: one node of each server may fail
  /// Instead: enough spare nodes that all the working ones are up with this probability [1].
  std::optional<double> availability{};
  std::optional<double> node_availability{};  ///< of one node alone; absent: node_availability() [1]
  std::optional<double> campaign_events{};
  /// Nodes of each server that are paid for on average, (servers), where autoscalers start and stop them: what counts
  /// in money and power. Empty: all that the scenario has.
  std::vector<double> nodes_paid{};
};

/// The terms with the nodes that a simulation of the scenario paid for.
/// @param end  of their interval, by default its middle
PurchaseTerms as_paid(PurchaseTerms terms, const Scenario& scenario, const Results& results,
                      double Estimate::*end = &Estimate::mean);

/// Fewest spare nodes with which at least `working` of working + spare independent nodes are up with the asked
/// probability.
/// @param working            >= 1
/// @param node_availability  of one node, in (0, 1]
/// @param asked              in (0, 1)
/// @throws std::domain_error  more than a thousand million would be needed
/// Source  binomial distribution; k-out-of-n redundancy
std::uint64_t spare_nodes_for(std::uint64_t working, double node_availability, double asked);

/// Share of the time that one node of a server is up [1]: by its `failures`, as time between them over that time with
/// repair and start-up; 99 % where it has none.
double node_availability(const Server& server);

/// Rent and power of a scenario with its reserve, part by part.
struct Expenses {
  std::uint64_t devices_working = 0;
  std::uint64_t devices_bought = 0;
  std::uint64_t nodes_bought = 0;
  double devices_paid = 0.0;                      ///< on average, see PurchaseTerms::nodes_paid
  std::optional<double> devices_usd_per_h{};      ///< absent where a device in use has no price; 0 without devices
  std::optional<double> nodes_usd_per_h{};        ///< hosts of the servers; absent where none has a price
  std::optional<double> cores_usd_per_h{};        ///< absent where cores have no price
  std::optional<double> electricity_usd_per_h{};  ///< absent where it has no price
  std::optional<double> devices_power_w{};        ///< absent where a device's is not known; 0 without devices
  std::optional<double> cores_power_w{};          ///< absent where it is not known
  std::optional<double> power_w{};     ///< devices, and cores where known; absent where a device's is not, or nothing's
  double traffic_usd_per_event = 0.0;  ///< bytes that leave priced sites, for the mix of jobs that nothing hinders
  bool traffic_priced = false;         ///< some traffic has a price
  /// Everything with a price [USD/h]; absent where nothing has one, or a device in use has none: a sum without its main
  /// part would mislead.
  std::optional<double> rent_usd_per_h() const;
  /// Rent and traffic of a million events [USD]; absent where the rent is.
  /// @param events_per_s  that are processed, > 0 [1/s]
  std::optional<double> usd_per_million(double events_per_s) const;
};

/// Spare nodes of each server, (servers).
std::vector<std::uint64_t> spare_nodes_of(const Scenario& scenario, const PurchaseTerms& terms);

/// Nodes and devices count what works and its reserve; cores are those of the jobs as they stand.
Expenses compute_expenses(const System& system, const PurchaseTerms& terms);

/// What the traffic of one event of a pool costs [USD]: its requests where they leave the jobs' site, its answers where
/// they leave the servers', split over the servers that hold the model by their nodes.
double traffic_usd_per_event(const Scenario& scenario, const JobPool& pool);

/// The same with every request at the server where it costs least.
double least_traffic_usd_per_event(const Scenario& scenario, const JobPool& pool);

/// True where that split is an assumption that moves the cost: the load chooses among servers to which traffic costs
/// differ.
bool assumes_traffic_shares(const Scenario& scenario);

/// What may have a price, in the order in which it is told.
enum class PricedPart { devices, hosts, cores, electricity, traffic };

/// "devices", "hosts", "cores", "electricity", "traffic".
std::string name_of(PricedPart part);

/// What has a price, in order.
std::vector<PricedPart> priced_parts(const Expenses& expenses);

/// "GPUs, hosts and cores". @param device_word  of the devices: "GPU"
std::string priced_words(const std::vector<PricedPart>& parts, const std::string& device_word);

/// A price as a report shows it.
struct QuotedPrice {
  std::string of{};      ///< "t4", "core", "traffic out of iowa"
  std::string value{};   ///< with its unit, "0.35 USD/h"
  std::string date{};    ///< "2025-11"; empty: not said
  std::string source{};  ///< empty: not said
};

/// The prices that a scenario's expenses rest on, each with its origin: devices in use, hosts, cores, electricity,
/// traffic.
std::vector<QuotedPrice> quoted_prices(const Scenario& scenario);

/// The same jobs without servers: every inference takes its cpu_alternative on the job's own core, and work that is
/// done only because a model is offloaded is left out.
/// @throws std::invalid_argument  a stage without cpu_alternative
Scenario cpu_only_scenario(const Scenario& scenario);

/// What a million events cost when the jobs infer on their own cores, as many as run at once and nothing else: cores
/// and their electricity [USD]; absent without a price of cores, or where a stage lacks cpu_alternative.
std::optional<double> cpu_only_usd_per_million(const Scenario& scenario);

/// The offloaded part of an event alone, in money: what it costs on the job's own core, and as a service (devices,
/// hosts, traffic, and the cores while they prepare and wait for it) at a throughput.
struct ModulePrice {
  std::optional<double> cpu_only_usd_per_million{};
  std::optional<double> as_a_service_usd_per_million{};
  double cpu_only_s = 0.0;      ///< of the module, per event [s]
  double as_a_service_s = 0.0;  ///< with waiting [s]
  std::string why_not{};        ///< empty when both are known
};

/// @param events_per_s  of all pools, simulated or by bound [1/s]
/// @param event_time_s  mean, with waiting [s]
ModulePrice module_price(const System& system, const PurchaseTerms& terms, double events_per_s, double event_time_s);

/// The servers of a scenario as something that can be bought in steps: a step is the smallest set of devices with the
/// scenario's proportions. A server with one node grows by devices in that node (they share its network card); a server
/// with several nodes grows by nodes, and with them the most that its autoscaler may start. Several servers grow
/// together, in the proportion that the scenario gives them.
class DeviceFleet {
 public:
  explicit DeviceFleet(Scenario scenario);

  /// Steps that make up the scenario as it stands.
  std::uint64_t present_steps() const { return present_steps_; }

  /// The scenario with its servers grown, or shrunk, to so many steps. @param steps >= 1
  Scenario with_steps(std::uint64_t steps) const;

 private:
  Scenario scenario_;
  std::vector<std::uint64_t> counts_in_step_;  ///< (servers) devices, or nodes, of each server in a step
  std::uint64_t present_steps_ = 1;
};

}  // namespace saturn
