#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "calibration/import/import_kit.hpp"
#include "calibration/import/read_measured_file.hpp"

namespace saturn {

namespace {

constexpr std::array server_counts{&ServerCounters::requests, &ServerCounters::failures, &ServerCounters::items,
                                   &ServerCounters::executions};

using ByModel = std::map<std::string, const ServerCounters*>;

ByModel by_model(const MeasuredFile& file) {
  ByModel models;
  for (const ServerCounters& one : file.counters) models.emplace(one.model, &one);
  return models;
}

bool fell(const ServerCounters& before, const ServerCounters& after) {
  for (const auto count : server_counts)
    if (after.*count < before.*count) return true;
  return std::any_of(before.sums_s.begin(), before.sums_s.end(), [&](const auto& sum) {
    const auto found = after.sums_s.find(sum.first);
    return found != after.sums_s.end() && found->second < sum.second;
  });
}

ServerCounters between(const ServerCounters& before, const ServerCounters& after) {
  ServerCounters result = after;
  for (const auto count : server_counts) result.*count -= before.*count;
  std::erase_if(result.sums_s, [&](const auto& sum) { return !before.sums_s.contains(sum.first); });
  for (auto& [name, sum] : result.sums_s) sum -= before.sums_s.at(name);
  // Quantiles of the server's last minutes are those of the later reading; a histogram counts like the rest.
  if (!before.first_response.empty())
    for (auto& [within_s, requests] : result.first_response) {
      const auto found = before.first_response.find(within_s);
      requests -= found == before.first_response.end() ? 0.0 : found->second;
    }
  result.ensemble = before.ensemble || after.ensemble;
  if (before.read_at_s && after.read_at_s && *after.read_at_s > *before.read_at_s)
    result.elapsed_s = *after.read_at_s - *before.read_at_s;
  return result;
}

/// Compares the readings model by model.
class ReadingPair {
 public:
  ReadingPair(const MeasuredFile& earlier, const MeasuredFile& later)
      : earlier_(earlier), later_(later), before_(by_model(earlier)) {}

  MeasuredFile compare();

 private:
  void model(const ServerCounters& after);
  bool usable(const ServerCounters& before, const ServerCounters& after);
  void leave_out(const ServerCounters& counters, const std::string& why) {
    import_.leave_out({.number = counters.at.line}, "import.no_difference",
                      "Model " + counters.model + " is left out: " + why);
  }

  const MeasuredFile& earlier_;
  const MeasuredFile& later_;
  ByModel before_;
  MeasuredFile result_{.path = later_.path, .format = "difference of Triton metrics", .sha256 = later_.sha256};
  Import import_{"", result_};
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
  for (const ServerCounters& after : later_.counters) model(after);
  const ByModel after = by_model(later_);
  for (const ServerCounters& before : earlier_.counters) {
    if (after.contains(before.model)) continue;
    import_.leave_out("import.no_difference", "Model " + before.model + " is left out: it stands in " + earlier_.path +
                                                  " but not here; it was unloaded, or lines are missing.");
  }
  if (result_.counters.empty())
    import_.refuse("import.no_difference",
                   "Nothing can be said about the time between " + earlier_.path + " and " + later_.path + ".");
  return std::move(result_);
}

}  // namespace

MeasuredFile difference(const MeasuredFile& earlier, const MeasuredFile& later) {
  return ReadingPair(earlier, later).compare();
}

}  // namespace saturn
