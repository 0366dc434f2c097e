#include "calibration/import/triton_counters.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr const char* requests = "nv_inference_request_success";
constexpr const char* failures = "nv_inference_request_failure";
constexpr const char* items_counter = "nv_inference_count";
constexpr const char* executions_counter = "nv_inference_exec_count";

constexpr std::array<std::pair<const char*, const char*>, 6> durations{
    {{"nv_inference_request_duration_us", "request_s"},
     {"nv_inference_queue_duration_us", "queue_s"},
     {"nv_inference_compute_input_duration_us", "compute_input_s"},
     {"nv_inference_compute_infer_duration_us", "compute_infer_s"},
     {"nv_inference_compute_output_duration_us", "compute_output_s"},
     // Servers before 2.0 have one counter for the whole computation.
     {"nv_inference_compute_duration_us", "compute_infer_s"}}};

double value_or_zero(const std::map<std::string, double>& values, const char* name) {
  const auto found = values.find(name);
  return found == values.end() ? 0.0 : found->second;
}

std::string label_of(const PrometheusSample& sample, const char* label) {
  const auto found = sample.labels.find(label);
  return found == sample.labels.end() ? "" : found->second;
}

// A separator that no label holds by chance.
std::string key_of(const std::string& a, const std::string& b) {
  return a + '\0' + b;
}

}  // namespace

bool TritonCounters::counts(std::string_view name) {
  for (const char* counter : {requests, failures, items_counter, executions_counter})
    if (name == counter) return true;
  return std::any_of(durations.begin(), durations.end(), [&](const auto& one) { return name == one.first; });
}

void TritonCounters::take(const PrometheusSample& sample, std::size_t line, std::string_view text) {
  const std::string name = label_of(sample, "model");
  if (name.empty()) {
    complaints_.add(line, "import.no_model", "The line is left out: it has no label \"model\".", text);
    return;
  }
  if (sample.value < 0.0) {
    complaints_.add(line, "import.bad_number", "The line is left out: a counter cannot be negative.", text);
    return;
  }
  std::string identity = sample.name;
  for (const auto& [label, value] : sample.labels) identity = key_of(key_of(identity, label), value);
  const auto [first, is_new] = seen_.emplace(std::move(identity), line);
  if (!is_new) {
    complaints_.add(line, "import.repeated_counter",
                    "The line is left out: the same counter stands in line " + std::to_string(first->second) +
                        "; give two dumps as two files, the earlier one first.",
                    text);
    return;
  }
  Model& model = models_[name];
  if (model.line == 0) model.line = line;
  const std::string gpu = label_of(sample, "gpu_uuid");
  model.on_gpu = model.on_gpu || !gpu.empty();
  if (sample.time_s && (!model.read_at_s || *sample.time_s > *model.read_at_s)) model.read_at_s = sample.time_s;
  // Failures are counted by their reason; a reason makes no other instance of the model.
  model.series[key_of(label_of(sample, "version"), gpu)].values[sample.name] += sample.value;
}

bool TritonCounters::complete(const std::string& name, const Model& model) {
  const auto everywhere = [&](const char* counter) {
    return std::all_of(model.series.begin(), model.series.end(),
                       [&](const auto& one) { return one.second.values.contains(counter); });
  };
  for (const char* counter : {requests, items_counter, executions_counter}) {
    if (everywhere(counter)) continue;
    complaints_.add(model.line, "import.incomplete_model",
                    "Model " + name + " is left out: " + counter +
                        " is missing for it or for one of its versions or GPUs; read the server's /metrics again.");
    return false;
  }
  return true;
}

ServerCounters TritonCounters::add_up(const std::string& name, const Model& model) {
  ServerCounters result{.at = {path_, model.line}, .model = name, .read_at_s = model.read_at_s};
  std::map<std::string, double> sums;
  std::map<std::string, std::size_t> present;
  for (const auto& [place, series] : model.series) {
    for (const auto& [counter, value] : series.values) {
      sums[counter] += value;
      ++present[counter];
    }
  }
  result.requests = value_or_zero(sums, requests);
  result.failures = value_or_zero(sums, failures);
  result.items = value_or_zero(sums, items_counter);
  result.executions = value_or_zero(sums, executions_counter);
  for (const auto& [counter, sum_name] : durations) {
    if (!sums.contains(counter)) continue;
    if (present[counter] == model.series.size()) {
      result.sums_s.emplace(sum_name, sums[counter] * 1e-6);
    } else {
      complaints_.add(
          model.line, "import.incomplete_model",
          "Model " + name + ": " + counter +
              " is left out; one of its versions or GPUs does not have it. Read the server's /metrics again.");
    }
  }
  return result;
}

std::vector<ServerCounters> TritonCounters::finish(std::vector<std::string>& notes) {
  std::vector<ServerCounters> result;
  std::set<std::string> without_gpu;
  std::vector<std::string> idle;
  const bool gpus_named =
      std::any_of(models_.begin(), models_.end(), [](const auto& model) { return model.second.on_gpu; });
  for (const auto& [name, model] : models_) {
    if (!complete(name, model)) continue;
    const ServerCounters counters = add_up(name, model);
    if (counters.requests <= 0.0) {
      idle.push_back(name);
      continue;
    }
    if (gpus_named && !model.on_gpu) without_gpu.insert(name);
    result.push_back(counters);
  }
  if (!idle.empty()) notes.push_back("These models have answered no request: " + joined(idle) + ".");
  mark_ensembles(result, without_gpu, notes);
  return result;
}

}  // namespace saturn
