#include <memory>

#include "sim/cli/options.hpp"
#include "sim/cli/print_answer.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

using RunCommandOptions = RunRequest;

ExitCode run(const RunRequest& request) {
  return print_answer([&](Monitor& monitor) { return answer_run(request, monitor); }, request.output,
                      request.machine.timing);
}

/// --trace, --timeline, --trace-from and --trace-for.
void add_trace_options(const Verb& verb, TraceOptions& options) {
  verb.add_option("--trace", options.trace,
                  "Also record what clients, requests and instances do, as Chrome trace events (docs/traces.md)")
      .type_name("FILE.json");
  verb.add_option("--timeline", options.timeline,
                  "Also sample the use of every resource and the length of every queue over the whole run")
      .type_name("FILE.csv");
  verb.add_option("--trace-from", options.from,
                  "Simulated time from which on both record; without it --trace begins in the middle of the run")
      .type_name("TIME");
  verb.add_option("--trace-for", options.length,
                  "Simulated time that both record; without it --trace records two event times")
      .type_name("TIME");
}

}  // namespace

void add_run_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "run", "Simulate a scenario as it stands");
  const auto options = std::make_shared<RunCommandOptions>();
  add_scenario_options(verb, options->scenario);
  add_calibration_option(verb, options->scenario);
  add_machine_options(verb, options->machine);
  add_former_jobs(verb, options->machine.processes);
  add_output_options(verb, options->output);
  const VerbOption replica = verb.add_option("--replica", options->replica,
                                             "Simulate this replication alone (from 0), to look at one run again")
                                 .type_name("I");
  verb.add_flag("--explain", options->explain,
                "Also simulate what one more instance, a longer delay, larger batches or one more device would gain")
      .excludes(replica);
  add_budget_option(verb, options->budget,
                    "Replications until the precision or this wall time is reached, for example \"30 s\", in place of "
                    "/run/max_replications; what is not done by then is left out, and without a replication the "
                    "formulas answer, with exit code 4")
      .excludes(replica);
  add_trace_options(verb, options->trace);
  verb.footer(
      "Examples:\n"
      "  saturn run protodune-big-batch\n"
      "  saturn run first-steps --explain\n"
      "  saturn run first-steps --budget '30 s' --set '/run/precision=0.1 %'\n"
      "  saturn run protodune-big-batch --set /jobs/0/count=300 --set '/jobs/0/event/0/cpu=100 s'\n"
      "  saturn run first-steps --trace run.json --timeline run.csv\n"
      "  saturn run mine.json --trace busy.json --trace-from '20 min' --trace-for '30 s' --replica 2\n"
      "  saturn run mine.json --seed 7 --format json --out results");
  verb.answers(chosen, [options] { return run(*options); });
}

}  // namespace saturn
