#include <cmath>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/study/asked_scenario.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

/// Options that only a search understands would silently do nothing.
/// @param open  events arrive from outside
void refuse_without_search(const PlanRequest& request, bool open) {
  Complaints complaints;
  for (const auto& [option, given] : {std::pair{"--spare-nodes", request.spare_nodes > 0},
                                      {"--availability", request.availability.has_value()},
                                      {"--node-availability", request.node_availability.has_value()},
                                      {"--sensitivity", request.sensitivity && open},
                                      {"--budget", request.budget && open}})
    if (given)
      complaints.add(option, "option.needs_free",
                     std::string(option) +
                         " belongs to a search: say what may be chosen, for example --free "
                         "/servers/0/devices/count=1:8, and what is best, for example --objective cost.");
  if (open && (request.jobs || request.clients))
    complaints.add(
        request.jobs ? "--jobs" : "--clients", "option.needs_closed_jobs",
        "Events arrive from outside here, and no number of jobs is planned for; leave it out. Simulations at "
        "once are --workers.");
  complaints.raise();
}

/// Options of the other kinds of plans would silently do nothing in a search.
void refuse_with_search(const PlanRequest& request, const Scenario& scenario) {
  Complaints complaints;
  const auto refuse = [&](const std::string& option, const std::string& way_out) {
    complaints.add(option, "option.not_with_free", option + " means nothing where candidates are searched: " + way_out);
  };
  if (request.jobs)
    refuse("--jobs", "set the jobs with --set /jobs/0/count=" + std::to_string(*request.jobs) +
                         ". Simulations at once are --workers.");
  if (request.clients) refuse("--clients", "set the jobs with --set /jobs/0/count=N.");
  if (request.loss) refuse("--loss", "write --require 'lost_share <= " + *request.loss + "'.");
  if (request.past_saturation) refuse("--past-saturation", "the requirements alone decide how far jobs may wait.");
  if (request.falsify && any_open(scenario))
    refuse("--falsify", "events arrive from outside, and no number of jobs saturates anything there.");
  complaints.raise();
}

/// The options of a search, as they were given.
void add_search_words(std::string& command, const PlanRequest& options) {
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
void say_what_jobs_are(const PlanRequest& request, Monitor& monitor) {
  if (!request.jobs || request.machine.processes != 0) return;
  monitor.note("saturn: note: plan --jobs asks for GPUs for " + counted_noun(*request.jobs, "job") +
               "; simulations at once, which it meant before, are now --workers (or -j).\n");
}

}  // namespace

Reply answer_plan(const PlanRequest& request, Monitor& monitor) {
  say_what_jobs_are(request, monitor);
  const Budget budget(request.budget);
  const ReadScenario read = load_scenario(request.scenario, monitor);
  refuse_to_overwrite(request.output);
  std::vector<OutputFile> written = files_of_out(request.output);
  for (const AnswerFile& config : configs_to_emit(read.scenario, request)) written.push_back({"--emit", config.path});
  if (request.emit)
    for (const std::string& file : deployment_files(read.scenario))
      written.push_back({"--emit", std::filesystem::path(*request.emit) / file});
  refuse_overlaps(written, files_read(read, request.scenario.scenario));
  if (is_search(request)) {
    refuse_with_search(request, read.scenario);
    return plan_search(request, read, budget, monitor);
  }
  refuse_without_search(request, any_open(read.scenario));
  return any_open(read.scenario) ? plan_arrivals(request, read, monitor) : plan_clients(request, read, budget, monitor);
}

std::string command_of(const PlanRequest& options) {
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

}  // namespace saturn
