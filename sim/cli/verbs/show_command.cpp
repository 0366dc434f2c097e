#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/results/measure_reference.hpp"
#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/run/check_report.hpp"
#include "reports/sweep/sweep_json.hpp"
#include "reports/sweep/sweep_sqlite.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/sweep/sweep_space.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/new_files.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/sweep/sweep_options.hpp"
#include "sim/cli/sweep/sweep_study.hpp"
#include "sim/plan/system_facts.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_files.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

struct CheckOptions {
  ScenarioOptions scenario;
  OutputOptions output;
};

ExitCode check(const CheckOptions& options) {
  const ReadScenario read = load_scenario(options.scenario, options.output);
  // What a sweep block asks is understood here too, so that it does not fail only when somebody sweeps.
  if (read.scenario.sweep) sweep_space(asked_sweep({}, read), read);
  refuse_to_overwrite(options.output);
  refuse_overlaps(files_of_out(options.output), files_read(read, options.scenario.scenario));
  const SystemFacts facts = gather_facts(read.scenario);
  const Provenance provenance = provenance_of(read, reproducing_command("check", options.scenario));
  give({.table = [&](TextStyle style) { return check_table(read, facts, style); },
        .json = [&] { return check_json(read, facts, provenance); },
        .csv = [&] { return check_csv(facts); }},
       options.output);
  return ExitCode::answered;
}

}  // namespace

void add_check_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "check", "Read a scenario and say what follows without simulating");
  const auto options = std::make_shared<CheckOptions>();
  add_scenario_options(verb, options->scenario);
  add_output_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn check mine.json\n"
      "  saturn check protodune-big-batch --set /servers/0/devices/count=8\n"
      "  saturn check protodune-big-batch --format json");
  verb.answers(chosen, [options] { return check(*options); });
}

void add_schema_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "schema", "Print the JSON Schema of scenarios, their reference, or that of numbers");
  const auto reference = std::make_shared<bool>(false);
  verb.add_flag("--reference", *reference, "Print the reference of every key (Markdown) instead");
  const auto measures = std::make_shared<bool>(false);
  verb.add_flag("--measures", *measures, "Print what every number of a run is and where it stands (Markdown) instead");
  verb.footer(
      "Examples:\n"
      "  saturn schema > saturn-scenario.schema.json\n"
      "  saturn schema --reference\n"
      "  saturn schema --measures");
  verb.answers(chosen, [reference, measures] {
    std::cout << (*measures ? measure_reference() : *reference ? scenario_reference() : scenario_schema());
    return ExitCode::answered;
  });
}

namespace {

struct ExamplesOptions {
  std::vector<std::string> names;
  std::optional<std::string> copy_to;
  OutputOptions output;
};

std::string short_name(const EmbeddedFile& file) {
  return std::string(file.name.substr(0, file.name.rfind(".json")));
}

const EmbeddedFile& shipped(const std::string& name) {
  std::string known;
  for (const EmbeddedFile& file : shipped_scenarios()) {
    if (file.name == name || short_name(file) == name) return file;
    append_part(known, short_name(file));
  }
  refuse_input(name, "examples.unknown", "No shipped scenario has this name; shipped are: " + known + ".");
}

void list_scenarios(const OutputOptions& output) {
  std::vector<ListedItem> items;
  for (const EmbeddedFile& file : shipped_scenarios()) {
    const ReadScenario read = read_scenario_text(std::string(file.text), std::string(file.name), {});
    items.push_back({.name = short_name(file), .title = read.scenario.title});
  }
  refuse_to_overwrite(output);
  give({.table = [&](TextStyle style) { return listing_table("scenario", items, style); },
        .json = [&] { return listing_json("scenario", items); },
        .csv = [&] { return listing_csv(items); }},
       output);
}

void copy(const std::vector<const EmbeddedFile*>& files, const std::filesystem::path& folder, bool force) {
  std::vector<Complaint> complaints;
  for (const EmbeddedFile* file : files) {
    const std::filesystem::path path = folder / file->name;
    std::error_code ignored;
    if (force || !std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) continue;
    complaints.push_back({.source = path.string(),
                          .code = "examples.exists",
                          .text = "The file would be overwritten; name another folder, or add --force.",
                          .excerpt = ""});
  }
  if (!complaints.empty()) throw InputError(complaints);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  for (const EmbeddedFile* file : files) {
    const std::filesystem::path path = folder / file->name;
    if (!write_whole(path, std::string(file->text))) {
      refuse_input(path.string(), "examples.not_writable", "The file cannot be written.");
    }
    std::cout << printable_line(path.string()) << "\n";
  }
}

ExitCode examples(const ExamplesOptions& options) {
  std::vector<const EmbeddedFile*> files;
  for (const std::string& name : options.names) files.push_back(&shipped(name));
  if (options.copy_to) {
    if (files.empty()) {
      for (const EmbeddedFile& file : shipped_scenarios()) files.push_back(&file);
    }
    copy(files, *options.copy_to, options.output.force);
  } else if (files.empty()) {
    list_scenarios(options.output);
  } else {
    for (const EmbeddedFile* file : files) std::cout << file->text;
  }
  return ExitCode::answered;
}

}  // namespace

void add_examples_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "examples", "List, print or copy the shipped scenarios");
  const auto options = std::make_shared<ExamplesOptions>();
  verb.add_option("names", options->names, "Scenarios to print or copy; none: list them all").type_name("NAME");
  verb.add_option("--copy", options->copy_to, "Copy them into this folder; never replaces a file without --force")
      .type_name("DIR")
      .single();
  add_output_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn examples\n"
      "  saturn examples first-steps\n"
      "  saturn examples --copy my-scenarios protodune-big-batch");
  verb.answers(chosen, [options] { return examples(*options); });
}

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
    std::cerr << counted_noun(results.torn, "line")
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
  refuse_input("--sqlite", "out.exists",
               file.string() +
                   " is no SQLite database, so that not even --force replaces it; name "
                   "another file.");
}

void export_sqlite(const SweepTable& table, const ShowOptions& options) {
  const std::filesystem::path file = *options.sqlite;
  try {
    write_sweep_sqlite(table, file);
  } catch (const SweepSqliteFailed& failed) {
    refuse_input("--sqlite", "out.not_writable", file.string() + " cannot be written. " + failed.what());
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
