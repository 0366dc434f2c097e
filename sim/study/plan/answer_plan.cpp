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

PlanRequest plan_request(const TypedCommand& typed) {
  PlanRequest request{
      .scenario = scenario_options(typed), .machine = machine_options(typed), .output = output_options(typed)};
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
  return request;
}

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

/// For one version, whoever means what --jobs was is told what it is.
void say_what_jobs_are(const PlanRequest& request, Monitor& monitor) {
  if (!request.jobs || request.machine.processes != 0) return;
  monitor.note("saturn: note: plan --jobs asks for GPUs for " + counted_noun(*request.jobs, "job") +
               "; simulations at once, which it meant before, are now --workers (or -j).\n");
}

}  // namespace

Reply answer_plan(const TypedCommand& typed, Monitor& monitor) {
  const PlanRequest request = plan_request(typed);
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

}  // namespace saturn
