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

namespace {

constexpr std::size_t longest_plan_line = std::size_t{16} << 20U;

std::filesystem::path plan_path(const std::filesystem::path& folder) {
  return folder / "plan.jsonl";
}

// Takes the lines of a plan in their order, up to the first that is wrong.
class PlanReader {
 public:
  void take(std::string_view line, bool whole) {
    ++line_;
    if (!fault_.empty()) return;
    if (!whole)
      complain("The line is longer than any that a sweep writes.");
    else if (line_ == 1)
      take_header(line);
    else
      take_point(line);
  }

  void finish() {
    if (!fault_.empty()) return;
    if (line_ == 0) {
      complain("The file is empty.");
    } else if (plan_.points.size() != plan_.header.points) {
      ++line_;
      complain("The file ends after " + counted_noun(plan_.points.size(), "point") + "; the first line promises " +
               std::to_string(plan_.header.points) + ".");
    }
  }

  const std::string& fault() const { return fault_; }
  std::size_t line_of_fault() const { return line_of_fault_; }
  SweepPlan plan() { return std::move(plan_); }

 private:
  void take_header(std::string_view line) {
    ReadPlanLine<SweepHeader> read = read_plan_header(line);
    plan_.header = std::move(read.part);
    if (!read.fault.empty()) complain(read.fault);
  }

  void take_point(std::string_view line) {
    if (plan_.points.size() == plan_.header.points) {
      complain("The first line promises " + counted_noun(plan_.header.points, "point") + "; here stands another line.");
      return;
    }
    ReadPlanLine<PlannedPoint> read = read_plan_point(line, plan_.points.size(), plan_.header.axes.size());
    plan_.points.push_back(std::move(read.part));
    if (!read.fault.empty()) complain(read.fault);
  }

  void complain(const std::string& fault) {
    fault_ = fault;
    line_of_fault_ = line_;
  }

  SweepPlan plan_{};
  std::size_t line_ = 0;
  std::string fault_{};
  std::size_t line_of_fault_ = 0;
};

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
  ReadPlanLine<SweepHeader> read = read_plan_header(line);
  if (!read.fault.empty()) refuse_plan(path, 1, read.fault + std::string(way_out_of_bad_plan));
  return std::move(read.part);
}

SweepPlan read_plan(const std::filesystem::path& folder) {
  const std::filesystem::path path = plan_path(folder);
  PlanReader reader;
  const int error =
      read_lines(path, longest_plan_line, [&](std::string_view line, bool whole) { reader.take(line, whole); });
  if (error == ENOENT || error == ENOTDIR) refuse_missing_plan(path);
  if (error != 0) throw InputError({not_read(path, error)});
  reader.finish();
  if (!reader.fault().empty())
    refuse_plan(path, reader.line_of_fault(), reader.fault() + std::string(way_out_of_bad_plan));
  return reader.plan();
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

  const std::size_t count = before.points.size();
  bool same_values = now.points.size() == count;
  bool same_ids = same_values;
  for (std::size_t i = 0; same_values && i < count; ++i) {
    same_values = same_texts(before.points[i], now.points[i]);
    same_ids = same_ids && before.points[i].id == now.points[i].id;
  }
  if (same_values) return same_ids ? PlanChange::none : PlanChange::points;

  const std::vector<const PlannedPoint*> former = sorted_points(before);
  const std::vector<const PlannedPoint*> planned = sorted_points(now);
  const bool all_there = std::includes(planned.begin(), planned.end(), former.begin(), former.end(), less_texts);
  return all_there ? PlanChange::grown : PlanChange::another;
}

}  // namespace saturn
