#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/laws/worker_nodes.hpp"
#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

namespace {

/// Of one model, on all instances.
constexpr std::uint64_t most_slots = 10'000'000;

bool is_oldest(const Model& model) {
  return model.sequence_batching->strategy == SequenceStrategy::oldest;
}

/// Keys of a stateful model that say something which its batcher does not heed.
void check_keys(const CheckedScenario& checked, const std::string& name, const Model& model) {
  const std::string at = model_at(name);
  const auto refuse = [&](const std::string& key, const char* code, const std::string& text) {
    if (checked.complaints.sound(at + key)) checked.refuse(at + key, code, at + key + text);
  };
  if (model.dynamic_batching)
    refuse("/dynamic_batching", "scenario.two_batchers",
           " is a second batcher beside \"sequence_batching\", and a model has one; leave one of the two out.");
  const char* strategy = is_oldest(model) ? "\"oldest\"" : "\"direct\"";
  const auto unheeded = [&](const char* key) {
    refuse(std::string("/") + key, "scenario.not_of_sequences",
           std::string(" is not heeded for sequences by the strategy ") + strategy + "; leave it out.");
  };
  if (!is_oldest(model) && !model.preferred_batch_size.empty()) unheeded("preferred_batch_size");
  if (!is_oldest(model) && model.max_queue_delay > Seconds{0.0}) unheeded("max_queue_delay");
  if (model.forming != BatchForming::when_idle) unheeded("batch_forming");
  if (model.priority_levels > 1) unheeded("priority_levels");
  if (model.default_priority_level) unheeded("default_priority_level");
  if (model.queue_policy.max_queue_size || model.queue_policy.timeout) unheeded("queue_policy");
  if (batches_at_once(model) < model.instances) unheeded("execution");
  if (is_oldest(model)) check_preferred_sizes(checked, name, model);
  if (is_oldest(model) && !model.sequence_batching->candidates)
    refuse("/sequence_batching", "scenario.no_candidates",
           " says by its strategy \"oldest\" that requests of some sequences are joined, but not of how many; give it "
           "\"candidates\", for example \"candidates\": 64.");
  Model of_rows = model;
  of_rows.sequence_batching->candidates.reset();
  if (!is_oldest(model) && model.sequence_batching->candidates)
    refuse("/sequence_batching/candidates", "scenario.candidates_of_direct",
           " is for the strategy \"oldest\"; by \"direct\" an instance has max_batch_size slots, " +
               with_commas(sequence_slots(of_rows)) + ": leave it out, or change the strategy.");
}

/// Slots of a model on all instances of the servers that hold it.
double all_slots(const Scenario& scenario, const std::string& name, const Model& model) {
  double slots = 0.0;
  for (const Server& server : scenario.servers) {
    if (std::find(server.models.begin(), server.models.end(), name) == server.models.end()) continue;
    slots += static_cast<double>(server.nodes * units_of(server.devices)) *
             static_cast<double>(model.instances * sequence_slots(model));
  }
  return slots;
}

/// A sequence finds the instance that has its state only where all its requests reach one node.
void check_holders(const CheckedScenario& checked, const std::string& name) {
  const std::vector<Server>& servers = checked.scenario.servers;
  bool held = false;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const Server& server = servers[i];
    const std::string at = "/servers/" + std::to_string(i);
    if (std::find(server.models.begin(), server.models.end(), name) == server.models.end()) continue;
    if (!checked.complaints.sound(at) || server.nodes == 0) continue;
    if (std::exchange(held, true))
      checked.refuse(at + "/models", "scenario.sequences_over_servers",
                     at + "/models names " + shown(name) +
                         ", whose sequences keep to one instance, as another server does; let one server hold it, with "
                         "more nodes.");
    else if (server.nodes > 1 && server.balancing != Balancing::per_connection &&
             server.balancing != Balancing::per_sequence)
      checked.refuse(at + "/balancing", "scenario.sequences_torn",
                     at + "/balancing spreads the requests of a sequence of " + shown(name) + " over " +
                         with_commas(server.nodes) +
                         " nodes, and one of them has its state; make it \"per_sequence\" or \"per_connection\".");
    if (server.devices.dispatch == DeviceDispatch::per_device_queue)
      checked.refuse(at + "/devices/dispatch", "scenario.sequences_torn",
                     at + "/devices/dispatch lets every request of a sequence of " + shown(name) +
                         " choose the queue of a device; leave it out.");
  }
}

/// Sequences are chosen a node for where there are any.
void check_balanced_sequences(const CheckedScenario& checked, std::size_t s) {
  const Server& server = checked.scenario.servers[s];
  const std::string at = "/servers/" + std::to_string(s);
  if (server.balancing != Balancing::per_sequence || !checked.complaints.sound(at)) return;
  const auto stateless = [&](const std::string& name) {
    const auto model = checked.scenario.models.find(name);
    return model != checked.scenario.models.end() && checked.complaints.sound(model_at(name)) &&
           !keeps_state(checked.scenario, name);
  };
  if (!server.models.empty() && std::ranges::all_of(server.models, stateless))
    checked.refuse(at + "/balancing", "scenario.no_sequences",
                   at + "/balancing is \"per_sequence\", and none of its models keeps the state of sequences; leave it "
                        "out, or make it \"per_connection\".");
}

/// The first key of a call that lets the client do something else than send one request after the other.
const char* loose_key(const InferStage& call) {
  if (call.asynchronous) return "asynchronous";
  if (call.in_flight > 1) return "in_flight";
  if (call.rules.deadline) return "deadline";
  if (call.rules.retries) return "retries";
  if (call.rules.fallback) return "fallback";
  return call.rules.servers.empty() ? nullptr : "servers";
}

/// Where a sequence pauses for longer than the server keeps its slot. @param between  "two events"
void refuse_idle(const CheckedScenario& checked, const ModelCall& call, const std::string& name, double pause_s,
                 const std::string& between, const std::string& way_out) {
  const std::string key = model_at(name) + "/sequence_batching/max_idle";
  const Seconds idle = checked.scenario.models.at(name).sequence_batching->max_idle;
  if (pause_s <= idle.value) return;
  checked.refuse(key, "scenario.idle_sequence",
                 key + " is " + quantity_text(idle.value, Dimension::duration) + ", but the sequences of " +
                     call.pointer() + " pause for " + time_text(pause_s, 3) + " and more between " + between +
                     ": the server gives their slots away and refuses what follows. Raise it" + way_out + ".");
}

/// Time that a stream of the fastest job computes between two requests of a sequence of its job, on average [s].
double pause_s(const JobPool& pool) {
  if (events_per_stream(pool) == 1) return 0.0;
  double pause = 0.0;
  for (const Stage& stage : pool.event)
    if (const auto* cpu = std::get_if<CpuStage>(&stage)) pause += mean(cpu->time).value;
  return pause / fastest_speed(pool.speed, pool.count);
}

void check_call(const CheckedScenario& checked, const ModelCall& call, const std::string& name) {
  const std::string at = call.pointer();
  const std::string of_model = " calls " + shown(name) + ", which keeps the state of sequences, ";
  if (const char* key = loose_key(call.infer))
    checked.refuse(at + "/" + key, "scenario.loose_sequence",
                   at + of_model + "but \"" + key +
                       "\" lets its stream do something else than send one request after the other there; leave it "
                       "out.");
  if (std::min(call.infer.request_batch, call.infer.items.largest()) > 1)
    checked.refuse(at + "/request_batch", "scenario.sequence_of_batches",
                   at + of_model + "and whose requests carry one item; add \"request_batch\": 1.");
  if (call.infer.sequence != SequenceScope::job || call.pool.arrivals) return;
  refuse_idle(checked, call, name, pause_s(call.pool), "two events",
              ", or let every event be a sequence (\"sequence\": \"event\" in the stage)");
}

/// The streams that call a stateful model.
struct Callers {
  double endless = 0.0;         ///< streams that keep a slot for ever
  double of_jobs = 0.0;         ///< streams that keep one for a job, those included
  bool others = false;          ///< somebody gives slots back
  std::string sharing_cores{};  ///< a pool of them whose streams wait for cores, as a pointer
};

/// Connections stay with their nodes, which may hold more of the endless jobs than they have slots for.
void check_uneven(const CheckedScenario& checked, const std::string& name, const Callers& callers) {
  const Scenario& scenario = checked.scenario;
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    const Server& server = scenario.servers[i];
    if (std::find(server.models.begin(), server.models.end(), name) == server.models.end() || server.nodes < 2)
      continue;
    double streams = 0.0;
    for (const JobPool& pool : scenario.jobs) streams += static_cast<double>(stream_count(pool));
    const double slots = all_slots(scenario, name, scenario.models.at(name)) / static_cast<double>(server.nodes);
    // Beside sequences that end, those of jobs take what node they find.
    const bool mixed = server.balancing == Balancing::per_sequence && callers.others;
    const bool in_turn = server.dispatch == Dispatch::round_robin && !changes_over_time(scenario) && !mixed;
    const double endless = callers.endless;
    const double most = in_turn ? std::min(endless, std::ceil(streams / static_cast<double>(server.nodes))) : endless;
    if (endless == 0.0 || (mixed ? most < slots : most <= slots)) continue;
    const std::string at = model_at(name) + "/sequence_batching";
    checked.warn(at, "scenario.uneven_slots",
                 at + " has " + with_commas(static_cast<std::uint64_t>(slots)) + " slots at each node of " +
                     shown(server.name) + ", and up to " + with_commas(static_cast<std::uint64_t>(most)) +
                     " streams of jobs without end may be connected to one of them: those beyond its slots wait for "
                     "ever. Let the jobs end (\"events_per_job\"), or add slots.");
  }
}

/// A stream that waits for a slot keeps its core, and the stream that has the slot may need the core to end its job.
void check_cores(const CheckedScenario& checked, const std::string& name, const Callers& callers, double slots) {
  if (callers.sharing_cores.empty() || callers.of_jobs <= slots) return;
  checked.refuse(callers.sharing_cores + "/streams", "scenario.slots_and_cores",
                 callers.sharing_cores + "/streams share the cores of a job, and their jobs the " +
                     with_commas(static_cast<std::uint64_t>(slots)) + " slots of " + shown(name) +
                     ": a stream that waits for a slot keeps the core that the holder of the slot waits for. Give each "
                     "stream a core, or let every event be a sequence (\"sequence\": \"event\").");
}

void check_slots(const CheckedScenario& checked, const std::string& name, const Callers& callers) {
  const std::string at = model_at(name) + "/sequence_batching";
  const double slots = all_slots(checked.scenario, name, checked.scenario.models.at(name));
  if (slots == 0.0 || !checked.complaints.sound(at) || !checked.complaints.sound(model_at(name) + "/max_batch_size") ||
      !checked.complaints.sound(model_at(name) + "/instances"))
    return;
  if (slots > static_cast<double>(most_slots))
    checked.refuse(at, "scenario.too_many_slots",
                   at + " makes " + with_commas(static_cast<std::uint64_t>(slots)) +
                       " slots of sequences in all; at most " + with_commas(most_slots) +
                       " are allowed. Lower \"candidates\" or \"max_batch_size\".");
  else if (callers.endless > slots || (callers.endless == slots && callers.others))
    checked.refuse(at, "scenario.too_few_slots",
                   at + " has " + with_commas(static_cast<std::uint64_t>(slots)) + " slots in all, but " +
                       with_commas(static_cast<std::uint64_t>(callers.endless)) +
                       " streams of jobs without end keep theirs: the others would wait for ever. Add devices or "
                       "slots, let the jobs end (\"events_per_job\"), or let every event be a sequence "
                       "(\"sequence\": \"event\").");
  else
    check_cores(checked, name, callers, slots);
  check_uneven(checked, name, callers);
}

void add_caller(const ModelCall& call, Callers& callers) {
  const auto streams = static_cast<double>(stream_count(call.pool));
  const bool of_job = call.infer.sequence == SequenceScope::job;
  const bool endless = of_job && !call.pool.events_per_job;
  if (of_job) callers.of_jobs += streams;
  if (endless) callers.endless += streams;
  if (!endless) callers.others = true;
  if (of_job && shares_cores(call.pool)) callers.sharing_cores = "/jobs/" + std::to_string(call.job);
}

/// How often a request for a model is executed by another one, which it reaches. @param depth  ensembles that may stand
/// in each other: circles are refused elsewhere
std::size_t passes(const Scenario& scenario, const std::string& model, const std::string& name, std::size_t depth) {
  if (model == name) return 1;
  const auto found = scenario.models.find(model);
  if (found == scenario.models.end() || depth == 0) return 0;
  std::size_t count = 0;
  for (const std::string& step : found->second.ensemble) {
    count += passes(scenario, step, name, depth - 1);
    if (count > 1) break;
  }
  return count;
}

/// One stage of an event, and one step of it, has the sequences of a model; and one model those of a job, since two
/// jobs could each wait for the other's slot.
void check_once(const CheckedScenario& checked, const ModelCall& call, const std::string& name,
                std::map<std::pair<std::size_t, std::string>, std::string>& callers) {
  const std::string at = call.pointer();
  const auto [before, first] = callers.try_emplace({call.job, name}, at);
  if (!first)
    checked.refuse(at, "scenario.two_stages_of_a_sequence",
                   at + " and " + before->second + " both call " + shown(name) +
                       ", which keeps the state of sequences; let one stage of the event call it.");
  if (passes(checked.scenario, call.infer.model, name, checked.scenario.models.size()) > 1)
    checked.refuse(at + "/infer", "scenario.sequence_passes_twice",
                   at + "/infer is " + shown(call.infer.model) + ", which passes " + shown(name) +
                       " several times, whose requests of a sequence come one after the other; make models of the "
                       "steps.");
}

}  // namespace

void check_sequences(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  std::map<std::string, Callers> stateful;
  for (const auto& [name, model] : scenario.models) {
    const std::string at = model_at(name) + "/sequence_batching";
    if (!model.sequence_batching || !model.ensemble.empty() || !checked.complaints.sound(at)) continue;
    check_keys(checked, name, model);
    check_holders(checked, name);
    stateful[name] = {};
  }
  std::map<std::pair<std::size_t, std::string>, std::string> callers;
  std::map<std::size_t, std::string> of_job;
  for (const ModelCall& call : model_calls(scenario)) {
    const std::string at = call.pointer();
    if (!checked.complaints.sound(at)) continue;
    bool keeps_state = false;
    for (const std::string& name : executed_models(scenario, call.infer.model)) {
      keeps_state = keeps_state || scenario.models.at(name).sequence_batching ||
                    !checked.complaints.sound(model_at(name) + "/sequence_batching");
      const auto found = stateful.find(name);
      if (found == stateful.end()) continue;
      check_call(checked, call, name);
      check_once(checked, call, name, callers);
      add_caller(call, found->second);
      if (call.infer.sequence != SequenceScope::job) continue;
      const auto [other, first] = of_job.try_emplace(call.job, name);
      if (!first && other->second != name)
        checked.refuse(at + "/sequence", "scenario.two_sequences_of_a_job",
                       at + " keeps a slot of " + shown(name) + " for a job that keeps one of " + shown(other->second) +
                           ": two such jobs could wait for each other for ever. Let every event be a sequence of one "
                           "of them (\"sequence\": \"event\").");
    }
    if (!keeps_state && call.infer.sequence != SequenceScope::job && scenario.models.contains(call.infer.model))
      checked.refuse(at + "/sequence", "scenario.no_state",
                     at + "/sequence is for models that keep state, and " + shown(call.infer.model) +
                         " does not; give it \"sequence_batching\", or leave \"sequence\" out.");
  }
  for (const auto& [name, calls] : stateful) check_slots(checked, name, calls);
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) check_balanced_sequences(checked, s);
}

void check_idle_sequences(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  if (!checked.complaints.empty() || scenario.servers.empty()) return;
  std::optional<RoutedResources> routed;
  for (const ModelCall& call : model_calls(scenario)) {
    if (call.infer.items.largest() < 2) continue;
    for (const std::string& name : executed_models(scenario, call.infer.model)) {
      if (!scenario.models.at(name).sequence_batching) continue;
      if (!routed) routed = routed_resources(scenario);
      const StageDemand demand = stage_demand(scenario, *routed, call.pool.site, call.infer);
      const Seconds pause =
          demand.travel + demand.bandwidth + demand.serialisation / fastest_speed(call.pool.speed, call.pool.count);
      refuse_idle(checked, call, name, pause.value / mean_requests(call.infer), "two requests of an event",
                  ", or send the requests sooner");
    }
  }
}

}  // namespace saturn
