#include "reports/sweep/sweep_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "models/queueing/open_capacity.hpp"
#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/sweep/sweep_summary.hpp"
#include "reports/tables/json_parts.hpp"
#include "reports/words/cells_text.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// A number whose interval is the whole line has none that could be written.
void add_number(PointAnswer& answer, const std::string& of, const Measure& measure, const Estimate& estimate) {
  const std::string stem = of + std::string(measure.name);
  if (is_quantile(measure.average) && estimate.caveat != Caveat::none) {
    answer.words.push_back({.name = stem + "_withheld", .word = std::string(words_of(estimate.caveat))});
    return;
  }
  const std::string_view ending = text_of(measure.unit).ending;
  SweepMetric metric{
      .stem = stem, .unit = std::string(ending.empty() ? ending : ending.substr(1)), .mean = estimate.mean};
  if (std::isfinite(estimate.low) && std::isfinite(estimate.high)) {
    metric.low = estimate.low;
    metric.high = estimate.high;
  }
  answer.metrics.push_back(std::move(metric));
}

/// @param of  what stands before the names: "models.emtrk."
template <Subject subject>
void add_numbers(PointAnswer& answer, const std::string& of, Swept swept, const Numbers<subject>& numbers) {
  numbers.each([&](const Measure& measure, const Estimate& estimate) {
    if (measure.swept == swept) add_number(answer, of, measure, estimate);
  });
}

}  // namespace

PointAnswer point_answer(const Results& results, const SystemFacts& facts) {
  PointAnswer answer{.replications = results.replications};
  results.all_jobs.each([&](const Measure& measure, const Estimate& estimate) {
    const bool told = !results.all_jobs.times_grow || measure.growing != Growing::withheld;
    if (measure.swept == Swept::of_all && told) add_number(answer, "", measure, estimate);
  });
  add_numbers(answer, "", Swept::of_all, results.run);
  for (const JobsResults& jobs : results.jobs) {
    if (!jobs.open) continue;
    const std::string pool = "jobs." + jobs.name + ".";
    add_numbers(answer, pool, Swept::of_each, jobs);
    answer.words.push_back({.name = pool + "verdict", .word = std::string(name_of(jobs.open->verdict))});
  }
  for (const ModelResults& model : results.models)
    add_numbers(answer, "models." + model.name + ".", Swept::of_each, model);
  for (const ResourceResults& resource : results.resources)
    add_numbers(answer, "resources." + resource.name + ".", Swept::of_each, resource);
  if (results.cell) {
    answer.words.push_back({.name = "cell", .word = share_text(*results.cell)});
    answer.words.push_back({.name = "cell_agrees", .word = results.cell->agrees ? "yes" : "no"});
    if (results.cell->smaller_is_slower_by)
      answer.metrics.push_back({.stem = "cell_expected_rest", .unit = "", .mean = results.cell->expected_rest()});
  }
  if (!facts.knees.empty()) answer.words.push_back({.name = "binding", .word = facts.knees[0].resource});
  if (facts.knees.size() > 1) answer.words.push_back({.name = "next", .word = facts.knees[1].resource});
  return answer;
}

namespace {

/// Of longer lists only both ends are shown.
constexpr std::uint64_t shown_whole = 60;
constexpr std::uint64_t shown_at_each_end = 10;

std::string estimate_of_time(const PointsListing& listing) {
  return counted(listing.points, "point") + ", each answering \"" + listing.answer +
         "\": " + (listing.at_least ? "more than " : "about ") + spoken_time(listing.seconds()) + " on " +
         counted(listing.workers, "worker") + ", from " + counted(listing.tried, "point") + " that " +
         (listing.tried == 1 ? "was" : "were") + " tried (" + number_text(listing.seconds_a_point, 2) + " s each).\n";
}

/// Counts are whole numbers for programs, too: 40, not 40.0.
Cell value_cell(const AxisCell& axis) {
  constexpr double most_exact = 9007199254740992.0;  // 2^53
  if (!axis.number) return axis.text;
  const double number = *axis.number;
  const bool whole = number >= 0.0 && number <= most_exact && number == std::floor(number);
  return whole ? Cell(static_cast<std::uint64_t>(number)) : Cell(number);
}

}  // namespace

Answer points_listing_answer(const PointsListing& listing) {
  Answer answer{.title = listing.title, .says_provenance = false};
  answer.say(estimate_of_time(listing));
  answer.add_facts({}, {{"title", listing.title},
                        {"answer", listing.answer},
                        {"estimate/seconds", listing.seconds()},
                        {"estimate/workers", std::uint64_t{listing.workers}},
                        {"estimate/tried", std::uint64_t{listing.tried}}});

  Table all{.place = {"points"}, .columns = {hidden("point")}, .readers = For::programs, .csv_alone = true};
  Table ends{.columns = {{.title = "point", .shown = Shown::whole}}, .readers = For::people, .details = false};
  for (const AxisColumn& column : listing.columns) {
    all.columns.push_back(hidden(column.head()));
    ends.columns.push_back({.title = column.name, .shown = Shown::number});
  }
  const bool whole = listing.points <= shown_whole;
  for (std::uint64_t point = 0; point < listing.points; ++point) {
    std::vector<Cell> values{point};
    std::vector<Cell> texts{std::to_string(point)};
    for (const AxisCell& axis : listing.cells(point)) {
      values.push_back(value_cell(axis));
      texts.emplace_back(axis.text);
    }
    all.add_row(std::move(values));
    if (!whole && point == shown_at_each_end) ends.rows.emplace_back(ends.columns.size(), Cell("..."));
    if (whole || point < shown_at_each_end || point >= listing.points - shown_at_each_end)
      ends.add_row(std::move(texts));
  }
  if (!whole) ends.remarks.emplace_back("All of them: --format csv.");
  answer.add(std::move(all));
  answer.add(std::move(ends));
  return answer;
}

namespace {

using Json = nlohmann::ordered_json;

Json json_axes(const SweepTable& table) {
  Json axes = Json::array();
  for (const AxisColumn& axis : table.axes)
    axes.push_back(
        {{"name", axis.name}, {"head", axis.head()}, {"pointer", axis.pointer}, {"unit", json_word<Json>(axis.unit)}});
  return axes;
}

Json json_counts(const SweepTable& table) {
  Json counts = Json::object();
  for (const PointStatus status :
       {PointStatus::answered, PointStatus::imprecise, PointStatus::failed, PointStatus::missing})
    counts[name_of(status)] = std::count_if(table.rows.begin(), table.rows.end(),
                                            [&](const SweepRow& row) { return row.result.status == status; });
  return counts;
}

Json json_values(const SweepTable& table, const SweepRow& row) {
  Json values = Json::object();
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    const AxisCell& cell = row.cells.at(c);
    values[table.axes[c].head()] = cell.number ? json_number<Json>(*cell.number) : Json(cell.text);
  }
  return values;
}

Json json_point(const SweepTable& table, const SweepRow& row) {
  const PointResult& result = row.result;
  Json point = Json::object();
  point["point"] = row.number;
  point["id"] = row.id;
  point["values"] = json_values(table, row);
  point["status"] = name_of(result.status);
  point["failure"] = json_word<Json>(result.failure);
  point["reason"] = json_word<Json>(result.reason);
  point["replications"] = result.answer.replications;
  point["metrics"] = Json::object();
  for (const SweepMetric& metric : result.answer.metrics)
    point["metrics"][metric.name()] = {{"mean", json_number<Json>(metric.mean)},
                                       {"low", json_number<Json>(metric.low)},
                                       {"high", json_number<Json>(metric.high)}};
  point["words"] = Json::object();
  for (const SweepWord& word : result.answer.words) point["words"][word.name] = word.word;
  return point;
}

}  // namespace

std::string sweep_json(const SweepTable& table) {
  std::string text = "{\n  \"title\": " + json_line(Json(table.title)) +
                     ",\n  \"answer\": " + json_line(Json(table.answer)) +
                     (table.methods.empty() ? "" : ",\n  \"methods\": " + json_line(Json(table.methods))) +
                     ",\n  \"seed\": " + std::to_string(table.seed) + ",\n  \"axes\": " + json_line(json_axes(table)) +
                     ",\n  \"counts\": " + json_line(json_counts(table)) + ",\n  \"points\": [";
  // One document of all points would take many times the memory of its text.
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    text += (i > 0 ? ",\n    " : "\n    ") + json_line(json_point(table, table.rows[i]));
  return text + (table.rows.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

std::string sweep_provenance_json(const Provenance& provenance, const std::string& title, const std::string& answer,
                                  const std::vector<AxisColumn>& axes, std::uint64_t points) {
  using Json = nlohmann::ordered_json;
  Json document;
  document["provenance"] = json_provenance<Json>(provenance);
  Json sweep;
  sweep["title"] = title;
  sweep["answer"] = answer;
  sweep["points"] = points;
  for (const AxisColumn& axis : axes)
    sweep["axes"].push_back({{"pointer", axis.pointer}, {"column", axis.head()}, {"unit", axis.unit}});
  document["sweep"] = std::move(sweep);
  return json_document(document);
}

}  // namespace saturn
