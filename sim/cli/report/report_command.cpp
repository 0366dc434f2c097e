#include <memory>

#include "sim/cli/options.hpp"
#include "sim/cli/print_answer.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

using ReportCommand = ReportRequest;

ExitCode report(const ReportRequest& request) {
  return print_answer([&](Monitor& monitor) { return answer_report(request, monitor); }, request.output,
                      request.report.machine.timing);
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
