#include "calibration/fit/value_fit.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/fit/fit.hpp"
#include "calibration/fit/linear_squares.hpp"
#include "models/laws/random_stream.hpp"
#include "models/statistics/quantiles.hpp"
#include "models/words/numbers.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

namespace {

constexpr std::size_t resamples = 999;
constexpr std::size_t bootstrapped_up_to = 2000;
constexpr std::uint64_t bootstrap_seed = 1979;
constexpr std::size_t most_values_refused = 20;

/// Mean and mean's error of one resample.
Sample resampled(std::span<const double> values, RandomStream& stream) {
  double sum = 0.0;
  double squares = 0.0;
  const auto n = static_cast<double>(values.size());
  // Relative to one value, so that the squares lose no digits.
  const double origin = values.front();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[static_cast<std::size_t>(stream.uniform() * n)] - origin;
    sum += value;
    squares += value * value;
  }
  const double mean = sum / n;
  return {n, origin + mean, std::sqrt(std::max(0.0, (squares - n * mean * mean) / (n - 1.0)))};
}

}  // namespace

Sample sample_of(std::span<const double> values) {
  Sample sample{.n = static_cast<double>(values.size())};
  // Running means: sums of huge values would overflow.
  double count = 0.0;
  double squares = 0.0;
  for (const double value : values) {
    const double away = value - sample.mean;
    sample.mean += away / ++count;
    squares += away * (value - sample.mean);
  }
  if (count > 1.0) sample.sd = std::sqrt(squares / (count - 1.0));
  return sample;
}

ValueSpread spread_of(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  return {.sd = sample_of(values).sd,
          .median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0,
          .least = sorted.front(),
          .most = sorted.back()};
}

double normality_a2(std::span<const double> values) {
  const Sample sample = sample_of(values);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double low = (sorted[i] - sample.mean) / sample.sd;
    const double high = (sorted[n - 1 - i] - sample.mean) / sample.sd;
    const double below = std::max(std::erfc(-low / std::sqrt(2.0)) / 2.0, 1e-300);
    const double above = std::max(std::erfc(high / std::sqrt(2.0)) / 2.0, 1e-300);
    sum += (2.0 * static_cast<double>(i) + 1.0) * (std::log(below) + std::log(above));
  }
  const double a2 = -sample.n - sum / sample.n;
  return a2 * (1.0 + 0.75 / sample.n + 2.25 / (sample.n * sample.n));
}

double student_95(double degrees_of_freedom) {
  return student_quantile_above(degrees_of_freedom, 0.025);
}

BootstrappedMean bootstrap_mean(std::span<const double> values) {
  const Sample sample = sample_of(values);
  const double error = sample.sd / std::sqrt(sample.n);
  const double half = student_95(std::max(1.0, sample.n - 1.0)) * error;
  if (values.size() > bootstrapped_up_to || values.size() < 5 || sample.sd == 0.0)
    return {error, {sample.mean - half, sample.mean + half}};
  RandomStream stream(bootstrap_seed, 0, static_cast<std::uint32_t>(values.size()), Purpose::bootstrap);
  std::vector<double> students;
  std::vector<double> means;
  for (std::size_t b = 0; b < resamples; ++b) {
    const Sample again = resampled(values, stream);
    means.push_back(again.mean);
    if (again.sd > 0.0) students.push_back((again.mean - sample.mean) / (again.sd / std::sqrt(again.n)));
  }
  if (students.size() < resamples / 2) return {error, {sample.mean - half, sample.mean + half}};
  std::sort(students.begin(), students.end());
  const auto rank = [&](double share) {
    return students[static_cast<std::size_t>(std::lround(share * static_cast<double>(students.size() - 1)))];
  };
  return {sample_of(means).sd, {sample.mean - rank(0.975) * error, sample.mean - rank(0.025) * error}};
}

void demand_sound_values(std::span<const double> values, const std::string& label, bool zero_allowed) {
  if (values.empty())
    refuse_fit(label, "calibration.too_few_points", "There are no values: measure one at least, better twenty.");
  std::vector<Complaint> complaints;
  for (std::size_t i = 0; i < values.size() && complaints.size() < most_values_refused; ++i) {
    if (std::abs(values[i]) < 1e100 && (values[i] > 1e-100 || (zero_allowed && values[i] == 0.0))) continue;
    complaints.push_back({.source = label.empty() ? "measurements" : label,
                          .code = "calibration.bad_value",
                          .text = "Value " + std::to_string(i + 1) + " of " + std::to_string(values.size()) + " is " +
                                  significant(values[i], 3) + "; allowed are numbers " +
                                  (zero_allowed ? "not below 0" : "above 0") +
                                  " and of a size that is measured: take it out of the measurement."});
  }
  if (!complaints.empty()) throw InputError(complaints);
}

namespace {

/// Strict, since a good point left out makes the law look better known than it is.
constexpr double outlier_significance = 0.01;
constexpr std::size_t points_beyond_parameters = 3;

struct Suspect {
  std::size_t index = 0;
  double p = 1.0;
};

std::size_t most_outliers(std::size_t points, std::size_t parameters) {
  if (points <= parameters + points_beyond_parameters) return 0;
  const std::size_t share = points < 8 ? 1 : points / 5;
  return std::min(share, points - parameters - points_beyond_parameters);
}

/// Two-sided p of the point furthest from the law that all others would give.
Suspect furthest(const LinearLaw& law, std::span<const FitPoint> points) {
  const WeightedFit fit = fit_weighted(law, points);
  const double freedom = fit.degrees_of_freedom - 1.0;
  if (!(freedom > 0.0) || !(fit.solution.chi2 > chi2_of_rounding) || !(fit.scale > 0.0)) return {};
  Suspect worst;
  double worst_size = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double room = 1.0 - fit.solution.leverage[i];
    if (room < 1e-9) continue;
    // In units of the unscaled errors.
    const double away = (points[i].y - fit.solution.fitted[i]) / (fit.errors[i] / fit.scale);
    const double deleted = away * away / room;
    const double others = std::max(fit.solution.chi2 - deleted, 0.0);
    const bool others_agree = fit.errors_known && chi_squared_above(freedom, others) > plausible;
    const double size = std::sqrt(deleted / (others_agree ? 1.0 : std::max(others / freedom, 1e-24)));
    if (size <= worst_size) continue;
    worst_size = size;
    worst.index = i;
    worst.p = 2.0 * (others_agree ? normal_above(size) : student_above(freedom, size));
  }
  return worst;
}

}  // namespace

std::vector<std::size_t> find_outliers(const LinearLaw& law, std::span<const FitPoint> points) {
  const std::size_t most = most_outliers(points.size(), law.parameters);
  std::vector<FitPoint> left(points.begin(), points.end());
  std::vector<std::size_t> indices(points.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  std::vector<std::size_t> taken;
  std::size_t named = 0;
  for (std::size_t k = 0; k < most; ++k) {
    const Suspect suspect = furthest(law, left);
    taken.push_back(indices[suspect.index]);
    if (suspect.p < outlier_significance / static_cast<double>(left.size())) named = k + 1;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(suspect.index));
    indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(suspect.index));
    // Leaving a size out may leave the law without a hold.
    std::vector<double> sizes;
    for (const FitPoint& point : left) sizes.push_back(point.x);
    std::sort(sizes.begin(), sizes.end());
    if (std::unique(sizes.begin(), sizes.end()) - sizes.begin() <= static_cast<std::ptrdiff_t>(law.parameters)) break;
  }
  taken.resize(named);
  return taken;
}

}  // namespace saturn
