#include <numeric>
#include <set>

#include "models/words/numbers.hpp"
#include "scenarios/cross_checks.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

namespace {

/// Keys that only the dynamic batcher heeds, where they say more than their default.
void check_without_batcher(const CheckedScenario& checked, const std::string& name, const Model& model) {
  const auto refuse = [&](const char* key) {
    const std::string pointer = model_at(name) + "/" + key;
    if (!checked.complaints.sound(pointer)) return;
    checked.refuse(pointer, "scenario.needs_dynamic_batching",
                   pointer +
                       " is for the dynamic batcher, which this model does not use; add \"dynamic_batching\": true "
                       "to the model, or leave \"" +
                       key + "\" out.");
  };
  if (!model.preferred_batch_size.empty()) refuse("preferred_batch_size");
  if (model.max_queue_delay > Seconds{0.0}) refuse("max_queue_delay");
  if (model.forming != BatchForming::when_idle) refuse("batch_forming");
  if (model.priority_levels > 1) refuse("priority_levels");
  if (model.priority_levels <= 1 && model.default_priority_level) refuse("default_priority_level");
  if (model.queue_policy.max_queue_size || model.queue_policy.timeout) refuse("queue_policy");
}

void check_preferred_sizes(const CheckedScenario& checked, const std::string& name, const Model& model) {
  const std::string list_at = model_at(name) + "/preferred_batch_size";
  std::set<std::uint64_t> seen;
  for (std::size_t i = 0; i < model.preferred_batch_size.size(); ++i) {
    const std::uint64_t size = model.preferred_batch_size[i];
    const std::string pointer = list_at + "/" + std::to_string(i);
    if (!checked.complaints.sound(pointer)) continue;
    if (!seen.insert(size).second)
      checked.refuse(pointer, "scenario.preferred_size_twice",
                     pointer + " is " + with_commas(size) + " a second time; name each size once.");
    else if (checked.complaints.sound(model_at(name) + "/max_batch_size") && size > model.max_batch_size)
      checked.refuse(pointer, "scenario.preferred_size_too_large",
                     pointer + " is " + with_commas(size) + ", above max_batch_size, which is " +
                         with_commas(model.max_batch_size) + "; lower the first or raise the second.");
  }
}

void check_levels(const CheckedScenario& checked, const std::string& name, const Model& model) {
  const std::string pointer = model_at(name) + "/default_priority_level";
  if (!model.default_priority_level || !checked.complaints.sound(pointer) ||
      !checked.complaints.sound(model_at(name) + "/priority_levels"))
    return;
  if (*model.default_priority_level <= model.priority_levels) return;
  checked.refuse(pointer, "scenario.level_too_high",
                 pointer + " is " + with_commas(*model.default_priority_level) + ", above priority_levels, which is " +
                     with_commas(model.priority_levels) + "; lower the first or raise the second.");
}

void check_timeout(const CheckedScenario& checked, const std::string& name, const Model& model) {
  const std::string pointer = model_at(name) + "/queue_policy";
  if (model.queue_policy.timeout || model.queue_policy.timeout_action == TimeoutAction::reject) return;
  if (!checked.complaints.sound(pointer)) return;
  checked.refuse(pointer + "/timeout_action", "scenario.no_timeout",
                 pointer +
                     "/timeout_action says what becomes of requests that time out, but there is no \"timeout\"; "
                     "add one, or leave \"timeout_action\" out.");
}

/// What bounds the priority of requests for a model: the fewest levels among the models that they reach and that have
/// levels at all.
struct PriorityBound {
  std::uint64_t levels = 1;
  std::string levels_at;  ///< empty when there are no levels
  bool known = true;      ///< no model's levels were refused
};

PriorityBound priority_bound(const CheckedScenario& checked, const std::string& called) {
  PriorityBound bound;
  for (const std::string& name : executed_models(checked.scenario, called)) {
    const std::uint64_t levels = checked.scenario.models.at(name).priority_levels;
    const std::string levels_at = model_at(name) + "/priority_levels";
    bound.known = bound.known && checked.complaints.sound(levels_at);
    if (levels <= 1 || (!bound.levels_at.empty() && levels >= bound.levels)) continue;
    bound.levels = levels;
    bound.levels_at = levels_at;
  }
  bound.known = bound.known && checked.scenario.models.contains(called);
  return bound;
}

void check_priority(const CheckedScenario& checked, const InferStage& stage, const std::string& pointer,
                    std::map<std::string, PriorityBound>& bounds) {
  const std::string priority_at = pointer + "/priority";
  if (!stage.priority || !checked.complaints.sound(priority_at)) return;
  auto found = bounds.find(stage.model);
  if (found == bounds.end()) found = bounds.emplace(stage.model, priority_bound(checked, stage.model)).first;
  const PriorityBound& bound = found->second;
  if (!bound.known || (!bound.levels_at.empty() && *stage.priority <= bound.levels)) return;
  if (bound.levels_at.empty())
    checked.refuse(priority_at, "scenario.no_priority_levels",
                   priority_at + " is " + with_commas(*stage.priority) + ", but the model " + shown(stage.model) +
                       " has no levels of priority; give it \"priority_levels\", or leave \"priority\" out.");
  else
    checked.refuse(priority_at, "scenario.priority_too_high",
                   priority_at + " is " + with_commas(*stage.priority) + ", but " + bound.levels_at + " is " +
                       with_commas(bound.levels) + "; lower the first or raise the second.");
}

void check_slices(const CheckedScenario& checked, const Server& server, const std::string& pointer) {
  const std::string mig_at = pointer + "/devices/mig";
  if (!checked.complaints.sound(mig_at)) return;
  const double sum = std::accumulate(server.devices.mig.begin(), server.devices.mig.end(), 0.0);
  constexpr double rounding = 1e-9;
  if (sum <= 1.0 + rounding) return;
  checked.refuse(
      mig_at, "scenario.slices_above_device",
      mig_at + " adds up to " + shortest(sum) + "; the slices of a device have at most 1 in sum: lower or drop one.");
}

}  // namespace

void check_batching(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  for (const auto& [name, model] : scenario.models) {
    // An ensemble with keys of the batcher is refused as such.
    if (!model.ensemble.empty() || !checked.complaints.complete(model_at(name))) continue;
    if (!model.dynamic_batching && checked.complaints.sound(model_at(name) + "/dynamic_batching")) {
      check_without_batcher(checked, name, model);
    } else {
      check_preferred_sizes(checked, name, model);
      check_levels(checked, name, model);
      check_timeout(checked, name, model);
    }
  }
  std::map<std::string, PriorityBound> bounds;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i)
    for (std::size_t k = 0; k < scenario.jobs[i].event.size(); ++k)
      if (const auto* stage = std::get_if<InferStage>(&scenario.jobs[i].event[k]))
        check_priority(checked, *stage, "/jobs/" + std::to_string(i) + "/event/" + std::to_string(k), bounds);
  for (std::size_t i = 0; i < scenario.servers.size(); ++i)
    check_slices(checked, scenario.servers[i], "/servers/" + std::to_string(i));
}

}  // namespace saturn
