#include <memory>

#include "sim/cli/options.hpp"
#include "sim/cli/print_answer.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

using CalibrateOptions = CalibrateRequest;

ExitCode calibrate_files(const CalibrateRequest& request) {
  return print_answer([&](Monitor& monitor) { return answer_calibrate(request, monitor); }, request.output);
}

}  // namespace

void add_calibrate_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "calibrate", "Fit service laws, times and rates to measured files");
  const auto options = std::make_shared<CalibrateOptions>();
  verb.add_option("files", options->files,
                  "Output of perf_analyzer, Model Analyzer, Triton's metrics, ping, iperf3 -J, TimeTracker, "
                  "FastTimerService, tables or numbers; recognised by content")
      .required()
      .type_name("FILES");
  verb.add_option("--out", options->fitted, "Write the fits into this file, for {\"fitted\": FILE} in scenarios")
      .type_name("FILE");
  verb.add_option("--model", options->model, "Name of the model where a file does not say; the same for all files")
      .type_name("NAME");
  add_batch_option(verb, options->batch);
  const VerbOption shared =
      verb.add_option(
              "--shared", options->shared,
              "Loads of several instances that share a device: tells the device's part of a batch from the host's")
          .type_name("FILE");
  verb.add_option("--instances", options->instances, "How many instances those are, default 2")
      .whole_number(2, 64)
      .needs(shared)
      .type_name("N");
  verb.add_option("--scenario", options->scenario.scenario, "Say where this scenario saturates by each source")
      .type_name("SCENARIO");
  add_change_options(verb, options->scenario);
  add_format_options(verb, options->output);
  verb.add_flag("--force", options->output.force, "Let --out replace a file that exists");
  verb.footer(
      "Examples:\n"
      "  saturn calibrate perf.csv --out fitted.json\n"
      "  saturn calibrate ping.txt iperf3.json timing.db --out site.json\n"
      "  saturn calibrate perf_client.txt rows.csv --scenario protodune-big-batch\n"
      "Then, in a scenario: \"service\": { \"t4\": { \"fitted\": \"fitted.json\" } }");
  verb.answers(chosen, [options] { return calibrate_files(*options); });
}

namespace {

using ValidateOptions = ValidateRequest;

ExitCode validate(const ValidateRequest& request) {
  return print_answer([&](Monitor& monitor) { return answer_validate(request, monitor); }, request.output,
                      request.machine.timing);
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
