#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "calibration/import/load_points.hpp"
#include "calibration/import/read_measured_file.hpp"
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
    leave_out(pointer, counted_noun(times.size(), "request") + (times.size() == 1 ? " was" : " were") +
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

}  // namespace saturn
