#include "calibration/fit/value_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/fit/fit_text.hpp"
#include "models/quantiles.hpp"
#include "models/random_stream.hpp"
#include "scenarios/complaint.hpp"

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
                                  in_short(values[i]) + "; allowed are numbers " +
                                  (zero_allowed ? "not below 0" : "above 0") +
                                  " and of a size that is measured: take it out of the measurement."});
  }
  if (!complaints.empty()) throw InputError(complaints);
}

}  // namespace saturn
