#include <memory>

#include "sim/cli/options.hpp"
#include "sim/cli/print_answer.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

using PlanOptions = PlanRequest;

ExitCode plan(const PlanRequest& request) {
  return print_answer([&](Monitor& monitor) { return answer_plan(request, monitor); }, request.output,
                      request.machine.timing);
}

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
