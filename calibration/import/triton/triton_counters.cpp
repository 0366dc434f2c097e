#include "calibration/import/triton/triton_counters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "calibration/import/imported_text.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}

std::string take_name(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_name(text[end])) ++end;
  std::string name(text.substr(0, end));
  text = trimmed(text.substr(end));
  return name;
}

bool take_char(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text = trimmed(text.substr(1));
  return true;
}

std::optional<std::string> take_quoted(std::string_view& text) {
  if (!text.starts_with('"')) return std::nullopt;
  std::string value;
  for (std::size_t k = 1; k < text.size(); ++k) {
    if (text[k] == '"') {
      text = trimmed(text.substr(k + 1));
      return value;
    }
    if (text[k] == '\\' && k + 1 < text.size()) {
      ++k;
      value += text[k] == 'n' ? '\n' : text[k];
    } else {
      value += text[k];
    }
  }
  return std::nullopt;
}

bool take_labels(std::string_view& text, PrometheusSample& sample, std::string& fault) {
  while (!take_char(text, '}')) {
    const std::string label = take_name(text);
    auto value = !label.empty() && take_char(text, '=') ? take_quoted(text) : std::nullopt;
    if (!value) {
      fault = "its labels have to read {model=\"a\",version=\"1\"}";
      return false;
    }
    sample.labels[label] = std::move(*value);
    if (!take_char(text, ',') && !text.starts_with('}')) {
      fault = "its labels are not closed by \"}\"";
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<PrometheusSample> prometheus_line(std::string_view line, std::string& fault) {
  PrometheusSample sample;
  std::string_view text = trimmed(line);
  sample.name = take_name(text);
  if (take_char(text, '{') && !take_labels(text, sample, fault)) return std::nullopt;
  const std::size_t end = text.find_first_of(" \t");
  const auto value = plain_number(text.substr(0, end));
  if (!value) {
    fault = "its value is \"" + std::string(text.substr(0, end).substr(0, 40)) +
            "\", not a number that is counted or measured (0, or 1e-15 to 1e15)";
    return std::nullopt;
  }
  sample.value = *value;
  if (end == std::string_view::npos) return sample;
  const auto milliseconds = plain_number(text.substr(end));
  if (!milliseconds) {
    fault = "behind the value there is \"" + std::string(trimmed(text.substr(end)).substr(0, 40)) +
            "\", which is no timestamp";
    return std::nullopt;
  }
  sample.time_s = *milliseconds / 1000.0;
  return sample;
}

namespace {

using ByModel = std::map<std::string, const ServerCounters*>;

ByModel by_model(const MeasuredFile& file) {
  ByModel models;
  for (const ServerCounters& one : file.counters) models.emplace(one.model, &one);
  return models;
}

bool fell(const ServerCounters& before, const ServerCounters& after) {
  if (after.requests < before.requests || after.failures < before.failures || after.items < before.items ||
      after.executions < before.executions)
    return true;
  return std::any_of(before.sums_s.begin(), before.sums_s.end(), [&](const auto& sum) {
    const auto found = after.sums_s.find(sum.first);
    return found != after.sums_s.end() && found->second < sum.second;
  });
}

ServerCounters between(const ServerCounters& before, const ServerCounters& after) {
  ServerCounters result = after;
  result.requests -= before.requests;
  result.failures -= before.failures;
  result.items -= before.items;
  result.executions -= before.executions;
  std::erase_if(result.sums_s, [&](const auto& sum) { return !before.sums_s.contains(sum.first); });
  for (auto& [name, sum] : result.sums_s) sum -= before.sums_s.at(name);
  result.ensemble = before.ensemble || after.ensemble;
  if (before.read_at_s && after.read_at_s && *after.read_at_s > *before.read_at_s)
    result.elapsed_s = *after.read_at_s - *before.read_at_s;
  return result;
}

/// Compares the readings model by model.
class ReadingPair {
 public:
  ReadingPair(const MeasuredFile& earlier, const MeasuredFile& later)
      : earlier_(earlier), later_(later), before_(by_model(earlier)), complaints_(later.path) {}

  MeasuredFile compare();

 private:
  void model(const ServerCounters& after);
  bool usable(const ServerCounters& before, const ServerCounters& after);
  void leave_out(const ServerCounters& counters, const std::string& why) {
    complaints_.add(counters.at.line, "import.no_difference", "Model " + counters.model + " is left out: " + why);
  }

  const MeasuredFile& earlier_;
  const MeasuredFile& later_;
  ByModel before_;
  LeftOutLines complaints_;
  MeasuredFile result_;
};

bool ReadingPair::usable(const ServerCounters& before, const ServerCounters& after) {
  if (fell(before, after)) {
    leave_out(after, "its counters fell after " + earlier_.path +
                         "; the server was started anew in between, or the files are in the wrong order.");
    return false;
  }
  if (before.read_at_s && after.read_at_s && *after.read_at_s <= *before.read_at_s) {
    leave_out(after,
              "its counters were not read later than those of " + earlier_.path + "; give the earlier file first.");
    return false;
  }
  const bool worked = after.requests > before.requests;
  const bool computed = after.items > before.items && after.executions > before.executions;
  if (worked && (computed || before.ensemble || after.ensemble)) return true;
  leave_out(after, std::string(worked ? "it executed no batch" : "it answered no request") + " after " + earlier_.path +
                       " was read; read the counters under load.");
  return false;
}

void ReadingPair::model(const ServerCounters& after) {
  const auto found = before_.find(after.model);
  const ServerCounters* before = found == before_.end() ? nullptr : found->second;
  if (before == nullptr && !earlier_.left_out.empty()) {
    leave_out(after, "it is not whole in " + earlier_.path + ", which misses lines; read that file again.");
    return;
  }
  ServerCounters nothing{.model = after.model, .ensemble = after.ensemble};
  if (before == nullptr) {
    for (const auto& [name, sum] : after.sums_s) nothing.sums_s[name] = 0.0;
    before = &nothing;
    if (!earlier_.counters.empty()) nothing.read_at_s = earlier_.counters.front().read_at_s;
    result_.notes.push_back("Model " + after.model + " had answered no request when " + earlier_.path +
                            " was read; it counts from zero.");
  }
  if (usable(*before, after)) result_.counters.push_back(between(*before, after));
}

MeasuredFile ReadingPair::compare() {
  result_.path = later_.path;
  result_.sha256 = later_.sha256;
  result_.format = "difference of Triton metrics";
  for (const ServerCounters& after : later_.counters) model(after);
  const ByModel after = by_model(later_);
  for (const ServerCounters& before : earlier_.counters) {
    if (after.contains(before.model)) continue;
    complaints_.add(0, "import.no_difference",
                    "Model " + before.model + " is left out: it stands in " + earlier_.path +
                        " but not here; it was unloaded, or lines are missing.");
  }
  complaints_.hand_over(result_, !result_.counters.empty(), "import.no_difference",
                        "Nothing can be said about the time between " + earlier_.path + " and " + later_.path + ".");
  return result_;
}

}  // namespace

MeasuredFile difference(const MeasuredFile& earlier, const MeasuredFile& later) {
  return ReadingPair(earlier, later).compare();
}

namespace {

constexpr const char* requests_counter = "nv_inference_request_success";
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
  for (const char* counter : {requests_counter, failures, items_counter, executions_counter})
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
  for (const char* counter : {requests_counter, items_counter, executions_counter}) {
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
  result.requests = value_or_zero(sums, requests_counter);
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
