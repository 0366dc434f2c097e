#include "reports/page/written_report.hpp"

#include <nlohmann/json.hpp>

#include "models/csv_text.hpp"
#include "reports/json_parts.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

constexpr double bytes_of_kb = 1e3;

/// "gantt: no request was sent": figures without a picture.
std::vector<std::string> not_drawn(const ReportPage& page) {
  std::vector<std::string> texts;
  for (const PageSection& section : page.sections)
    for (const Figure& figure : section.figures)
      if (!figure.cannot.empty()) texts.push_back(figure.name + ": " + figure.cannot);
  return texts;
}

}  // namespace

std::string written_report_text(const ReportPage& page, const std::vector<WrittenFile>& files, TextStyle style) {
  std::string text = heading(page.lead, style);
  for (const std::string& warning : page.warnings) text += "Warning: " + warning + "\n";
  for (const std::string& figure : not_drawn(page)) text += "Not drawn: " + figure + "\n";
  text += "\n";
  TextTable table({{"written"}, {"kB", TextTable::Align::right}});
  for (const WrittenFile& file : files)
    table.add_row({file.path, number_text(static_cast<double>(file.bytes) / bytes_of_kb, 3)});
  return text + table.text(style);
}

std::string written_report_json(const ReportPage& page, const std::vector<WrittenFile>& files) {
  using Json = nlohmann::ordered_json;
  Json result = Json::object();
  result["answer"] = page.lead;
  result["warnings"] = page.warnings;
  result["not_drawn"] = not_drawn(page);
  result["files"] = Json::array();
  for (const WrittenFile& file : files) result["files"].push_back({{"path", file.path}, {"bytes", file.bytes}});
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(page.provenance);
  document["result"] = std::move(result);
  // A path need not be UTF-8.
  return json_document(document);
}

std::string written_report_csv(const std::vector<WrittenFile>& files) {
  std::string text = "path,bytes\n";
  for (const WrittenFile& file : files) text += csv_cell(file.path) + ',' + std::to_string(file.bytes) + '\n';
  return text;
}

}  // namespace saturn
