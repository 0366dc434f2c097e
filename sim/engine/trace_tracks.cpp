#include "sim/engine/trace_tracks.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

#include "scenarios/scenario.hpp"

namespace saturn {

TraceTracks::TraceTracks(const Scenario& scenario) : models_(scenario.models.size()) {
  for (const auto& [name, model] : scenario.models) label(name);
  for (const JobPool& job_pool : scenario.jobs) {
    Pool pool{.first_client = clients_, .name = job_pool.name, .stages = {}};
    for (const Stage& stage : job_pool.event)
      pool.stages.push_back(label(std::visit([](const auto& one) { return one.label; }, stage)));
    pool.stages.push_back(label("set-up"));
    pools_.push_back(std::move(pool));
    clients_ += static_cast<std::uint32_t>(event_loops(job_pool));
  }
  for (const Server& server : scenario.servers) {
    Node node{.group = server.name + "/" + server.devices.type,
              .alone = server.nodes == 1,
              .one_queue = server.balancing == Balancing::central_queue,
              .slices = static_cast<std::uint32_t>(std::max<std::size_t>(1, server.devices.mig.size()))};
    node.units = static_cast<std::uint32_t>(server.devices.count) * node.slices;
    const auto executed = std::count_if(server.models.begin(), server.models.end(), [&](const std::string& model) {
      return scenario.models.at(model).ensemble.empty();
    });
    node.one_model = executed == 1;
    for (std::uint64_t i = 0; i < server.nodes; ++i) {
      node.number = static_cast<std::uint32_t>(i);
      nodes_.push_back(node);
    }
  }
}

std::uint32_t TraceTracks::label(const std::string& text) {
  const auto [place, added] = label_numbers_.try_emplace(text, static_cast<std::uint32_t>(labels_.size()));
  if (added) labels_.push_back(text);
  return place->second;
}

const TraceTracks::Pool& TraceTracks::pool_of(std::uint32_t client) const {
  const auto next = std::upper_bound(pools_.begin(), pools_.end(), client,
                                     [](std::uint32_t number, const Pool& pool) { return number < pool.first_client; });
  return *std::prev(next);
}

std::uint32_t TraceTracks::stage_label(std::uint32_t client, std::size_t stage) const {
  const Pool& pool = pool_of(client);
  return pool.stages[std::min(stage, pool.stages.size() - 1)];
}

InstancePlace TraceTracks::occupy(InstancePlace place) {
  place.instance = 0;
  std::vector<bool>& taken = in_use_[place];
  const auto free = std::find(taken.begin(), taken.end(), false);
  place.instance = static_cast<std::uint32_t>(free - taken.begin());
  if (free == taken.end()) taken.push_back(false);
  taken[place.instance] = true;
  return place;
}

void TraceTracks::release(const InstancePlace& place) {
  InstancePlace first = place;
  first.instance = 0;
  in_use_[first][place.instance] = false;
}

std::uint32_t TraceTracks::track_of(const InstancePlace& place) {
  const auto [found, added] = instances_.try_emplace(place, static_cast<std::uint32_t>(places_.size()));
  if (added) places_.push_back(place);
  return clients_ + found->second;
}

TraceTrack TraceTracks::client_track(std::uint32_t client) const {
  const Pool& pool = pool_of(client);
  return {.group = pool.name, .name = "client " + std::to_string(client - pool.first_client), .is_server = false};
}

TraceTrack TraceTracks::instance_track(const InstancePlace& place) const {
  const Node& node = nodes_[place.node];
  const std::uint32_t number = node.one_queue ? place.unit / node.units : node.number;
  const std::uint32_t unit = place.unit % node.units;
  std::string name = node.alone ? "" : "node " + std::to_string(number) + ", ";
  name += "device " + std::to_string(unit / node.slices);
  if (node.slices > 1) name += ", slice " + std::to_string(unit % node.slices);
  if (!node.one_model) name += ", " + labels_[place.model];
  return {.group = node.group, .name = name + ", instance " + std::to_string(place.instance), .is_server = true};
}

std::vector<TraceTrack> TraceTracks::compact(std::vector<TraceSpan>& spans) const {
  std::vector<std::uint32_t> used;
  used.reserve(spans.size());
  for (const TraceSpan& span : spans) used.push_back(span.track);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (a < clients_ || b < clients_) return a < b;
    return places_[a - clients_] < places_[b - clients_];
  };
  std::sort(used.begin(), used.end(), before);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<TraceTrack> tracks;
  tracks.reserve(used.size());
  for (const std::uint32_t track : used)
    tracks.push_back(track < clients_ ? client_track(track) : instance_track(places_[track - clients_]));
  for (TraceSpan& span : spans)
    span.track =
        static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), span.track, before) - used.begin());
  return tracks;
}

}  // namespace saturn
