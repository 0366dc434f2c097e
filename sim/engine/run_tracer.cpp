#include "sim/engine/run_tracer.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace saturn {

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
