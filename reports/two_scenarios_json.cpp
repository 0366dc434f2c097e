#include <nlohmann/json.hpp>

#include "reports/csv_rows.hpp"
#include "reports/json_parts.hpp"
#include "reports/two_scenarios_report.hpp"

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

}  // namespace saturn
