#include "sim/cli/plan/plan_command.hpp"

#include <cmath>
#include <iostream>
#include <memory>

#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/plan/emitted_files.hpp"

namespace saturn {

namespace {

/// Event loops that a plan is asked for.
constexpr std::uint64_t most_planned_clients = 2'000'000;

/// Options that only a search understands would silently do nothing.
/// @param open  events arrive from outside
void refuse_without_search(const PlanOptions& options, bool open) {
  std::vector<Complaint> complaints;
  const auto refuse = [&](const std::string& option) {
    complaints.push_back({.source = option,
                          .code = "option.needs_free",
                          .text = option +
                                  " belongs to a search: say what may be chosen, for example --free "
                                  "/servers/0/devices/count=1:8, and what is best, for example --objective cost.",
                          .excerpt = ""});
  };
  if (options.spare_nodes > 0) refuse("--spare-nodes");
  if (options.availability) refuse("--availability");
  if (options.node_availability) refuse("--node-availability");
  if (options.sensitivity && open) refuse("--sensitivity");
  if (options.budget && open) refuse("--budget");
  if (open && (options.jobs || options.clients))
    complaints.push_back({.source = options.jobs ? "--jobs" : "--clients",
                          .code = "option.needs_closed_jobs",
                          .text = "Events arrive from outside here, and no number of jobs is planned for; leave it "
                                  "out. Simulations at once are --workers.",
                          .excerpt = ""});
  if (!complaints.empty()) throw InputError(complaints);
}

/// Options of the other kinds of plans would silently do nothing in a search.
void refuse_with_search(const PlanOptions& options, const Scenario& scenario) {
  std::vector<Complaint> complaints;
  const auto refuse = [&](const std::string& option, const std::string& way_out) {
    complaints.push_back({.source = option,
                          .code = "option.not_with_free",
                          .text = option + " means nothing where candidates are searched: " + way_out,
                          .excerpt = ""});
  };
  if (options.jobs)
    refuse("--jobs", "set the jobs with --set /jobs/0/count=" + std::to_string(*options.jobs) +
                         ". Simulations at once are --workers.");
  if (options.clients) refuse("--clients", "set the jobs with --set /jobs/0/count=N.");
  if (options.loss) refuse("--loss", "write --require 'lost_share <= " + *options.loss + "'.");
  if (options.past_saturation) refuse("--past-saturation", "the requirements alone decide how far jobs may wait.");
  if (options.falsify && any_open(scenario))
    refuse("--falsify", "events arrive from outside, and no number of jobs saturates anything there.");
  if (!complaints.empty()) throw InputError(complaints);
}

/// The options of a search, as they were given.
void add_search_words(std::string& command, const PlanOptions& options) {
  const auto add = [&](const std::string& option, const std::vector<std::string>& values) {
    for (const std::string& value : values) command += " " + option + " " + shell_word(value);
  };
  const auto add_one = [&](const std::string& option, const std::optional<std::string>& value) {
    if (value) command += " " + option + " " + shell_word(*value);
  };
  add("--free", options.search.free);
  add("--gpus", options.search.gpus);
  add("--node-sizes", options.search.node_sizes);
  add("--require", options.search.require);
  add_one("--objective", options.search.objective);
  add_one("--events", options.search.events);
  if (options.spare_nodes > 0) command += " --spare-nodes " + std::to_string(options.spare_nodes);
  add_one("--availability", options.availability);
  add_one("--node-availability", options.node_availability);
  add_one("--budget", options.budget);
}

/// For one version, whoever means what --jobs was is told what it is.
void say_what_jobs_are(const PlanOptions& options) {
  if (!options.jobs || options.output.quiet || options.machine.processes != 0) return;
  const std::string jobs = counted_noun(*options.jobs, "job");
  std::cerr << "saturn: note: plan --jobs asks for GPUs for " << jobs
            << "; simulations at once, which it meant before, are now --workers (or -j).\n";
}

ExitCode plan(const PlanOptions& options) {
  say_what_jobs_are(options);
  const Budget budget(options.budget);
  const ReadScenario read = load_scenario(options.scenario, options.output);
  refuse_to_overwrite(options.output);
  std::vector<OutputFile> written = files_of_out(options.output);
  for (const EmittedConfig& config : configs_to_emit(read.scenario, options))
    written.push_back({"--emit", config.path});
  if (options.emit)
    for (const std::string& file : deployment_files(read.scenario))
      written.push_back({"--emit", std::filesystem::path(*options.emit) / file});
  refuse_overlaps(written, files_read(read, options.scenario.scenario));
  if (is_search(options)) {
    refuse_with_search(options, read.scenario);
    return plan_search(options, read, budget);
  }
  refuse_without_search(options, any_open(read.scenario));
  return any_open(read.scenario) ? plan_arrivals(options, read) : plan_clients(options, read, budget);
}

}  // namespace

std::optional<std::uint64_t> asked_clients(const PlanOptions& options, const Scenario& scenario) {
  if (!options.jobs) return options.clients;
  const double jobs = job_count(scenario);
  const double loops_per_job = client_count(scenario) / jobs;
  const double clients = static_cast<double>(*options.jobs) * loops_per_job;
  if (clients > static_cast<double>(most_planned_clients))
    refuse_input("--jobs " + std::to_string(*options.jobs), "plan.too_many_jobs",
                 "Their event loops are more than 2,000,000, for which no plan is made; ask for fewer.");
  return static_cast<std::uint64_t>(std::llround(clients));
}

std::string command_of(const PlanOptions& options) {
  std::string command = reproducing_command("plan", options.scenario);
  if (options.slowdown) command += " --slowdown " + shell_word(*options.slowdown);
  if (options.loss) command += " --loss " + shell_word(*options.loss);
  if (options.past_saturation) command += " --past-saturation";
  if (options.scenario.fits_exact) command += " --no-calibration-draws";
  if (options.jobs) command += " --jobs " + std::to_string(*options.jobs);
  if (options.clients) command += " --clients " + std::to_string(*options.clients);
  add_search_words(command, options);
  if (options.sensitivity) command += " --sensitivity";
  if (options.falsify) command += " --falsify";
  return command;
}

namespace {

void add_search_options(const Verb& verb, PlanOptions& options) {
  verb.add_option("--free", options.search.free,
                  "A value that may be chosen, by pointer, with its range: /jobs/0/count=1:500, "
                  "/models/*/max_batch_size=16:1024:x2, /servers/0/site=fnal,iowa; may be repeated")
      .repeatable()
      .type_name("/POINTER[=RANGE]");
  verb.add_option("--gpus", options.search.gpus,
                  "Devices of a server that may be bought, in nodes of --node-sizes: 1:32, or gke=1:32")
      .repeatable()
      .type_name("[SERVER=]RANGE");
  verb.add_option("--node-sizes", options.search.node_sizes,
                  "Devices that a node comes with, for example 1,4,8; default: the scenario's")
      .repeatable()
      .type_name("LIST");
  verb.add_option("--require", options.search.require,
                  "What must hold, for example 'latency_p99 <= 50 ms', 'rent <= 5 USD/h'; may be repeated")
      .repeatable()
      .type_name("'FIGURE <= VALUE'");
  verb.add_option("--objective", options.search.objective,
                  "What is best: fewest-gpus, cost, rent, energy, throughput, campaign-time, jobs-per-gpu or latency")
      .type_name("WORD");
  verb.add_option("--events", options.search.events, "Events of a campaign, for campaign_time: 1e9").type_name("N");
  verb.add_option("--spare-nodes", options.spare_nodes,
                  "Nodes of each server that are bought beyond those that work (N+1: 1)")
      .whole_number(0, 1000)
      .type_name("N");
  verb.add_option("--availability", options.availability,
                  "Instead: as many as keep all working nodes up with this probability, for example \"99.9 %\"")
      .excludes("--spare-nodes")
      .type_name("SHARE");
  verb.add_option("--node-availability", options.node_availability, "Of one node alone, default \"99 %\"")
      .needs("--availability")
      .type_name("SHARE");
}

}  // namespace

void add_plan_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "plan", "How many jobs one GPU carries, and how many GPUs N jobs need");
  const auto options = std::make_shared<PlanOptions>();
  add_scenario_options(verb, options->scenario);
  add_calibration_option(verb, options->scenario);
  verb.add_option("--slowdown", options->slowdown, "Events may take so much longer than unhindered, default \"1 %\"")
      .type_name("SHARE");
  verb.add_option("--jobs", options->jobs, "GPUs for so many jobs, in place of the scenario's own number")
      .whole_number(1, most_planned_clients)
      .type_name("N");
  verb.add_option("--clients", options->clients)
      .whole_number(1, most_planned_clients)
      .excludes("--jobs")
      .former_name("--jobs, which counts jobs where --clients counts their event loops");
  verb.add_option("--loss", options->loss,
                  "Where events arrive from outside: so many of them may be lost, default \"0.1 %\"")
      .type_name("SHARE");
  verb.add_flag("--past-saturation", options->past_saturation,
                "Plan with more jobs than saturate the first resource, as far as the slowdown allows");
  add_search_options(verb, *options);
  add_budget_option(
      verb, options->budget,
      "Wall time, for example \"30 s\"; what is known by then is the answer, or what the formulas say, with exit "
      "code 4 if it is not all that was asked");
  verb.add_flag("--sensitivity", options->sensitivity,
                "Also say how much every input moves the answer, and which measurement would narrow it most");
  verb.add_flag(
      "--falsify", options->falsify,
      "Also say which measurements would contradict the plan: a number of jobs, and a perf_analyzer command a "
      "model, with what they should give");
  verb.add_option("--emit", options->emit,
                  "Also write DIR/<model>/config.pbtxt, Triton's configuration of each model as it was planned with, "
                  "DIR/values.yaml for SuperSONIC's Helm chart, and DIR/README.md: how to deploy them, and what would "
                  "contradict the plan")
      .type_name("DIR");
  add_machine_options(verb, options->machine);
  add_output_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn plan protodune-big-batch\n"
      "  saturn plan protodune-big-batch --slowdown '20 %' --past-saturation\n"
      "  saturn plan protodune-big-batch --jobs 1000 --format json\n"
      "  saturn plan protodune-big-batch --falsify\n"
      "  saturn plan protodune-big-batch --emit model_repository\n"
      "  saturn plan protodune-big-batch --sensitivity\n"
      "  saturn plan protodune-big-batch --gpus 1:16 --free /jobs/0/event/2/request_batch=235:3760:x2 --objective "
      "cost\n"
      "  saturn plan cms-cross-site --free /servers/0/site=purdue,iowa --gpus 1:8 --require 'latency_p99 <= 50 ms' "
      "--objective fewest-gpus");
  verb.answers(chosen, [options] { return plan(*options); });
}

}  // namespace saturn
