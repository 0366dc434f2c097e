#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/closed_loop_rates.hpp"
#include "calibration/measured_case.hpp"
#include "models/statistics/hypotheses.hpp"
#include "models/statistics/intervals.hpp"
#include "reports/answer/answer.hpp"

namespace saturn {

/// A measured point beside the simulated one.
struct ValidationRow {
  PublishedPoint measured;
  std::vector<Estimate> simulated;     ///< one for each of measured.values
  std::optional<double> little_ratio;  ///< see little_ratio()
  /// Items that are under way all the time, where a load generator was measured: the rate then is
  /// take_rate_of_loop()'s.
  std::optional<double> in_flight{};

  /// simulated / measured − 1 of the value with this index [1]
  double error(std::size_t index) const { return simulated[index].mean / measured.values[index].value - 1.0; }
  /// Whether the value with this index counts.
  bool scored(std::size_t index) const { return unscored().empty() && measured.values[index].scored; }
  /// Why no value of the row counts, in a word or two; empty when they do.
  std::string unscored() const;
  /// unscored(); else "identity" for a row that counts and predicts nothing, or how far the printed rate is off.
  std::string mark() const;
  /// The rate of a load generator beside the printed one; nothing where the row is of no load generator.
  std::optional<ClosedLoopRate> loop() const;
};

/// One set of measurements.
struct ValidationCase {
  MeasuredSystem about;
  std::vector<ValidationRow> rows;
  /// (hypotheses, rows) what each predicts, one for each of the row's measured values.
  std::vector<std::vector<std::vector<Estimate>>> rivals{};
};

struct ValidationReport {
  Provenance provenance;
  std::vector<std::string> changes;  ///< "/json/pointer=value" that the user changed in every row's scenario
  std::vector<ValidationCase> cases;
};

/// Errors of one quantity over the rows of a case that count.
struct Score {
  const MeasuredQuantity* quantity = nullptr;
  std::size_t rows = 0;
  std::size_t identities = 0;            ///< of them, rows that predict nothing
  double median_absolute_error = 0.0;    ///< [1]
  double worst_error = 0.0;              ///< with its sign [1]
  std::string worst_at;                  ///< label of the row where it is
  double mean_error = 0.0;               ///< with its sign [1]
  std::size_t rows_above = 0;            ///< of them, rows whose error is above 0
  std::size_t rows_below = 0;            ///< of them, rows whose error is below 0
  std::optional<RankCorrelation> trend;  ///< of the signed error with the order of the rows
  std::optional<ErrorTarget> target;

  /// Whether the errors keep within the target; nothing without a target or without rows.
  std::optional<bool> within() const;
};

/// One score for each quantity that the case has, in the order of measured_quantities().
std::vector<Score> scores(const ValidationCase& validation);

/// What a sentence says of a score, part by part; empty where there is nothing to say.
struct VerdictWords {
  std::string median{};          ///< of the absolute errors: "3.2 %"
  std::string worst{};           ///< "-8.1 % at 300 clients"
  std::string bias{};            ///< "-1.0 %", "-1.0 % (too low in every row)"
  std::string trend{};           ///< "no trend with load (p = 0.40)"
  std::string trend_in_short{};  ///< the same where there is little room: "no (p = 0.40)", "falls (p = 0.02)"
  std::string band{};            ///< that is asked for: "median 5 %, worst 20 %"
  std::string judgement{};       ///< "within 10 % everywhere", or whether the stated band is kept
};

VerdictWords verdict_words(const Score& score);

/// A score in a sentence: "median 3.2 %, worst -8.1 % at 300 clients, bias -1.0 %, no trend with load (p = 0.40):
/// within 10 % everywhere", or whether the stated band is kept.
std::string verdict_in_words(const Score& score);

/// Whether every error of every case keeps within its target. A target that no row counts for is not kept.
bool within_bands(const ValidationReport& report);

/// Two hypotheses judged by one quantity, over the rows that count in one case or in several.
struct Judgement {
  const MeasuredQuantity* quantity = nullptr;
  std::string first;
  std::string second;
  HypothesisComparison comparison;
};

/// The judgement of every quantity that the case has; none for a case without hypotheses.
std::vector<Judgement> judgements(const ValidationCase& validation);

/// The judgement over all cases together that have the same two hypotheses and decide by the same quantity; nothing
/// where there are fewer than two such cases.
std::optional<Judgement> joint_judgement(const ValidationReport& report);

/// Adds a case's rows beside both hypotheses, with the judgement in words and in numbers; nothing without hypotheses.
/// Numbers stand at "hypotheses", "predictions" and "judgements".
void add_hypotheses(Answer& answer, const ValidationCase& validation, bool details);
/// The same in words for all cases together; nothing where joint_judgement() is not.
void add_joint_hypotheses(Answer& answer, const ValidationReport& report);

/// All scores, then every case with its rows and scores; of a single case, that. Its CSV has a line a comparison:
/// case,point,quantity,measured,measured_sem,simulated,low,high,confidence,replications,error,scored
/// @param summary  people see the scores alone
Answer validation_answer(const ValidationReport& report, bool summary);
/// The same as a page in Markdown. The same report gives the same bytes; nothing of the machine or the time is in them.
std::string validation_page(const ValidationReport& report);

}  // namespace saturn
