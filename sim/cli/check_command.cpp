#include <memory>

#include "reports/check_report.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/sweep_space.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/common_options.hpp"
#include "sim/cli/facts.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/written_files.hpp"

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
  const CheckReport report{.provenance = provenance_of(read, reproducing_command("check", options.scenario)),
                           .facts = facts_of(read.scenario),
                           .product_form_violations = closed_network(read.scenario).product_form_violations,
                           .warnings = read.warnings.size(),
                           .resolved = read.resolved};
  give({.table = [&](TextStyle style) { return check_table(report, style); },
        .json = [&] { return check_json(report); },
        .csv = [&] { return check_csv(report); }},
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

}  // namespace saturn
