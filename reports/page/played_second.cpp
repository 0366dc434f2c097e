#include "reports/page/played_second.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "models/words/quantities.hpp"
#include "reports/page/page_template.hpp"
#include "reports/tables/json_parts.hpp"
#include "reports/words/escaped_text.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

constexpr double longest_s = 1.0;
constexpr std::size_t shown_instances = 24;
constexpr double microseconds = 1e6;

bool is_batch(const RunTrace& trace, const TraceSpan& span) {
  return span.kind == SpanKind::batch && span.track < trace.tracks.size() && span.label < trace.labels.size() &&
         std::isfinite(span.begin_s) && std::isfinite(span.end_s) && span.end_s >= span.begin_s;
}

/// The models that have batches or requests in what is played.
class Models {
 public:
  Models(const RunTrace& trace, PlayedSecond& second) : trace_(trace), second_(second) {}

  std::uint32_t index_of(std::uint32_t label) {
    const auto [known, is_new] = known_.emplace(label, static_cast<std::uint32_t>(second_.models.size()));
    if (is_new) second_.models.push_back(trace_.labels[label]);
    return known->second;
  }

 private:
  const RunTrace& trace_;
  PlayedSecond& second_;
  std::map<std::uint32_t, std::uint32_t> known_;
};

bool touches(const TraceSpan& span, const PlayedSecond& second) {
  return span.begin_s < second.from_s + second.length_s && span.end_s > second.from_s;
}

void add_batches(const RunTrace& trace, PlayedSecond& second, Models& models) {
  std::map<std::uint32_t, std::uint32_t> instances;
  for (const TraceSpan& span : trace.spans)
    if (is_batch(trace, span) && touches(span, second)) instances.emplace(span.track, 0);
  for (auto& [track, index] : instances) {
    index = static_cast<std::uint32_t>(second.instances.size());
    const TraceTrack& one = trace.tracks[track];
    if (second.instances.size() < shown_instances)
      second.instances.push_back(one.group.empty() || one.name.empty() ? one.group + one.name
                                                                       : one.group + ", " + one.name);
    else
      index = static_cast<std::uint32_t>(shown_instances + second.more_instances++);
  }
  for (const TraceSpan& span : trace.spans) {
    if (!is_batch(trace, span) || !touches(span, second) || instances.at(span.track) >= shown_instances) continue;
    second.batches.push_back({.instance = instances.at(span.track),
                              .model = models.index_of(span.label),
                              .items = span.items,
                              .begin_s = span.begin_s - second.from_s,
                              .end_s = span.end_s - second.from_s});
  }
  std::stable_sort(second.batches.begin(), second.batches.end(),
                   [](const PlayedBatch& a, const PlayedBatch& b) { return a.begin_s < b.begin_s; });
}

void add_waits(const RunTrace& trace, PlayedSecond& second, Models& models) {
  std::map<std::pair<std::uint32_t, double>, int> changes;
  for (const TraceSpan& span : trace.spans) {
    if (span.kind != SpanKind::queue || span.label >= trace.labels.size() || !touches(span, second)) continue;
    const std::uint32_t model = models.index_of(span.label);
    ++changes[{model, std::max(0.0, span.begin_s - second.from_s)}];
    --changes[{model, span.end_s - second.from_s}];
  }
  std::uint32_t model = 0;
  int waiting = 0;
  for (const auto& [place, change] : changes) {
    if (place.first != model) waiting = 0;
    model = place.first;
    waiting += change;
    if (place.second < second.length_s && change != 0)
      second.waits.push_back({.model = model, .at_s = place.second, .waiting = static_cast<std::uint32_t>(waiting)});
  }
  std::stable_sort(second.waits.begin(), second.waits.end(),
                   [](const PlayedWait& a, const PlayedWait& b) { return a.at_s < b.at_s; });
}

std::int64_t whole_us(double seconds) {
  return std::llround(seconds * microseconds);
}

}  // namespace

PlayedSecond played_second(const RunTrace& trace) {
  PlayedSecond second;
  std::optional<double> first;
  for (const TraceSpan& span : trace.spans)
    if (is_batch(trace, span) && (!first || span.begin_s < *first)) first = span.begin_s;
  if (!first) return second;
  second.from_s = std::max(*first, trace.begin_s);
  second.length_s = std::min(longest_s, trace.end_s - second.from_s);
  if (!(second.length_s > 0.0)) return {};
  Models models(trace, second);
  add_batches(trace, second, models);
  add_waits(trace, second, models);
  return second;
}

std::string player_html(const PlayedSecond& second) {
  // Columns, in microseconds: shorter than rows, and no rounding is seen.
  Json batches = {{"instance", Json::array()},
                  {"model", Json::array()},
                  {"items", Json::array()},
                  {"begin_us", Json::array()},
                  {"end_us", Json::array()}};
  for (const PlayedBatch& batch : second.batches) {
    batches["instance"].push_back(batch.instance);
    batches["model"].push_back(batch.model);
    batches["items"].push_back(batch.items);
    batches["begin_us"].push_back(whole_us(batch.begin_s));
    batches["end_us"].push_back(whole_us(batch.end_s));
  }
  Json waits = {{"model", Json::array()}, {"at_us", Json::array()}, {"waiting", Json::array()}};
  for (const PlayedWait& wait : second.waits) {
    waits["model"].push_back(wait.model);
    waits["at_us"].push_back(whole_us(wait.at_s));
    waits["waiting"].push_back(wait.waiting);
  }
  const Json data = {{"from_s", json_number<Json>(second.from_s)},
                     {"length_us", whole_us(second.length_s)},
                     {"models", second.models},
                     {"instances", second.instances},
                     {"more_instances", second.more_instances},
                     {"batches", std::move(batches)},
                     {"waits", std::move(waits)}};
  return page_part("player", {{"length", time_text(second.length_s)}, {"data", script_json(json_line(data))}});
}

}  // namespace saturn
