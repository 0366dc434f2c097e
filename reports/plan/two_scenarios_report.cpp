#include "reports/plan/two_scenarios_report.hpp"

#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr double nearly_sure = 0.9999;

std::string chance_text(const std::optional<double>& chance) {
  if (!chance) return "unknown";
  if (*chance > nearly_sure && *chance < 1.0) return "> 99.99 %";
  if (*chance<1.0 - nearly_sure&& * chance> 0.0) return "< 0.01 %";
  return percent_text(*chance);
}

std::string relative_text(const PairedDifference& paired) {
  return paired.a.mean == 0.0 ? no_value : signed_percent_text(paired.difference.mean / paired.a.mean);
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

namespace {

Table numbers_compared(const TwoScenariosReport& report) {
  Table table{.place = {"result", "numbers"},
              .columns = {{.key = "name", .readers = For::programs},
                          {.title = "number", .readers = For::people},
                          hidden("unit"),
                          hidden("better"),
                          {.key = "a", .title = "A", .shown = Shown::number},
                          {.key = "b", .title = "B", .shown = Shown::number},
                          {.key = "difference", .title = "B − A", .shown = Shown::number},
                          hidden("relative_difference"),
                          {.title = "relative", .shown = Shown::number, .readers = For::people},
                          hidden("chance_a_better"),
                          {.title = "chance that A is better", .shown = Shown::number, .readers = For::people}},
              .details = false};
  for (const ComparedNumber& number : report.comparison.numbers) {
    const PairedDifference& paired = number.paired;
    table.add_row({number.name, number.name + " [" + number.unit + "]", number.unit,
                   number.better == Better::less ? "less" : "more", paired.a, paired.b, paired.difference,
                   paired.difference.mean / paired.a.mean, relative_text(paired), cell(paired.a_better),
                   report.comparison.in_common ? chance_text(paired.a_better) : no_value});
  }
  return table;
}

}  // namespace

Answer two_scenarios_answer(const TwoScenariosReport& report) {
  const std::vector<std::string> root{"result"};
  Answer answer{.title = "A: " + report.title_a + " (" + report.name_a + ")", .provenance = report.provenance};
  answer.say("B: " + report.title_b + " (" + report.name_b + ")");
  answer.say(decision_text(report) + "\n");
  Table facts = facts_for_programs(root);
  facts.add("a/scenario", report.name_a);
  facts.add("a/title", report.title_a);
  facts.add("b/scenario", report.name_b);
  facts.add("b/title", report.title_b);
  facts.add("b/scenario_sha256", report.sha256_b);
  facts.add("decision", name_of(report.decision));
  facts.add("least_difference", report.least_difference);
  facts.add("pairs", std::uint64_t{report.comparison.pairs});
  facts.add("nothing_drawn", report.comparison.nothing_drawn);
  facts.add("budget_s", cell(report.budget_s));
  facts.add("out_of_time", report.out_of_time);
  facts.add("left_out", report.comparison.left_out);
  facts.add("notes", report.notes);
  answer.add(std::move(facts));
  answer.add(numbers_compared(report));
  answer.say("  " + pairs_text(report));
  if (!report.comparison.nothing_drawn && report.comparison.in_common)
    answer.detail(
        "  The chance is of the mean over all events, by Student's law, if nothing was known before; 50 % says "
        "nothing.");
  for (const std::string& note : report.notes) answer.detail("  " + note);
  for (const std::string& left : report.comparison.left_out) answer.detail("  left out: " + left);
  return answer;
}

}  // namespace saturn
