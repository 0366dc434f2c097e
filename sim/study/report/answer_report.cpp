#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "calibration/fitted_file.hpp"
#include "models/words/numbers.hpp"
#include "reports/page/fitted_page.hpp"
#include "reports/page/report_page.hpp"
#include "reports/page/sweep/sweep_page.hpp"
#include "reports/run/provenance.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/web/web_files.hpp"
#include "reports/words/escaped_text.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/document/text_files.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/report/figure_files.hpp"
#include "sim/study/report/report_parts.hpp"
#include "sim/study/request.hpp"
#include "sim/study/studies.hpp"
#include "sim/study/sweep/sweep_study.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

constexpr std::size_t largest_provenance = std::size_t{16} << 20U;

std::string text_at(const Node& parent, const char* key) {
  const Node* found = parent.find(key);
  return found != nullptr && found->kind == NodeKind::text ? found->text : "";
}

std::vector<FittedSource> fitted_at(const Node& parent) {
  std::vector<FittedSource> sources;
  const Node* list = parent.find("fitted");
  if (list == nullptr) return sources;
  for (const Node& one : list->children) {
    FittedSource source{.path = text_at(one, "path"), .sha256 = text_at(one, "sha256")};
    if (const Node* fits = one.find("fits"))
      for (const Node& fit : fits->children) source.fits.push_back(fit.text);
    sources.push_back(std::move(source));
  }
  return sources;
}

/// What provenance.json of a sweep's folder says; nothing where it is not there, torn, or none: a sweep can be read
/// without it.
std::optional<Provenance> read_sweep_provenance(const std::filesystem::path& folder) {
  std::string text;
  if (read_regular_file((folder / "provenance.json").string(), largest_provenance, text)) return std::nullopt;
  if (first_invalid_utf8(text) != std::string::npos) return std::nullopt;
  const ParsedText parsed = parse_document(text, 0);
  const Node* found = parsed.complete ? parsed.root.find("provenance") : nullptr;
  if (found == nullptr) return std::nullopt;
  Provenance provenance{.version = text_at(*found, "version"),
                        .simgrid = text_at(*found, "simgrid"),
                        .git = text_at(*found, "git"),
                        .scenario_sha256 = text_at(*found, "scenario_sha256"),
                        .command = text_at(*found, "command"),
                        .fitted = fitted_at(*found)};
  if (const Node* seed = found->find("seed")) provenance.seed = read_count(seed->text).value_or(provenance.seed);
  return provenance;
}

/// The fits of a fitted file with their points; nothing is simulated.
/// @throws InputError  not a fitted file
ReportAnswer fitted_report(const ReportOptions& options, Monitor& monitor) {
  Complaints complaints;
  for (const std::vector<std::string>& given : {options.typed_for_simulations, options.typed_for_views})
    for (const std::string& option : given)
      complaints.add(option, "report.only_fits",
                     "A fitted file's report shows what the file holds; leave " + option + " out.");
  complaints.raise();
  monitor.doing("reading the fits");
  const SavedCalibration saved = read_fitted_file(options.scenario.scenario);
  std::vector<std::string> commands;
  if (!saved.command.empty()) commands.push_back(saved.command);
  commands.push_back(options.scenario.command);
  return {.page = fitted_page(saved, options.scenario.scenario, commands)};
}

/// Options that change a simulation change nothing of one that has been done.
SweepView asked_view(const ReportOptions& options) {
  Complaints of_changes;
  for (const std::string& option : options.typed_for_simulations)
    of_changes.add(option, "report.nothing_simulated",
                   "A sweep's report shows what its folder holds, and simulates nothing; leave " + option +
                       " out, or give it to saturn sweep.");
  of_changes.raise();
  Complaints complaints;
  SweepView view = view_of(options.view, complaints);
  complaints.raise();
  return view;
}

/// Without its file, what the plan says.
Provenance provenance_of_plan(const SweepHeader& header) {
  return {.version = header.version,
          .simgrid = "not known",
          .git = "not known",
          .seed = header.seed,
          .scenario_sha256 = header.scenario_sha256,
          .command = ""};
}

ExitCode exit_code_of_points(const SweepTable& table) {
  for (const SweepRow& row : table.rows) {
    const PointStatus status = row.result.status;
    if (status == PointStatus::missing || status == PointStatus::imprecise) return ExitCode::precision_not_reached;
  }
  return ExitCode::answered;
}

/// A finished or unfinished sweep, from its folder; nothing is simulated.
/// @throws InputError  not the folder of a sweep, or its files are torn
ReportAnswer sweep_report(const ReportOptions& options, Monitor& monitor) {
  const std::string& folder = options.scenario.scenario;
  SweepSource source{.folder = folder, .view = asked_view(options)};
  const SweepPlan plan = read_plan(folder);
  monitor.doing("reading the results of " + std::to_string(plan.points.size()) + " points");
  ReadResults results = read_results(folder);
  refuse_conflicts(results);
  source.torn = results.torn;
  const SweepTable table = sweep_table(plan, std::move(results));
  refuse_faults(table, source.view);

  const std::optional<Provenance> provenance = read_sweep_provenance(folder);
  source.provenance = provenance.value_or(provenance_of_plan(plan.header));
  if (!source.provenance.command.empty()) {
    source.sweep_command = source.provenance.command + " --out " + shell_word(folder);
    source.commands.push_back(source.sweep_command);
  }
  source.commands.push_back(options.scenario.command);
  return {.page = sweep_page(for_people(table), source), .code = exit_code_of_points(table)};
}

std::filesystem::path page_of(const OutputOptions& output) {
  if (output.out) return *output.out;
  refuse_input("--out", "out.missing", "A report is a file, which needs a name, for example --out report.html.");
}

/// What a report can be about: a folder with plan.jsonl, a fitted file of `saturn calibrate`, else a scenario.
ReportAnswer reported(const ReportOptions& options, Monitor& monitor) {
  const std::string& what = options.scenario.scenario;
  std::error_code ignored;
  if (std::filesystem::is_directory(what, ignored)) return sweep_report(options, monitor);
  return is_fitted_file(what) ? fitted_report(options, monitor) : scenario_report(options, monitor);
}

void refuse_other_folders(const std::string& what) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(what, ignored) || has_plan(what)) return;
  refuse_input(what, "report.not_a_sweep",
               what +
                   " is a folder without plan.jsonl, so that it is not the folder of a sweep; name a scenario, the "
                   "folder that `saturn sweep --out` filled, or a fitted file of `saturn calibrate`.");
}

std::vector<Figure> figures_of(const ReportPage& page) {
  std::vector<Figure> figures;
  for (const PageSection& section : page.sections)
    figures.insert(figures.end(), section.figures.begin(), section.figures.end());
  return figures;
}

WrittenFile written(const std::filesystem::path& path) {
  std::error_code ignored;
  return {.path = path.string(), .bytes = std::filesystem::file_size(path, ignored)};
}

/// The files of the folder that this report's figures have, in the order of their names.
void add_figure_files(std::vector<WrittenFile>& files, const std::filesystem::path& folder) {
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.insert(entry.path());
  for (const std::filesystem::path& path : paths) files.push_back(written(path));
}

}  // namespace

Reply answer_report(const TypedCommand& typed, Monitor& monitor) {
  const OutputOptions output = output_options(typed);
  ReportOptions options{
      .scenario = scenario_options(typed), .machine = machine_options(typed), .view = view_options(typed)};
  std::optional<std::string> asked_kinds;
  typed.take("what", options.scenario.scenario);
  typed.take("--figures", asked_kinds);
  typed.take("--slowdown", options.slowdown);
  typed.take("--loss", options.loss);
  typed.take("--budget", options.budget);
  options.typed_for_views = typed.typed_of({"--metric", "--x", "--y", "--at"});
  options.typed_for_simulations = typed.typed_of({"--set", "--seed", "--slowdown", "--loss", "--budget"});
  const std::filesystem::path page_path = page_of(output);
  refuse_to_replace("--out", page_path, output.force);
  const std::string& what = options.scenario.scenario;
  refuse_overlaps({{"--out", page_path}},
                  std::filesystem::is_directory(what) ? files_of_sweep(what) : std::vector<std::string>{what});
  std::set<FigureKind> kinds;
  const std::filesystem::path folder = figure_folder_of(page_path);
  if (asked_kinds) {
    kinds = read_figure_kinds(*asked_kinds);
    refuse_kinds_without_programs(kinds, web_files());
    refuse_to_replace_figures(folder, output.force);
  }
  refuse_other_folders(what);
  ReportAnswer found = reported(options, monitor);
  monitor.doing("the page");
  write_new_file({.option = "--out", .path = page_path, .text = report_html(found.page, web_files())});
  std::vector<WrittenFile> files{written(page_path)};
  if (asked_kinds) {
    monitor.doing("the figures");
    write_figures(figures_of(found.page), folder, kinds, web_files());
    add_figure_files(files, folder);
  }
  return {.answer = written_report_answer(found.page, files), .exit_code = found.code};
}

}  // namespace saturn
