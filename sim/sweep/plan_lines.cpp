#include "sim/sweep/plan_lines.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

#include "sim/sweep/json_pieces.hpp"

namespace saturn {

namespace {

using PlanJson = nlohmann::json;

const std::string torn_line = "The line is torn, or was changed by hand: it is no whole JSON object.";

void add_member(std::string& line, std::string_view key, const std::string& text) {
  line += line.back() == '{' ? "\"" : ",\"";
  line.append(key).append("\":");
  add_json_text(line, text);
}

// A text of the object; notes in `fault` the first one that is missing.
std::string text_of(const PlanJson& object, const char* key, std::string& fault) {
  const auto member = object.find(key);
  if (member != object.end() && member->is_string()) return member->get<std::string>();
  if (fault.empty()) fault = "\"" + std::string(key) + "\" is missing, or no text.";
  return "";
}

std::uint64_t count_of(const PlanJson& object, const char* key, std::string& fault) {
  const auto member = object.find(key);
  if (member != object.end() && member->is_number_unsigned()) return member->get<std::uint64_t>();
  if (fault.empty()) fault = "\"" + std::string(key) + "\" is missing, or no whole number from 0.";
  return 0;
}

std::vector<AxisColumn> axes_of(const PlanJson& object, std::string& fault) {
  std::vector<AxisColumn> axes;
  const auto list = object.find("axes");
  if (list == object.end() || !list->is_array() || list->empty()) {
    if (fault.empty()) fault = "\"axes\" is missing, or no list of axes.";
    return axes;
  }
  for (const PlanJson& axis : *list) {
    if (!axis.is_object()) {
      if (fault.empty()) fault = "\"axes\" holds something that is no axis.";
      return axes;
    }
    axes.push_back({.pointer = text_of(axis, "pointer", fault),
                    .name = text_of(axis, "name", fault),
                    .unit = text_of(axis, "unit", fault)});
  }
  return axes;
}

bool read_cell(const PlanJson& part, AxisCell& cell) {
  if (!part.is_array() || part.empty() || part.size() > 2 || !part[0].is_string()) return false;
  cell.text = part[0].get<std::string>();
  if (part.size() == 1) return true;
  if (!part[1].is_number()) return false;
  cell.number = part[1].get<double>();
  return std::isfinite(*cell.number);
}

}  // namespace

std::string plan_header_line(const SweepHeader& header) {
  std::string line = "{";
  add_member(line, "schema", std::string(plan_schema));
  add_member(line, "title", header.title);
  add_member(line, "scenario", header.scenario);
  add_member(line, "scenario_sha256", header.scenario_sha256);
  add_member(line, "answer", header.answer);
  line += ",\"seed\":" + std::to_string(header.seed) + ",\"axes\":[";
  for (const AxisColumn& axis : header.axes) {
    line += line.back() == '[' ? "{" : ",{";
    add_member(line, "pointer", axis.pointer);
    add_member(line, "name", axis.name);
    add_member(line, "unit", axis.unit);
    line += '}';
  }
  line += "],\"points\":" + std::to_string(header.points);
  add_member(line, "version", header.version);
  add_member(line, "results", header.results);
  return line + "}\n";
}

std::string plan_point_line(std::uint64_t number, const PlannedPoint& point) {
  std::string line = "{\"point\":" + std::to_string(number);
  add_member(line, "id", point.id);
  line += ",\"values\":[";
  for (const AxisCell& cell : point.cells) {
    line += line.back() == '[' ? "[" : ",[";
    add_json_text(line, cell.text);
    if (cell.number) {
      line += ',';
      add_json_number(line, *cell.number, cell.text);
    }
    line += ']';
  }
  return line + "]}\n";
}

ReadPlanLine<SweepHeader> read_plan_header(std::string_view line) {
  ReadPlanLine<SweepHeader> read;
  const PlanJson json = PlanJson::parse(line.begin(), line.end(), nullptr, false);
  if (!json.is_object()) {
    read.fault = "The first line is no JSON object: this is no plan of a sweep, or it is torn.";
    return read;
  }
  std::string& fault = read.fault;
  const std::string schema = text_of(json, "schema", fault);
  if (schema != plan_schema) {
    fault = schema.empty()
                ? "\"schema\" is missing: this is no plan of a sweep."
                : "\"schema\" is \"" + schema + "\"; this program reads \"" + std::string(plan_schema) + "\".";
    return read;
  }
  read.part = {.title = text_of(json, "title", fault),
               .scenario = text_of(json, "scenario", fault),
               .scenario_sha256 = text_of(json, "scenario_sha256", fault),
               .answer = text_of(json, "answer", fault),
               .seed = count_of(json, "seed", fault),
               .axes = axes_of(json, fault),
               .points = count_of(json, "points", fault),
               .version = text_of(json, "version", fault),
               .results = text_of(json, "results", fault)};
  return read;
}

ReadPlanLine<PlannedPoint> read_plan_point(std::string_view line, std::uint64_t number, std::size_t axes) {
  ReadPlanLine<PlannedPoint> read;
  std::string& fault = read.fault;
  const PlanJson json = PlanJson::parse(line.begin(), line.end(), nullptr, false);
  if (!json.is_object()) {
    fault = torn_line;
    return read;
  }
  const std::uint64_t point = count_of(json, "point", fault);
  if (fault.empty() && point != number)
    fault = "\"point\" is " + std::to_string(point) + "; here stands point " + std::to_string(number) + ".";
  read.part.id = text_of(json, "id", fault);
  const auto values = json.find("values");
  const std::size_t count = values != json.end() && values->is_array() ? values->size() : 0;
  if (fault.empty() && count != axes)
    fault = "\"values\" holds " + std::to_string(count) + " values; the header has " + std::to_string(axes) + " axes.";
  if (!fault.empty()) return read;
  read.part.cells.resize(axes);
  for (std::size_t a = 0; a < axes; ++a) {
    if (!read_cell((*values)[a], read.part.cells[a])) {
      fault = "Value " + std::to_string(a + 1) + " is no list of a text and a number.";
      return read;
    }
  }
  return read;
}

}  // namespace saturn
