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

double per_device(const PlanCandidate& candidate) {
  return static_cast<double>(candidate.clients) / static_cast<double>(candidate.gpus);
}

std::string legend_of(const PlanReport& report) {
  std::string text = "  █ bound";
  const auto any = [&](bool accepted) {
    return std::any_of(report.plan.candidates.begin(), report.plan.candidates.end(),
                       [&](const PlanCandidate& one) { return one.gpus > 0 && one.accepted == accepted; });
  };
  const std::string tolerated = percent_text(report.question.slowdown);
  if (any(true)) text += "   ● simulated, within " + tolerated;
  if (any(false)) text += "   ○ simulated, above " + tolerated;
  return text + "\n";
}

}  // namespace

std::string saturation_text(const PlanReport& report, TextStyle style) {
  const PlanAnswer& answer = report.plan.answer;
  const double unhindered_s = std::max(report.facts.ideal_event_time_s, report.facts.own_event_time_s);
  const std::optional<std::size_t> width = canvas_width(style);
  if (!style.pictures || !width || !can_be_drawn(unhindered_s) || !can_be_drawn(answer.saturates_at)) return "";
  const PlanSentence sentence = sentence_of(report);
  const std::string x_title = sentence.noun + "s per " + report.facts.device_word;
  const ShownUnit unit = shown_unit(unhindered_s, "s");
  const double flat = unhindered_s * unit.factor;
  BlockPlot plot{.x_title = x_title, .y_title = "event time [" + unit.name + "]", .from_zero = true, .width = *width};
  double last = shown_past_saturation * answer.saturates_at;
  if (answer.clients_per_gpu > 0) {
    plot.mark = sentence.jobs_per_device;
    plot.mark_words = "plan: " + whole_text(sentence.jobs_per_device);
    last = std::max(last, shown_past_saturation * sentence.jobs_per_device);
  }
  for (const PlanCandidate& one : report.plan.candidates) {
    if (one.gpus == 0) continue;
    last = std::max(last, per_device(one));
    plot.points.push_back({.x = per_device(one), .y = one.event_time_s.mean * unit.factor, .filled = one.accepted});
  }
  if (report.plan.bound_curve.empty()) {
    plot.curve = {{0.0, flat}, {answer.saturates_at, flat}, {last, flat * last / answer.saturates_at}};
  } else {
    for (const auto& [jobs, seconds] : report.plan.bound_curve) plot.curve.emplace_back(jobs, seconds * unit.factor);
    // Beyond what was computed all that can is saturated, and the bound goes on straight.
    const auto [x, y] = plot.curve.back();
    if (x < last) plot.curve.emplace_back(last, y * last / x);
  }
  return heading("Event time against " + x_title, style) + block_plot(plot, style) + legend_of(report);
}

}  // namespace saturn
