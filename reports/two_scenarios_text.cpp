#include <cmath>

#include "models/words/texts.hpp"
#include "reports/number_text.hpp"
#include "reports/facts_text.hpp"
#include "reports/two_scenarios_report.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

constexpr double nearly_sure = 0.9999;

std::string chance_text(const std::optional<double>& chance) {
  if (!chance) return "unknown";
  if (*chance > nearly_sure && *chance < 1.0) return "> 99.99 %";
  if (*chance<1.0 - nearly_sure&& * chance> 0.0) return "< 0.01 %";
  return percent_text(*chance);
}

std::string relative_text(const PairedDifference& paired) {
  return paired.a.mean == 0.0 ? "–" : signed_percent_text(paired.difference.mean / paired.a.mean);
}

std::string pairs_text(const TwoScenariosReport& report) {
  if (report.comparison.nothing_drawn) return "nothing is drawn in either, so one run of each tells all";
  return counted(report.comparison.pairs, "pair") + " of replications with the same random numbers";
}

std::string decision_text(const TwoScenariosReport& report) {
  if (!report.comparison.in_common)
    return "No verdict: A and B have nothing in common, neither jobs nor a model of the same name. Compare variants of "
           "one scenario (--set-a, --set-b), or give jobs that do the same work the same name.";
  const ComparedNumber& first = report.comparison.numbers.front();
  const std::string by = first.name + " B − A is " + estimate_text(first.paired.difference) + " " + first.unit + " (" +
                         relative_text(first.paired) + ")";
  switch (report.decision) {
    case Decision::a_better:
      return "A is better: " + by + ".";
    case Decision::b_better:
      return "B is better: " + by + ".";
    case Decision::no_difference:
      return "No difference of " + percent_text(report.least_difference) + " or more: " + by + ".";
    case Decision::undecided:
      break;
  }
  return "UNDECIDED" +
         (report.out_of_time ? " within the budget of " + number_text(report.budget_s.value_or(0.0), 3) +
                                   " s (how many pairs that is depends on the machine)"
                             : "") +
         ": " + by +
         "; raise /run/max_replications, give more time with --budget, or accept a larger "
         "--least-difference.";
}

}  // namespace

const char* name_of(Decision decision) {
  switch (decision) {
    case Decision::a_better:
      return "A is better";
    case Decision::b_better:
      return "B is better";
    case Decision::no_difference:
      return "no difference";
    case Decision::undecided:
      break;
  }
  return "undecided";
}

std::string two_scenarios_table(const TwoScenariosReport& report, TextStyle style) {
  std::string text = heading("A: " + report.title_a + " (" + report.name_a + ")", style);
  text += heading("B: " + report.title_b + " (" + report.name_b + ")", style);
  text += decision_text(report) + "\n\n";
  TextTable table({{"number"},
                   {"A", Align::right},
                   {"B", Align::right},
                   {"B − A", Align::right},
                   {"relative", Align::right},
                   {"chance that A is better", Align::right}});
  for (const ComparedNumber& number : report.comparison.numbers) {
    table.add_row({number.name + " [" + number.unit + "]", estimate_text(number.paired.a),
                   estimate_text(number.paired.b), estimate_text(number.paired.difference),
                   relative_text(number.paired),
                   report.comparison.in_common ? chance_text(number.paired.a_better) : "–"});
  }
  text += table.text(style);
  text += "  " + pairs_text(report) + "\n";
  if (!report.comparison.nothing_drawn && report.comparison.in_common) {
    text +=
        "  The chance is of the mean over all events, by Student's law, if nothing was known before; 50 % says "
        "nothing.\n";
  }
  for (const std::string& note : report.notes) text += "  " + note + "\n";
  for (const std::string& left : report.comparison.left_out) text += "  left out: " + left + "\n";
  text += "  saturn " + report.provenance.version + " on SimGrid " + report.provenance.simgrid + ", seed " +
          std::to_string(report.provenance.seed) + "\n  again: " + report.provenance.command + "\n";
  return text;
}

}  // namespace saturn
