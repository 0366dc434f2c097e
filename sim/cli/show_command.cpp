#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/sweep_json.hpp"
#include "reports/sweep_pictures.hpp"
#include "reports/sweep_sqlite.hpp"
#include "reports/sweep_view.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/common_options.hpp"
#include "sim/cli/new_file.hpp"
#include "sim/cli/sweep_answer.hpp"
#include "sim/cli/sweep_view_options.hpp"
#include "sim/cli/written_files.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

// So many points are a table; more are a map, or bars where there is one axis.
constexpr std::size_t few_points = 12;
constexpr std::size_t most_lines_of_one_axis = 60;

struct ShowOptions {
  std::string folder;
  SweepViewOptions view;
  bool points = false;
  std::optional<std::string> sqlite;
  OutputOptions output;
};

SweepView shown_view(const ShowOptions& options) {
  std::vector<Complaint> complaints;
  SweepView view = view_of(options.view, complaints);
  if (options.output.format != Format::table && (!view.metric.empty() || !view.x.empty() || !view.y.empty())) {
    complaints.push_back({.source = "--format",
                          .code = "show.no_picture",
                          .text = "json and csv hold every metric and axis; leave --metric, --x and --y out. "
                                  "--at chooses points in every format."});
  }
  if (!complaints.empty()) throw InputError(complaints);
  return view;
}

SweepTable read_table(const ShowOptions& options) {
  const SweepPlan plan = read_plan(options.folder);
  const ReadResults results = read_results(options.folder);
  refuse_conflicts(results);
  if (results.torn > 0 && !options.output.quiet) {
    std::cerr << results.torn << (results.torn == 1 ? " line" : " lines")
              << " of the result files did not read whole and count as missing.\n";
  }
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
bool is_table(const SweepTable& table, const SweepView& view, const ShowOptions& options) {
  if (options.points) return true;
  if (!view.x.empty() || !view.y.empty()) return false;
  const ResolvedView resolved = resolved_view(table, view);
  return resolved.rows.size() <= few_points || (!resolved.y && resolved.rows.size() <= most_lines_of_one_axis);
}

std::string shown_text(const SweepTable& table, const SweepView& view, const ShowOptions& options, TextStyle style) {
  std::string summary = sweep_summary_text(table);
  if (table.rows.empty()) return summary;
  return summary + "\n" +
         (is_table(table, view, options) ? sweep_points_text(table, view, style) : heat_map_text(table, view, style));
}

/// A file that is no database was not made by --sqlite, and --force does not mean it.
void refuse_to_destroy(const std::filesystem::path& file) {
  constexpr std::string_view beginning = "SQLite format 3";
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(beginning.size(), '\0');
  if (!stream || stream.peek() == std::ifstream::traits_type::eof()) return;
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (bytes == beginning) return;
  throw InputError({{.source = "--sqlite",
                     .code = "out.exists",
                     .text = file.string() + " is no SQLite database, so that not even --force replaces it; name "
                                             "another file."}});
}

void export_sqlite(const SweepTable& table, const ShowOptions& options) {
  const std::filesystem::path file = *options.sqlite;
  try {
    write_sweep_sqlite(table, file);
  } catch (const SweepSqliteFailed& failed) {
    throw InputError({{.source = "--sqlite",
                       .code = "out.not_writable",
                       .text = file.string() + " cannot be written. " + failed.what()}});
  }
  if (!options.output.quiet) std::cerr << file.string() << " holds " << table.rows.size() << " points.\n";
}

ExitCode show(const ShowOptions& options) {
  const SweepView view = shown_view(options);
  if (options.sqlite) {
    refuse_to_replace("--sqlite", *options.sqlite, options.output.force);
    refuse_to_destroy(*options.sqlite);
    refuse_overlaps({{"--sqlite", *options.sqlite}}, files_of_sweep(options.folder));
  }
  const SweepTable table = read_table(options);
  refuse_faults(table, view);
  if (options.sqlite) export_sqlite(held_points(table, view), options);
  give({.table = [&](TextStyle style) { return shown_text(for_people(table), view, options, style); },
        .json = [&] { return sweep_json(held_points(table, view)); },
        .csv = [&] { return points_csv(held_points(table, view)); }},
       options.output);
  return ExitCode::answered;
}

}  // namespace

void add_show_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "show", "Show what a sweep found: table, bars, heat map, SQLite");
  const auto options = std::make_shared<ShowOptions>();
  verb.add_option("folder", options->folder, "The folder of a sweep, finished or not").required().type_name("DIR");
  add_sweep_view_options(verb, options->view);
  verb.add_flag("--points", options->points, "A table with one line a point, however many there are");
  verb.add_option("--sqlite", options->sqlite, "Also write the points into this SQLite database")
      .type_name("FILE")
      .single();
  verb.add_flag("--force", options->output.force, "Let --sqlite replace a database that exists");
  add_format_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn show batching\n"
      "  saturn show batching --metric clients_per_gpu --x max_batch_size --y rtt --at max_queue_delay=\"0.5 ms\"\n"
      "  saturn show batching --metric binding\n"
      "  saturn show batching --sqlite batching.db --quiet");
  verb.answers(chosen, [options] { return show(*options); });
}

}  // namespace saturn
