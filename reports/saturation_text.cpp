#include "reports/saturation_text.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/quantities.hpp"
#include "reports/block_plot.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

constexpr double shown_past_saturation = 1.5;

bool can_be_drawn(double value) {
  return std::isfinite(value) && value > 0.0;
}

double last_shown(const SaturationPicture& picture) {
  double last = shown_past_saturation * std::max(picture.saturates_at, picture.plan.value_or(0.0));
  for (const SaturationPicture::Point& point : picture.simulated)
    if (std::isfinite(point.per_device)) last = std::max(last, point.per_device);
  return last;
}

std::string legend_of(const SaturationPicture& picture) {
  std::string text = "  █ bound";
  const auto any = [&](bool accepted) {
    return std::any_of(picture.simulated.begin(), picture.simulated.end(),
                       [&](const SaturationPicture::Point& point) { return point.accepted == accepted; });
  };
  const std::string tolerated = percent_text(picture.tolerated_slowdown);
  if (any(true)) text += "   ● simulated, within " + tolerated;
  if (any(false)) text += "   ○ simulated, above " + tolerated;
  return text + "\n";
}

}  // namespace

SaturationPicture saturation_picture(const PlanReport& report) {
  const PlanSentence sentence = sentence_of(report);
  SaturationPicture picture{.x_title = sentence.noun + "s per " + report.facts.device_word,
                            .unhindered_s = std::max(report.facts.ideal_event_time_s, report.facts.own_event_time_s),
                            .saturates_at = report.saturates_at,
                            .tolerated_slowdown = report.tolerated_slowdown,
                            .bound_curve = report.bound_curve};
  if (report.clients_per_gpu > 0) {
    picture.plan = sentence.jobs_per_device;
    picture.plan_words = "plan: " + whole_text(sentence.jobs_per_device);
  }
  for (const CandidateRow& row : report.candidates) {
    if (row.gpus == 0) continue;
    picture.simulated.push_back({.per_device = static_cast<double>(row.jobs) / static_cast<double>(row.gpus),
                                 .event_time_s = row.event_time_s.mean,
                                 .accepted = row.accepted});
  }
  return picture;
}

std::string saturation_text(const SaturationPicture& picture, TextStyle style) {
  const std::optional<std::size_t> width = canvas_width(style);
  if (!style.pictures || !width || !can_be_drawn(picture.unhindered_s) || !can_be_drawn(picture.saturates_at))
    return "";
  const ShownUnit unit = shown_unit(picture.unhindered_s, "s");
  const double last = last_shown(picture);
  const double flat = picture.unhindered_s * unit.factor;
  BlockPlot plot{.x_title = picture.x_title,
                 .y_title = "event time [" + unit.name + "]",
                 .curve = {{0.0, flat}, {picture.saturates_at, flat}, {last, flat * last / picture.saturates_at}},
                 .from_zero = true,
                 .mark = picture.plan,
                 .mark_words = picture.plan_words,
                 .width = *width};
  if (!picture.bound_curve.empty()) {
    plot.curve.clear();
    for (const auto& [per_device, seconds] : picture.bound_curve)
      plot.curve.emplace_back(per_device, seconds * unit.factor);
    // Beyond what was computed all that can is saturated, and the bound goes on straight.
    const auto [x, y] = plot.curve.back();
    if (x < last) plot.curve.emplace_back(last, y * last / x);
  }
  for (const SaturationPicture::Point& point : picture.simulated)
    plot.points.push_back({.x = point.per_device, .y = point.event_time_s * unit.factor, .filled = point.accepted});
  return heading("Event time against " + picture.x_title, style) + block_plot(plot, style) + legend_of(picture);
}

}  // namespace saturn
