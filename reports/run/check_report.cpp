#include "reports/run/check_report.hpp"

#include <nlohmann/json.hpp>

#include <utility>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/run/bottlenecks.hpp"
#include "reports/tables/csv_rows.hpp"
#include "reports/tables/facts_json.hpp"
#include "reports/tables/json_parts.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

std::string check_json(const ReadScenario& read, const SystemFacts& facts, const Provenance& provenance) {
  using Json = nlohmann::ordered_json;
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(provenance);
  document["result"]["jobs"] = facts.jobs;
  document["result"]["clients"] = facts.clients;
  document["result"]["gpus"] = facts.devices;
  document["result"]["ideal_event_time_s"] = json_number<Json>(facts.ideal_event_time_s);
  if (facts.least_event_time_s) document["result"]["least_event_time_s"] = json_number<Json>(*facts.least_event_time_s);
  document["result"]["bound_event_time_s"] = json_number<Json>(facts.bound_event_time_s);
  document["result"]["ideal_event"] = json_breakdown<Json>(facts);
  document["result"]["cpu_only"] = json_cpu_only<Json>(facts);
  document["result"]["knees"] = json_knees<Json>(facts);
  document["result"]["product_form_violations"] = facts.product_form_violations;
  document["scenario"] = Json::parse(read.resolved);
  return json_document(document);
}

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

std::string listing_table(const std::string& what, const std::vector<ListedItem>& items, TextStyle style) {
  TextTable table({{what}, {"what it is"}});
  for (const ListedItem& item : items) table.add_row({item.name, item.title});
  return table.text(style);
}

std::string listing_json(const std::string& what, const std::vector<ListedItem>& items) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ListedItem& item : items) list.push_back({{"name", item.name}, {"title", item.title}});
  nlohmann::ordered_json document;
  document[what + "s"] = std::move(list);
  return json_document(document);
}

std::string listing_csv(const std::vector<ListedItem>& items) {
  std::string text = "name,title\n";
  for (const ListedItem& item : items) text += csv_cell(item.name) + ',' + csv_cell(item.title) + '\n';
  return text;
}

std::string no_plan_text(const NoPlanReport& report, TextStyle style) {
  return heading("No plan: " + report.why, style);
}

std::string no_plan_json(const NoPlanReport& report) {
  using Json = nlohmann::ordered_json;
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["answer"] = nullptr;
  document["no_plan"] = report.why;
  return json_document(document);
}

std::string no_plan_csv(const NoPlanReport& report) {
  return "no_plan\n" + csv_cell(report.why) + "\n";
}

namespace {

using Json = nlohmann::ordered_json;
using Align = TextTable::Align;

std::string formulas_text(const Scenario& scenario, const SystemFacts& facts, TextStyle style) {
  TextTable table(
      {{"method"}, {"event time [s]", Align::right}, {"slowdown", Align::right}, {"events/s", Align::right}});
  std::vector<std::pair<std::string, std::string>> notes;
  for (const ReferencePoint& point : reference_points(scenario)) {
    const std::string slowdown =
        point.event_time_s ? slower_text(*point.event_time_s / facts.ideal_event_time_s) : no_value;
    table.add_row({point.method, optional_text(point.event_time_s, 4), slowdown, optional_text(point.events_per_s, 4)});
    notes.emplace_back(point.method, point.remark);
  }
  return table.text(style) + notes_text(notes);
}

Json json_scenario(const Scenario& scenario) {
  Json json = Json::object();
  for (const char* key : {"events_per_s", "event_time_s", "slowdown"}) json[key] = nullptr;
  json["references"] = json_references<Json>(reference_points(scenario));
  json["binding"] = json_binding<Json>(gather_facts(scenario));
  return json;
}

}  // namespace

std::string unconfirmed_table(const UnconfirmedReport& report, TextStyle style) {
  std::string text = heading(
      "NOT CONFIRMED: the budget of " + number_text(report.budget_s, 3) + " s ended before a simulation was complete",
      style);
  text += "What is left is what the formulas say.\n";
  for (const UnconfirmedScenario& one : report.scenarios) {
    const SystemFacts facts = gather_facts(one.scenario);
    text += "\n" + heading(report.scenarios.size() == 1 ? facts.title : one.name, style);
    text += binding_here(facts) + "\n" + formulas_text(one.scenario, facts, style);
  }
  return text + "\nsaturn " + report.provenance.version + " on SimGrid " + report.provenance.simgrid + ", seed " +
         std::to_string(report.provenance.seed) + "; with more time: " + report.provenance.command + "\n";
}

std::string unconfirmed_json(const UnconfirmedReport& report) {
  Json result = Json::object();
  if (report.scenarios.size() == 1) {
    result = json_scenario(report.scenarios.front().scenario);
  } else {
    result["scenarios"] = Json::array();
    for (const UnconfirmedScenario& scenario : report.scenarios) {
      Json one = json_scenario(scenario.scenario);
      one["name"] = scenario.name;
      result["scenarios"].push_back(std::move(one));
    }
  }
  result["confirmed"] = false;
  result["precision"] = {{"reached", false}, {"budget_s", json_number<Json>(report.budget_s)}, {"out_of_time", true}};
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["result"] = std::move(result);
  return document.dump(2) + "\n";
}

std::string unconfirmed_csv(const UnconfirmedReport& report) {
  CsvRows rows;
  for (const UnconfirmedScenario& scenario : report.scenarios) {
    const std::string prefix = report.scenarios.size() == 1 ? "" : scenario.name + ": ";
    for (const ReferencePoint& point : reference_points(scenario.scenario)) {
      rows.add("references", prefix + point.method, "event_time_s", point.event_time_s);
      rows.add("references", prefix + point.method, "events_per_s", point.events_per_s);
    }
  }
  return rows.text();
}

}  // namespace saturn
