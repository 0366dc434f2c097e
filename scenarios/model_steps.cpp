#include <algorithm>
#include <stdexcept>

#include "scenarios/scenario.hpp"

namespace saturn {

namespace {

/// Appends the steps of `model`; `open` are the ensembles that are being resolved.
void append_steps(const std::map<std::string, Model>& models, const std::string& model, std::vector<std::string>& open,
                  std::vector<std::string>& steps) {
  const auto found = models.find(model);
  if (found == models.end()) throw std::invalid_argument("model_steps: there is no model " + model);
  if (found->second.ensemble.empty()) {
    steps.push_back(model);
    return;
  }
  if (std::find(open.begin(), open.end(), model) != open.end())
    throw std::invalid_argument("model_steps: the ensemble " + model + " contains itself");
  open.push_back(model);
  for (const std::string& step : found->second.ensemble) append_steps(models, step, open, steps);
  open.pop_back();
}

}  // namespace

std::vector<std::string> model_steps(const std::map<std::string, Model>& models, const std::string& model) {
  std::vector<std::string> steps;
  std::vector<std::string> open;
  append_steps(models, model, open, steps);
  return steps;
}

BatchingRules batching_rules(const Model& model) {
  BatchingRules rules{.dynamic = model.dynamic_batching,
                      .max_batch_size = static_cast<std::uint32_t>(model.max_batch_size),
                      .preferred_batch_size = {},
                      .max_queue_delay = model.max_queue_delay,
                      .forming = model.forming,
                      .priority_levels = static_cast<std::uint32_t>(model.priority_levels),
                      .queue_policy = model.queue_policy};
  for (const std::uint64_t size : model.preferred_batch_size)
    rules.preferred_batch_size.push_back(static_cast<std::uint32_t>(size));
  std::sort(rules.preferred_batch_size.begin(), rules.preferred_batch_size.end());
  return rules;
}

}  // namespace saturn
