#include "calibration/impossible_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "calibration/measured_batches.hpp"
#include "models/laws/service_law.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

/// Little's law gives repetitions of one setting slightly different sizes.
bool are_one_size(const FitPoint& a, const FitPoint& b) {
  return std::abs(b.x / a.x - 1.0) < 0.05;
}

/// The mean of each size. Its error is known where the points bring theirs; few repeats do not tell one.
std::vector<BatchTimePoint> times_by_size(std::vector<FitPoint> points) {
  std::stable_sort(points.begin(), points.end(), [](const FitPoint& a, const FitPoint& b) { return a.x < b.x; });
  std::vector<BatchTimePoint> times;
  for (std::size_t from = 0; from < points.size();) {
    std::size_t to = from;
    BatchTimePoint mean{.standard_error = 0.0};
    double variance = 0.0;
    for (; to < points.size() && are_one_size(points[from], points[to]); ++to) {
      mean.time_s += points[to].y;
      if (!points[to].standard_error) mean.standard_error.reset();
      variance += std::pow(points[to].standard_error.value_or(0.0), 2);
    }
    const auto n = static_cast<double>(to - from);
    mean.items = points[from].x;
    mean.time_s /= n;
    if (mean.standard_error) mean.standard_error = std::sqrt(variance) / n;
    times.push_back(mean);
    from = to;
  }
  return times;
}

std::string milliseconds_text(double seconds) {
  return significant(1e3 * seconds, 4) + " ms";
}

struct MeasuredWait {
  double s = 0.0;
  std::optional<double> error_s{};
};

/// What a client waits for its answer: measured, or by Little's law.
MeasuredWait wait_of(const LoadPoint& load) {
  if (const std::optional<double> latency = measured_value(load.measured, "latency_mean_s"))
    return {*latency, measured_value(load.measured, "latency_sem_s")};
  return {*load.concurrency * *load.request_batch / load.items_per_s, std::nullopt};
}

bool is_longer(const MeasuredWait& one, const MeasuredWait& two) {
  if (!one.error_s || !two.error_s) return one.s > 1.05 * two.s;
  return one.s > 1.02 * two.s && one.s - two.s > 3.0 * std::hypot(*one.error_s, *two.error_s);
}

}  // namespace

std::vector<std::string> impossible_times(std::span<const FitPoint> points) {
  constexpr std::size_t most_named = 4;
  const std::vector<BatchTimePoint> times = times_by_size({points.begin(), points.end()});
  const std::vector<BatchTimeFault> faults = batch_time_faults(times);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(faults.size(), most_named); ++i)
    texts.push_back("THESE TIMES CANNOT ALL BE TRUE: " + in_words(faults[i], times));
  if (faults.size() > most_named)
    texts.push_back(std::to_string(faults.size() - most_named) + " further times cannot be true in the same way");
  return texts;
}

std::vector<std::string> slow_lone_clients(std::span<const LoadPoint> loads) {
  std::map<std::tuple<std::string, std::string, double>, std::pair<const LoadPoint*, const LoadPoint*>> pairs;
  for (const LoadPoint& load : loads) {
    if (!load.concurrency || !load.request_batch) continue;
    auto& [one, two] = pairs[{load.model, load.configuration, *load.request_batch}];
    if (*load.concurrency == 1.0 && one == nullptr) one = &load;
    if (*load.concurrency == 2.0 && two == nullptr) two = &load;
  }
  std::vector<std::string> texts;
  for (const auto& [setting, pair] : pairs) {
    const auto& [one, two] = pair;
    if (one == nullptr || two == nullptr) continue;
    const MeasuredWait alone = wait_of(*one);
    const MeasuredWait beside = wait_of(*two);
    if (!is_longer(alone, beside)) continue;
    texts.push_back("A LONE CLIENT IS SLOWER THAN TWO: with requests of " + significant(std::get<2>(setting), 6) +
                    (std::get<2>(setting) == 1.0 ? " item" : " items") + " it waits " + milliseconds_text(alone.s) +
                    " (" + one->at.text() + "), each of two " + milliseconds_text(beside.s) + " (" + two->at.text() +
                    "), although company makes no request shorter: clocks or caches go cold between the requests of "
                    "one. Measure it again with the clocks locked (nvidia-smi --lock-gpu-clocks), or take the law from "
                    "rows with two requests in flight");
  }
  return texts;
}

std::vector<std::string> impossible_rows(const MeasuredFile& file) {
  std::vector<std::string> texts = slow_lone_clients(file.loads);
  for (const ServiceSeries& series : service_series(std::span(&file, 1), "")) {
    // A request's share of joined batches is no time of a batch.
    if (series.from == BatchTimeFrom::throughput) continue;
    for (std::string& text : impossible_times(series.points)) texts.push_back(std::move(text));
  }
  return texts;
}

std::string rates_above_law(std::span<const LoadPoint> loads, std::span<const std::pair<double, double>> law) {
  double best_per_s = 0.0;
  for (const auto& [items, time_s] : law)
    if (time_s > 0.0) best_per_s = std::max(best_per_s, items / time_s);
  const LoadPoint* worst = nullptr;
  double largest = 1.05;
  for (const LoadPoint& load : loads) {
    const double factor = load.items_per_s / (best_per_s * load.instances.value_or(1.0));
    if (!(factor > largest)) continue;
    largest = factor;
    worst = &load;
  }
  if (worst == nullptr) return "";
  const double instances = worst->instances.value_or(1.0);
  return "THIS LAW FORBIDS WHAT WAS MEASURED: " + worst->at.text() + " has " + significant(worst->items_per_s, 5) +
         " items/s, where its times allow " + significant(best_per_s * instances, 5) + " with " +
         counted(instances, "instance") +
         ". Either more instances work at once, or the times hold what is not the server's work, such as the transfer "
         "of a lone client's request: take the server's own compute times with two requests in flight, which decides";
}

}  // namespace saturn
