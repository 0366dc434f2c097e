#include "sim/engine/network/leg_network.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/results/run_outcome.hpp"
#include "models/values/containers.hpp"
#include "models/values/units.hpp"
#include "models/words/numbers.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/network/flow_network.hpp"
#include "sim/engine/recording/meters.hpp"
#include "sim/engine/simgrid_engine.hpp"

namespace saturn {

/// Is told by SimGrid's network model that a transfer has ended.
class TransferListener {
 public:
  TransferListener() = default;
  TransferListener(const TransferListener&) = delete;
  TransferListener& operator=(const TransferListener&) = delete;
  virtual ~TransferListener() = default;

  /// @param transfer  its number, which stays taken until StockNetwork::release()  @param now  SimGrid's clock [s]
  virtual void ended(std::size_t transfer, double now) = 0;
};

/// Transfers as communications of SimGrid (s4u::Comm from host to host) on its network model CM02: the reference for
/// the aggregated flows. Each link of the run is a link of SimGrid's without latency, each route a pair of hosts.
///
/// A communication from host to host ignores set_rate() in SimGrid 3.32, so what caps a transfer alone is one more link
/// of its route that no transfer contends for (a fat pipe). Sizes are whole numbers there, so data are counted in
/// 2^-20 byte, in sizes and bandwidths alike.
/// Assumes  one such network a process, made before the engine runs. Cost of a start or end: O(transfers that compete)
class StockNetwork {
 public:
  /// @param horizon  length of the run, at least; sets the precision of SimGrid's dates [s]
  explicit StockNetwork(Seconds horizon);
  ~StockNetwork();
  StockNetwork(const StockNetwork&) = delete;
  StockNetwork& operator=(const StockNetwork&) = delete;

  /// @param capacity  [byte/s], > 0, finite  @returns the link's number
  std::size_t add_link(double capacity);
  /// @param cap    rate that one transfer reaches alone [byte/s], > 0, finite
  /// @param links  numbers of the links that its transfers cross, each once  @returns the route's number
  std::size_t add_route(double cap, const std::vector<std::size_t>& links);

  /// Starts a transfer at the present of SimGrid's clock.
  /// @param bytes  > 0  @returns its number
  /// @throws NoAnswer  more bytes than SimGrid can count (8 TiB)
  std::size_t start(std::size_t route, double bytes, TransferListener& listener);
  /// What the transfer has carried by the present of SimGrid's clock [byte]
  double carried(std::size_t transfer) const;
  /// Frees the number of a transfer that has ended.
  void release(std::size_t transfer);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saturn

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

/// A leg whose transfers are carried by SimGrid's own network model, one by one. Its latency is ours, as FairLeg's: it
/// comes before the transfer, and the route that SimGrid sees has none.
/// The engine must go back to SimGrid at each date (no draining).
class StockLeg final : public NetworkLeg {
 public:
  /// @param latency   [s], >= 0
  /// @param bytes     per item, by model's number [byte], >= 0; a call without bytes has only the latency
  /// @param receiver  takes the calls over at the far end
  StockLeg(Calendar& calendar, StockNetwork& network, std::size_t route, double latency, std::vector<double> bytes,
           CallReceiver& receiver);

  void begin(Call& call, double now) override;
  StationMeter meter(double now) const override;
  double carried_bytes(double now) const override;
  double transfers_area(double now) const override;

 private:
  struct Travel final : Source {
    explicit Travel(StockLeg& owner) : leg(owner) {}
    void fire(double now) override { leg.travelled(now); }
    StockLeg& leg;
  };
  // SimGrid tells of an end outside of our calendar, which has its own exact dates: the end becomes one of them.
  struct Ends final : Source, TransferListener {
    explicit Ends(StockLeg& owner) : leg(owner) {}
    void ended(std::size_t transfer, double now) override;
    void fire(double now) override;
    StockLeg& leg;
    Ring<std::size_t> transfers;
  };
  struct Due {
    double date;
    Call* call;
  };

  void travelled(double now);
  void start_transfer(Call& call, double now);
  void transferred(std::size_t transfer, double now);
  void deliver(Call& call, double now);
  void count_transfers(double now);

  Calendar& calendar_;
  StockNetwork& network_;
  std::size_t route_;
  double latency_;
  std::vector<double> bytes_;
  CallReceiver& receiver_;

  Travel travel_{*this};
  Ends ends_{*this};
  std::size_t travel_source_;
  std::size_t ends_source_;

  Ring<Due> travelling_;
  std::map<std::size_t, Call*> transferring_;  // by the network's number

  PresenceMeter present_;
  double transfers_area_ = 0.0;
  double transfers_updated_ = 0.0;
  double carried_ = 0.0;  // by transfers that have ended [byte]
};

StockLeg::StockLeg(Calendar& calendar, StockNetwork& network, std::size_t route, double latency,
                   std::vector<double> bytes, CallReceiver& receiver)
    : calendar_(calendar),
      network_(network),
      route_(route),
      latency_(latency),
      bytes_(std::move(bytes)),
      receiver_(receiver),
      travel_source_(calendar.add(travel_)),
      ends_source_(calendar.add(ends_)) {}

void StockLeg::begin(Call& call, double now) {
  present_.came(now);
  if (latency_ == 0.0) {
    start_transfer(call, now);
    return;
  }
  const double due = now + latency_;
  if (travelling_.empty()) calendar_.reschedule(travel_source_, due);
  travelling_.push({due, &call});
}

void StockLeg::travelled(double now) {
  Call& call = *travelling_.pop().call;
  calendar_.reschedule(travel_source_, travelling_.empty() ? Calendar::never : travelling_.front().date);
  start_transfer(call, now);
}

void StockLeg::start_transfer(Call& call, double now) {
  const double size = data_of(call, bytes_);
  if (size == 0.0) {
    deliver(call, now);
    return;
  }
  count_transfers(now);
  transferring_.emplace(network_.start(route_, size, ends_), &call);
}

void StockLeg::Ends::ended(std::size_t transfer, double now) {
  transfers.push(transfer);
  // SimGrid's clock may be a rounding error before the date that the calendar has just handled.
  if (transfers.size() == 1) leg.calendar_.reschedule(leg.ends_source_, std::max(now, leg.calendar_.now()));
}

void StockLeg::Ends::fire(double now) {
  const std::size_t transfer = transfers.pop();
  leg.calendar_.reschedule(leg.ends_source_, transfers.empty() ? Calendar::never : now);
  leg.transferred(transfer, now);
}

void StockLeg::transferred(std::size_t transfer, double now) {
  count_transfers(now);
  const auto place = transferring_.find(transfer);
  Call& call = *place->second;
  transferring_.erase(place);
  carried_ += network_.carried(transfer);
  network_.release(transfer);
  deliver(call, now);
}

void StockLeg::deliver(Call& call, double now) {
  present_.left(call.phase_start, now);
  receiver_.receive(call, now);
}

void StockLeg::count_transfers(double now) {
  transfers_area_ = transfers_area(now);
  transfers_updated_ = now;
}

StationMeter StockLeg::meter(double now) const {
  StationMeter meter = present_.read(now);
  for (std::size_t i = 0; i < travelling_.size(); ++i) meter.age_sum += now - travelling_[i].call->phase_start;
  for (const auto& [transfer, call] : transferring_) meter.age_sum += now - call->phase_start;
  return meter;
}

double StockLeg::carried_bytes(double) const {
  double carried = carried_;
  for (const auto& [transfer, call] : transferring_) carried += network_.carried(transfer);
  return carried;
}

double StockLeg::transfers_area(double now) const {
  return transfers_area_ + static_cast<double>(transferring_.size()) * (now - transfers_updated_);
}

namespace {

class FairLegNetwork final : public LegNetwork {
 public:
  explicit FairLegNetwork(Calendar& calendar) : calendar_(calendar) {}

  std::size_t add_link(double capacity) override { return flows_.sharing().add_link(capacity); }

  void set_speed(std::size_t link, double share, double now) override { flows_.set_speed(link, share, calendar_, now); }

  std::unique_ptr<NetworkLeg> add_leg(double cap, const std::vector<std::size_t>& links, double latency,
                                      std::vector<double> bytes, CallReceiver& receiver) override {
    const std::size_t flow_class = flows_.sharing().add_class(cap, links);
    return std::make_unique<FairLeg>(calendar_, flows_, flow_class, latency, std::move(bytes), receiver);
  }

  void seal() override { flows_.seal(); }

 private:
  Calendar& calendar_;
  FlowNetwork flows_;
};

class StockLegNetwork final : public LegNetwork {
 public:
  StockLegNetwork(Calendar& calendar, Seconds horizon) : calendar_(calendar), flows_(horizon) {}

  std::size_t add_link(double capacity) override { return flows_.add_link(capacity); }

  void set_speed(std::size_t, double, double) override {
    throw std::logic_error("links change their speed, which SimGrid's own flows are not told of");
  }

  std::unique_ptr<NetworkLeg> add_leg(double cap, const std::vector<std::size_t>& links, double latency,
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
