#include "sim/engine/inference_service.hpp"

#include <algorithm>
#include <limits>

#include "models/random_stream.hpp"
#include "sim/engine/call_window.hpp"

namespace saturn {

InferenceService::InferenceService(Calendar& calendar, const Platform& platform, const Scenario& scenario,
                                   const Replica& replica) {
  for (const auto& [name, model] : scenario.models) {
    model_numbers_.emplace(name, static_cast<std::uint16_t>(model_numbers_.size()));
    input_bytes_.push_back(model.input.value);
    output_bytes_.push_back(model.output.value);
  }
  models_.resize(scenario.models.size());
  for (const JobPool& pool : scenario.jobs)
    site_numbers_.emplace(pool.site, static_cast<std::uint16_t>(site_numbers_.size()));
  build_nodes(calendar, scenario, replica);
  build_ways(calendar, platform, scenario);
}

std::uint16_t InferenceService::model_number(const std::string& name) const {
  return model_numbers_.at(name);
}
std::uint16_t InferenceService::site_number(const std::string& name) const {
  return site_numbers_.at(name);
}

void InferenceService::build_nodes(Calendar& calendar, const Scenario& scenario, const Replica& replica) {
  backends_.resize(scenario.models.size());
  for (const Server& server : scenario.servers) {
    std::vector<const ServiceLaw*> laws(scenario.models.size(), nullptr);
    for (const std::string& name : server.models)
      laws[model_number(name)] = &scenario.models.at(name).service.at(server.devices.type);
    auto& nodes = nodes_of_server_.emplace_back();
    for (std::uint64_t i = 0; i < server.nodes; ++i) {
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      const RandomStream stream(replica.seed, replica.index, number, Purpose::service);
      ServiceListener& listener = *this;
      nodes.push_back(std::make_unique<ServerNode>(calendar, static_cast<std::uint32_t>(server.devices.count), laws,
                                                   stream, listener));
      nodes_.push_back(nodes.back().get());
      for (const std::string& name : server.models) backends_[model_number(name)].nodes.push_back(number);
    }
  }
  for (const Server& server : scenario.servers) {
    for (const std::string& name : server.models) {
      const std::uint16_t model = model_number(name);
      Backends& backends = backends_[model];
      if (backends.balancer) continue;
      const RandomStream stream(replica.seed, replica.index, model, Purpose::dispatch);
      backends.balancer =
          std::make_unique<Balancer>(server.dispatch, static_cast<std::uint32_t>(backends.nodes.size()), stream);
    }
  }
}

void InferenceService::build_ways(Calendar& calendar, const Platform& platform, const Scenario& scenario) {
  for (const Channel& channel : platform.channels())
    link_of_channel_.push_back(network_.sharing().add_link(channel.bandwidth));
  out_.resize(site_numbers_.size());
  back_.resize(site_numbers_.size());
  for (const auto& [site, number] : site_numbers_) {
    for (const Server& server : scenario.servers) {
      double cap = std::numeric_limits<double>::infinity();
      for (const Link& link : scenario.links) {
        const bool joins =
            (link.site_a == site && link.site_b == server.site) || (link.site_b == site && link.site_a == server.site);
        if (joins && link.per_flow) cap = link.per_flow->value;
      }
      for (std::uint64_t node = 0; node < server.nodes; ++node) {
        out_[number].push_back(way(calendar, platform.to_node(site, server, node), cap, true));
        back_[number].push_back(way(calendar, platform.from_node(server, node, site), cap, false));
      }
    }
  }
}

Leg* InferenceService::way(Calendar& calendar, const Path& path, double cap, bool outward) {
  if (path.channels.empty()) return nullptr;
  for (const std::size_t channel : path.channels)
    cap = std::min(cap, network_.sharing().capacity(link_of_channel_[channel]));
  // Nodes that are reached over the same channels share one flow class: rates are solved per class, not per node.
  const auto [place, added] = way_numbers_.try_emplace({path.channels, path.latency, cap, outward}, ways_.size());
  if (added) {
    std::vector<std::size_t> links;
    for (const std::size_t channel : path.channels) links.push_back(link_of_channel_[channel]);
    const std::size_t flow_class = network_.sharing().add_class(cap, std::move(links));
    CallReceiver& receiver = outward ? static_cast<CallReceiver&>(door_) : desk_;
    ways_.push_back({std::make_unique<Leg>(calendar, network_, flow_class, path.latency,
                                           outward ? input_bytes_ : output_bytes_, receiver),
                     path.channels, outward});
  }
  return ways_[place->second].leg.get();
}

void InferenceService::send(Call& call, double now) {
  Backends& backends = backends_[call.model];
  ++models_[call.model].sent;
  call.choice = backends.balancer->choose();
  call.node = backends.nodes[call.choice];
  call.sent = now;
  call.phase_start = now;
  if (Leg* leg = out_[call.site][call.node]) {
    leg->begin(call, now);
  } else {
    arrived(call, now);
  }
}

void InferenceService::arrived(Call& call, double now) {
  ModelMeter& meter = models_[call.model];
  meter.send_sum += now - call.phase_start;
  ++meter.passed[0];
  nodes_[call.node]->receive(call, now);
}

void InferenceService::service_started(Call& call, double now) {
  ModelMeter& meter = models_[call.model];
  meter.queue_sum += now - call.phase_start;
  ++meter.passed[1];
  meter.batches.add(call.items);
  call.phase_start = now;
}

void InferenceService::service_finished(Call& call, double now) {
  ModelMeter& meter = models_[call.model];
  meter.compute_sum += now - call.phase_start;
  ++meter.passed[2];
  call.phase_start = now;
  if (Leg* leg = back_[call.site][call.node]) {
    leg->begin(call, now);
  } else {
    answered(call, now);
  }
}

void InferenceService::answered(Call& call, double now) {
  ModelMeter& meter = models_[call.model];
  meter.receive_sum += now - call.phase_start;
  ++meter.passed[3];
  ++meter.answered;
  meter.items += call.items;
  meter.latency.add(now - call.sent);
  backends_[call.model].balancer->answered(call.choice);
  call.window->answered(call, now);
}

}  // namespace saturn
