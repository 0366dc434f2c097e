#include "reports/page/telling_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace saturn {

namespace {

constexpr std::size_t most_numbers_drawn = 6;
constexpr std::size_t most_words_drawn = 2;
/// So many are drawn even where none of them is a known one.
constexpr std::size_t least_numbers_drawn = 3;

const SweepRow* first_answered(const ResolvedView& view) {
  const auto found = std::find_if(view.rows.begin(), view.rows.end(),
                                  [](const SweepRow* row) { return ResolvedView::has_answer(*row); });
  return found == view.rows.end() ? nullptr : *found;
}

/// The use of what binds at most points.
std::string binding_use(const ResolvedView& view) {
  std::map<std::string, std::size_t> counts;
  for (const SweepRow* row : view.rows)
    if (const std::string* word = word_at(*row, {.name = "binding", .stem = "binding", .is_word = true}))
      ++counts[*word];
  const auto commonest =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return commonest == counts.end() ? "" : "resources." + commonest->first + ".busy_fraction";
}

std::vector<std::string> wanted_stems(const ResolvedView& view) {
  return {"clients_per_gpu", "events",
          "event_time",      busiest_latency(view),
          binding_use(view), "cost_per_million_events",
          "slowdown",        "saturates_at_clients_per_gpu",
          "next_at_jobs"};
}

bool holds(const std::vector<ShownMetric>& metrics, const ShownMetric& one) {
  return std::any_of(metrics.begin(), metrics.end(), [&](const ShownMetric& known) { return known.name == one.name; });
}

void add_number(TellingMetrics& telling, const ResolvedView& view, const ShownMetric& metric) {
  if (holds(telling.numbers, metric) || holds(telling.constant, metric)) return;
  const std::optional<MetricRange> range = range_of(view, metric);
  if (!range) return;
  if (range->is_flat()) {
    telling.constant.push_back(metric);
  } else if (telling.numbers.size() < most_numbers_drawn) {
    telling.numbers.push_back(metric);
  }
}

}  // namespace

bool MetricRange::is_constant() const {
  constexpr double rounding = 1e-9;
  return most / 2 - least / 2 <= rounding * std::max(std::abs(least), std::abs(most));
}

bool MetricRange::is_flat() const {
  constexpr double least_spread = 1e-3;
  return most / 2 - least / 2 <= least_spread / 2 * std::max(std::abs(least), std::abs(most));
}

std::optional<MetricRange> range_of(const ResolvedView& view, const ShownMetric& metric) {
  std::optional<MetricRange> range;
  for (const SweepRow* row : view.rows) {
    const SweepMetric* found = metric_at(*row, metric);
    if (found == nullptr) continue;
    if (!range) range = MetricRange{.least = found->mean, .most = found->mean};
    range->least = std::min(range->least, found->mean);
    range->most = std::max(range->most, found->mean);
  }
  return range;
}

TellingMetrics telling_metrics(const SweepTable& table, const ResolvedView& view) {
  TellingMetrics telling;
  const std::vector<ShownMetric> all = metrics_of(table);
  if (view.metric && view.metric->is_word) telling.words.push_back(*view.metric);
  if (view.metric && !view.metric->is_word) telling.numbers.push_back(*view.metric);
  for (const std::string& stem : wanted_stems(view))
    for (const ShownMetric& metric : all)
      if (!metric.is_word && !stem.empty() && metric.stem == stem) add_number(telling, view, metric);
  for (const ShownMetric& metric : all) {
    if (metric.is_word && telling.words.size() < most_words_drawn && !holds(telling.words, metric))
      telling.words.push_back(metric);
    if (!metric.is_word && telling.numbers.size() < least_numbers_drawn) add_number(telling, view, metric);
  }
  for (const ShownMetric& metric : all)
    if (!holds(telling.numbers, metric) && !holds(telling.words, metric) && !holds(telling.constant, metric))
      telling.others.push_back(metric.name);
  return telling;
}

std::string busiest_latency(const ResolvedView& view) {
  constexpr std::string_view requests = ".requests";
  const SweepRow* row = first_answered(view);
  const SweepMetric* busiest = nullptr;
  if (row == nullptr) return "";
  for (const SweepMetric& metric : row->result.answer.metrics) {
    if (!metric.stem.starts_with("models.") || !metric.stem.ends_with(requests)) continue;
    if (busiest == nullptr || metric.mean > busiest->mean) busiest = &metric;
  }
  if (busiest == nullptr) return "";
  return busiest->stem.substr(0, busiest->stem.size() - requests.size()) + ".latency_p99";
}

}  // namespace saturn
