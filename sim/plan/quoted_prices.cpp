#include "sim/plan/quoted_prices.hpp"

#include <set>

#include "scenarios/quantity_text.hpp"
#include "sim/plan/purchase_terms.hpp"

namespace saturn {

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
