#include "calibration/calibrate.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "calibration/import/load_points.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "calibration/measured_batches.hpp"
#include "models/words/numbers.hpp"

namespace saturn {

std::vector<MeasuredFile> with_differences(std::vector<MeasuredFile> files) {
  std::vector<MeasuredFile> result;
  std::optional<MeasuredFile> before;
  std::size_t place_before = 0;
  for (MeasuredFile& file : files) {
    if (file.counters.empty()) {
      result.push_back(std::move(file));
      continue;
    }
    if (!before) {
      place_before = result.size();
      result.push_back(file);
    } else {
      MeasuredFile between = difference(*before, file);
      between.notes.push_back("counted since the reading in " + before->path);
      result[place_before].counters.clear();
      result[place_before].notes.assign(1, "only the beginning of what " + file.path + " counts");
      place_before = result.size();
      result.push_back(std::move(between));
    }
    before = std::move(file);
  }
  return result;
}

void refuse_doubles(std::span<const MeasuredFile> files) {
  std::map<std::string, std::string> first_with;
  std::vector<Complaint> complaints;
  for (const MeasuredFile& file : files) {
    const auto [known, fresh] = first_with.emplace(file.sha256, file.path);
    if (fresh) continue;
    complaints.push_back({.source = file.path,
                          .code = "calibration.same_file",
                          .text = "This file holds the same bytes as " + known->second +
                                  "; the same measurements twice are no further ones: name it once."});
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
}

void set_batches(std::span<MeasuredFile> files, double batch) {
  for (MeasuredFile& file : files) {
    if (file.loads.empty()) continue;
    for (LoadPoint& load : file.loads) {
      if (load.batch_from == BatchOrigin::given) continue;
      if (load.batch_from == BatchOrigin::assumed) {
        load.items_per_s *= batch;
        if (load.printed_per_s) *load.printed_per_s *= batch;
      }
      load.request_batch = batch;
      load.batch_from = BatchOrigin::given;
    }
    // What was said of the rows when their items were not known.
    drop_batch_notes(file);
    apply_littles_law(file);
  }
}

void make_names_unique(std::vector<NamedFit>& fits) {
  std::map<std::string, int> seen;
  for (NamedFit& fit : fits) {
    const int number = ++seen[fit.name];
    if (number == 1) continue;
    fit.name += " " + std::to_string(number);
    // The new name may be another fit's own.
    ++seen[fit.name];
  }
}

Calibration calibrate(std::span<const MeasuredFile> files, const std::string& model, SingleRows single) {
  Calibration result;
  calibrate_services(files, model, result, single);
  calibrate_closed_loops(files, result);
  calibrate_cpu_times(files, result);
  calibrate_networks(files, result);
  calibrate_numbers(files, result);
  if (result.fits.empty()) {
    std::vector<Complaint> reasons;
    for (const MeasuredFile& file : files) reasons.insert(reasons.end(), file.left_out.begin(), file.left_out.end());
    reasons.insert(reasons.end(), result.left_out.begin(), result.left_out.end());
    reasons.push_back({.source = files.empty() ? "" : files.front().path,
                       .code = "calibration.nothing_to_fit",
                       .text = "Nothing in the given files can be fitted; the reasons stand above."});
    throw InputError(std::move(reasons));
  }
  make_names_unique(result.fits);
  return result;
}

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
      result.leave_out(error.complaints());
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
