#include <algorithm>
#include <cmath>

#include "calibration/fit/value_fit.hpp"
#include "calibration/fit/value_statistics.hpp"
#include "models/words/numbers.hpp"

namespace saturn {

namespace {

constexpr std::size_t fewest_for_order = 8;
constexpr double most_correlation = 0.95;

/// Correlation of neighbours, its bias (which is negative, since the mean is estimated) taken out; 0 where it is within
/// its error of 0.
double neighbour_correlation(std::span<const double> values, const Sample& sample) {
  if (values.size() < fewest_for_order || sample.sd == 0.0) return 0.0;
  double together = 0.0;
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    together += (values[i] - sample.mean) * (values[i + 1] - sample.mean);
  const double raw = together / (sample.sd * sample.sd * (sample.n - 1.0));
  const double unbiased = (raw + 1.0 / sample.n) / (1.0 - 3.0 / sample.n);
  return unbiased < 1.0 / std::sqrt(sample.n) ? 0.0 : std::min(unbiased, most_correlation);
}

}  // namespace

Fit fit_mean(std::span<const double> values, const std::string& label) {
  demand_sound_values(values, label, false);
  const Sample sample = sample_of(values);
  Fit fit{.law = "mean", .used = values.size()};
  fit.spread = spread_of(values);
  fit.x_low = fit.spread->least;
  fit.x_high = fit.spread->most;
  fit.parameters = {.names = {"mean"}, .values = {sample.mean}, .covariance = {0.0}};
  if (values.size() == 1 || sample.sd <= 1e-9 * sample.mean) {
    fit.error_unknown = true;
    fit.notes.emplace_back(values.size() == 1 ? "One value alone tells no scatter: its error is not known."
                                              : "All values are equal: their error is not known.");
    return fit;
  }
  const double correlation = neighbour_correlation(values, sample);
  const double independent = std::max(2.0, sample.n * (1.0 - correlation) / (1.0 + correlation));
  const double error = sample.sd / std::sqrt(independent);
  const double freedom = independent - 1.0;
  fit.parameters.covariance = {error * error};
  fit.parameters.degrees_of_freedom = freedom;
  fit.degrees_of_freedom = freedom;
  if (correlation > 0.0)
    fit.notes.emplace_back("Neighbouring values resemble each other (correlation " + significant(correlation, 3) +
                           "): " + std::to_string(values.size()) + " values count as " + significant(independent, 3) +
                           ".");
  if (values.size() < fewest_for_order || normality_a2(values) <= a2_at_5_percent) return fit;
  const BootstrappedMean bootstrapped = bootstrap_mean(values);
  const double wider =
      std::sqrt(sample.n / independent) * student_95(freedom) / student_95(std::max(1.0, sample.n - 1.0));
  fit.parameters.intervals_95 = {{sample.mean - (sample.mean - bootstrapped.interval.low) * wider,
                                  sample.mean + (bootstrapped.interval.high - sample.mean) * wider}};
  fit.notes.emplace_back("The values are not normal (median " + significant(fit.spread->median, 3) + ", least " +
                         significant(fit.spread->least, 3) + "): the interval is bootstrapped.");
  return fit;
}

}  // namespace saturn
