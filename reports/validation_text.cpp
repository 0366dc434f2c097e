#include "models/words/texts.hpp"
#include "reports/validation_report.hpp"
#include "reports/validation_tables.hpp"

namespace saturn {

namespace {

std::string all_scores(const ValidationReport& report, TextStyle style) {
  return heading("All cases" + changes_text(report.changes), style) + all_scores_table(report).text(style);
}

/// Shipped cases state a band for every quantity, and the table says whether it is kept.
std::string verdicts(const ValidationCase& validation) {
  if (validation.about.published) return "";
  std::vector<std::pair<std::string, std::string>> notes;
  for (const Score& score : scores(validation))
    notes.emplace_back("VERDICT, " + std::string(score.quantity->heading), verdict_in_words(score));
  return "\n" + notes_text(notes);
}

std::string case_text(const ValidationCase& validation, const std::vector<std::string>& changes, TextStyle style) {
  const MeasuredSystem& about = validation.about;
  std::string text = heading(about.title + changes_text(changes), style);
  text += notes_text(
      {{"measured", about.source + (about.verified || !about.published ? "" : "; not compared with the publication")},
       {"simulated", "scenario " + about.scenario},
       {"calibration", about.calibration}});
  for (const TextTable& table : point_tables(validation)) text += table.text(style) + "\n";
  return text + notes_text(row_remarks(validation)) + notes_text({{"note", about.notes}}) +
         case_score_table(validation).text(style) + verdicts(validation) + hypotheses_text(validation, style);
}

}  // namespace

std::string validation_summary(const ValidationReport& report, TextStyle style) {
  return all_scores(report, style) + joint_hypotheses_text(report, style);
}

std::string validation_table(const ValidationReport& report, TextStyle style) {
  std::string text;
  for (const ValidationCase& validation : report.cases) {
    append_part(text, case_text(validation, report.changes, style), "\n");
  }
  text += joint_hypotheses_text(report, style);
  if (report.cases.size() > 1) text += "\n" + all_scores(report, style);
  return text;
}

}  // namespace saturn
