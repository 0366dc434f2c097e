#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

/// Which of two explanations of the same measured rows the rows favour, and by how much.

namespace saturn {

/// A measured row beside what two hypotheses predict, in any unit; all above 0.
struct RivalPredictions {
  double measured = 0.0;
  double first = 0.0;
  double second = 0.0;
};

/// How well one hypothesis does, over the telling rows.
struct HypothesisFit {
  double typical_error = 0.0;  ///< root mean square of ln(predicted / measured) [1]
  std::size_t rows_closer = 0;
};

/// Two hypotheses over the same rows. Only telling rows judge: where a model misses every row by a little, and in the
/// same direction, any number of rows with nearly equal predictions would seem to favour whichever hypothesis happens
/// to lie on that side.
struct HypothesisComparison {
  std::size_t rows = 0;
  std::size_t telling_rows = 0;  ///< n: their two predictions differ by more than least_telling_difference
  HypothesisFit first;
  HypothesisFit second;
  /// n/2·ln(RSS_second/RSS_first), RSS the sum of squared errors: how much likelier the rows are under the first, with
  /// normal errors of the logarithm whose scatter is whatever each hypothesis leaves; below 0 when the second does
  /// better.
  double log_likelihood_ratio = 0.0;
  /// Chance of a difference of the two sums of squares at least as large, of either sign, were each row as likely to
  /// favour the one as the other (paired sign-flip permutation test).
  double p_value = 1.0;

  /// True when the first has the smaller typical error.
  bool favours_first() const { return log_likelihood_ratio > 0.0; }
  /// Whether the rows can tell: p_value below 0.05.
  bool can_tell() const { return p_value < 0.05; }
};

/// Predictions that differ by less are the same to any measurement [1].
inline constexpr double least_telling_difference = 0.01;

/// Compares by the logarithms of predicted over measured, so that rows of all sizes count alike. The rows are taken as
/// independent. All 2^n signs are tried for up to 20 telling rows, else 100,000 drawn ones, always the same.
/// @param rows  (n)
/// @returns nothing without rows
/// @throws std::invalid_argument  a number that is not above 0
/// Source  permutation test: E. S. Edgington, P. Onghena, "Randomization Tests", 4th ed. (2007), paired comparisons
std::optional<HypothesisComparison> compare_hypotheses(std::span<const RivalPredictions> rows);

/// "The rows favour X: typical error 9 % against 14 %, closer in 10 of 14 rows that tell them apart, p = 0.03." or why
/// they cannot tell.
std::string judgement_in_words(const HypothesisComparison& comparison, const std::string& first,
                               const std::string& second);

}  // namespace saturn
