#include "sim/formula/expenses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <vector>

#include "models/values/units.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/known_power.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

namespace {

constexpr double gigabyte = 1e9;
constexpr double usual_node_availability = 0.99;

/// All servers together are to be available as asked, and fail independently: each gets its share of the probability.
std::uint64_t spare_nodes(const Scenario& scenario, const Server& server, const PurchaseTerms& terms) {
  if (!terms.availability) return terms.spare_nodes;
  const double of_each = std::pow(*terms.availability, 1.0 / static_cast<double>(scenario.servers.size()));
  return spare_nodes_for(server.nodes, terms.node_availability.value_or(node_availability(server)), of_each);
}

void add_to(std::optional<double>& sum, double amount) {
  sum = sum.value_or(0.0) + amount;
}

/// Nodes that cost something, (servers): those that are paid for, and the spare ones.
std::vector<double> nodes_that_cost(const Scenario& scenario, const PurchaseTerms& terms) {
  std::vector<double> nodes;
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const Server& server = scenario.servers[s];
    const double own = terms.nodes_paid.empty() ? static_cast<double>(server.nodes) : terms.nodes_paid.at(s);
    nodes.push_back(own + static_cast<double>(spare_nodes(scenario, server, terms)));
  }
  return nodes;
}

void add_servers(const Scenario& scenario, const PurchaseTerms& terms, std::span<const double> paid,
                 Expenses& expenses) {
  expenses.devices_usd_per_h = 0.0;
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const Server& server = scenario.servers[s];
    const std::uint64_t nodes = server.nodes + spare_nodes(scenario, server, terms);
    const double devices = paid[s] * static_cast<double>(server.devices.count);
    expenses.devices_working += server.nodes * server.devices.count;
    expenses.devices_bought += nodes * server.devices.count;
    expenses.nodes_bought += nodes;
    expenses.devices_paid += devices;
    const DeviceType& type = scenario.devices.at(server.devices.type);
    if (!type.price) expenses.devices_usd_per_h.reset();
    if (expenses.devices_usd_per_h) *expenses.devices_usd_per_h += devices * type.price->value;
    if (server.host_price) add_to(expenses.nodes_usd_per_h, paid[s] * server.host_price->value);
  }
}

void add_cores(const Scenario& scenario, Expenses& expenses) {
  double cores = 0.0;
  for (const JobPool& pool : scenario.jobs) cores += static_cast<double>(pool.count * pool.threads);
  if (scenario.costs.core) expenses.cores_usd_per_h = cores * scenario.costs.core->value;
}

void add_power(const Scenario& scenario, std::span<const double> nodes, Expenses& expenses) {
  const KnownPower power = known_power(scenario, nodes);
  expenses.devices_power_w = power.devices_w;
  expenses.cores_power_w = power.cores_w;
  expenses.power_w = power.all_w;
  if (scenario.costs.electricity && expenses.power_w)
    expenses.electricity_usd_per_h = *expenses.power_w / watts_per_kilowatt * scenario.costs.electricity->value;
}

bool has_egress_price(const Scenario& scenario) {
  return std::any_of(scenario.sites.begin(), scenario.sites.end(),
                     [](const auto& site) { return site.second.egress.has_value(); });
}

double egress_usd_per_byte(const Scenario& scenario, const std::string& site) {
  const auto found = scenario.sites.find(site);
  if (found == scenario.sites.end() || !found->second.egress) return 0.0;
  return found->second.egress->value / gigabyte;
}

/// Of the pools in the proportion in which their events end when nothing hinders them.
void add_traffic(const System& system, Expenses& expenses) {
  const Scenario& scenario = system.scenario;
  expenses.traffic_priced = has_egress_price(scenario);
  if (!expenses.traffic_priced) return;
  double rates = 0.0;
  double usd_per_s = 0.0;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobClass& jobs = system.network.classes[j];
    const double rate =
        jobs.arrivals ? jobs.arrivals->value : jobs.clients / (jobs.ideal_event_time + jobs.set_up).value;
    rates += rate;
    usd_per_s += rate * traffic_usd_per_event(scenario, scenario.jobs[j]);
  }
  expenses.traffic_usd_per_event = usd_per_s / rates;
}

}  // namespace

PurchaseTerms as_paid(PurchaseTerms terms, const Scenario& scenario, const Results& results, double Estimate::*end) {
  terms.nodes_paid.clear();
  // Each server's devices come first, in the order of the servers.
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const Estimate* paid = s < results.resources.size() ? results.resources[s].find("nodes_paid") : nullptr;
    terms.nodes_paid.push_back(paid != nullptr ? std::max(0.0, paid->*end)
                                               : static_cast<double>(scenario.servers[s].nodes));
  }
  return terms;
}

double node_availability(const Server& server) {
  if (!server.failures) return usual_node_availability;
  const double up_s = mean(server.failures->every).value;
  return up_s / (up_s + mean(server.failures->repair).value + mean(server.start_up).value);
}

std::optional<double> Expenses::rent_usd_per_h() const {
  if (!devices_usd_per_h) return std::nullopt;
  if (devices_bought == 0 && !nodes_usd_per_h && !cores_usd_per_h && !electricity_usd_per_h) return std::nullopt;
  return *devices_usd_per_h + nodes_usd_per_h.value_or(0.0) + cores_usd_per_h.value_or(0.0) +
         electricity_usd_per_h.value_or(0.0);
}

std::optional<double> Expenses::usd_per_million(double events_per_s) const {
  const std::optional<double> rent = rent_usd_per_h();
  if (!rent) return std::nullopt;
  return (*rent / seconds_per_hour / events_per_s + traffic_usd_per_event) * million;
}

std::vector<std::uint64_t> spare_nodes_of(const Scenario& scenario, const PurchaseTerms& terms) {
  std::vector<std::uint64_t> spare;
  for (const Server& server : scenario.servers) spare.push_back(spare_nodes(scenario, server, terms));
  return spare;
}

Expenses compute_expenses(const System& system, const PurchaseTerms& terms) {
  const Scenario& scenario = system.scenario;
  Expenses expenses;
  const std::vector<double> nodes = nodes_that_cost(scenario, terms);
  add_servers(scenario, terms, nodes, expenses);
  add_cores(scenario, expenses);
  add_power(scenario, nodes, expenses);
  add_traffic(system, expenses);
  return expenses;
}

namespace {

/// Of the requests of one stage where all of them go to one server [USD].
double traffic_usd_with(const Scenario& scenario, const JobPool& pool, const InferStage& stage, const Server& server) {
  if (server.site == pool.site) return 0.0;
  double items = 0.0;
  for (const RequestGroup& group : request_groups(stage)) items += group.count * static_cast<double>(group.items);
  const Model& model = scenario.models.at(stage.model);
  return items * (model.input.value * egress_usd_per_byte(scenario, pool.site) +
                  model.output.value * egress_usd_per_byte(scenario, server.site));
}

}  // namespace

double least_traffic_usd_per_event(const Scenario& scenario, const JobPool& pool) {
  double usd = 0.0;
  for (const Stage& stage : pool.event) {
    const auto* infer = std::get_if<InferStage>(&stage);
    if (infer == nullptr) continue;
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t s : servers_of(scenario, infer->model))
      least = std::min(least, traffic_usd_with(scenario, pool, *infer, scenario.servers[s]));
    usd += least;
  }
  return usd;
}

bool assumes_traffic_shares(const Scenario& scenario) {
  for (const JobPool& pool : scenario.jobs) {
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr || !load_chooses_server(scenario, infer->model)) continue;
      const std::vector<std::size_t> holders = servers_of(scenario, infer->model);
      const double first = traffic_usd_with(scenario, pool, *infer, scenario.servers[holders.front()]);
      for (const std::size_t s : holders)
        if (traffic_usd_with(scenario, pool, *infer, scenario.servers[s]) != first) return true;
    }
  }
  return false;
}

double traffic_usd_per_event(const Scenario& scenario, const JobPool& pool) {
  double usd = 0.0;
  for (const Stage& stage : pool.event) {
    const auto* infer = std::get_if<InferStage>(&stage);
    if (infer == nullptr) continue;
    const std::vector<std::size_t> holders = servers_of(scenario, infer->model);
    double nodes = 0.0;
    for (const std::size_t s : holders) nodes += static_cast<double>(scenario.servers[s].nodes);
    for (const std::size_t s : holders) {
      const Server& server = scenario.servers[s];
      usd += static_cast<double>(server.nodes) / nodes * traffic_usd_with(scenario, pool, *infer, server);
    }
  }
  return usd;
}

std::vector<PricedPart> priced_parts(const Expenses& expenses) {
  std::vector<PricedPart> parts;
  if (expenses.devices_bought > 0 && expenses.devices_usd_per_h) parts.push_back(PricedPart::devices);
  if (expenses.nodes_usd_per_h) parts.push_back(PricedPart::hosts);
  if (expenses.cores_usd_per_h) parts.push_back(PricedPart::cores);
  if (expenses.electricity_usd_per_h) parts.push_back(PricedPart::electricity);
  if (expenses.traffic_priced) parts.push_back(PricedPart::traffic);
  return parts;
}

std::string name_of(PricedPart part) {
  switch (part) {
    case PricedPart::devices:
      return "devices";
    case PricedPart::hosts:
      return "hosts";
    case PricedPart::cores:
      return "cores";
    case PricedPart::electricity:
      return "electricity";
    case PricedPart::traffic:
      break;
  }
  return "traffic";
}

std::string priced_words(const std::vector<PricedPart>& parts, const std::string& device_word) {
  return joined_and(texts_of(
      parts, [&](PricedPart part) { return part == PricedPart::devices ? device_word + "s" : name_of(part); }));
}

namespace {

class Quotes {
 public:
  template <class Price>
  void add(const std::string& of, const std::optional<Price>& price, Dimension dimension, const PriceOrigin& origin) {
    if (!price) return;
    quotes_.push_back(
        {.of = of, .value = quantity_text(price->value, dimension), .date = origin.date, .source = origin.source});
  }
  std::vector<QuotedPrice> taken() { return std::move(quotes_); }

 private:
  std::vector<QuotedPrice> quotes_;
};

}  // namespace

std::vector<QuotedPrice> quoted_prices(const Scenario& scenario) {
  Quotes quotes;
  std::set<std::string> used;
  for (const Server& server : scenario.servers) used.insert(server.devices.type);
  for (const std::string& name : used) {
    const DeviceType& type = scenario.devices.at(name);
    quotes.add(name, type.price, Dimension::price, type.price_origin);
  }
  for (const Server& server : scenario.servers)
    quotes.add("host of " + server.name, server.host_price, Dimension::price, server.host_price_origin);
  const Costs& costs = scenario.costs;
  quotes.add("core", costs.core, Dimension::price, costs.core_origin);
  quotes.add("electricity", costs.electricity, Dimension::energy_price, costs.electricity_origin);
  const std::string assumed = assumes_traffic_shares(scenario)
                                  ? ", requests taken as spread evenly over the nodes, where the balancer may not"
                                  : "";
  for (const auto& [name, site] : scenario.sites)
    quotes.add("traffic out of " + name + assumed, site.egress, Dimension::traffic_price, site.egress_origin);
  return quotes.taken();
}

}  // namespace saturn
