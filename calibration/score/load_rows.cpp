#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "calibration/import/import_kit.hpp"
#include "calibration/score/placed_rows.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

/// The model of a scenario that a load is of.
struct LoadModel {
  std::string name{};
  std::string label{};  ///< what rows call it; empty where all are of the same
};

/// Which models of a scenario the loads of a file are of.
class LoadModels {
 public:
  /// Says in `result` what was assumed, and refuses the file where its model cannot be known.
  /// @param chosen  name of the scenario's model; empty: the file's own names, or the only model that the jobs call
  LoadModels(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen, RowsOfFile& result);

  /// Nothing where the load is of a model that is not wanted.
  std::optional<LoadModel> of(const LoadPoint& point) const;
  /// What is wanted instead: "the scenario has \"a\" or \"b\"".
  const std::string& wanted() const { return wanted_; }

 private:
  void choose(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen, RowsOfFile& result);
  void take_names(const Scenario& scenario, const MeasuredFile& file, RowsOfFile& result);

  std::set<std::string> named_{};  ///< the file's own names
  std::set<std::string> taken_{};  ///< of them, those that are models of the scenario
  std::string one_{};              ///< the model that every wanted row is of; empty: each row's own name
  std::string unnamed_{};          ///< the model of rows without a name, beside rows with one
  std::string wanted_{};
};

namespace {

std::vector<std::string> all_models(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& [name, model] : scenario.models) names.push_back(name);
  return names;
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

namespace {

/// A queue shorter than this share of the latency is too short for a relative error to say something.
constexpr double telling_queue = 0.01;
constexpr double whole_batch_within = 0.05;
constexpr double most_items = 1e9;

}  // namespace

bool is_load_generator(const Scenario& scenario, const std::string& model) {
  if (scenario.jobs.size() != 1) return false;
  const JobPool& pool = scenario.jobs.front();
  if (pool.event.size() != 1 || pool.arrivals || pool.events_per_job || streams_per_job(pool) != 1) return false;
  const auto* infer = std::get_if<InferStage>(&pool.event.front());
  if (infer == nullptr || infer->model != model || infer->in_flight != 1 || infer->asynchronous) return false;
  return !(infer->client_cost.per_request > Seconds{}) && !(infer->client_cost.per_item > Seconds{});
}

namespace {

/// The site of the jobs that call the model; that of the first pool where none does.
std::string site_of_callers(const Scenario& scenario, const std::string& model) {
  for (const JobPool& pool : scenario.jobs) {
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer != nullptr && infer->model == model) return pool.site;
    }
  }
  return scenario.jobs.front().site;
}

/// Of the models that a request passes, the one that accepts the fewest items.
std::string narrowest_step(const Scenario& scenario, const std::string& model) {
  const std::vector<std::string> steps = model_steps(scenario.models, model);
  return *std::min_element(steps.begin(), steps.end(), [&](const std::string& a, const std::string& b) {
    return scenario.models.at(a).max_batch_size < scenario.models.at(b).max_batch_size;
  });
}

class LoadRows {
 public:
  LoadRows(const Scenario& scenario, const std::string& chosen) : scenario_(scenario), chosen_(chosen) {}

  RowsOfFile of(const MeasuredFile& file);

 private:
  void add(const LoadPoint& point, const LoadModel& model);
  /// Items of a request as they are simulated; 0: the row is left out.
  std::uint64_t batch_of(const LoadPoint& point, const std::string& model, std::string& remark);
  void set_jobs(MeasuredRow& row, const std::string& model, std::uint64_t jobs, std::uint64_t batch);
  void set_instances(MeasuredRow& row, const LoadPoint& point, const std::string& model);

  const Scenario& scenario_;
  const std::string& chosen_;
  RowsOfFile result_{};
};

std::uint64_t LoadRows::batch_of(const LoadPoint& point, const std::string& model, std::string& remark) {
  if (!point.request_batch) {
    if (is_load_generator(scenario_, model))
      return std::get<InferStage>(scenario_.jobs.front().event.front()).request_batch;
    result_.leave_out(point.at, "score.batch",
                      "The items of a request are not known, and the scenario's jobs are no load generator that could "
                      "tell them. Say them with --batch N, perf_analyzer's -b, or add a column \"batch\" to a table.");
    return 0;
  }
  const double given = *point.request_batch;
  const double whole = std::max(1.0, std::round(given));
  const bool law = point.batch_from == BatchOrigin::littles_law || point.batch_from == BatchOrigin::inferred;
  if ((!law && std::abs(given - whole) > whole_batch_within) || !(whole <= most_items)) {
    result_.leave_out(
        point.at, "score.batch",
        "A request has " + significant(given, 6) + " items; a whole number up to 1,000,000,000 can be simulated.");
    return 0;
  }
  const auto items = static_cast<std::uint64_t>(whole);
  const std::string narrowest = narrowest_step(scenario_, model);
  const std::uint64_t most = scenario_.models.at(narrowest).max_batch_size;
  if (items > most) {
    result_.leave_out(point.at, "score.batch",
                      "A request has " + counted(items, "item") + ", above max_batch_size of \"" + narrowest +
                          "\", which is " + std::to_string(most) + "; if the server took them, --set /models/" +
                          escape_pointer(narrowest) + "/max_batch_size=" + std::to_string(items) + ".");
    return 0;
  }
  if (law) remark = "the items of a request follow from Little's law";
  return items;
}

void LoadRows::set_jobs(MeasuredRow& row, const std::string& model, std::uint64_t jobs, std::uint64_t batch) {
  const auto set = [&](const std::string& pointer, const std::string& value) {
    row.set.push_back({.pointer = pointer, .value = value});
  };
  if (is_load_generator(scenario_, model)) {
    set("/jobs/0/count", std::to_string(jobs));
    set("/jobs/0/event/0/items", std::to_string(batch));
    set("/jobs/0/event/0/request_batch", std::to_string(batch));
    return;
  }
  const std::string site = site_of_callers(scenario_, model);
  nlohmann::json call{{"infer", model}, {"items", batch}, {"request_batch", batch}};
  if (keeps_state(scenario_, model)) call["sequence"] = "event";
  const nlohmann::json pool{
      {"name", "load generator"}, {"site", site}, {"count", jobs}, {"event", nlohmann::json::array({call})}};
  set("/jobs", nlohmann::json::array({pool}).dump());
  result_.note(
      "The file is of a load generator, and the scenario's jobs are none: each row is simulated with a pool at " +
      shown(site) + " in their place, in which every job sends one request to " + shown(model) +
      " after the other and does nothing else.");
}

void LoadRows::set_instances(MeasuredRow& row, const LoadPoint& point, const std::string& model) {
  const Model& in_scenario = scenario_.models.at(model);
  if (!point.instances || !in_scenario.ensemble.empty()) return;
  const auto instances = whole_count(*point.instances, 1000);
  if (!instances || *instances == in_scenario.instances) return;
  row.set.push_back(
      {.pointer = "/models/" + escape_pointer(model) + "/instances", .value = std::to_string(*instances)});
  row.point.label += ", " + counted(*instances, "instance");
  result_.note(
      "Rows that were measured with another number of instances than the scenario's are simulated with it; "
      "everything else of the server is the scenario's.");
}

std::map<std::string, double> compared_values(const LoadPoint& point) {
  std::map<std::string, double> values = point.measured;
  values["items_per_s"] = point.items_per_s;
  const auto rename = [&](const std::string& from, const std::string& to) {
    const auto found = values.find(from);
    if (found != values.end()) values[to] = found->second;
  };
  rename("latency_sd_s", "latency_mean_s_sd");
  rename("latency_sem_s", "latency_mean_s_sem");
  double compute = 0.0;
  for (const char* part : {"compute_input_s", "compute_infer_s", "compute_output_s"}) {
    const auto found = values.find(part);
    if (found == values.end()) return values;
    compute += found->second;
  }
  values["compute_s"] = compute;
  return values;
}

void LoadRows::add(const LoadPoint& point, const LoadModel& model) {
  if (!point.concurrency) {
    result_.leave_out(
        point.at, "score.request_rate",
        "The row is a request rate without a concurrency. How its requests were spaced is not known, so it "
        "is not simulated; measure with --concurrency-range.");
    return;
  }
  const auto jobs = whole_count(*point.concurrency, most_jobs);
  if (!jobs) {
    result_.leave_out(point.at, "score.clients",
                      "The row has a concurrency of " + significant(*point.concurrency, 6) +
                          "; a whole number from 1 to 2,000,000 can be simulated. It is not used.");
    return;
  }
  MeasuredRow row;
  const std::uint64_t batch = batch_of(point, model.name, row.point.remark);
  if (batch == 0) return;
  row.model = model.name;
  row.point.label = (model.label.empty() ? "" : model.label + ", ") + "concurrency " + std::to_string(*jobs) +
                    (batch > 1 || point.request_batch ? ", batch " + std::to_string(batch) : "");
  set_jobs(row, model.name, *jobs, batch);
  set_instances(row, point, model.name);
  const std::map<std::string, double> values = compared_values(point);
  for (const char* quantity :
       {"items_per_s", "latency_mean_s", "latency_p50_s", "latency_p95_s", "latency_p99_s", "queue_s", "compute_s"})
    add_measured(row.point, quantity, values);
  const auto latency = values.find("latency_mean_s");
  row.point.printed_per_s = point.printed_per_s;
  for (MeasuredValue& value : row.point.values) {
    if (value.quantity->name == "queue_s" && latency != values.end())
      value.scored = value.value >= telling_queue * latency->second;
  }
  result_.rows.push_back(
      {.at = point.at, .load = *point.concurrency * static_cast<double>(batch), .row = std::move(row)});
}

RowsOfFile LoadRows::of(const MeasuredFile& file) {
  const LoadModels models(scenario_, file, chosen_, result_);
  if (!result_.refusals.empty()) return std::move(result_);
  for (const LoadPoint& point : file.loads) {
    if (const auto model = models.of(point))
      add(point, *model);
    else
      result_.leave_out(point.at, "score.other_model",
                        "The row is of the model " + shown(point.model) + ", and " + models.wanted() + ".");
  }
  return std::move(result_);
}

}  // namespace

RowsOfFile load_rows(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen) {
  return LoadRows(scenario, chosen).of(file);
}

}  // namespace saturn
