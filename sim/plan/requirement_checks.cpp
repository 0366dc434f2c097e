#include <algorithm>
#include <array>

#include "models/words/numbers.hpp"
#include "sim/plan/requirement_text.hpp"

namespace saturn {

namespace {

/// Figures of which the first is never above the second.
constexpr std::array<std::pair<MeasureId, MeasureId>, 7> never_above{{
    {measure("event_time_p50"), measure("event_time_p95")},
    {measure("event_time_p50"), measure("event_time_p99")},
    {measure("event_time_p95"), measure("event_time_p99")},
    {measure("latency_p50"), measure("latency_p95")},
    {measure("latency_p50"), measure("latency_p99")},
    {measure("latency_p95"), measure("latency_p99")},
    {measure("nodes"), measure("gpus")},
}};

/// True where the figure `low` of a candidate is at most its figure `high`.
bool is_never_above(const Requirement& low, const Requirement& high) {
  // What one model has is at most what the worst one has.
  if (low.of != high.of && !high.of.empty()) return false;
  return low.figure == high.figure ||
         std::find(never_above.begin(), never_above.end(), std::pair{low.figure, high.figure}) != never_above.end();
}

/// Figures of which no candidate has 0.
bool is_above_zero(MeasureId figure) {
  return figure->subject == Subject::jobs || figure->subject == Subject::model ||
         is_one_of(figure, {measure("throughput"), measure("campaign_time"), measure("jobs")});
}

/// Why nothing meets a requirement, or everything does; empty for the others.
std::string alone(const Requirement& requirement) {
  const std::string name(requirement.figure->name);
  if (requirement.limit < 0.0) return name + " is never below 0; write a limit of 0 or more.";
  if (requirement.figure->unit == MeasureUnit::share && requirement.limit > 1.0)
    return name + " is never above 100 %; write a limit up to 100 %.";
  if (requirement.limit == 0.0 && requirement.at_most && is_above_zero(requirement.figure))
    return name + " is always above 0, so that nothing meets the limit; write one above 0.";
  return "";
}

/// Fewest events a second with which a campaign ends in time.
std::optional<double> least_rate(const Requirement& requirement, std::optional<double> campaign_events) {
  if (requirement.figure != measure("campaign_time") || !requirement.at_most || !campaign_events) return std::nullopt;
  return *campaign_events / requirement.limit;
}

std::string exclusion(const Requirement& low, const Requirement& high, std::optional<double> campaign_events) {
  if (!low.at_most && high.at_most && low.limit > high.limit && is_never_above(low, high)) {
    const bool same = low.figure == high.figure && low.of == high.of;
    return "\"" + low.text + "\" and \"" + high.text + "\" exclude each other" +
           (same ? "" : ", since the first is never above the second") + "; drop one, or change a limit.";
  }
  const std::optional<double> rate = least_rate(low, campaign_events);
  if (rate && high.figure == measure("throughput") && high.at_most && *rate > high.limit)
    return "\"" + low.text + "\" and \"" + high.text + "\" exclude each other: " + shortest(*campaign_events) +
           " events in that time are " + in_words(*rate) + " /s; drop one, or change a limit.";
  return "";
}

}  // namespace

void refuse_contradictions(std::span<const Requirement> requirements, std::span<const std::string> options,
                           std::optional<double> campaign_events, OptionComplaints& complaints) {
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    const std::string why = alone(requirements[i]);
    if (!why.empty()) complaints.refuse(options[i], "require.contradictory", why);
  }
  for (std::size_t i = 0; i < requirements.size(); ++i)
    for (std::size_t k = 0; k < requirements.size(); ++k) {
      if (!alone(requirements[i]).empty() || !alone(requirements[k]).empty()) continue;
      const std::string why = exclusion(requirements[i], requirements[k], campaign_events);
      // Blamed on the one that was typed last.
      if (!why.empty()) complaints.refuse(options[std::max(i, k)], "require.contradictory", why);
    }
}

}  // namespace saturn
