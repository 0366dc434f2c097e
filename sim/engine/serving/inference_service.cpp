#include "sim/engine/serving/inference_service.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/laws/random_stream.hpp"
#include "models/results/run_outcome.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/engine/call_window.hpp"
#include "sim/engine/living/tried_calls.hpp"

namespace saturn {

namespace {

/// So many rejections are enough to know that clients do nothing else.
constexpr std::uint64_t many_refused = 20'000'000;
constexpr std::uint64_t refused_per_answer = 1000;

std::uint64_t clients_of(const Scenario& scenario) {
  std::uint64_t clients = 0;
  for (const JobPool& pool : scenario.jobs) clients += stream_count(pool);
  return clients;
}

/// What every device of a server is divided into, as shares of a whole device.
std::vector<double> shares_of(const Server& server) {
  const std::uint64_t together = server.balancing == Balancing::central_queue ? server.nodes : 1;
  std::vector<double> shares;
  for (std::uint64_t device = 0; device < server.devices.count * together; ++device) {
    if (server.devices.mig.empty()) shares.push_back(1.0);
    shares.insert(shares.end(), server.devices.mig.begin(), server.devices.mig.end());
  }
  return shares;
}

}  // namespace

InferenceService::InferenceService(Calendar& calendar, const Platform& platform, const Scenario& scenario,
                                   const Replica& replica, RunTracer* tracer)
    : calendar_(calendar),
      source_(calendar.add(*this)),
      tracer_(tracer),
      network_(make_leg_network(scenario.flows, calendar, replica.length.slice * replica.length.slices)),
      scenario_(scenario),
      replica_(replica),
      clients_(clients_of(scenario)) {
  for (const auto& [name, model] : scenario.models) {
    model_numbers_.emplace(name, static_cast<std::uint16_t>(model_numbers_.size()));
    input_bytes_.push_back(model.input.value);
    output_bytes_.push_back(model.output.value);
  }
  models_.resize(scenario.models.size());
  for (const JobPool& pool : scenario.jobs)
    site_numbers_.emplace(pool.site, static_cast<std::uint16_t>(site_numbers_.size()));
  build_nodes(calendar, scenario, replica);
  build_balancers(scenario, replica);
  build_legs(platform, scenario);
}

std::uint16_t InferenceService::model_number(const std::string& name) const {
  return model_numbers_.at(name);
}
std::uint16_t InferenceService::site_number(const std::string& name) const {
  return site_numbers_.at(name);
}

NodePlan InferenceService::node_plan(const Scenario& scenario, const Server& server) const {
  const DeviceType& type = scenario.devices.at(server.devices.type);
  NodePlan plan{.shares = shares_of(server),
                .dispatch = server.devices.dispatch,
                .sharing = type.sharing,
                .interference = server.devices.interference,
                .contention = type.contention,
                .contention_s = type.contention_per_batch.value,
                .host = server.host,
                .batch_workers = server.batch_workers,
                .sag = server.sag,
                .models = {},
                .chains = std::vector<std::vector<std::uint16_t>>(scenario.models.size())};
  // Nodes that share their queues handle the requests of all of them together.
  if (plan.host && server.balancing == Balancing::central_queue)
    plan.host->workers *= static_cast<double>(server.nodes);
  if (plan.batch_workers && server.balancing == Balancing::central_queue)
    *plan.batch_workers *= static_cast<double>(server.nodes);
  for (const std::string& name : server.models) {
    const Model& model = scenario.models.at(name);
    std::vector<std::uint16_t>& chain = plan.chains[model_number(name)];
    for (const std::string& step : model_steps(scenario.models, name)) chain.push_back(model_number(step));
    if (!model.ensemble.empty()) continue;
    const ServiceLaw& law = model.service.at(server.devices.type);
    const bool stateful = model.sequence_batching.has_value();
    const bool direct = stateful && model.sequence_batching->strategy == SequenceStrategy::direct;
    plan.models.push_back(
        {.number = model_number(name),
         .law = &law,
         .rules = batching_rules(model),
         .instances = stateful ? 1 : static_cast<std::uint32_t>(model.instances),
         .at_once = stateful ? 1 : static_cast<std::uint32_t>(batches_at_once(model)),
         .default_priority = static_cast<std::uint32_t>(model.default_priority_level.value_or(model.priority_levels)),
         .lengths = model.lengths,
         .cost_by_sum = model.lengths == LengthRule::ragged && law.padded_to.empty() && !direct,
         .slots = stateful ? static_cast<std::uint32_t>(sequence_slots(model)) : 0,
         .stateful_instances = stateful ? static_cast<std::uint32_t>(model.instances) : 0,
         .rows_by_slot = direct});
  }
  return plan;
}

void InferenceService::build_nodes(Calendar& calendar, const Scenario& scenario, const Replica& replica) {
  backends_.resize(scenario.models.size());
  for (const Server& server : scenario.servers) {
    const NodePlan& plan = *plans_.emplace_back(std::make_unique<NodePlan>(node_plan(scenario, server)));
    auto& nodes = nodes_of_server_.emplace_back();
    const bool one_queue = server.balancing == Balancing::central_queue;
    first_nodes_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    for (std::uint64_t i = 0; i < server.nodes; ++i) {
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      if (i == 0 || !one_queue) {
        const RandomStream stream(replica.seed, replica.index, number, Purpose::service);
        ServiceListener& listener = *this;
        nodes.push_back(std::make_unique<ServerNode>(calendar, plan, stream, listener));
        if (tracer_ != nullptr) nodes.back()->trace(*tracer_, number);
      }
      nodes_.push_back(nodes.back().get());
      if (server.standby) continue;
      for (const std::string& name : server.models) backends_[model_number(name)].nodes.push_back(number);
    }
  }
  there_.resize(nodes_.size(), Presence::there);
  build_doors(scenario);
}

/// Requests look for doors where something changes, and nowhere else.
void InferenceService::build_doors(const Scenario& scenario) {
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const std::optional<RateLimit>& limit = scenario.servers[s].rate_limit;
    if (!limit) continue;
    changes_ = true;
    door_of_node_.resize(nodes_.size(), nullptr);
    doors_.push_back(std::make_unique<TokenBucket>(
        TokenBucketRules{
            .max_tokens = limit->tokens, .tokens_per_fill = limit->per_fill, .fill_interval_s = limit->every.value},
        0.0));
    const auto first = door_of_node_.begin() + first_nodes_[s];
    std::fill(first, first + static_cast<std::ptrdiff_t>(scenario.servers[s].nodes), doors_.back().get());
  }
}

void InferenceService::build_balancers(const Scenario& scenario, const Replica& replica) {
  for (const Server& server : scenario.servers) {
    if (server.standby) continue;
    for (const std::string& name : server.models) {
      const std::uint16_t model = model_number(name);
      Backends& backends = backends_[model];
      backends.keeps_sequences = keeps_state(scenario, name);
      if (backends.balancer) continue;
      backends.balancer = balancer_of_same_nodes(backends.nodes, server);
      if (!backends.balancer)
        connect(backends, server, RandomStream(replica.seed, replica.index, model, Purpose::dispatch));
    }
  }
}

/// The one that stands before these nodes already, where it is the number of unanswered requests that decides: a proxy
/// counts those of all models that it sends there. Null where there is none.
std::shared_ptr<Balancer> InferenceService::balancer_of_same_nodes(const std::vector<std::uint32_t>& nodes,
                                                                   const Server& server) const {
  const bool counts = server.dispatch == Dispatch::least_outstanding || server.dispatch == Dispatch::power_of_two;
  if (!counts || server.balancing == Balancing::per_connection || server.balancing == Balancing::per_sequence)
    return nullptr;
  for (const Backends& others : backends_)
    if (others.balancer && others.connection.empty() && others.nodes == nodes) return others.balancer;
  return nullptr;
}

/// Puts a balancer in front of the nodes, by the rules of a server.
void InferenceService::connect(Backends& backends, const Server& server, RandomStream stream) {
  backends.balancer =
      std::make_shared<Balancer>(server.dispatch, static_cast<std::uint32_t>(backends.nodes.size()), stream);
  backends.per_sequence = server.balancing == Balancing::per_sequence && backends.keeps_sequences;
  if (backends.per_sequence) backends.connection.assign(clients_, Balancer::nobody);
  if (server.balancing != Balancing::per_connection) return;
  backends.attached = server.attached.has_value();
  // Connections are opened one after the other and stay: the balancer counts them, and never an answer.
  for (std::uint64_t client = 0; client < clients_; ++client)
    backends.connection.push_back(backends.balancer->choose());
}

std::uint16_t InferenceService::group_of(const std::string& model, const std::string& server) {
  const auto same = [&](const Server& one) { return one.name == server; };
  const auto place = std::find_if(scenario_.servers.begin(), scenario_.servers.end(), same);
  const auto number = static_cast<std::size_t>(place - scenario_.servers.begin());
  const std::uint16_t model_place = model_number(model);
  const auto [found, added] = groups_.try_emplace({model_place, number}, static_cast<std::uint16_t>(backends_.size()));
  if (added) {
    Backends& backends = backends_.emplace_back();
    for (std::uint64_t i = 0; i < place->nodes; ++i)
      backends.nodes.push_back(first_nodes_[number] + static_cast<std::uint32_t>(i));
    connect(backends, *place, RandomStream(replica_.seed, replica_.index, found->second, Purpose::dispatch));
  }
  return found->second;
}

void InferenceService::set_in_service(std::uint32_t node, bool in_service) {
  changes_ = true;
  for (Backends& backends : backends_) {
    const auto found = std::lower_bound(backends.nodes.begin(), backends.nodes.end(), node);
    if (found != backends.nodes.end() && *found == node)
      backends.balancer->set_in_service(static_cast<std::uint32_t>(found - backends.nodes.begin()), in_service);
  }
}

void InferenceService::build_legs(const Platform& platform, const Scenario& scenario) {
  for (const Channel& channel : platform.channels()) network_->add_link(channel.bandwidth);
  out_.resize(site_numbers_.size());
  back_.resize(site_numbers_.size());
  for (const auto& [site, number] : site_numbers_) {
    for (const Server& server : scenario.servers) {
      for (std::uint64_t node = 0; node < server.nodes; ++node) {
        const Path there = platform.to_node(site, server, node);
        const Path back = platform.from_node(server, node, site);
        out_[number].push_back(find_leg(platform, there, there.cap, true));
        back_[number].push_back(find_leg(platform, back, back.cap, false));
      }
    }
  }
  if (!changes_over_time(scenario)) network_->seal();
}

NetworkLeg* InferenceService::find_leg(const Platform& platform, const Path& path, double cap, bool outward) {
  if (cap == 0.0) return nullptr;
  for (const std::size_t channel : path.channels) cap = std::min(cap, platform.channels()[channel].bandwidth);
  // Nodes that are reached over the same channels share one flow class: rates are solved per class, not per node.
  const auto [place, added] = leg_numbers_.try_emplace({path.channels, path.latency, cap, outward}, legs_.size());
  if (added) {
    CallReceiver& receiver = outward ? static_cast<CallReceiver&>(server_end_) : client_end_;
    const std::vector<double>& bytes = outward ? input_bytes_ : output_bytes_;
    auto slow_start = path.slow_start ? std::make_unique<SlowStartEnd>(calendar_, *path.slow_start, cap,
                                                                       path.round_trip_s, bytes, receiver)
                                      : nullptr;
    CallReceiver& end = slow_start ? *slow_start : receiver;
    legs_.push_back({.slow_start = std::move(slow_start),
                     .leg = network_->add_leg(cap, path.channels, path.latency, bytes, end),
                     .channels = path.channels,
                     .outward = outward});
  }
  return legs_[place->second].leg.get();
}

StationMeter InferenceService::DirectedLeg::meter(double now) const {
  StationMeter meter = leg->meter(now);
  if (slow_start) meter += slow_start->meter(now);
  return meter;
}

inline void InferenceService::set_out(Call& call, double now) {
  ++models_[call.model].sent;
  call.sent = now;
  call.phase_start = now;
  call.queue_s = call.fill_s = call.compute_s = call.device_wait_s = 0.0;
  call.rejected = false;
  if (tracer_ != nullptr) tracer_->sent(call, now);
  if (NetworkLeg* leg = out_[call.site][call.node]) {
    leg->begin(call, now);
  } else {
    arrived(call, now);
  }
}

void InferenceService::send(Call& call, double now) {
  Backends& backends = backends_[call.group];
  if (changes_) {
    send_other(call, Balancer::nobody, now);
    return;
  }
  if (backends.connection.empty()) {
    call.choice = backends.balancer->choose();
  } else {
    std::uint32_t& connection = backends.connection[call.client];
    if (connection == Balancer::nobody) connection = backends.balancer->choose();
    call.choice = connection;
  }
  call.node = backends.nodes[call.choice];
  set_out(call, now);
}

void InferenceService::send_other(Call& call, std::uint32_t except, double now) {
  Backends& backends = backends_[call.group];
  if (backends.connection.empty()) {
    call.choice = backends.balancer->choose_other(except);
  } else {
    // A connection to a node that is gone, or has just failed, is opened anew; others stay, whoever has come since.
    std::uint32_t& connection = backends.connection[call.client];
    const bool broken =
        connection == Balancer::nobody || connection == except || !backends.balancer->is_in_service(connection);
    if (broken && !backends.attached) {
      if (connection != Balancer::nobody && backends.keeps_sequences)
        nodes_[backends.nodes[connection]]->end_sequences(call.client, call.model, now);
      backends.close(call.client);
      connection = backends.balancer->choose_other(except);
    }
    call.choice = connection;
  }
  call.node = backends.nodes[call.choice == Balancer::nobody ? 0 : call.choice];
  if (call.choice != Balancer::nobody) {
    set_out(call, now);
    return;
  }
  // Nobody is there to say no: the client is told at once.
  ++models_[call.model].sent;
  ++models_[call.model].found_nobody;
  call.sent = call.phase_start = call.arrived = call.admitted = now;
  call.rejected = true;
  if (tracer_ != nullptr) {
    tracer_->sent(call, now);
    tracer_->leaves(call, now);
  }
  return_at_once(call, now);
}

void InferenceService::given_up(Call& call) {
  if (backends_[call.group].connection.empty() && call.choice != Balancer::nobody)
    backends_[call.group].balancer->answered(call.choice);
  call.choice = Balancer::nobody;
}

void InferenceService::end_sequences(std::uint32_t client, double now) {
  for (std::size_t model = 0; model < models_.size(); ++model) {
    Backends& backends = backends_[model];
    if (!backends.keeps_sequences) continue;
    const std::uint32_t choice = backends.connection.empty() ? 0 : backends.connection[client];
    if (choice != Balancer::nobody)
      nodes_[backends.nodes[choice]]->end_sequences(client, static_cast<std::uint16_t>(model), now);
    if (backends.per_sequence) backends.close(client);
  }
}

void InferenceService::reconnect(std::uint32_t client) {
  for (Backends& backends : backends_) {
    if (backends.connection.empty() || backends.attached || backends.per_sequence) continue;
    backends.close(client);
    backends.connection[client] = backends.balancer->choose_other(Balancer::nobody);
  }
}

void InferenceService::batch_sent(std::uint16_t model, std::uint32_t items, SendReason reason) {
  models_[model].batches.add(items);
  ++models_[model].sent_because[static_cast<std::size_t>(reason)];
}

void InferenceService::step_done(const Call& call, std::uint16_t model, double started, double device_wait,
                                 double now) {
  ModelMeter& meter = models_[model];
  ++meter.served;
  meter.items += call.items;
  meter.queue_sum += started - call.step_start;
  meter.fill_sum += call.held_back;
  meter.compute_sum += now - started;
  meter.device_wait_sum += device_wait;
  meter.latency.add(now - call.step_start);
}

void InferenceService::left(Call& call, double now) {
  call.phase_start = now;
  if (tracer_ != nullptr) tracer_->leaves(call, now);
  if (NetworkLeg* leg = back_[call.site][call.node]) {
    leg->begin(call, now);
    return;
  }
  if (!call.rejected) {
    answered(call, now);
    return;
  }
  return_at_once(call, now);
}

void InferenceService::return_at_once(Call& call, double now) {
  // A client may answer a rejection with its next request at once, which is rejected too: it must not recurse.
  returning_.push(&call);
  calendar_.reschedule(source_, now);
}

void InferenceService::turned_away(Call& call, double now) {
  call.arrived = call.admitted = now;
  lost(call, there_[call.node] == Presence::gone_silently, now);
}

void InferenceService::lost(Call& call, bool silent, double now) {
  call.rejected = true;
  if (!silent) {
    left(call, now);
    return;
  }
  ++models_[call.model].lost;
  Backends& backends = backends_[call.group];
  if (backends.connection.empty() && call.choice != Balancer::nobody) backends.balancer->answered(call.choice);
  call.choice = Balancer::nobody;
  if (tracer_ != nullptr) {
    tracer_->leaves(call, now);
    tracer_->answered(call, now);
  }
  if (call.role != CallRole::tried) throw std::logic_error("a call without a deadline was lost in silence");
  Try& tried = static_cast<Try&>(call);
  tried.owner->vanished(tried);
}

void InferenceService::fire(double now) {
  Call& call = *returning_.pop();
  calendar_.reschedule(source_, returning_.empty() ? Calendar::never : now);
  answered(call, now);
}

void InferenceService::answered(Call& call, double now) {
  if (tracer_ != nullptr) tracer_->answered(call, now);
  ModelMeter& meter = models_[call.model];
  Backends& backends = backends_[call.group];
  if (backends.connection.empty() && call.choice != Balancer::nobody) backends.balancer->answered(call.choice);
  if (backends.per_sequence && call.ends_sequence) backends.close(call.client);
  if (call.rejected) {
    // It has not been executed, with which its sequence would have ended.
    if (call.ends_sequence && call.choice != Balancer::nobody && backends.keeps_sequences)
      nodes_[call.node]->end_sequences(call.client, call.model, now);
    if (++meter.refused > many_refused && meter.refused > refused_per_answer * meter.answered)
      throw NoAnswer(
          "streams repeat rejected requests without taking time, " + std::to_string(meter.refused) +
          " times by now; give their link a round-trip time, their event a CPU stage, or the stage a cpu_alternative");
  } else {
    ++meter.answered;
    ++meter.served;
    meter.items += call.items;
    meter.sent_items += call.items;
    meter.send_sum += call.arrived - call.sent;
    meter.host_sum += call.admitted - call.arrived;
    meter.queue_sum += call.queue_s;
    meter.fill_sum += call.fill_s;
    meter.compute_sum += call.compute_s;
    meter.device_wait_sum += call.device_wait_s;
    meter.receive_sum += now - call.phase_start;
    meter.latency.add(now - call.sent);
  }
  if (call.role != CallRole::tried) {
    call.window->answered(call, now);
    return;
  }
  Try& tried = static_cast<Try&>(call);
  tried.owner->answered(tried, now);
}

}  // namespace saturn
