#include "reports/unconfirmed_report.hpp"

#include <nlohmann/json.hpp>

#include <utility>

#include "reports/bottlenecks.hpp"
#include "reports/csv_rows.hpp"
#include "reports/number_text.hpp"
#include "reports/references_json.hpp"

namespace saturn {

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
  json["binding"] = json_binding<Json>(facts_of(scenario));
  return json;
}

}  // namespace

std::string unconfirmed_table(const UnconfirmedReport& report, TextStyle style) {
  std::string text = heading(
      "NOT CONFIRMED: the budget of " + number_text(report.budget_s, 3) + " s ended before a simulation was complete",
      style);
  text += "What is left is what the formulas say.\n";
  for (const UnconfirmedScenario& one : report.scenarios) {
    const SystemFacts facts = facts_of(one.scenario);
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
