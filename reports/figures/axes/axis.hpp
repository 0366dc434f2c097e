#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/curves/saturation_curve.hpp"
#include "reports/figures/figure.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/maps/heat_map_figure.hpp"

namespace saturn {

/// The axis that curves of a study have in common: streams per device, or streams where there are no devices.
struct LoadAxis {
  double devices = 0.0;    ///< 0: there are none
  double per_job = 1.0;    ///< streams of one job
  std::string word{};      ///< "job"; "stream" where a job has several
  std::string title{};     ///< "jobs per GPU"
  std::string head{};      ///< its column, "streams_per_gpu"
  std::string low_head{};  ///< "streams_per_gpu_low"
  std::string high_head{};

  double of_streams(double streams) const { return devices > 0.0 ? streams / devices : streams; }
  double of_jobs(double jobs) const { return of_streams(jobs * per_job); }
};

LoadAxis load_axis(const SystemFacts& facts);

/// Streams per device as a plan says them: whole, rounded down, from 10 on.
std::string plan_number(double streams);

/// "68 jobs per GPU", "1 stream per CPU".
/// @param number  as it is written
std::string counted_load(const std::string& number, const LoadAxis& axis);

/// What an axis of loads, or of rates, covers: from 0 to a bit more than the largest.
/// @param values  finite
/// @returns  (2) ends
std::vector<double> ends_from_zero(const std::vector<double>& values);

/// "plan: 68 (66 to 70) jobs per GPU"; empty where the study has no knee.
std::string plan_label(const SaturationStudy& study, const LoadAxis& axis);

/// Where the words stand that belong to a place of an axis, so that they stay within the figure: "left", "center" or
/// "right".
std::string text_alignment(double place, double low, double high);

/// What an axis covers where all values are the same: a single value has no extent of its own.
/// @param values  finite
/// @returns  (2) ends; none where values differ
std::vector<double> ends_of_constant(const std::vector<double>& values);

/// A number for a cell; empty where it is not finite.
RowCell number_cell(double value);
RowCell number_cell(const std::optional<double>& value);

/// Whether an event time was simulated that means something: it is finite, and does not only grow.
bool has_times(const SimulatedLoad& load);

/// "simulation, 95 % interval", with the confidence of the first load.
std::string simulation_words(const SaturationStudy& study);

/// An axis of a map in the unit that reads best, with the edges of its cells. An axis of words stands at 0, 1, 2, ...
struct PlacedAxis {
  std::string title{};               ///< "round-trip time [ms]"
  std::string name{};                ///< "round-trip time"
  bool words = false;                ///< no order and no distance: no contours
  std::vector<double> centres{};     ///< (n) ascending
  std::vector<double> edges{};       ///< (n + 1) half-way between the centres, geometrically on a logarithmic scale
  std::vector<std::string> texts{};  ///< (n) "11.8 ms", or the word
  FigureScale scale{};               ///< from the first edge to the last
  std::optional<double> present{};   ///< inside the edges
  std::string present_text{};
};

/// Values that do not ascend, or are not finite, become words.
/// @param pixels  length of the axis
PlacedAxis placed_axis(const MapAxis& axis, double pixels);

/// Writes title, scale and ticks into a specification.
/// @param channel  pointer of the channel, "/encoding/x"; its "scale" and "axis" exist
void put_axis(std::vector<SpecChange>& changes, const std::string& channel, const PlacedAxis& axis);

/// Where a map's cell lies, under the heads cell, x, x_low, x_high, x_text, and the same of y.
NamedCells placed_cell(const PlacedAxis& x, std::size_t ix, const PlacedAxis& y, std::size_t iy);

}  // namespace saturn
