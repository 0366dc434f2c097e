#include <memory>

#include "calibration/measured_case.hpp"
#include "reports/listing.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/validation.hpp"

namespace saturn {

namespace {

struct ValidateOptions {
  std::string name;
  bool all = false;
  ScenarioOptions changes;
  MachineOptions machine;
  OutputOptions output;
};

std::vector<MeasuredCase> shipped_cases() {
  std::vector<MeasuredCase> cases;
  for (const EmbeddedFile& file : shipped_measurements()) {
    cases.push_back(read_measured_text(std::string(file.text), std::string(file.name)));
  }
  return cases;
}

ExitCode list(const OutputOptions& output) {
  std::vector<ListedItem> items;
  for (const MeasuredCase& one : shipped_cases()) {
    items.push_back({.name = one.id, .title = one.title + " (" + std::to_string(one.rows.size()) + " rows)"});
  }
  give({.table = [&](TextStyle style) { return listing_table("case", items, style); },
        .json = [&] { return listing_json("case", items); },
        .csv = [&] { return listing_csv(items); }},
       output);
  return ExitCode::answered;
}

ExitCode validate(const ValidateOptions& options) {
  const RunLimits limits = limits_of(options.machine);
  refuse_to_overwrite(options.output);
  if (options.name.empty() && !options.all) return list(options.output);
  const std::vector<MeasuredCase> cases =
      options.all ? shipped_cases() : std::vector<MeasuredCase>{read_measured_file(options.name)};

  ScenarioOptions named = options.changes;
  named.scenario = options.all ? "--all" : options.name;
  Progress progress(options.output.quiet, options.machine.timing);
  ValidationReport report = validated(
      cases, overrides_of(options.changes),
      {.processes = options.machine.processes, .limits = limits, .command = "", .progress = progress.callback()});
  progress.end();
  report.provenance.command = reproducing_command("validate", named);
  give({.table = [&](TextStyle style) { return validation_table(report, style); },
        .json = [&] { return validation_json(report); },
        .csv = [&] { return validation_csv(report); }},
       options.output);
  return ExitCode::answered;
}

}  // namespace

void add_validate_command(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("validate", "Simulate published measurements and print the errors");
  const auto options = std::make_shared<ValidateOptions>();
  auto* name = verb->add_option("case", options->name, "A shipped case or a file; none: list the shipped cases");
  name->type_name("CASE");
  verb->add_flag("--all", options->all, "All shipped cases")->excludes(name);
  add_change_options(*verb, options->changes);
  add_machine_options(*verb, options->machine);
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n"
      "  saturn validate\n"
      "  saturn validate protodune_4T4_bigbatch_nodyn\n"
      "  saturn validate --all --format csv");
  verb->callback([options, &chosen] { chosen = [options] { return validate(*options); }; });
}

}  // namespace saturn
