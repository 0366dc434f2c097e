#include "reports/plan/plan_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/plan/falsification_report.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/plan/sensitivity_report.hpp"
#include "reports/run/bottlenecks.hpp"
#include "reports/run/run_report.hpp"
#include "reports/tables/text_plot.hpp"
#include "reports/words/number_text.hpp"

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

namespace {

/// What the offloaded part costs alone.
std::string module_line(const ModulePrice& module) {
  if (!module.cpu_only_usd_per_million || !module.as_a_service_usd_per_million) return "";
  return "The offloaded part alone: " + number_text(*module.as_a_service_usd_per_million, 3) +
         " USD per million events as a service (" + number_text(module.as_a_service_s, 3) + " s), " +
         number_text(*module.cpu_only_usd_per_million, 3) + " on the job's own core (" +
         number_text(module.cpu_only_s, 3) + " s).\n";
}

using Align = TextTable::Align;

std::string interval_text(double low, double high) {
  const std::string from = number_text(low, 3);
  const std::string to = number_text(high, 3);
  return from == to ? from : from + " to " + to;
}

std::string how_many_devices(const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  const std::string jobs = counted(static_cast<double>(answer.clients), noun_of(report.facts));
  if (answer.gpus_by_bound)
    return "By the bound alone, NOT CONFIRMED, " + jobs + (answer.clients == 1 ? " needs " : " need ") +
           counted(static_cast<double>(*answer.gpus_by_bound), report.facts.device_word) + ".\n";
  if (!answer.gpus) {
    std::string text = "For " + jobs + " " + answer.why_no_gpus + ".\n";
    if (answer.unsaturated_gpus)
      text += counted(static_cast<double>(*answer.unsaturated_gpus), report.facts.device_word) +
              (*answer.unsaturated_gpus == 1 ? " is" : " are") +
              " the fewest that they do not saturate: there simulated events are " +
              slower_text(answer.unsaturated_slowdown) + " than those that wait for nobody.\n";
    return text;
  }
  return jobs + (answer.clients == 1 ? " needs " : " need ") +
         counted(static_cast<double>(*answer.gpus), report.facts.device_word) + ": there simulated events are " +
         slower_text(answer.slowdown) + " than those that wait for nobody.\n";
}

std::string answer_text(const PlanReport& report, TextStyle style) {
  const PlanAnswer& answer = report.plan.answer;
  const std::string& device = report.facts.device_word;
  const std::string noun = noun_of(report.facts);
  const bool clipped = !report.question.past_saturation && answer.within_slowdown > answer.saturates_at;
  std::string text = plan_sentence_lines(sentence_of(report), style);
  if (!report.plan.confirmed) text += "These jobs are NOT CONFIRMED: they are what the formulas say.\n";
  text += "Before rounding " + interval_text(answer.clients_per_gpu_low, answer.clients_per_gpu_high) +
          ": events take at most " + percent_text(report.question.slowdown) + " longer than when " +
          (answer.fewest_slowdown ? "one " + noun + " is alone" : "they wait for nobody") +
          (report.question.past_saturation ? "." : ", and nothing is saturated.") + "\n";
  if (answer.calibrated_clients_per_gpu) {
    text += estimate_text(*answer.calibrated_clients_per_gpu) + " " + noun + "s per " + device +
            interval_parts_text(*answer.calibrated_clients_per_gpu) + ".\n";
  }
  if (clipped) {
    text += "The tolerance alone would allow " + number_text(answer.within_slowdown, 3) + ", past saturation at " +
            number_text(answer.saturates_at, 3) + ": those " + noun + "s only wait, no more events come out.\n";
  }
  if (answer.fewest_slowdown)
    text += "Even one " + noun + " alone takes " + estimate_text(*answer.fewest_slowdown) +
            " times the ideal event time: " + waits_text(answer.fewest_waits) +
            ". The tolerance is one of that time.\n";
  text += how_many_devices(report);
  if (const std::string waits = waits_text(answer.waits); !waits.empty()) text += "What waits there: " + waits + ".\n";
  if (answer.cost_per_million_events_usd) text += module_line(answer.module);
  if (report.plan.budget_spent)
    text +=
        "The budget ended before the plan was finished: the interval is what the simulated candidates and the bound "
        "leave open. How far it came depends on the machine: the same command may answer otherwise.\n";
  else if (!report.plan.precision_reached)
    text += "The asked precision was NOT REACHED.\n";
  for (const std::string& one : report.left_out) text += "The budget left no time for " + one + ".\n";
  return text;
}

std::string candidates_text(const PlanReport& report, TextStyle style) {
  const std::string& device = report.facts.device_word;
  TextTable table({{noun_of(report.facts) + "s", Align::right},
                   {device + "s", Align::right},
                   {"bound [s]", Align::right},
                   {"simulated [s]", Align::right},
                   {"slowdown", Align::right},
                   {"tolerated " + percent_text(report.question.slowdown)}});
  for (const PlanCandidate& row : report.plan.candidates) {
    table.add_row({whole_text(static_cast<double>(row.clients)), whole_text(static_cast<double>(row.gpus)),
                   number_text(row.bound_event_time_s), estimate_text(row.event_time_s), slower_text(row.slowdown),
                   row.accepted ? "within" : "above"});
  }
  return heading("What was simulated to confirm it", style) + table.text(style);
}

/// Where the simulation had a resource busy all the time, its own saturation; else that of the bound.
double saturation_of(const Plan& plan) {
  for (const PlanRow& row : plan.rows)
    if (row.simulated && row.knee) return std::min(*row.knee, plan.answer.saturates_at);
  return plan.answer.saturates_at;
}

}  // namespace

PlanSentence sentence_of(const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  PlanSentence sentence{.jobs_per_device = static_cast<double>(answer.clients_per_gpu),
                        .low = answer.clients_per_gpu_low,
                        .high = answer.clients_per_gpu_high,
                        .noun = noun_of(report.facts),
                        .device_word = report.facts.device_word,
                        .binding = answer.binding,
                        .binding_kind = kind_of(report.facts, answer.binding),
                        .next = answer.next,
                        .next_kind = kind_of(report.facts, answer.next),
                        .next_at_jobs = answer.next_at_clients,
                        .several_devices = report.facts.devices > 1.0,
                        .usd_per_million_events = answer.cost_per_million_events_usd,
                        .priced = priced_words(answer.priced, report.facts.device_word),
                        .cpu_only_usd_per_million = answer.cpu_only_cost_per_million_events_usd};
  // Less than one whole job a device is said in tenths.
  if (answer.clients_per_gpu == 0) sentence.jobs_per_device = unrounded_clients_per_gpu(answer, report.question);
  sentence.tolerance =
      PlanSentence::Tolerance{.slowdown = report.question.slowdown,
                              .at_saturation = report.plan.confirmed && !report.question.past_saturation &&
                                               answer.within_slowdown >= answer.saturates_at,
                              .of_fewest_jobs = answer.fewest_slowdown.has_value(),
                              .also_slowdown = report.question.also_within,
                              .also_jobs = answer.also_within_clients_per_gpu,
                              .saturates_at = saturation_of(report.plan)};
  sentence.jobs_alone = answer.alone_clients_per_gpu;
  if (answer.gpus)
    sentence.pool =
        PlanSentence::Pool{.jobs = static_cast<double>(answer.clients), .devices = static_cast<double>(*answer.gpus)};
  if (answer.calibrated_clients_per_gpu) {
    sentence.low = answer.calibrated_clients_per_gpu->low;
    sentence.high = answer.calibrated_clients_per_gpu->high;
  }
  return sentence;
}

std::string noun_of(const SystemFacts& facts) {
  // With several threads a job, it is the event loops that are counted, scaled and carried.
  return facts.jobs == facts.clients ? "job" : "event loop";
}

double jobs_of(const SystemFacts& facts, double event_loops) {
  return facts.jobs == facts.clients ? event_loops : event_loops * facts.jobs / facts.clients;
}

std::string methods_text(const std::vector<PlanRow>& methods, double tolerated_slowdown, const SystemFacts& facts,
                         TextStyle style) {
  TextTable table({{"method"},
                   {"saturates at", Align::right},
                   {"within " + percent_text(tolerated_slowdown), Align::right},
                   {"interval", Align::right}});
  for (const PlanRow& row : methods) {
    const bool has_interval = row.low.has_value() && row.high.has_value();
    table.add_row({row.method, optional_text(row.knee, 3), optional_text(row.clients_per_gpu, 3),
                   has_interval ? interval_text(*row.low, *row.high) : ""});
  }
  return heading((noun_of(facts) == "job" ? "Jobs per " : "Event loops per ") + facts.device_word + ", by method",
                 style) +
         table.text(style);
}

std::string plan_table(const PlanReport& report, TextStyle style) {
  std::string text = heading(report.facts.title, style) + answer_text(report, style);
  text += "\n" + methods_text(report.plan.rows, report.question.slowdown, report.facts, style);
  std::vector<std::pair<std::string, std::string>> notes;
  for (const PlanRow& row : report.plan.rows) notes.emplace_back(row.method, row.remark);
  text += notes_text(notes);
  text += "\n" + breakdown_text(report.facts, style);
  const std::string comparison = cpu_comparison_text(report.facts, style);
  if (!comparison.empty()) text += "\n" + comparison;
  if (report.plan.answer.cost_per_million_events_usd) text += "\n" + price_list(report.plan.answer.prices);
  text += "\n" + bottlenecks_text(report.facts, {}, style);
  if (!report.plan.candidates.empty()) text += "\n" + candidates_text(report, style);
  const std::string curve = saturation_text(report, style);
  if (!curve.empty()) text += "\n" + curve;
  if (report.sensitivity) text += "\n" + sensitivity_text(*report.sensitivity, style);
  if (report.falsification) text += "\n" + falsification_text(*report.falsification, report.facts, style);
  const std::string fitted = fitted_sources_text(report.provenance);
  if (!fitted.empty()) text += "\n" + fitted;
  text += "\nsaturn " + report.provenance.version + " on SimGrid " + report.provenance.simgrid + ", seed " +
          std::to_string(report.provenance.seed) + "; again: " + report.provenance.command + "\n";
  return text;
}

}  // namespace saturn
