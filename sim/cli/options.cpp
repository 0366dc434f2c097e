#include "sim/cli/options.hpp"

#include <map>

namespace saturn {

VerbOption add_budget_option(const Verb& verb, std::optional<std::string>& budget, const std::string& help) {
  return verb.add_option("--budget", budget, help).type_name("TIME");
}

void add_format_options(const Verb& verb, OutputOptions& options) {
  const std::map<std::string, Format> formats{{"table", Format::table},
                                              {"markdown", Format::markdown},
                                              {"csv", Format::csv},
                                              {"json", Format::json},
                                              {"html", Format::html}};
  verb.add_choice("--format", options.format, formats,
                  "How the answer is printed: table (default), markdown, csv, json or html")
      .type_name("FORMAT");
  verb.add_flag("--details", options.details, "Every table, not the first screen alone");
  verb.add_flag("--quiet", options.quiet, "Nothing on stderr but complaints");
}

void add_output_options(const Verb& verb, OutputOptions& options) {
  add_format_options(verb, options);
  verb.add_option("--out", options.out, "Also write result.json, result.csv and result.txt into this folder")
      .type_name("DIR");
  verb.add_flag("--force", options.force, "Let --out, --copy, --emit, --trace and --timeline replace files that exist");
}

void add_change_options(const Verb& verb, ScenarioOptions& options) {
  verb.add_option("--set", options.set, "Change one value, for example --set /jobs/0/count=300; may be repeated")
      .type_name("/POINTER=VALUE")
      .repeatable();
  verb.add_option("--seed", options.seed, "Seed of the random numbers, in place of the scenario's")
      .whole_number(0, (std::uint64_t{1} << 53) - 1)
      .type_name("N");
}

void add_calibration_option(const Verb& verb, ScenarioOptions& options) {
  verb.add_flag("--no-calibration-draws", options.fits_exact,
                "Take the values of fitted parameter files as exact; intervals are then those of the simulation alone");
}

void add_scenario_options(const Verb& verb, ScenarioOptions& options) {
  verb.add_option("scenario", options.scenario, "A scenario file, or the name of a shipped scenario (saturn examples)")
      .required()
      .type_name("SCENARIO");
  add_change_options(verb, options);
}

VerbOption add_workers_option(const Verb& verb, unsigned& workers, const std::string& help) {
  return verb.add_option("-j,--workers", workers, help).whole_number(0, 4096).type_name("N");
}

void add_former_jobs(const Verb& verb, unsigned& workers) {
  verb.add_option("--jobs", workers).whole_number(0, 4096).excludes("--workers").former_name("--workers (or -j)");
}

void add_batch_option(const Verb& verb, std::optional<std::uint64_t>& batch) {
  verb.add_option("--batch", batch,
                  "Items that a request carried, perf_analyzer's -b, where a file does not say; else from Little's law")
      .whole_number(1, 1'000'000'000)
      .type_name("N");
}

void add_machine_options(const Verb& verb, MachineOptions& options) {
  add_workers_option(verb, options.processes,
                     "Simulations at once; 0 (default) is one a core; results do not depend on it");
  verb.add_option("--time-limit", options.time_limit, "Wall time of one simulation, default \"600 s\"")
      .type_name("TIME");
  verb.add_option("--memory-limit", options.memory_limit, "Memory of one simulation, default \"8 GB\"")
      .type_name("SIZE");
  const std::map<std::string, bool> answers{{"yes", true}, {"no", false}};
  verb.add_choice("--timing", options.timing, answers,
                  "Say on a terminal how long the simulations took: yes (default) or no")
      .type_name("yes|no");
}

void add_sweep_view_options(const Verb& verb, SweepViewOptions& options) {
  verb.add_option("--metric", options.metric,
                  "What is shown: a name as in points.csv, or a part of one; default: the first")
      .type_name("NAME");
  verb.add_option("--x", options.x, "Axis that goes to the right; alone: bars over this axis").type_name("AXIS");
  verb.add_option("--y", options.y, "Axis that goes upwards").type_name("AXIS");
  verb.add_option("--at", options.at, "Only points at which an axis has this value; may be repeated")
      .type_name("AXIS=VALUE")
      .repeatable();
}

}  // namespace saturn
