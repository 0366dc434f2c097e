#include "sim/engine/leg_network.hpp"

#include <stdexcept>
#include <utility>

#include "sim/engine/fair_leg.hpp"
#include "sim/engine/stock_leg.hpp"
#include "sim/engine/stock_network.hpp"

namespace saturn {

namespace {

class FairLegNetwork final : public LegNetwork {
 public:
  explicit FairLegNetwork(Calendar& calendar) : calendar_(calendar) {}

  std::size_t add_link(double capacity) override { return flows_.sharing().add_link(capacity); }

  std::unique_ptr<Leg> add_leg(double cap, const std::vector<std::size_t>& links, double latency,
                               std::vector<double> bytes, CallReceiver& receiver) override {
    const std::size_t flow_class = flows_.sharing().add_class(cap, links);
    return std::make_unique<FairLeg>(calendar_, flows_, flow_class, latency, std::move(bytes), receiver);
  }

 private:
  Calendar& calendar_;
  FlowNetwork flows_;
};

class StockLegNetwork final : public LegNetwork {
 public:
  StockLegNetwork(Calendar& calendar, Seconds horizon) : calendar_(calendar), flows_(horizon) {}

  std::size_t add_link(double capacity) override { return flows_.add_link(capacity); }

  std::unique_ptr<Leg> add_leg(double cap, const std::vector<std::size_t>& links, double latency,
                               std::vector<double> bytes, CallReceiver& receiver) override {
    const std::size_t route = flows_.add_route(cap, links);
    return std::make_unique<StockLeg>(calendar_, flows_, route, latency, std::move(bytes), receiver);
  }

 private:
  Calendar& calendar_;
  StockNetwork flows_;
};

}  // namespace

std::unique_ptr<LegNetwork> make_leg_network(FlowModel flows, Calendar& calendar, Seconds horizon) {
  switch (flows) {
    case FlowModel::aggregated:
      return std::make_unique<FairLegNetwork>(calendar);
    case FlowModel::simgrid:
      return std::make_unique<StockLegNetwork>(calendar, horizon);
  }
  throw std::logic_error("an unknown flow model");
}

}  // namespace saturn
