#include "calibration/score/request_items.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/load_point_rules.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr double most_off = 0.15;
constexpr double least_items = 0.8;
constexpr double clear_slope = 3.0;  // standard errors

/// What one row tells by Little's law.
struct RowItems {
  LoadPoint* load = nullptr;
  double latency_s = 0.0;
  double items = 0.0;
};

struct Line {
  double at_zero = 0.0;
  double slope = 0.0;  ///< [1/s]

  double at(double latency_s) const { return at_zero + slope * latency_s; }
};

/// Least squares; level unless the items clearly fall with the latency.
Line line_of(const std::vector<RowItems>& rows) {
  const auto n = static_cast<double>(rows.size());
  double latency = 0.0;
  double items = 0.0;
  for (const RowItems& row : rows) {
    latency += row.latency_s / n;
    items += row.items / n;
  }
  double squares = 0.0;
  double products = 0.0;
  for (const RowItems& row : rows) {
    squares += (row.latency_s - latency) * (row.latency_s - latency);
    products += (row.latency_s - latency) * (row.items - items);
  }
  const Line level{.at_zero = items};
  if (rows.size() < 3 || !(squares > 0.0)) return level;
  const double slope = products / squares;
  const Line falling{.at_zero = items - slope * latency, .slope = slope};
  double left = 0.0;
  for (const RowItems& row : rows) left += std::pow(row.items - falling.at(row.latency_s), 2);
  const double error = std::sqrt(left / (n - 2.0) / squares);
  return slope < 0.0 && -slope > clear_slope * error ? falling : level;
}

std::string in_short(double items) {
  return significant(std::round(100.0 * items) / 100.0, 6);
}

/// "14.1 (perf.csv:9)"
std::string told_by(const RowItems& row) {
  return in_short(row.items) + " (" + row.load->at.text() + ")";
}

void infer_one(const std::vector<RowItems>& rows, RowsOfFile& result) {
  const Line line = line_of(rows);
  const auto fewer = [](const RowItems& a, const RowItems& b) { return a.items < b.items; };
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end(), fewer);
  const std::string source = rows.front().load->at.file;
  const std::string range = rows.size() == 1 ? told_by(*least) : told_by(*least) + " to " + told_by(*most);
  const bool one_size = std::all_of(rows.begin(), rows.end(), [&](const RowItems& row) {
    return std::abs(row.items - line.at(row.latency_s)) <= most_off * line.at(row.latency_s);
  });
  if (!one_size) {
    result.refuse(
        source, "score.batch",
        "The file does not give the items of a request, and by Little's law its rows had different ones: " + range +
            ". Say it with --batch N, perf_analyzer's -b, if all requests had N items; else give "
            "each size a file of its own, or a table with a column \"batch\".");
    return;
  }
  if (line.at_zero < least_items) {
    result.refuse(source, "score.batch",
                  "The file does not give the items of a request, and by Little's law one would carry " +
                      in_short(line.at_zero) +
                      ": rate and latency do not belong together. Are the times in another unit than the format's?");
    return;
  }
  const double items = std::max(1.0, std::round(line.at_zero));
  for (const RowItems& row : rows) row.load->request_batch = items;
  std::string how = "by Little's law from " + counted_noun(rows.size(), "row") + ": " + range;
  if (line.slope < 0.0)
    how +=
        "; that falls with the latency, as perf_analyzer's printed rate does, so that the value at no "
        "latency counts";
  result.note("The file does not give the items of a request: " + significant(items, 6) + " is taken for every row, " +
              how + ". --batch N says another.");
}

}  // namespace

void infer_request_items(MeasuredFile& file, RowsOfFile& result) {
  std::map<std::pair<std::string, std::string>, std::vector<RowItems>> runs;
  for (LoadPoint& load : file.loads) {
    const std::optional<double> latency = measured_value(load.measured, "latency_mean_s");
    if (load.batch_from != BatchOrigin::littles_law || !latency || !load.concurrency) continue;
    runs[{load.model, load.configuration}].push_back(
        {.load = &load, .latency_s = *latency, .items = load.items_per_s * *latency / *load.concurrency});
  }
  if (runs.empty()) return;
  drop_batch_notes(file);
  for (const auto& [run, rows] : runs) infer_one(rows, result);
}

}  // namespace saturn
