#include <iostream>
#include <memory>

#include "scenarios/demands.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_checks.hpp"
#include "sim/cli/plan_options.hpp"

namespace saturn {

namespace {

ExitCode plan(const PlanOptions& options) {
  const ReadScenario read = load_scenario(options.scenario, options.output);
  refuse_to_overwrite(options.output);
  return any_open(read.scenario) ? plan_arrivals(options, read) : plan_clients(options, read);
}

}  // namespace

std::string command_of(const PlanOptions& options) {
  std::string command = reproducing_command("plan", options.scenario);
  if (options.slowdown) command += " --slowdown " + shell_word(*options.slowdown);
  if (options.loss) command += " --loss " + shell_word(*options.loss);
  if (options.past_saturation) command += " --past-saturation";
  if (options.scenario.fits_exact) command += " --no-calibration-draws";
  if (options.clients) command += " --clients " + std::to_string(*options.clients);
  if (options.falsify) command += " --falsify";
  return command;
}

std::vector<EmittedConfig> configs_to_emit(const Scenario& scenario, const PlanOptions& options) {
  if (!options.emit) return {};
  return configs_of(scenario, *options.emit, options.output.force);
}

void emit(const std::vector<EmittedConfig>& configs, bool quiet) {
  write_configs(configs);
  if (quiet) return;
  for (const EmittedConfig& config : configs) std::cerr << "wrote " << config.path.string() << "\n";
}

void add_plan_command(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("plan", "How many jobs one GPU carries, and how many GPUs N jobs need");
  const auto options = std::make_shared<PlanOptions>();
  add_scenario_options(*verb, options->scenario);
  add_calibration_option(*verb, options->scenario);
  verb->add_option("--slowdown", options->slowdown, "Events may take so much longer than unhindered, default \"1 %\"")
      ->type_name("SHARE");
  verb->add_option(
          "--clients", options->clients,
          "GPUs for so many jobs (event loops, with several threads a job), in place of the scenario's own number")
      ->check(whole_number(1, 2'000'000))
      ->type_name("N");
  verb->add_option("--loss", options->loss,
                   "Where events arrive from outside: so many of them may be lost, default \"0.1 %\"")
      ->type_name("SHARE");
  verb->add_flag("--past-saturation", options->past_saturation,
                 "Plan with more jobs than saturate the first resource, as far as the slowdown allows");
  verb->add_flag(
      "--falsify", options->falsify,
      "Also say which measurements would contradict the plan: a number of jobs, and a perf_analyzer command a "
      "model, with what they should give");
  verb->add_option("--emit", options->emit,
                   "Also write DIR/<model>/config.pbtxt, Triton's configuration of each model as it was planned with, "
                   "DIR/values.yaml for SuperSONIC's Helm chart, and DIR/README.md: how to deploy them, and what would "
                   "contradict the plan")
      ->type_name("DIR");
  add_machine_options(*verb, options->machine);
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n"
      "  saturn plan protodune-big-batch\n"
      "  saturn plan protodune-big-batch --slowdown '20 %' --past-saturation\n"
      "  saturn plan protodune-big-batch --clients 1000 --format json\n"
      "  saturn plan protodune-big-batch --falsify\n"
      "  saturn plan protodune-big-batch --emit model_repository");
  verb->callback([options, &chosen] { chosen = [options] { return plan(*options); }; });
}

}  // namespace saturn
