#include "calibration/score/load_model.hpp"

#include <algorithm>
#include <vector>

#include "models/words/texts.hpp"
#include "scenarios/document.hpp"

namespace saturn {

namespace {

std::vector<std::string> all_models(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& [name, model] : scenario.models) names.push_back(name);
  return names;
}

std::set<std::string> called_models(const Scenario& scenario) {
  std::set<std::string> called;
  for (const JobPool& pool : scenario.jobs) {
    for (const Stage& stage : pool.event) {
      if (const auto* infer = std::get_if<InferStage>(&stage)) called.insert(infer->model);
    }
  }
  return called;
}

std::string listed_set(const std::set<std::string>& names) {
  return listed({names.begin(), names.end()});
}

}  // namespace

LoadModels::LoadModels(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen,
                       RowsOfFile& result) {
  for (const LoadPoint& point : file.loads) {
    if (point.model.empty()) continue;
    named_.insert(point.model);
    if (scenario.models.contains(point.model)) taken_.insert(point.model);
  }
  if (chosen.empty())
    take_names(scenario, file, result);
  else
    choose(scenario, file, chosen, result);
}

void LoadModels::choose(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen,
                        RowsOfFile& result) {
  if (!scenario.models.contains(chosen)) {
    result.refuse("--model", "score.model",
                  "The scenario has no model " + shown(chosen) + "; it has " + listed(all_models(scenario)) + ".");
    return;
  }
  one_ = chosen;
  wanted_ = "--model asks for " + shown(chosen);
  if (named_.contains(chosen)) return;
  if (named_.size() > 1)
    result.refuse(file.path, "score.model",
                  "The file has loads of " + listed_set(named_) + ", and none of " + shown(chosen) +
                      ", which --model asks for; give a file with the loads of that model alone.");
  else if (!named_.empty())
    result.note("The file's model " + shown(*named_.begin()) + " is taken as the scenario's " + shown(chosen) + ".");
}

void LoadModels::take_names(const Scenario& scenario, const MeasuredFile& file, RowsOfFile& result) {
  wanted_ = "the scenario has " + listed(all_models(scenario));
  const std::set<std::string> called = called_models(scenario);
  const bool unnamed =
      std::any_of(file.loads.begin(), file.loads.end(), [](const LoadPoint& point) { return point.model.empty(); });
  if (!taken_.empty() && !unnamed) return;
  if (taken_.empty() && named_.size() > 1) {
    result.refuse(file.path, "score.model",
                  "The file has loads of " + listed_set(named_) + ", and " + wanted_ +
                      "; give each model's rows a file of its own, or its name to the scenario's model.");
    return;
  }
  if (called.size() != 1) {
    const std::string has = named_.empty() ? "The file does not say which model its loads are of"
                                           : "The file has loads of " + listed_set(named_);
    const std::string jobs =
        called.empty() ? "the scenario's jobs call no model" : "the scenario's jobs call " + listed_set(called);
    result.refuse(file.path, "score.model",
                  has + ", and " + jobs + "; name the model with --model, of " + listed(all_models(scenario)) + ".");
    return;
  }
  unnamed_ = *called.begin();
  if (!taken_.empty()) return;
  one_ = *called.begin();
  if (!named_.empty())
    result.note("The file's model " + shown(*named_.begin()) + " is taken as the scenario's " + shown(one_) +
                ", the only one that its jobs call.");
}

std::optional<LoadModel> LoadModels::of(const LoadPoint& point) const {
  if (!one_.empty()) {
    // A file that names the chosen model among others is read for that one.
    const bool other = named_.contains(one_) && !point.model.empty() && point.model != one_;
    return other ? std::nullopt : std::optional(LoadModel{.name = one_});
  }
  const std::string& name = point.model.empty() ? unnamed_ : point.model;
  if (name != unnamed_ && !taken_.contains(name)) return std::nullopt;
  return LoadModel{.name = name, .label = taken_.size() > 1 ? name : ""};
}

}  // namespace saturn
