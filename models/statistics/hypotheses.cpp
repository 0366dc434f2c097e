#include "models/statistics/hypotheses.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/core.h>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "models/laws/random_stream.hpp"
#include "models/words/numbers.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_counted_rows = 20;
constexpr std::uint64_t drawn_flips = 100'000;

/// Sums that differ by rounding errors alone are equal.
double just_below(double seen, const std::vector<double>& differences) {
  double sizes = 0.0;
  for (const double difference : differences) sizes += std::abs(difference);
  return std::abs(seen) - 1e-12 * sizes;
}

double counted_p_value(const std::vector<double>& differences, double least) {
  const std::uint64_t all = std::uint64_t{1} << differences.size();
  std::uint64_t extreme = 0;
  for (std::uint64_t signs = 0; signs < all; ++signs) {
    double sum = 0.0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      sum += ((signs >> i) & 1U) != 0 ? -differences[i] : differences[i];
    }
    if (std::abs(sum) >= least) ++extreme;
  }
  return static_cast<double>(extreme) / static_cast<double>(all);
}

double drawn_p_value(const std::vector<double>& differences, double least) {
  RandomStream random(1, 0, 0, Purpose::start);
  std::uint64_t extreme = 0;
  for (std::uint64_t flip = 0; flip < drawn_flips; ++flip) {
    double sum = 0.0;
    for (const double difference : differences) sum += random.uniform() < 0.5 ? -difference : difference;
    if (std::abs(sum) >= least) ++extreme;
  }
  // The order that was seen is one of those that are possible.
  return static_cast<double>(extreme + 1) / static_cast<double>(drawn_flips + 1);
}

double sign_flip_p_value(const std::vector<double>& differences) {
  if (differences.empty()) return 1.0;
  const double seen = std::accumulate(differences.begin(), differences.end(), 0.0);
  const double least = just_below(seen, differences);
  return differences.size() <= most_counted_rows ? counted_p_value(differences, least)
                                                 : drawn_p_value(differences, least);
}

std::string per_cent(double fraction) {
  return fmt::format("{:.{}f} %", 100.0 * fraction, fraction < 0.0995 ? 1 : 0);
}

}  // namespace

std::optional<HypothesisComparison> compare_hypotheses(std::span<const RivalPredictions> rows) {
  if (rows.empty()) return std::nullopt;
  HypothesisComparison result;
  result.rows = rows.size();
  double first_squares = 0.0;
  double second_squares = 0.0;
  std::vector<double> differences;
  for (const RivalPredictions& row : rows) {
    if (!(row.measured > 0.0) || !(row.first > 0.0) || !(row.second > 0.0)) {
      throw std::invalid_argument("compare_hypotheses: a number that is not above 0 has no logarithm");
    }
    if (!(std::abs(std::log(row.first / row.second)) > least_telling_difference)) continue;
    const double first = std::log(row.first / row.measured);
    const double second = std::log(row.second / row.measured);
    first_squares += first * first;
    second_squares += second * second;
    differences.push_back(second * second - first * first);
    ++(std::abs(first) <= std::abs(second) ? result.first : result.second).rows_closer;
  }
  result.telling_rows = differences.size();
  if (differences.empty()) return result;
  const auto n = static_cast<double>(differences.size());
  result.first.typical_error = std::sqrt(first_squares / n);
  result.second.typical_error = std::sqrt(second_squares / n);
  constexpr double least = std::numeric_limits<double>::min();
  result.log_likelihood_ratio = n / 2 * std::log(std::max(second_squares, least) / std::max(first_squares, least));
  result.p_value = sign_flip_p_value(differences);
  return result;
}

std::string judgement_in_words(const HypothesisComparison& comparison, const std::string& first,
                               const std::string& second) {
  const bool leads = comparison.favours_first();
  const HypothesisFit& better = leads ? comparison.first : comparison.second;
  const HypothesisFit& worse = leads ? comparison.second : comparison.first;
  if (comparison.telling_rows == 0) return "The rows cannot tell: both predict the same for each of them.";
  const std::string numbers = "typical error " + per_cent(better.typical_error) + " against " +
                              per_cent(worse.typical_error) + ", closer in " + std::to_string(better.rows_closer) +
                              " of " + std::to_string(comparison.telling_rows) +
                              (comparison.telling_rows == 1 ? " row that tells" : " rows that tell") +
                              " them apart, p = " + significant(comparison.p_value, 2);
  if (comparison.can_tell()) return "The rows favour " + (leads ? first : second) + ": " + numbers + ".";
  return "The rows cannot tell: " + (leads ? first : second) + " does better (" + numbers + ").";
}

}  // namespace saturn
