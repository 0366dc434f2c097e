#include "calibration/closed_loop_rates.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "calibration/import/load_points.hpp"
#include "models/statistics/quantiles.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

namespace {

constexpr std::size_t least_loads = 3;
constexpr double clear_window = 5.0;      // standard errors
constexpr double least_explained = 0.01;  // of a rate, somewhere
constexpr double most_residual = 0.5;     // of the root mean square that is explained
constexpr double agrees_within = 0.2;
constexpr std::size_t most_loads_named = 10;

// How notes about rates begin.
constexpr const char* rates_note = "Rates are items in flight over mean latency";
constexpr const char* contradicted_note = "Little's law contradicts the given items of a request";

std::string value_with_error(double value, double half_width) {
  const int decimals = std::max(0, 1 - decade_of(half_width));
  return fixed_text(value, decimals) + " ± " + fixed_text(half_width, decimals);
}

std::string signed_percent(double fraction) {
  return (fraction < 0.0 ? "-" : "+") + percent_text(std::abs(fraction));
}

}  // namespace

std::optional<CountWindow> count_window(std::span<const ClosedLoopRate> loads) {
  if (loads.size() < least_loads) return std::nullopt;
  double squares = 0.0;
  double products = 0.0;
  double most = 0.0;
  for (const ClosedLoopRate& load : loads) {
    squares += load.latency_s * load.latency_s;
    products += load.latency_s * load.lacks();
    most = std::max(most, load.lacks());
  }
  const double slope = products / squares;
  if (!(slope > 0.0) || most < least_explained) return std::nullopt;
  double left = 0.0;
  for (const ClosedLoopRate& load : loads) left += std::pow(load.lacks() - slope * load.latency_s, 2);
  if (left > most_residual * most_residual * slope * slope * squares) return std::nullopt;
  const double freedom = static_cast<double>(loads.size()) - 1.0;
  const double error = std::sqrt(left / freedom / squares);
  if (slope < clear_window * error) return std::nullopt;
  const double width = student_quantile_above(freedom, 0.025) * error;
  const double half_width = (1.0 / std::max(slope - width, 0.1 * slope) - 1.0 / (slope + width)) / 2.0;
  return CountWindow{.window_s = 1.0 / slope, .half_width = half_width, .rows = loads.size()};
}

namespace {

/// The loads that differ beyond the tolerated share, and are not explained.
std::vector<std::string> strangers(std::span<const ClosedLoopRate> loads, const std::optional<CountWindow>& window) {
  std::vector<std::string> named;
  for (const ClosedLoopRate& load : loads) {
    const double explained = window ? window->lacks(load.latency_s) : 0.0;
    if (std::abs(load.lacks() - explained) > printed_rate_within)
      named.push_back(load.at + " by " + signed_percent(-load.lacks()));
  }
  return named;
}

std::string window_in_words(const CountWindow& window, std::span<const ClosedLoopRate> loads) {
  double most = 0.0;
  for (const ClosedLoopRate& load : loads) most = std::max(most, load.lacks());
  const bool interval = window.half_width > 1e-6 * window.window_s;
  return "The printed rates are low by R/W, R the mean latency and W = " +
         (interval ? value_with_error(window.window_s, window.half_width) : significant(window.window_s, 3)) +
         " s, by " + percent_text(most) +
         " at most: the tool counts the requests that begin and end within a window of W, and clients on another host "
         "have some under way at both its ends.";
}

}  // namespace

std::string rates_in_words(std::span<const ClosedLoopRate> loads) {
  const std::optional<CountWindow> window = count_window(loads);
  const std::vector<std::string> named = strangers(loads, window);
  std::string text;
  if (window) text = window_in_words(*window, loads);
  if (!named.empty())
    append_part(text,
                "Printed rates that differ from them by more than 5 %" +
                    std::string(window ? " and are not explained so: " : ": ") + joined(named, ", ", most_loads_named) +
                    "; fewer or more requests were in flight than asked for, or the measurement was too short.",
                " ");
  return text.empty() ? "" : std::string(rates_note) + ". " + text;
}

namespace {

using RunKey = std::pair<std::string, std::string>;  ///< model, configuration

std::string place_of(const LoadPoint& load) {
  return load.at.line > 0 ? "line " + std::to_string(load.at.line) : load.at.file;
}

/// Nothing where the load is no closed loop, or its items in flight are not known otherwise than from its own rate.
std::optional<ClosedLoopRate> loop_of(const LoadPoint& load) {
  const std::optional<double> latency = measured_value(load.measured, "latency_mean_s");
  const bool known = load.batch_from != BatchOrigin::littles_law && load.batch_from != BatchOrigin::unknown;
  if (!known || !load.concurrency || !load.request_batch || !latency || !(*latency > 0.0)) return std::nullopt;
  if (!(load.items_per_s > 0.0) || !(*load.concurrency > 0.0) || !(*load.request_batch > 0.0)) return std::nullopt;
  return ClosedLoopRate{.in_flight = *load.concurrency * *load.request_batch,
                        .latency_s = *latency,
                        .printed_per_s = load.items_per_s,
                        .at = place_of(load)};
}

bool belong_together(const ClosedLoopRate& loop, const std::optional<CountWindow>& window) {
  return std::abs(loop.lacks()) <= agrees_within ||
         (window && std::abs(loop.lacks() - window->lacks(loop.latency_s)) <= printed_rate_within);
}

/// Takes the rates of one run; what is wrong with them goes into the lists.
void take_rates(const std::vector<LoadPoint*>& run, std::vector<std::string>& notes,
                std::vector<std::string>& contradicted) {
  std::vector<ClosedLoopRate> loops;
  for (const LoadPoint* load : run)
    if (auto loop = loop_of(*load)) loops.push_back(std::move(*loop));
  const std::optional<CountWindow> window = count_window(loops);
  std::vector<ClosedLoopRate> taken;
  for (LoadPoint* load : run) {
    const std::optional<ClosedLoopRate> loop = loop_of(*load);
    if (!loop) continue;
    if (!belong_together(*loop, window)) {
      contradicted.push_back(loop->at + ": " +
                             significant(loop->printed_per_s / loop->per_s() * *load->request_batch, 4) +
                             " instead of " + significant(*load->request_batch, 4));
      continue;
    }
    load->printed_per_s = load->items_per_s;
    load->items_per_s = loop->per_s();
    taken.push_back(*loop);
  }
  if (std::string text = rates_in_words(taken); !text.empty()) notes.push_back(std::move(text));
}

std::map<RunKey, std::vector<LoadPoint*>> runs_of(MeasuredFile& file) {
  std::map<RunKey, std::vector<LoadPoint*>> runs;
  for (LoadPoint& load : file.loads) runs[{load.model, load.configuration}].push_back(&load);
  return runs;
}

}  // namespace

void take_rates_of_loops(MeasuredFile& file) {
  std::erase_if(file.notes, [](const std::string& note) {
    return note.starts_with(rates_note) || note.starts_with(contradicted_note);
  });
  for (LoadPoint& load : file.loads) {
    if (load.printed_per_s) load.items_per_s = *load.printed_per_s;
    load.printed_per_s.reset();
  }
  std::vector<std::string> contradicted;
  for (const auto& [key, run] : runs_of(file)) take_rates(run, file.notes, contradicted);
  if (contradicted.empty()) return;
  file.notes.push_back(std::string(contradicted_note) + " (" + joined(contradicted, "; ", most_loads_named) +
                       "): the requests in flight were not those of the first column, the rate is of requests and not "
                       "of items, or the measurement was too short. These rates stay as they are printed.");
}

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

void infer_one(const std::vector<RowItems>& rows, ItemsFor which, InferredItems& result) {
  const Line line = line_of(rows);
  const bool biased_alone = which == ItemsFor::biased_runs;
  if (biased_alone && line.slope >= 0.0) return;
  const auto refuse = [&](const std::string& text) {
    if (!biased_alone)
      result.refusals.push_back({.source = rows.front().load->at.file, .code = "score.batch", .text = text});
  };
  const auto fewer = [](const RowItems& a, const RowItems& b) { return a.items < b.items; };
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end(), fewer);
  const std::string range = rows.size() == 1 ? told_by(*least) : told_by(*least) + " to " + told_by(*most);
  const bool one_size = std::all_of(rows.begin(), rows.end(), [&](const RowItems& row) {
    return std::abs(row.items - line.at(row.latency_s)) <= most_off * line.at(row.latency_s);
  });
  if (!one_size) {
    refuse("The file does not give the items of a request, and by Little's law its rows had different ones: " + range +
           ". Say it with --batch N, perf_analyzer's -b, if all requests had N items; else give "
           "each size a file of its own, or a table with a column \"batch\".");
    return;
  }
  if (line.at_zero < least_items) {
    refuse("The file does not give the items of a request, and by Little's law one would carry " +
           in_short(line.at_zero) +
           ": rate and latency do not belong together. Are the times in another unit than the format's?");
    return;
  }
  const double items = std::max(1.0, std::round(line.at_zero));
  for (const RowItems& row : rows) {
    row.load->request_batch = items;
    row.load->batch_from = BatchOrigin::inferred;
  }
  std::string how = "by Little's law from " + counted(rows.size(), "row") + ": " + range;
  if (line.slope < 0.0)
    how +=
        "; that falls with the latency, as perf_analyzer's printed rate does, so that the value at no "
        "latency counts";
  result.notes.push_back("The file does not give the items of a request: " + significant(items, 6) +
                         " is taken for every row, " + how + ". --batch N says another.");
}

}  // namespace

InferredItems infer_request_items(MeasuredFile& file, ItemsFor which) {
  InferredItems result;
  std::map<RunKey, std::vector<RowItems>> runs;
  for (LoadPoint& load : file.loads) {
    const std::optional<double> latency = measured_value(load.measured, "latency_mean_s");
    if (load.batch_from != BatchOrigin::littles_law || !latency || !load.concurrency) continue;
    runs[{load.model, load.configuration}].push_back(
        {.load = &load, .latency_s = *latency, .items = load.items_per_s * *latency / *load.concurrency});
  }
  for (const auto& [run, rows] : runs) infer_one(rows, which, result);
  if (result.notes.empty() && result.refusals.empty()) return result;
  drop_batch_notes(file);
  apply_littles_law(file);
  return result;
}

}  // namespace saturn
