#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "reports/figures/figures.hpp"
#include "reports/words/number_text.hpp"
#include "tests/figures/figure_samples.hpp"

using namespace saturn;

namespace {

using Json = nlohmann::json;

std::set<std::string> heads_of(const TidyRows& rows) {
  std::set<std::string> heads;
  for (const RowColumn& column : rows.columns) heads.insert(column.head());
  return heads;
}

/// Every name that stands behind "field", whatever it belongs to; names that the specification computes itself are not
/// asked for.
void add_fields(const Json& place, std::set<std::string>& fields, std::set<std::string>& computed) {
  if (place.is_object() && place.contains("calculate")) computed.insert(place["as"].get<std::string>());
  if (place.is_object() && place.contains("field")) fields.insert(place["field"].get<std::string>());
  if (place.is_structured())
    for (const Json& inner : place) add_fields(inner, fields, computed);
}

/// A title is one line, or several.
std::vector<std::string> title_lines(const Json& spec) {
  const Json& text = spec["title"]["text"];
  return text.is_array() ? text.get<std::vector<std::string>>() : std::vector<std::string>{text.get<std::string>()};
}

std::size_t column_of(const Figure& figure, const std::string& head) {
  for (std::size_t i = 0; i < figure.rows.columns.size(); ++i)
    if (figure.rows.columns[i].head() == head) return i;
  FAIL("no column ", head);
  return 0;
}

std::string word_in(const Figure& figure, const std::vector<RowCell>& row, const std::string& head) {
  const auto* word = std::get_if<std::string>(&row[column_of(figure, head)]);
  return word == nullptr ? "" : *word;
}

double number_in(const Figure& figure, const std::vector<RowCell>& row, const std::string& head) {
  const auto* number = std::get_if<double>(&row[column_of(figure, head)]);
  return number == nullptr ? std::nan("") : *number;
}

std::vector<std::vector<RowCell>> rows_with(const Figure& figure, const std::string& head, const std::string& word) {
  std::vector<std::vector<RowCell>> rows;
  std::copy_if(figure.rows.rows.begin(), figure.rows.rows.end(), std::back_inserter(rows),
               [&](const auto& row) { return word_in(figure, row, head) == word; });
  return rows;
}

SaturationStudy in_milliseconds() {
  SaturationStudy study = handsome_study();
  study.facts.ideal_event_time_s /= 1e4;
  study.published.clear();
  for (FormulaLoad& load : study.formulas) {
    load.bound_event_time_s = *load.bound_event_time_s / 1e4;
    load.published_event_time_s = {};
    load.mva_event_time_s = {};
  }
  study.simulated.clear();
  return study;
}

}  // namespace

TEST_CASE("every figure has either a specification whose fields are its columns, or a sentence that says why not") {
  for (const Figure& figure : sample_figures()) {
    CAPTURE(figure.name);
    REQUIRE(figure.spec.empty() != figure.cannot.empty());
    CHECK_FALSE(figure.title.empty());
    for (const auto& row : figure.rows.rows) REQUIRE(row.size() == figure.rows.columns.size());
    if (figure.spec.empty()) continue;
    const Json spec = Json::parse(figure.spec);
    CHECK(spec["data"] == Json{{"name", "rows"}});
    CHECK_FALSE(title_lines(spec).empty());
    for (const std::string& line : title_lines(spec)) CHECK_FALSE(line.empty());
    std::set<std::string> fields;
    std::set<std::string> known = heads_of(figure.rows);
    add_fields(spec, fields, known);
    CHECK_FALSE(fields.empty());
    for (const std::string& field : fields) {
      CAPTURE(field);
      CHECK(known.contains(field));
    }
  }
}

TEST_CASE("no row of a figure holds a number that is not finite") {
  for (const Figure& figure : curve_samples()) {
    CAPTURE(figure.name);
    for (const auto& row : figure.rows.rows)
      for (const RowCell& cell : row)
        if (const double* number = std::get_if<double>(&cell)) REQUIRE(std::isfinite(*number));
  }
}

TEST_CASE("the curve of event times has each method's values per device, the plan with its interval, and the limit") {
  const SaturationStudy study = handsome_study();
  const Figure figure = event_time_figure(study);
  const auto bound = rows_with(figure, "series", "bound");
  REQUIRE(bound.size() == study.formulas.size());
  CHECK(number_in(figure, bound.back(), "streams_per_gpu") == study.formulas.back().clients / 4.0);
  CHECK(number_in(figure, bound.back(), "event_time_s") == *study.formulas.back().bound_event_time_s);
  const auto plan = rows_with(figure, "kind", "plan");
  REQUIRE(plan.size() == 1);
  CHECK(word_in(figure, plan[0], "label") == "plan: 68 (66 to 70) jobs per GPU");
  CHECK(number_in(figure, plan[0], "streams_per_gpu_low") == 66.1);
  CHECK(number_in(figure, plan[0], "streams_per_gpu_high") == 70.3);
  for (const auto& row : rows_with(figure, "kind", "tolerated"))
    CHECK(number_in(figure, row, "event_time_s") == doctest::Approx(1.01 * 121.35));
  CHECK(figure.title == "Event time grows past 68 jobs per GPU");
  CHECK(figure.subtitle == "protodune-big-batch, seed 42");
}

TEST_CASE("event times are not said to grow where those past the knee stay, since what is too much is refused") {
  SaturationStudy study = handsome_study();
  CHECK(event_time_figure(study).title.find("grows past") != std::string::npos);
  for (SimulatedLoad& load : study.simulated)
    load.summary.all_jobs.set("event_time_s", study.simulated.front().summary.all_jobs["event_time_s"]);
  CHECK(event_time_figure(study).title == "Event time against jobs per GPU");
}

TEST_CASE("a legend names what is drawn and nothing else") {
  SaturationStudy study = handsome_study();
  study.published.clear();
  study.mva_word.clear();
  for (FormulaLoad& load : study.formulas) load.mva_events_per_s = {};
  const Json spec = Json::parse(throughput_figure(study).spec);
  for (const Json& layer : spec["layer"]) {
    for (const Json& channel : layer["encoding"]) {
      if (!channel.contains("scale") || !channel["scale"].contains("range")) continue;
      CHECK(channel["scale"]["domain"] == Json({"bound", "published formula", "simulation, 95 % interval"}));
      CHECK(channel["scale"]["range"].size() == 3);
    }
  }
  study.knee = {};
  const Json without_plan = Json::parse(throughput_figure(study).spec);
  CHECK(without_plan["layer"].size() + 3 == spec["layer"].size());
}

TEST_CASE("the parts of a request's time have a title that names the largest under the heaviest load") {
  SaturationStudy study = handsome_study();
  const std::string title = latency_breakdown_figure(study).title;
  const ModelResults& model = study.simulated.back().summary.models.front();
  const double sum = model["send_s"].mean + model["host_s"].mean + model["queue_s"].mean + model["compute_s"].mean +
                     model["receive_s"].mean;
  const double most = std::max({model["send_s"].mean, model["host_s"].mean, model["queue_s"].mean,
                                model["compute_s"].mean, model["receive_s"].mean});
  CHECK(title.find(", " + percent_text(most / sum) + " of a request's time") != std::string::npos);
  study.simulated.resize(1);
  study.own = 0;
  CHECK(latency_breakdown_figure(study).title == "Where a request's time goes as jobs are added");
}

TEST_CASE("where the bound is an average, no figure says that nothing can beat it") {
  SaturationStudy study = handsome_study();
  CHECK(event_time_figure(study).caption.starts_with("The bound is what no arrangement of waiting can beat."));
  CHECK(throughput_figure(study).title.starts_with("By the bounds, throughput saturates at "));
  study.facts.bound_caveat = "for the mix of jobs that nothing hinders";
  CHECK(event_time_figure(study).caption.starts_with(
      "The bound is an average here, for the mix of jobs that nothing hinders. Points are simulated"));
  CHECK(throughput_figure(study).title == "Throughput against jobs per GPU");
}

TEST_CASE("short event times are shown in milliseconds, in rows, axis and heads") {
  const Figure figure = event_time_figure(in_milliseconds());
  const auto bound = rows_with(figure, "series", "bound");
  REQUIRE_FALSE(bound.empty());
  CHECK(number_in(figure, bound.front(), "event_time_ms") == doctest::Approx(12.135));
  CHECK(figure.spec.find("event time [ms]") != std::string::npos);
  CHECK(figure.spec.find("event_time_s") == std::string::npos);
}

TEST_CASE("the parts of a request's time add up to the whole at every load") {
  for (const SaturationStudy& study : {handsome_study(), ugly_studies()[3]}) {
    const Figure figure = latency_breakdown_figure(study);
    std::map<std::pair<std::string, double>, double> shares;
    for (const auto& row : figure.rows.rows)
      shares[{word_in(figure, row, "model"), number_in(figure, row, "streams_per_gpu")}] +=
          number_in(figure, row, "share_percent");
    CHECK_FALSE(shares.empty());
    for (const auto& [place, share] : shares) CHECK(share == doctest::Approx(100.0));
  }
}

TEST_CASE("batches are counted whole, however many sizes share a bar") {
  for (const SaturationStudy& study : {handsome_study(), ugly_studies()[5]}) {
    const Figure figure = batch_sizes_figure(study);
    REQUIRE(figure.cannot.empty());
    double counted = 0.0;
    double share = 0.0;
    for (const auto& row : figure.rows.rows) {
      counted += number_in(figure, row, "batches");
      share += number_in(figure, row, "share_percent");
    }
    double batches = 0.0;
    for (const auto& [items, count] : study.simulated[study.own].summary.models[0].batches)
      batches += static_cast<double>(count);
    CHECK(counted == batches);
    CHECK(share == doctest::Approx(100.0));
    CHECK(figure.rows.rows.size() <= 41);
  }
}

TEST_CASE("one or two sizes of batches are a sentence, and three are bars") {
  SaturationStudy study = handsome_study();
  study.simulated[study.own].summary.models.resize(1);
  ModelResults& model = study.simulated[study.own].summary.models[0];
  model.name = "emtrk";
  model.batches = {{1719, 31}};
  CHECK(batch_sizes_figure(study).cannot == "Batches of emtrk have 1719 items.");
  model.batches = {{1, 1}, {1719, 3}};
  const Figure two = batch_sizes_figure(study);
  CHECK(two.spec.empty());
  CHECK(two.cannot == "Batches of emtrk have 1 item (25 %) or 1719 items (75 %).");
  model.batches[1720] = 1;
  CHECK(batch_sizes_figure(study).cannot.empty());
}

TEST_CASE("latency stands against the rate of the requests that have it, whether or not there is a limit") {
  const SaturationStudy study = handsome_study();
  const ModelResults& model = study.simulated.front().summary.models.front();
  for (const std::optional<double> limit : {std::optional<double>(), std::optional<double>(0.25)}) {
    const Figure figure = throughput_latency_figure(study, limit);
    CHECK(figure.title.starts_with(model.name + " answers in "));
    CHECK(figure.spec.find("latency of " + model.name) != std::string::npos);
    CHECK(figure.spec.find("event time") == std::string::npos);
    const auto means = rows_with(figure, "series", "mean");
    REQUIRE(means.size() == study.simulated.size());
    const std::string unit = figure.rows.columns[5].unit;
    const double factor = unit == "ms" ? 1e3 : 1.0;
    CHECK(number_in(figure, means.front(), "time_" + unit) == doctest::Approx(factor * model["latency_s"].mean));
    CHECK(number_in(figure, means.front(), "requests_per_s") == doctest::Approx(model["requests_per_s"].mean));
    CHECK(rows_with(figure, "kind", "limit").size() == (limit ? 1 : 0));
  }
}

TEST_CASE("the latency of one replication has no interval, and none that reaches down to nothing") {
  SaturationStudy study = handsome_study();
  constexpr double without_end = std::numeric_limits<double>::infinity();
  Estimate lone = study.simulated.front().summary.models.front()["latency_s"];
  lone.low = -without_end;
  lone.high = without_end;
  study.simulated.front().summary.models.front().set("latency_s", lone);
  const Figure figure = throughput_latency_figure(study, std::nullopt);
  const auto row = rows_with(figure, "series", "mean").front();
  int ends = 0;
  for (std::size_t column = 0; column < figure.rows.columns.size(); ++column) {
    const std::string& name = figure.rows.columns[column].name;
    if (name != "time_low" && name != "time_high") continue;
    ++ends;
    CHECK(std::holds_alternative<std::monostate>(row[column]));
  }
  CHECK(ends == 2);
}

TEST_CASE("at most eight resources are drawn, the one that binds first and the next limit after it") {
  const Figure figure = resource_use_figure(ugly_studies()[3]);
  const Json spec = Json::parse(figure.spec);
  std::set<std::string> drawn;
  for (const auto& row : rows_with(figure, "kind", "use")) drawn.insert(word_in(figure, row, "resource"));
  CHECK(drawn.size() == 8);
  CHECK(word_in(figure, figure.rows.rows.front(), "role") == "binding");
  CHECK(drawn.contains("gke network card"));
  CHECK(figure.caption.find("Less used and left out: ") != std::string::npos);
  const auto saturation = rows_with(figure, "kind", "saturation");
  REQUIRE(saturation.size() == 2);
  CHECK(number_in(figure, saturation[0], "streams_per_gpu") == 69.0);
  CHECK(word_in(figure, saturation[1], "label") == "next limit: gke network card saturates at 100");
}

TEST_CASE("a Gantt chart shows batches within its window, on at most 24 instances") {
  const Figure few = gantt_figure(handsome_trace(), {.scenario = "few", .seed = 1});
  CHECK(few.rows.rows.size() == 100);
  const Figure many = gantt_figure(ugly_traces().back(), {.scenario = "many", .seed = 1});
  std::set<std::string> instances;
  const double end = Json::parse(many.spec)["encoding"]["x"]["scale"]["domain"][1].get<double>();
  for (const auto& row : many.rows.rows) {
    instances.insert(word_in(many, row, "instance"));
    CHECK(number_in(many, row, "begin_us") >= 0.0);
    CHECK(number_in(many, row, "begin_us") <= number_in(many, row, "end_us"));
    CHECK(number_in(many, row, "end_us") <= end);
  }
  CHECK(instances.size() <= 24);
  CHECK(many.rows.rows.size() == 120);
}

TEST_CASE("over time, shares are per cent and queues are requests") {
  const Figure figure = timeline_figure(handsome_trace(), {.scenario = "protodune-big-batch", .seed = 42});
  const auto use = rows_with(figure, "series", "gke/t4");
  REQUIRE(use.size() == 80);
  CHECK(number_in(figure, use[0], "value") == doctest::Approx(100.0 * (0.85 + 0.2 * std::sin(0.15))));
  CHECK(number_in(figure, use[0], "time_s") == doctest::Approx(500.05));
  CHECK(rows_with(figure, "kind", "queue").size() == 160);
  CHECK(timeline_figure({}, {}).cannot == "The run was recorded without samples over time.");
  CHECK(gantt_figure({.begin_s = 500.0, .end_s = 501.0}, {}).cannot ==
        "No batch ran on a device from 500 s to 501 s of the traced run.");
}

TEST_CASE("over a run of a fixed length, outages, recoveries and scaling are marked when they are") {
  const Figure figure = over_time_figure(handsome_hour(), {.scenario = "hour", .seed = 1});
  CHECK(figure.cannot.empty());
  const auto outages = rows_with(figure, "kind", "outage");
  REQUIRE(outages.size() == 1);
  CHECK(number_in(figure, outages[0], "time_min") == doctest::Approx(3.0));
  CHECK(number_in(figure, outages[0], "until_min") == doctest::Approx(5.0));
  CHECK(word_in(figure, outages[0], "label") == "link fnal to gke out");
  // The queue is as before from the seventh moment on.
  const auto recovered = rows_with(figure, "kind", "recovered");
  REQUIRE(recovered.size() == 1);
  CHECK(number_in(figure, recovered[0], "time_min") == doctest::Approx(7.0));
  CHECK(rows_with(figure, "series", "scale-out").size() == 2);
  CHECK(rows_with(figure, "series", "scale-in").size() == 2);
  CHECK(rows_with(figure, "series", "tries that end").size() == 15);
  CHECK(over_time_figure(ugly_hours()[0], {}).cannot == "Runs have no fixed length: /run/horizon gives them one.");
}
