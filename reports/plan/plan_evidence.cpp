#include "reports/plan/plan_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/tables/text_plot.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t tornado_characters = 17;
constexpr std::size_t most_inputs_shown = 12;
constexpr std::size_t most_names = 8;

/// To a tenth of a per cent: less is nothing.
std::string share_text(double share) {
  return percent_text(std::round(1e3 * share) / 1e3);
}

/// Largest finite distance from the answer.
double reach_of(const Sensitivity& sensitivity) {
  double reach = 0.0;
  for (const SensitivityRow& row : sensitivity.rows)
    if (const double one = row.reach(sensitivity.value); std::isfinite(one)) reach = std::max(reach, one);
  return reach;
}

std::string input_text(const SensitivityInput& input) {
  std::string text = input.pointer;
  // What is assumed is so for all that do not say otherwise, and said once.
  if (!input.fit.empty()) text += " (" + input.fit + ")";
  return text;
}

std::string left_out(const Sensitivity& sensitivity) {
  if (sensitivity.rows.size() <= most_inputs_shown) return "";
  double share = 0.0;
  for (std::size_t i = most_inputs_shown; i < sensitivity.rows.size(); ++i) share += sensitivity.rows[i].variance_share;
  return "and " + std::to_string(sensitivity.rows.size() - most_inputs_shown) +
         " inputs with narrower bars, which bring " + share_text(share) + " of the variance; --format json has them";
}

Table tornado(const Sensitivity& sensitivity) {
  const ShownUnit unit = shown_unit(sensitivity.value, sensitivity.unit);
  Table table{
      .place = {"sensitivity", "inputs"},
      .columns = {hidden("input"),
                  {.key = "elasticity", .title = "elasticity", .shown = Shown::number},
                  {.key = "answer_when_low",
                   .title = name_with_unit("if lower", unit.name),
                   .shown = Shown::number,
                   .factor = unit.factor},
                  {.key = "answer_when_high", .title = "if higher", .shown = Shown::number, .factor = unit.factor},
                  {.title = "share", .shown = Shown::number, .readers = For::people},
                  hidden("variance_share"),
                  {.title = "- lower, + higher", .readers = For::people},
                  {.key = "value", .title = "value", .shown = Shown::number},
                  {.key = "uncertainty", .title = "off by", .shown = Shown::percent},
                  hidden("uncertainty_from"),
                  {.title = "input", .readers = For::people}},
      .first_rows = most_inputs_shown,
      .more_rows = left_out(sensitivity)};
  const double reach = reach_of(sensitivity);
  for (const SensitivityRow& row : sensitivity.rows)
    table.add_row({row.input.pointer, row.elasticity, row.when_low, row.when_high, share_text(row.variance_share),
                   row.variance_share,
                   reach > 0.0 ? tornado_bar(row.when_low, row.when_high, sensitivity.value, reach, tornado_characters)
                               : std::string(),
                   row.input.value, row.input.uncertainty, uncertainty_from(row.input), input_text(row.input)});
  return table;
}

std::string answer_text(const Sensitivity& sensitivity) {
  const ShownUnit unit = shown_unit(sensitivity.value, sensitivity.unit);
  return number_text(unit.factor * sensitivity.value) + (unit.name.empty() ? " " : " " + unit.name + ", ") +
         sensitivity.answer;
}

}  // namespace

std::string tornado_bar(double when_low, double when_high, double answer, double reach, std::size_t width) {
  const std::size_t middle = width / 2;
  const auto half = static_cast<double>(middle);
  const auto cell = [&](double value) {
    const double share = std::isfinite(value) ? std::clamp((value - answer) / reach, -1.0, 1.0) : 0.0;
    return static_cast<std::size_t>(std::lround(half) + std::lround(share * half));
  };
  const std::size_t low = cell(when_low);
  const std::size_t high = cell(when_high);
  std::string bar(width, ' ');
  for (std::size_t i = std::min(low, high); i <= std::max(low, high); ++i) bar[i] = '=';
  bar[low] = '-';
  bar[high] = '+';
  bar[middle] = '|';
  return bar;
}

void add_sensitivity(Answer& answer, const Sensitivity& sensitivity) {
  answer.add_facts({"sensitivity"}, {{"answer", sensitivity.answer},
                                     {"unit", sensitivity.unit},
                                     {"value", sensitivity.value},
                                     {"change", sensitivity.change},
                                     {"assumed", sensitivity.assumed},
                                     {"without_effect", sensitivity.without_effect},
                                     {"next_measurement", cell_word(sensitivity.next_measurement)},
                                     {"notes", sensitivity.notes}});
  answer.detail("What the answer depends on: " + answer_text(sensitivity), true);
  answer.add(tornado(sensitivity));
  std::vector<std::pair<std::string, std::string>> notes;
  if (!sensitivity.rows.empty())
    notes.emplace_back("elasticity",
                       "by how many per cent the answer changes when the input grows by 1 %; lower and higher: the "
                       "answer with the input off by its uncertainty, " +
                           percent_text(sensitivity.assumed) +
                           " where none is known; share: of the variance that all inputs bring");
  notes.emplace_back("next", sensitivity.next_measurement);
  notes.emplace_back("no effect", joined(sensitivity.without_effect, ", ", most_names));
  for (const std::string& note : sensitivity.notes) notes.emplace_back("note", note);
  answer.remark(notes);
}

namespace {

/// How a quantity is headed and counted.
struct Words {
  std::string name;
  std::string unit;
};

Words words_of(PredictedNumber quantity) {
  switch (quantity) {
    case PredictedNumber::event_time:
      return {"mean event time", "s"};
    case PredictedNumber::events_per_s:
      return {"events per second", "1/s"};
    case PredictedNumber::items_per_s:
      return {"infer/sec (items a second)", "1/s"};
    case PredictedNumber::latency:
      return {"mean client latency", "s"};
    case PredictedNumber::queue:
      return {"server queue", "s"};
    case PredictedNumber::compute:
      break;
  }
  return {"server compute, all of it", "s"};
}

/// Event times are in seconds throughout a plan.
ShownUnit unit_of(const Prediction& prediction) {
  const std::string unit = words_of(prediction.quantity).unit;
  if (unit != "s" || prediction.quantity == PredictedNumber::event_time) return {.name = unit};
  // What is predicted to be nothing has the unit of what would contradict that.
  return shown_unit(std::max(prediction.predicted.mean, prediction.contradicts_above.value_or(0.0)), "s");
}

std::string in_its_unit(const Prediction& prediction, double value) {
  const ShownUnit unit = unit_of(prediction);
  return number_text(value * unit.factor) + (unit.name == "1/s" ? "" : " " + unit.name);
}

std::string limits_text(const Prediction& prediction) {
  if (!prediction.contradicts_above) return "No value contradicts: the simulation gives no interval for it.";
  const std::string above = in_its_unit(prediction, *prediction.contradicts_above);
  if (!prediction.contradicts_below) return "Above " + above + " it contradicts the plan";
  return "Below " + in_its_unit(prediction, *prediction.contradicts_below) + " or above " + above +
         " it contradicts the plan";
}

std::string rivals_text(const JobsTest& test, double margin) {
  const auto time = [](double seconds) { return number_text(seconds) + " s"; };
  const std::string by = percent_text(margin);
  const std::string slower = time(test.slower_s) + " that an event asks " + by + " more of it";
  // A difference that the limits do not resolve is none.
  const double resolved_s = *test.event_time.contradicts_above - test.event_time.predicted.mean;
  if (!test.next.empty() && test.unhindered_s > test.event_time.predicted.mean - resolved_s)
    return "\"" + test.next +
           "\" saturates with nearly as few jobs: the event time does not tell which of the two "
           "binds, only their busy shares do; " +
           slower + ".";
  const std::string unhindered = time(test.unhindered_s);
  const std::string without = unhindered + ", as if \"" + test.binding + "\" made nobody wait, would say that it ";
  if (test.faster_s - test.unhindered_s <= resolved_s)
    return without + "is faster by " + by + " or more, or not what binds; " + slower + ".";
  return without + "is not what binds; " + time(test.faster_s) + " that an event asks " + by + " less of it; " +
         slower + ".";
}

/// A row a predicted number: the whole of it for programs, in a unit of handy numbers for people.
Table prediction_table() {
  return {.place = {"falsify"},
          .columns = {{.key = "kind", .readers = For::programs, .names = true},
                      {.key = "quantity", .readers = For::programs, .names = true},
                      hidden("predicted"),
                      hidden("contradicts_below"),
                      hidden("contradicts_above"),
                      hidden("says"),
                      {.title = "measured", .readers = For::people},
                      {.title = "predicted", .shown = Shown::number, .readers = For::people},
                      {.title = "contradicts below", .shown = Shown::number, .readers = For::people},
                      {.title = "contradicts above", .shown = Shown::number, .readers = For::people}}};
}

void add_prediction(Table& table, const std::string& kind, const Prediction& prediction, const std::string& says,
                    const std::vector<Cell>& about) {
  const ShownUnit unit = unit_of(prediction);
  const auto limit = [&](const std::optional<double>& value) {
    return value ? number_text(*value * unit.factor) : no_value;
  };
  std::vector<Cell> cells{kind,
                          name_of(prediction.quantity),
                          prediction.predicted,
                          cell(prediction.contradicts_below),
                          cell(prediction.contradicts_above),
                          says,
                          words_of(prediction.quantity).name + " [" + unit.name + "]",
                          estimate_text(prediction.predicted, unit.factor),
                          limit(prediction.contradicts_below),
                          limit(prediction.contradicts_above)};
  cells.insert(cells.end(), about.begin(), about.end());
  table.add_row(std::move(cells));
}

/// The reason why one of them is not proposed, for programs.
Table no_test(const std::string& kind, const std::string& model, const std::string& why_not) {
  Table table{.place = {"falsify"}, .columns = {hidden("kind")}, .readers = For::programs};
  std::vector<Cell> cells{kind};
  if (!model.empty()) {
    table.columns.push_back(hidden("model"));
    cells.emplace_back(model);
  }
  table.columns.push_back(hidden("why_not"));
  cells.emplace_back(why_not);
  for (Column& column : table.columns) column.names = column.key != "why_not";
  table.add_row(std::move(cells));
  return table;
}

/// One line, so that it can be copied.
void add_command(Answer& answer, const std::string& before, const std::string& command) {
  if (!command.empty()) answer.detail("  " + before + command);
}

void add_jobs_test(Answer& answer, const JobsTest& test, const SystemFacts& facts, double margin) {
  Table table = prediction_table();
  std::vector<Cell> about{test.jobs, test.again};
  table.columns.insert(table.columns.end(), {hidden("jobs"), hidden("again")});
  std::string jobs = counted(test.jobs, "job");
  std::string pools;
  for (const PoolJobs& pool : test.pools) {
    append_part(pools, whole_text(pool.jobs) + " of " + pool.pool);
    about.emplace_back(pool.jobs);
    table.columns.push_back({.key = pool.pool, .readers = For::programs, .json = "pools/*"});
  }
  if (test.pools.size() > 1) jobs += " (" + pools + ")";
  if (test.clients > static_cast<double>(test.jobs)) jobs += " (" + whole_text(test.clients) + " streams)";
  table.caption = jobs + " at once, on " + counted(facts.devices, facts.device_word);
  for (const Prediction* one : {&test.event_time, &test.events_per_s})
    add_prediction(table, "jobs", *one, contradiction(test, *one, margin), about);
  answer.add(std::move(table));
  const std::string unserved =
      test.unserved_share > 0.0
          ? percent_text(test.unserved_share) +
                " of the work is refused or fails at this load; such events end early, so that the event time says "
                "less."
          : "";
  answer.remark({{"event time", contradiction(test, test.event_time, margin)},
                 {"why so many", "\"" + test.binding + "\" saturates at " + number_text(test.saturates_at) +
                                     " streams; with fewer the event time says nothing of it, with these it shows "
                                     "whether it is up to " +
                                     percent_text(margin) + " faster or slower."},
                 {"unserved", unserved}});
  add_command(answer, "again: ", test.again);
}

void add_model_test(Answer& answer, const ModelTest& test) {
  answer.detail("perf_analyzer with " + test.model + " alone", true);
  if (!test.why_not.empty()) {
    answer.add(no_test("perf_analyzer", test.model, test.why_not));
    answer.remark({{"none", test.why_not + "."}});
    return;
  }
  const std::string command = joined(test.command, " ");
  add_command(answer, "", command);
  Table table = prediction_table();
  for (const char* key : {"model", "command", "request_batch", "concurrency", "requests", "again", "notes"})
    table.columns.push_back(hidden(key));
  table.columns[table.columns.size() - 7].names = true;
  for (const Prediction& prediction : test.predictions)
    add_prediction(
        table, "perf_analyzer", prediction, contradiction(test, prediction),
        {test.model, command, test.request_batch, test.concurrency, test.requests, cell_word(test.again), test.notes});
  answer.add(std::move(table));
  std::vector<std::pair<std::string, std::string>> notes;
  notes.emplace_back("how long", "windows of " + whole_text(test.requests) + " requests, " +
                                     number_text(test.window_s, 2) +
                                     " s each as predicted, are known to 1 %; three that agree end the measurement.");
  for (const std::string& note : test.notes) notes.emplace_back("note", note);
  answer.remark(notes);
  add_command(answer, "again: ", test.again);
}

}  // namespace

std::string contradiction(const JobsTest& test, const Prediction& prediction, double margin) {
  if (!prediction.contradicts_above) return limits_text(prediction);
  if (prediction.quantity != PredictedNumber::event_time)
    return limits_text(prediction) + ": the same measurement as the event time, where events are counted.";
  return limits_text(prediction) + ". " + rivals_text(test, margin);
}

std::string contradiction(const ModelTest& test, const Prediction& prediction) {
  if (!prediction.contradicts_above) return limits_text(prediction);
  const std::string limits = limits_text(prediction);
  if (prediction.quantity == PredictedNumber::items_per_s)
    return limits + ": \"" + test.binding + "\", which saturates here, is slower or faster than predicted.";
  if (prediction.quantity == PredictedNumber::latency)
    return limits + "; by Little's law it is " + whole_text(static_cast<double>(test.concurrency)) + " x " +
           whole_text(static_cast<double>(test.request_batch)) + " items over infer/sec.";
  if (prediction.quantity == PredictedNumber::compute)
    return limits + ": the service law of " + test.model +
           " is wrong. Within them while infer/sec is not, the network, the host or the batching is.";
  return limits + ": requests wait elsewhere than predicted.";
}

std::string event_times_that_contradict(const JobsTest& test) {
  const Prediction& time = test.event_time;
  if (!time.contradicts_above) return limits_text(time);
  const std::string above = in_its_unit(time, *time.contradicts_above);
  if (!time.contradicts_below) return "an event time above " + above;
  return "an event time outside " + number_text(*time.contradicts_below) + " to " + above;
}

void add_falsification(Answer& answer, const Falsification& falsification, const SystemFacts& facts) {
  answer.detail("What would most sharply contradict this plan", true);
  std::string errors = "a measurement is taken to be known to " + percent_text(measurement_error) + " itself";
  if (falsification.fitted_half_width > 0.0)
    errors += ", fitted parameters leave predictions open by " + percent_text(falsification.fitted_half_width);
  answer.remark({{"limits", errors + "; the predicted interval is added to that in quadrature."}});
  if (falsification.jobs) {
    add_jobs_test(answer, *falsification.jobs, facts, falsification.margin);
  } else {
    answer.add(no_test("jobs", "", falsification.why_no_jobs));
    answer.remark({{"jobs", falsification.why_no_jobs + "."}});
  }
  for (const ModelTest& test : falsification.models) add_model_test(answer, test);
  if (!falsification.models.empty())
    answer.remark({{"reading",
                    "server compute outside its limits: the service law of that model is wrong. Within them while "
                    "infer/sec is not: the network, the host or the batching is. Mean client latency is, by Little's "
                    "law, concurrency times items of a request over infer/sec."}});
}

namespace {

constexpr double shown_past_saturation = 1.5;
/// Lines of the curve, for which the first screen has room.
constexpr std::size_t curve_height = 6;

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
  const ShownUnit unit = shown_unit(unhindered_s, "s");
  const double flat = unhindered_s * unit.factor;
  BlockPlot plot{.x_title = sentence.noun + "s per " + report.facts.device_word,
                 .y_title = "event time [" + unit.name + "]",
                 .from_zero = true,
                 .width = *width,
                 .height = curve_height};
  double last = shown_past_saturation * answer.saturates_at;
  if (answer.streams_per_gpu > 0) {
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
  return block_plot(plot, style) + legend_of(report);
}

}  // namespace saturn
