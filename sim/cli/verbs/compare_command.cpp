#include <iostream>
#include <memory>

#include "sim/cli/options.hpp"
#include "sim/cli/print_answer.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

using CompareOptions = CompareRequest;

ExitCode say_what_is_there() {
  std::cerr
      << "saturn: compare needs to know what. A second scenario, or --set-b, is compared with the first; "
         "--alternatives "
         "puts CPU only,\na GPU in each worker node, a service on site and the service of the scenario into one table. "
         "For example\n"
         "  saturn compare protodune-big-batch protodune-small-batch\n"
         "  saturn compare first-steps --set-b /servers/0/devices/count=8\n"
         "  saturn compare protodune-big-batch --alternatives\n";
  return ExitCode::usage;
}

ExitCode say_one_at_a_time() {
  std::cerr
      << "saturn: --alternatives compares one scenario with what it is not; leave out the second scenario, --set-a "
         "and --set-b, or --alternatives.\n";
  return ExitCode::usage;
}

ExitCode compare(const CompareOptions& options) {
  if (options.alternatives && (options.of_two() || !options.set_a.empty())) return say_one_at_a_time();
  if (!options.alternatives && !options.of_two()) return say_what_is_there();
  const auto study = options.alternatives ? answer_compare_alternatives : answer_compare_two;
  return print_answer([&](Monitor& monitor) { return study(options, monitor); }, options.output,
                      options.machine.timing);
}

}  // namespace

void add_compare_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "compare",
                  "Two scenarios; or the same jobs with CPU only, GPUs of their own, and a service");
  const auto options = std::make_shared<CompareOptions>();
  add_scenario_options(verb, options->scenario);
  verb.add_option("other", options->other,
                  "The scenario to compare with; without it, the first with the changes of --set-b")
      .type_name("SCENARIO");
  verb.add_option("--set-a", options->set_a, "Change one value of the first scenario alone; may be repeated")
      .type_name("/POINTER=VALUE")
      .repeatable();
  verb.add_option("--set-b", options->set_b, "Change one value of the second scenario alone; may be repeated")
      .type_name("/POINTER=VALUE")
      .repeatable();
  verb.add_option("--least-difference", options->least_difference,
                  "Relative difference below which nobody decides, for example \"1 %\"; default is /run/precision of "
                  "the first")
      .type_name("SHARE");
  add_budget_option(verb, options->budget,
                    "Pairs of replications until the two differ, or this wall time is spent, for example \"30 s\", in "
                    "place of /run/max_replications; it ends --alternatives too. Without one pair the "
                    "formulas answer, with exit code 4");
  verb.add_flag("--alternatives", options->alternatives,
                "Compare CPU only, a GPU in each worker node, a service on site, the service of the scenario; or those "
                "of /alternatives");
  verb.add_option("--node-cores", options->node_cores,
                  "With --alternatives: cores of a worker node, default 32: the jobs on them share its GPU")
      .whole_number(1, 4096)
      .type_name("N");
  verb.add_option("--core-price", options->core_price,
                  "With --alternatives: rent of one core instead of /costs/core, for example \"0.03 USD/h\"")
      .type_name("PRICE");
  add_machine_options(verb, options->machine);
  add_former_jobs(verb, options->machine.processes);
  add_output_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn compare protodune-big-batch protodune-small-batch\n"
      "  saturn compare first-steps --set-b /servers/0/devices/count=8\n"
      "  saturn compare protodune-big-batch --alternatives\n"
      "  saturn compare protodune-big-batch --alternatives --core-price '0.03 USD/h'\n"
      "  saturn compare mine.json --alternatives --set /jobs/0/count=400 --format json");
  verb.answers(chosen, [options] { return compare(*options); });
}

}  // namespace saturn
