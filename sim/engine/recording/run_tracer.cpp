#include "sim/engine/recording/run_tracer.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
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
    clients_ += static_cast<std::uint32_t>(stream_count(job_pool));
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
  return {.group = pool.name, .name = "stream " + std::to_string(client - pool.first_client), .is_server = false};
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

namespace {

std::uint64_t batch_key(std::uint32_t node, std::uint32_t execution) {
  return (std::uint64_t{node} << 32) | execution;
}

}  // namespace

RunTracer::RunTracer(const Scenario& scenario, const TraceWindow& window, double end)
    : from_(std::min(window.from_s, end)),
      until_(std::min(window.from_s + window.length_s, end)),
      end_(until_),
      most_spans_(from_ < until_ ? window.most_spans : 0),
      tracks_(scenario),
      waiting_(scenario.models.size()) {}

void RunTracer::computes(std::uint32_t client, std::size_t stage, double begin, double end) {
  add({.kind = SpanKind::compute,
       .track = client,
       .begin_s = begin,
       .end_s = end,
       .label = tracks_.stage_label(client, stage)},
      begin);
}

void RunTracer::sent(const Call& call, double now) {
  OpenCall& open = calls_[&call];
  open = {.number = ++calls_sent_,
          .sent = now,
          .since = now,
          .client = call.client,
          .items = call.items,
          .model = call.model,
          .step = call.model};
}

void RunTracer::waits(const Call& call, std::uint16_t model, double now) {
  OpenCall& open = calls_.at(&call);
  end_phase(open, now);
  open.phase = Phase::waiting;
  open.step = model;
  count_waiting(model, +1, now);
}

void RunTracer::batch_begins(const InstancePlace& place, std::uint32_t execution, const Call& first,
                             std::uint32_t items, double now) {
  OpenBatch batch{.place = tracks_.occupy(place), .begin = now, .items = items, .calls = {}};
  for (const Call* call = &first; call != nullptr; call = call->next) {
    OpenCall& open = calls_.at(call);
    end_phase(open, now);
    open.phase = Phase::executing;
    batch.calls.push_back(call);
  }
  batches_.insert_or_assign(batch_key(place.node, execution), std::move(batch));
}

void RunTracer::batch_ends(std::uint32_t node, std::uint32_t execution, double now) {
  const auto found = batches_.find(batch_key(node, execution));
  end_batch(found->second, now);
  for (const Call* call : found->second.calls) {
    OpenCall& open = calls_.at(call);
    end_phase(open, now);
    open.phase = Phase::between;
  }
  tracks_.release(found->second.place);
  batches_.erase(found);
}

void RunTracer::leaves(const Call& call, double now) {
  OpenCall& open = calls_.at(&call);
  open.rejected = call.rejected;
  end_phase(open, now);
  open.phase = Phase::receiving;
}

void RunTracer::answered(const Call& call, double now) {
  const auto found = calls_.find(&call);
  end_call(found->second, now);
  calls_.erase(found);
}

void RunTracer::end_phase(OpenCall& call, double now) {
  TraceSpan span{.track = call.client,
                 .begin_s = call.since,
                 .end_s = now,
                 .label = call.model,
                 .call = call.number,
                 .items = call.items,
                 .rejected = call.rejected};
  call.since = now;
  switch (call.phase) {
    case Phase::sending:
      span.kind = SpanKind::send;
      break;
    case Phase::waiting:
      span.kind = SpanKind::queue;
      span.label = call.step;
      count_waiting(call.step, -1, now);
      break;
    case Phase::executing:
      span.kind = SpanKind::execute;
      span.label = call.step;
      break;
    case Phase::between:
      return;
    case Phase::receiving:
      span.kind = SpanKind::receive;
      break;
  }
  if (span.begin_s < span.end_s) call.parts.push_back(span);
}

void RunTracer::end_call(OpenCall& call, double now) {
  end_phase(call, now);
  const TraceSpan whole{.kind = SpanKind::call,
                        .track = call.client,
                        .begin_s = call.sent,
                        .end_s = now,
                        .label = call.model,
                        .call = call.number,
                        .items = call.items,
                        .rejected = call.rejected};
  if (most_spans_ == 0 || !touches(whole)) return;
  spans_.push_back(whole);
  spans_.insert(spans_.end(), call.parts.begin(), call.parts.end());
  end_when_full(now);
}

void RunTracer::end_batch(const OpenBatch& batch, double now) {
  add({.kind = SpanKind::batch,
       .track = tracks_.track_of(batch.place),
       .begin_s = batch.begin,
       .end_s = now,
       .label = batch.place.model,
       .items = batch.items},
      now);
}

void RunTracer::add(const TraceSpan& span, double now) {
  if (most_spans_ == 0 || !touches(span)) return;
  spans_.push_back(span);
  end_when_full(now);
}

void RunTracer::end_when_full(double now) {
  // What has begun by now is still followed to its end, so that the recorded part has no holes.
  if (spans_.size() > most_spans_) end_ = std::min(end_, std::max(from_, now));
}

void RunTracer::count_waiting(std::uint16_t model, int change, double now) {
  Waiting& waiting = waiting_[model];
  waiting.area += static_cast<double>(waiting.now) * (now - waiting.date);
  waiting.date = now;
  waiting.now += change;
}

std::vector<double> RunTracer::waiting_areas(double now) const {
  std::vector<double> areas;
  areas.reserve(waiting_.size());
  for (const Waiting& waiting : waiting_)
    areas.push_back(waiting.area + static_cast<double>(waiting.now) * (now - waiting.date));
  return areas;
}

RunTrace RunTracer::finish(double now) {
  for (auto& [call, open] : calls_) end_call(open, now);
  for (const auto& [key, batch] : batches_) end_batch(batch, now);
  for (TraceSpan& span : spans_) span.end_s = std::min(span.end_s, now);
  RunTrace trace{.begin_s = from_, .end_s = end_, .cut = false, .labels = tracks_.labels()};
  // A whole before its parts, and the same order whatever came first within the same moment.
  const auto key = [](const TraceSpan& span) {
    return std::tuple(span.begin_s, span.call, span.track, span.kind != SpanKind::call, span.kind, span.end_s);
  };
  std::sort(spans_.begin(), spans_.end(), [&](const TraceSpan& a, const TraceSpan& b) { return key(a) < key(b); });
  if (spans_.size() > most_spans_) {
    trace.end_s = std::max(from_, spans_[most_spans_].begin_s);
    spans_.resize(most_spans_);
    trace.cut = true;
  }
  trace.tracks = tracks_.compact(spans_);
  trace.spans = std::move(spans_);
  return trace;
}

}  // namespace saturn
