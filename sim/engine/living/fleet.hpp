#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/laws/random_stream.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/dated_queue.hpp"
#include "sim/engine/recording/meters.hpp"
#include "sim/engine/serving/inference_service.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn {

/// What breaks, is repaired, starts up and goes during a run: nodes, their devices, and links. A node is absent, starts
/// up, works, or is about to go; it is there for requests while it works or is about to go and nothing has broken it,
/// and balancers choose it while it works. Cost of an event: O(requests at what fails)
class Fleet final : private Source {
 public:
  /// @param channels  in the order of the platform's
  Fleet(Calendar& calendar, InferenceService& service, const Scenario& scenario, const std::vector<Channel>& channels,
        const Replica& replica);

  /// By server, brought up to a date.
  const std::vector<FleetMeter>& meters(double now);

  /// Nodes of a server that work or start up.
  std::uint32_t wanted(std::size_t server) const;
  /// Nodes of a server that are in service.
  std::uint32_t ready(std::size_t server) const { return static_cast<std::uint32_t>(meters_[server].in_service); }
  bool is_ready(std::uint32_t node) const { return nodes_[node].in_service; }
  /// So many nodes are to work from now on: absent ones start up; of the others those that start go at once, then the
  /// last ones, which have `grace` for what they were sent.
  void scale(std::size_t server, std::uint32_t nodes, double now);

 private:
  enum class Stage : std::uint8_t { absent, starts, works, goes };
  enum class Change : std::uint8_t {
    node_fails,
    node_is_repaired,
    node_is_ready,
    node_is_noticed,
    node_may_go,
    unit_fails,
    unit_is_repaired,
    link_fails,
    link_is_repaired,
    outage_begins,
    outage_ends
  };
  struct Event {
    Change change;
    std::uint32_t number = 0;  // of the node, link or outage
    std::uint32_t unit = 0;
    std::uint64_t life = 0;  // of the node, to which the event belongs
  };
  struct Node {
    std::size_t server = 0;
    std::uint32_t in_server = 0;
    Stage stage = Stage::works;
    bool in_service = true;
    bool there = true;
    std::uint32_t broken = 0;  // reasons for which it is
    std::uint64_t life = 0;    // counts its failures and starts: what was planned before means nothing
    double goes_at = 0.0;
    std::vector<std::uint32_t> units_broken{};
    std::vector<char> units_work{};
    RandomStream failures;
    RandomStream starts;
  };
  struct Line {
    std::vector<std::size_t> links{};  // of the service's network, one for each direction
    std::uint32_t broken = 0;
    std::vector<double> speeds{};  // of the outages under way
    RandomStream failures;
  };

  void fire(double now) override;
  void plan(Event event, double date);
  void plan_failure(std::uint32_t node, double now, bool at_start);
  void plan_unit_failure(std::uint32_t node, std::uint32_t unit, double now, bool at_start);
  void plan_link_failure(std::uint32_t link, double now, bool at_start);
  void break_node(std::uint32_t node, bool silent, Seconds noticed, double now);
  void mend_node(std::uint32_t node, double now);
  void start_up(std::uint32_t node, double now);
  void begin_work(std::uint32_t node, double now);
  void remove(std::uint32_t node, double now);
  void set_units(std::uint32_t node, bool work, bool silent, double now);
  void set_line(std::uint32_t link, double now);
  void begin_or_end(std::uint32_t outage, bool begins, double now);
  void set_stage(Node& node, Stage stage, double now);
  void set_in_service(std::uint32_t node, bool in_service, double now);
  const Server& server_of(const Node& node) const { return scenario_.servers[node.server]; }
  bool shares_queue(const Node& node) const { return server_of(node).balancing == Balancing::central_queue; }

  Calendar& calendar_;
  InferenceService& service_;
  const Scenario& scenario_;
  std::size_t source_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> first_;  // by server
  std::vector<Line> lines_;           // by link of the scenario
  std::vector<FleetMeter> meters_;    // by server
  DatedHeap<Event> events_;
  bool firing_ = false;
};

}  // namespace saturn
