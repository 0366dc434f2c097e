#include "sim/cli/verbs.hpp"

#include <array>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "models/results/measure_reference.hpp"
#include "reports/run/provenance.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/cli/completion.hpp"
#include "sim/cli/help.hpp"
#include "sim/cli/print_answer.hpp"
#include "sim/cli/typed_command.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

void take_format(const TypedCommand& typed, OutputOptions& output) {
  typed.take("--format", output.format);
  typed.take("--quiet", output.quiet);
  typed.take("--details", output.details);
}

void take_output(const TypedCommand& typed, OutputOptions& output) {
  take_format(typed, output);
  typed.take("--out", output.out);
  typed.take("--force", output.force);
}

void take_changes(const TypedCommand& typed, ScenarioOptions& scenario) {
  typed.take("--set", scenario.set);
  typed.take("--seed", scenario.seed);
  scenario.command = typed.repeating_the_answer();
}

void take_scenario(const TypedCommand& typed, ScenarioOptions& scenario) {
  typed.take("scenario", scenario.scenario);
  take_changes(typed, scenario);
}

void take_machine(const TypedCommand& typed, MachineOptions& machine) {
  typed.take("--workers", machine.processes);
  typed.take("--time-limit", machine.time_limit);
  typed.take("--memory-limit", machine.memory_limit);
  typed.take("--timing", machine.timing);
}

void take_view(const TypedCommand& typed, SweepViewOptions& view) {
  typed.take("--metric", view.metric);
  typed.take("--x", view.x);
  typed.take("--y", view.y);
  typed.take("--at", view.at);
}

ExitCode do_check(const TypedCommand& typed) {
  CheckRequest request;
  take_scenario(typed, request.scenario);
  take_output(typed, request.output);
  return print_answer([&](Monitor& monitor) { return answer_check(request, monitor); }, request.output);
}

ExitCode do_run(const TypedCommand& typed) {
  RunRequest request;
  take_scenario(typed, request.scenario);
  typed.take("--no-calibration-draws", request.scenario.fits_exact);
  take_machine(typed, request.machine);
  typed.take("--jobs", request.machine.processes);
  take_output(typed, request.output);
  typed.take("--replica", request.replica);
  typed.take("--explain", request.explain);
  typed.take("--budget", request.budget);
  typed.take("--trace", request.trace.trace);
  typed.take("--timeline", request.trace.timeline);
  typed.take("--trace-from", request.trace.from);
  typed.take("--trace-for", request.trace.length);
  return print_answer([&](Monitor& monitor) { return answer_run(request, monitor); }, request.output,
                      request.machine.timing);
}

ExitCode do_plan(const TypedCommand& typed) {
  PlanRequest request;
  take_scenario(typed, request.scenario);
  typed.take("--no-calibration-draws", request.scenario.fits_exact);
  take_machine(typed, request.machine);
  take_output(typed, request.output);
  typed.take("--slowdown", request.slowdown);
  typed.take("--loss", request.loss);
  typed.take("--past-saturation", request.past_saturation);
  typed.take("--jobs", request.jobs);
  typed.take("--clients", request.clients);
  typed.take("--free", request.search.free);
  typed.take("--gpus", request.search.gpus);
  typed.take("--node-sizes", request.search.node_sizes);
  typed.take("--require", request.search.require);
  typed.take("--objective", request.search.objective);
  typed.take("--events", request.search.events);
  typed.take("--spare-nodes", request.spare_nodes);
  typed.take("--availability", request.availability);
  typed.take("--node-availability", request.node_availability);
  typed.take("--budget", request.budget);
  typed.take("--sensitivity", request.sensitivity);
  typed.take("--falsify", request.falsify);
  typed.take("--emit", request.emit);
  return print_answer([&](Monitor& monitor) { return answer_plan(request, monitor); }, request.output,
                      request.machine.timing);
}

ExitCode do_sweep(const TypedCommand& typed) {
  SweepRequest request;
  take_scenario(typed, request.scenario);
  take_format(typed, request.output);
  typed.take("--jobs", request.workers);
  typed.take("--out", request.output.out);
  typed.take("--force", request.output.force);
  typed.take("--axis", request.sweep.axes);
  typed.take("--where", request.sweep.where);
  typed.take("--sample", request.sweep.sample);
  typed.take("--sampling", request.sweep.sampling);
  typed.take("--answer", request.answer);
  typed.take("--slowdown", request.slowdown);
  typed.take("--dry-run", request.dry_run);
  typed.take("--skip-refused", request.skip_refused);
  typed.take("--retry-failed", request.retry_failed);
  typed.take("--workers", request.workers);
  typed.take("--point-time", request.point_time);
  typed.take("--point-memory", request.point_memory);
  typed.take("--shard", request.shard);
  typed.take("--take-over", request.take_over);
  typed.take("--slurm", request.slurm);
  typed.take("--htcondor", request.htcondor);
  typed.take("--shards", request.shards);
  OutputOptions printed = request.output;
  // There --out is the sweep's own folder.
  printed.out.reset();
  return print_answer([&](Monitor& monitor) { return answer_sweep(request, monitor); }, printed);
}

ExitCode do_merge(const TypedCommand& typed) {
  MergeRequest request;
  take_format(typed, request.output);
  typed.take("folder", request.folder);
  typed.take("others", request.others);
  return print_answer([&](Monitor& /*monitor*/) { return answer_merge(request); }, request.output);
}

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

ExitCode do_compare(const TypedCommand& typed) {
  CompareRequest request;
  take_scenario(typed, request.scenario);
  take_machine(typed, request.machine);
  typed.take("--jobs", request.machine.processes);
  take_output(typed, request.output);
  typed.take("other", request.other);
  typed.take("--set-a", request.set_a);
  typed.take("--set-b", request.set_b);
  typed.take("--least-difference", request.least_difference);
  typed.take("--budget", request.budget);
  typed.take("--alternatives", request.alternatives);
  typed.take("--node-cores", request.node_cores);
  typed.take("--core-price", request.core_price);
  if (request.alternatives && (request.of_two() || !request.set_a.empty())) return say_one_at_a_time();
  if (!request.alternatives && !request.of_two()) return say_what_is_there();
  const auto study = request.alternatives ? answer_compare_alternatives : answer_compare_two;
  return print_answer([&](Monitor& monitor) { return study(request, monitor); }, request.output,
                      request.machine.timing);
}

ExitCode do_calibrate(const TypedCommand& typed) {
  CalibrateRequest request;
  take_changes(typed, request.scenario);
  take_format(typed, request.output);
  typed.take("files", request.files);
  typed.take("--out", request.fitted);
  typed.take("--force", request.output.force);
  typed.take("--model", request.model);
  typed.take("--batch", request.batch);
  typed.take("--shared", request.shared);
  typed.take("--instances", request.instances);
  typed.take("--scenario", request.scenario.scenario);
  return print_answer([&](Monitor& monitor) { return answer_calibrate(request, monitor); }, request.output);
}

ExitCode do_validate(const TypedCommand& typed) {
  ValidateRequest request;
  take_changes(typed, request.changes);
  take_machine(typed, request.machine);
  typed.take("--jobs", request.machine.processes);
  take_output(typed, request.output);
  typed.take("case", request.names);
  typed.take("--all", request.all);
  typed.take("--summary", request.summary);
  typed.take("--write", request.page);
  typed.take("--model", request.own.model);
  typed.take("--batch", request.own.batch);
  typed.take("--vary", request.own.vary);
  typed.take("--median", request.own.median);
  typed.take("--worst", request.own.worst);
  return print_answer([&](Monitor& monitor) { return answer_validate(request, monitor); }, request.output,
                      request.machine.timing);
}

ExitCode do_report(const TypedCommand& typed) {
  ReportRequest request;
  ReportOptions& report = request.report;
  take_changes(typed, report.scenario);
  typed.take("--no-calibration-draws", report.scenario.fits_exact);
  take_view(typed, report.view);
  take_machine(typed, report.machine);
  typed.take("--jobs", report.machine.processes);
  take_format(typed, request.output);
  typed.take("what", report.scenario.scenario);
  typed.take("--out", request.page);
  typed.take("--figures", request.figures);
  typed.take("--force", request.output.force);
  typed.take("--slowdown", report.slowdown);
  typed.take("--loss", report.loss);
  typed.take("--budget", report.budget);
  return print_answer([&](Monitor& monitor) { return answer_report(request, monitor); }, request.output,
                      report.machine.timing);
}

ExitCode do_show(const TypedCommand& typed) {
  ShowRequest request;
  take_format(typed, request.output);
  take_view(typed, request.view);
  typed.take("folder", request.folder);
  typed.take("--points", request.points);
  typed.take("--sqlite", request.sqlite);
  typed.take("--force", request.output.force);
  return print_answer([&](Monitor& monitor) { return answer_show(request, monitor); }, request.output);
}

ExitCode do_schema(const TypedCommand& typed) {
  bool reference = false;
  bool measures = false;
  typed.take("--reference", reference);
  typed.take("--measures", measures);
  std::cout << (measures ? measure_reference() : reference ? scenario_reference() : scenario_schema());
  return ExitCode::answered;
}

ExitCode do_examples(const TypedCommand& typed) {
  ExamplesRequest request;
  take_output(typed, request.output);
  typed.take("names", request.names);
  typed.take("--copy", request.copy_to);
  OutputOptions printed = request.output;
  // Texts and copies of scenarios are no results that --out could hold.
  if (!request.names.empty() || request.copy_to) printed.out.reset();
  return print_answer([&](Monitor& /*monitor*/) { return answer_examples(request); }, printed);
}

ExitCode do_help(const TypedCommand& typed) {
  std::string verb;
  typed.take("verb", verb);
  std::cout << (verb.empty() ? help_of_program() : help_of_verb(*find_verb(verb)));
  return ExitCode::answered;
}

ExitCode do_completion(const TypedCommand& typed) {
  std::string shell;
  typed.take("shell", shell);
  std::cout << completion_script(shell);
  return ExitCode::answered;
}

ExitCode do_man(const TypedCommand& /*typed*/) {
  std::cout << manual_page(provenance_of("", 0, "").version);
  return ExitCode::answered;
}

ExitCode do_version(const TypedCommand& /*typed*/) {
  const Provenance build = provenance_of("", 0, "");
  std::cout << "saturn " << build.version << " (" << build.git << ") on SimGrid " << build.simgrid << "\n";
  return ExitCode::answered;
}

struct VerbFunction {
  std::string_view verb;
  ExitCode (*function)(const TypedCommand&);
};

constexpr std::array verb_functions{VerbFunction{"check", do_check},
                                    VerbFunction{"run", do_run},
                                    VerbFunction{"plan", do_plan},
                                    VerbFunction{"sweep", do_sweep},
                                    VerbFunction{"merge", do_merge},
                                    VerbFunction{"compare", do_compare},
                                    VerbFunction{"calibrate", do_calibrate},
                                    VerbFunction{"validate", do_validate},
                                    VerbFunction{"report", do_report},
                                    VerbFunction{"show", do_show},
                                    VerbFunction{"schema", do_schema},
                                    VerbFunction{"examples", do_examples},
                                    VerbFunction{"help", do_help},
                                    VerbFunction{"completion", do_completion},
                                    VerbFunction{"man", do_man},
                                    VerbFunction{"version", do_version}};

}  // namespace

ExitCode do_verb(const TypedCommand& typed) {
  for (const VerbFunction& one : verb_functions) {
    if (one.verb != typed.verb().name) continue;
    const ExitCode exit_code = one.function(typed);
    typed.refuse_unused();
    return exit_code;
  }
  throw std::logic_error("no function does " + std::string(typed.verb().name));
}

}  // namespace saturn
