#include "reports/plan/falsification_report.hpp"

#include <utility>
#include <vector>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

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

std::string with_unit(const Prediction& prediction, double value) {
  const Words words = words_of(prediction.quantity);
  if (words.unit != "s") return number_text(value);
  // Event times are in seconds throughout a plan.
  const ShownUnit unit = prediction.quantity == PredictedNumber::event_time
                             ? ShownUnit{.name = "s"}
                             : shown_unit(prediction.predicted.mean, "s");
  return number_text(value * unit.factor) + " " + unit.name;
}

std::string limits_text(const Prediction& prediction) {
  if (!prediction.contradicts_above) return "No value contradicts: the simulation gives no interval for it.";
  const std::string above = with_unit(prediction, *prediction.contradicts_above);
  if (!prediction.contradicts_below) return "Above " + above + " it contradicts the plan";
  return "Below " + with_unit(prediction, *prediction.contradicts_below) + " or above " + above +
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

void add_row(TextTable& table, const Prediction& prediction) {
  const Words words = words_of(prediction.quantity);
  const ShownUnit unit = words.unit == "s" && prediction.quantity != PredictedNumber::event_time
                             ? shown_unit(prediction.predicted.mean, "s")
                             : ShownUnit{.name = words.unit};
  const auto limit = [&](const std::optional<double>& value) {
    return value ? number_text(*value * unit.factor) : no_value;
  };
  table.add_row({words.name + " [" + unit.name + "]", estimate_text(prediction.predicted, unit.factor),
                 limit(prediction.contradicts_below), limit(prediction.contradicts_above)});
}

TextTable prediction_table() {
  return TextTable({{"measured"},
                    {"predicted", Align::right},
                    {"contradicts below", Align::right},
                    {"contradicts above", Align::right}});
}

/// One line, so that it can be copied.
std::string again_text(const std::string& command) {
  return command.empty() ? "" : "  again: " + command + "\n";
}

/// What the numbers of perf_analyzer tell together, for all models.
std::string reading_text() {
  return notes_text({{"reading",
                      "server compute outside its limits: the service law of that model is wrong. Within them while "
                      "infer/sec is not: the network, the host or the batching is. Mean client latency is, by Little's "
                      "law, concurrency times items of a request over infer/sec."}});
}

std::string jobs_text(const JobsTest& test, const SystemFacts& facts, double margin, TextStyle style) {
  std::string jobs = counted(test.jobs, "job");
  if (test.pools.size() > 1) {
    std::string pools;
    for (const PoolJobs& pool : test.pools) append_part(pools, whole_text(pool.jobs) + " of " + pool.pool);
    jobs += " (" + pools + ")";
  }
  if (test.clients > static_cast<double>(test.jobs)) jobs += " (" + whole_text(test.clients) + " event loops)";
  std::string text = heading(jobs + " at once, on " + counted(facts.devices, facts.device_word), style);
  TextTable table = prediction_table();
  add_row(table, test.event_time);
  add_row(table, test.events_per_s);
  text += table.text(style);
  std::vector<std::pair<std::string, std::string>> notes{
      {"event time", contradiction(test, test.event_time, margin)},
      {"why so many", "\"" + test.binding + "\" saturates at " + number_text(test.saturates_at) +
                          " event loops; with fewer the event time says nothing of it, with these it shows whether it "
                          "is up to " +
                          percent_text(margin) + " faster or slower."}};
  if (test.rejected_share > 0.0)
    notes.emplace_back("rejected", percent_text(test.rejected_share) +
                                       " of the requests are refused by a queue policy at this load; their events end "
                                       "early, so that the event time says less.");
  return text + notes_text(notes) + again_text(test.again);
}

std::string model_text(const ModelTest& test, TextStyle style) {
  std::string text = heading("perf_analyzer with " + test.model + " alone", style);
  if (!test.why_not.empty()) return text + notes_text({{"none", test.why_not + "."}});
  // One line, so that it can be copied.
  text += "  " + command_text(test) + "\n";
  TextTable table = prediction_table();
  for (const Prediction& prediction : test.predictions) add_row(table, prediction);
  text += table.text(style);
  std::vector<std::pair<std::string, std::string>> notes;
  notes.emplace_back("how long", "windows of " + whole_text(test.requests) + " requests, " +
                                     number_text(test.window_s, 2) +
                                     " s each as predicted, are known to 1 %; three that agree end the measurement.");
  for (const std::string& note : test.notes) notes.emplace_back("note", note);
  return text + notes_text(notes) + again_text(test.again);
}

void add_limits(CsvRows& rows, const std::string& name, const Prediction& prediction) {
  const std::string quantity = name_of(prediction.quantity);
  rows.add("falsify", name, quantity, prediction.predicted);
  rows.add("falsify", name, quantity + "_contradicts_below", prediction.contradicts_below);
  rows.add("falsify", name, quantity + "_contradicts_above", prediction.contradicts_above);
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

std::string command_text(const ModelTest& test) {
  return joined(test.command, " ");
}

std::string falsification_text(const Falsification& falsification, const SystemFacts& facts, TextStyle style) {
  std::string text = heading("What would most sharply contradict this plan", style);
  std::string errors = "a measurement is taken to be known to " + percent_text(measurement_error) + " itself";
  if (falsification.fitted_half_width > 0.0)
    errors += ", fitted parameters leave predictions open by " + percent_text(falsification.fitted_half_width);
  text += notes_text({{"limits", errors + "; the predicted interval is added to that in quadrature."}});
  text += "\n";
  if (falsification.jobs)
    text += jobs_text(*falsification.jobs, facts, falsification.margin, style);
  else
    text += notes_text({{"jobs", falsification.why_no_jobs + "."}});
  for (const ModelTest& test : falsification.models) text += "\n" + model_text(test, style);
  if (!falsification.models.empty()) text += reading_text();
  return text;
}

void add_falsification(CsvRows& rows, const Falsification& falsification) {
  if (const auto& jobs = falsification.jobs) {
    rows.add("falsify", "jobs", "jobs", static_cast<double>(jobs->jobs));
    for (const PoolJobs& pool : jobs->pools)
      rows.add("falsify", pool.pool, "jobs_of_pool", static_cast<double>(pool.jobs));
    add_limits(rows, "jobs", jobs->event_time);
    add_limits(rows, "jobs", jobs->events_per_s);
  } else {
    rows.add("falsify", "jobs", "why_not", falsification.why_no_jobs);
  }
  for (const ModelTest& test : falsification.models) {
    if (!test.why_not.empty()) {
      rows.add("falsify", test.model, "why_not", test.why_not);
      continue;
    }
    rows.add("falsify", test.model, "command", command_text(test));
    for (const Prediction& prediction : test.predictions) add_limits(rows, test.model, prediction);
  }
}

}  // namespace saturn
