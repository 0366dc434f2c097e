#include <iostream>
#include <memory>

#include "models/results/measure_reference.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/print_answer.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

using CheckOptions = CheckRequest;
using ExamplesOptions = ExamplesRequest;
using ShowOptions = ShowRequest;

ExitCode check(const CheckRequest& request) {
  return print_answer([&](Monitor& monitor) { return answer_check(request, monitor); }, request.output);
}

ExitCode examples(const ExamplesRequest& request) {
  OutputOptions printed = request.output;
  // Texts and copies of scenarios are no results that --out could hold.
  if (!request.names.empty() || request.copy_to) printed.out.reset();
  return print_answer([&](Monitor& /*monitor*/) { return answer_examples(request); }, printed);
}

ExitCode show(const ShowRequest& request) {
  return print_answer([&](Monitor& monitor) { return answer_show(request, monitor); }, request.output);
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

void add_schema_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "schema", "Print the JSON Schema of scenarios, their reference, or that of numbers");
  const auto reference = std::make_shared<bool>(false);
  verb.add_flag("--reference", *reference, "Print the reference of every key (Markdown) instead");
  const auto measures = std::make_shared<bool>(false);
  verb.add_flag("--measures", *measures, "Print what every number of a run is and where it stands (Markdown) instead");
  verb.footer(
      "Examples:\n"
      "  saturn schema > saturn-scenario.schema.json\n"
      "  saturn schema --reference\n"
      "  saturn schema --measures");
  verb.answers(chosen, [reference, measures] {
    std::cout << (*measures ? measure_reference() : *reference ? scenario_reference() : scenario_schema());
    return ExitCode::answered;
  });
}

void add_examples_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "examples", "List, print or copy the shipped scenarios");
  const auto options = std::make_shared<ExamplesOptions>();
  verb.add_option("names", options->names, "Scenarios to print or copy; none: list them all").type_name("NAME");
  verb.add_option("--copy", options->copy_to, "Copy them into this folder; never replaces a file without --force")
      .type_name("DIR")
      .single();
  add_output_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn examples\n"
      "  saturn examples first-steps\n"
      "  saturn examples --copy my-scenarios protodune-big-batch");
  verb.answers(chosen, [options] { return examples(*options); });
}

void add_show_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "show", "Show what a sweep found: table, bars, heat map, SQLite");
  const auto options = std::make_shared<ShowOptions>();
  verb.add_option("folder", options->folder, "The folder of a sweep, finished or not").required().type_name("DIR");
  add_sweep_view_options(verb, options->view);
  verb.add_flag("--points", options->points, "A table with one line a point, however many there are");
  verb.add_option("--sqlite", options->sqlite, "Also write the points into this SQLite database")
      .type_name("FILE")
      .single();
  verb.add_flag("--force", options->output.force, "Let --sqlite replace a database that exists");
  add_format_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn show batching\n"
      "  saturn show batching --metric clients_per_gpu --x max_batch_size --y rtt --at max_queue_delay=\"0.5 ms\"\n"
      "  saturn show batching --metric binding\n"
      "  saturn show batching --sqlite batching.db --quiet");
  verb.answers(chosen, [options] { return show(*options); });
}

}  // namespace saturn
