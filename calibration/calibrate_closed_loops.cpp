#include <algorithm>

#include "calibration/calibrate.hpp"
#include "calibration/measured_batches.hpp"
#include "models/words/numbers.hpp"

namespace saturn {

namespace {

/// Nothing when the point tells neither a time nor a rate.
std::optional<ClosedLoopRow> row_of(const ClosedLoopPoint& point) {
  ClosedLoopRow row{.clients = point.clients, .label = point.at.text()};
  const std::optional<double> rate = measured_value(point.measured, "events_per_s");
  if (const auto time = measured_value(point.measured, "event_time_s")) {
    row.event_time_s = *time;
    row.standard_error = measured_value(point.measured, "event_time_s_sem");
  } else if (rate) {
    row.event_time_s = point.clients / *rate;
    if (const auto error = measured_value(point.measured, "events_per_s_sem"))
      row.standard_error = row.event_time_s * *error / *rate;
  } else {
    return std::nullopt;
  }
  row.own_s = measured_value(point.measured, "nonml_s");
  const std::optional<double> module = measured_value(point.measured, "module_time_s");
  if (!row.own_s && module && *module < row.event_time_s) row.own_s = row.event_time_s - *module;
  // With its own time given, what a row leaves open is its offloaded part.
  if (row.own_s) row.standard_error = measured_value(point.measured, "module_time_s_sem");
  return row;
}

/// The law without the rows' own differences: what the plot shows.
std::vector<std::pair<double, double>> curve_of(const SaturationFit& saturation) {
  if (!saturation.knee) return {};
  std::vector<std::pair<double, double>> curve;
  const double t_ideal = saturation.fit.parameters.values.at(0);
  const double demand = saturation.fit.parameters.values.at(1);
  constexpr int points = 200;
  for (int i = 0; i <= points; ++i) {
    const double clients =
        saturation.fit.x_low + (saturation.fit.x_high - saturation.fit.x_low) * static_cast<double>(i) / points;
    curve.emplace_back(clients, std::max(t_ideal, clients * demand));
  }
  return curve;
}

}  // namespace

void calibrate_closed_loops(std::span<const MeasuredFile> files, Calibration& result) {
  for (const MeasuredFile& file : files) {
    std::vector<ClosedLoopRow> rows;
    for (const ClosedLoopPoint& point : file.closed_loop)
      if (auto row = row_of(point)) rows.push_back(std::move(*row));
    if (rows.empty()) continue;
    NamedFit named{.name = "saturation of " + stem_of(file.path),
                   .kind = FitKind::closed_loop,
                   .about = "saturation measured in " + file.path};
    try {
      named.saturation = fit_closed_loop(rows);
    } catch (const InputError& error) {
      result.left_out.insert(result.left_out.end(), error.complaints().begin(), error.complaints().end());
      continue;
    }
    named.fit = named.saturation->fit;
    for (std::size_t i = 0; i < named.fit.parameters.values.size(); ++i) {
      named.at.emplace_back();
      named.units.emplace_back("s");
    }
    named.x_title = "clients";
    named.y_title = "time of an event";
    named.y_unit = "s";
    named.curve = curve_of(*named.saturation);
    named.sources = {file.path};
    if (named.saturation->knee)
      named.notes.push_back("knee, t_ideal over demand: " + significant(*named.saturation->knee, 3) +
                            " clients (95 %: " + significant(named.saturation->knee_95.low, 3) + " to " +
                            significant(named.saturation->knee_95.high, 3) + ")");
    result.fits.push_back(std::move(named));
  }
}

}  // namespace saturn
