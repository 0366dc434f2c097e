#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "models/scaling/admission.hpp"
#include "models/serving/dispatch.hpp"
#include "models/values/containers.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/network/flow_network.hpp"
#include "sim/engine/network/leg_network.hpp"
#include "sim/engine/network/platform.hpp"
#include "sim/engine/network/slow_start.hpp"
#include "sim/engine/recording/meters.hpp"
#include "sim/engine/recording/run_tracer.hpp"
#include "sim/engine/serving/server_node.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn {

/// Everything between a client's call and its answer: balancers, legs, nodes.
class InferenceService final : private ServiceListener, private Source {
 public:
  /// @param tracer  is told what goes on; null: nobody is
  InferenceService(Calendar& calendar, const Platform& platform, const Scenario& scenario, const Replica& replica,
                   RunTracer* tracer = nullptr);

  std::uint16_t model_number(const std::string& name) const;
  std::uint16_t site_number(const std::string& name) const;

  /// Sends a request whose window, items, length, priority, model, client and site are set; its window is told when the
  /// answer is there.
  void send(Call& call, double now);
  /// The same, to another node of the call's group than `except` where there is another; its number is the balancer's.
  void send_other(Call& call, std::uint32_t except, double now);
  /// The client no longer waits for a call that is under way: who counts outstanding requests no longer counts it.
  void given_up(Call& call);

  /// The number of a group of nodes: those of one server that hold a model. Before the first call.
  std::uint16_t group_of(const std::string& model, const std::string& server);
  /// Whether a node of the group takes requests.
  bool in_service(std::uint16_t group) const { return backends_[group].balancer->any_in_service(); }

  /// A node takes requests from now on, or no longer: balancers know it, and connections to it are opened anew.
  /// @param node  number over all servers, in their order
  void set_in_service(std::uint32_t node, bool in_service);
  /// A node is there, or is not: what reaches one that is not is lost.
  void set_there(std::uint32_t node, bool there, bool silent) {
    changes_ = true;
    there_[node] = there ? Presence::there : silent ? Presence::gone_silently : Presence::gone;
  }
  ServerNode& node(std::uint32_t number) { return *nodes_[number]; }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(nodes_.size()); }
  /// Number of a server's first node.
  std::uint32_t first_node(std::size_t server) const { return first_nodes_[server]; }
  LegNetwork& network() { return *network_; }  ///< its links have the numbers of the platform's channels

  /// A job of the stream is over, and with it the sequences that it has at stateful models. Nothing of the stream may
  /// be under way.
  void end_sequences(std::uint32_t client, double now);
  /// Opens the connections of a stream anew, where streams keep theirs: its next job may reach other nodes. Nothing
  /// of the stream may be under way.
  void reconnect(std::uint32_t client);

  /// A direction of a route, with the channels that it crosses.
  struct DirectedLeg {
    /// Of all calls on their way.
    StationMeter meter(double now) const;

    std::unique_ptr<SlowStartEnd> slow_start;  // null where no window limits
    std::unique_ptr<NetworkLeg> leg;
    std::vector<std::size_t> channels;
    bool outward = true;  ///< towards a server
  };

  const std::vector<ModelMeter>& models() const { return models_; }
  const std::vector<DirectedLeg>& legs() const { return legs_; }
  /// Nodes of a server; one for all of them when they share one queue. @param server  index into Scenario::servers
  const std::vector<std::unique_ptr<ServerNode>>& nodes(std::size_t server) const { return nodes_of_server_[server]; }
  /// Calls on their way back without a network, which costs no time.
  std::uint64_t returning() const { return returning_.size(); }

 private:
  // Where legs hand their calls over: at the server's door, and back at the client's.
  struct ServerEnd final : CallReceiver {
    explicit ServerEnd(InferenceService& owner) : service(owner) {}
    void receive(Call& call, double now) override { service.arrived(call, now); }
    InferenceService& service;
  };
  struct ClientEnd final : CallReceiver {
    explicit ClientEnd(InferenceService& owner) : service(owner) {}
    void receive(Call& call, double now) override { service.answered(call, now); }
    InferenceService& service;
  };
  struct Backends {
    std::vector<std::uint32_t> nodes;       // numbers over all servers
    std::shared_ptr<Balancer> balancer;     // of all models with the same nodes, where it counts requests
    std::vector<std::uint32_t> connection;  // the balancer's choice for every client, where they keep it
    bool keeps_sequences = false;           // of stateful models
    bool attached = false;                  // nodes are the clients' own, which no new job leaves
    bool per_sequence = false;              // connections are opened and closed with their sequences

    void close(std::uint32_t client) {
      if (connection[client] == Balancer::nobody) return;
      balancer->answered(connection[client]);
      connection[client] = Balancer::nobody;
    }
  };
  enum class Presence : std::uint8_t { there, gone, gone_silently };
  using DirectedLegKey = std::tuple<std::vector<std::size_t>, double, double, bool>;

  void build_nodes(Calendar& calendar, const Scenario& scenario, const Replica& replica);
  void build_doors(const Scenario& scenario);
  void build_balancers(const Scenario& scenario, const Replica& replica);
  std::shared_ptr<Balancer> balancer_of_same_nodes(const std::vector<std::uint32_t>& nodes, const Server& server) const;
  void connect(Backends& backends, const Server& server, RandomStream stream);
  [[gnu::always_inline]] void set_out(Call& call, double now);
  void turned_away(Call& call, double now);
  void return_at_once(Call& call, double now);
  NodePlan node_plan(const Scenario& scenario, const Server& server) const;
  void build_legs(const Platform& platform, const Scenario& scenario);
  NetworkLeg* find_leg(const Platform& platform, const Path& path, double cap, bool outward);
  void arrived(Call& call, double now) {
    if (changes_ && !let_in(call.node, now)) {
      turned_away(call, now);
    } else {
      nodes_[call.node]->receive(call, now);
    }
  }
  bool let_in(std::uint32_t node, double now) {
    return there_[node] == Presence::there &&
           (door_of_node_.empty() || door_of_node_[node] == nullptr || door_of_node_[node]->take(now));
  }
  void answered(Call& call, double now);
  void fire(double now) override;

  void batch_sent(std::uint16_t model, std::uint32_t items, SendReason reason) override;
  void rejected(std::uint16_t model) override { ++models_[model].rejected; }
  void step_done(const Call& call, std::uint16_t model, double started, double device_wait, double now) override;
  void left(Call& call, double now) override;
  void lost(Call& call, bool silent, double now) override;

  ServerEnd server_end_{*this};
  ClientEnd client_end_{*this};
  Calendar& calendar_;
  std::size_t source_;
  RunTracer* tracer_;
  std::map<std::string, std::uint16_t> model_numbers_;
  std::map<std::string, std::uint16_t> site_numbers_;
  std::vector<double> input_bytes_;
  std::vector<double> output_bytes_;

  std::unique_ptr<LegNetwork> network_;
  std::vector<DirectedLeg> legs_;
  std::map<DirectedLegKey, std::size_t> leg_numbers_;

  std::vector<std::unique_ptr<NodePlan>> plans_;
  std::vector<std::vector<std::unique_ptr<ServerNode>>> nodes_of_server_;
  std::vector<ServerNode*> nodes_;
  std::vector<std::vector<NetworkLeg*>> out_;   // [site][node]; null where the call costs nothing on the way
  std::vector<std::vector<NetworkLeg*>> back_;  // [site][node]
  std::vector<Backends> backends_;  // by group: of all servers that hold a model, by its number, then others
  std::map<std::pair<std::uint16_t, std::size_t>, std::uint16_t> groups_;  // by model and server
  const Scenario& scenario_;
  const Replica& replica_;
  std::uint64_t clients_ = 0;
  std::vector<std::uint32_t> first_nodes_;           // by server
  std::vector<Presence> there_;                      // by node
  std::vector<std::unique_ptr<TokenBucket>> doors_;  // of servers that limit what comes
  std::vector<TokenBucket*> door_of_node_;           // null where there is none; empty where nothing is limited
  bool changes_ = false;  // some node has been out of service, or requests are refused at a door
  std::vector<ModelMeter> models_;
  Ring<Call*> returning_;  // rejections that reach their clients without a network
};

}  // namespace saturn
