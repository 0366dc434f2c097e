#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "models/dispatch.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/leg.hpp"
#include "sim/engine/meters.hpp"
#include "sim/engine/platform.hpp"
#include "sim/engine/server_node.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn {

/// Everything between a client's call and its answer: balancers, legs, nodes.
class InferenceService final : private ServiceListener {
 public:
  InferenceService(Calendar& calendar, const Platform& platform, const Scenario& scenario, const Replica& replica);

  std::uint16_t model_number(const std::string& name) const;
  std::uint16_t site_number(const std::string& name) const;

  /// Sends a request whose window, items, model and site are set; its window is told when the answer is there.
  void send(Call& call, double now);

  /// A direction of a route, with the channels that it crosses.
  struct Way {
    std::unique_ptr<Leg> leg;
    std::vector<std::size_t> channels;
    bool outward = true;  ///< towards a server
  };

  const std::vector<ModelMeter>& models() const { return models_; }
  const std::vector<Way>& ways() const { return ways_; }
  /// Nodes of a server. @param server  index into Scenario::servers
  const std::vector<std::unique_ptr<ServerNode>>& nodes(std::size_t server) const { return nodes_of_server_[server]; }

 private:
  // Where legs hand their calls over: at the server's door, and back at the client's.
  struct Door final : CallReceiver {
    explicit Door(InferenceService& owner) : service(owner) {}
    void receive(Call& call, double now) override { service.arrived(call, now); }
    InferenceService& service;
  };
  struct Desk final : CallReceiver {
    explicit Desk(InferenceService& owner) : service(owner) {}
    void receive(Call& call, double now) override { service.answered(call, now); }
    InferenceService& service;
  };
  struct Backends {
    std::vector<std::uint32_t> nodes;  // numbers over all servers
    std::unique_ptr<Balancer> balancer;
  };
  using WayKey = std::tuple<std::vector<std::size_t>, double, double, bool>;

  void build_nodes(Calendar& calendar, const Scenario& scenario, const Replica& replica);
  void build_ways(Calendar& calendar, const Platform& platform, const Scenario& scenario);
  Leg* way(Calendar& calendar, const Path& path, double cap, bool outward);
  void arrived(Call& call, double now);
  void answered(Call& call, double now);
  void service_started(Call& call, double now) override;
  void service_finished(Call& call, double now) override;

  Door door_{*this};
  Desk desk_{*this};
  std::map<std::string, std::uint16_t> model_numbers_;
  std::map<std::string, std::uint16_t> site_numbers_;
  std::vector<double> input_bytes_;
  std::vector<double> output_bytes_;

  FlowNetwork network_;
  std::vector<std::size_t> link_of_channel_;
  std::vector<Way> ways_;
  std::map<WayKey, std::size_t> way_numbers_;

  std::vector<std::vector<std::unique_ptr<ServerNode>>> nodes_of_server_;
  std::vector<ServerNode*> nodes_;
  std::vector<std::vector<Leg*>> out_;   // [site][node]; null where the call costs nothing on the way
  std::vector<std::vector<Leg*>> back_;  // [site][node]
  std::vector<Backends> backends_;       // [model]
  std::vector<ModelMeter> models_;
};

}  // namespace saturn
