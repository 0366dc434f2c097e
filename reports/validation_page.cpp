#include <algorithm>

#include "models/words/texts.hpp"
#include "reports/validation_report.hpp"
#include "reports/validation_tables.hpp"

namespace saturn {

namespace {

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : text + "\n\n";
}

std::string item(const std::string& name, const std::string& text) {
  return text.empty() ? "" : "- " + name + ": " + markdown_text(text) + "\n";
}

std::string block(const std::string& text) {
  return text.empty() ? "" : "```text\n" + text.substr(text.find_first_not_of('\n')) + "```\n\n";
}

std::string counted(const ValidationReport& report) {
  std::size_t rows = 0;
  std::size_t bands = 0;
  std::size_t kept = 0;
  std::size_t identities = 0;
  for (const ValidationCase& validation : report.cases) {
    rows += validation.rows.size();
    for (const Score& score : scores(validation)) {
      if (!score.target) continue;
      ++bands;
      if (score.within().value_or(false)) ++kept;
      if (score.rows > 0 && score.identities == score.rows) ++identities;
    }
  }
  return std::to_string(report.cases.size()) + " cases with " + std::to_string(rows) + " measured rows; " +
         std::to_string(kept) + " of " + std::to_string(bands) + " stated bands are kept, " +
         std::to_string(identities) + " of them by rows that predict nothing (identity).";
}

std::string changes_paragraph(const ValidationReport& report) {
  if (report.changes.empty()) return paragraph("");
  return paragraph("**Changed in every scenario**: " + markdown_text(joined(report.changes)) + ".");
}

std::string case_section(const ValidationCase& validation) {
  const MeasuredSystem& about = validation.about;
  std::string text = "## " + about.id + "\n\n";
  text += paragraph(markdown_text(about.title) + ".");
  text +=
      item("Source", about.source + (about.verified || !about.published ? "" : "; not compared with the publication"));
  text += "- Simulated: scenario `" + about.scenario + "`\n";
  text += item("Calibration", about.calibration) + item("Notes", about.notes) + "\n";
  for (const TextTable& table : point_tables(validation)) text += table.markdown() + "\n";
  std::string remarks;
  for (const auto& [rows, remark] : row_remarks(validation)) remarks += item(markdown_text(rows), remark);
  if (!remarks.empty()) text += remarks + "\n";
  text += case_score_table(validation).markdown() + "\n";
  if (!about.published) {
    for (const Score& score : scores(validation))
      text += item("Verdict, " + std::string(score.quantity->heading), verdict_in_words(score));
    text += "\n";
  }
  return text + block(hypotheses_text(validation, {}));
}

std::string introduction(const ValidationReport& report) {
  const bool own = std::any_of(report.cases.begin(), report.cases.end(),
                               [](const ValidationCase& validation) { return !validation.about.published; });
  if (own)
    return "# Own measurements beside the simulation\n\n" +
           paragraph("Every number of this page is computed: `" + report.provenance.command + "` (saturn " +
                     report.provenance.version + ") simulates each measured row and compares.");
  return "# Published measurements beside the simulation\n\n" +
         paragraph(
             "Every number of this page is computed: `saturn validate --all --write docs/validation.md` (saturn " +
             report.provenance.version +
             ") simulates each measured row and writes it. [models/validation.md](models/validation.md) says what is "
             "compared, what counts, and what the columns mean. A case states a band for each quantity: what median "
             "and what worst error must stay within. The program ends with exit code 3 if an error leaves its band.");
}

}  // namespace

std::string validation_page(const ValidationReport& report) {
  std::string text = introduction(report);
  text += changes_paragraph(report);
  text += "## All cases\n\n" + paragraph(counted(report)) + all_scores_table(report).markdown() + "\n";
  text += block(joint_hypotheses_text(report, {}));
  for (const ValidationCase& validation : report.cases) text += case_section(validation);
  return text.substr(0, text.find_last_not_of('\n') + 1) + "\n";
}

}  // namespace saturn
