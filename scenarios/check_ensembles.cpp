#include <algorithm>
#include <set>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/cross_checks.hpp"
#include "scenarios/near_name.hpp"
#include "scenarios/scenario_fields.hpp"
#include "scenarios/triton_fields.hpp"

namespace saturn {

namespace {

/// Keys that say how instances execute, of which an ensemble has none.
void check_own_keys(const CheckedScenario& checked, const std::string& name) {
  const Node& node = checked.document.nearest(model_at(name));
  for (const char* key : {"service", "instances", "dynamic_batching", "preferred_batch_size", "max_queue_delay",
                          "batch_forming", "item_lengths", "priority_levels", "default_priority_level", "queue_policy"})
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
  std::vector<std::string> known;
  for (const auto& entry : scenario.models) known.push_back(entry.first);
  for (std::size_t i = 0; i < model.ensemble.size(); ++i) {
    const std::string step_at = model_at(name) + "/ensemble/" + std::to_string(i);
    const auto step = scenario.models.find(model.ensemble[i]);
    if (!checked.complaints.sound(step_at)) continue;
    if (step == scenario.models.end()) {
      const std::string nearest = nearest_name(model.ensemble[i], known);
      if (checked.complaints.complete("/models"))
        checked.refuse(
            step_at, "scenario.unknown_model",
            step_at + " names the model " + shown(model.ensemble[i]) + ", which is not in /models. " +
                (nearest.empty() ? "/models has " + listed(known) + "." : "Did you mean \"" + nearest + "\"?"));
      continue;
    }
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
