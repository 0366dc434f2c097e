#include "reports/plan/two_scenarios_report.hpp"

#include <nlohmann/json.hpp>

#include "models/words/texts.hpp"
#include "reports/tables/csv_rows.hpp"
#include "reports/tables/json_parts.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

Json json_number_compared(const ComparedNumber& number) {
  Json json = Json::object();
  json["name"] = number.name;
  json["unit"] = number.unit;
  json["better"] = number.better == Better::less ? "less" : "more";
  json["a"] = json_estimate<Json>(number.paired.a);
  json["b"] = json_estimate<Json>(number.paired.b);
  json["difference"] = json_estimate<Json>(number.paired.difference);
  json["relative_difference"] = json_number<Json>(number.paired.difference.mean / number.paired.a.mean);
  json["chance_a_better"] = json_number<Json>(number.paired.a_better);
  return json;
}

}  // namespace

std::string two_scenarios_json(const TwoScenariosReport& report) {
  Json result = Json::object();
  result["a"] = {{"scenario", report.name_a}, {"title", report.title_a}};
  result["b"] = {{"scenario", report.name_b}, {"title", report.title_b}, {"scenario_sha256", report.sha256_b}};
  result["decision"] = name_of(report.decision);
  result["least_difference"] = report.least_difference;
  result["pairs"] = report.comparison.pairs;
  result["nothing_drawn"] = report.comparison.nothing_drawn;
  result["budget_s"] = json_number<Json>(report.budget_s);
  result["out_of_time"] = report.out_of_time;
  result["numbers"] = Json::array();
  for (const ComparedNumber& number : report.comparison.numbers)
    result["numbers"].push_back(json_number_compared(number));
  result["left_out"] = report.comparison.left_out;
  result["notes"] = report.notes;

  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["result"] = std::move(result);
  return json_document(document);
}

std::string two_scenarios_csv(const TwoScenariosReport& report) {
  CsvRows rows;
  rows.add("comparison", "decision", "word", std::string(name_of(report.decision)));
  for (const ComparedNumber& number : report.comparison.numbers) {
    const std::string unit = "_" + number.unit;
    rows.add("a", number.name, "value" + unit, number.paired.a);
    rows.add("b", number.name, "value" + unit, number.paired.b);
    rows.add("difference", number.name, "b_less_a" + unit, number.paired.difference);
    rows.add("difference", number.name, "chance_a_better", number.paired.a_better);
  }
  return rows.text();
}

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
                   report.comparison.in_common ? chance_text(number.paired.a_better) : no_value});
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
