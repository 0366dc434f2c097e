#include <algorithm>
#include <set>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/scenario_fields.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/triton/triton_fields.hpp"

namespace saturn {

namespace {

/// The event of one pool, with the address of its list of stages.
struct CheckedEvent {
  const CheckedScenario& checked;
  const std::vector<Stage>& stages;
  std::string pointer;

  std::string at(std::size_t stage) const { return pointer + "/" + std::to_string(stage); }
};

const std::string& label_of(const Stage& stage) {
  return std::visit([](const auto& one) -> const std::string& { return one.label; }, stage);
}
bool is_asynchronous(const Stage& stage) {
  const auto* infer = std::get_if<InferStage>(&stage);
  return infer != nullptr && infer->asynchronous;
}

/// Places of the stages of a label, from one place on and before another.
std::vector<std::size_t> labelled(const CheckedEvent& event, const std::string& label, std::size_t from,
                                  std::size_t before, bool asynchronous) {
  std::vector<std::size_t> places;
  for (std::size_t k = from; k < before; ++k)
    if (label_of(event.stages[k]) == label && is_asynchronous(event.stages[k]) == asynchronous) places.push_back(k);
  return places;
}

std::string what_to_name(const CheckedEvent& event, const std::string& label, std::size_t stage) {
  std::vector<std::string> known;
  for (std::size_t k = 0; k < stage; ++k)
    if (is_asynchronous(event.stages[k])) known.push_back(label_of(event.stages[k]));
  return known.empty() ? "No stage before " + event.at(stage) + " is asynchronous."
                       : name_meant(label, known, "Did you mean", "There are");
}

void check_need(const CheckedEvent& event, std::size_t stage, const std::string& label, const std::string& at) {
  const std::vector<std::size_t> found = labelled(event, label, 0, stage, true);
  const std::string names = at + " names " + shown(label) + ", ";
  if (found.size() == 1) return;
  if (found.size() > 1) {
    event.checked.refuse(at, "scenario.ambiguous_need",
                         names + "as both " + event.at(found[0]) + " and " + event.at(found[1]) +
                             " are called; give each a \"label\" of its own.");
    return;
  }
  const std::vector<std::size_t> later = labelled(event, label, stage, event.stages.size(), true);
  const std::vector<std::size_t> blocking = labelled(event, label, 0, stage, false);
  if (!later.empty())
    event.checked.refuse(at, "scenario.need_not_earlier",
                         names + (later[0] == stage ? "the stage itself" : "which comes later, " + event.at(later[0])) +
                             "; a stage can wait only for earlier ones: change their order, or leave it out.");
  else if (!blocking.empty())
    event.checked.refuse(at, "scenario.need_not_asynchronous",
                         names + event.at(blocking[0]) +
                             ", which is over by then, since it is not asynchronous; leave it out, or set "
                             "\"asynchronous\" there.");
  else
    event.checked.refuse(at, "scenario.unknown_need",
                         names + "which no earlier asynchronous stage is called. " + what_to_name(event, label, stage));
}

void check_stage(const CheckedEvent& event, std::size_t stage) {
  const std::vector<std::string>& needs = needs_of(event.stages[stage]);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const std::string at = event.at(stage) + "/needs/" + std::to_string(i);
    if (!event.checked.complaints.sound(at)) continue;
    if (std::find(needs.begin(), needs.begin() + static_cast<std::ptrdiff_t>(i), needs[i]) !=
        needs.begin() + static_cast<std::ptrdiff_t>(i))
      event.checked.refuse(at, "scenario.duplicate_name",
                           at + " names " + shown(needs[i]) + " a second time; name it once.");
    else
      check_need(event, stage, needs[i], at);
  }
  const auto* infer = std::get_if<InferStage>(&event.stages[stage]);
  const std::string items_at = event.at(stage) + "/items";
  if (infer != nullptr && infer->items.largest() == 0 && event.checked.complaints.sound(items_at))
    event.checked.refuse(items_at, "scenario.no_items",
                         items_at +
                             " is never above 0, so that nothing is sent; give a count above 0, or leave the "
                             "stage out.");
}

void check_pool(const CheckedScenario& checked, const JobPool& pool, const std::string& pointer) {
  const CheckedEvent event{checked, pool.event, pointer + "/event"};
  if (checked.complaints.complete(event.pointer))
    for (std::size_t k = 0; k < pool.event.size(); ++k) check_stage(event, k);
  const std::string streams_at = pointer + "/streams";
  if (pool.streams && *pool.streams < pool.threads && checked.complaints.sound(streams_at) &&
      checked.complaints.sound(pointer + "/threads"))
    checked.warn(streams_at, "scenario.idle_cores",
                 streams_at + " is " + with_commas(*pool.streams) + ", below the job's " + with_commas(pool.threads) +
                     " threads, so that some of its cores are never used.");
  if (pool.job_setup > Seconds{0.0} && !pool.events_per_job && checked.complaints.sound(pointer + "/events_per_job"))
    checked.warn(pointer + "/job_setup", "scenario.unused_setup",
                 pointer + "/job_setup has no effect without \"events_per_job\": these jobs never end.");
}

void check_in_flight(const CheckedScenario& checked) {
  double calls = 0.0;
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i) {
    const JobPool& pool = checked.scenario.jobs[i];
    const std::string pointer = "/jobs/" + std::to_string(i);
    if (!checked.complaints.sound(pointer)) continue;
    std::uint64_t blocking = 0;
    std::uint64_t of_stream = 0;
    for (const InferStage* call : model_calls(pool)) {
      const std::uint64_t wide = std::min(call->in_flight, most_requests(*call));
      if (call->asynchronous)
        of_stream += wide;
      else
        blocking = std::max(blocking, wide);
    }
    calls += static_cast<double>(of_stream + blocking) * static_cast<double>(stream_count(pool));
    if (calls <= most_in_flight_requests) continue;
    checked.refuse(pointer + "/event", "scenario.too_many_in_flight",
                   pointer + " brings the requests that may be in flight together to " +
                       with_commas(static_cast<std::uint64_t>(calls)) + "; at most " +
                       with_commas(static_cast<std::uint64_t>(most_in_flight_requests)) +
                       " are allowed. Lower \"in_flight\", or the number of jobs.");
    return;
  }
}

}  // namespace

void check_jobs(const CheckedScenario& checked) {
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i)
    check_pool(checked, checked.scenario.jobs[i], "/jobs/" + std::to_string(i));
  check_in_flight(checked);
}

namespace {

void check_attachment(const CheckedScenario& checked, const Server& server, const std::string& pointer) {
  if (server.nic && checked.complaints.sound(pointer + "/nic"))
    checked.refuse(pointer + "/nic", "scenario.attached_with_nic",
                   pointer +
                       "/nic is a network card, but the devices are \"attached\": requests reach them over the bus of "
                       "their own node; leave \"nic\" out.");
  if (server.balancing != Balancing::per_connection && checked.complaints.sound(pointer + "/balancing"))
    checked.refuse(pointer + "/balancing", "scenario.attached_balancing",
                   pointer +
                       "/balancing lets requests go to any node, but the devices are \"attached\": a stream calls "
                       "those of the node that it runs on; leave \"balancing\" out, or make it \"per_connection\".");
  if (server.dispatch != Dispatch::round_robin && checked.complaints.sound(pointer + "/dispatch"))
    checked.refuse(pointer + "/dispatch", "scenario.attached_dispatch",
                   pointer +
                       "/dispatch spreads connections over nodes, but the devices are \"attached\": streams are "
                       "dealt out to the worker nodes in turn; leave \"dispatch\" out, or make it \"round_robin\".");
}

}  // namespace

void check_attached(const CheckedScenario& checked) {
  for (std::size_t i = 0; i < checked.scenario.servers.size(); ++i) {
    const Server& server = checked.scenario.servers[i];
    const std::string pointer = "/servers/" + std::to_string(i);
    if (server.attached && checked.complaints.complete(pointer)) check_attachment(checked, server, pointer);
  }
}

namespace {

/// Keys that say how instances execute, of which an ensemble has none.
void check_own_keys(const CheckedScenario& checked, const std::string& name) {
  const Node& node = checked.document.nearest(model_at(name));
  for (const char* key : {"service", "instances", "execution", "dynamic_batching", "preferred_batch_size",
                          "max_queue_delay", "batch_forming", "item_lengths", "priority_levels",
                          "default_priority_level", "queue_policy", "sequence_batching"})
    if (node.find(key) != nullptr)
      checked.refuse(model_at(name) + "/" + key, "scenario.ensemble_with_own",
                     model_at(name) + " has \"ensemble\" and \"" + key +
                         "\"; an ensemble only chains other models, whose own keys apply: leave one of the two out.");
}

/// The models of a circle through ensembles that begins and ends at `name`; empty when there is none.
std::vector<std::string> circle_from(const Scenario& scenario, const std::string& name) {
  // Breadth first, so that the circle is a shortest one.
  std::map<std::string, std::string> came_from;
  std::vector<std::string> open{name};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const std::string current = open[i];
    const auto model = scenario.models.find(current);
    if (model == scenario.models.end()) continue;
    for (const std::string& step : model->second.ensemble) {
      if (step == name) {
        std::vector<std::string> circle{name};
        for (std::string at = current; at != name; at = came_from.at(at)) circle.push_back(at);
        circle.push_back(name);
        std::reverse(circle.begin(), circle.end());
        return circle;
      }
      if (came_from.emplace(step, current).second) open.push_back(step);
    }
  }
  return {};
}

/// Complains once about each circle. @returns names on circles
std::set<std::string> check_circles(const CheckedScenario& checked) {
  std::set<std::string> on_circles;
  for (const auto& [name, model] : checked.scenario.models) {
    if (model.ensemble.empty() || on_circles.contains(name)) continue;
    const std::vector<std::string> circle = circle_from(checked.scenario, name);
    if (circle.empty()) continue;
    on_circles.insert(circle.begin(), circle.end());
    std::string path;
    for (std::size_t i = 0; i < circle.size() && i < 20; ++i) path += (i > 0 ? " -> " : "") + shown(circle[i]);
    checked.refuse(model_at(name) + "/ensemble", "scenario.ensemble_circle",
                   model_at(name) + "/ensemble leads back to itself: " + path +
                       "; a request would never leave it. Take "
                       "one of these steps out.");
  }
  return on_circles;
}

void check_steps(const CheckedScenario& checked, const std::string& name, const Model& model) {
  const Scenario& scenario = checked.scenario;
  for (std::size_t i = 0; i < model.ensemble.size(); ++i) {
    const std::string step_at = model_at(name) + "/ensemble/" + std::to_string(i);
    const auto step = scenario.models.find(model.ensemble[i]);
    if (!checked.complaints.sound(step_at) || !check_model_name(checked, step_at, model.ensemble[i])) continue;
    if (step == scenario.models.end()) continue;
    const std::string limit_at = model_at(step->first) + "/max_batch_size";
    const std::string own_at = model_at(name) + "/max_batch_size";
    if (!checked.complaints.sound(limit_at) || !checked.complaints.sound(own_at)) continue;
    // A server lets an ensemble without a limit take what its steps take.
    if (model.max_batch_size == unlimited_batch || step->second.max_batch_size >= model.max_batch_size) continue;
    checked.refuse(step_at, "scenario.step_batch_too_small",
                   step_at + " is " + shown(step->first) + ", whose max_batch_size is " +
                       with_commas(step->second.max_batch_size) + ", but " + own_at + " is " +
                       with_commas(model.max_batch_size) +
                       "; a request passes whole through every step: raise the "
                       "first or lower the second.");
  }
}

/// Steps of an ensemble, its own ensembles resolved; each ensemble is counted once and remembered.
double step_count(const Scenario& scenario, const std::string& name, std::map<std::string, double>& known) {
  if (const auto found = known.find(name); found != known.end()) return found->second;
  const auto model = scenario.models.find(name);
  double count = 1.0;
  if (model != scenario.models.end() && !model->second.ensemble.empty()) {
    count = 0.0;
    known[name] = 0.0;
    for (const std::string& step : model->second.ensemble) count += step_count(scenario, step, known);
  }
  return known[name] = count;
}

void check_length(const CheckedScenario& checked, const std::string& name, std::map<std::string, double>& known) {
  if (step_count(checked.scenario, name, known) <= most_steps) return;
  const std::string pointer = model_at(name) + "/ensemble";
  checked.refuse(pointer, "scenario.too_many_steps",
                 pointer + " has more than " + with_commas(static_cast<std::uint64_t>(most_steps)) +
                     " steps when the ensembles among them are resolved; that is the most that is simulated.");
}

void check_placement(const CheckedScenario& checked, std::size_t i) {
  const Server& server = checked.scenario.servers[i];
  const std::string pointer = "/servers/" + std::to_string(i);
  if (!checked.complaints.sound(pointer + "/models")) return;
  for (std::size_t k = 0; k < server.models.size(); ++k) {
    const auto model = checked.scenario.models.find(server.models[k]);
    if (model == checked.scenario.models.end() || !checked.complaints.sound(model_at(model->first) + "/ensemble"))
      continue;
    std::set<std::string> missing;
    for (const std::string& step : model->second.ensemble) {
      const bool held = std::find(server.models.begin(), server.models.end(), step) != server.models.end();
      if (held || !checked.scenario.models.contains(step) || !missing.insert(step).second) continue;
      checked.refuse(pointer + "/models/" + std::to_string(k), "scenario.step_not_held",
                     pointer + "/models/" + std::to_string(k) + " places the ensemble " + shown(model->first) +
                         " here, but not its step " + shown(step) + "; add " + shown(step) + " to " + pointer +
                         "/models.");
    }
  }
}

}  // namespace

std::vector<std::string> executed_models(const Scenario& scenario, const std::string& model) {
  std::vector<std::string> open{model};
  std::vector<std::string> executed;
  std::set<std::string> seen{model};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto found = scenario.models.find(open[i]);
    if (found == scenario.models.end()) continue;
    if (found->second.ensemble.empty()) executed.push_back(open[i]);
    // A copy, since the list that it stands in grows.
    for (const std::string& step : found->second.ensemble)
      if (seen.insert(step).second) open.push_back(step);
  }
  return executed;
}

void check_ensembles(const CheckedScenario& checked) {
  const std::set<std::string> on_circles = check_circles(checked);
  std::map<std::string, double> counts;
  for (const auto& [name, model] : checked.scenario.models) {
    if (checked.document.nearest(model_at(name)).find("ensemble") == nullptr) continue;
    if (!checked.complaints.complete(model_at(name))) continue;
    check_own_keys(checked, name);
    if (on_circles.contains(name)) continue;
    check_steps(checked, name, model);
    check_length(checked, name, counts);
  }
  for (std::size_t i = 0; i < checked.scenario.servers.size(); ++i) check_placement(checked, i);
}

}  // namespace saturn
