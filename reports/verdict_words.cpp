#include <algorithm>
#include <array>
#include <cmath>

#include "models/words/texts.hpp"
#include "reports/number_text.hpp"
#include "reports/validation_report.hpp"

namespace saturn {

namespace {

/// Errors that nobody acts upon: their order and their sign are of no interest.
constexpr double negligible = 0.005;
constexpr double significant = 0.05;
constexpr std::array<double, 7> rounded_bounds{0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3};

std::string trend_words(const Score& score) {
  if (score.rows < 3) return "too few rows for a trend";
  if (std::abs(score.worst_error) < negligible || !score.trend) return "no trend with load";
  const std::string p = "p = " + number_text(score.trend->p_value, 2);
  if (score.trend->p_value >= significant) return "no trend with load (" + p + ")";
  return std::string("errors that ") + (score.trend->rho > 0.0 ? "rise" : "fall") + " with load (rank correlation " +
         fixed_text(score.trend->rho, 2) + ", " + p + ")";
}

std::string trend_in_short(const Score& score) {
  if (score.rows < 3) return "";
  if (std::abs(score.worst_error) < negligible || !score.trend) return "no";
  const std::string p = " (p = " + number_text(score.trend->p_value, 2) + ")";
  if (score.trend->p_value >= significant) return "no" + p;
  return (score.trend->rho > 0.0 ? "rises" : "falls") + p;
}

/// Says when the simulation is off in the same direction everywhere: that is no scatter.
std::string bias_words(const Score& score) {
  std::string text = signed_percent_text(score.mean_error);
  if (score.rows < 3 || std::abs(score.mean_error) < negligible) return text;
  if (score.rows_above == score.rows) return text + " (too high in every row)";
  if (score.rows_below == score.rows) return text + " (too low in every row)";
  return text;
}

std::string band_words(const ErrorTarget& target) {
  std::string text;
  if (target.median) text = "median " + percent_text(*target.median);
  if (target.worst) append_part(text, "worst " + percent_text(*target.worst));
  return text;
}

std::string judgement_words(const Score& score) {
  if (const auto within = score.within())
    return (*within ? "within the band asked for (" : "OUTSIDE the band asked for (") + band_words(*score.target) + ")";
  const double worst = std::abs(score.worst_error);
  const auto* bound =
      std::find_if(rounded_bounds.begin(), rounded_bounds.end(), [&](double candidate) { return worst <= candidate; });
  if (bound == rounded_bounds.end()) return "off by up to " + percent_text(worst);
  return "within " + percent_text(*bound) + " everywhere";
}

}  // namespace

VerdictWords verdict_words(const Score& score) {
  VerdictWords words;
  if (score.target) words.band = band_words(*score.target);
  if (score.rows == 0) {
    words.judgement = "no row counts" + std::string(score.target ? ": the band asked for is not kept" : "");
    return words;
  }
  words.worst = signed_percent_text(score.worst_error) + " at " + score.worst_at;
  words.judgement = judgement_words(score);
  if (score.rows == 1) return words;
  words.median = fixed_text(score.median_absolute_error * 100.0, 1) + " %";
  words.bias = bias_words(score);
  words.trend = trend_words(score);
  words.trend_in_short = trend_in_short(score);
  return words;
}

std::string verdict_in_words(const Score& score) {
  const VerdictWords words = verdict_words(score);
  if (score.rows == 0) return words.judgement;
  if (score.rows == 1) return words.worst + ", the only row that counts: " + words.judgement;
  return "median " + words.median + ", worst " + words.worst + ", bias " + words.bias + ", " + words.trend + ": " +
         words.judgement;
}

}  // namespace saturn
