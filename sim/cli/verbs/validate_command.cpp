#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "calibration/measured_case.hpp"
#include "models/words/texts.hpp"
#include "reports/run/check_report.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/new_files.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/cli/verbs/validation.hpp"

namespace saturn {

/// Refuses a page that exists or has no place, before anything is simulated for it.
/// @throws InputError  write.exists, write.no_folder
void refuse_to_overwrite_page(const std::string& path, bool force) {
  if (path.empty()) refuse_input("--write", "write.no_name", "--write needs the name of a file.");
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (std::filesystem::is_directory(path, ignored)) {
    refuse_input("--write", "write.is_a_folder", path + " is a folder; --write needs the name of a file.");
  }
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    refuse_input("--write", "write.no_folder",
                 "There is no folder " + folder.string() + "; make it, or name another place.");
  }
  if (!force && std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    refuse_input("--write", "write.exists", path + " would be overwritten; name another file, or add --force.");
  }
}

/// @throws InputError  write.not_writable
void write_page(const std::string& path, const std::string& text) {
  if (!write_whole(path, text)) refuse_input("--write", "write.not_writable", path + " cannot be written.");
}

namespace {

struct ValidateOptions {
  std::vector<std::string> names;  ///< one case; or a scenario and files of measurements
  OwnOptions own;
  bool all = false;
  bool summary = false;
  std::optional<std::string> page;  ///< file for the report as Markdown
  ScenarioOptions changes;
  MachineOptions machine;
  OutputOptions output;
};

ExitCode list_measured_cases(const OutputOptions& output) {
  std::vector<ListedItem> items;
  for (const MeasuredCase& one : read_measured_cases("")) {
    items.push_back(
        {.name = one.about.id, .title = one.about.title + " (" + counted_noun(one.rows.size(), "row") + ")"});
  }
  give(listing_answer("case", items), output);
  return ExitCode::answered;
}

// CSV has no heading that could say it.
void warn_of_changes(const ValidationReport& report, bool own, const OutputOptions& output) {
  if (output.quiet || report.changes.empty()) return;
  std::cerr << "note: every row was simulated with";
  for (const std::string& change : report.changes) std::cerr << " " << change;
  std::cerr << (own ? "\n" : "; these are not the errors of the shipped scenarios\n");
}

/// Shipped cases know their model, their rows and their bands.
void refuse_own_options(const ValidateOptions& options) {
  if (!any_given(options.own)) return;
  refuse_input("--model, --batch, --vary, --median, --worst", "option.without_measurements",
               "These options are about your own measurements, and none are given; name a scenario and "
               "files: saturn validate SCENARIO MEASURED.csv.");
}

ExitCode validate(const ValidateOptions& options) {
  const RunLimits limits = limits_of(options.machine);
  refuse_to_overwrite(options.output);
  if (options.page) refuse_to_overwrite_page(*options.page, options.output.force);
  std::vector<OutputFile> written = files_of_out(options.output);
  if (options.page) written.push_back({"--write", *options.page});
  refuse_overlaps(written, options.names);
  const bool own = options.names.size() > 1;
  if (!own) refuse_own_options(options);
  if (options.names.empty() && !options.all) return list_measured_cases(options.output);
  const std::vector<MeasuredCase> cases = own ? own_cases(options.names, options.changes, options.own, options.output)
                                              : read_measured_cases(options.all ? "" : options.names.front());

  ScenarioOptions named = options.changes;
  named.scenario = options.all ? "--all" : options.names.front();
  Progress progress(options.output.quiet, options.machine.timing);
  ValidationReport report = validated(
      cases, overrides_of(options.changes),
      {.processes = options.machine.processes, .limits = limits, .command = "", .progress = progress.callback()});
  progress.end();
  warn_of_changes(report, own, options.output);
  report.provenance.command =
      own ? own_command(options.names, options.changes, options.own) : reproducing_command("validate", named);
  give(validation_answer(report, options.summary), options.output);
  if (options.page) write_page(*options.page, validation_page(report));
  return within_bands(report) ? ExitCode::answered : ExitCode::outside_band;
}

}  // namespace

void add_validate_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "validate", "Simulate measured configurations and print the errors");
  const auto options = std::make_shared<ValidateOptions>();
  const VerbOption name =
      verb.add_option("case", options->names,
                      "A shipped case, the beginning of its name, or a file in its schema; or a scenario and "
                      "then files of your own measurements: tables, output of perf_analyzer or Model "
                      "Analyzer; none: list the shipped cases");
  name.type_name("CASE | SCENARIO MEASURED");
  verb.add_flag("--all", options->all, "All shipped cases").excludes(name);
  verb.add_flag("--summary", options->summary, "In tables, the scores alone");
  verb.add_option("--write", options->page,
                  "Also write the errors of every row as a page in Markdown; never over a file without --force")
      .type_name("FILE");
  verb.add_option("--model", options->own.model, "Model of the scenario that your measured loads are of")
      .type_name("NAME");
  add_batch_option(verb, options->own.batch);
  verb.add_option("--vary", options->own.vary, "Pool whose jobs are your measured clients, such as /jobs/1/count")
      .type_name("POINTER");
  verb.add_option("--median", options->own.median, "Band for your measurements: what the median error may be")
      .type_name("PERCENT");
  verb.add_option("--worst", options->own.worst, "The same for the worst error").type_name("PERCENT");
  add_change_options(verb, options->changes);
  add_machine_options(verb, options->machine);
  add_former_jobs(verb, options->machine.processes);
  add_output_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn validate\n"
      "  saturn validate protodune_4T4_bigbatch_nodyn\n"
      "  saturn validate triton\n"
      "  saturn validate --all --summary\n"
      "  saturn validate --all --format csv\n"
      "  saturn validate --all --write validation.md\n"
      "  saturn validate my-scenario.json rows.csv\n"
      "  saturn validate my-scenario.json perf.csv --model resnet --median 5% --worst 15%\n"
      "Exit code 3: an error leaves the band that its case states or you ask for, or no row counts for a band.");
  verb.answers(chosen, [options] { return validate(*options); });
}

}  // namespace saturn
