#include "sim/cli/report/report_command.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unistd.h>

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
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/new_files.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/report/figure_files.hpp"
#include "sim/cli/sweep/sweep_study.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_files.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

/// An option's name, and whether it was given.
struct NamedOption {
  const char* name = "";
  bool given = false;
};

std::vector<std::string> given_of(const std::vector<NamedOption>& options) {
  std::vector<std::string> names;
  for (const NamedOption& option : options)
    if (option.given) names.emplace_back(option.name);
  return names;
}

}  // namespace

std::vector<std::string> given_simulation_options(const ReportOptions& options) {
  return given_of({{"--set", !options.scenario.set.empty()},
                   {"--seed", options.scenario.seed.has_value()},
                   {"--slowdown", options.slowdown.has_value()},
                   {"--loss", options.loss.has_value()},
                   {"--budget", options.budget.has_value()}});
}

std::vector<std::string> given_view_options(const ReportOptions& options) {
  return given_of({{"--metric", !options.view.metric.empty()},
                   {"--x", !options.view.x.empty()},
                   {"--y", !options.view.y.empty()},
                   {"--at", !options.view.at.empty()}});
}

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

}  // namespace

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

namespace {

/// Options of simulations and of sweeps change nothing of fits.
void refuse_options_of_others(const ReportOptions& options) {
  std::vector<Complaint> complaints;
  for (const std::vector<std::string>& given : {given_simulation_options(options), given_view_options(options)})
    for (const std::string& option : given)
      complaints.push_back({.source = option,
                            .code = "report.only_fits",
                            .text = "A fitted file's report shows what the file holds; leave " + option + " out."});
  if (!complaints.empty()) throw InputError(complaints);
}

}  // namespace

ReportAnswer fitted_report(const ReportOptions& options, const ReportProgress& progress) {
  refuse_options_of_others(options);
  progress("reading the fits");
  const SavedCalibration saved = read_fitted_file(options.scenario.scenario);
  std::vector<std::string> commands;
  if (!saved.command.empty()) commands.push_back(saved.command);
  commands.push_back(options.command);
  return {.page = fitted_page(saved, options.scenario.scenario, commands)};
}

namespace {

/// Options that change a simulation change nothing of one that has been done.
void refuse_changes_of_results(const ReportOptions& options) {
  std::vector<Complaint> complaints;
  for (const std::string& option : given_simulation_options(options))
    complaints.push_back({.source = option,
                          .code = "report.nothing_simulated",
                          .text = "A sweep's report shows what its folder holds, and simulates nothing; leave " +
                                  option + " out, or give it to saturn sweep."});
  if (!complaints.empty()) throw InputError(complaints);
}

SweepView asked_view(const ReportOptions& options) {
  std::vector<Complaint> complaints;
  SweepView view = view_of(options.view, complaints);
  if (!complaints.empty()) throw InputError(complaints);
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

}  // namespace

ReportAnswer sweep_report(const ReportOptions& options, const ReportProgress& progress) {
  refuse_changes_of_results(options);
  const std::string& folder = options.scenario.scenario;
  SweepSource source{.folder = folder, .view = asked_view(options)};
  const SweepPlan plan = read_plan(folder);
  progress("reading the results of " + std::to_string(plan.points.size()) + " points");
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
  source.commands.push_back(options.command);
  return {.page = sweep_page(for_people(table), source), .code = exit_code_of_points(table)};
}

bool is_sweep_folder(const std::string& path) {
  return has_plan(path);
}

namespace {

struct ReportCommand {
  ReportOptions report{};
  OutputOptions output{};
  std::optional<std::string> page{};     ///< --out
  std::optional<std::string> figures{};  ///< kinds
};

std::filesystem::path page_of(const ReportCommand& command) {
  if (command.page) return *command.page;
  refuse_input("--out", "out.missing", "A report is a file, which needs a name, for example --out report.html.");
}

ReportSubject subject_of(const std::string& what) {
  std::error_code ignored;
  if (std::filesystem::is_directory(what, ignored)) {
    if (is_sweep_folder(what)) return ReportSubject::sweep;
    throw InputError(
        {{.source = what,
          .code = "report.not_a_sweep",
          .text = what + " is a folder without plan.jsonl, so that it is not the folder of a sweep; name a "
                         "scenario, the folder that `saturn sweep --out` filled, or a fitted file of "
                         "`saturn calibrate`.",
          .excerpt = ""}});
  }
  return is_fitted_file(what) ? ReportSubject::fitted : ReportSubject::scenario;
}

ReportAnswer answer_of(ReportSubject subject, const ReportOptions& options, const ReportProgress& progress) {
  switch (subject) {
    case ReportSubject::sweep:
      return sweep_report(options, progress);
    case ReportSubject::fitted:
      return fitted_report(options, progress);
    case ReportSubject::scenario:
      break;
  }
  return scenario_report(options, progress);
}

std::string command_of(const ReportCommand& command) {
  const ReportOptions& report = command.report;
  std::string text = reproducing_command("report", report.scenario);
  const auto add = [&](const std::string& option, const std::optional<std::string>& value) {
    if (value) text += " " + option + " " + shell_word(*value);
  };
  const auto add_word = [&](const std::string& option, const std::string& value) {
    if (!value.empty()) text += " " + option + " " + shell_word(value);
  };
  add("--slowdown", report.slowdown);
  add("--loss", report.loss);
  if (report.scenario.fits_exact) text += " --no-calibration-draws";
  add_word("--metric", report.view.metric);
  add_word("--x", report.view.x);
  add_word("--y", report.view.y);
  for (const std::string& at : report.view.at) add_word("--at", at);
  add("--budget", report.budget);
  add("--out", command.page);
  add("--figures", command.figures);
  return text;
}

/// What is being done, on a terminal alone: one line that each message replaces.
class ReportMessages {
 public:
  explicit ReportMessages(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO) == 1) {}
  ~ReportMessages() { end(); }
  ReportMessages(const ReportMessages&) = delete;
  ReportMessages& operator=(const ReportMessages&) = delete;

  void say(const std::string& doing) const {
    if (shown_) terminal_line() << "\r\033[K" << doing << " ..." << std::flush;
  }
  void end() const {
    if (shown_) terminal_line() << "\r\033[K" << std::flush;
  }

 private:
  bool shown_;
};

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

ExitCode report(ReportCommand command) {
  const std::filesystem::path page_path = page_of(command);
  refuse_to_replace("--out", page_path, command.output.force);
  const std::string& what = command.report.scenario.scenario;
  refuse_overlaps({{"--out", page_path}},
                  std::filesystem::is_directory(what) ? files_of_sweep(what) : std::vector<std::string>{what});
  std::set<FigureKind> kinds;
  const std::filesystem::path folder = figure_folder_of(page_path);
  if (command.figures) {
    kinds = read_figure_kinds(*command.figures);
    refuse_kinds_without_programs(kinds, web_files());
    refuse_to_replace_figures(folder, command.output.force);
  }
  const ReportSubject subject = subject_of(command.report.scenario.scenario);
  command.report.quiet = command.output.quiet;
  command.report.command = command_of(command);
  const ReportMessages messages(command.output.quiet);
  const ReportAnswer answer =
      answer_of(subject, command.report, [&](const std::string& doing) { messages.say(doing); });
  messages.say("the page");
  write_new_file("--out", page_path, report_html(answer.page, web_files()));
  std::vector<WrittenFile> files{written(page_path)};
  if (command.figures) {
    messages.say("the figures");
    write_figures(figures_of(answer.page), folder, kinds, web_files());
    add_figure_files(files, folder);
  }
  messages.end();
  give({.table = [&](TextStyle style) { return written_report_text(answer.page, files, style); },
        .json = [&] { return written_report_json(answer.page, files); },
        .csv = [&] { return written_report_csv(files); }},
       command.output);
  return answer.code;
}

}  // namespace

void add_report_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "report",
                  "One HTML page with the figures, tables, assumptions and checks of a scenario or a sweep");
  const auto command = std::make_shared<ReportCommand>();
  ReportOptions& options = command->report;
  verb.add_option("what", options.scenario.scenario,
                  "A scenario file or the name of a shipped one, the folder of a sweep, or a fitted file")
      .required()
      .type_name("WHAT");
  verb.add_option("--out", command->page, "The HTML file; it opens anywhere, without a network").type_name("FILE");
  verb.add_option("--figures", command->figures,
                  "Also write every figure's rows (csv) and specification into FILE-figures/, and of these kinds: "
                  "csv,svg,png,pdf")
      .type_name("KINDS");
  verb.add_flag("--force", command->output.force, "Let --out and --figures replace files that exist");
  add_change_options(verb, options.scenario);
  add_calibration_option(verb, options.scenario);
  verb.add_option("--slowdown", options.slowdown, "Events may take so much longer than unhindered, default \"1 %\"")
      .type_name("SHARE");
  verb.add_option("--loss", options.loss,
                  "Where events arrive from outside: so many of them may be lost, default \"0.1 %\"")
      .type_name("SHARE");
  add_budget_option(verb, options.budget,
                    "Wall time for simulations, default \"45 s\"; what is cut short is said on the page, with exit "
                    "code 4");
  add_sweep_view_options(verb, options.view);
  add_machine_options(verb, options.machine);
  add_former_jobs(verb, options.machine.processes);
  add_format_options(verb, command->output);
  verb.footer(
      "Examples:\n"
      "  saturn report protodune-big-batch --out protodune.html\n"
      "  saturn report protodune-big-batch --out protodune.html --figures svg,pdf\n"
      "  saturn report my_sweep --out sweep.html\n"
      "  saturn report fitted.json --out fits.html");
  verb.answers(chosen, [command] { return report(*command); });
}

}  // namespace saturn
