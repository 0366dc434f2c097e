#include "sim/sweep/sweep_plan.hpp"

#include <cerrno>
#include <fstream>
#include <stdexcept>

#include "models/words/texts.hpp"
#include "sim/sweep/file_bytes.hpp"
#include "sim/sweep/folder_errors.hpp"
#include "sim/sweep/plan_lines.hpp"
#include "sim/sweep/whole_file_writer.hpp"

namespace saturn {

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

}  // namespace saturn
