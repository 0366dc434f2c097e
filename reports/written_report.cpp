#include "reports/written_report.hpp"

#include <nlohmann/json.hpp>

#include "models/csv_text.hpp"
#include "reports/json_parts.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

constexpr double bytes_of_kb = 1e3;

}  // namespace

std::string written_report_text(const WrittenReport& report, TextStyle style) {
  std::string text = heading(report.lead, style);
  for (const std::string& warning : report.warnings) text += "Warning: " + warning + "\n";
  for (const std::string& figure : report.not_drawn) text += "Not drawn: " + figure + "\n";
  text += "\n";
  TextTable table({{"written"}, {"kB", TextTable::Align::right}});
  for (const WrittenFile& file : report.files)
    table.add_row({file.path, number_text(static_cast<double>(file.bytes) / bytes_of_kb, 3)});
  return text + table.text(style);
}

std::string written_report_json(const WrittenReport& report) {
  using Json = nlohmann::ordered_json;
  Json result = Json::object();
  result["answer"] = report.lead;
  result["warnings"] = report.warnings;
  result["not_drawn"] = report.not_drawn;
  result["files"] = Json::array();
  for (const WrittenFile& file : report.files) result["files"].push_back({{"path", file.path}, {"bytes", file.bytes}});
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["result"] = std::move(result);
  // A path need not be UTF-8.
  return json_document(document);
}

std::string written_report_csv(const WrittenReport& report) {
  std::string text = "path,bytes\n";
  for (const WrittenFile& file : report.files) text += csv_cell(file.path) + ',' + std::to_string(file.bytes) + '\n';
  return text;
}

}  // namespace saturn
