#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/import/load_points.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

namespace {

using Json = nlohmann::json;

constexpr std::size_t least_requests = 10;

// Nanoseconds since 1970 need 61 bits, more than a double has: they are subtracted as whole numbers.
using Nanoseconds = std::uint64_t;

std::optional<Nanoseconds> instant(const Json& json) {
  constexpr Nanoseconds latest = std::numeric_limits<std::int64_t>::max();
  if (!json.is_number_unsigned() || json.get<Nanoseconds>() > latest) return std::nullopt;
  return json.get<Nanoseconds>();
}

double seconds_between(Nanoseconds from, Nanoseconds to) {
  return static_cast<double>(to - from) * 1e-9;
}

const Json* member(const Json& json, const char* key) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(key);
  return found == json.end() ? nullptr : &*found;
}

struct AnsweredRequest {
  Nanoseconds answered = 0;
  double latency_s = 0.0;
};

std::optional<AnsweredRequest> answered(const Json& request) {
  const Json* begin = member(request, "timestamp");
  const Json* responses = member(request, "response_timestamps");
  if (begin == nullptr || responses == nullptr || !responses->is_array() || responses->empty()) return std::nullopt;
  const auto first = instant(*begin);
  Nanoseconds last = 0;
  for (const Json& response : *responses) {
    const auto date = instant(response);
    if (!date) return std::nullopt;
    last = std::max(last, *date);
  }
  if (!first || last <= *first) return std::nullopt;
  return AnsweredRequest{.answered = last, .latency_s = seconds_between(*first, last)};
}

/// From the beginning of the first window to the end of the last.
struct MeasuredWindow {
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
};

std::optional<MeasuredWindow> window_of(const Json& experiment) {
  const Json* boundaries = member(experiment, "window_boundaries");
  if (boundaries == nullptr || !boundaries->is_array() || boundaries->size() < 2) return std::nullopt;
  MeasuredWindow window{.begin = std::numeric_limits<Nanoseconds>::max()};
  for (const Json& boundary : *boundaries) {
    const auto date = instant(boundary);
    if (!date) return std::nullopt;
    window.begin = std::min(window.begin, *date);
    window.end = std::max(window.end, *date);
  }
  if (window.end <= window.begin) return std::nullopt;
  return window;
}

// The smallest latency that the share of the requests does not exceed.
double percentile(const std::vector<double>& sorted, double percent) {
  const double rank = std::ceil(percent / 100.0 * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

void measure_latencies(std::vector<double> latencies, LoadPoint& point) {
  std::sort(latencies.begin(), latencies.end());
  const auto count = static_cast<double>(latencies.size());
  double sum = 0.0;
  for (const double latency : latencies) sum += latency;
  const double mean = sum / count;
  double squares = 0.0;
  for (const double latency : latencies) squares += (latency - mean) * (latency - mean);
  point.measured["latency_mean_s"] = mean;
  point.measured["latency_sd_s"] = std::sqrt(squares / (count - 1.0));
  for (const int percent : {50, 90, 95, 99}) {
    // Of fewer requests none lies beyond it.
    if (count * (100.0 - percent) < 100.0) continue;
    point.measured["latency_p" + std::to_string(percent) + "_s"] = percentile(latencies, percent);
  }
}

class ProfileReader {
 public:
  explicit ProfileReader(Import& import) : import_(import) {}

  void read();

 private:
  Json parse() const;
  void experiment(const Json& json, const std::string& pointer);
  bool load(const Json& json, const std::string& pointer, LoadPoint& point);
  std::vector<double> latencies(const Json& json, const std::string& pointer, const MeasuredWindow& window);
  void leave_out(const std::string& pointer, const std::string& why) {
    import_.leave_out("import.unusable_experiment", pointer + " is left out: " + why);
  }

  Import& import_;
};

Json ProfileReader::parse() const {
  const std::string_view text = import_.text();
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::out_of_range&) {
    import_.refuse("import.not_json", "A number of the profile is too large; dates are in ns since 1970.");
  } catch (const Json::parse_error& error) {
    const std::size_t byte = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const std::string_view before = text.substr(0, byte);
    const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    throw InputError({{.source = import_.path(),
                       .line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
                       .column = byte - start + 1,
                       .code = "import.not_json",
                       .text = "The profile is not JSON from here on" +
                               std::string(byte >= text.size() ? ": its end is missing" : "") +
                               "; let perf_analyzer end by itself, so that it writes the file whole."}});
  }
}

bool ProfileReader::load(const Json& json, const std::string& pointer, LoadPoint& point) {
  const Json* about = member(json, "experiment");
  const Json* mode = about != nullptr ? member(*about, "mode") : nullptr;
  const Json* value = about != nullptr ? member(*about, "value") : nullptr;
  const bool closed = mode != nullptr && *mode == "concurrency";
  const bool open = mode != nullptr && *mode == "request_rate";
  const bool known =
      value != nullptr && value->is_number() && std::isfinite(value->get<double>()) && value->get<double>() > 0.0;
  if ((!closed && !open) || !known) {
    leave_out(pointer,
              "its \"experiment\" has to be a \"mode\", \"concurrency\" or \"request_rate\", with a \"value\" "
              "above 0.");
    return false;
  }
  (closed ? point.concurrency : point.request_rate_per_s) = value->get<double>();
  return true;
}

std::vector<double> ProfileReader::latencies(const Json& json, const std::string& pointer,
                                             const MeasuredWindow& window) {
  std::vector<double> result;
  std::size_t bad = 0;
  const Json* requests = member(json, "requests");
  const std::size_t all = requests != nullptr && requests->is_array() ? requests->size() : 0;
  for (std::size_t k = 0; k < all; ++k) {
    const auto request = answered((*requests)[k]);
    if (!request) {
      ++bad;
    } else if (request->answered >= window.begin && request->answered <= window.end) {
      result.push_back(request->latency_s);
    }
  }
  if (bad > 0) {
    import_.leave_out("import.bad_requests",
                      pointer + ": " + std::to_string(bad) + " of " + std::to_string(all) +
                          " requests are left out: they have no response, or one that is not later than the request.");
  }
  return result;
}

void ProfileReader::experiment(const Json& json, const std::string& pointer) {
  LoadPoint point{.at = {.file = import_.path()}};
  if (!load(json, pointer, point)) return;
  const auto window = window_of(json);
  if (!window) {
    leave_out(pointer, "its \"window_boundaries\" have to be two or more dates in ns, the last later than the first.");
    return;
  }
  std::vector<double> times = latencies(json, pointer, *window);
  if (times.size() < least_requests) {
    leave_out(pointer, counted(times.size(), "request") + (times.size() == 1 ? " was" : " were") +
                           " answered within its windows; a mean needs at least " + std::to_string(least_requests) +
                           ". Measure longer.");
    return;
  }
  const auto count = static_cast<double>(times.size());
  point.items_per_s = count / seconds_between(window->begin, window->end);
  point.requests = count;
  measure_latencies(std::move(times), point);
  import_.file().loads.push_back(point);
}

void ProfileReader::read() {
  const Json json = parse();
  const Json* experiments = member(json, "experiments");
  const std::size_t count = experiments != nullptr && experiments->is_array() ? experiments->size() : 0;
  for (std::size_t k = 0; k < count; ++k) experiment((*experiments)[k], "/experiments/" + std::to_string(k));
  if (import_.file().loads.empty())
    import_.refuse("import.no_load_points",
                   count == 0 ? "/experiments has to be a list of what was measured; it is empty or missing."
                              : "No experiment of the profile can be used.");
  assume_single_items(import_.file());
  apply_littles_law(import_.file());
}

/// A request of AIPerf's records.
struct LoggedRequest {
  Nanoseconds begun = 0;
  Nanoseconds ended = 0;
  std::optional<double> latency_s{};  ///< absent: failed or cancelled, but in flight until its end
};

/// How many requests were in flight, from the first moment at which they were as many as nearly all of the time until
/// the last one began: what was ramped up or drained lies outside.
struct InFlight {
  MeasuredWindow window{};
  double level = 0.0;  ///< not exceeded for 95 % of the time
  double mean = 0.0;
  double variance = 0.0;
};

/// The number in flight after each change, ends before beginnings at the same date.
std::vector<std::pair<Nanoseconds, double>> steps_in_flight(const std::vector<LoggedRequest>& requests) {
  std::vector<std::pair<Nanoseconds, double>> changes;
  for (const LoggedRequest& one : requests) {
    changes.emplace_back(one.begun, 1.0);
    changes.emplace_back(one.ended, -1.0);
  }
  std::sort(changes.begin(), changes.end());
  double level = 0.0;
  for (auto& [date, change] : changes) change = level += change;
  return changes;
}

InFlight in_flight(const std::vector<LoggedRequest>& requests) {
  const auto steps = steps_in_flight(requests);
  InFlight found;
  for (const LoggedRequest& one : requests) found.window.end = std::max(found.window.end, one.begun);
  std::map<double, double> time_at;
  double whole_s = 0.0;
  const auto walk = [&](Nanoseconds from, const auto& visit) {
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
      const Nanoseconds begin = std::max(steps[k].first, from);
      const Nanoseconds end = std::min(steps[k + 1].first, found.window.end);
      if (end > begin) visit(steps[k].second, seconds_between(begin, end));
    }
  };
  walk(0, [&](double level, double time_s) {
    time_at[level] += time_s;
    whole_s += time_s;
  });
  constexpr double nearly_all = 0.95;
  double below_s = 0.0;
  for (const auto& [level, time_s] : time_at) {
    if (below_s < nearly_all * whole_s) found.level = level;
    below_s += time_s;
  }
  const auto full =
      std::find_if(steps.begin(), steps.end(), [&](const auto& step) { return step.second >= found.level; });
  if (full == steps.end() || full->first >= found.window.end) return found;
  found.window.begin = full->first;
  const double window_s = seconds_between(found.window.begin, found.window.end);
  walk(found.window.begin, [&](double level, double time_s) { found.mean += level * time_s / window_s; });
  walk(found.window.begin, [&](double level, double time_s) {
    found.variance += (level - found.mean) * (level - found.mean) * time_s / window_s;
  });
  return found;
}

class RecordsReader {
 public:
  explicit RecordsReader(Import& import) : import_(import) {}

  void read();

 private:
  void take(const ImportedLine& line);
  void note_losses();
  LoadPoint load() const;

  Import& import_;
  std::vector<LoggedRequest> requests_;
  std::size_t failed_ = 0;
  std::size_t warming_up_ = 0;
};

/// What the record calls the latency; where it does not, the time between its dates.
double latency_of(const Json& record, Nanoseconds begun, Nanoseconds ended) {
  const Json* metrics = member(record, "metrics");
  const Json* latency = metrics != nullptr ? member(*metrics, "request_latency") : nullptr;
  const Json* value = latency != nullptr ? member(*latency, "value") : nullptr;
  const Json* unit = latency != nullptr ? member(*latency, "unit") : nullptr;
  const bool told = value != nullptr && value->is_number() && unit != nullptr && unit->is_string();
  const auto seconds = told ? seconds_of_unit(unit->get<std::string>()) : std::nullopt;
  const double time_s = seconds ? value->get<double>() * *seconds : 0.0;
  return is_measurable(time_s) && time_s > 0.0 ? time_s : seconds_between(begun, ended);
}

void RecordsReader::take(const ImportedLine& line) {
  const Json record = Json::parse(line.text.begin(), line.text.end(), nullptr, false);
  if (record.is_discarded())
    return import_.leave_out(line, "import.torn_line", "The line is left out: it is no whole JSON object.");
  const Json* about = member(record, "metadata");
  const Json* begin = about != nullptr ? member(*about, "request_start_ns") : nullptr;
  const Json* end = about != nullptr ? member(*about, "request_end_ns") : nullptr;
  const auto begun = begin != nullptr ? instant(*begin) : std::nullopt;
  const auto ended = end != nullptr ? instant(*end) : std::nullopt;
  if (!begun || !ended || *ended <= *begun)
    return import_.leave_out(line, "import.bad_requests",
                             "The request is left out: \"request_start_ns\" and \"request_end_ns\" of its \"metadata\" "
                             "have to be dates in ns, the second later than the first.");
  if (const Json* phase = member(*about, "benchmark_phase"); phase != nullptr && *phase == "warmup") {
    ++warming_up_;
    return;
  }
  LoggedRequest request{.begun = *begun, .ended = *ended};
  const Json* cancelled = member(*about, "was_cancelled");
  const Json* error = member(record, "error");
  if ((cancelled != nullptr && *cancelled == true) || (error != nullptr && !error->is_null()))
    ++failed_;
  else
    request.latency_s = latency_of(record, *begun, *ended);
  requests_.push_back(request);
}

void RecordsReader::note_losses() {
  if (failed_ > 0)
    import_.note("Requests that failed or were cancelled, and are in none of the means: " + std::to_string(failed_) +
                 ".");
  if (warming_up_ > 0) import_.note("Requests of the warm-up are left out: " + std::to_string(warming_up_) + ".");
}

LoadPoint RecordsReader::load() const {
  const InFlight found = in_flight(requests_);
  LoadPoint point{.at = {.file = import_.path()}};
  std::vector<double> times;
  std::size_t begun = 0;
  for (const LoggedRequest& one : requests_) {
    begun += one.begun > found.window.begin ? 1U : 0U;
    if (one.latency_s && one.ended > found.window.begin && one.ended <= found.window.end)
      times.push_back(*one.latency_s);
  }
  if (times.size() < least_requests)
    import_.refuse("import.no_load_points",
                   counted(times.size(), "request") + (times.size() == 1 ? " was" : " were") +
                       " answered while the load was whole, until the last one was sent; a mean needs at least " +
                       std::to_string(least_requests) + ". Measure longer.");
  const double window_s = seconds_between(found.window.begin, found.window.end);
  point.items_per_s = static_cast<double>(times.size()) / window_s;
  point.requests = static_cast<double>(times.size());
  // Clients that wait for their answers keep the number; of requests that come by themselves it varies, as a Poisson
  // variable does where they come by chance.
  constexpr double steady = 0.25;
  if (found.level > 0.0 && found.variance <= steady * found.mean) {
    point.concurrency = found.level;
    import_.note("The records tell how many requests were in flight: " + significant(found.level, 6) +
                 " nearly all of the time, " + significant(found.mean, 3) + " on average.");
  } else {
    point.request_rate_per_s = static_cast<double>(begun) / window_s;
    import_.note("The number of requests in flight varied, by " + significant(std::sqrt(found.variance), 2) +
                 " about " + significant(found.mean, 3) +
                 ": they were sent at a rate, and no fixed number was in flight.");
  }
  measure_latencies(std::move(times), point);
  return point;
}

void RecordsReader::read() {
  for (const ImportedLine& line : lines_to_import(import_.text())) take(line);
  note_losses();
  import_.file().loads.push_back(load());
  assume_single_items(import_.file());
  apply_littles_law(import_.file());
}

bool recognises_records(std::string_view text) {
  return trimmed(text.substr(0, 4096)).starts_with('{') && holds(beginning_of(text), "\"request_start_ns\"") &&
         holds(beginning_of(text), "\"request_end_ns\"");
}

void read_records(Import& import) {
  RecordsReader(import).read();
}

bool recognises_profile(std::string_view text) {
  return trimmed(text.substr(0, 4096)).starts_with('{') && holds(text, "\"experiments\"") &&
         holds_one(text, {"\"window_boundaries\"", "\"response_timestamps\"", "\"service_kind\"", "\"mode\""});
}

void read_profile(Import& import) {
  ProfileReader(import).read();
}

}  // namespace

ImportFormat perf_analyzer_profile() {
  return {.name = "perf_analyzer profile export",
          .looks_like = "JSON with \"experiments\", each with \"requests\" and \"window_boundaries\"",
          .recognises = recognises_profile,
          .read = read_profile};
}

ImportFormat aiperf_records() {
  return {.name = "AIPerf request records",
          .looks_like = "lines of JSON, each with \"metadata\", its \"request_start_ns\" and \"request_end_ns\"",
          .recognises = recognises_records,
          .read = read_records};
}

}  // namespace saturn
