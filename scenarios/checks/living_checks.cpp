#include <algorithm>
#include <set>

#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"

/// What cannot be of deadlines, retries, failures, outages, autoscalers and memory.

namespace saturn {

namespace {

std::string path_of_server(std::size_t server) {
  return "/servers/" + std::to_string(server);
}

const Server* server_called(const Scenario& scenario, const std::string& name) {
  const auto found =
      std::find_if(scenario.servers.begin(), scenario.servers.end(), [&](const Server& s) { return s.name == name; });
  return found == scenario.servers.end() ? nullptr : &*found;
}

/// Refuses a server's name that is unknown, or whose server does not hold the model.
/// @returns whether it is one that can be asked
bool check_server_name(const CheckedScenario& checked, const std::string& pointer, const std::string& name,
                       const std::string& model) {
  if (!checked.complaints.sound(pointer)) return false;
  const Server* server = server_called(checked.scenario, name);
  if (server == nullptr) {
    checked.refuse(pointer, "scenario.unknown_server",
                   pointer + " is " + shown(name) + ", but there is no such server; name one of /servers.");
    return false;
  }
  if (std::find(server->models.begin(), server->models.end(), model) != server->models.end()) return true;
  checked.refuse(pointer, "scenario.model_not_held",
                 pointer + " is " + shown(name) + ", which does not hold " + shown(model) + "; add the model to its " +
                     "\"models\", or name another server.");
  return false;
}

void check_call(const CheckedScenario& checked, const ModelCall& call) {
  const CallRules& rules = call.infer.rules;
  const std::string at = call.pointer();
  for (std::size_t i = 0; i < rules.servers.size(); ++i)
    check_server_name(checked, at + "/servers/" + std::to_string(i), rules.servers[i], call.infer.model);
  if (rules.discovery == Discovery::per_job && rules.servers.empty() && checked.complaints.sound(at + "/servers"))
    checked.refuse(
        at + "/discovery", "scenario.nothing_to_discover",
        at + "/discovery says when one of \"servers\" is chosen, but the stage names none; add them, or leave "
             "it out.");
  const std::string fallback_at = at + "/fallback";
  if (!rules.fallback || !checked.complaints.sound(fallback_at)) return;
  if (!rules.fallback->server) {
    if (!call.infer.cpu_alternative)
      checked.refuse(fallback_at, "scenario.no_cpu_alternative",
                     fallback_at +
                         " leaves the work to the job's own core, but the stage does not say how long that "
                         "takes; add \"cpu_alternative\", or a \"server\" to the fallback.");
    return;
  }
  const std::string server_key = fallback_at + "/server";
  if (!check_server_name(checked, server_key, *rules.fallback->server, call.infer.model)) return;
  const bool standby = server_called(checked.scenario, *rules.fallback->server)->standby;
  const bool named =
      std::find(rules.servers.begin(), rules.servers.end(), *rules.fallback->server) != rules.servers.end();
  if (!named && (standby || !rules.servers.empty())) {
    if (rules.fallback->start_up.value > 0.0)
      checked.refuse(fallback_at + "/start_up", "scenario.start_up_of_server",
                     fallback_at +
                         "/start_up is of what a job does itself, but the fallback is a server; give the "
                         "server its \"start_up\", or leave it out.");
    return;
  }
  checked.refuse(server_key, "scenario.fallback_needs_itself",
                 server_key + " is " + shown(*rules.fallback->server) +
                     ", which the call is sent to in the first place: what has failed there fails there again. Set "
                     "\"standby\": true of that server, or name another one.");
}

/// Every called model has a server that is asked without being named.
void check_standby(const CheckedScenario& checked) {
  for (std::size_t s = 0; s < checked.scenario.servers.size(); ++s) {
    const Server& server = checked.scenario.servers[s];
    if (!server.standby || !checked.complaints.sound(path_of_server(s))) continue;
    for (const std::string& model : called_models(checked.scenario)) {
      if (std::find(server.models.begin(), server.models.end(), model) == server.models.end()) continue;
      if (!servers_of(checked.scenario, model).empty()) continue;
      checked.refuse(path_of_server(s) + "/standby", "scenario.only_standby",
                     path_of_server(s) + "/standby leaves nobody who is asked for " + shown(model) +
                         " in the first place; leave it out of one of the servers that hold the model.");
      return;
    }
  }
}

/// Silent failures need deadlines wherever a call may meet them.
void check_silence(const CheckedScenario& checked, const std::string& pointer, const Server& server) {
  for (const ModelCall& call : model_calls(checked.scenario)) {
    const bool holds = std::find(server.models.begin(), server.models.end(), call.infer.model) != server.models.end();
    if (!holds || call.infer.rules.deadline || !checked.complaints.sound(call.pointer() + "/deadline")) continue;
    checked.refuse(pointer + "/silent", "scenario.silence_without_deadline",
                   pointer + "/silent leaves clients without a word, and " + call.pointer() + ", which calls " +
                       shown(call.infer.model) +
                       " there, would wait for ever; give it a \"deadline\", or leave "
                       "\"silent\" out.");
    return;
  }
}

void check_law(const CheckedScenario& checked, const std::string& pointer, const FailureLaw& law) {
  if (!checked.complaints.sound(pointer) || mean(law.every).value > 0.0) return;
  checked.refuse(pointer + "/every", "scenario.always_broken",
                 pointer +
                     "/every is 0 s on average: it would break as soon as it is repaired. Give the time that it "
                     "works between two failures, for example \"1000 h\".");
}

void check_failures(const CheckedScenario& checked, std::size_t s) {
  const Server& server = checked.scenario.servers[s];
  const std::string at = path_of_server(s);
  const auto check = [&](const std::string& pointer, const std::optional<FailureLaw>& law) {
    if (!law || !checked.complaints.sound(pointer)) return;
    check_law(checked, pointer, *law);
    if (law->silent) check_silence(checked, pointer, server);
    if (server.attached)
      checked.refuse(pointer, "scenario.attached_fails",
                     pointer +
                         " would break worker nodes with the jobs on them, which is not simulated; leave it out, "
                         "or let the requests go over a network (no \"attached\").");
  };
  check(at + "/failures", server.failures);
  check(at + "/devices/failures", server.devices.failures);
}

/// @param at  of what reads the load
void check_window(const CheckedScenario& checked, const std::string& at, Seconds window, Seconds scrape) {
  if (window < 2.0 * scrape)
    checked.refuse(at + "/window", "scenario.window_below_scrapes",
                   at + "/window is " + exact_seconds(window.value) + ", which holds no two readings " +
                       exact_seconds(scrape.value) +
                       " apart, so that the metric would always be empty; make it at least twice \"scrape\".");
}

void check_autoscaler(const CheckedScenario& checked, std::size_t s) {
  const Server& server = checked.scenario.servers[s];
  const std::string at = path_of_server(s) + "/autoscaler";
  if (!server.autoscaler || !checked.complaints.sound(at)) return;
  const Autoscaler& rules = *server.autoscaler;
  const auto refuse = [&](const std::string& key, const char* code, const std::string& text) {
    checked.refuse(at + key, code, at + key + text);
  };
  if (rules.least > rules.most)
    refuse("/min", "scenario.min_above_max",
           " is " + with_commas(rules.least) + ", above \"max\", which is " + with_commas(rules.most) +
               "; lower the first or raise the second.");
  if (rules.least == 0 && !rules.to_zero)
    refuse(
        "/min", "scenario.zero_without_way_back",
        " is 0, but Kubernetes' autoscaler never brings back the first node by itself; add \"to_zero\": {}, or set 1.");
  if (rules.to_zero && rules.metric == ScalingMetric::utilisation)
    refuse(
        "/utilisation", "scenario.utilisation_to_zero",
        " is a mean over nodes, which KEDA's way to zero cannot read; take \"in_flight\" or \"request_rate\", or leave "
        "\"to_zero\" out.");
  check_window(checked, at, rules.window, rules.scrape);
  if (server.balancing == Balancing::central_queue)
    checked.refuse(path_of_server(s) + "/balancing", "scenario.central_queue_scales",
                   path_of_server(s) +
                       "/balancing is \"central_queue\", where no node can come or go by itself; balance per "
                       "request, or leave \"autoscaler\" out.");
  if (server.attached)
    refuse("", "scenario.attached_scales",
           " would add and remove worker nodes with the jobs on them; leave it out, or \"attached\".");
}

/// Jobs without end open their connections once, or begin their one sequence: nodes that come later, or come back, get
/// nothing of theirs.
void check_connections(const CheckedScenario& checked, std::size_t s) {
  const Scenario& scenario = checked.scenario;
  const Server& server = scenario.servers[s];
  const bool is_out = std::ranges::any_of(
      scenario.outages, [&](const Outage& outage) { return outage.server && *outage.server == server.name; });
  const bool come = server.autoscaler || (server.nodes > 1 && (server.failures || is_out));
  if (!come || server.attached) return;
  for (const ModelCall& call : model_calls(scenario)) {
    const bool holds = std::find(server.models.begin(), server.models.end(), call.infer.model) != server.models.end();
    if (!holds || call.pool.events_per_job) continue;
    const bool stateful = keeps_state(scenario, call.infer.model);
    const bool of_events = call.infer.sequence == SequenceScope::event;
    const bool kept = server.balancing == Balancing::per_connection ||
                      (server.balancing == Balancing::per_sequence && stateful && !of_events);
    if (!kept) continue;
    checked.warn(path_of_server(s) + "/balancing", "scenario.connections_stay",
                 "the jobs of " + call.pointer() + " never end, and stay with their nodes of " + shown(server.name) +
                     " until these fail: nodes that come later, or back, get none of their requests before that. Let "
                     "the jobs end (\"events_per_job\"), or balance \"" +
                     (stateful ? "per_sequence\" with \"sequence\": \"event\" in the stage." : "per_request\"."));
    return;
  }
}

/// Stages that could ask the server without being judged.
void check_judged_calls(const CheckedScenario& checked, const Server& server, const std::string& at) {
  for (const ModelCall& call : model_calls(checked.scenario)) {
    const CallRules& rules = call.infer.rules;
    if (!checked.complaints.sound(call.pointer())) continue;
    const bool named = std::find(rules.servers.begin(), rules.servers.end(), server.name) != rules.servers.end();
    const bool held = std::find(server.models.begin(), server.models.end(), call.infer.model) != server.models.end();
    const bool asked = named || (rules.servers.empty() && held && !server.standby);
    if (asked && rules.discovery != Discovery::per_job)
      checked.refuse(at, "scenario.admission_per_job",
                     at + " judges the first call of a job, but " + call.pointer() +
                         " asks the server call by call; give the stage \"servers\": [" + shown(server.name) +
                         "] and \"discovery\": \"per_job\", or leave \"admission\" out.");
    if (rules.fallback && rules.fallback->server == server.name)
      checked.refuse(call.pointer() + "/fallback/server", "scenario.fallback_is_judged",
                     call.pointer() + "/fallback/server is " + shown(server.name) +
                         ", which judges jobs, and what falls back is asked of nobody; name another server, or leave "
                         "its \"admission\" out.");
  }
}

void check_admission(const CheckedScenario& checked, std::size_t s) {
  const Server& server = checked.scenario.servers[s];
  const std::string at = path_of_server(s) + "/admission";
  if (!server.admission || !checked.complaints.sound(at)) return;
  check_window(checked, at, server.admission->window, server.admission->scrape);
  if (server.balancing == Balancing::central_queue)
    checked.refuse(at, "scenario.central_queue_judges",
                   at + " reads the load of each node, but \"central_queue\" has one queue for all of them; balance "
                        "per request, or leave it out.");
  if (server.attached)
    checked.refuse(at, "scenario.attached_judges",
                   at + " is of a service's door, which jobs with devices of their own do not pass; leave it out, or "
                        "\"attached\".");
  check_judged_calls(checked, server, at);
}

void check_sag(const CheckedScenario& checked, std::size_t s) {
  const Server& server = checked.scenario.servers[s];
  const std::string at = path_of_server(s) + "/sag";
  if (!server.sag || !checked.complaints.sound(at) || server.balancing != Balancing::central_queue) return;
  checked.refuse(at, "scenario.central_queue_sags",
                 at +
                     " counts the requests at each node, but with \"balancing\" \"central_queue\" they wait at none of "
                     "them; balance per request, or leave it out.");
}

void check_outage(const CheckedScenario& checked, std::size_t number) {
  const Outage& outage = checked.scenario.outages[number];
  const std::string at = "/outages/" + std::to_string(number);
  if (!checked.complaints.sound(at)) return;
  const std::optional<Seconds> horizon = checked.scenario.run.horizon;
  if (!horizon) {
    if (checked.complaints.sound("/run/horizon"))
      checked.refuse(at + "/from", "scenario.outage_without_horizon",
                     at + "/from is a date of the run, which measures a steady state without one; give the run a "
                          "\"horizon\", for example \"2 h\", or say how often it breaks with \"failures\".");
  } else if (outage.from >= *horizon) {
    checked.refuse(at + "/from", "scenario.outage_after_end",
                   at + "/from is " + exact_seconds(outage.from.value) + ", when the run is over (/run/horizon is " +
                       exact_seconds(horizon->value) + "); let it begin earlier, or the run last longer.");
  }
  if (outage.server) {
    const Server* server = server_called(checked.scenario, *outage.server);
    if (server == nullptr) {
      checked.refuse(
          at + "/server", "scenario.unknown_server",
          at + "/server is " + shown(*outage.server) + ", but there is no such server; name one of /servers.");
      return;
    }
    if (outage.nodes && *outage.nodes > server->nodes)
      checked.refuse(at + "/nodes", "scenario.more_nodes_than_there_are",
                     at + "/nodes is " + with_commas(*outage.nodes) + ", but " + shown(*outage.server) + " has " +
                         with_commas(server->nodes) + "; lower it, or leave it out for all of them.");
    if (outage.silent) check_silence(checked, at, *server);
    if (server->attached)
      checked.refuse(at + "/server", "scenario.attached_fails",
                     at +
                         "/server is attached to worker nodes, whose jobs would break with it, which is not simulated; "
                         "leave it out.");
  }
  if (outage.link.empty()) return;
  const std::vector<Link>& links = checked.scenario.links;
  const bool known = std::any_of(links.begin(), links.end(), [&](const Link& link) {
    return (link.site_a == outage.link[0] && link.site_b == outage.link[1]) ||
           (link.site_a == outage.link[1] && link.site_b == outage.link[0]);
  });
  if (!known)
    checked.refuse(at + "/link", "scenario.unknown_link",
                   at + "/link joins " + shown(outage.link[0]) + " and " + shown(outage.link[1]) +
                       ", but /network/links has no such link; name the two sites of one.");
}

/// What breaks or slows links down needs flows that can be told.
void check_links_change(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  bool change = std::any_of(scenario.outages.begin(), scenario.outages.end(),
                            [](const Outage& outage) { return !outage.link.empty(); });
  for (std::size_t l = 0; l < scenario.links.size(); ++l) {
    if (!scenario.links[l].failures) continue;
    check_law(checked, "/network/links/" + std::to_string(l) + "/failures", *scenario.links[l].failures);
    change = true;
  }
  if (!change || scenario.flows == FlowModel::aggregated || !checked.complaints.sound("/network/flows")) return;
  checked.refuse("/network/flows", "scenario.flows_that_break",
                 "/network/flows is \"simgrid\", whose transfers cannot be stopped and slowed down; leave it out "
                 "(\"aggregated\"), or what breaks links.");
}

/// Models whose instances do not fit on a device of a server.
void check_memory(const CheckedScenario& checked, std::size_t s) {
  const Scenario& scenario = checked.scenario;
  const Server& server = scenario.servers[s];
  const auto type = scenario.devices.find(server.devices.type);
  if (type == scenario.devices.end() || !type->second.memory || !checked.complaints.sound(path_of_server(s))) return;
  double share = 1.0;
  for (const double slice : server.devices.mig) share = std::min(share, slice);
  const double room = share * type->second.memory->value;
  double needed = 0.0;
  std::string parts;
  for (const std::string& name : server.models) {
    const auto model = scenario.models.find(name);
    if (model == scenario.models.end() || !model->second.ensemble.empty()) continue;
    if (!checked.complaints.sound(model_at(name))) return;
    const double own = static_cast<double>(model->second.instances) * model->second.memory.value;
    needed += own;
    if (own > 0.0)
      parts += (parts.empty() ? "" : ", ") + shown(name) + " " + std::to_string(model->second.instances) + " x " +
               shortest(model->second.memory.value / 1e9) + " GB";
  }
  if (needed <= room) return;
  checked.refuse(path_of_server(s) + "/models", "scenario.memory_exceeded",
                 path_of_server(s) + "/models need " + shortest(needed / 1e9) + " GB on each " +
                     (share < 1.0 ? "slice, the smallest of which has " : "device, which has ") + shortest(room / 1e9) +
                     " GB of " + shown(server.devices.type) + " (" + parts +
                     "); take fewer \"instances\" or models, or devices with more \"memory\".");
}

void check_campaigns(const CheckedScenario& checked) {
  for (std::size_t j = 0; j < checked.scenario.jobs.size(); ++j) {
    const JobPool& pool = checked.scenario.jobs[j];
    const std::string at = "/jobs/" + std::to_string(j) + "/replaced";
    if (pool.replaced || !checked.complaints.sound(at)) continue;
    if (pool.events_per_job && checked.scenario.run.horizon) continue;
    checked.refuse(
        at, "scenario.campaign_without_end",
        at + " is false: the jobs end and nobody follows them. That needs \"events_per_job\", which says when "
             "they end, and a /run/horizon, since nothing is steady then.");
  }
}

/// A deadline that no request can meet. Only where everything else is sound, for the unloaded latency depends on all.
void check_deadlines(const CheckedScenario& checked) {
  if (!checked.complaints.empty() || checked.scenario.servers.empty()) return;
  std::optional<RoutedResources> routed;
  for (const ModelCall& call : model_calls(checked.scenario)) {
    if (!call.infer.rules.deadline) continue;
    if (!routed) routed = routed_resources(checked.scenario);
    const StageDemand demand = stage_demand(checked.scenario, *routed, call.pool.site, call.infer);
    const Seconds least = (demand.travel + demand.bandwidth + demand.device) / mean_requests(call.infer);
    if (*call.infer.rules.deadline >= least) continue;
    const std::string at = call.pointer() + "/deadline";
    checked.refuse(at, "scenario.deadline_below_latency",
                   at + " is " + exact_seconds(call.infer.rules.deadline->value) + ", but a request takes " +
                       time_text(least.value, 3) +
                       " when nobody else is there, so that most would be late whatever the load; raise it well above "
                       "that.");
  }
}

}  // namespace

void check_living(const CheckedScenario& checked) {
  for (const ModelCall& call : model_calls(checked.scenario)) check_call(checked, call);
  check_standby(checked);
  for (std::size_t s = 0; s < checked.scenario.servers.size(); ++s) {
    check_failures(checked, s);
    check_autoscaler(checked, s);
    check_connections(checked, s);
    check_admission(checked, s);
    check_sag(checked, s);
    check_memory(checked, s);
  }
  for (std::size_t o = 0; o < checked.scenario.outages.size(); ++o) check_outage(checked, o);
  check_links_change(checked);
  check_campaigns(checked);
  check_deadlines(checked);
}

}  // namespace saturn
