#include "models/words/texts.hpp"
#include "reports/bottlenecks.hpp"
#include "reports/check_report.hpp"
#include "reports/number_text.hpp"
#include "reports/facts_text.hpp"

namespace saturn {

std::string check_table(const ReadScenario& read, const SystemFacts& facts, TextStyle style) {
  std::string text = heading(facts.title, style);
  const std::string verdict =
      read.warnings.empty() ? "is sound"
                            : "can be simulated, with " + counted(static_cast<double>(read.warnings.size()), "warning");
  text += "The scenario " + verdict + ": " + counted(facts.jobs, "job") + " on " +
          counted(facts.devices, facts.device_word) + ". An event that waits for nobody takes " +
          number_text(facts.ideal_event_time_s) + " s";
  if (facts.least_event_time_s)
    text += " on average, " + number_text(*facts.least_event_time_s) +
            " s with every call at the server that is fastest for it";
  text += facts.all_open ? ".\n"
                         : "; with all these jobs it takes at least " + number_text(facts.bound_event_time_s) + " s.\n";
  text += "\n" + breakdown_text(facts, style);
  const std::string comparison = cpu_comparison_text(facts, style);
  if (!comparison.empty()) text += "\n" + comparison;
  text += "\n" + binding_here(facts) + "\n" + bottlenecks_text(facts, {}, style);
  if (!facts.product_form_violations.empty()) {
    text += "\n" + heading("Mean value analysis is an approximation here, since", style);
    for (const std::string& reason : facts.product_form_violations) text += "  " + reason + "\n";
  }
  return text;
}

std::string check_csv(const SystemFacts& facts) {
  CsvRows rows;
  add_facts(rows, facts);
  return rows.text();
}

}  // namespace saturn
