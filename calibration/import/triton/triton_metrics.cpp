#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/import/import_kit.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

/// One sample of Prometheus' text format: name{label="value",...} value [timestamp].
/// Source  prometheus.io, docs/instrumenting/exposition_formats
struct PrometheusSample {
  std::string name{};
  std::map<std::string, std::string> labels{};  ///< escapes resolved
  double value = 0.0;                           ///< finite
  std::optional<double> time_s{};               ///< since 1970; the text has milliseconds

  std::string label(const char* name_of_label) const {
    const auto found = labels.find(name_of_label);
    return found == labels.end() ? "" : found->second;
  }
};

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

// A line that is no comment; absent, with the reason in `fault`, when it is no such sample.
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

double compute_of(const ServerCounters& counters) {
  double sum_s = 0.0;
  for (const char* part : {"compute_input_s", "compute_infer_s", "compute_output_s"})
    sum_s += measured_value(counters.sums_s, part).value_or(0.0);
  return sum_s;
}

/// Models that answered equally many requests, those left out that are known to be ensembles.
struct EqualRequests {
  double compute_s = 0.0;
  std::vector<std::string> models{};
};

using ByRequests = std::map<double, EqualRequests>;

ByRequests group(const std::vector<ServerCounters>& counters) {
  ByRequests groups;
  for (const ServerCounters& one : counters) {
    if (one.ensemble) continue;
    groups[one.requests].compute_s += compute_of(one);
    groups[one.requests].models.push_back(one.model);
  }
  return groups;
}

// Triton adds the times of the steps to those of the ensemble; each counter is rounded to microseconds by itself.
std::string steps_that_add_up(const ServerCounters& one, const ByRequests& groups) {
  const EqualRequests& equal = groups.at(one.requests);
  const double others = equal.compute_s - compute_of(one);
  if (equal.models.size() < 3 || !(others > 0.0) || std::abs(others - compute_of(one)) > 1e-3 * others) return "";
  constexpr std::size_t most_named = 10;
  std::string names;
  std::size_t named = 0;
  for (const std::string& model : equal.models) {
    if (model == one.model) continue;
    if (named++ == most_named) return names + " and others";
    append_part(names, model);
  }
  return names;
}

std::string why_ensemble(const ServerCounters& one, bool without_gpu) {
  if (one.items <= 0.0 || one.executions <= 0.0) return "it executed no batch of its own";
  if (one.sums_s.contains("compute_infer_s") && compute_of(one) <= 0.0) return "it has no compute time of its own";
  if (without_gpu) return "it names no GPU, while other models do: an ensemble, or a model on CPUs";
  return "";
}

void mark(ServerCounters& one, const std::string& why, Import& import) {
  if (why.empty()) return;
  one.ensemble = true;
  import.note(one.model + " is taken for an ensemble, and no service law follows from it: " + why + ".");
}

// Marks the ensembles among the counters of one server, and says how they were known: no execution or no computation
// of their own, no GPU where other models name theirs (`without_gpu`), or times that are the sum of those of others.
void mark_ensembles(std::vector<ServerCounters>& counters, const std::set<std::string>& without_gpu, Import& import) {
  for (ServerCounters& one : counters) mark(one, why_ensemble(one, without_gpu.contains(one.model)), import);
  const ByRequests groups = group(counters);
  for (ServerCounters& one : counters) {
    if (one.ensemble) continue;
    const std::string steps = steps_that_add_up(one, groups);
    mark(one, steps.empty() ? "" : "its compute times are the sum of those of " + steps, import);
  }
}

/// A counter, and what it becomes: a count, or a sum of times.
struct TritonCounter {
  std::string_view name;
  double ServerCounters::*count;
  const char* sum_s;
  bool needed;
};

constexpr std::array<TritonCounter, 10> triton_counters{
    {{"nv_inference_request_success", &ServerCounters::requests, nullptr, true},
     {"nv_inference_count", &ServerCounters::items, nullptr, true},
     {"nv_inference_exec_count", &ServerCounters::executions, nullptr, true},
     {"nv_inference_request_failure", &ServerCounters::failures, nullptr, false},
     {"nv_inference_request_duration_us", nullptr, "request_s", false},
     {"nv_inference_queue_duration_us", nullptr, "queue_s", false},
     {"nv_inference_compute_input_duration_us", nullptr, "compute_input_s", false},
     {"nv_inference_compute_infer_duration_us", nullptr, "compute_infer_s", false},
     {"nv_inference_compute_output_duration_us", nullptr, "compute_output_s", false},
     // Servers before 2.0 have one counter for the whole computation.
     {"nv_inference_compute_duration_us", nullptr, "compute_infer_s", false}}};

// Of its summaries only that of whole requests: the simulation has no quantiles of their parts.
constexpr std::string_view request_summary = "nv_inference_request_summary_us";
constexpr std::string_view first_response_buckets = "nv_inference_first_response_histogram_ms_bucket";
constexpr std::array<double, 3> compared_shares{0.5, 0.95, 0.99};

bool is_read(std::string_view series) {
  return series == request_summary || series == first_response_buckets ||
         std::any_of(triton_counters.begin(), triton_counters.end(),
                     [&](const TritonCounter& counter) { return counter.name == series; });
}

/// What the text says about one model.
struct TritonModel {
  std::size_t line = 0;
  std::set<std::string> places{};  ///< its versions, each on a GPU
  /// By counter, the values of the places that have it.
  std::map<std::string, std::map<std::string, double>, std::less<>> values{};
  /// By share of the requests, the quantiles of the places that have them [s].
  std::map<double, std::vector<double>> quantiles_s{};
  std::map<double, double> first_response{};  ///< requests of all places by the upper edge of their bucket [s]
  std::optional<double> read_at_s{};
  bool on_gpu = false;  ///< its series name a GPU
};

/// Adds up the counters of each model over its versions and GPUs.
class TritonReader {
 public:
  explicit TritonReader(Import& import) : import_(import) {}

  void read();

 private:
  void take_line(const ImportedLine& line);
  void take(const PrometheusSample& sample, const ImportedLine& line);
  void take_time(TritonModel& model, const PrometheusSample& sample, const ImportedLine& line);
  std::optional<ServerCounters> add_up(const std::string& name, const TritonModel& model);
  void add_times(ServerCounters& counters, const TritonModel& model);

  Import& import_;
  std::map<std::string, TritonModel> models_;
  std::map<std::string, std::size_t> seen_;  ///< line of a sample by name and labels
};

// A separator that no label holds by chance.
std::string with_label(const std::string& key, const std::string& label) {
  return key + '\0' + label;
}

void TritonReader::take_line(const ImportedLine& line) {
  const std::string_view text = trimmed(line.text);
  const std::string_view name = text.substr(0, text.find_first_of("{ \t"));
  if (!is_read(name)) return;
  // A summary of no request in its time has no quantiles.
  if (name == request_summary && trimmed(text.substr(text.rfind('}') + 1)).starts_with("NaN")) return;
  std::string fault = "no line end follows, so that digits may be missing; a whole dump ends with one";
  if (line.ended)
    if (const auto sample = prometheus_line(text, fault)) return take(*sample, line);
  import_.leave_out(line, "import.torn_line", "The line is left out: " + fault + ".");
}

void TritonReader::take(const PrometheusSample& sample, const ImportedLine& line) {
  const std::string name = sample.label("model");
  if (name.empty())
    return import_.leave_out(line, "import.no_model", "The line is left out: it has no label \"model\".");
  if (sample.value < 0.0)
    return import_.leave_out(line, "import.bad_number", "The line is left out: a counter cannot be negative.");
  std::string identity = sample.name;
  for (const auto& [label, value] : sample.labels) identity = with_label(with_label(identity, label), value);
  const auto [first, is_new] = seen_.emplace(std::move(identity), line.number);
  if (!is_new)
    return import_.leave_out(line, "import.repeated_counter",
                             "The line is left out: the same counter stands in line " + std::to_string(first->second) +
                                 "; give two dumps as two files, the earlier one first.");
  TritonModel& model = models_[name];
  if (model.line == 0) model.line = line.number;
  const std::string gpu = sample.label("gpu_uuid");
  model.on_gpu = model.on_gpu || !gpu.empty();
  if (sample.time_s && (!model.read_at_s || *sample.time_s > *model.read_at_s)) model.read_at_s = sample.time_s;
  if (sample.name == request_summary || sample.name == first_response_buckets) return take_time(model, sample, line);
  // Failures are counted by their reason; a reason makes no other instance of the model.
  const std::string place = with_label(sample.label("version"), gpu);
  model.places.insert(place);
  model.values[sample.name][place] += sample.value;
}

void TritonReader::take_time(TritonModel& model, const PrometheusSample& sample, const ImportedLine& line) {
  const bool summary = sample.name == request_summary;
  const std::string label = sample.label(summary ? "quantile" : "le");
  const std::optional<double> number = plain_number(label);
  const bool last = !summary && label == "+Inf";
  if (!last && (!number || *number < 0.0 || (summary && *number > 1.0)))
    return import_.leave_out(
        line, "import.bad_number",
        std::string("The line is left out: ") +
            (summary ? "\"quantile\" has to be a share from 0 to 1." : "\"le\" has to be a time in ms, or \"+Inf\"."));
  if (summary)
    model.quantiles_s[*number].push_back(sample.value * microsecond);
  else
    model.first_response[last ? std::numeric_limits<double>::infinity() : *number * 1e-3] += sample.value;
}

void TritonReader::add_times(ServerCounters& counters, const TritonModel& model) {
  const auto leave_out = [&](const std::string& why) {
    import_.leave_out({.number = model.line}, "import.unusable_quantiles", "Model " + counters.model + ": " + why);
  };
  double before = 0.0;
  for (const double share : compared_shares) {
    const auto found = model.quantiles_s.find(share);
    if (found == model.quantiles_s.end()) continue;
    if (found->second.size() > 1) {
      counters.quantiles_s.clear();
      leave_out("the quantiles of " + std::string(request_summary) +
                " are left out, since those of several versions or GPUs are no quantiles of all requests.");
      break;
    }
    if (found->second.front() < before) {
      counters.quantiles_s.clear();
      leave_out("the quantiles of " + std::string(request_summary) +
                " are left out: a higher one is smaller than a lower one.");
      break;
    }
    before = found->second.front();
    if (before > 0.0) counters.quantiles_s[share] = before;
  }
  double so_far = 0.0;
  const bool rises = std::all_of(model.first_response.begin(), model.first_response.end(), [&](const auto& bucket) {
    return bucket.second >= std::exchange(so_far, bucket.second);
  });
  if (rises)
    counters.first_response = model.first_response;
  else
    leave_out("the buckets of " + std::string(first_response_buckets) +
              " are left out: one with a later edge counts fewer requests.");
}

// Nothing when the model has gaps in a series without which it is of no use.
std::optional<ServerCounters> TritonReader::add_up(const std::string& name, const TritonModel& model) {
  ServerCounters result{.at = {import_.path(), model.line}, .model = name, .read_at_s = model.read_at_s};
  for (const TritonCounter& counter : triton_counters) {
    const auto found = model.values.find(counter.name);
    const bool whole = found != model.values.end() && found->second.size() == model.places.size();
    if (!whole && counter.needed) {
      import_.leave_out({.number = model.line}, "import.incomplete_model",
                        "Model " + name + " is left out: " + std::string(counter.name) +
                            " is missing for it or for one of its versions or GPUs; read the server's /metrics again.");
      return std::nullopt;
    }
    if (found == model.values.end()) continue;
    double sum = 0.0;
    for (const auto& [place, value] : found->second) sum += value;
    if (counter.count != nullptr) {
      result.*counter.count = sum;
    } else if (whole) {
      result.sums_s.emplace(counter.sum_s, sum * microsecond);
    } else {
      import_.leave_out({.number = model.line}, "import.incomplete_model",
                        "Model " + name + ": " + std::string(counter.name) +
                            " is left out; one of its versions or GPUs does not have it. Read the server's /metrics "
                            "again.");
    }
  }
  add_times(result, model);
  return result;
}

void TritonReader::read() {
  for (const ImportedLine& line : lines_to_import(import_.text())) take_line(line);
  std::set<std::string> without_gpu;
  std::vector<std::string> idle;
  const bool gpus_named =
      std::any_of(models_.begin(), models_.end(), [](const auto& model) { return model.second.on_gpu; });
  std::vector<ServerCounters>& all = import_.file().counters;
  for (const auto& [name, model] : models_) {
    const std::optional<ServerCounters> counters = add_up(name, model);
    if (!counters) continue;
    if (counters->requests <= 0.0) {
      idle.push_back(name);
      continue;
    }
    if (gpus_named && !model.on_gpu) without_gpu.insert(name);
    all.push_back(*counters);
  }
  if (!idle.empty()) import_.note("These models have answered no request: " + joined(idle) + ".");
  mark_ensembles(all, without_gpu, import_);
  if (all.empty())
    import_.refuse("import.no_counters",
                   "There is no model with its counters of requests, inferences and executions above 0. Save what the "
                   "server answers at /metrics, port 8002, after it has answered requests: curl server:8002/metrics.");
}

bool recognises_triton(std::string_view text) {
  return any_line(text, [](const ImportedLine& at) {
    std::string_view line = trimmed(at.text);
    for (const std::string_view comment : {"# HELP ", "# TYPE "})
      if (line.starts_with(comment)) line.remove_prefix(comment.size());
    return line.starts_with("nv_inference_") || line.starts_with("nv_gpu_");
  });
}

void read_triton(Import& import) {
  TritonReader(import).read();
}

}  // namespace

ImportFormat triton_metrics() {
  return {.name = "Triton metrics",
          .looks_like = "lines such as nv_inference_count{model=\"a\",version=\"1\"} 42",
          .recognises = recognises_triton,
          .read = read_triton};
}

}  // namespace saturn
