#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/sweep/sweep_json.hpp"
#include "reports/sweep/sweep_sqlite.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/studies.hpp"
#include "sim/study/sweep/sweep_study.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

// So many points are a table; more are a map, or bars where there is one axis.
constexpr std::size_t few_points = 12;
constexpr std::size_t most_lines_of_one_axis = 60;

struct ShowRequest {
  std::string folder{};
  SweepViewOptions view{};
  bool points = false;
  std::optional<std::string> sqlite{};
  OutputOptions output{};
};

SweepView shown_view(const ShowRequest& request) {
  Complaints complaints;
  SweepView view = view_of(request.view, complaints);
  if (request.output.format != Format::table && (!view.metric.empty() || !view.x.empty() || !view.y.empty()))
    complaints.add("--format", "show.no_picture",
                   "json and csv hold every metric and axis; leave --metric, --x and --y out. --at chooses points in "
                   "every format.");
  complaints.raise();
  return view;
}

SweepTable read_table(const ShowRequest& request, Monitor& monitor) {
  const SweepPlan plan = read_plan(request.folder);
  const ReadResults results = read_results(request.folder);
  refuse_conflicts(results);
  if (results.torn > 0)
    monitor.note(counted(results.torn, "line") + " of the result files did not read whole and count as missing.\n");
  return sweep_table(plan, results);
}

/// The points at which --at holds.
SweepTable held_points(const SweepTable& table, const SweepView& view) {
  if (view.at.empty()) return table;
  const ResolvedView resolved = resolved_view(table, {.at = view.at, .quantity = view.quantity});
  SweepTable held = table;
  held.rows.clear();
  for (const SweepRow* row : resolved.rows) held.rows.push_back(*row);
  return held;
}

/// Whether a table says more than a picture.
bool is_table(const SweepTable& table, const SweepView& view, bool points) {
  if (points) return true;
  if (!view.x.empty() || !view.y.empty()) return false;
  const ResolvedView resolved = resolved_view(table, view);
  return resolved.rows.size() <= few_points || (!resolved.y && resolved.rows.size() <= most_lines_of_one_axis);
}

std::string shown_text(const SweepTable& table, const SweepView& view, bool points, TextStyle style) {
  return is_table(table, view, points) ? sweep_points_text(table, view, style) : heat_map_text(table, view, style);
}

/// A file that is no database was not made by --sqlite, and --force does not mean it.
void refuse_to_destroy(const std::filesystem::path& file) {
  constexpr std::string_view beginning = "SQLite format 3";
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(beginning.size(), '\0');
  if (!stream || stream.peek() == std::ifstream::traits_type::eof()) return;
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (bytes == beginning) return;
  refuse_input("--sqlite", "out.exists",
               file.string() +
                   " is no SQLite database, so that not even --force replaces it; name "
                   "another file.");
}

void export_sqlite(const SweepTable& table, const std::filesystem::path& file, Monitor& monitor) {
  try {
    write_sweep_sqlite(table, file);
  } catch (const SweepSqliteFailed& failed) {
    refuse_input("--sqlite", "out.not_writable", file.string() + " cannot be written. " + failed.what());
  }
  monitor.note(file.string() + " holds " + std::to_string(table.rows.size()) + " points.\n");
}

}  // namespace

Reply answer_show(const TypedCommand& typed, Monitor& monitor) {
  ShowRequest request{.view = view_options(typed), .output = output_options(typed)};
  typed.take("folder", request.folder);
  typed.take("--points", request.points);
  typed.take("--sqlite", request.sqlite);
  const SweepView view = shown_view(request);
  if (request.sqlite) {
    refuse_to_replace("--sqlite", *request.sqlite, request.output.force);
    refuse_to_destroy(*request.sqlite);
    refuse_overlaps({{"--sqlite", *request.sqlite}}, files_of_sweep(request.folder));
  }
  SweepTable table = read_table(request, monitor);
  refuse_faults(table, view);
  if (request.sqlite) export_sqlite(held_points(table, view), *request.sqlite, monitor);
  Reply reply = reply_with_points(table, [view, points = request.points](const SweepTable& all, TextStyle style) {
    return shown_text(all, view, points, style);
  });
  reply.answer->json_file = [held = held_points(table, view)] { return sweep_json(held); };
  reply.answer->csv_file = [held = held_points(table, view)] { return points_csv(held); };
  return reply;
}

}  // namespace saturn
