#include "sim/engine/stock_network.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "models/no_answer.hpp"
#include "models/words/numbers.hpp"
#include "sim/engine/simgrid_engine.hpp"

namespace s4u = simgrid::s4u;

namespace saturn {

namespace {

constexpr double grains_per_byte = 0x1p20;
constexpr double most_grains = 0x1p63;

s4u::NetZone* zone_for_flows() {
  s4u::NetZone* root = simgrid_engine().get_netzone_root();
  s4u::NetZone* zone = s4u::create_full_zone("flows");
  // The first zone of a process becomes the root by itself.
  if (root != nullptr) zone->set_parent(root);
  return zone;
}

}  // namespace

struct StockNetwork::State {
  struct Route {
    s4u::Host* from;
    s4u::Host* to;
  };
  struct Transfer {
    s4u::CommPtr comm;
    double bytes = 0.0;
    TransferListener* listener = nullptr;
  };

  s4u::NetZone* zone = zone_for_flows();
  std::vector<s4u::Link*> links;
  std::vector<Route> routes;
  std::vector<Transfer> transfers;
  std::vector<std::size_t> free;
  std::unordered_map<const s4u::Activity*, std::size_t> number_of;

  void completed(const s4u::Activity& activity) {
    const auto found = number_of.find(&activity);
    if (found == number_of.end()) return;
    const std::size_t number = found->second;
    number_of.erase(found);
    transfers[number].listener->ended(number, s4u::Engine::get_clock());
  }
};

StockNetwork::StockNetwork(Seconds horizon) : state_(std::make_unique<State>()) {
  // SimGrid ends together what ends within its precision, and its clock, a double, must reach every date to within it.
  constexpr double finest_s = 1e-12;
  constexpr double share_of_clock = 1e-14;
  const double precision = std::max(finest_s, share_of_clock * horizon.value);
  s4u::Engine::set_config("surf/precision:" + significant(precision, 6));
  s4u::Activity::on_completion_cb(
      [state = state_.get()](const s4u::Activity& activity) { state->completed(activity); });
}

StockNetwork::~StockNetwork() = default;

std::size_t StockNetwork::add_link(double capacity) {
  const std::string name = "flows:link:" + std::to_string(state_->links.size());
  s4u::Link* link = state_->zone->create_link(name, grains_per_byte * capacity);
  link->set_latency(0.0)->seal();
  state_->links.push_back(link);
  return state_->links.size() - 1;
}

std::size_t StockNetwork::add_route(double cap, const std::vector<std::size_t>& links) {
  const std::string name = "flows:route:" + std::to_string(state_->routes.size());
  s4u::Link* own = state_->zone->create_link(name, grains_per_byte * cap);
  own->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)->set_latency(0.0)->seal();
  std::vector<s4u::LinkInRoute> crossed{s4u::LinkInRoute(own)};
  for (const std::size_t link : links) crossed.emplace_back(state_->links[link]);
  s4u::Host* from = state_->zone->create_host(name + ":from", nominal_speed)->seal();
  s4u::Host* to = state_->zone->create_host(name + ":to", nominal_speed)->seal();
  state_->zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, crossed, false);
  state_->routes.push_back({from, to});
  return state_->routes.size() - 1;
}

std::size_t StockNetwork::start(std::size_t route, double bytes, TransferListener& listener) {
  const double grains = std::max(1.0, std::round(grains_per_byte * bytes));
  if (grains >= most_grains)
    throw NoAnswer("a transfer has " + std::to_string(bytes) +
                   " bytes, more than SimGrid counts with \"flows\": \"simgrid\" (8 TiB); use \"aggregated\"");
  std::size_t number = state_->transfers.size();
  if (state_->free.empty()) {
    state_->transfers.emplace_back();
  } else {
    number = state_->free.back();
    state_->free.pop_back();
  }
  s4u::CommPtr comm = s4u::Comm::sendto_init();
  comm->set_payload_size(static_cast<std::uint64_t>(grains));
  state_->number_of.emplace(comm.get(), number);
  // It starts by itself once it knows both ends.
  comm->set_source(state_->routes[route].from);
  comm->set_destination(state_->routes[route].to);
  state_->transfers[number] = {std::move(comm), bytes, &listener};
  return number;
}

double StockNetwork::carried(std::size_t transfer) const {
  const State::Transfer& flow = state_->transfers[transfer];
  return flow.bytes - flow.comm->get_remaining() / grains_per_byte;
}

void StockNetwork::release(std::size_t transfer) {
  state_->transfers[transfer] = {};
  state_->free.push_back(transfer);
}

}  // namespace saturn
