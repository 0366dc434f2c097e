#include "sim/sweep/sweep_plan.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "models/values/sha256.hpp"
#include "models/words/texts.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/whole_files.hpp"

namespace saturn {

std::string point_id(const PointQuestion& question) {
  std::string text(results_version);
  for (const std::string_view part : {question.answer, question.resolved}) {
    text += '\n';
    text += part;
  }
  return sha256_hex(text).substr(0, 32);
}

namespace {

using PlanJson = nlohmann::json;

void add_member(std::string& line, std::string_view key, const std::string& text) {
  line += line.back() == '{' ? "\"" : ",\"";
  line.append(key).append("\":");
  add_json_text(line, text);
}

// What is wrong with a line, as a sentence.
using Fault = std::invalid_argument;

std::string text_of(const PlanJson& object, const char* key) {
  const auto member = object.find(key);
  if (member != object.end() && member->is_string()) return member->get<std::string>();
  throw Fault("\"" + std::string(key) + "\" is missing, or no text.");
}

std::uint64_t count_of(const PlanJson& object, const char* key) {
  const auto member = object.find(key);
  if (member != object.end() && member->is_number_unsigned()) return member->get<std::uint64_t>();
  throw Fault("\"" + std::string(key) + "\" is missing, or no whole number from 0.");
}

std::vector<AxisColumn> axes_of(const PlanJson& object) {
  const auto list = object.find("axes");
  if (list == object.end() || !list->is_array() || list->empty())
    throw Fault("\"axes\" is missing, or no list of axes.");
  std::vector<AxisColumn> axes;
  for (const PlanJson& axis : *list) {
    if (!axis.is_object()) throw Fault("\"axes\" holds something that is no axis.");
    axes.push_back({.pointer = text_of(axis, "pointer"), .name = text_of(axis, "name"), .unit = text_of(axis, "unit")});
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

SweepHeader read_plan_header(std::string_view line) {
  const PlanJson json = PlanJson::parse(line.begin(), line.end(), nullptr, false);
  if (!json.is_object()) throw Fault("The first line is no JSON object: this is no plan of a sweep, or it is torn.");
  const std::string schema = json.value("schema", PlanJson()).is_string() ? text_of(json, "schema") : "";
  if (schema.empty()) throw Fault("\"schema\" is missing: this is no plan of a sweep.");
  if (schema != plan_schema)
    throw Fault("\"schema\" is \"" + schema + "\"; this program reads \"" + std::string(plan_schema) + "\".");
  return {.title = text_of(json, "title"),
          .scenario = text_of(json, "scenario"),
          .scenario_sha256 = text_of(json, "scenario_sha256"),
          .answer = text_of(json, "answer"),
          .seed = count_of(json, "seed"),
          .axes = axes_of(json),
          .points = count_of(json, "points"),
          .version = text_of(json, "version"),
          .results = text_of(json, "results")};
}

PlannedPoint read_plan_point(std::string_view line, std::uint64_t number, std::size_t axes) {
  const PlanJson json = PlanJson::parse(line.begin(), line.end(), nullptr, false);
  if (!json.is_object()) throw Fault("The line is torn, or was changed by hand: it is no whole JSON object.");
  const std::uint64_t point = count_of(json, "point");
  if (point != number)
    throw Fault("\"point\" is " + std::to_string(point) + "; here stands point " + std::to_string(number) + ".");
  PlannedPoint read{.id = text_of(json, "id"), .cells = std::vector<AxisCell>(axes)};
  const auto values = json.find("values");
  const std::size_t count = values != json.end() && values->is_array() ? values->size() : 0;
  if (count != axes)
    throw Fault("\"values\" holds " + std::to_string(count) + " values; the header has " + std::to_string(axes) +
                " axes.");
  for (std::size_t a = 0; a < axes; ++a)
    if (!read_cell((*values)[a], read.cells[a]))
      throw Fault("Value " + std::to_string(a + 1) + " is no list of a text and a number.");
  return read;
}

namespace {

constexpr std::size_t longest_plan_line = std::size_t{16} << 20U;

std::filesystem::path plan_path(const std::filesystem::path& folder) {
  return folder / "plan.jsonl";
}

[[noreturn]] void refuse_plan(const std::filesystem::path& path, std::size_t line, const std::string& text) {
  throw InputError({{.source = path.string(), .line = line, .code = "sweep.bad_folder", .text = text}});
}

[[noreturn]] void refuse_missing_plan(const std::filesystem::path& path) {
  refuse_plan(path, 0,
              "There is no such file, so that this is no folder of a sweep. Name the folder that was given to"
              " the sweep command with --out.");
}

constexpr std::string_view way_out_of_bad_plan =
    " Give the sweep command again with --force to write the plan anew; nothing in results/ is lost.";

void refuse_uneven_plan(const SweepPlan& plan) {
  if (plan.points.size() != plan.header.points)
    throw std::logic_error("the header of a plan counts " + std::to_string(plan.header.points) + " points, there are " +
                           std::to_string(plan.points.size()));
  if (plan.header.axes.empty()) throw std::logic_error("a plan has no axis");
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    if (plan.points[i].cells.size() != plan.header.axes.size())
      throw std::logic_error("point " + std::to_string(i) + " has not one value for each axis");
  }
}

}  // namespace

bool has_plan(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(plan_path(folder), ignored);
}

SweepHeader read_header(const std::filesystem::path& folder) {
  const std::filesystem::path path = plan_path(folder);
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_missing_plan(path);
  std::string line;
  std::getline(file, line);
  try {
    return read_plan_header(line);
  } catch (const Fault& fault) {
    refuse_plan(path, 1, fault.what() + std::string(way_out_of_bad_plan));
  }
}

SweepPlan read_plan(const std::filesystem::path& folder) {
  const std::filesystem::path path = plan_path(folder);
  SweepPlan plan;
  std::size_t number = 0;
  const std::uint64_t& promised = plan.header.points;
  try {
    const int error = read_lines(path, longest_plan_line, [&](std::string_view line, bool whole) {
      ++number;
      if (!whole) throw Fault("The line is longer than any that a sweep writes.");
      if (number == 1)
        plan.header = read_plan_header(line);
      else if (plan.points.size() == promised)
        throw Fault("The first line promises " + counted(promised, "point") + "; here stands another line.");
      else
        plan.points.push_back(read_plan_point(line, plan.points.size(), plan.header.axes.size()));
    });
    if (error == ENOENT || error == ENOTDIR) refuse_missing_plan(path);
    if (error != 0) throw InputError({not_read(path, error)});
    if (number == 0) throw Fault("The file is empty.");
    if (plan.points.size() == promised) return plan;
    ++number;
    throw Fault("The file ends after " + counted(plan.points.size(), "point") + "; the first line promises " +
                std::to_string(promised) + ".");
  } catch (const Fault& fault) {
    refuse_plan(path, number, fault.what() + std::string(way_out_of_bad_plan));
  }
}

void write_plan(const SweepPlan& plan, const std::filesystem::path& folder) {
  refuse_uneven_plan(plan);
  WholeFileWriter file(plan_path(folder));
  file.write(plan_header_line(plan.header));
  for (std::size_t i = 0; i < plan.points.size(); ++i) file.write(plan_point_line(i, plan.points[i]));
  file.put_in_place();
}

namespace {

bool same_texts(const PlannedPoint& a, const PlannedPoint& b) {
  return std::equal(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end(),
                    [](const AxisCell& x, const AxisCell& y) { return x.text == y.text; });
}

bool same_point(const PlannedPoint& a, const PlannedPoint& b) {
  return a.id == b.id && same_texts(a, b);
}

bool less_texts(const PlannedPoint* a, const PlannedPoint* b) {
  return std::lexicographical_compare(a->cells.begin(), a->cells.end(), b->cells.begin(), b->cells.end(),
                                      [](const AxisCell& x, const AxisCell& y) { return x.text < y.text; });
}

std::vector<const PlannedPoint*> sorted_points(const SweepPlan& plan) {
  std::vector<const PlannedPoint*> sorted;
  sorted.reserve(plan.points.size());
  for (const PlannedPoint& point : plan.points) sorted.push_back(&point);
  std::sort(sorted.begin(), sorted.end(), less_texts);
  return sorted;
}

bool same_axes(const SweepPlan& before, const SweepPlan& now) {
  return std::equal(before.header.axes.begin(), before.header.axes.end(), now.header.axes.begin(),
                    now.header.axes.end(),
                    [](const AxisColumn& x, const AxisColumn& y) { return x.pointer == y.pointer; });
}

}  // namespace

PlanChange change_between(const SweepPlan& before, const SweepPlan& now) {
  if (before.header.axes.empty()) return PlanChange::none;
  if (before.header.answer != now.header.answer || !same_axes(before, now)) return PlanChange::another;

  if (std::equal(before.points.begin(), before.points.end(), now.points.begin(), now.points.end(), same_point))
    return PlanChange::none;

  const std::vector<const PlannedPoint*> former = sorted_points(before);
  const std::vector<const PlannedPoint*> planned = sorted_points(now);
  if (!std::includes(planned.begin(), planned.end(), former.begin(), former.end(), less_texts))
    return PlanChange::another;

  auto same = planned.begin();
  for (const PlannedPoint* point : former) {
    same = std::lower_bound(same, planned.end(), point, less_texts);
    if ((*same)->id != point->id) return PlanChange::points;
  }
  return PlanChange::grown;
}

}  // namespace saturn
