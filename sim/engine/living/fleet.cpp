#include "sim/engine/living/fleet.hpp"

#include <algorithm>
#include <optional>

#include "models/laws/distribution.hpp"
#include "models/results/run_outcome.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/engine/network/leg_network.hpp"
#include "sim/engine/network/platform.hpp"

namespace saturn {

namespace {

/// A node that is to go looks so often whether it has answered everything, as Triton does when it is told to end.
constexpr double between_looks_s = 1.0;

/// Time to the next failure: of what has just begun to work, or of what has worked for an unknown time.
double to_failure_s(const FailureLaw& law, RandomStream& stream, bool at_start) {
  return at_start ? sample_under_way(law.every, stream).left.value : sample(law.every, stream).value;
}

}  // namespace

Fleet::Fleet(Calendar& calendar, InferenceService& service, const Scenario& scenario,
             const std::vector<Channel>& channels, const Replica& replica)
    : calendar_(calendar), service_(service), scenario_(scenario), source_(calendar.add(*this)) {
  meters_.resize(scenario.servers.size());
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const Server& server = scenario.servers[s];
    first_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    meters_[s].in_service = meters_[s].paid = server.nodes;
    const std::size_t units = units_of(server.devices);
    for (std::uint32_t i = 0; i < server.nodes; ++i) {
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({.server = s,
                        .in_server = i,
                        .units_broken = std::vector<std::uint32_t>(units, 0),
                        .units_work = std::vector<char>(units, 1),
                        .failures = RandomStream(replica.seed, replica.index, number, Purpose::failure),
                        .starts = RandomStream(replica.seed, replica.index, number, Purpose::start_up)});
      if (server.autoscaler && i >= server.autoscaler->begin) {
        remove(number, 0.0);
        continue;
      }
      plan_failure(number, 0.0, true);
      for (std::uint32_t unit = 0; unit < units; ++unit) plan_unit_failure(number, unit, 0.0, true);
    }
  }
  for (std::size_t l = 0; l < scenario.links.size(); ++l) {
    const auto entity = static_cast<std::uint32_t>(nodes_.size() + l);
    Line line{.failures = RandomStream(replica.seed, replica.index, entity, Purpose::failure)};
    const DirectionNames names = link_names(scenario.links[l]);
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (channels[c].resource == names.forth || channels[c].resource == names.back) line.links.push_back(c);
    lines_.push_back(std::move(line));
    plan_link_failure(static_cast<std::uint32_t>(l), 0.0, true);
  }
  for (std::uint32_t o = 0; o < scenario.outages.size(); ++o) {
    plan({.change = Change::outage_begins, .number = o}, scenario.outages[o].from.value);
    plan({.change = Change::outage_ends, .number = o}, (scenario.outages[o].from + scenario.outages[o].length).value);
  }
}

const std::vector<FleetMeter>& Fleet::meters(double now) {
  for (FleetMeter& meter : meters_) meter.count_to(now);
  return meters_;
}

void Fleet::plan(Event event, double date) {
  events_.push(date, event);
  if (!firing_) calendar_.reschedule(source_, events_.top().date);
}

void Fleet::plan_failure(std::uint32_t number, double now, bool at_start) {
  Node& node = nodes_[number];
  const std::optional<FailureLaw>& law = server_of(node).failures;
  if (!law) return;
  plan({.change = Change::node_fails, .number = number, .life = node.life},
       now + to_failure_s(*law, node.failures, at_start));
}

void Fleet::plan_unit_failure(std::uint32_t number, std::uint32_t unit, double now, bool at_start) {
  Node& node = nodes_[number];
  const std::optional<FailureLaw>& law = server_of(node).devices.failures;
  if (!law) return;
  plan({.change = Change::unit_fails, .number = number, .unit = unit, .life = 0},
       now + to_failure_s(*law, node.failures, at_start));
}

void Fleet::plan_link_failure(std::uint32_t link, double now, bool at_start) {
  const std::optional<FailureLaw>& law = scenario_.links[link].failures;
  if (!law) return;
  plan({.change = Change::link_fails, .number = link}, now + to_failure_s(*law, lines_[link].failures, at_start));
}

void Fleet::fire(double now) {
  firing_ = true;
  const Event event = events_.pop();
  const auto current = [&] { return nodes_[event.number].life == event.life; };
  switch (event.change) {
    case Change::node_fails: {
      if (!current()) break;
      Node& node = nodes_[event.number];
      const FailureLaw& law = *server_of(node).failures;
      ++meters_[node.server].failures;
      const double repair_s = sample(law.repair, node.failures).value;
      break_node(event.number, law.silent, law.noticed, now);
      plan({.change = Change::node_is_repaired, .number = event.number}, now + repair_s);
      break;
    }
    case Change::node_is_repaired:
      mend_node(event.number, now);
      break;
    case Change::node_is_ready:
      if (current()) begin_work(event.number, now);
      break;
    case Change::node_is_noticed:
      if (current()) set_in_service(event.number, false, now);
      break;
    case Change::node_may_go: {
      if (!current()) break;
      Node& node = nodes_[event.number];
      if (now < node.goes_at && service_.node(event.number).present() > 0) {
        plan(event, std::min(node.goes_at, now + between_looks_s));
      } else {
        remove(event.number, now);
      }
      break;
    }
    case Change::unit_fails: {
      Node& node = nodes_[event.number];
      const FailureLaw& law = *server_of(node).devices.failures;
      if (!node.there) {
        plan_unit_failure(event.number, event.unit, now, false);
        break;
      }
      ++node.units_broken[event.unit];
      plan({.change = Change::unit_is_repaired, .number = event.number, .unit = event.unit},
           now + sample(law.repair, node.failures).value);
      set_units(event.number, false, law.silent, now);
      break;
    }
    case Change::unit_is_repaired:
      --nodes_[event.number].units_broken[event.unit];
      if (nodes_[event.number].there) set_units(event.number, true, false, now);
      plan_unit_failure(event.number, event.unit, now, false);
      break;
    case Change::link_fails:
      ++lines_[event.number].broken;
      set_line(event.number, now);
      plan({.change = Change::link_is_repaired, .number = event.number},
           now + sample(scenario_.links[event.number].failures->repair, lines_[event.number].failures).value);
      break;
    case Change::link_is_repaired:
      --lines_[event.number].broken;
      set_line(event.number, now);
      plan_link_failure(event.number, now, false);
      break;
    case Change::outage_begins:
    case Change::outage_ends:
      begin_or_end(event.number, event.change == Change::outage_begins, now);
      break;
  }
  firing_ = false;
  calendar_.reschedule(source_, events_.empty() ? Calendar::never : events_.top().date);
}

void Fleet::break_node(std::uint32_t number, bool silent, Seconds noticed, double now) {
  Node& node = nodes_[number];
  if (++node.broken > 1 || node.stage == Stage::absent) return;
  ++node.life;
  if (node.stage == Stage::goes) {
    remove(number, now);
    return;
  }
  const bool was_there = node.there;
  node.there = false;
  if (!shares_queue(node)) service_.set_there(number, false, silent);
  if (noticed.value > 0.0) {
    plan({.change = Change::node_is_noticed, .number = number, .life = node.life}, now + noticed.value);
  } else {
    set_in_service(number, false, now);
  }
  // Clients that are told may send again at once: by then nobody must be sent here any more.
  if (was_there) set_units(number, false, silent, now);
}

void Fleet::mend_node(std::uint32_t number, double now) {
  Node& node = nodes_[number];
  if (--node.broken == 0 && node.stage != Stage::absent) start_up(number, now);
}

void Fleet::start_up(std::uint32_t number, double now) {
  Node& node = nodes_[number];
  const Server& server = server_of(node);
  ++node.life;
  set_stage(node, Stage::starts, now);
  set_in_service(number, false, now);
  double start_s = sample(server.start_up, node.starts).value;
  for (const std::string& name : server.models) start_s += scenario_.models.at(name).load_time.value;
  plan({.change = Change::node_is_ready, .number = number, .life = node.life}, now + start_s);
}

void Fleet::begin_work(std::uint32_t number, double now) {
  Node& node = nodes_[number];
  set_stage(node, Stage::works, now);
  node.there = true;
  if (!shares_queue(node)) service_.set_there(number, true, false);
  set_units(number, true, false, now);
  set_in_service(number, true, now);
  plan_failure(number, now, false);
}

void Fleet::remove(std::uint32_t number, double now) {
  Node& node = nodes_[number];
  ++node.life;
  set_stage(node, Stage::absent, now);
  const bool was_there = node.there;
  node.there = false;
  service_.set_there(number, false, false);
  set_in_service(number, false, now);
  if (was_there && now > 0.0) set_units(number, false, false, now);
}

/// Brings the node's units to what they are: working where nothing has broken them and the node is there.
void Fleet::set_units(std::uint32_t number, bool work, bool silent, double now) {
  Node& node = nodes_[number];
  ServerNode& server = service_.node(number);
  const auto units = static_cast<std::uint32_t>(node.units_work.size());
  const std::uint32_t first = shares_queue(node) ? node.in_server * units : 0;
  if (!work && !node.there && !shares_queue(node)) {
    std::fill(node.units_work.begin(), node.units_work.end(), char{0});
    server.lose_all(silent, now);
    return;
  }
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    const bool works = node.there && node.units_broken[unit] == 0;
    if (works == (node.units_work[unit] != 0)) continue;
    node.units_work[unit] = works ? 1 : 0;
    if (works) {
      server.restore_units(first + unit, 1, now);
    } else {
      server.lose_units(first + unit, 1, silent, now);
    }
  }
}

void Fleet::set_line(std::uint32_t link, double now) {
  const Line& line = lines_[link];
  double speed = line.broken > 0 ? 0.0 : 1.0;
  for (const double one : line.speeds) speed = std::min(speed, one);
  for (const std::size_t number : line.links) service_.network().set_speed(number, speed, now);
}

void Fleet::begin_or_end(std::uint32_t number, bool begins, double now) {
  const Outage& outage = scenario_.outages[number];
  for (std::size_t s = 0; s < scenario_.servers.size(); ++s) {
    const Server& server = scenario_.servers[s];
    if (outage.server != server.name) continue;
    const std::uint64_t most = std::min(outage.nodes.value_or(server.nodes), server.nodes);
    for (std::uint32_t node = first_[s]; node < first_[s] + most; ++node) {
      if (begins) {
        break_node(node, outage.silent, outage.noticed, now);
      } else {
        mend_node(node, now);
      }
    }
  }
  for (std::uint32_t l = 0; l < lines_.size(); ++l) {
    const Link& link = scenario_.links[l];
    const bool meant = outage.link.size() == 2 && ((outage.link[0] == link.site_a && outage.link[1] == link.site_b) ||
                                                   (outage.link[0] == link.site_b && outage.link[1] == link.site_a));
    if (!meant) continue;
    std::vector<double>& speeds = lines_[l].speeds;
    if (begins) {
      speeds.push_back(outage.speed);
    } else {
      speeds.erase(std::find(speeds.begin(), speeds.end(), outage.speed));
    }
    set_line(l, now);
  }
}

void Fleet::set_stage(Node& node, Stage stage, double now) {
  FleetMeter& meter = meters_[node.server];
  meter.count_to(now);
  if (node.stage == Stage::absent && stage != Stage::absent) ++meter.paid;
  if (node.stage != Stage::absent && stage == Stage::absent) --meter.paid;
  node.stage = stage;
}

void Fleet::set_in_service(std::uint32_t number, bool in_service, double now) {
  Node& node = nodes_[number];
  if (node.in_service == in_service) return;
  FleetMeter& meter = meters_[node.server];
  meter.count_to(now);
  meter.in_service += in_service ? 1 : std::uint64_t{0} - 1;
  node.in_service = in_service;
  if (!shares_queue(node)) service_.set_in_service(number, in_service);
}

std::uint32_t Fleet::wanted(std::size_t server) const {
  const auto first = nodes_.begin() + first_[server];
  return static_cast<std::uint32_t>(
      std::count_if(first, first + static_cast<std::ptrdiff_t>(scenario_.servers[server].nodes),
                    [](const Node& node) { return node.stage == Stage::starts || node.stage == Stage::works; }));
}

void Fleet::scale(std::size_t server, std::uint32_t nodes, double now) {
  const std::uint32_t first = first_[server];
  const std::uint32_t end = first + static_cast<std::uint32_t>(scenario_.servers[server].nodes);
  std::uint32_t have = wanted(server);
  for (std::uint32_t n = first; n < end && have < nodes; ++n) {
    if (nodes_[n].stage != Stage::absent || nodes_[n].broken > 0) continue;
    start_up(n, now);
    ++have;
  }
  for (const Stage stage : {Stage::starts, Stage::works}) {
    for (std::uint32_t n = end; n-- > first && have > nodes;) {
      Node& node = nodes_[n];
      if (node.stage != stage) continue;
      --have;
      if (!node.there) {
        remove(n, now);
        continue;
      }
      ++node.life;
      set_stage(node, Stage::goes, now);
      set_in_service(n, false, now);
      node.goes_at = now + scenario_.servers[server].autoscaler->grace.value;
      plan({.change = Change::node_may_go, .number = n, .life = node.life},
           std::min(node.goes_at, now + between_looks_s));
    }
  }
}

}  // namespace saturn
