#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "calibration/fit/fit.hpp"
#include "calibration/fit/value_fit.hpp"
#include "models/statistics/quantiles.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

/// Above it the differences of digammas lose their digits, and their first terms are exact to nine digits.
constexpr double large_shape = 1e5;

/// Expected ln(arithmetic/geometric mean) of n gamma variables; n infinite: of the law itself.
double expected_gap(double shape, double n) {
  if (std::isinf(n)) return shape > large_shape ? 0.5 / shape : std::log(shape) - digamma(shape);
  if (shape > large_shape) return 0.5 / shape * (1.0 - 1.0 / n);
  return digamma(n * shape) - std::log(n) - digamma(shape);
}

/// Its variance for n variables.
double variance_of_gap(double shape, double n) {
  if (shape > large_shape) return 0.5 * (n - 1.0) / (n * n * shape * shape);
  return trigamma(shape) / n - trigamma(n * shape);
}

/// Newton's method for the shape in log scale: there the gap falls almost like 1/shape.
double shape_of(double gap, double n) {
  double shape = std::max((std::isinf(n) ? 0.5 : 0.5 * (1.0 - 1.0 / n)) / gap, 1e-3);
  for (int i = 0; i < 50; ++i) {
    const double now = expected_gap(shape, n);
    const double step = 1e-5;
    const double slope = (expected_gap(shape * (1.0 + step), n) - now) / (now * step);
    const double move = std::clamp(std::log(gap / now) / slope, -2.0, 2.0);
    shape *= std::exp(move);
    if (std::abs(move) < 1e-10) break;
  }
  return shape;
}

/// Probability of a gap at most as large: 2·n·shape·gap is nearly a multiple of chi².
double gap_probability(double gap, double shape, double n) {
  const double twice = 2.0 * n * shape;
  const double mean = twice * expected_gap(shape, n);
  const double variance = twice * twice * variance_of_gap(shape, n);
  const double freedom = 2.0 * mean * mean / variance;
  const double scaled = twice * gap * 2.0 * mean / variance;
  // Beyond a double's range lie shapes that no gap makes likely.
  if (!std::isfinite(freedom) || !(freedom > 0.0) || !std::isfinite(scaled)) return shape < 1.0 ? 0.0 : 1.0;
  return plain::chi_squared_below(freedom, scaled);
}

/// The shape at which so small a gap has the given probability.
double shape_limit(double gap, double n, double probability, double centre) {
  double low = std::log(centre) - 12.0;
  double high = std::log(centre) + 12.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (gap_probability(gap, std::exp(middle), n) < probability ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

/// Values as normal ones, if they are gamma variables.
double a2_under_gamma(double shape, double scale, std::span<const double> values) {
  std::vector<double> normal;
  for (const double value : values) {
    const double below = std::clamp(plain::gamma_below(shape, scale, value), 1e-15, 1.0 - 1e-15);
    normal.push_back(plain::normal_quantile(below));
  }
  return normality_a2(normal);
}

}  // namespace

TimeLaw fit_gamma(std::span<const double> values) {
  const Sample sample = sample_of(values);
  double gap = 0.0;
  double logs = 0.0;
  for (const double value : values) {
    const double away = (value - sample.mean) / sample.mean;
    // The sum of `away` is 0; without it the logarithms of values that hardly differ would cancel.
    gap -= (std::log1p(away) - away) / sample.n;
    logs += std::log(value);
  }
  const double shape = shape_of(gap, sample.n);
  const double cv = 1.0 / std::sqrt(shape);
  const double variance_of_shape = 1.0 / (sample.n * sample.n * variance_of_gap(shape, sample.n));
  const double mean_error = sample.mean * cv / std::sqrt(sample.n);
  const double stretch = std::exp(student_95(sample.n - 1.0) * cv / std::sqrt(sample.n));
  const double likeliest = shape_of(gap, std::numeric_limits<double>::infinity());
  TimeLaw law{.name = "gamma"};
  law.parameters = {.names = {"mean", "cv"},
                    .values = {sample.mean, cv},
                    .covariance = {mean_error * mean_error, 0.0, 0.0, 0.25 * std::pow(shape, -3.0) * variance_of_shape},
                    .degrees_of_freedom = sample.n - 1.0,
                    .intervals_95 = {{sample.mean / stretch, sample.mean * stretch},
                                     {1.0 / std::sqrt(shape_limit(gap, sample.n, 0.975, shape)),
                                      1.0 / std::sqrt(shape_limit(gap, sample.n, 0.025, shape))}}};
  law.log_likelihood = sample.n * (likeliest * std::log(likeliest / sample.mean) - std::lgamma(likeliest) - likeliest) +
                       (likeliest - 1.0) * logs;
  // Of such a shape the law is normal to a thousandth of its deviation, and its function costs too many terms.
  constexpr double normal_shape = 1e6;
  if (sample.n >= 3.0)
    law.a2 =
        likeliest > normal_shape ? normality_a2(values) : a2_under_gamma(likeliest, sample.mean / likeliest, values);
  return law;
}

TimeLaw fit_lognormal(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  const Sample sample = sample_of(logs);
  const double n = sample.n;
  const double spread = sample.sd * sample.sd;
  const double mean = std::exp(sample.mean + 0.5 * spread);
  const double cv = std::sqrt(std::expm1(spread));
  const double variance_of_spread = 2.0 * spread * spread / (n - 1.0);
  const double log_error = std::sqrt(spread / n + 0.25 * variance_of_spread);
  const double cv_slope = std::exp(spread) / (2.0 * cv);
  const double both = 0.5 * mean * cv_slope * variance_of_spread;
  const double stretch = std::exp(student_95(n - 1.0) * log_error);
  const auto cv_at = [&](double probability) {
    return std::sqrt(std::expm1((n - 1.0) * spread / chi_squared_quantile(n - 1.0, probability)));
  };
  TimeLaw law{.name = "lognormal"};
  law.parameters = {.names = {"mean", "cv"},
                    .values = {mean, cv},
                    .covariance = {std::pow(mean * log_error, 2), both, both, cv_slope * cv_slope * variance_of_spread},
                    .degrees_of_freedom = n - 1.0,
                    .intervals_95 = {{mean / stretch, mean * stretch}, {cv_at(0.975), cv_at(0.025)}}};
  const double likeliest = spread * (n - 1.0) / n;
  law.log_likelihood = -0.5 * n * (std::log(2.0 * std::numbers::pi * likeliest) + 1.0) - n * sample.mean;
  law.a2 = n >= 3.0 ? normality_a2(logs) : 0.0;
  return law;
}

namespace {

constexpr std::size_t most_quantiles = 200;
constexpr std::size_t fewest_to_choose = 8;
constexpr std::size_t fewest_to_reject = 20;
constexpr std::size_t fewest_for_outliers = 6;
constexpr double outlier_factor = 3.0;
constexpr double outlier_deviations = 5.0;
constexpr std::size_t most_values_named = 5;

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

/// Indices of values far above the rest: by the median and the median absolute deviation of their logarithms.
std::vector<std::size_t> far_above(std::span<const double> times) {
  std::vector<double> logs;
  for (const double time : times)
    if (time > 0.0) logs.push_back(std::log(time));
  if (logs.size() < fewest_for_outliers) return {};
  const double centre = median_of(logs);
  std::vector<double> away;
  for (const double log : logs) away.push_back(std::abs(log - centre));
  const double limit = std::max(std::log(outlier_factor), outlier_deviations * 1.4826 * median_of(away));
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] > 0.0 && std::log(times[i]) - centre > limit) found.push_back(i);
  return found;
}

std::string times_the_median(double time, const ValueSpread& spread) {
  return significant(time, 3) + " s (" + significant(time / spread.median, 3) + " times the median)";
}

Fit constant_fit(const Sample& sample, const std::string& note) {
  Fit fit{.law = "constant", .parameters = {.names = {"mean"}, .values = {sample.mean}, .covariance = {0.0}}};
  fit.error_unknown = true;
  fit.notes.push_back(note);
  return fit;
}

/// At most 200 equally likely values with the mean of all.
std::vector<double> quantiles_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  if (times.size() <= most_quantiles) return times;
  std::vector<double> quantiles;
  for (std::size_t i = 0; i < most_quantiles; ++i) {
    const double rank = (static_cast<double>(i) + 0.5) / static_cast<double>(most_quantiles);
    quantiles.push_back(times[static_cast<std::size_t>(rank * static_cast<double>(times.size()))]);
  }
  const double factor = sample_of(times).mean / sample_of(quantiles).mean;
  for (double& quantile : quantiles) quantile *= factor;
  return quantiles;
}

Fit empirical_fit(const std::vector<double>& times, const std::string& note) {
  const BootstrappedMean bootstrapped = bootstrap_mean(times);
  Fit fit{.law = "empirical"};
  fit.parameters = {.names = {"mean"},
                    .values = {sample_of(times).mean},
                    .covariance = {bootstrapped.standard_error * bootstrapped.standard_error},
                    .degrees_of_freedom = static_cast<double>(times.size()) - 1.0,
                    .intervals_95 = {bootstrapped.interval}};
  fit.values = quantiles_of(times);
  fit.notes.push_back(note);
  return fit;
}

Fit lawful_fit(const TimeLaw& law, const std::string& note) {
  Fit fit{.law = law.name, .parameters = law.parameters};
  fit.notes.push_back(note);
  return fit;
}

bool is_finite(const TimeLaw& law) {
  const auto finite = [](double value) { return std::isfinite(value); };
  const FittedParameters& p = law.parameters;
  return std::all_of(p.values.begin(), p.values.end(), finite) &&
         std::all_of(p.covariance.begin(), p.covariance.end(), finite) &&
         std::all_of(p.intervals_95.begin(), p.intervals_95.end(),
                     [](const ParameterInterval& one) { return std::isfinite(one.low) && std::isfinite(one.high); });
}

/// The law that the values choose.
Fit chosen_fit(const std::vector<double>& times) {
  const TimeLaw gamma = fit_gamma(times);
  if (!is_finite(gamma))
    return empirical_fit(times, "The times differ by too many powers of ten for any law: they stand for themselves.");
  if (times.size() < fewest_to_choose)
    return lawful_fit(
        gamma, counted(times.size(), "value") + " cannot tell a gamma law from a lognormal one: gamma is assumed.");
  const TimeLaw lognormal = fit_lognormal(times);
  const auto rejected = [&](const TimeLaw& law) {
    if (!is_finite(law)) return true;
    return times.size() >= fewest_to_reject && law.a2 > a2_at_1_percent;
  };
  if (rejected(gamma) && rejected(lognormal))
    return empirical_fit(times, "Neither a gamma nor a lognormal law describes the times (Anderson-Darling A2 " +
                                    significant(gamma.a2, 3) + " and " + significant(lognormal.a2, 3) +
                                    ", above 1.035 at 1 %): the measured values stand for themselves.");
  const bool gamma_likelier = gamma.log_likelihood >= lognormal.log_likelihood;
  // Both laws have two parameters: Akaike's criteria differ by the likelihoods alone.
  const std::string better = "by Akaike's criterion, " +
                             significant(2.0 * std::abs(gamma.log_likelihood - lognormal.log_likelihood), 3) +
                             " better than ";
  const bool take_gamma = rejected(lognormal) || (gamma_likelier && !rejected(gamma));
  if (take_gamma != gamma_likelier)
    return lawful_fit(take_gamma ? gamma : lognormal, "The other law is rejected by the Anderson-Darling test at 1 %.");
  return take_gamma ? lawful_fit(gamma, "Gamma " + better + "lognormal.")
                    : lawful_fit(lognormal, "Lognormal " + better + "gamma.");
}

void name_far_values(Fit& fit, std::span<const double> times, const std::vector<std::size_t>& far) {
  for (std::size_t i = 0; i < std::min(far.size(), most_values_named); ++i)
    fit.notes.emplace_back("Value " + std::to_string(far[i] + 1) + " stands far above the others: " +
                           times_the_median(times[far[i]], *fit.spread) + "; it is kept, since long tails are real.");
  if (far.size() > most_values_named)
    fit.notes.emplace_back("So do " + counted(far.size() - most_values_named, "more value") + ".");
}

Fit fit_sound_times(const std::vector<double>& times) {
  const Sample sample = sample_of(times);
  const auto zeros = std::count(times.begin(), times.end(), 0.0);
  if (times.size() == 1) return constant_fit(sample, "One value alone tells no scatter: its error is not known.");
  if (sample.sd <= 1e-9 * sample.mean)
    return constant_fit(sample, "All " + counted(times.size(), "value") +
                                    " are equal: their scatter is below what the measurement resolves, and the error "
                                    "is not known.");
  if (zeros > 0)
    return empirical_fit(times, std::to_string(zeros) + " of " + counted(times.size(), "value") +
                                    " are 0, which no gamma or lognormal law gives: the values stand for themselves.");
  return chosen_fit(times);
}

}  // namespace

Fit fit_times(std::span<const double> times, const std::string& label) {
  demand_sound_values(times, label, true);
  std::vector<double> kept(times.begin(), times.end());
  if (sample_of(times).mean <= 0.0)
    refuse_fit(label, "calibration.bad_value",
               "All " + counted(times.size(), "value") +
                   " are 0 s; a time above 0 is needed: does the file count in "
                   "another unit?");
  std::vector<std::size_t> far = far_above(times);
  const bool first_is_far = !far.empty() && far.front() == 0;
  if (first_is_far) {
    kept.erase(kept.begin());
    far.erase(far.begin());
  }
  Fit fit = fit_sound_times(kept);
  fit.spread = spread_of(kept);
  fit.used = kept.size();
  fit.degrees_of_freedom = fit.parameters.degrees_of_freedom;
  fit.x_low = fit.spread->least;
  fit.x_high = fit.spread->most;
  if (first_is_far)
    fit.notes.emplace_back("The first event is an outlier and left out: " + times_the_median(times[0], *fit.spread) +
                           ", as when a job initialises things.");
  name_far_values(fit, times, far);
  return fit;
}

Fit fit_times_summary(double mean, std::optional<double> sd, std::size_t count, const std::string& label) {
  if (count == 0)
    refuse_fit(label, "calibration.too_few_points", "The summary counts no events: measure one at least.");
  if (!std::isfinite(mean) || mean <= 0.0)
    refuse_fit(label, "calibration.bad_value",
               "The mean time is " + significant(mean, 3) + " s; allowed are numbers above 0.");
  if (sd && (!std::isfinite(*sd) || *sd < 0.0))
    refuse_fit(label, "calibration.bad_value",
               "The standard deviation is " + significant(*sd, 3) + " s; allowed are numbers not below 0.");
  const auto n = static_cast<double>(count);
  Fit fit = constant_fit(
      {n, mean, 0.0}, !sd ? "The summary has no standard deviation: a constant is assumed, and its error is not known."
                      : count == 1 ? "One event tells no scatter: its error is not known."
                                   : "The standard deviation is 0: a constant of unknown error.");
  fit.used = count;
  if (!sd || *sd == 0.0 || count == 1) return fit;
  const double cv = *sd / mean;
  // Delta method for moments of a gamma law; mean and cv are then uncorrelated.
  fit = {.law = "gamma", .used = count};
  fit.parameters = {.names = {"mean", "cv"},
                    .values = {mean, cv},
                    .covariance = {*sd * *sd / n, 0.0, 0.0, cv * cv * (1.0 + cv * cv) / (2.0 * n)},
                    .degrees_of_freedom = n - 1.0};
  fit.degrees_of_freedom = n - 1.0;
  fit.notes.emplace_back("A gamma law by its mean and standard deviation; single times would tell whether it holds.");
  return fit;
}

}  // namespace saturn
