#include "calibration/deciding_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "calibration/calibrate.hpp"
#include "calibration/fitted_law.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_rows = 4;
constexpr double share_of_most = 0.5;

double largest_time(const Fit& fit, double items) {
  return mean(service_law_of(fit, fit.parameters.values), items).value;
}

std::vector<std::string> shortened(std::vector<std::string> rows) {
  if (rows.size() <= most_rows) return rows;
  const std::size_t more = rows.size() - most_rows;
  rows.resize(most_rows);
  rows.push_back("and " + std::to_string(more) + " more");
  return rows;
}

}  // namespace

std::vector<std::string> deciding_rows(const NamedFit& named) {
  if (named.saturation) return shortened(named.saturation->demand_rows);
  std::vector<FitPoint> used;
  for (const FitResidual& residual : named.fit.residuals)
    if (!residual.outlier) used.push_back(residual.point);
  const bool rates = named.fit.parameters.names.front() == "items_per_s";
  const double whole = largest_time(named.fit, named.fit.x_high);
  std::vector<std::pair<double, std::string>> moves;
  for (std::size_t i = 0; i < used.size(); ++i) {
    std::vector<FitPoint> others = used;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    try {
      const Fit without =
          fit_batches(others, rates ? BatchTimeFrom::throughput : BatchTimeFrom::server_times, named.name);
      moves.emplace_back(std::abs(largest_time(without, named.fit.x_high) / whole - 1.0), used[i].label);
    } catch (const InputError&) {
      // Without this row there would be no fit at all.
      moves.emplace_back(HUGE_VAL, used[i].label);
    }
  }
  std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> rows;
  for (const auto& [move, label] : moves)
    if (move >= share_of_most * moves.front().first) rows.push_back(label);
  return shortened(std::move(rows));
}

}  // namespace saturn
