#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <unistd.h>

#include "calibration/fitted_file.hpp"
#include "reports/web/web_files.hpp"
#include "reports/page/written_report.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/budget.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/common_options.hpp"
#include "sim/cli/figure_files.hpp"
#include "sim/cli/new_file.hpp"
#include "sim/cli/report_kinds.hpp"
#include "sim/cli/standard_files.hpp"
#include "sim/cli/written_files.hpp"

namespace saturn {

namespace {

struct ReportCommand {
  ReportOptions report{};
  OutputOptions output{};
  std::optional<std::string> page{};     ///< --out
  std::optional<std::string> figures{};  ///< kinds
};

std::filesystem::path page_of(const ReportCommand& command) {
  if (command.page) return *command.page;
  throw InputError({{.source = "--out",
                     .code = "out.missing",
                     .text = "A report is a file, which needs a name, for example --out report.html.",
                     .excerpt = ""}});
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
