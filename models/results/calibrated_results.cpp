#include "models/results/calibrated_results.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace saturn {

namespace {

/// The numbers of one replication, in the order of Results; what it lacks is not a number.
std::vector<double> numbers_of(const RunOutcome& outcome) {
  std::vector<double> numbers;
  summarise(std::span(&outcome, 1), 0.95).each_slot([&](const Measure&, const std::optional<Estimate>& estimate) {
    numbers.push_back(estimate ? estimate->mean : std::numeric_limits<double>::quiet_NaN());
  });
  return numbers;
}

/// (draws)(numbers) how far each draw moved each number.
std::vector<std::vector<double>> moved_by(const DrawnRuns& fit, std::span<const RunOutcome> replications) {
  std::map<std::uint32_t, std::vector<double>> partners;
  std::vector<std::vector<double>> moved;
  for (std::size_t r = 0; r < fit.outcomes.size(); ++r) {
    const std::uint32_t partner = fit.partners.at(r);
    const auto [before, is_new] = partners.try_emplace(partner);
    if (is_new) before->second = numbers_of(replications[partner]);
    std::vector<double> now = numbers_of(fit.outcomes[r]);
    if (now.size() != before->second.size()) throw std::logic_error("a drawn run is not of the same scenario");
    for (std::size_t i = 0; i < now.size(); ++i) now[i] -= before->second[i];
    moved.push_back(std::move(now));
  }
  return moved;
}

}  // namespace

void widen(Estimate& estimate, std::vector<CalibrationShare> calibration) {
  double square = 0.0;
  for (const CalibrationShare& share : calibration) square += share.half_width * share.half_width;
  IntervalParts parts{.low_simulation = estimate.low, .high_simulation = estimate.high, .calibration = {}};
  // A cell's size may have widened it before.
  if (estimate.parts) parts = *estimate.parts;
  parts.calibration.insert(parts.calibration.end(), std::make_move_iterator(calibration.begin()),
                           std::make_move_iterator(calibration.end()));
  const double added = std::sqrt(square);
  // Sides that differ stay different.
  estimate.low = estimate.mean - std::hypot(estimate.mean - estimate.low, added);
  estimate.high = estimate.mean + std::hypot(estimate.high - estimate.mean, added);
  estimate.parts = std::make_shared<const IntervalParts>(std::move(parts));
}

void widen(Results& results, std::span<const RunOutcome> replications, std::span<const DrawnRuns> fits) {
  if (fits.empty()) return;
  std::vector<std::vector<std::vector<double>>> moved;
  for (const DrawnRuns& fit : fits) moved.push_back(moved_by(fit, replications));
  std::size_t number = 0;
  results.each_slot([&](const Measure& measure, std::optional<Estimate>& estimate) {
    const std::size_t i = number++;
    if (!estimate || is_exact(measure.average)) return;
    std::vector<CalibrationShare> shares;
    for (std::size_t f = 0; f < fits.size(); ++f) {
      std::vector<double> one;
      for (const std::vector<double>& run : moved[f]) one.push_back(run.at(i));
      shares.push_back({.about = fits[f].about, .half_width = fits[f].factor * spread_of(fits[f].draws, one)});
    }
    widen(*estimate, std::move(shares));
  });
}

namespace {

// Sums differ by their rounding errors.
constexpr double rounding_noise = 1e-9;

void add_to_half_width(const Measure& measure, Estimate& estimate, double added) {
  if (!(added > rounding_noise * std::abs(estimate.mean))) return;
  const Estimate simulated = estimate;
  estimate.low -= added;
  estimate.high += added;
  if (simulated.low >= 0.0) estimate.low = std::max(estimate.low, 0.0);
  if (measure.unit == MeasureUnit::share && simulated.high <= 1.0) estimate.high = std::min(estimate.high, 1.0);
  estimate.parts = std::make_shared<const IntervalParts>(
      IntervalParts{.low_simulation = simulated.low,
                    .high_simulation = simulated.high,
                    .calibration = {{.about = std::string(size_of_cell), .half_width = added}}});
}

}  // namespace

void widen_by_size(Results& results, Results smaller, double ratio) {
  std::vector<std::optional<Estimate>> before;
  smaller.each_slot([&](const Measure&, const std::optional<Estimate>& estimate) { before.push_back(estimate); });
  std::size_t number = 0;
  results.each_slot([&](const Measure& measure, std::optional<Estimate>& estimate) {
    if (number >= before.size()) throw std::logic_error("two cells are not of one farm");
    const std::optional<Estimate>& other = before[number++];
    if (!estimate || !other || is_exact(measure.average)) return;
    if (estimate->caveat != Caveat::none || other->caveat != Caveat::none) return;
    add_to_half_width(measure, *estimate, std::abs(other->mean - estimate->mean) / (ratio - 1.0));
  });
  if (number != before.size()) throw std::logic_error("two cells are not of one farm");
}

double left_by_size(const Estimate& estimate) {
  if (!estimate.parts) return 0.0;
  for (const CalibrationShare& share : estimate.parts->calibration)
    if (share.about == size_of_cell) return share.half_width;
  return 0.0;
}

}  // namespace saturn
